"""Techniques in the window: their pages, the way there from a hint, and practice."""

import numpy as np
import pytest
from present import present
from puzzles import EASY, EASY_GRID
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot
from window_rig import (
    SHIFT,
    OpenWindow,
    board_of,
    document_of,
    find_button,
    press,
    read_labels,
    wait_for_work,
    wait_until,
    write,
)

from app.gui.board.clean_board import CleanBoard
from app.gui.panels.technique_panel import TechniquePanel
from app.gui.window.main_window import Window
from app.help.technique_lessons import NEEDED_NEXT, next_technique
from solver.formats_kinds import KindPuzzle, parse_kind_puzzle
from solver.grid import parse_grid
from solver.human.position import Technique
from solver.rules import Kind


@pytest.fixture
def window(open_window: OpenWindow) -> Window:
    opened = open_window()
    opened.commands.open_given(parse_kind_puzzle(EASY), "Puzzle")
    wait_for_work(opened)
    return opened


def clues_in(picture: CleanBoard) -> list[int]:
    return [cell.clue for cell in present(picture.face).cells]


def open_page(window: Window, name: str) -> TechniquePanel:
    """Open the pages by their key, and one of them by the keys of the list."""
    if not window.actions_of_window.technique_panel.isChecked():
        QTest.keyClick(window, Qt.Key.Key_H, SHIFT)
    panel = present(window.findChild(TechniquePanel))
    (names,) = panel.findChildren(QComboBox)
    names.setFocus()
    QTest.keyClick(names, Qt.Key.Key_Home)
    while names.currentText() != name:
        before = names.currentIndex()
        QTest.keyClick(names, Qt.Key.Key_Down)
        assert names.currentIndex() > before
    return panel


def test_a_page_shows_its_technique_on_the_board_at_hand_or_in_an_example(window: Window) -> None:
    panel = open_page(window, "Hidden single in a box")
    wait_until(lambda: "On your board now" in read_labels(panel))
    (picture,) = panel.findChildren(CleanBoard)
    assert clues_in(picture) == EASY_GRID.ravel().tolist()
    assert "only in" in read_labels(panel)
    shown = picture.grab().toImage()
    picture.set_highlight(None)
    assert picture.grab().toImage() != shown
    # The picture follows the board.
    write(window, 2, "4")
    wait_until(lambda: clues_in(picture)[2] == 4)

    open_page(window, "BUG+1")

    wait_until(lambda: "An example" in read_labels(panel))
    (picture,) = panel.findChildren(CleanBoard)
    assert clues_in(picture) == parse_grid(NEEDED_NEXT[Technique.BUG]).ravel().tolist()


def test_a_hint_leads_to_the_page_of_its_technique(window: Window) -> None:
    QTest.keyClick(window, Qt.Key.Key_H)
    hints = window.panels
    press(hints, "Hint")
    assert not find_button(hints, "What is this technique?").isVisible()
    press(hints, "Which cells?")

    press(hints, "What is this technique?")

    panel = present(window.findChild(TechniquePanel))
    assert panel.isVisible()
    assert panel.technique is next_technique(parse_kind_puzzle(EASY))


def test_practice_opens_a_puzzle_that_needs_the_technique_next(blank: Window) -> None:
    panel = open_page(blank, "Pointing (locked candidates)")

    press(panel, "Practise it")

    # The first search of all compiles what makes puzzles.
    wait_until(lambda: blank.document is not None, timeout=120_000)
    wait_for_work(blank)
    assert document_of(blank).name == "Practice: Pointing (locked candidates)"
    held = board_of(blank)
    assert held.solution is not None
    assert held.is_given
    assert not held.revealed
    assert next_technique(KindPuzzle(held.board.rules, held.board.clues)) is Technique.POINTING
    # Hints lead on there, and the page gives nothing away.
    assert not panel.isVisible()
    press(blank.panels, "Hint")
    press(blank.panels, "Which cells?")
    assert "pointing" in read_labels(blank.panels)


def test_sums_are_practised_on_a_killer_with_notes(blank: Window) -> None:
    panel = open_page(blank, "Innies and outies (rule of 45)")

    press(panel, "Practise it")

    wait_until(lambda: blank.document is not None, timeout=120_000)
    wait_for_work(blank)
    held = board_of(blank)
    assert held.board.kind is Kind.KILLER
    # The notes hold what easier steps leave, and hints go on from there.
    assert any(held.pencil.centre)
    press(blank.panels, "Hint")
    press(blank.panels, "Which cells?")
    assert "rule of 45" in read_labels(blank.panels)


def test_practice_of_what_hardly_comes_next_says_so(qtbot: QtBot) -> None:
    panel = TechniquePanel(seed=1)
    qtbot.addWidget(panel)
    panel.show()
    panel.show_technique(Technique.REMOTE_PAIR)
    found: list[str] = []
    panel.practice_found.connect(lambda _, name: found.append(name))

    press(panel, "Practise it")

    wait_until(lambda: bool(found))
    assert found == ["Practice: Remote pair (easier steps come first)"]


def test_a_search_can_be_stopped(qtbot: QtBot) -> None:
    panel = TechniquePanel(seed=1, search_seconds=600.0)
    qtbot.addWidget(panel)
    panel.show()
    panel.show_technique(Technique.JELLYFISH)
    found: list[object] = []
    panel.practice_found.connect(lambda grid, _: found.append(np.asarray(grid)))
    press(panel, "Practise it")
    assert "Looking for a puzzle" in read_labels(panel)

    press(panel, "Stop")

    assert "Looking for a puzzle" not in read_labels(panel)
    press(panel, "Practise it")  # and may be begun again
    assert "Looking for a puzzle" in read_labels(panel)
    panel.hide()
    assert found == []
