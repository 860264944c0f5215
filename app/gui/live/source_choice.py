"""Where the live pictures come from: a list of cameras, and a field for addresses."""

from collections.abc import Sequence
from enum import Enum, auto
from typing import Final

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QPushButton, QSizePolicy, QWidget

from app.gui.style.widgets import ListBox

VIDEOS: Final = (".mp4", ".mov", ".mkv", ".webm", ".avi", ".m4v", ".mpg", ".mpeg", ".3gp", ".ogv")
"""How the names of video files end."""


class SourceKind(Enum):
    """What a source is."""

    CAMERA = auto()
    FILE = auto()
    ADDRESS = auto()


_CHOOSE_FILE: Final = "choose file"
_CHOOSE_ADDRESS: Final = "choose address"


class LiveSources(QWidget):
    """Lets a source be chosen.

    Signals:
        camera_chosen: key of a camera, bytes.
        file_wanted: a video file shall be chosen.
        address_chosen: an address was typed.
    """

    camera_chosen = Signal(object)
    file_wanted = Signal()
    address_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._cameras: list[tuple[bytes, str]] = []
        self._current: tuple[SourceKind, bytes | str] | None = None
        self.list = ListBox(self)
        self.list.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.list.setMinimumWidth(140)
        self.list.setMaximumWidth(420)
        self.list.activated.connect(self._choose)
        self.address = QLineEdit(self)
        self.address.setMinimumWidth(120)
        self.address.setClearButtonEnabled(True)
        self.address.returnPressed.connect(self._take_address)
        self.show_address = QPushButton(self)
        self.show_address.clicked.connect(self._take_address)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.list)
        row.addWidget(self.address, 1)
        row.addWidget(self.show_address)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._show_address_field(False)
        self._name_parts()

    def set_cameras(self, cameras: Sequence[tuple[bytes, str]]) -> None:
        """List these cameras, keys and names."""
        self._cameras = list(cameras)
        self._fill()

    def show_source(self, kind: SourceKind | None, name: bytes | str = "") -> None:
        """Show what is chosen: the key of a camera, a file's name or an address; None: nothing."""
        self._current = None if kind is None else (kind, name)
        self._show_address_field(kind is SourceKind.ADDRESS)
        if kind is SourceKind.ADDRESS:
            self.address.setText(str(name))
        self._fill()

    def changeEvent(self, event: QEvent) -> None:
        """Speak another language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._name_parts()
        super().changeEvent(event)

    def _name_parts(self) -> None:
        self.list.setAccessibleName(self.tr("Source"))
        self.list.setToolTip(self.tr("Camera, video file or address"))
        self.address.setAccessibleName(self.tr("Address"))
        self.address.setPlaceholderText(self.tr("rtsp://… or http://…"))
        self.show_address.setText(self.tr("Show"))
        self._fill()

    def _fill(self) -> None:
        box = self.list
        box.blockSignals(True)
        box.clear()
        for key, name in self._cameras:
            box.addItem(name, (SourceKind.CAMERA, key))
        if self._current is not None and self._current[0] is SourceKind.FILE:
            box.addItem(str(self._current[1]), self._current)
        if box.count():
            box.insertSeparator(box.count())
        box.addItem(self.tr("Video file…"), _CHOOSE_FILE)
        box.addItem(self.tr("Address…"), _CHOOSE_ADDRESS)
        no_camera = self.tr("Choose a source") if self._cameras else self.tr("No camera")
        box.setPlaceholderText(no_camera)
        box.blockSignals(False)
        self._show_current()

    def _show_current(self) -> None:
        is_address = self._current is not None and self._current[0] is SourceKind.ADDRESS
        wanted = _CHOOSE_ADDRESS if is_address else self._current
        # Looked for here: Qt compares tuples that it holds by identity.
        rows = [row for row in range(self.list.count()) if self.list.itemData(row) == wanted]
        self.list.setCurrentIndex(rows[0] if rows and wanted is not None else -1)

    def _choose(self, row: int) -> None:
        chosen = self.list.itemData(row)
        if chosen == _CHOOSE_ADDRESS:
            self._show_address_field(True)
            self.address.setFocus()
            self.address.selectAll()
            return
        self._show_address_field(False)
        if chosen == _CHOOSE_FILE:
            self._show_current()
            self.file_wanted.emit()
        elif isinstance(chosen, tuple) and chosen[0] is SourceKind.CAMERA:
            self.camera_chosen.emit(chosen[1])

    def _take_address(self) -> None:
        address = self.address.text().strip()
        if address:
            self.address_chosen.emit(address)

    def _show_address_field(self, is_shown: bool) -> None:
        self.address.setVisible(is_shown)
        self.show_address.setVisible(is_shown)
