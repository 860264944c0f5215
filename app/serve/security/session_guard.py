"""Who may come in: the token of the scanned code once, then a cookie that scripts cannot read.

Programs send a token of their own with each request, where there is one.
"""

import hmac
from collections.abc import Collection, Iterator
from typing import Final
from urllib.parse import parse_qs

from starlette.types import ASGIApp, Receive, Scope, Send

from app.serve.api.problems import (
    Problem,
    answer,
    header,
    is_page,
    is_read,
    refuse,
)
from app.serve.security.known_clients import SESSION_SECONDS, Sessions, name_device
from app.serve.security.request_limits import address_of
from app.serve.server import is_of_this_computer

_REMEMBERED_SECONDS: Final = 400 * 24 * 3600
"""How long a remembered phone keeps its cookie; browsers keep none for longer."""


class SessionGuard:
    """Exchanges the token for a cookie, and lets nobody past without one.

    What comes through has `scope["state"]["client"]`, the key of a session or of a program; for
    public files it is missing.
    """

    def __init__(
        self,
        app: ASGIApp,
        token: str,
        sessions: Sessions,
        public: Collection[str],
        program_token: str | None = None,
    ) -> None:
        """Put the guard before an application."""
        self._app = app
        self._program_token = None if program_token is None else program_token.encode()
        self._token = token.encode()
        self._sessions = sessions
        self._public = frozenset(public)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run or refuse one request."""
        if is_page(scope) and (token := token_of(scope)) is not None:
            newer = self._sessions.token
            right = self._token if newer is None else newer.encode()
            # A phone that is known may keep an address from before the last start.
            if hmac.compare_digest(token, right) or self._client(scope) is not None:
                await self._sign_in(scope, receive, send)
            else:
                await refuse(scope, receive, send, Problem.NO_SESSION)
            return
        sent = None if self._program_token is None else _bearer(scope)
        client = self._client(scope) if sent is None else self._program(scope, sent)
        if client is not None:
            scope = {**scope, "state": {**scope.get("state", {}), "client": client}}
        elif not is_read(scope) or scope["path"] not in self._public:
            await refuse(scope, receive, send, Problem.NO_SESSION)
            return
        await self._app(scope, receive, send)

    def _client(self, scope: Scope) -> str | None:
        is_from_here, address = _is_from_here(scope), address_of(scope)
        found = (
            self._sessions.find(secret, is_from_here=is_from_here, address=address)
            for secret in _cookies(scope)
        )
        return next(filter(None, found), None)

    def _program(self, scope: Scope, sent: bytes) -> str | None:
        """Return what stands for a program, each address for one; None if its token is wrong."""
        assert self._program_token is not None
        is_right = hmac.compare_digest(sent, self._program_token)
        return f"program {address_of(scope)}" if is_right else None

    async def _sign_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send to the page, without the token in its address; a phone keeps its session."""
        headers = [(b"location", b"/"), (b"cache-control", b"no-store")]
        if self._client(scope) is None:
            agent = (header(scope, b"user-agent") or b"").decode("latin-1")
            secret = self._sessions.open(
                address_of(scope), is_from_here=_is_from_here(scope), name=name_device(agent)
            )
            # Lax, not Strict: a phone may follow the address from another page or a message.
            cookie = f"{_cookie_name(scope)}={secret}; Path=/; HttpOnly; SameSite=Lax"
            lasting = self._sessions.is_remembering
            cookie += f"; Max-Age={_REMEMBERED_SECONDS if lasting else SESSION_SECONDS}"
            if scope["scheme"] == "https":
                cookie += "; Secure"
            headers.append((b"set-cookie", cookie.encode()))
        await answer(scope, receive, send, 303, headers, b"")


def cookie_name(port: int, *, is_encrypted: bool) -> str:
    """Return the cookie's name on a port: browsers share cookies among a host's ports."""
    name = f"sudoku-lens-{port}"
    return f"__Host-{name}" if is_encrypted else name


def _cookie_name(scope: Scope) -> str:
    _, port = scope.get("server") or ("", None)
    return cookie_name(port or 0, is_encrypted=scope["scheme"] == "https")


def _bearer(scope: Scope) -> bytes | None:
    """Return the token that a program has sent, None without one (RFC 6750, 2.1)."""
    scheme, _, token = (header(scope, b"authorization") or b"").partition(b" ")
    return token.strip() if scheme.lower() == b"bearer" else None


def _cookies(scope: Scope) -> Iterator[str]:
    """Yield the secrets of a request's cookies; other servers here may have set some, too."""
    name = _cookie_name(scope)
    for key, line in scope["headers"]:
        if key == b"cookie":
            for pair in line.decode("latin-1").split(";"):
                found, _, secret = pair.strip().partition("=")
                if found == name:
                    yield secret


def _is_from_here(scope: Scope) -> bool:
    client = scope.get("client")
    return client is not None and is_of_this_computer(client[0])


def token_of(scope: Scope) -> bytes | None:
    """Return the token of an address, None where it has none."""
    try:
        fields = parse_qs(scope["query_string"].decode("latin-1"), max_num_fields=8)
    except ValueError:
        return b""
    tokens = fields.get("token")
    return None if tokens is None else tokens[0].encode()
