"""Where the live page hangs in the window: it is made when it is opened for the first time."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QSettings, QTime, Signal
from PySide6.QtGui import QAction, QDragEnterEvent, QDropEvent

from app.gui.live.live_bar import VIDEOS

if TYPE_CHECKING:
    from app.gui.live.page import LivePage
    from app.gui.window.main_window import Window


class LiveEntry(QObject):
    """Opens and leaves the live page, and turns its snapshots into photos.

    Signals:
        crashed: the report of a fault of ours.

    Attributes:
        page: the live page, once it was opened.
    """

    crashed = Signal(str)

    def __init__(self, window: "Window", settings: QSettings, action: QAction) -> None:
        """Make it for a window, whose switch `action` shows the page."""
        super().__init__(window)
        self._window, self._settings, self._action = window, settings, action
        self.page: LivePage | None = None
        action.toggled.connect(self._turn)
        window.installEventFilter(self)

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

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take videos that are dropped onto the window."""
        if isinstance(event, QDragEnterEvent) and self._video_in(event):
            event.acceptProposedAction()
            return True
        if isinstance(event, QDropEvent) and not isinstance(event, QDragEnterEvent):
            video = self._video_in(event)
            if video is not None and event.type() == QEvent.Type.Drop:
                event.acceptProposedAction()
                self.open_video(video)
                return True
        return super().eventFilter(watched, event)

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

            page = LivePage(self._settings)
            page.snapshot_taken.connect(self._open_snapshot)
            page.left.connect(self.leave)
            page.crashed.connect(self.crashed)
            self._window.add_page(page)
            self.page = page
        return self.page

    def _open_snapshot(self, image: object) -> None:
        import numpy as np

        from app.gui.session.document import to_qimage

        session = self._window.session
        if session is None:
            return
        time = QTime.currentTime().toString("HH:mm:ss")
        self.leave()
        session.open(to_qimage(np.asarray(image, np.uint8)), self.tr("Snapshot {}").format(time))

    def _video_in(self, event: QDropEvent) -> Path | None:
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        return next(filter(is_video, paths), None)


def is_video(path: Path) -> bool:
    """Tell by its name whether a file is a video."""
    return path.suffix.lower() in VIDEOS
