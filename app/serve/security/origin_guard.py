"""Whom a request is meant for, and which page made a browser send it.

A page elsewhere can make the user's browser send requests here, and can give its own name our
address (DNS rebinding). The first shows in `Origin` and `Sec-Fetch-Site`, the second in `Host`.
"""

import ipaddress
from collections.abc import Collection
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from app.serve.api.problems import Problem
from app.serve.security.refusal_pages import Reason, explain, is_page
from app.serve.security.refusals import header, refuse

_FOREIGN_SITES: Final = (b"cross-site", b"same-site")


def host_name(host: str) -> str | None:
    """Return the name or address of a Host header, lower case, without port and brackets.

    None where it is malformed: a port that is no number, or signs that no host has.
    """
    if host.startswith("["):
        name, bracket, rest = host[1:].partition("]")
        is_well_formed = bool(bracket) and (not rest or rest.startswith(":"))
        port = rest[1:]
    else:
        name, colon, port = host.partition(":")
        rest, is_well_formed = colon + port, True
    if not is_well_formed or (rest and not (port.isascii() and port.isdigit())):
        return None
    name = name.lower().removesuffix(".")
    try:
        return ipaddress.ip_address(name).compressed
    except ValueError:
        return name or None


class OriginGuard:
    """Lets through what is meant for this server and was not sent by a page of another."""

    def __init__(self, app: ASGIApp, hosts: Collection[str]) -> None:
        """Take names and addresses that users reach this server by, with or without a port.

        The port counts for nothing: who gives a name our address cannot change it.
        """
        self._app = app
        self._hosts = frozenset(filter(None, map(_own_name, hosts)))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run or refuse one request."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        host = (header(scope, b"host") or b"").decode("latin-1").lower()
        name = host_name(host)
        if name is None or (name not in self._hosts and name != _address_reached(scope)):
            if is_page(scope):
                await explain(scope, receive, send, Reason.MISDIRECTED)
            else:
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
    """Return a name of ours as browsers send it; an IPv6 address may come without brackets."""
    if not host.isascii():
        try:
            host = host.encode("idna").decode()
        except UnicodeError:  # nobody could send it
            return None
    return host_name(f"[{host}]" if host.count(":") > 1 and host[:1] != "[" else host)


def _is_foreign(scope: Scope, host: str) -> bool:
    """Tell whether a page of another origin made the browser send this."""
    origin = header(scope, b"origin")
    if origin is not None:
        is_secure = scope["scheme"] in ("https", "wss")
        return origin.decode("latin-1").lower() != f"{'https' if is_secure else 'http'}://{host}"
    if header(scope, b"sec-fetch-site") not in _FOREIGN_SITES:
        return False
    # Following a link to the page is no attack: it asks for nothing but the page.
    is_link = (
        scope["type"] == "http"
        and scope["method"] == "GET"
        and scope["path"] == "/"
        and header(scope, b"sec-fetch-mode") == b"navigate"
        and header(scope, b"sec-fetch-dest") == b"document"
    )
    return not is_link
