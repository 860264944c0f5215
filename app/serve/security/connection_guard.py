"""Connections themselves: how long one may do nothing, and what is spoken over it.

The server underneath would wait for ever for a request that does not come and for an answer to be
read, and an application hears of neither; so this stands in the protocol.
"""

import asyncio
import logging
import ssl
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, cast

import h11
from starlette.types import ASGIApp
from uvicorn import Config
from uvicorn.protocols.http.h11_impl import H11Protocol

from app.serve.api.problems import MEDIA_TYPE, Problem
from app.serve.live.frame_messages import MAX_FRAME_BYTES

_OF_CLIENTS: Final = (
    "Invalid HTTP request received",
    "Unsupported upgrade request",
    "No supported WebSocket library",
    "Invalid UTF-8 sequence",
    "opening handshake failed",
    "parser failed",
    "Cancel ",  # of requests that do not end when the server does
    "ASGI callable returned without completing handshake",  # said of each one that is refused
)
"""How lines of uvicorn's log begin that tell of a client's doing; they could fill a disk."""


@dataclass(frozen=True)
class ConnectionLimits:
    """What connections may do.

    Attributes:
        most: at a time.
        most_of_address: of them from one address; a browser opens six.
        head_seconds: how long the head of a request may take, from the connection's beginning or
            the answer before it.
        read_seconds: how long a client may take to read what waits for it.
        head_bytes: of a request.
        socket_bytes: of one message over a WebSocket.
    """

    most: int = 256
    most_of_address: int = 80
    head_seconds: float = 10.0
    read_seconds: float = 60.0
    head_bytes: int = 16_384
    socket_bytes: int = MAX_FRAME_BYTES


def guarded_config(
    app: ASGIApp,
    encryption: ssl.SSLContext | None = None,
    limits: ConnectionLimits | None = None,
) -> Config:
    """Return how uvicorn serves an application, for `uvicorn.Server(…).serve(sockets=[…])`.

    Nothing that a client sends is logged, and no proxy is believed. How many connections there may
    be is the business of `app.serve.security.listener_guard`.

    Args:
        app: behind its guards.
        encryption: how connections are encrypted, None for plain HTTP.
        limits: on connections.
    """
    limits = limits or ConnectionLimits()
    logging.getLogger("uvicorn.error").addFilter(_is_worth_telling)
    protocol = partial(_GuardedProtocol, limits)
    return Config(
        app,
        http=cast("type[asyncio.Protocol]", protocol),
        ws_max_size=limits.socket_bytes,
        ws_per_message_deflate=False,  # unpacked, a message could be of any size
        loop="asyncio",  # others accept by other means than the listener's
        lifespan="on",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        backlog=128,
        timeout_keep_alive=max(1, int(limits.head_seconds)),
        timeout_graceful_shutdown=3,
        h11_max_incomplete_event_size=limits.head_bytes,
        ssl_context_factory=None if encryption is None else lambda *_: encryption,
    )


def _is_worth_telling(record: logging.LogRecord) -> bool:
    """Tell whether something shall be logged: not what anybody in the network can cause."""
    return not record.getMessage().startswith(_OF_CLIENTS)


class _StrictConnection(h11.Connection):
    """HTTP as h11 reads it, without the requests that it is more lenient with than is safe."""

    def __init__(self, head_bytes: int) -> None:
        super().__init__(h11.SERVER, head_bytes)
        self._head_bytes = head_bytes

    def next_event(self) -> Any:
        """Return what has come.

        Raises:
            h11.RemoteProtocolError: if it is no HTTP; if a head is too large, which h11 minds only
                while it is not whole; or if a request has a length and chunks, of which another
                server may go by the other one (RFC 9112, 6.1).
        """
        unread = len(self.trailing_data[0]) if self.their_state is h11.IDLE else 0
        event = super().next_event()
        if isinstance(event, h11.Request):
            if unread - len(self.trailing_data[0]) > self._head_bytes:
                raise h11.RemoteProtocolError("the head is too large")
            if {b"content-length", b"transfer-encoding"} <= {name for name, _ in event.headers}:
                raise h11.RemoteProtocolError("both a length and chunks")
        return event


class _GuardedProtocol(H11Protocol):
    """HTTP as uvicorn speaks it, with limits on what it leaves open."""

    def __init__(self, limits: ConnectionLimits, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.conn = _StrictConnection(limits.head_bytes)
        self._limits = limits
        self._timer: asyncio.TimerHandle | None = None
        self._idle_since = self._unread_since = self.loop.time()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to watch it."""
        super().connection_made(transport)
        self._idle_since = self._unread_since = self.loop.time()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Watch it no more."""
        self._stop_watching()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """Wait for the next request, but not for ever."""
        self._idle_since = self.loop.time()
        super().on_response_complete()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Leave it to the protocol of WebSockets, which has its own watch.

        A head that is HTTP, but none of a WebSocket, that protocol would leave unanswered for ever.
        """
        self._stop_watching()
        super().handle_websocket_upgrade(event)
        if not getattr(self.transport.get_protocol(), "handshake_initiated", True):
            self.send_400_response("no WebSocket")

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP; in the midst of an answer, only the end is left to say."""
        if self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
            self.transport.close()
            return
        body = Problem.BAD_REQUEST.body()
        headers = [
            (b"content-type", MEDIA_TYPE.encode()),
            (b"content-length", str(len(body)).encode()),
            (b"x-content-type-options", b"nosniff"),
            (b"connection", b"close"),
        ]
        response = h11.Response(status_code=400, headers=headers, reason=b"Bad Request")
        for part in (response, h11.Data(data=body), h11.EndOfMessage()):
            self.transport.write(self.conn.send(part) or b"")
        self.transport.close()

    def _stop_watching(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _watch(self) -> None:
        """End the connection if it has done nothing for too long; otherwise look again later."""
        limits, now = self._limits, self.loop.time()
        # Of one that is closed already, TLS no longer tells what is unread: it has that long.
        is_closing = self.transport.is_closing()
        if not is_closing and not self.transport.get_write_buffer_size():
            self._unread_since = now
        is_idle = self.cycle is None or self.cycle.response_complete
        if now - self._unread_since > limits.read_seconds:
            self.transport.abort()
        elif is_idle and not is_closing and now - self._idle_since > limits.head_seconds:
            self.transport.close()
        step = min(limits.head_seconds, limits.read_seconds) / 4
        self._timer = self.loop.call_later(step, self._watch)
