"""Who may come in: the token of the scanned code once, then a cookie that scripts cannot read."""

import hashlib
import hmac
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qs

from starlette.types import ASGIApp, Receive, Scope, Send

from app.serve.guard_answer import answer, refuse
from app.serve.guard_rate import address_of
from app.serve.problems import Problem

MOST_SESSIONS: Final = 64
"""Phones at a time; the one that has been away longest makes room for another."""

MOST_SESSIONS_OF_ADDRESS: Final = 16
"""Of them from one address: its own make room first, so that nobody can push out all others."""

SESSION_SECONDS: Final = 30 * 24 * 3600
"""How long a phone that does nothing stays known, while the server runs."""

_SCAN_AGAIN: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Sudoku Lens</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><link rel="icon" href="/icon-192.png">
<link rel="stylesheet" href="/page/scan.css"></head>
<body><main><img src="/icon-192.png" alt="" width="96" height="96"><h1>Sudoku Lens</h1>
<p>Scan the code on the computer again: this address alone does not open the page.</p>
<p lang="de">Bitte den Code am Computer noch einmal scannen: Diese Adresse allein öffnet die Seite
nicht.</p>
<p lang="fr">Scannez à nouveau le code sur l’ordinateur : cette adresse seule n’ouvre pas la
page.</p></main></body></html>
""".encode()


@dataclass
class _Session:
    address: str
    seen: float


class Sessions:
    """The phones that showed the token, in memory only: they end with the server."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._sessions: OrderedDict[str, _Session] = OrderedDict()  # least recently used first

    def __len__(self) -> int:
        return len(self._sessions)

    def open(self, address: str) -> str:
        """Return the secret of a new session for a client at this address; only its cookie has it.

        An older session ends where there would be too many.
        """
        own = [key for key, session in self._sessions.items() if session.address == address]
        if len(own) >= MOST_SESSIONS_OF_ADDRESS:
            del self._sessions[own[0]]
        elif len(self._sessions) >= MOST_SESSIONS:
            self._sessions.popitem(last=False)
        secret = secrets.token_urlsafe(32)
        self._sessions[_fingerprint(secret)] = _Session(address, self._clock())
        return secret

    def find(self, secret: str) -> str | None:
        """Return the key that stands for a client in this process, None if it is not known.

        Secrets are looked up by their hash, so that how long it takes tells nothing of them.
        """
        key = _fingerprint(secret)
        session = self._sessions.get(key)
        if session is None:
            return None
        now = self._clock()
        if now - session.seen > SESSION_SECONDS:
            del self._sessions[key]
            return None
        session.seen = now
        self._sessions.move_to_end(key)
        return key


class SessionGuard:
    """Exchanges the token for a cookie, and lets nobody past without one.

    What comes through has `scope["state"]["client"]`, the session's key; for public files it is
    missing.
    """

    def __init__(
        self, app: ASGIApp, token: str, sessions: Sessions, public: Collection[str]
    ) -> None:
        """Take the token, and the exact paths that anybody may get because they hold no secret."""
        self._app = app
        self._token = token.encode()
        self._sessions = sessions
        self._public = frozenset(public)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run or refuse one request."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        if is_page(scope) and (token := token_of(scope)) is not None:
            if hmac.compare_digest(token, self._token):
                await self._sign_in(scope, receive, send)
            else:
                await _ask_to_scan(scope, receive, send)
            return
        client = self._client(scope)
        if client is not None:
            scope = {**scope, "state": {**scope.get("state", {}), "client": client}}
        elif not _is_read(scope) or scope["path"] not in self._public:
            if is_page(scope):
                await _ask_to_scan(scope, receive, send)
            else:
                await refuse(scope, receive, send, Problem.NO_SESSION)
            return
        await self._app(scope, receive, send)

    def _client(self, scope: Scope) -> str | None:
        """Return the session of a request's cookie; other servers here may have set cookies too."""
        name = cookie_name(scope)
        for key, line in scope["headers"]:
            if key == b"cookie":
                for pair in line.decode("latin-1").split(";"):
                    found, _, secret = pair.strip().partition("=")
                    if found == name and (client := self._sessions.find(secret)) is not None:
                        return client
        return None

    async def _sign_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send to the page, without the token in its address; a phone keeps its session."""
        headers = [(b"location", b"/"), (b"cache-control", b"no-store")]
        if self._client(scope) is None:
            secret = self._sessions.open(address_of(scope))
            # Lax, not Strict: a phone may follow the address from another page or a message.
            cookie = f"{cookie_name(scope)}={secret}; Path=/; HttpOnly; SameSite=Lax"
            cookie += f"; Max-Age={SESSION_SECONDS}"
            if scope["scheme"] == "https":
                cookie += "; Secure"
            headers.append((b"set-cookie", cookie.encode()))
        await answer(scope, receive, send, 303, headers, b"")


def cookie_name(scope: Scope) -> str:
    """Return the cookie's name on this port: browsers share cookies among a host's ports."""
    server = scope.get("server") or ("", None)
    name = f"sudoku-lens-{server[1] or 0}"
    return f"__Host-{name}" if scope["scheme"] in ("https", "wss") else name


def _fingerprint(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _is_read(scope: Scope) -> bool:
    return scope["type"] == "http" and scope["method"] in ("GET", "HEAD")


def is_page(scope: Scope) -> bool:
    """Tell whether a request is for the page itself."""
    return _is_read(scope) and scope["path"] == "/"


def token_of(scope: Scope) -> bytes | None:
    """Return the token of an address, None where it has none."""
    try:
        fields = parse_qs(scope["query_string"].decode("latin-1"), max_num_fields=8)
    except ValueError:
        return b""
    tokens = fields.get("token")
    return None if tokens is None else tokens[0].encode()


async def _ask_to_scan(scope: Scope, receive: Receive, send: Send) -> None:
    headers = [
        (b"content-type", b"text/html; charset=utf-8"),
        (b"cache-control", b"no-store"),
    ]
    await answer(scope, receive, send, 401, headers, _SCAN_AGAIN)
