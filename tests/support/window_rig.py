"""The window as a person uses it: what is open in it, keys and clicks, and waiting for its work."""

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from present import present
from PySide6.QtCore import QEventLoop, QMimeData, QPoint, QSettings, Qt, QTimer, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLabel,
    QListWidget,
    QPushButton,
    QRadioButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.board.board_state import BoardState
from app.board.history import History, HistoryEntry
from app.gui.board.clean_board import CleanBoard
from app.gui.board.outlines import scene_point
from app.gui.photo.viewer import PhotoView
from app.gui.session.background import Worker
from app.gui.session.document import Document
from app.gui.session.session import WindowSession
from app.gui.window.main_window import Window
from app.recognition.pipeline import Pipeline
from app.recognition.results import PhotoResult
from app.recognition.timing import STAGES, StageClock
from solver.grid import Grid
from solver.human.walk import Level
from solver.rules import Rules
from vision.geometry import Image8

OpenWindow = Callable[..., Window]
"""The fixture `open_window`: takes photos, and by name settings."""
Speak = Callable[[str], str]
"""The fixture `speak`: takes the code of a language, and returns that of the one spoken."""

LEFT: Final = Qt.MouseButton.LeftButton
CONTROL: Final = Qt.KeyboardModifier.ControlModifier
SHIFT: Final = Qt.KeyboardModifier.ShiftModifier


def find_button(part: QWidget, name: str) -> QAbstractButton:
    """Return the only button of a part of the window with that text or name; first those seen."""
    buttons = part.findChildren(QAbstractButton)
    named = [one for one in buttons if name in (one.text().replace("&", ""), one.accessibleName())]
    (found,) = [one for one in named if one.isVisible()] or named
    return found


def choose_item(part: QWidget, text: str) -> None:
    """Choose a text in the only list of a part of the window that has it."""
    (box,) = (one for one in part.findChildren(QComboBox) if one.findText(text) >= 0)
    box.setCurrentIndex(box.findText(text))


def choose_level(part: QWidget, level: Level) -> None:
    """Choose how hard a new puzzle shall be."""
    name = level.value.capitalize()
    (found,) = (one for one in part.findChildren(QRadioButton) if one.text().startswith(name))
    found.click()


def press(part: QWidget, name: str) -> None:
    """Click the button with that text or name."""
    QTest.mouseClick(find_button(part, name), LEFT)


def press_key(
    part: QWidget,
    key: Qt.Key,
    modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
) -> None:
    """Press a key where a part of the window has the keys, and wait for what comes of it."""
    QTest.keyClick(part, key, modifiers)
    window = part.window()
    assert isinstance(window, Window)
    wait_for_work(window)


def press_offer(part: QWidget) -> None:
    """Click the only button that is seen of a part of the window, such as the status line's."""
    (offer,) = offers_of(part)
    QTest.mouseClick(offer, LEFT)


def offers_of(part: QWidget) -> list[QPushButton]:
    """Return the buttons that are seen of a part of the window."""
    return [one for one in part.findChildren(QPushButton) if one.isVisible()]


def read_labels(part: QWidget) -> str:
    """Return all texts that are seen of a part of the window."""
    texts = (one.text() for one in part.findChildren(QLabel) if one.isVisible())
    return " ".join(filter(None, texts))


def click_row(shown: QListWidget, row: int) -> None:
    """Click a line of a list."""
    place = shown.visualItemRect(shown.item(row)).center()
    QTest.mouseClick(shown.viewport(), LEFT, pos=place)


def middle_of(board: PhotoView | CleanBoard, cell: int) -> QPoint:
    """Return the middle of a cell, in what takes the clicks of a photo or a board."""
    return board.cell_rect(cell).center().toPoint()


def click_cell(
    board: PhotoView | CleanBoard,
    cell: int,
    keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
) -> None:
    """Click a cell of a photo or a board, while keys are held."""
    QTest.mouseClick(target_of(board), LEFT, keys, middle_of(board, cell))


def drag_over(board: PhotoView | CleanBoard, cells: Sequence[int]) -> None:
    """Drag the pointer from cell to cell."""
    drag(target_of(board), *(middle_of(board, cell) for cell in cells))


def drag(part: QWidget, *places: QPoint) -> None:
    """Press the left button at the first place, and let it go at the last one."""
    QTest.mousePress(part, LEFT, pos=places[0])
    for place in places[1:]:
        QTest.mouseMove(part, place)
    QTest.mouseRelease(part, LEFT, pos=places[-1])


def drag_corner(window: Window, number: int, end: Sequence[float]) -> None:
    """Drag a corner of the board to a place (x, y) of the photo."""
    places = [scene_point(*place) for place in (window.photo.placed_corners()[number], end)]
    first, last = map(window.photo.mapFromScene, places)
    drag(window.photo.viewport(), first, (first + last) / 2, last)


def target_of(board: PhotoView | CleanBoard) -> QWidget:
    """Return what takes the clicks of a photo or a board."""
    return board.viewport() if isinstance(board, PhotoView) else board


class RememberingPipeline:
    """Reads and solves a picture once, and answers the same when it is shown again."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._told: dict[tuple[tuple[int, ...], bytes], PhotoResult] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pipeline, name)

    def solve_photo(self, image: Image8, clock: StageClock) -> PhotoResult:
        """Answer; a clock that ends the work, or tells of it, hears of every stage."""
        key = image.shape, hashlib.sha256(image.tobytes()).digest()
        if key not in self._told:
            self._told[key] = self._pipeline.solve_photo(image, clock)
        else:
            for stage in STAGES[1:]:
                with clock.stage(stage):
                    pass
        return replace(self._told[key])


def wait_until(is_so: Callable[[], bool], timeout: int = 60_000) -> None:
    """Let the window work until something holds, for at most `timeout` milliseconds.

    It is long, as other tests and programs want the processor too.
    """
    latest = time.monotonic() + timeout / 1000
    pause_ms = 2
    while not is_so():
        assert time.monotonic() < latest, f"still not so after {timeout} ms"
        loop = QEventLoop()
        QTimer.singleShot(pause_ms, loop.quit)
        loop.exec()
        pause_ms = min(2 * pause_ms, 10)


def names_of(window: Window) -> list[str]:
    """Return the names of the photos that are listed, from top to bottom."""
    model = window.strip.model()
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


def place_of(window: Window, name: str) -> QPoint:
    """Return the middle of a photo in the list, which is scrolled there."""
    index = window.strip.model().index(names_of(window).index(name), 0)
    window.strip.scrollTo(index)
    return window.strip.visualRect(index).center()


def wait_for_work(window: Window) -> None:
    """Wait until nothing is worked on in a window, and all of it is in the history."""

    def is_done() -> bool:
        session = window.session
        if session is None or window.history_recorder.is_writing:
            return False
        return not any(one.is_working for one in session.documents)

    wait_until(is_done)


def settings_in(folder: Path) -> QSettings:
    """Return settings that are kept in a folder."""
    return QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)


def open_with(load: Callable[[], Any], qtbot: QtBot, folder: Path, *photos: Path) -> Window:
    """Open a window whose line is what `load` returns; its settings and data lie in a folder."""
    settings = settings_in(folder)
    settings.setValue("opened/has_started", True)
    window = Window(settings, Worker(load), folder / "data")
    qtbot.addWidget(window)
    window.show()
    window.begin(photos)
    wait_until(lambda: window.session is not None)
    return window


def open_puzzle(
    window: Window, clues: Grid, rules: Rules | None = None, *, is_given: bool = False
) -> None:
    """Open a puzzle, and wait until it is solved; one that is given keeps its solution back."""
    session_of(window).open_puzzle(
        clues, "puzzle", is_revealed=not is_given, is_given=is_given, rules=rules
    )
    wait_for_work(window)


def write(window: Window, cell: int, digits: str) -> None:
    """Type digits into a cell, one over the other, and leave the cell."""
    window.editor.select(cell)
    QTest.keyClicks(window.clean, digits)
    window.editor.select(None)


def kept_in(folder: Path, text: str = "") -> list[HistoryEntry]:
    """Return what is found in the history of a window whose data lie in a folder, newest first."""
    kept = History(folder / "data" / "history.sqlite").find(text)
    assert isinstance(kept, list)
    return kept


def files(*paths: Path) -> QMimeData:
    """Return what a desktop lays into the clipboard, or drags, for these files."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


_INSIDE: Final = QPoint(400, 300)
_COPYING: Final = Qt.DropAction.CopyAction


def drag_in(window: Window, data: QMimeData, place: QPoint = _INSIDE) -> bool:
    """Drag something to a place of the window, the way a real drag goes.

    Return whether it may be let go there.
    """
    handle, keys = window.windowHandle(), Qt.KeyboardModifier.NoModifier
    over = QDragEnterEvent(place.toPointF(), _COPYING, data, LEFT, keys)
    QApplication.sendEvent(handle, over)
    move = QDragMoveEvent(place.toPointF(), _COPYING, data, LEFT, keys)
    if over.isAccepted():
        # Qt hands a move on like that: to have accepted the drag when it came is enough.
        move.setDropAction(_COPYING)
        move.accept()
    QApplication.sendEvent(handle, move)
    return over.isAccepted() and move.isAccepted()


def drop(window: Window, data: QMimeData, place: QPoint = _INSIDE) -> None:
    """Drag something to a place of the window, and let it go there if it may be."""
    if drag_in(window, data, place):
        keys = Qt.KeyboardModifier.NoModifier
        dropped = QDropEvent(place.toPointF(), _COPYING, data, LEFT, keys)
        QApplication.sendEvent(window.windowHandle(), dropped)


def session_of(window: Window) -> WindowSession:
    """Return all that is open in a window."""
    return present(window.session)


def document_of(window: Window) -> Document:
    """Return the photo or the puzzle that a window shows."""
    return present(window.document)


def board_of(window: Window) -> BoardState:
    """Return the board that is chosen in a window."""
    return present(document_of(window).board)


def solution_of(window: Window) -> Grid:
    """Return the solution of the board that is chosen in a window."""
    return present(board_of(window).solution)
