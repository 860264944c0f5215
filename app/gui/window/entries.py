"""What the window turns on and off: the live page, made when it is wanted first, and placing a
board by hand.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QTime, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent

from app.board.board_values import Point
from app.gui.live.live_bar import VIDEOS
from app.gui.window.status_line import Mood, StatusMessage

if TYPE_CHECKING:
    from app.board.board_state import BoardState
    from app.gui.live.page import LivePage
    from app.gui.session.document import Document
    from app.gui.window.main_window import Window


DONE = "done"
"""What the button of the status line asks for."""


class LiveEntry(QObject):
    """Opens and leaves the live page, and turns its snapshots into photos.

    Signals:
        crashed: the report of a fault of ours.

    Attributes:
        page: the live page, once it was opened.
    """

    crashed = Signal(str)

    def __init__(self, window: "Window") -> None:
        super().__init__(window)
        self._window, self._action = window, window.actions_of_window.live
        self.page: LivePage | None = None
        self._action.toggled.connect(self._turn)
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

            page = LivePage(self._window.settings)
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


class CornerPlacement(QObject):
    """Turns on and off, by its action, that corners can be dragged."""

    def __init__(self, window: "Window") -> None:
        super().__init__(window)
        self._window, self._photo = window, window.photo
        self._switch = window.actions_of_window.place
        self._has_placed = False
        self._photo.corners_placed.connect(self._put_corners)

    @property
    def is_on(self) -> bool:
        """Whether corners can be dragged."""
        return self._photo.is_placing

    def turn(self, is_wanted: bool) -> None:
        """Show the handles, at the chosen board or where one might be, or take them away."""
        document = self._window.document
        self._has_placed = False
        if not is_wanted or document is None or document.image is None:
            self._photo.end_placing()
            return
        side = 9 if document.board is None else document.board.side
        self._photo.begin_placing(_first_corners(document), side)
        self._photo.setFocus()

    def begin_another(self) -> None:
        """Place a board beside those that are known."""
        from app.board.board_edits import choose_none

        self._switch.setChecked(False)
        if self._window.session is not None:
            self._window.session.look(choose_none)
            self._switch.setChecked(True)

    def end(self) -> None:
        """Take the handles away."""
        self._switch.setChecked(False)

    def end_if_solved(self, document: "Document") -> None:
        """Take the handles away once the board that was placed by them is solved."""
        board = document.board
        if not self.is_on or board is None or board.solution is None:
            return
        # One that was solved before may be moved all the same.
        if self._has_placed and _is_at(board, self._photo.placed_corners()):
            self._photo.end_placing()
            self._switch.blockSignals(True)
            self._switch.setChecked(False)
            self._switch.blockSignals(False)

    def walk(self, step: Callable[[], None]) -> None:
        """Undo or redo by `step`, and take the handles along."""
        self._photo.finish_corners()
        step()
        document = self._window.document
        if self.is_on and document is not None:
            self._has_placed = False
            self._photo.put_corners(_first_corners(document))

    def status(self, found: str) -> StatusMessage:
        """Return what to say meanwhile; `found` is what came of the corners so far."""
        headline = self.tr("Drag the four corners onto the corners of the board")
        return StatusMessage(Mood.IDLE, headline, found, self.tr("Done"), DONE)

    def _put_corners(self, corners: Sequence[Point]) -> None:
        import numpy as np

        from app.board.board_edits import move_corners

        points = np.array(corners, np.float32)
        if self._window.session is not None:
            self._has_placed = True
            self._window.session.act(lambda state: move_corners(state, points))


def _first_corners(document: "Document") -> list[Point] | None:
    board, result = document.board, document.result
    if board is not None:
        return [(x, y) for x, y in board.board.corners.tolist()]
    if document.state.boards or result is None or not result.candidates:
        return None
    return [(x, y) for x, y in result.candidates[0].corners.tolist()]


def _is_at(board: "BoardState", corners: Sequence[Point]) -> bool:
    """Tell whether a board lies between these corners, wherever its top left is."""
    own = {(round(x), round(y)) for x, y in board.board.corners.tolist()}
    return own == {(round(x), round(y)) for x, y in corners}
