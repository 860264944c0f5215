"""The phone in the window: the server for it, which begins, works and ends beside the window, and
the entry that opens its dialog and takes its photos.
"""

import enum
import os
from queue import Empty
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QSettings, QTime, QTimer, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

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
    from app.gui.phone.pairing_dialog import PhoneDialog
    from app.gui.session.session import WindowSession
    from app.recognition.results import PhotoResult
    from app.serve.security.known_clients import Phone

_LOOK_MS: Final = 100
"""Between two looks for what the server has to tell."""


_WORKERS: Final = 2
"""At most: the window has a process of its own for its photos."""

_ENCRYPTED: Final = "phone/encrypted"

_AUTHORITY: Final = "phone/authority"

_REMEMBERED: Final = "phone/remembered"


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
    from app.serve.host.serve_settings import ServeSettings
    from app.serve.host.server import PhoneServer, ServerOptions
    from app.serve.security.known_clients import PhoneBook

    workers = min(_WORKERS, os.cpu_count() or 1)
    settings = ServeSettings(
        is_https=wishes.is_encrypted,
        has_authority=wishes.is_encrypted and wishes.has_authority,
        workers=workers,
        waiting=8 * workers,
        book=PhoneBook() if wishes.is_remembering else None,
    )
    options = ServerOptions(settings=settings, takes_any_port=True)
    return PhoneServer(options, on_result=on_result)


class PhoneEntry(QObject):
    """Opens the dialog, and puts the phone's photos beside the others.

    Signals:
        crashed: the report of a fault of ours.

    Attributes:
        link: begins and ends the server.
        dialog: shows how to find it, once it was opened.
    """

    crashed = Signal(str)

    def __init__(
        self,
        window: QWidget,
        settings: QSettings,
        action: QAction,
        make_server: MakeServer | None = None,
    ) -> None:
        """Make it for a window, whose switch `action` opens the dialog and is on with the server.

        Args:
            window: over which the dialog opens.
            settings: keep whether the connection is encrypted.
            action: opens the dialog.
            make_server: makes the server; the one that ships when None.
        """
        super().__init__(window)
        self._window, self._settings, self._action = window, settings, action
        self._session: WindowSession | None = None
        self._early: list[tuple[bytes, PhotoResult, str]] = []
        self.dialog: PhoneDialog | None = None
        self.link = PhoneLink(make_server, self)
        self.link.changed.connect(self._mark)
        self.link.photo_came.connect(self._take)
        self.link.crashed.connect(self.crashed)
        action.triggered.connect(self.open)

    def use(self, session: "WindowSession") -> None:
        """Put photos into this session."""
        self._session = session
        early, self._early = self._early, []
        for data, result, name in early:
            session.open_solved(data, name, result)

    def open(self) -> None:
        """Show the dialog, and begin the server if there is none."""
        self._mark()
        dialog = self._make_dialog()
        if not self.link.is_on:
            self._begin()
        dialog.show()
        dialog.raise_()
        dialog.activateWindow()

    def shut_down(self) -> None:
        """End the server, and wait for that."""
        self.link.shut_down()

    def _make_dialog(self) -> "PhoneDialog":
        if self.dialog is None:
            from app.gui.phone.pairing_dialog import PhoneDialog
            from app.serve.host.serve_settings import make_code

            self.dialog = PhoneDialog(self.link, make_code, self._window)
            self.dialog.choose(
                is_encrypted=bool(self._settings.value(_ENCRYPTED, False, bool)),
                has_authority=bool(self._settings.value(_AUTHORITY, False, bool)),
            )
            self.dialog.list.set_remembering(bool(self._settings.value(_REMEMBERED, False, bool)))
            self.dialog.begin_wanted.connect(self._begin)
            self.dialog.list.remember_wanted.connect(self._remember)
        return self.dialog

    def _begin(self) -> None:
        dialog = self._make_dialog()
        self._settings.setValue(_ENCRYPTED, dialog.is_encrypted)
        self._settings.setValue(_AUTHORITY, dialog.has_authority)
        is_remembering = bool(self._settings.value(_REMEMBERED, False, bool))
        self.link.begin(PhoneWishes(dialog.is_encrypted, dialog.has_authority, is_remembering))

    def _remember(self, is_wanted: bool) -> None:
        self._settings.setValue(_REMEMBERED, is_wanted)
        self.link.remember(is_wanted)

    def _mark(self) -> None:
        self._action.setChecked(self.link.is_on)

    def _take(self, data: bytes, result: "PhotoResult") -> None:
        name = self.tr("Phone {}").format(QTime.currentTime().toString("HH:mm:ss"))
        dialog = self.dialog
        if self._session is None:
            self._early.append((data, result, name))
        else:
            # Whoever has the dialog before them waits for the photo; others are not disturbed.
            is_chosen = dialog is not None and dialog.isVisible()
            self._session.open_solved(data, name, result, is_chosen=is_chosen)
        if dialog is not None:
            dialog.count_photo()
