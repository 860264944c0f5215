"""The server for phones as the window has it: it begins, works and ends beside the window."""

import enum
from queue import Empty
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal

from app.gui.phone.server_run import (
    ENDED,
    Address,
    Failure,
    MakeServer,
    OnResult,
    PhoneRun,
    PhoneWishes,
    SentPhoto,
    Server,
    ServerFault,
    address_of,
)

if TYPE_CHECKING:
    from app.serve.security.known_clients import Phone

_LOOK_MS: Final = 100
"""Between two looks for what the server has to tell."""


class LinkState(enum.Enum):
    """How it stands."""

    OFF = enum.auto()
    BEGINNING = enum.auto()
    ON = enum.auto()
    ENDING = enum.auto()
    FAILED = enum.auto()


class PhoneLink(QObject):
    """Begins and ends the server, one at a time.

    Signals:
        changed: `state`, `address`, `fault` or `phones`.
        photo_came: the picture's bytes, and the `recognition.results.PhotoResult` that came of it.
        crashed: the report of a fault of ours.

    Attributes:
        make: makes a server.
        state: how it stands.
        address: where phones find the page, while it is on.
        fault: why it does not work, where it has failed.
        reason: the same in words of the command line, in English.
        phones: that have scanned the code.
        paired: the same, each with its name.
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
        self._run: PhoneRun | None = None
        self._next: PhoneWishes | None = None
        self.state = LinkState.OFF
        self.address: Address | None = None
        self.fault: ServerFault | None = None
        self.reason = ""
        self.phones = 0
        self.paired: tuple[Phone, ...] = ()
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MS)
        self._timer.timeout.connect(self._look)

    @property
    def is_on(self) -> bool:
        """Whether phones can, or soon can, reach the page."""
        return self.state in (LinkState.BEGINNING, LinkState.ON)

    def begin(self, wishes: PhoneWishes) -> None:
        """Begin a server; one that is there ends first."""
        if self._run is not None:
            self._next = wishes
            self._end_run()
            return
        self._next = None
        self._run = run = PhoneRun(self.make, wishes)
        self.fault, self.reason, self.address = None, "", None
        self.phones, self.paired = 0, ()
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

    def revoke(self, key: str) -> None:
        """Let a phone in no more, at once."""
        if self._run is not None and self._run.server is not None:
            self._run.server.revoke(key)
            self._look_at_phones(self._run.server)

    def remember(self, is_wanted: bool) -> None:
        """Remember phones from start to start, or forget those that were remembered."""
        if self._run is not None and self._run.server is not None:
            self._run.server.remember(is_wanted)

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
        if run.server is not None:
            self._look_at_phones(run.server)
        try:
            while True:
                self._take(run.news.get_nowait())
        except Empty:
            pass

    def _look_at_phones(self, server: Server) -> None:
        phones, paired = server.phones, tuple(server.paired())
        has_new_secret = self.address is not None and self.address.url != server.url
        if has_new_secret:
            self.address = address_of(server)
        if has_new_secret or phones != self.phones or paired != self.paired:
            self.phones, self.paired = phones, paired
            self.changed.emit()

    def _take(self, news: object) -> None:
        if isinstance(news, Address):
            if self.state is LinkState.BEGINNING:
                self.address = news
                self._change(LinkState.ON)
        elif isinstance(news, SentPhoto):
            self.photo_came.emit(news.data, news.result)
        elif isinstance(news, Failure):
            self.fault, self.reason = news.fault, news.reason
            if news.report:
                self.crashed.emit(news.report)
        elif news is ENDED:
            self._forget()

    def _forget(self) -> None:
        if self._run is not None:
            self._run.join()
        self._run, self.address = None, None
        self._timer.stop()
        if self._next is not None:
            self.begin(self._next)
        else:
            self._change(LinkState.OFF if self.fault is None else LinkState.FAILED)

    def _change(self, state: LinkState) -> None:
        self.state = state
        self.changed.emit()


def make_server(wishes: PhoneWishes, on_result: OnResult) -> Server:
    """Make the server that ships, on its usual port where that is free."""
    from app.gui.phone.serving import WindowServer

    return WindowServer(wishes, on_result)
