"""The server for phones as the window has it: it begins, works and ends beside the window's thread.

The server's threads touch nothing of Qt: they put down what they have to tell, and this object
looks for it. A signal that was sent from a thread of Python's own has ended the process now and
then.
"""

import enum
import logging
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Final, Protocol

from PySide6.QtCore import QObject, QTimer, Signal

if TYPE_CHECKING:
    from app.results import PhotoResult

logger = logging.getLogger(__name__)

_LOOK_MS: Final = 100
"""Between two looks for what the server has to tell."""

_CHECK_SECONDS: Final = 0.5

INSTALL: Final = "pip install 'sudoku-lens[serve]'"
"""What to do where packages are missing; the server's own message ends with it."""

OnResult = Callable[[bytes, "PhotoResult"], None]


class Server(Protocol):
    """What is needed of `app.serve.server.PhoneServer`."""

    @property
    def url(self) -> str:
        """The address that the code holds."""

    @property
    def place(self) -> str:
        """The address without the secret."""

    @property
    def fingerprint(self) -> str:
        """Of the certificate, "" without one."""

    @property
    def is_local_only(self) -> bool:
        """Whether no phone reaches it."""

    @property
    def phones(self) -> int:
        """How many have scanned the code."""

    def start(self) -> None:
        """Begin, or raise `app.exits.CommandError`."""

    def check(self) -> None:
        """Raise `app.exits.CommandError` where it works no more."""

    def stop(self) -> None:
        """End it; from any thread, and more than once."""


MakeServer = Callable[[bool, OnResult], Server]
"""Makes a server: whether it is encrypted, and who is told of photos."""


class LinkState(enum.Enum):
    """How it stands."""

    OFF = enum.auto()
    BEGINNING = enum.auto()
    ON = enum.auto()
    ENDING = enum.auto()
    FAILED = enum.auto()


class Fault(enum.Enum):
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


class PhoneLink(QObject):
    """Begins and ends the server, one at a time.

    Signals:
        changed: `state`, `address`, `fault` or `phones`.
        photo_came: the picture's bytes, and the `app.results.PhotoResult` that came of it.
        crashed: the report of a fault of ours.

    Attributes:
        make: makes a server.
        state: how it stands.
        address: where phones find the page, while it is on.
        fault: why it does not work, where it has failed.
        reason: the same in words of the command line, in English.
        phones: that have scanned the code.
    """

    changed = Signal()
    photo_came = Signal(object, object)
    crashed = Signal(str)

    def __init__(self, make: MakeServer | None = None, parent: QObject | None = None) -> None:
        """Make it; `begin` begins.

        Args:
            make: makes a server; the one that ships when None.
            parent: owns it.
        """
        super().__init__(parent)
        self.make = make or make_server
        self._run: _Run | None = None
        self._next: bool | None = None
        self.state = LinkState.OFF
        self.address: Address | None = None
        self.fault: Fault | None = None
        self.reason = ""
        self.phones = 0
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MS)
        self._timer.timeout.connect(self._look)

    @property
    def is_on(self) -> bool:
        """Whether phones can, or soon can, reach the page."""
        return self.state in (LinkState.BEGINNING, LinkState.ON)

    def begin(self, *, is_encrypted: bool) -> None:
        """Begin a server; one that is there ends first."""
        if self._run is not None:
            self._next = is_encrypted
            self._end_run()
            return
        self._next = None
        self._run = run = _Run(self.make, is_encrypted)
        self.fault, self.reason, self.address, self.phones = None, "", None, 0
        run.start()
        self._timer.start()
        self._change(LinkState.BEGINNING)

    def end(self) -> None:
        """End the server, soon."""
        self._next = None
        if self._run is not None:
            self._end_run()
        elif self.state is not LinkState.OFF:
            self._change(LinkState.OFF)

    def shut_down(self) -> None:
        """End the server, and wait until nothing of it is left."""
        self._next = None
        run, self._run = self._run, None
        self._timer.stop()
        if run is not None:
            run.end()
            run.join()
        self.state = LinkState.OFF

    def _end_run(self) -> None:
        assert self._run is not None
        self._run.end()
        self._change(LinkState.ENDING)

    def _look(self) -> None:
        """Take in what the server has put down."""
        run = self._run
        if run is None:
            self._timer.stop()
            return
        if run.server is not None and run.server.phones != self.phones:
            self.phones = run.server.phones
            self.changed.emit()
        try:
            while True:
                self._take(run.news.get_nowait())
        except Empty:
            pass

    def _take(self, news: object) -> None:
        if isinstance(news, Address):
            if self.state is LinkState.BEGINNING:
                self.address = news
                self._change(LinkState.ON)
        elif isinstance(news, _Photo):
            self.photo_came.emit(news.data, news.result)
        elif isinstance(news, _Failed):
            self.fault, self.reason = news.fault, news.reason
            if news.report:
                self.crashed.emit(news.report)
        elif news is _ENDED:
            self._forget()

    def _forget(self) -> None:
        if self._run is not None:
            self._run.join()
        self._run, self.address = None, None
        self._timer.stop()
        if self._next is not None:
            self.begin(is_encrypted=self._next)
        else:
            self._change(LinkState.OFF if self.fault is None else LinkState.FAILED)

    def _change(self, state: LinkState) -> None:
        self.state = state
        self.changed.emit()


@dataclass(frozen=True, eq=False)
class _Photo:
    data: bytes
    result: "PhotoResult"


@dataclass(frozen=True)
class _Failed:
    fault: Fault
    reason: str
    report: str = ""


_ENDED: Final = object()


class _Run(threading.Thread):
    """One server from its beginning to its end."""

    def __init__(self, make: MakeServer, is_encrypted: bool) -> None:
        super().__init__(name="phone link", daemon=True)
        self.news: SimpleQueue[object] = SimpleQueue()
        self.server: Server | None = None
        self._make, self._is_encrypted = make, is_encrypted
        self._is_ending = threading.Event()

    def end(self) -> None:
        """Let it end, also while it is still beginning."""
        self._is_ending.set()

    def run(self) -> None:
        """Begin, look now and then whether all is well, and end."""
        from app.exits import CommandError

        try:
            self._serve()
        except CommandError as error:
            if not self._is_ending.is_set():
                self.news.put(_Failed(_fault_of(error), str(error)))
        except Exception as error:
            # One of the borders where anything may arrive: the window must live on. What is ended
            # while it begins may break anywhere.
            if not self._is_ending.is_set():
                logger.exception("the server for phones failed")
                self.news.put(_Failed(Fault.OTHER, str(error), traceback.format_exc()))
        self.news.put(_ENDED)

    def _serve(self) -> None:
        server = self._make(self._is_encrypted, self._hand_on)
        is_begun = threading.Event()
        watching = threading.Thread(target=self._stop_early, args=(server, is_begun), daemon=True)
        watching.start()
        try:
            server.start()
            is_begun.set()
            self.server = server
            if not self._is_ending.is_set():
                self.news.put(_address_of(server))
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
        self.news.put(_Photo(data, result))


def _address_of(server: Server) -> Address:
    return Address(server.url, server.place, server.fingerprint, server.is_local_only)


def _fault_of(error: Exception) -> Fault:
    return Fault.EXTRA if INSTALL in str(error) else Fault.OTHER


def make_server(is_encrypted: bool, on_result: OnResult) -> Server:
    """Make the server that ships, on its usual port where that is free."""
    from app.gui.phone_server import WindowServer

    return WindowServer(is_encrypted, on_result)
