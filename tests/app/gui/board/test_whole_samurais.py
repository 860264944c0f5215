"""A samurai in the window: one board of several grids, with places that are no cells."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from present import present
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from window_rig import (
    CONTROL,
    OpenWindow,
    board_of,
    choose_item,
    click_cell,
    kept_in,
    press,
    read_labels,
    session_of,
    wait_for_work,
)

from app.board.board_forms import face_of
from app.board.board_state import begin_puzzle
from app.gui.board.access import say_cell
from app.gui.board.layer import BoardLayer
from app.gui.board.printing import AnswerPlace, PrintedPage, draw_pdf
from app.gui.window.main_window import Window
from app.gui.window.new_puzzle_dialog import NewPuzzleDialog
from app.puzzles.new_puzzle import PuzzleWish
from app.puzzles.puzzle_texts import read_text
from app.recognition.outcome import Outcome
from solver.formats_kinds import KindPuzzle, format_cells
from solver.generation.generate_kinds import KindOptions, generate_kind
from solver.grid import Grid
from solver.rules import Kind

WIDTH = 15
NO_CELL = 9
"""Beside the first grid of two."""


@cache
def samurai() -> KindPuzzle:
    return next(generate_kind(1, KindOptions(Kind.SAMURAI, n_grids=2, clues=70), seed=2))


def solution() -> Grid:
    return present(samurai().solution)


def empty_cells() -> list[int]:
    clues = samurai().clues.ravel()
    return [cell for cell in samurai().rules.cells if not clues[cell]]


def type_digit(window: Window, cell: int, digit: int) -> None:
    window.editor.select(cell)
    QTest.keyClick(window.clean, Qt.Key(Qt.Key.Key_0 + digit))


@pytest.fixture
def window(open_window: OpenWindow) -> Window:
    opened = open_window()
    opened.commands.open_given(samurai(), "Samurai")
    wait_for_work(opened)
    return opened


def test_it_is_one_board_whose_gaps_cannot_be_chosen_or_written(window: Window) -> None:
    held, clean = board_of(window), window.clean
    assert held.board.outcome is Outcome.SOLVED
    assert np.array_equal(present(held.solution), solution())
    assert len(held.symbols) == 9
    face = present(clean.face)
    assert [one.is_cell for one in face.cells] == [
        place in samurai().rules.cells for place in range(WIDTH**2)
    ]
    assert "no cell" in say_cell(NO_CELL, face.cells[NO_CELL], WIDTH)

    for place, chosen in ((8, 8), (NO_CELL, None)):
        click_cell(clean, place)
        assert window.editor.cell == chosen
    window.editor.select(8)
    QTest.keyClick(clean, Qt.Key.Key_Right)
    assert window.editor.cell == WIDTH  # the next row, as one writes
    window.editor.select(8)
    QTest.keyClick(clean, Qt.Key.Key_Up)
    assert window.editor.cell == 14 * WIDTH + 8
    window.editor.choose_all()
    assert window.editor.cells == set(samurai().rules.cells)
    QTest.keyClick(clean, Qt.Key.Key_5, CONTROL)
    assert board_of(window).pencil.centre[NO_CELL] == 0
    assert any(board_of(window).pencil.centre)


def test_it_is_played_checked_and_undone(window: Window) -> None:
    first, second, third = empty_cells()[:3]
    right = solution().ravel()
    type_digit(window, first, int(right[first]))
    type_digit(window, second, int(right[second]) % 9 + 1)
    QTest.keyClick(window, Qt.Key.Key_H)

    press(window.panels, "Check my entries")

    assert "1 right, 1 wrong" in read_labels(window.panels)
    QTest.keyClick(window, Qt.Key.Key_Z, CONTROL)
    assert not board_of(window).board.entries.flat[second]
    press(window.panels, "Hint")
    press(window.panels, "Which cells?")
    assert "Technique" in read_labels(window.panels)
    assert "of grid" in read_labels(window.panels)
    window.editor.select(third)
    press(window.panels, "Reveal this cell")
    assert third in board_of(window).revealed


def test_its_last_digit_finishes_it_and_all_of_it_is_kept(window: Window, tmp_path: Path) -> None:
    QTest.keyClick(window, Qt.Key.Key_H)  # hints are open meanwhile
    right = solution().ravel()
    *cells, last = empty_cells()
    for cell in cells:
        type_digit(window, cell, int(right[cell]))
    type_digit(window, last, int(right[last]) % 9 + 1)
    assert "not every digit is right" in window.status.status.headline
    type_digit(window, last, int(right[last]))
    press(window.panels, "Hint")
    assert "The puzzle is finished, and every digit is right." in read_labels(window.panels)
    wait_for_work(window)
    window.history_recorder.flush()
    wait_for_work(window)

    (entry,) = kept_in(tmp_path, "samurai")
    assert entry.rules == samurai().rules
    assert np.array_equal(entry.entries + entry.clues, solution())
    assert entry.is_finished


def test_the_next_start_opens_it_as_it_was_left(window: Window, open_window: OpenWindow) -> None:
    cell = empty_cells()[-1]
    type_digit(window, cell, 7)
    window.editor.select(empty_cells()[0])
    QTest.keyClick(window.clean, Qt.Key.Key_4, CONTROL)
    window.close()

    again = open_window()

    held = board_of(again)
    assert held.board.rules == samurai().rules
    assert held.board.entries.flat[cell] == 7
    assert held.pencil.centre[empty_cells()[0]] == 1 << 4
    assert held.solution is not None


def test_it_is_copied_and_pasted_with_all_its_grids(window: Window, collecting_here: None) -> None:
    menu = present(window.share)
    menu.copy_puzzle()
    copied = read_text(QGuiApplication.clipboard().text())
    assert copied.rules == samurai().rules
    assert np.array_equal(copied.clues, samurai().clues)

    QTest.keyClick(window, Qt.Key.Key_V, CONTROL)

    wait_for_work(window)
    assert len(session_of(window).documents) == 2
    assert board_of(window).board.rules == samurai().rules
    menu.copy_solution()
    assert QGuiApplication.clipboard().text() == format_cells(samurai().rules, solution())


def test_it_is_printed_with_its_solution(qapp: object) -> None:
    page = PrintedPage(
        "Samurai", samurai().clues, solution(), AnswerPlace.BELOW, rules=samurai().rules
    )

    assert draw_pdf(page).startswith(b"%PDF")


def test_on_a_photo_it_is_outlined_and_pointed_at_by_its_cells(qapp: object) -> None:
    held = present(begin_puzzle(samurai().clues, rules=samurai().rules).board)
    layer = BoardLayer(face_of(held))

    def at(column: int, row: int) -> int | None:
        return layer.cell_at(QPointF(column + 1, row + 1))

    assert at(0, 0) == 0
    assert at(10, 0) is None
    assert at(10, 10) == 10 * WIDTH + 10


def test_the_dialog_offers_them(qtbot: QtBot, collecting_here: None) -> None:
    dialog = NewPuzzleDialog(seed=1)
    qtbot.addWidget(dialog)
    choose_item(dialog, "Samurai")
    choose_item(dialog, "3 grids")

    assert dialog.wish == PuzzleWish(dialog.wish.level, kind=Kind.SAMURAI, side=9, n_grids=3)
    choose_item(dialog, "Classic")
    choose_item(dialog, "9×9")
    assert dialog.wish.side == 9
