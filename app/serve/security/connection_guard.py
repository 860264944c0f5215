"""Connections: how they are encrypted, and how uvicorn is begun to keep them few and short."""

import asyncio
import contextlib
import logging
import ssl
from pathlib import Path
from typing import Any, Final

import h11
from starlette.types import ASGIApp
from uvicorn import Config
from uvicorn.protocols.http.h11_impl import H11Protocol

from app.serve.api.problems import page_of

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
    "Exceeded concurrency limit",
    "Cancel ",  # of requests that do not end when the server does
)
"""How lines of uvicorn's log begin that tell of a client's doing; they could fill a disk."""

MOST_CONNECTIONS: Final = 256
"""At a time; a browser opens six. Requests of further ones get 503."""

IDLE_SECONDS: Final = 10
"""How long a connection may wait for a request."""

_HEAD_BYTES: Final = 16_384


def guarded_config(
    app: ASGIApp,
    encryption: ssl.SSLContext | None = None,
    *,
    most_connections: int = MOST_CONNECTIONS,
    idle_seconds: int = IDLE_SECONDS,
) -> Config:
    """Return how uvicorn serves an application, for `uvicorn.Server(…).serve(sockets=[…])`.

    Nothing that a client sends is logged, and no proxy is believed.
    """
    logging.getLogger("uvicorn.error").addFilter(_is_worth_telling)
    return Config(
        app,
        http=_Protocol,
        ws="none",
        loop="asyncio",
        lifespan="on",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        limit_concurrency=most_connections,
        timeout_keep_alive=idle_seconds,
        timeout_graceful_shutdown=3,
        h11_max_incomplete_event_size=_HEAD_BYTES,
        ssl_context_factory=None if encryption is None else lambda *_: encryption,
    )


def _is_worth_telling(record: logging.LogRecord) -> bool:
    """Tell whether something shall be logged: not what anybody in the network can cause."""
    return not record.getMessage().startswith(_OF_CLIENTS)


class _StrictConnection(h11.Connection):
    """HTTP as h11 reads it, without the requests that it is more lenient with than is safe."""

    def next_event(self) -> Any:
        """Return what has come.

        A head that is too large h11 minds only while it is not whole. Of a request with a length
        and chunks, another server may go by the other one (RFC 9112, 6.1).
        """
        unread = len(self.trailing_data[0]) if self.their_state is h11.IDLE else 0
        event = super().next_event()
        if isinstance(event, h11.Request):
            if unread - len(self.trailing_data[0]) > _HEAD_BYTES:
                raise h11.RemoteProtocolError("the head is too large")
            if {b"content-length", b"transfer-encoding"} <= {name for name, _ in event.headers}:
                raise h11.RemoteProtocolError("both a length and chunks")
        return event


class _Protocol(H11Protocol):
    """HTTP as uvicorn speaks it, where clients may be rude."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.conn = _StrictConnection(h11.SERVER, _HEAD_BYTES)
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._wait_for_head()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        super().connection_lost(exc)

    def _wait_for_head(self) -> None:
        """Set a time for the head of a request: for uvicorn its first byte is enough."""
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = self.loop.call_later(self.timeout_keep_alive, self._end_without_head)

    def _end_without_head(self) -> None:
        if self.cycle is None or self.cycle.response_complete:
            self.transport.close()

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP; in the midst of an answer, only the end is left to say."""
        with contextlib.suppress(h11.LocalProtocolError):
            super().send_400_response(msg)
        self.transport.close()
