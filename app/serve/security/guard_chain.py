"""All guards around an application, in the order in which they must stand.

Here are the outermost, which binds browsers by headers, and the one that compares origins. A page
elsewhere can make the user's browser send requests here, and can give its own name our address
(DNS rebinding). The first shows in `Origin` and `Sec-Fetch-Site`, the second in `Host`.
"""

import asyncio
import ipaddress
import logging
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.serve.api.problems import (
    Header,
    Problem,
    header,
    is_page,
    is_read,
    refuse,
)
from app.serve.security.known_clients import Sessions
from app.serve.security.request_limits import (
    LIVE_PATH,
    PHOTO_PATH,
    PICTURE_PATH,
    BodyGuard,
    BodyLimits,
    Limit,
    Limiter,
    RateGuard,
    Rates,
    address_of,
)
from app.serve.security.session_guard import SessionGuard, token_of

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
    app = BodyGuard(app, rules.bodies)
    app = RateGuard(
        app,
        [
            Limit(_is_photo, _client, Limiter(rates.photo)),
            Limit(_is_small, _client, Limiter(rates.small)),
            Limit(_is_frame, _client, Limiter(rates.frame)),
        ],
    )
    app = SessionGuard(app, rules.token, rules.sessions, rules.public, rules.program_token)
    app = _OriginGuard(app, rules.hosts)
    app = RateGuard(
        app,
        [
            Limit(lambda _: True, address_of, Limiter(rates.anything)),
            Limit(_is_sign_in, address_of, Limiter(rates.sign_in)),
        ],
    )
    guards = _HeadersGuard(app)

    async def enter(scope: Scope, receive: Receive, send: Send) -> None:
        is_request = scope["type"] == "http"  # else the server's own start and end
        await (guards if is_request else inner)(scope, receive, send)

    return enter


def _client(scope: Scope) -> str:
    client: str = scope["state"]["client"]
    return client


def _is_photo(scope: Scope) -> bool:
    return not is_read(scope) and scope["path"] in (PHOTO_PATH, PICTURE_PATH)


def _is_frame(scope: Scope) -> bool:
    return not is_read(scope) and scope["path"] == LIVE_PATH


def _is_small(scope: Scope) -> bool:
    return not is_read(scope) and scope["path"] not in (PHOTO_PATH, PICTURE_PATH, LIVE_PATH)


def _is_sign_in(scope: Scope) -> bool:
    return is_page(scope) and token_of(scope) is not None


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
    try:
        address = ipaddress.ip_address(str(server[0]).partition("%")[0]) if server else None
    except ValueError:  # the path of a socket
        return None
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped.compressed
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
