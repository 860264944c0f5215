"""All guards around an application, in the order in which they must stand.

The outermost binds browsers by headers. A page elsewhere can make the user's browser send requests
here, and can give its own name our address (DNS rebinding). The first shows in `Origin` and
`Sec-Fetch-Site`, the second in `Host`. Who may come in has shown the token of the scanned code
once, and then has a cookie that scripts cannot read. Programs send a token of their own with each
request, where there is one.
"""

import asyncio
import hmac
import ipaddress
import logging
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import parse_qs, urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.serve.api.problems import (
    Header,
    Problem,
    answer,
    header,
    is_page,
    is_read,
    refuse,
)
from app.serve.security.known_clients import SESSION_SECONDS, Sessions, name_device
from app.serve.security.request_limits import (
    LIVE_PATH,
    PHOTO_PATH,
    PICTURE_PATH,
    BodyGuard,
    BodyLimits,
    Limiter,
    RateGuard,
    Rates,
    address_of,
)
from app.serve.server import is_of_this_computer, read_address

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class GuardRules:
    """Who may come in, and how much each may ask for.

    Attributes:
        token: the secret of the scanned address.
        hosts: names and addresses of this server, with or without port.
        public: exact paths that anybody may read, since they hold no secret.
        program_token: what programs send in place of a cookie, None where none may.
    """

    token: str
    hosts: Collection[str]
    public: Collection[str]
    program_token: str | None = None
    rates: Rates = field(default_factory=Rates)
    bodies: BodyLimits = field(default_factory=BodyLimits)
    sessions: Sessions = field(default_factory=Sessions)


def guarded(app: ASGIApp, rules: GuardRules) -> ASGIApp:
    """Return the application behind all guards.

    Cheap refusals come first, and no body is read before it is known whose it is. What reaches
    the application has its whole body, and `scope["state"]["client"]` unless it is public.

    Raises:
        ValueError: if the token is too short to be a secret, or no host is given.
    """
    if len(rules.token) < 16:
        raise ValueError(f"a token must have 16 signs at least, got {len(rules.token)}")
    if not rules.hosts:
        raise ValueError("there must be a host that the server answers to")
    rates, inner = rules.rates, app
    anything, sign_in = Limiter(rates.anything), Limiter(rates.sign_in)
    photo, small, frame = Limiter(rates.photo), Limiter(rates.small), Limiter(rates.frame)
    of_path = {PHOTO_PATH: photo, PICTURE_PATH: photo, LIVE_PATH: frame}

    def limit_address(scope: Scope) -> Iterator[tuple[Limiter, str]]:
        yield anything, address_of(scope)
        if is_page(scope) and _token_of(scope) is not None:
            yield sign_in, address_of(scope)

    def limit_session(scope: Scope) -> Iterator[tuple[Limiter, str]]:
        if not is_read(scope):
            yield of_path.get(scope["path"], small), scope["state"]["client"]

    app = RateGuard(BodyGuard(app, rules.bodies), limit_session)
    app = _OriginGuard(_SessionGuard(app, rules), rules.hosts)
    guards = _HeadersGuard(RateGuard(app, limit_address))

    async def enter(scope: Scope, receive: Receive, send: Send) -> None:
        is_request = scope["type"] == "http"  # else the server's own start and end
        await (guards if is_request else inner)(scope, receive, send)

    return enter


_REMEMBERED_SECONDS: Final = 400 * 24 * 3600
"""How long a remembered phone keeps its cookie; browsers keep none for longer."""


class _SessionGuard:
    """Exchanges the token for a cookie, and lets nobody past without one.

    What comes through has `scope["state"]["client"]`, the key of a session or of a program; for
    public files it is missing.
    """

    def __init__(self, app: ASGIApp, rules: GuardRules) -> None:
        self._app, self._sessions, self._public = app, rules.sessions, rules.public
        self._token = rules.token.encode()
        self._program_token = (rules.program_token or "").encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if is_page(scope) and (token := _token_of(scope)) is not None:
            newer = self._sessions.token
            right = self._token if newer is None else newer.encode()
            # A phone that is known may keep an address from before the last start.
            if hmac.compare_digest(token, right) or self._client(scope) is not None:
                await self._sign_in(scope, receive, send)
            else:
                await refuse(scope, receive, send, Problem.NO_SESSION)
            return
        sent = _bearer(scope) if self._program_token else None
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


def _token_of(scope: Scope) -> bytes | None:
    """Return the token of an address, None where it has none."""
    try:
        fields = parse_qs(scope["query_string"].decode("latin-1"), max_num_fields=8)
    except ValueError:
        return b""
    tokens = fields.get("token")
    return None if tokens is None else tokens[0].encode()


_FOREIGN_SITES: Final = (b"cross-site", b"same-site")


def host_name(host: str) -> str | None:
    """Return the name or address of a Host header, lower case, without port and brackets.

    None where it is malformed, as by a port that is no number.
    """
    if set(host) & set("@/?#\\ "):
        return None
    try:
        parts = urlsplit(f"//{host}")
        name, _ = (parts.hostname or "").removesuffix("."), parts.port
    except ValueError:
        return None
    try:
        return ipaddress.ip_address(name).compressed
    except ValueError:
        return name or None


class _OriginGuard:
    """Lets through what is meant for this server and was not sent by a page of another."""

    def __init__(self, app: ASGIApp, hosts: Collection[str]) -> None:
        """Take names and addresses that users reach this server by, with or without a port.

        The port counts for nothing: who gives a name our address cannot change it.
        """
        self._app = app
        self._hosts = frozenset(filter(None, map(_own_name, hosts)))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        host = (header(scope, b"host") or b"").decode("latin-1").lower()
        name = host_name(host)
        if name is None or (name not in self._hosts and name != _address_reached(scope)):
            await refuse(scope, receive, send, Problem.MISDIRECTED)
        elif _is_foreign(scope, host):
            await refuse(scope, receive, send, Problem.FOREIGN)
        else:
            await self._app(scope, receive, send)


def _address_reached(scope: Scope) -> str | None:
    """Return the address of ours that a client has connected to, None where it is not known.

    A computer in two networks has several. No name can be given to a request by it: who gives a
    name our address is known by the name.
    """
    server = scope.get("server")
    # Of a socket in the file system, it is the path.
    address = read_address(str(server[0])) if server else None
    return None if address is None else address.compressed


def _own_name(host: str) -> str | None:
    if not host.isascii():
        try:
            host = host.encode("idna").decode()
        except UnicodeError:  # nobody could send it
            return None
    return host_name(f"[{host}]" if host.count(":") > 1 and host[:1] != "[" else host)


def _is_foreign(scope: Scope, host: str) -> bool:
    origin = header(scope, b"origin")
    if origin is not None:
        return origin.decode("latin-1").lower() != f"{scope['scheme']}://{host}"
    if header(scope, b"sec-fetch-site") not in _FOREIGN_SITES:
        return False
    # Following a link to the page is no attack: it asks for nothing but the page.
    is_link = (
        scope["method"] == "GET"
        and scope["path"] == "/"
        and header(scope, b"sec-fetch-mode") == b"navigate"
        and header(scope, b"sec-fetch-dest") == b"document"
    )
    return not is_link


_POLICY: Final = (
    b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:;"
    b" media-src 'self' blob:; font-src 'self'; connect-src 'self'; manifest-src 'self';"
    b" worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""Nothing but the server's own files runs or styles, so that text which found its way into the page
could do nothing."""

_FIXED: Final = (
    (b"content-security-policy", _POLICY),
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    # Not `no-referrer`: with it, browsers send `Origin: null` where the page posts to itself.
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"x-permitted-cross-domain-policies", b"none"),
    (
        b"permissions-policy",
        b"camera=(self), screen-wake-lock=(self), clipboard-write=(self), microphone=(),"
        b" geolocation=(), payment=(), usb=(), serial=(), display-capture=()",
    ),
)


class _HeadersGuard:
    """Adds the headers to every response, and turns what nobody caught into a plain 500."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        has_begun = False

        async def send_guarded(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            if message["type"] == "http.response.start":
                message = {**message, "headers": _bound(list(message.get("headers", [])))}
            await send(message)

        try:
            await self._app(scope, receive, send_guarded)
        except asyncio.CancelledError:
            # The server ends, and this one has had its time.
            if not has_begun:
                await refuse(scope, receive, send_guarded, Problem.BUSY, is_patient=False)
        except Exception:
            # The border to clients: what is not foreseen is logged here and told to nobody.
            logger.exception("a request failed")
            if has_begun:
                raise
            await refuse(scope, receive, send_guarded, Problem.FAULT)


def _bound(headers: list[Header]) -> list[Header]:
    given = {name.lower() for name, _ in headers}
    return headers + [(name, value) for name, value in _FIXED if name not in given]
