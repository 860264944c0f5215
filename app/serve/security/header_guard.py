"""The outermost guard: headers that bind browsers, and no exception that reaches a client."""

import asyncio
import logging
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.serve.api.problems import Problem
from app.serve.security.refusals import Header, header, refuse

logger = logging.getLogger(__name__)

_FIXED: Final = (
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


def content_policy(host: str) -> str:
    """Return the content security policy of a page that comes from this host (with port).

    Nothing but the server's own files runs or styles, so that text which found its way into the
    page could do nothing. Safari before 15.4 does not count WebSockets among `'self'`.
    """
    sockets = f" ws://{host} wss://{host}" if host else ""
    return "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self' blob: data:",
            "media-src 'self' blob:",
            "font-src 'self'",
            f"connect-src 'self'{sockets}",
            "manifest-src 'self'",
            "worker-src 'self'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        )
    )


class HeadersGuard:
    """Adds the headers to every response, and turns what nobody caught into a plain 500."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run one request."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        has_begun = False

        async def send_guarded(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                message = {**message, "headers": _bound(scope, list(message.get("headers", [])))}
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
            if not has_begun:
                await refuse(scope, receive, send_guarded, Problem.FAULT)
            elif scope["type"] == "http":
                raise


def _bound(scope: Scope, headers: list[Header]) -> list[Header]:
    """Return the headers of a response with ours; what the application says itself stays."""
    given = {name.lower() for name, _ in headers}
    host = (header(scope, b"host") or b"").decode("latin-1")
    ours = [
        *_FIXED,
        (b"content-security-policy", content_policy(host if _is_plain(host) else "").encode()),
        (b"cache-control", b"no-store"),
    ]
    return headers + [(name, value) for name, value in ours if name not in given]


def _is_plain(host: str) -> bool:
    """Tell whether a host can stand in a policy: a refused request may name anything."""
    return bool(host) and all(
        sign.isascii() and (sign.isalnum() or sign in ".-:[]") for sign in host
    )
