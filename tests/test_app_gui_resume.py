"""What was open comes back as it was left: from the history, and at the next start."""

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import wait_for_work
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QListWidget, QPushButton
from pytestqt.qtbot import QtBot

from app.board_state import ALL_CELLS, BoardState
from app.gui.window import Window
from app.history import History
from solver.grid import format_grid, parse_grid
from training.render_board import render_board
from vision.images import save_image

EASY = parse_grid(
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
)
OTHER = parse_grid(
    "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."
)
OpenWindow = Callable[..., Window]
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def photos(tmp_path: Path) -> tuple[Path, Path]:
    paths = tmp_path / "easy.png", tmp_path / "other.png"
    for path, clues in zip(paths, (EASY, OTHER), strict=True):
        save_image(path, render_board(clues, px=450)[0])
    return paths


def board_of(window: Window) -> BoardState:
    assert window.document is not None
    assert window.document.board is not None
    return window.document.board


def names_of(window: Window) -> list[str]:
    assert window.session is not None
    return [document.name for document in window.session.documents]


def write(window: Window, cell: int, digits: str) -> None:
    window.editor.select(cell)
    QTest.keyClicks(window.clean, digits)
    window.editor.select(None)


def open_given(qtbot: QtBot, window: Window) -> None:
    """Open a puzzle as the dialog for new ones does."""
    window.commands._open_made(EASY)
    wait_for_work(qtbot, window)


def open_from_history(qtbot: QtBot, window: Window, row: int = 0) -> None:
    if not window.actions_of_window.history_panel.isChecked():
        window.actions_of_window.history_panel.trigger()
    panel = window.keeping.panel()
    qtbot.waitUntil(panel.isVisible)
    shown = panel.findChildren(QListWidget)[0]
    place = shown.visualItemRect(shown.item(row)).center()
    QTest.mouseClick(shown.viewport(), Qt.MouseButton.LeftButton, pos=place)
    (button,) = (one for one in panel.findChildren(QPushButton) if one.text() == "Open")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    wait_for_work(qtbot, window)


def test_a_generated_puzzle_is_opened_from_the_history_as_it_was_left(
    qtbot: QtBot, open_window: OpenWindow
) -> None:
    window = open_window()
    open_given(qtbot, window)
    write(window, 2, "4")
    write(window, 3, "1")
    window.editor.reveal_cell(80 - 2)
    window.actions_of_window.close.trigger()
    assert window.document is None

    open_from_history(qtbot, window)

    board = board_of(window)
    assert board.solution is not None
    assert board.board.entries.ravel()[2:4].tolist() == [4, 1]
    assert board.revealed == {78}
    assert window.clean._face is not None
    assert sum(cell.solution > 0 for cell in window.clean._face.cells) <= 1


def test_a_puzzle_that_was_never_touched_is_opened_from_the_history_without_its_solution(
    qtbot: QtBot, open_window: OpenWindow
) -> None:
    window = open_window()
    open_given(qtbot, window)

    open_from_history(qtbot, window)

    assert board_of(window).revealed == frozenset()
    assert len(names_of(window)) == 2


def test_a_photo_is_opened_from_the_history_with_the_solution_that_was_shown(
    qtbot: QtBot, open_window: OpenWindow, photos: tuple[Path, Path]
) -> None:
    window = open_window(photos[0])

    open_from_history(qtbot, window)

    assert board_of(window).revealed == ALL_CELLS


def test_what_is_typed_until_the_window_closes_is_in_the_history(
    qtbot: QtBot, open_window: OpenWindow, tmp_path: Path
) -> None:
    window = open_window()
    open_given(qtbot, window)
    write(window, 2, "4")

    window.close()

    kept = History(tmp_path / "data" / "history.sqlite").find()
    assert isinstance(kept, list)
    assert kept[0].entries[0, 2] == 4
