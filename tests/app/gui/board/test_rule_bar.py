"""What was misread of a puzzle's rules, or is not printed, is put right by hand: its kind, regions,
cages and sums."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from kind_puzzles import erase_sums, kind_photo, usual_kind
from present import present
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLineEdit, QPushButton
from window_rig import (
    CONTROL,
    SHIFT,
    OpenWindow,
    board_of,
    click_cell,
    drag_over,
    offers_of,
    open_puzzle,
    press,
    press_key,
    press_offer,
    wait_for_work,
    wait_until,
)

from app.board.board_edits import move_corners, name_kind, set_digit
from app.board.board_forms import resume_saved_photo, save_board
from app.board.board_state import PhotoState, begin_puzzle
from app.board.saved_session import SavedDocument
from app.gui.window.main_window import Window
from app.recognition.outcome import Outcome
from solver.formats_kinds import KindPuzzle
from solver.grid import GridError, parse_grid
from solver.rules import CLASSIC_RULES, Cage, Kind, Rules, box_rules
from training.pages.flat_board import render_board
from training.rendered.kind_photos import render_kind_photo
from training.rendered.large_digits import NO_DATA, using_shapes_of
from vision.media.images import save_image


@pytest.fixture(scope="module")
def killer() -> KindPuzzle:
    return usual_kind(Kind.KILLER)


@pytest.fixture(scope="module")
def jigsaw() -> KindPuzzle:
    return usual_kind(Kind.JIGSAW)


def open_rules(window: Window, puzzle: KindPuzzle, rules: Rules | None = None) -> None:
    """Open a puzzle, and the bar in which its rules are corrected."""
    open_puzzle(window, puzzle.clues, rules or puzzle.rules)
    QTest.keyClick(window.clean, Qt.Key.Key_E)
    assert window.central_view.rule_bar.isVisible()


def type_sum(window: Window, total: int) -> None:
    """Type as many figures as a sum has, wherever the keys are, and Return."""
    for figure in str(total):
        focused = present(window.focusWidget())
        QTest.keyClicks(focused, figure)
    field = window.focusWidget()
    assert isinstance(field, QLineEdit)
    QTest.keyClick(field, Qt.Key.Key_Return)


def is_right(window: Window, puzzle: KindPuzzle) -> bool:
    solution = board_of(window).solution
    return solution is not None and np.array_equal(solution, present(puzzle.solution))


def with_sum(rules: Rules, number: int, total: int) -> Rules:
    cages = list(rules.cages)
    cages[number] = Cage(total, cages[number].cells)
    return replace(rules, cages=tuple(cages))


def test_a_sum_is_corrected_by_keys_and_the_killer_solved_anew(
    open_window: OpenWindow, killer: KindPuzzle
) -> None:
    number = next(n for n, cage in enumerate(killer.rules.cages) if len(cage.cells) == 3)
    cage = killer.rules.cages[number]
    wrong = cage.total + 1 if cage.total < 24 else cage.total - 1
    window = open_window()
    open_rules(window, killer, with_sum(killer.rules, number, wrong))
    assert board_of(window).solution is None

    click_cell(window.clean, cage.cells[1])
    type_sum(window, cage.total)
    wait_for_work(window)

    assert is_right(window, killer)
    assert window.clean.hasFocus()
    assert window.status.status.headline.startswith("Solved")
    assert "The cages are as you said." in window.status.status.detail
    press_key(window.clean, Qt.Key.Key_Z, CONTROL)
    assert board_of(window).solution is None
    press_key(window.clean, Qt.Key.Key_Z, CONTROL | SHIFT)
    assert is_right(window, killer)


def test_a_sum_that_no_cage_can_have_is_told_and_solved_by_no_means(
    open_window: OpenWindow, killer: KindPuzzle
) -> None:
    cage = next(cage for cage in killer.rules.cages if len(cage.cells) == 2)
    window = open_window()
    open_rules(window, killer)
    assert is_right(window, killer)

    click_cell(window.clean, cage.cells[0])
    type_sum(window, 99)
    wait_for_work(window)

    assert board_of(window).solution is None
    assert window.status.status.headline == "The cages do not fit yet"
    row, column = cage.cells[0] // 9 + 1, cage.cells[0] % 9 + 1
    assert window.status.status.detail == (
        f"The sum of the cage at row {row}, column {column} must be 3 to 17."
    )


def test_a_killer_of_which_three_sums_are_doubtful_is_corrected_on_its_photo(
    open_window: OpenWindow, tmp_path: Path
) -> None:
    with using_shapes_of(NO_DATA):  # the same wherever it is drawn
        shown = render_kind_photo(Kind.KILLER, 1, 1)
    doubtful = [cage for cage in shown.puzzle.rules.cages if len(cage.cells) > 2][:3]
    save_image(tmp_path / "killer.png", erase_sums(shown, doubtful))
    window = open_window(tmp_path / "killer.png")
    assert board_of(window).solution is None
    assert "Compare the sums of the cages at" in window.status.status.detail
    face = present(window.clean.face)
    tinted = [cell for cell, one in enumerate(face.cells) if one.doubt is not None]
    assert tinted == [cage.cells[0] for cage in doubtful]
    assert len(set(face.cages)) == len(shown.puzzle.rules.cages)

    press(window.status, "Correct the cages")
    for cage in doubtful:  # the last sum may follow from the others
        click_cell(window.clean, cage.cells[0])
        type_sum(window, cage.total)
        wait_for_work(window)

    assert is_right(window, shown.puzzle)
    face = present(window.clean.face)
    assert all(one.doubt is None for one in face.cells)
    window.close()
    again = open_window()
    assert is_right(again, shown.puzzle)


def test_cells_are_moved_from_cage_to_cage(open_window: OpenWindow, killer: KindPuzzle) -> None:
    """Two cages that were read as one are parted, and one of them is given back its cells."""
    cages = killer.rules.cages
    one, other = next(
        (one, other)
        for one in cages
        for other in cages
        if one.cells[-1] + 1 == other.cells[0]
        and other.cells[0] % 9
        and len(other.cells) > 1
        and len(one.cells) + len(other.cells) < 8
    )
    joined = Cage(one.total + other.total, tuple(sorted(one.cells + other.cells)))
    rest = tuple(cage for cage in cages if cage not in (one, other))
    window = open_window()
    open_rules(window, killer, replace(killer.rules, cages=(*rest, joined)))

    drag_over(window.clean, list(other.cells))
    press(window.central_view.rule_bar, "New cage")
    wait_for_work(window)
    assert window.status.status.headline == "The cages do not fit yet"
    for cage in (one, other):
        assert board_of(window).solution is None
        told = window.status.status.detail
        assert ("no sum yet" in told) == (cage is other)
        click_cell(window.clean, cage.cells[0])
        type_sum(window, cage.total)
    wait_for_work(window)

    assert is_right(window, killer)
    rules = present(board_of(window).board.rules)
    assert set(rules.cages) == set(cages)


def test_regions_are_painted_until_they_fit(open_window: OpenWindow, jigsaw: KindPuzzle) -> None:
    """A cell that was read into the wrong region goes back to its own, and another one with it."""
    window = open_window()
    open_rules(window, jigsaw)
    region_of = {cell: n for n, cells in enumerate(jigsaw.rules.regions) for cell in cells}
    cell = next(
        cell for cell in range(80) if cell % 9 < 8 and region_of[cell] != region_of[cell + 1]
    )

    drag_over(window.clean, [cell, cell + 1])
    press_key(window.clean, Qt.Key.Key_Return)

    assert board_of(window).solution is None
    assert window.status.status.headline == "The regions do not fit yet"
    face = present(window.clean.face)
    assert face.regions[cell] == face.regions[cell + 1]
    draft = present(board_of(window).draft)
    window.close()
    window = open_window()
    assert board_of(window).draft == draft
    assert board_of(window).solution is None
    window.editor.select(next(one for one in range(81) if not jigsaw.clues.flat[one]))
    window.editor.set_digit(1)
    wait_for_work(window)
    assert board_of(window).solution is None  # no rules, no solution
    window.actions_of_window.undo.trigger()
    # The neighbour goes back by keys.
    home = next(one for one in jigsaw.rules.regions[region_of[cell + 1]] if one != cell + 1)
    if not window.central_view.rule_bar.isVisible():
        QTest.keyClick(window.clean, Qt.Key.Key_E)
    window.editor.select(home)
    window.editor.add(cell + 1)
    press(window.central_view.rule_bar, "Join them")
    wait_for_work(window)
    assert is_right(window, jigsaw)
    rules = present(board_of(window).board.rules)
    assert set(rules.regions) == set(jigsaw.rules.regions)


def test_the_kind_is_chosen_in_the_bar(open_window: OpenWindow) -> None:
    puzzle = usual_kind(Kind.WINDOKU)
    window = open_window()
    open_puzzle(window, puzzle.clues)
    QTest.keyClick(window.clean, Qt.Key.Key_E)
    (choice,) = window.central_view.rule_bar.findChildren(QComboBox)
    assert choice.currentText() == "Classic"
    offered = [choice.itemText(number) for number in range(choice.count())]
    assert offered == ["Classic", "Jigsaw", "Diagonal", "Killer", "Windoku"]

    choice.setFocus()
    QTest.keyClick(choice, Qt.Key.Key_Space)
    for _ in range(offered.index("Windoku")):
        QTest.keyClick(choice.view(), Qt.Key.Key_Down)
    QTest.keyClick(choice.view(), Qt.Key.Key_Return)
    wait_for_work(window)

    assert is_right(window, puzzle)
    assert board_of(window).board.kind is Kind.WINDOKU


def test_a_killer_without_digits_is_typed_from_nothing(blank: Window, killer: KindPuzzle) -> None:
    blank.actions_of_window.type_puzzle.trigger()
    QTest.keyClick(blank.clean, Qt.Key.Key_E)
    bar = blank.central_view.rule_bar
    bar.kind.activated.emit(bar.kinds.index(Kind.KILLER))
    for cage in killer.rules.cages:
        blank.editor.select(cage.cells[0])
        for cell in cage.cells[1:]:
            blank.editor.add(cell)
        QTest.keyClick(blank.clean, Qt.Key.Key_Return, CONTROL)
        bar.sum.setText(str(cage.total))
        QTest.keyClick(bar.sum, Qt.Key.Key_Return)
    wait_for_work(blank)

    assert is_right(blank, killer)


def test_every_part_of_the_bar_has_a_name_is_reached_by_tab_and_can_be_read(
    blank: Window, killer: KindPuzzle
) -> None:
    open_rules(blank, killer)
    blank.editor.select(0)
    bar = blank.central_view.rule_bar
    parts = [*bar.findChildren(QPushButton), *bar.findChildren(QComboBox)]
    parts += bar.findChildren(QLineEdit)

    named = [one for one in parts if one.isVisible()]

    assert len(named) == 5
    # On Linux Qt itself tells screen readers the chosen line for a list's name.
    spoken = [
        one.text().replace("&", "") if isinstance(one, QPushButton) else one.accessibleName()
        for one in named
    ]
    assert sorted(spoken) == ["Done", "Join them", "Kind", "New cage", "Sum"]
    for one in named:
        assert one.focusPolicy() & Qt.FocusPolicy.TabFocus

    def are_whole() -> bool:
        return all(
            part.width() >= part.sizeHint().width() and bar.rect().contains(part.geometry())
            for part in bar.findChildren(QPushButton)
        )

    assert bar.minimumSizeHint().width() <= 430
    for width in (430, 900):
        bar.setFixedWidth(width)
        wait_until(are_whole)
    # While a board is played, its rules stand fast.
    blank.actions_of_window.play.trigger()
    assert not bar.isVisible()
    assert not blank.actions_of_window.rules.isEnabled()
    assert not blank.actions_of_window.rules.isChecked()


# --- kinds that no picture shows, which are never guessed


TWO_KINDS = parse_grid(
    "............8...32....7....14.2.....3.....6..5..............97..8.1.6.....15....."
)
"""Has one solution with both diagonals, another one with four windows, and more without these."""


@pytest.fixture(scope="module")
def puzzle() -> KindPuzzle:
    """A diagonal puzzle, which has several solutions without its diagonals."""
    return kind_photo(Kind.DIAGONAL, 1, 3).puzzle


@pytest.fixture
def unmarked(tmp_path: Path, puzzle: KindPuzzle) -> Path:
    """The same, printed without its diagonals."""
    path = tmp_path / "page.png"
    save_image(path, render_board(puzzle.clues, 450)[0])
    return path


def offered(window: Window) -> list[str]:
    return [one.text() for one in offers_of(window.status)]


def test_diagonals_that_no_picture_shows_are_offered_taken_and_kept(
    open_window: OpenWindow, unmarked: Path, puzzle: KindPuzzle
) -> None:
    solution = present(puzzle.solution)
    window = open_window(unmarked)

    status = window.status.status
    assert board_of(window).solution is None
    assert status.headline == "More than one solution"
    assert "With both diagonals it has exactly one solution." in status.detail
    assert "--kind" not in status.detail
    assert offered(window) == ["Solve with diagonals"]
    press_offer(window.status)
    wait_for_work(window)

    held = board_of(window)
    assert np.array_equal(present(held.solution), solution)
    assert held.board.kind is Kind.DIAGONAL
    face = present(window.clean.face)
    assert len(face.marked) == 17
    assert window.status.status.headline.startswith("Solved")
    assert "Both diagonals count, as you said." in window.status.status.detail

    window.actions_of_window.undo.trigger()
    wait_for_work(window)
    assert board_of(window).board.outcome is Outcome.AMBIGUOUS
    assert board_of(window).board.rules == CLASSIC_RULES
    assert offered(window) == ["Solve with diagonals"]
    press_offer(window.status)
    wait_for_work(window)

    # It holds for what is typed then, and at the next start.
    cell = int(np.flatnonzero(puzzle.clues.ravel() == 0)[0])
    right = int(solution.flat[cell])
    window.editor.select(cell)
    for digit in (right, right % 9 + 1, right):
        window.editor.set_digit(digit)
        wait_for_work(window)
        assert (board_of(window).solution is not None) == (digit == right)
        assert digit == right or offered(window) == ["Undo"]
    window.close()
    again = board_of(open_window())
    assert again.board.kind is Kind.DIAGONAL
    assert np.array_equal(present(again.solution), solution)


def test_a_board_that_was_placed_by_hand_keeps_its_rules(puzzle: KindPuzzle) -> None:
    """Where nothing is found there any more, classic rules would solve another puzzle."""
    state = PhotoState()
    corners = np.array([[10, 10], [460, 10], [460, 460], [10, 460]], np.float32)
    placed = present(move_corners(state, corners).board)
    rules = box_rules(9, Kind.DIAGONAL)
    board = replace(placed.board, clues=puzzle.clues, rules=rules)
    corrected = set_digit(PhotoState((replace(placed, board=board, pending=None),), 0), 1, 5)
    boards = (save_board(present(corrected.board)),)
    saved = SavedDocument("page", "page.png", boards=boards, chosen=0)

    again = present(resume_saved_photo(PhotoState(), saved).board)

    assert again.board.rules == rules


def test_a_kind_that_the_side_has_not_is_none() -> None:
    state = begin_puzzle(np.zeros((6, 6), np.uint8), revealed=frozenset(range(36)))

    with pytest.raises(GridError, match="square boxes"):
        name_kind(state, Kind.WINDOKU)
    assert name_kind(state, Kind.CLASSIC) is state
    assert name_kind(PhotoState(), Kind.DIAGONAL).board is None


def test_where_two_kinds_would_do_both_are_offered(blank: Window) -> None:
    open_puzzle(blank, TWO_KINDS)

    assert offered(blank) == ["Solve with diagonals", "Solve with windows"]
    press(blank.status, "Solve with windows")
    wait_for_work(blank)

    assert board_of(blank).board.kind is Kind.WINDOKU
    assert "four windows" in blank.status.status.detail
