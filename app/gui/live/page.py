"""The page of live pictures: choose a camera, hold a Sudoku before it, and see it solved."""

from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QSettings, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QVBoxLayout, QWidget

from app.gui.live.frame_worker import LiveWorker
from app.gui.live.live_bar import VIDEOS, LiveButtons, LiveSources, SourceKind
from app.gui.live.screen import AGAIN, GO_ON, CalmState, LiveScreen, LiveWord, say_state
from app.gui.live.source import LiveSource, MakeCameras
from app.gui.widgets import fill, follows_changes, keep_switch, make_file_dialog, put_words
from app.gui.window.status_line import StatusLine, StatusMessage
from app.live.live_view import LiveState

_WIDTH_WITH_WORDS_PX: Final = 860
_REMARK_MS: Final = 2500


@follows_changes
class LivePage(QWidget):
    """Live pictures with the solution on them.

    `begin` opens the source, `rest` lets it go, `shut_down` ends the page for good.

    Signals:
        snapshot_taken: the frame that is shown, (H, W, 3) uint8 BGR.
        left: the page shall be left.
    """

    snapshot_taken = Signal(object)
    left = Signal()

    def __init__(
        self,
        settings: QSettings,
        worker: LiveWorker | None = None,
        make_cameras: MakeCameras | None = None,
    ) -> None:
        """Make the page; nothing is opened yet. The cameras are made when they are wanted."""
        super().__init__()
        self._settings = settings
        self.worker = worker or LiveWorker()
        self.worker.setParent(self)
        self.source = LiveSource(self.worker.put, settings, make_cameras, self)
        self.dialog: QFileDialog | None = None
        self._number = 0
        self._is_ready = False
        self._calm = CalmState()
        self._missing: str | None = None
        self._remark = QTimer(self, singleShot=True, interval=_REMARK_MS)
        self._remark.timeout.connect(self._tell)
        put_words(self, name=lambda: self.tr("Live"))
        self.screen_of_page, self.status = LiveScreen(self), StatusLine(self)
        self.sources = LiveSources(self)
        self.buttons = LiveButtons(self)
        self._lay_out()
        self._connect()
        self._refresh()

    @property
    def is_frozen(self) -> bool:
        """Whether the picture stands still."""
        return self.buttons.freeze.isChecked()

    def begin(self) -> None:
        """Show pictures: of what was chosen last, or of the first camera."""
        if not self.source.is_open:
            self.worker.start()
            self.source.begin()
            self.screen_of_page.setFocus()

    def rest(self) -> None:
        """Let the source go; `begin` opens it again."""
        self.source.rest()

    def shut_down(self) -> None:
        """Let everything go, and wait for the threads."""
        self.rest()
        self.worker.stop()

    def open_file(self, path: Path) -> None:
        """Play a video file."""
        self.source.choose(SourceKind.FILE, str(path))

    def take_snapshot(self) -> None:
        """Hand on the frame that is shown, as a photo."""
        frame = self.screen_of_page.frame
        if frame is not None:
            self.snapshot_taken.emit(frame.picture.bgr)

    def copy_picture(self) -> None:
        """Put the frame with its solution into the clipboard."""
        picture = self.screen_of_page.as_picture()
        if picture is not None:
            QGuiApplication.clipboard().setImage(picture)
            status = self.status.status
            self.status.show_status(
                StatusMessage(status.severity, self.tr("The picture is copied"))
            )
            self._remark.start()

    def ask_for_file(self) -> None:
        """Let a video file be chosen."""
        folder = str(self._settings.value("live/folder", str(Path.home())))
        patterns = " ".join(f"*{suffix}" for suffix in VIDEOS)
        filters = [self.tr("Videos ({})").format(patterns), self.tr("All files (*)")]
        is_native = bool(self._settings.value("window/native_dialogs", True, bool))
        dialog = make_file_dialog(
            self, self.tr("Open a video"), folder, filters, is_native=is_native
        )
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self._take_file)
        self.dialog = dialog
        dialog.open()

    # --- how it is put together

    def _lay_out(self) -> None:
        row = fill(
            QHBoxLayout(), (self.sources, 1), self.buttons, margins=(14, 9, 14, 9), spacing=8
        )
        fill(
            QVBoxLayout(self),
            row,
            (self.screen_of_page, 1),
            self.status,
            margins=(0, 0, 0, 0),
            spacing=0,
        )

    def _connect(self) -> None:
        self.worker.stepped.connect(self._show_newest)
        self.worker.reader.ready.connect(self._begin_reading)
        self.worker.reader.load_failed.connect(self._tell_unable)
        self.source.ended.connect(lambda: self.worker.freeze(True))  # the last picture is read
        self.source.switched.connect(self._begin_pictures)
        self.source.trouble_changed.connect(self._tell)
        self.source.listed.connect(lambda: self.sources.set_cameras(self.source.names()))
        self.source.chosen.connect(self._show_choice)
        self.sources.camera_chosen.connect(partial(self.source.choose, SourceKind.CAMERA))
        self.sources.file_wanted.connect(self.ask_for_file)
        self.sources.address_chosen.connect(partial(self.source.choose, SourceKind.ADDRESS))
        self.buttons.freeze.toggled.connect(self._freeze)
        self.buttons.mirror.toggled.connect(self.screen_of_page.set_mirrored)
        self.buttons.snapshot.clicked.connect(self.take_snapshot)
        self.buttons.copy.clicked.connect(self.copy_picture)
        self.status.action_wanted.connect(self._do_status_action)
        keep_switch(self._settings, "live/mirror", self.buttons.mirror)

    # --- what happens

    def _begin_pictures(self) -> None:
        """Forget what was shown: it was of another source."""
        self._calm = CalmState()
        self._remark.stop()
        self._number = self.worker.begin_source()
        self.buttons.freeze.setChecked(False)
        self.screen_of_page.show_frame(None)
        self._refresh()

    def _show_choice(self) -> None:
        self.sources.show_source(self.source.choice)
        if self.source.is_open:
            self.screen_of_page.setFocus()

    def _take_file(self, name: str) -> None:
        self._settings.setValue("live/folder", str(Path(name).parent))
        self.open_file(Path(name))

    def _show_newest(self) -> None:
        frame = self.worker.take()
        if frame is None or frame.source != self._number or not self.source.is_open:
            return
        is_first = self.screen_of_page.frame is None
        self.screen_of_page.show_frame(frame)
        self._calm.follow(frame.view.state, frame.view.seconds)
        if is_first:
            self._refresh()
        elif not self._remark.isActive():
            self._tell()

    def _begin_reading(self) -> None:
        self._is_ready = True
        self._tell()

    def _tell_unable(self, error: object) -> None:
        self._missing = str(error)
        self._tell()

    def _do_status_action(self, key: str) -> None:
        if key == GO_ON:
            self.buttons.freeze.setChecked(False)
        elif key == AGAIN:
            self.source.open_again()
        self.screen_of_page.setFocus()

    def _freeze(self, is_frozen: bool) -> None:
        self.worker.freeze(is_frozen)
        self.source.pause(is_frozen)
        self._tell()

    # --- what is said

    def _refresh(self) -> None:
        self.buttons.enable(has_frame=self.screen_of_page.frame is not None)
        self._tell()

    def _retranslate(self) -> None:
        self._tell()

    def _tell(self) -> None:
        frame = self.screen_of_page.frame
        state = LiveState.SEARCHING
        if frame is not None:
            state = self._calm.follow(frame.view.state, frame.view.seconds)
        if self.source.trouble is not None:
            status = self.source.trouble()
        elif self._missing is not None:
            status = LiveWord.UNABLE.say(self._missing)
        elif self.source.is_open and frame is None:
            status = LiveWord.OPENING.say()
        elif not self._is_ready:
            status = LiveWord.GETTING_READY.say()
        else:
            status = say_state(state, is_frozen=self.is_frozen)
        if status != self.status.status:
            self.status.show_status(status)

    # --- the page itself

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Do what keys ask for; none of them is meant for the photos behind this page."""
        if not self.buttons.press(event) and event.key() == Qt.Key.Key_Escape:
            if self.window().isFullScreen():
                event.ignore()
                return
            self.left.emit()
        event.accept()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave words out where there is no room for them beside the list of sources."""
        super().resizeEvent(event)
        self.buttons.set_words(are_wanted=self.width() >= _WIDTH_WITH_WORDS_PX)

    def closeEvent(self, event: QCloseEvent) -> None:
        """End the threads."""
        self.shut_down()
        super().closeEvent(event)
