"""What is shown as solved is the solution, and wrong entries are marked beside it."""

from pathlib import Path

import pytest
from present import present
from puzzles import EASY_GRID, EASY_SOLUTION_GRID
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage
from PySide6.QtTest import QTest
from window_rig import OpenWindow, board_of, open_puzzle, wait_for_work, write

from app.gui.board.keys import DigitPad
from app.gui.board.printing import AnswerPlace
from app.gui.window.main_window import Window
from app.report.board_marks import Highlight
from solver.grid import format_grid

WRONG = 2
"""A cell whose solution is 4, where the tests write a 1."""


@pytest.fixture
def window(open_window: OpenWindow) -> Window:
    """A given puzzle whose solution is kept back, as one that was just made."""
    window = open_window()
    open_puzzle(window, EASY_GRID, is_given=True)
    return window


def middle_of(window: Window, cell: int) -> QImage:
    """Return the part of a cell of the clean board where its large digit stands."""
    rect = window.clean.cell_rect(cell)
    inner = QRectF(rect.x() + 0.3 * rect.width(), rect.y() + 0.38 * rect.height(), 0, 0)
    inner.setSize(rect.size() * 0.45)
    return window.clean.grab(inner.toAlignedRect()).toImage()


def reds_in(image: QImage) -> int:
    pixels = (image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height()))
    return sum(_is_red(pixel) for pixel in pixels)


def _is_red(colour: QColor) -> bool:
    return colour.red() > 140 and colour.green() < 110 and colour.blue() < 110


def reds_on_clean_board(window: Window, cell: int) -> int:
    return reds_in(window.clean.grab(window.clean.cell_rect(cell).toAlignedRect()).toImage())


def reds_on_photo(window: Window, cell: int) -> int:
    rect = window.photo.cell_rect(cell).toAlignedRect()
    return reds_in(window.photo.viewport().grab(rect).toImage())


def test_the_solution_takes_the_place_of_a_wrong_entry(window: Window) -> None:
    QTest.keyClick(window, Qt.Key.Key_S)
    right = middle_of(window, WRONG)
    QTest.keyClick(window, Qt.Key.Key_S)
    write(window, WRONG, "1")
    assert middle_of(window, WRONG) != right

    QTest.keyClick(window, Qt.Key.Key_S)

    assert board_of(window).board.entries.flat[WRONG] == 1
    assert middle_of(window, WRONG) == right
    assert reds_on_clean_board(window, WRONG) > 10
    assert window.status.status.headline.startswith("Solved · exactly one solution")
    assert window.status.status.detail == "One entry differs from the solution: see the cross."
    # So does a step of the walk.
    QTest.keyClick(window, Qt.Key.Key_S)
    window.clean.set_highlight(Highlight(digits={WRONG: 4}))
    assert middle_of(window, WRONG) == right
    assert reds_on_clean_board(window, WRONG) > 10


def test_what_stands_on_a_board_that_is_said_to_be_solved_is_its_solution(window: Window) -> None:
    for cell, digit in ((2, "1"), (3, "1"), (5, "8")):
        write(window, cell, digit)
    QTest.keyClick(window, Qt.Key.Key_S)

    board = board_of(window)

    assert format_grid(board.shown) == format_grid(EASY_SOLUTION_GRID)
    assert board.wrong_entries == (2, 3)
    assert "2 entries differ" in window.status.status.detail


def test_digits_that_a_struck_entry_repeats_are_not_red(window: Window) -> None:
    window.actions_of_window.conflicts.trigger()
    write(window, WRONG, "5")
    assert board_of(window).shown.flat[WRONG] == 5
    assert board_of(window).shown[0, 0] == 5
    assert present(window.clean.face).cells[0].doubt is not None

    QTest.keyClick(window, Qt.Key.Key_S)

    assert present(window.clean.face).cells[0].doubt is None


def test_a_wrong_entry_is_given_away_only_where_its_cell_is_solved(window: Window) -> None:
    write(window, WRONG, "1")
    assert reds_on_clean_board(window, WRONG) == 0
    assert board_of(window).wrong_entries == ()
    assert window.status.status.headline == "A puzzle with exactly one solution"
    window.editor.select(WRONG)
    QTest.keyClick(window.clean, Qt.Key.Key_Return)
    (pad,) = window.findChildren(DigitPad)
    assert pad.isVisible()

    QTest.mouseClick(pad._reveal, Qt.MouseButton.LeftButton)

    assert board_of(window).wrong_entries == (WRONG,)
    assert "4, solution; the entry 1 is wrong" in window.clean.accessibleDescription()


def test_a_wrong_entry_is_marked_on_photo_and_board(open_window: OpenWindow, photo: Path) -> None:
    window = open_window(photo)
    right = middle_of(window, WRONG)
    before = reds_on_photo(window, WRONG)

    window.editor.select(WRONG)
    QTest.keyClick(window.clean, Qt.Key.Key_1)
    QTest.keyClick(window, Qt.Key.Key_K)  # a line that was read as a handwritten 1
    wait_for_work(window)
    window.editor.select(None)

    assert board_of(window).board.entries.flat[WRONG] == 1
    assert window.status.status.headline.startswith("Solved · exactly one solution")
    assert middle_of(window, WRONG) == right
    assert reds_on_clean_board(window, WRONG) > 10
    assert reds_on_photo(window, WRONG) > before + 10
    # Only the solution itself is called solved.
    QTest.keyClick(window, Qt.Key.Key_S)
    assert window.status.status.headline.startswith("Exactly one solution")
    assert "Press S" in window.status.status.detail


def test_what_is_copied_beside_a_wrong_entry_is_the_solution(window: Window) -> None:
    write(window, WRONG, "1")
    menu = present(window.share)

    menu.copy_solution()

    assert QGuiApplication.clipboard().text() == format_grid(EASY_SOLUTION_GRID)
    page = present(menu._make_page(AnswerPlace.FILLED_IN))
    assert format_grid(present(page.solution)) == format_grid(EASY_SOLUTION_GRID)
    assert format_grid(present(page.clues)) == format_grid(EASY_GRID)
