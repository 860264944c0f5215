"""Who may come in: the token of the scanned code once, then a cookie that scripts cannot read.

Programs send a token of their own with each request, where there is one.
"""

import hashlib
import hmac
import secrets
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
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
from app.serve.security.known_clients import Phone, PhoneBook, name_device
from app.serve.security.request_limits import address_of
from app.serve.server import is_of_this_computer

MOST_SESSIONS: Final = 1024
"""Phones at a time; where there are more, the address that has most of them makes room."""

SESSION_SECONDS: Final = 30 * 24 * 3600
"""How long a phone that does nothing stays known."""

_REMEMBERED_SECONDS: Final = 400 * 24 * 3600
"""How long a remembered phone keeps its cookie; browsers keep none for longer."""


@dataclass
class _Session:
    address: str
    is_from_here: bool
    name: str
    paired: float  # seconds since 1970
    seen: float  # of the clock
    is_remembered: bool = False


class Sessions:
    """The phones that showed the token: they end with the server, unless a book remembers them.

    Attributes:
        token: a secret for the code in place of the one that the server began with; None while
            that one holds.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        book: PhoneBook | None = None,
        wall_clock: Callable[[], float] = time.time,
    ) -> None:
        """Begin with the phones of a book, if there is one, which outlive the server.

        Sessions end by `clock`, in seconds; `wall_clock` is since 1970, for the book and people.
        """
        self._clock, self._wall_clock = clock, wall_clock
        self._sessions: OrderedDict[str, _Session] = OrderedDict()  # least recently used first
        self._lock = threading.RLock()  # a window lists and revokes from a thread of its own
        self._book = book
        self.token: str | None = None
        if book is not None:
            self._take_in(book)

    @property
    def is_remembering(self) -> bool:
        """Whether phones stay known when the server ends."""
        return self._book is not None

    def open(self, address: str, *, is_from_here: bool = False, name: str = "") -> str:
        """Return the secret of a new session, which only its cookie has.

        Where there would be too many, the least recently used one of the address that has most
        makes room.
        """
        with self._lock:
            if len(self._sessions) >= MOST_SESSIONS:
                self._forget(self._find_greedy())
            secret = secrets.token_urlsafe(32)
            key = _fingerprint(secret)
            now, wall = self._clock(), self._wall_clock()
            self._sessions[key] = _Session(address, is_from_here, name, wall, now)
            self._remember(key)
            return secret

    def find(self, secret: str, *, is_from_here: bool = False, address: str = "") -> str | None:
        """Return the key that stands for a client in this process, None if it is not known.

        A phone may change its address, but never becomes this computer: browsers send a cookie to
        every port of a host, and what listens there shall not come in with it.
        Secrets are looked up by their hash, so that how long it takes tells nothing of them.
        """
        key = _fingerprint(secret)
        with self._lock:
            session = self._sessions.get(key)
            if session is None or session.is_from_here != is_from_here or not self.has(key):
                return None
            now = self._clock()
            if now - session.seen > SESSION_SECONDS:
                self._forget(key)
                return None
            session.seen = now
            session.address = address or session.address
            self._sessions.move_to_end(key)
            if self._book is not None:
                self._book.see(key, session.address)
            return key

    def has(self, key: str) -> bool:
        """Tell whether a phone is still known; one that was taken out of the book is no more."""
        with self._lock:
            session = self._sessions.get(key)
            is_revoked = (
                session is not None
                and session.is_remembered
                and self._book is not None
                and self._book.find(key) is None
            )
            if is_revoked:
                del self._sessions[key]
            return session is not None and not is_revoked

    def phones(self) -> list[Phone]:
        """Return the phones, the one that was here last first."""
        with self._lock:
            keys = [key for key in list(self._sessions) if self.has(key)]
            return [self._phone(key) for key in reversed(keys)]

    def revoke(self, key: str) -> None:
        """Let a phone in no more; the code gets a new secret, as the phone may know the old one."""
        with self._lock:
            self._forget(key)
            self.token = secrets.token_urlsafe(24)

    def remember_in(self, book: PhoneBook | None) -> None:
        """Remember the phones that are here from now on; with None, forget those remembered."""
        with self._lock:
            if book is None and self._book is not None:
                self._book.clear()
            self._book = book
            if book is not None:
                self._take_in(book)
            for key, session in self._sessions.items():
                session.is_remembered = False
                self._remember(key)

    def _take_in(self, book: PhoneBook) -> None:
        now, wall = self._clock(), self._wall_clock()
        known = sorted(book.phones().values(), key=lambda phone: phone.seen)
        for phone in known[-MOST_SESSIONS:]:
            away = max(wall - phone.seen, 0.0)
            if away > SESSION_SECONDS:
                book.drop(phone.key)
                continue
            if phone.key in self._sessions:
                continue
            self._sessions[phone.key] = _Session(
                phone.address,
                phone.is_from_here,
                phone.name,
                phone.paired,
                now - away,
                is_remembered=True,
            )

    def _remember(self, key: str) -> None:
        if self._book is not None:
            self._book.put(self._phone(key))
            self._sessions[key].is_remembered = True

    def _phone(self, key: str) -> Phone:
        one = self._sessions[key]
        seen = self._wall_clock() - (self._clock() - one.seen)
        return Phone(key, one.name, one.address, one.is_from_here, one.paired, seen)

    def _forget(self, key: str) -> None:
        self._sessions.pop(key, None)
        if self._book is not None:
            self._book.drop(key)

    def _find_greedy(self) -> str:
        count = Counter(session.address for session in self._sessions.values())
        most = max(count.values())
        return next(key for key, one in self._sessions.items() if count[one.address] == most)


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


def _fingerprint(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def token_of(scope: Scope) -> bytes | None:
    """Return the token of an address, None where it has none."""
    try:
        fields = parse_qs(scope["query_string"].decode("latin-1"), max_num_fields=8)
    except ValueError:
        return b""
    tokens = fields.get("token")
    return None if tokens is None else tokens[0].encode()
