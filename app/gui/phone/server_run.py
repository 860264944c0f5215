"""One server for phones from its beginning to its end, on a thread that touches nothing of Qt.

What it has to tell it puts down, and `app.gui.phone.link` looks for it. A signal that was sent from
a thread of Python's own has ended the process now and then.
"""

import enum
import logging
import threading
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from queue import SimpleQueue
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from app.recognition.results import PhotoResult
    from app.serve.security.known_clients import Phone

logger = logging.getLogger(__name__)

_CHECK_SECONDS: Final = 0.5

INSTALL: Final = "pip install 'sudoku-lens[serve]'"
"""What to do where packages are missing; the server's own message ends with it."""

OnResult = Callable[[bytes, "PhotoResult"], None]


class Server(Protocol):
    """What is needed of `app.serve.host.server.PhoneServer`."""

    @property
    def url(self) -> str:
        """The address that the code holds."""

    @property
    def place(self) -> str:
        """The address without the secret."""

    @property
    def fingerprint(self) -> str:
        """Of the certificate, or of the authority that signed it; "" without one."""

    @property
    def is_local_only(self) -> bool:
        """Whether no phone reaches it."""

    @property
    def phones(self) -> int:
        """How many have scanned the code."""

    def paired(self) -> "Sequence[Phone]":
        """Return the phones that may come in."""

    def revoke(self, key: str) -> None:
        """Let a phone in no more, and change `url`."""

    def remember(self, is_wanted: bool) -> None:
        """Remember phones from start to start, or forget those that were remembered."""

    def start(self) -> None:
        """Begin, or raise `app.terminal.console.CommandError`."""

    def check(self) -> None:
        """Raise `app.terminal.console.CommandError` where it works no more."""

    def stop(self) -> None:
        """End it; from any thread, and more than once."""


@dataclass(frozen=True)
class PhoneWishes:
    """How a server shall work.

    Attributes:
        is_encrypted: whether the connection is.
        has_authority: whether an authority of this computer's own signs the certificate then.
        is_remembering: whether phones may come in after a restart, too.
    """

    is_encrypted: bool = False
    has_authority: bool = False
    is_remembering: bool = False


MakeServer = Callable[[PhoneWishes, OnResult], Server]
"""Makes a server: how it shall work, and who is told of photos."""


class ServerFault(enum.Enum):
    """Why it does not work."""

    EXTRA = enum.auto()
    """A package of the extra `serve` is not installed."""
    OTHER = enum.auto()


@dataclass(frozen=True)
class Address:
    """Where phones find the page.

    Attributes:
        url: with the secret, for the code.
        place: without it, for people.
        fingerprint: SHA-256 of the certificate, "" where nothing is encrypted.
        is_local_only: whether no phone reaches it, for want of a network.
    """

    url: str
    place: str
    fingerprint: str
    is_local_only: bool


@dataclass(frozen=True, eq=False)
class SentPhoto:
    """A photo that a phone sent: the picture's bytes, and what came of it."""

    data: bytes
    result: "PhotoResult"


@dataclass(frozen=True)
class Failure:
    """Why a server does not work; `report` is that of a fault of ours, "" else."""

    fault: ServerFault
    reason: str
    report: str = ""


ENDED: Final = object()
"""Is told when nothing comes any more."""


class PhoneRun(threading.Thread):
    """One server from its beginning to its end.

    Attributes:
        news: what it has to tell: an `Address`, a `SentPhoto`, a `Failure`, `ENDED`.
        server: what it runs; None until that has begun.
    """

    def __init__(self, make: MakeServer, wishes: PhoneWishes) -> None:
        super().__init__(name="phone link", daemon=True)
        self.news: SimpleQueue[object] = SimpleQueue()
        self.server: Server | None = None
        self._make, self._wishes = make, wishes
        self._is_ending = threading.Event()

    def end(self) -> None:
        """Let it end, also while it is still beginning."""
        self._is_ending.set()

    def run(self) -> None:
        """Begin, look now and then whether all is well, and end."""
        from app.terminal.console import CommandError

        try:
            self._serve()
        except CommandError as error:
            if not self._is_ending.is_set():
                self.news.put(Failure(_fault_of(error), str(error)))
        except Exception as error:
            # One of the borders where anything may arrive: the window must live on. What is ended
            # while it begins may break anywhere.
            if not self._is_ending.is_set():
                logger.exception("the server for phones failed")
                self.news.put(Failure(ServerFault.OTHER, str(error), traceback.format_exc()))
        self.news.put(ENDED)

    def _serve(self) -> None:
        server = self._make(self._wishes, self._hand_on)
        is_begun = threading.Event()
        watching = threading.Thread(target=self._stop_early, args=(server, is_begun), daemon=True)
        watching.start()
        try:
            server.start()
            is_begun.set()
            self.server = server
            if not self._is_ending.is_set():
                self.news.put(address_of(server))
            while not self._is_ending.wait(_CHECK_SECONDS):
                server.check()
        finally:
            is_begun.set()
            server.stop()
            watching.join()

    def _stop_early(self, server: Server, is_begun: threading.Event) -> None:
        """End a server that is still loading when it is wanted no more."""
        while not is_begun.wait(_CHECK_SECONDS / 5):
            if self._is_ending.is_set():
                server.stop()
                return

    def _hand_on(self, data: bytes, result: "PhotoResult") -> None:
        self.news.put(SentPhoto(data, result))


def address_of(server: Server) -> Address:
    """Return where phones find a server that has begun."""
    return Address(server.url, server.place, server.fingerprint, server.is_local_only)


def _fault_of(error: Exception) -> ServerFault:
    return ServerFault.EXTRA if INSTALL in str(error) else ServerFault.OTHER
