"""Where the phone hangs in the window: its dialog, its server, and the photos that come from it."""

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QSettings, QTime, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from app.gui.phone.link import PhoneLink
from app.gui.phone.server_run import MakeServer, PhoneWishes

if TYPE_CHECKING:
    from app.gui.phone.pairing_dialog import PhoneDialog
    from app.gui.session.session import WindowSession
    from app.recognition.results import PhotoResult

_ENCRYPTED: Final = "phone/encrypted"
_AUTHORITY: Final = "phone/authority"
_REMEMBERED: Final = "phone/remembered"


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
