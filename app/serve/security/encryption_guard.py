"""How connections are encrypted, and what is said to who comes without encryption."""

import ssl
from pathlib import Path
from typing import Any, Final

from app.serve.security.refusal_pages import Reason, page_of

_CIPHERS: Final = "ECDHE+AESGCM:ECDHE+CHACHA20"
"""For TLS 1.2, with forward secrecy and nothing that is known to be weak; 1.3 has its own."""


def make_context(certificate: Path, key: Path | None = None) -> ssl.SSLContext:
    """Return how a server encrypts.

    Args:
        certificate: a PEM file with the certificate, and with those that lead to its authority.
        key: a PEM file with its key; None where that stands in the same file.

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
        """Shake hands.

        Raises:
            ssl.SSLError: if the client does otherwise.
        """
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
    """Makes connections that know where their answer goes."""

    sslobject_class = _Connection

    def wrap_bio(self, incoming: Any, outgoing: Any, *arguments: Any, **named: Any) -> Any:
        connection = super().wrap_bio(incoming, outgoing, *arguments, **named)
        if isinstance(connection, _Connection):
            connection.outgoing = outgoing
        return connection


def _make_answer() -> bytes:
    body = page_of(Reason.NOT_ENCRYPTED).encode()
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
