"""What stands above live pictures: where they come from, a camera, a file or an address, and what
can be done with them; and what opens the live page, which loads more than the window needs.
"""

from collections.abc import Sequence
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QObject, Qt, QTime, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QPushButton, QSizePolicy, QWidget

from app.gui.theme import icon, theme_of
from app.gui.widgets import ListBox, fill, follows_changes, make_button, put_words

if TYPE_CHECKING:
    from app.gui.live.page import LivePage
    from app.gui.window.main_window import Window

VIDEOS: Final = (".mp4", ".mov", ".mkv", ".webm", ".avi", ".m4v", ".mpg", ".mpeg", ".3gp", ".ogv")
"""How the names of video files end."""

_CHOOSE_FILE: Final = "choose file"
_CHOOSE_ADDRESS: Final = "choose address"
translate = QCoreApplication.translate


class SourceKind(Enum):
    """What a source is."""

    CAMERA = auto()
    FILE = auto()
    ADDRESS = auto()


@follows_changes
class LiveSources(QWidget):
    """Lets a source be chosen: a camera by its key, a video file, or an address that is typed."""

    camera_chosen = Signal(object)
    file_wanted = Signal()
    address_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._cameras: list[tuple[bytes, str]] = []
        self._current: tuple[SourceKind, bytes | str] | None = None
        self.list = ListBox(
            name=lambda: self.tr("Source"), tip=lambda: self.tr("Camera, video file or address")
        )
        self.list.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.list.setMinimumWidth(140)
        self.list.setMaximumWidth(420)
        self.list.activated.connect(self._choose)
        self.address = put_words(
            QLineEdit(self, clearButtonEnabled=True), name=lambda: self.tr("Address")
        )
        self.address.setMinimumWidth(120)
        self.address.returnPressed.connect(self._take_address)
        self.show_address = make_button(lambda: self.tr("Show"), self._take_address)
        fill(
            QHBoxLayout(self),
            self.list,
            (self.address, 1),
            self.show_address,
            0,
            margins=(0, 0, 0, 0),
            spacing=8,
        )
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._show_address_field(False)
        self._retranslate()

    def set_cameras(self, cameras: Sequence[tuple[bytes, str]]) -> None:
        """List these cameras, keys and names."""
        self._cameras = list(cameras)
        self._fill()

    def show_source(self, source: tuple[SourceKind, bytes | str] | None) -> None:
        """Show what is chosen: the key of a camera, a file's path or an address; None: nothing."""
        self._current = source
        self._show_address_field(source is not None and source[0] is SourceKind.ADDRESS)
        if source is not None and source[0] is SourceKind.ADDRESS:
            self.address.setText(str(source[1]))
        self._fill()

    def _retranslate(self) -> None:
        self.address.setPlaceholderText(self.tr("rtsp://… or http://…"))
        self._fill()

    def _fill(self) -> None:
        box = self.list
        box.blockSignals(True)
        box.clear()
        for key, name in self._cameras:
            box.addItem(name, (SourceKind.CAMERA, key))
        if self._current is not None and self._current[0] is SourceKind.FILE:
            box.addItem(Path(str(self._current[1])).name, self._current)
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


@follows_changes
class LiveButtons(QWidget):
    """Freezes, mirrors, takes and copies; the page connects the buttons."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._has_words = False
        self.freeze, self.mirror = QPushButton(), QPushButton()
        self.snapshot, self.copy = QPushButton(), QPushButton()
        self.freeze.setCheckable(True)
        self.mirror.setCheckable(True)
        buttons = self.freeze, self.mirror, self.snapshot, self.copy
        self._icons = dict(zip(buttons, ("pause", "mirror", "camera", "copy"), strict=True))
        for button in buttons:
            button.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        fill(QHBoxLayout(self), *buttons, margins=(0, 0, 0, 0), spacing=8)
        self._retranslate()
        self._restyle()

    def set_words(self, *, are_wanted: bool) -> None:
        """Show words beside the signs, where there is room for them."""
        if are_wanted != self._has_words:
            self._has_words = are_wanted
            self._retranslate()
            self.updateGeometry()  # at once: the page is being laid out for its new size

    def enable(self, *, has_frame: bool) -> None:
        """Allow what needs a frame, or not."""
        for button in (self.freeze, self.snapshot, self.copy):
            button.setEnabled(has_frame)

    def press(self, event: QKeyEvent) -> bool:
        """Do what a key stands for; return whether it stands for anything."""
        key, is_plain = event.key(), not event.modifiers()
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy.click()
        elif key == Qt.Key.Key_Space:
            self.freeze.click()
        elif key == Qt.Key.Key_M and is_plain:
            self.mirror.click()
        elif key == Qt.Key.Key_S and is_plain:
            self.snapshot.click()
        else:
            return False
        return True

    def _retranslate(self) -> None:
        copy = QKeySequence(QKeySequence.StandardKey.Copy)
        for button, text, key in (
            (self.freeze, translate("LivePage", "Freeze"), translate("LivePage", "Space")),
            (self.mirror, translate("LivePage", "Mirror"), "M"),
            (self.snapshot, translate("LivePage", "Take as a photo"), "S"),
            (
                self.copy,
                translate("LivePage", "Copy"),
                copy.toString(copy.SequenceFormat.NativeText),
            ),
        ):
            button.setText(text if self._has_words else "")
            button.setToolTip(f"{text} ({key})")
            button.setAccessibleName(text)

    def _restyle(self) -> None:
        theme = theme_of(self)
        for button, name in self._icons.items():
            button.setIcon(icon(name, theme.text))


class LiveEntry(QObject):
    """Opens and leaves the live page, and turns its snapshots into photos."""

    def __init__(self, window: "Window") -> None:
        super().__init__(window)
        self._window, self._action = window, window.actions_of_window.live
        self.page: LivePage | None = None
        self._action.toggled.connect(self._turn)

    @property
    def is_on(self) -> bool:
        """Whether the live page is looked at."""
        return self._action.isChecked()

    def leave(self) -> None:
        """Go back to the photos."""
        self._action.setChecked(False)

    def open_video(self, path: Path) -> None:
        """Show a video file on the live page."""
        page = self._make()
        page.open_file(path)
        self._action.setChecked(True)

    def shut_down(self) -> None:
        """End the page's threads."""
        if self.page is not None:
            self.page.shut_down()

    def _turn(self, is_on: bool) -> None:
        if is_on:
            page = self._make()
            self._window.show_page(page)
            page.begin()
        else:
            if self.page is not None:
                self.page.rest()
            self._window.show_page(None)

    def _make(self) -> "LivePage":
        if self.page is None:
            from app.gui.live.page import LivePage

            page = LivePage(self._window.settings)
            page.snapshot_taken.connect(self._open_snapshot)
            page.left.connect(self.leave)
            page.worker.crashed.connect(self._window.tell_fault)
            self.page = page
        return self.page

    def _open_snapshot(self, image: object) -> None:
        import numpy as np

        from app.gui.session.document import to_qimage

        time = QTime.currentTime().toString("HH:mm:ss")
        name, picture = self.tr("Snapshot {}").format(time), to_qimage(np.asarray(image, np.uint8))

        def open_it() -> None:
            self.leave()
            self._window.opened.open(picture, name)

        self._window.when_open(open_it)


def is_video(path: Path) -> bool:
    """Tell by its name whether a file is a video."""
    return path.suffix.lower() in VIDEOS
