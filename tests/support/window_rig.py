"""The window as a person uses it: what is open in it, keys and clicks, and waiting for its work."""

import hashlib
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from present import present
from PySide6.QtCore import QEventLoop, QMimeData, QPoint, QPointF, QSettings, Qt, QTimer, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QPushButton, QRadioButton, QWidget
from pytestqt.qtbot import QtBot

from app.board.board_state import BoardState
from app.board.history import History, HistoryEntry
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

CONTROL: Final = Qt.KeyboardModifier.ControlModifier
SHIFT: Final = Qt.KeyboardModifier.ShiftModifier


def find_button(part: QWidget, text: str) -> QPushButton:
    """Return the only button of a part of the window with that text, seen or not."""
    buttons = part.findChildren(QPushButton)
    (found,) = (one for one in buttons if one.text().replace("&", "") == text)
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


def press(part: QWidget, text: str) -> None:
    """Click the button with that text."""
    QTest.mouseClick(find_button(part, text), Qt.MouseButton.LeftButton)


def press_offer(part: QWidget) -> None:
    """Click the only button that is seen of a part of the window, such as the status line's."""
    (offer,) = (one for one in part.findChildren(QPushButton) if one.isVisible())
    QTest.mouseClick(offer, Qt.MouseButton.LeftButton)


def read_labels(part: QWidget) -> str:
    """Return all texts that are seen of a part of the window."""
    return " ".join(one.text() for one in part.findChildren(QLabel) if one.isVisible())


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
        if session is None or window.keeping.is_writing:
            return False
        return not any(one.is_working for one in session.documents)

    wait_until(is_done)


def open_with(load: Callable[[], Any], qtbot: QtBot, folder: Path, *photos: Path) -> Window:
    """Open a window whose line is what `load` returns; its settings and data lie in a folder."""
    settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
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


def drop(window: Window, data: QMimeData) -> None:
    """Drag something over the middle of the window and let it go, as Qt tells it."""
    place, actions = QPointF(400, 300), Qt.DropAction.CopyAction
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(place, actions, data, buttons, keys)
    QApplication.sendEvent(window, enter)
    if enter.isAccepted():
        QApplication.sendEvent(window, QDropEvent(place, actions, data, buttons, keys))


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
