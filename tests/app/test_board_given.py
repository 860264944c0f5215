"""Puzzles whose clues stand fast: what is typed are entries, and nothing is solved anew."""

from board_results import board_result
from present import present
from puzzles import EASY_GRID

from app.board.board_edits import set_digit, set_kind
from app.board.board_state import PhotoState, begin_puzzle
from app.board.timeline import settle
from solver.grid import Grid


def given() -> PhotoState:
    """A new puzzle after the line has solved it."""
    state = begin_puzzle(EASY_GRID, is_given=True)
    return settle(state, present(state.board), board_result())


def digits(state: PhotoState) -> tuple[Grid, Grid]:
    board = present(state.board).board
    return board.clues, board.entries


def test_a_typed_digit_is_an_entry_and_keeps_the_solution() -> None:
    state = set_digit(given(), 2, 9)

    clues, entries = digits(state)
    assert clues.tolist() == EASY_GRID.tolist()
    assert entries.ravel()[2] == 9
    assert present(state.board).pending is None
    assert present(state.board).solution is not None


def test_an_entry_is_changed_and_cleared() -> None:
    state = set_digit(set_digit(given(), 2, 9), 2, 4)
    assert digits(state)[1].ravel()[2] == 4

    assert not digits(set_digit(state, 2, 0))[1].any()


def test_a_given_clue_stays() -> None:
    state = given()

    assert set_digit(state, 0, 9) is state
    assert set_digit(state, 0, 0) is state


def test_an_entry_becomes_a_clue_only_where_that_is_said() -> None:
    state = set_kind(set_digit(given(), 2, 4), 2, is_printed=True)

    assert digits(state)[0].ravel()[2] == 4
    assert present(state.board).solution is None  # until it is solved anew
