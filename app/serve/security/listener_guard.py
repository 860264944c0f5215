"""How many connections there may be: counted where they are accepted, before any encryption.

Each takes one of the files that a process may open, also while it shakes hands over TLS, which
nothing above hears of. (On Windows the event loop accepts by other means, and nothing is counted.)
"""

import socket
import weakref
from collections import Counter
from typing import Any

from app.serve.security.connection_guard import ConnectionLimits
from app.serve.security.rate_guard import address_of


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
