"""The phone in the window: the server for it, which begins, works and ends beside the window, and
the entry that opens its dialog and takes its photos.

The server runs on a thread that touches nothing of Qt: what it has to tell it puts down, and the
link looks for it. A signal from a thread of Python's own has ended the process now and then.
"""

import enum
import logging
import os
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from queue import SimpleQueue
from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QObject, QTime, QTimer, Signal
from PySide6.QtGui import QAction

if TYPE_CHECKING:
    from app.gui.pairing_dialog import PhoneDialog
    from app.gui.window.main_window import Window
    from app.recognition.results import PhotoResult
    from app.serve.security.known_clients import Phone
    from app.serve.server import PhoneServer

logger = logging.getLogger(__name__)
_CHECK_SECONDS: Final = 0.5
_LOOK_MS: Final = 100
"""Between two looks for what the server has to tell."""
_WORKERS: Final = 2
"""At most: the window has a process of its own for its photos."""
WISHES: Final = ("phone/encrypted", "phone/authority", "phone/remembered")
"""Where the settings have each of `PhoneWishes`."""

INSTALL: Final = "pip install 'sudoku-lens[serve]'"
"""What to do where packages are missing; the server's own message ends with it."""

OnResult = Callable[[bytes, "PhotoResult"], None]


@dataclass(frozen=True)
class PhoneWishes:
    """How a server shall work."""

    is_encrypted: bool = False
    has_authority: bool = False
    is_remembering: bool = False


MakeServer = Callable[[PhoneWishes, OnResult], "PhoneServer"]
"""Makes a server: how it shall work, and who is told of photos."""


@dataclass(frozen=True)
class _Failure:
    """Why a server does not work; `report` is that of a fault of ours, "" else."""

    reason: str
    report: str = ""


class _PhoneRun(threading.Thread):
    """One server from its beginning to its end.

    `news` is what it has to tell: the server once it is on, a photo's bytes with what came of it, a
    `_Failure`, and None at the end.
    """

    def __init__(self, make: MakeServer, wishes: PhoneWishes) -> None:
        super().__init__(name="phone link", daemon=True)
        self.news: SimpleQueue[object] = SimpleQueue()
        self._make, self._wishes = make, wishes
        self._is_ending = threading.Event()

    def end(self) -> None:
        """Let it end, also while it is still beginning."""
        self._is_ending.set()

    def run(self) -> None:
        """Begin, look now and then whether all is well, and end."""
        from app.terminal.exit_codes import CommandError

        try:
            self._serve()
        except CommandError as error:
            if not self._is_ending.is_set():
                self.news.put(_Failure(str(error)))
        except Exception as error:
            # One of the borders where anything may arrive: the window must live on. What is ended
            # while it begins may break anywhere.
            if not self._is_ending.is_set():
                logger.exception("the server for phones failed")
                self.news.put(_Failure(str(error), traceback.format_exc()))
        self.news.put(None)

    def _serve(self) -> None:
        server = self._make(self._wishes, lambda *photo: self.news.put(photo))
        is_begun = threading.Event()
        watching = threading.Thread(target=self._stop_early, args=(server, is_begun), daemon=True)
        watching.start()
        try:
            server.start()
            is_begun.set()
            if not self._is_ending.is_set():
                self.news.put(server)
            while not self._is_ending.wait(_CHECK_SECONDS):
                server.check()
        finally:
            is_begun.set()
            server.stop()
            watching.join()

    def _stop_early(self, server: "PhoneServer", is_begun: threading.Event) -> None:
        """End a server that is still loading when it is wanted no more."""
        while not is_begun.wait(_CHECK_SECONDS / 5):
            if self._is_ending.is_set():
                server.stop()
                return


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
        changed: `state`, `url`, `reason` or `paired`.
        photo_came: the picture's bytes, and the `recognition.results.PhotoResult` that came of it.
        crashed: the report of a fault of ours.

    Attributes:
        make: makes a server.
        server: what phones talk to, while it is on.
        url: where they find its page, with the secret; "" while there is none.
        reason: why it does not work, where it has failed, in English.
        paired: the phones that have scanned the code.
    """

    changed = Signal()
    photo_came = Signal(object, object)
    crashed = Signal(str)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.make: MakeServer = make_server
        self._run: _PhoneRun | None = None
        self._next: PhoneWishes | None = None
        self.state = LinkState.OFF
        self.server: PhoneServer | None = None
        self.url = ""
        self.reason = ""
        self.paired: tuple[Phone, ...] = ()
        self._timer = QTimer(self, interval=_LOOK_MS)
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
        self._run = run = _PhoneRun(self.make, wishes)
        self.reason, self.url, self.server, self.paired = "", "", None, ()
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
        if self.server is not None:
            self.server.revoke(key)
            self._look_at_phones(self.server)

    def remember(self, is_wanted: bool) -> None:
        """Remember phones from start to start, or forget those that were remembered."""
        if self.server is not None:
            self.server.remember(is_wanted)

    def shut_down(self) -> None:
        """End the server, and wait until nothing of it is left."""
        self._next = None
        run, self._run = self._run, None
        self._timer.stop()
        if run is not None:
            run.end()
            run.join()
        self.server, self.url = None, ""
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
        if self.server is not None:
            self._look_at_phones(self.server)
        while not run.news.empty():
            self._take(run.news.get())

    def _look_at_phones(self, server: "PhoneServer") -> None:
        paired = tuple(server.paired())
        if (server.url, paired) != (self.url, self.paired):
            self.url, self.paired = server.url, paired
            self.changed.emit()

    def _take(self, news: object) -> None:
        if isinstance(news, tuple):
            self.photo_came.emit(*news)
        elif isinstance(news, _Failure):
            self.reason = news.reason or "?"
            if news.report:
                self.crashed.emit(news.report)
        elif news is None:
            self._forget()
        elif self.state is LinkState.BEGINNING:
            self.server = cast("PhoneServer", news)
            self.url = self.server.url
            self._change(LinkState.ON)

    def _forget(self) -> None:
        if self._run is not None:
            self._run.join()
        self._run, self.server, self.url = None, None, ""
        self._timer.stop()
        if self._next is not None:
            self.begin(self._next)
        else:
            self._change(LinkState.FAILED if self.reason else LinkState.OFF)

    def _change(self, state: LinkState) -> None:
        self.state = state
        self.changed.emit()


def make_server(wishes: PhoneWishes, on_result: OnResult) -> "PhoneServer":
    """Make the server that ships, on its usual port where that is free."""
    from app.serve.security.known_clients import phones_file
    from app.serve.server import PhoneServer, ServeSettings

    workers = min(_WORKERS, os.cpu_count() or 1)
    settings = ServeSettings(
        is_https=wishes.is_encrypted,
        has_authority=wishes.is_encrypted and wishes.has_authority,
        workers=workers,
        waiting=8 * workers,
        phones_file=phones_file() if wishes.is_remembering else None,
        takes_any_port=True,
    )
    return PhoneServer(settings, on_result)


class PhoneEntry(QObject):
    """Opens the dialog, and puts the phone's photos beside the others."""

    def __init__(self, window: "Window", action: QAction) -> None:
        """Make it for a window, whose switch `action` opens the dialog, on with the server."""
        super().__init__(window)
        self._window, self._settings, self._action = window, window.settings, action
        self.dialog: PhoneDialog | None = None
        self.link = PhoneLink(parent=self)
        self.link.changed.connect(self._mark)
        self.link.photo_came.connect(self._take)
        self.link.crashed.connect(window.tell_fault)
        action.triggered.connect(self.open)

    def open(self) -> None:
        """Show the dialog, and begin the server if there is none."""
        self._mark()
        if self.dialog is None:
            from app.gui.pairing_dialog import PhoneDialog
            from app.serve.server import make_code

            self.dialog = PhoneDialog(self.link, make_code, self._settings, self._window)
            self.dialog.begin_wanted.connect(self._begin)
        if not self.link.is_on:
            self._begin()
        self.dialog.show()
        self.dialog.raise_()
        self.dialog.activateWindow()

    def _begin(self) -> None:
        wishes = (bool(self._settings.value(key, False, bool)) for key in WISHES)
        self.link.begin(PhoneWishes(*wishes))

    def _mark(self) -> None:
        self._action.setChecked(self.link.is_on)

    def _take(self, data: bytes, result: "PhotoResult") -> None:
        name = self.tr("Phone {}").format(QTime.currentTime().toString("HH:mm:ss"))
        dialog = self.dialog
        # Whoever has the dialog before them waits for the photo; others are not disturbed.
        is_chosen = dialog is not None and dialog.isVisible()
        self._window.when_open(
            lambda: self._window.opened.open_solved(data, name, result, is_chosen=is_chosen)
        )
        if dialog is not None:
            dialog.count_photo()
