"""Connections: how many there may be, how they are encrypted, how long one may do nothing.

They are counted where they are accepted: each takes one of the files that a process may open, also
while it shakes hands over TLS. (On Windows the event loop accepts by other means, and nothing is
counted.) The server underneath would wait for ever for a request that does not come and for an
answer to be read, and an application hears of neither; so this stands in the protocol.
"""

import asyncio
import logging
import socket
import ssl
import weakref
from collections import Counter
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, cast

import h11
from starlette.types import ASGIApp
from uvicorn import Config
from uvicorn.protocols.http.h11_impl import H11Protocol

from app.serve.api.problems import MEDIA_TYPE, Problem, page_of
from app.serve.security.request_limits import address_of

_CIPHERS: Final = "ECDHE+AESGCM:ECDHE+CHACHA20"
"""For TLS 1.2, with forward secrecy and nothing that is known to be weak; 1.3 has its own."""


def make_context(certificate: Path, key: Path | None = None) -> ssl.SSLContext:
    """Return how a server encrypts.

    Args:
        certificate: a PEM file with the certificate, and with those that lead to its authority.

    Raises:
        ssl.SSLError: if the files hold no certificate and the key that belongs to it.
        OSError: if a file cannot be read.
    """
    context = _Context(ssl.PROTOCOL_TLS_SERVER)
    context.set_ciphers(_CIPHERS)
    # An empty passphrase: without one a locked key would be asked for on the terminal.
    context.load_cert_chain(certificate, key, password="")
    return context


class _Connection(ssl.SSLObject):
    """One encrypted connection. A client that speaks plain HTTP is told so, once."""

    outgoing: ssl.MemoryBIO | None = None

    def do_handshake(self) -> None:
        try:
            super().do_handshake()
        except ssl.SSLError as error:
            if error.reason != "HTTP_REQUEST" or self.outgoing is None:
                raise
            self.outgoing.write(_ANSWER)
            self.outgoing = None
            # What waits to be sent is sent where more is wanted; on a failure it would be dropped.
            raise ssl.SSLWantReadError from error


class _Context(ssl.SSLContext):
    sslobject_class = _Connection

    def wrap_bio(self, incoming: Any, outgoing: Any, *arguments: Any, **named: Any) -> Any:
        connection = super().wrap_bio(incoming, outgoing, *arguments, **named)
        if isinstance(connection, _Connection):
            connection.outgoing = outgoing
        return connection


def _make_answer() -> bytes:
    body = page_of("not_encrypted").encode()
    head = (
        "HTTP/1.1 400 Bad Request",
        "content-type: text/html; charset=utf-8",
        f"content-length: {len(body)}",
        "content-security-policy: default-src 'none'; frame-ancestors 'none'",
        "x-content-type-options: nosniff",
        "cache-control: no-store",
        "connection: close",
    )
    return "\r\n".join([*head, "", ""]).encode() + body


_ANSWER: Final = _make_answer()

_OF_CLIENTS: Final = (
    "Invalid HTTP request received",
    "Unsupported upgrade request",
    "No supported WebSocket library",
    "Cancel ",  # of requests that do not end when the server does
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
    """

    most: int = 256
    most_of_address: int = 80
    head_seconds: float = 10.0
    read_seconds: float = 60.0
    head_bytes: int = 16_384


def guarded_config(
    app: ASGIApp,
    encryption: ssl.SSLContext | None = None,
    limits: ConnectionLimits | None = None,
) -> Config:
    """Return how uvicorn serves an application, for `uvicorn.Server(…).serve(sockets=[…])`.

    Nothing that a client sends is logged, and no proxy is believed.
    """
    limits = limits or ConnectionLimits()
    logging.getLogger("uvicorn.error").addFilter(_is_worth_telling)
    protocol = partial(_GuardedProtocol, limits)
    return Config(
        app,
        http=cast("type[asyncio.Protocol]", protocol),
        ws="none",
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

        A head that is too large h11 minds only while it is not whole. Of a request with a length
        and chunks, another server may go by the other one (RFC 9112, 6.1).
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
        super().connection_made(transport)
        self._idle_since = self._unread_since = self.loop.time()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        self._idle_since = self.loop.time()
        super().on_response_complete()

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


class GuardedListener(socket.socket):
    """A socket that listens, and ends connections at once where there are too many."""

    def __init__(self, listening: socket.socket, limits: ConnectionLimits | None = None) -> None:
        """Take over a socket; the one given is of no more use."""
        super().__init__(fileno=listening.detach())
        self._limits = limits or ConnectionLimits()
        self._by_address: Counter[str] = Counter()

    @property
    def accepted(self) -> int:
        """How many connections there are now."""
        return self._by_address.total()

    def accept(self) -> tuple[socket.socket, Any]:
        """Return the next connection and where it comes from.

        Raises:
            ConnectionAbortedError: if there are too many; the next may be accepted.
            BlockingIOError: if nobody waits.
        """
        plain, where = super().accept()
        connection = _Accepted(self.family, self.type, self.proto, fileno=plain.detach())
        address = address_of({"client": where})
        limits = self._limits
        is_full = self.accepted >= limits.most
        if is_full or self._by_address[address] >= limits.most_of_address:
            connection.close()
            raise ConnectionAbortedError("too many connections")
        self._by_address[address] += 1
        connection.release = weakref.finalize(connection, self._give_back, address)
        return connection, where

    def _give_back(self, address: str) -> None:
        self._by_address[address] -= 1
        if self._by_address[address] <= 0:
            del self._by_address[address]


class _Accepted(socket.socket):
    """A connection that is counted until it is closed, or forgotten."""

    release: "weakref.finalize[Any, Any] | None" = None

    def close(self) -> None:
        super().close()
        if self.release is not None:
            self.release()
