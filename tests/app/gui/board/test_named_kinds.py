"""A kind that no picture shows is never guessed; a button takes it where a person knows it."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from kind_puzzles import kind_photo
from present import present
from window_rig import (
    OpenWindow,
    board_of,
    offers_of,
    open_puzzle,
    press,
    press_offer,
    wait_for_work,
)

from app.board.board_edits import move_corners, name_kind, set_digit
from app.board.board_state import PhotoState, begin_puzzle
from app.board.saved_boards import resume_saved_photo, save_board
from app.board.saved_session import SavedDocument
from app.gui.window.main_window import Window
from app.recognition.outcome import Outcome
from solver.formats_kinds import KindPuzzle
from solver.grid import GridError, parse_grid
from solver.rules import CLASSIC_RULES, Kind, box_rules
from training.pages.flat_board import render_board
from vision.media.images import save_image

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
