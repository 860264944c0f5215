"""How the server works, as the command line or the window chose it."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.serve.security.known_clients import PhoneBook
from app.workers.child_process import Talk

if TYPE_CHECKING:
    from app.recognition.results import PhotoResult

OnPhoto = Callable[[bytes, dict[str, Any]], None]
"""Is told of each photo that was worked through, in a thread of the server's: the picture's bytes
as they came, and its report."""

OnResult = Callable[[bytes, "PhotoResult"], None]
"""The same with the result itself, as the window shows it."""


@dataclass(frozen=True)
class ServeSettings:
    """What is served, to whom, and how much of it at a time.

    Attributes:
        token: what the address in the QR code holds, to be exchanged for a session.
        program_token: what programs send to come in, None where none may.
        book: remembers phones from start to start, None where they end with the server.
        hosts: names and addresses that phones may use for this computer, with a port or without.
        port: that it listens on, for the description alone.
        is_https: whether the connection is encrypted.
        certificate: the user's own certificate and its key; None for one that is made.
        has_authority: whether that one is signed by an authority of this computer's own.
        is_live: whether a phone may send its camera's pictures.
        live_seats: phones that may do so at once; each has a process of its own.
        keep: the folder where photos and their reports are kept, None for nowhere.
        least_free_bytes: what keeping photos leaves of the disk to all else.
        max_bytes: of an upload.
        max_pixels: of a photo; more are refused before any is decoded.
        workers: processes that photos are worked off in.
        waiting: requests that may wait for a worker; more are refused.
        task_seconds: how long a request may keep a worker.
        talk: how much its processes say on stderr.
    """

    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    program_token: str | None = None
    book: PhoneBook | None = None
    hosts: frozenset[str] = frozenset()
    port: int = 0
    is_https: bool = False
    certificate: tuple[Path, Path] | None = None
    has_authority: bool = False
    is_live: bool = True
    live_seats: int = 2
    keep: Path | None = None
    least_free_bytes: int = 1_000_000_000
    max_bytes: int = 25_000_000
    max_pixels: int = 64_000_000
    workers: int = 2
    waiting: int = 16
    task_seconds: float = 30.0
    talk: Talk = field(default_factory=Talk)

    @property
    def scheme(self) -> str:
        """Of addresses: `http` or `https`."""
        return "https" if self.is_https else "http"
