"""What a person does to boards, as values: corrections, corners, undo, and what is shown."""

from dataclasses import replace

import numpy as np
import pytest
from board_results import board_result
from hypothesis import given
from hypothesis import strategies as st
from present import present
from puzzles import EASY_GRID, EASY_SOLUTION_GRID

from app.board.board_edits import (
    choose_board,
    choose_none,
    hide,
    move_corners,
    reveal,
    set_digit,
    set_kind,
)
from app.board.board_forms import face_of
from app.board.board_state import (
    BoardState,
    Pending,
    PhotoState,
    begin_photo,
    begin_puzzle,
    find_doubts,
)
from app.board.board_values import Doubt
from app.board.timeline import Timeline, amend, record, redo, settle, undo
from app.recognition.outcome import Outcome
from app.recognition.pipeline import Pipeline
from app.recognition.results import BoardResult, PhotoResult
from training.pages.flat_board import render_board


def photo_state(*boards: BoardResult) -> PhotoState:
    result = PhotoResult(Outcome.SOLVED, boards or (board_result(),), (), {})
    return begin_photo(result, is_revealed=True)


def held(state: PhotoState) -> BoardState:
    return present(state.board)


def written(**digits: int) -> PhotoState:
    """Return a solved photo with digits by hand; `c2=4` is a 4 in cell 2."""
    entries = np.zeros((9, 9), np.uint8)
    for cell, digit in digits.items():
        entries.flat[int(cell[1:])] = digit
    return photo_state(board_result(entries=entries))


def solution_of(state: PhotoState) -> list[int]:
    solution = held(state).solution
    return [] if solution is None else solution.ravel().tolist()


def run_on(pipeline: Pipeline, state: PhotoState) -> PhotoState:
    board = held(state)
    result = pipeline.solve_clues(board.board.clues, board.board.lattice)
    return settle(state, board, result)


def test_a_solved_photo_shows_its_best_boards_solution() -> None:
    state = photo_state()

    face = face_of(held(state))

    shown = [cell.clue or cell.solution for cell in face.cells]
    assert shown == EASY_SOLUTION_GRID.ravel().tolist()
    assert face.is_solved


def test_a_photo_without_boards_has_none_to_look_at() -> None:
    state = begin_photo(PhotoResult(Outcome.NO_BOARD, (), (), {}), is_revealed=True)

    assert state.board is None
    assert set_digit(state, 0, 5) is state


def test_a_corrected_board_has_no_solution_until_the_line_has_run_on() -> None:
    state = set_digit(photo_state(), 2, 4)

    board = held(state)
    assert board.pending is Pending.SOLVE
    assert board.solution is None
    assert not any(cell.solution for cell in face_of(board).cells)
    assert not face_of(board).is_solved


def test_a_right_digit_set_by_hand_is_solved_again(pipeline: Pipeline) -> None:
    state = run_on(pipeline, set_digit(photo_state(), 2, 4))

    board, cells = held(state), face_of(held(state)).cells
    assert board.pending is None
    assert solution_of(state) == EASY_SOLUTION_GRID.ravel().tolist()
    assert (cells[2].clue, cells[2].is_by_hand, cells[3].solution) == (4, True, 6)


def test_a_wrong_digit_set_by_hand_has_no_solution_and_shows_none(pipeline: Pipeline) -> None:
    state = run_on(pipeline, set_digit(photo_state(), 2, 1))

    assert held(state).board.outcome is Outcome.NO_SOLUTION
    assert not any(cell.solution for cell in face_of(held(state)).cells)


def test_emptying_a_cell_may_leave_several_solutions(pipeline: Pipeline) -> None:
    state = photo_state()
    for cell in np.flatnonzero(EASY_GRID)[:14].tolist():
        state = set_digit(state, cell, 0)

    state = run_on(pipeline, state)

    assert held(state).board.outcome is Outcome.AMBIGUOUS
    assert held(state).solution is None


def test_equal_digits_in_a_unit_are_conflicts_and_what_stands_there_is_no_step() -> None:
    state = photo_state()

    doubts = find_doubts(held(set_digit(state, 2, 3)))

    assert doubts == {1: Doubt.CONFLICT, 2: Doubt.CONFLICT}
    assert set_digit(state, 0, 5) is state


def unreadable(pipeline: Pipeline, *unsure: int) -> BoardResult:
    """Return a board as if some of its cells had not been read for sure."""
    photo, _ = render_board(EASY_GRID)
    board = pipeline.solve_photo(photo).boards[0]
    reading = present(board.reading)
    probabilities = reading.probabilities.copy()
    for cell in unsure:
        digit = int(EASY_GRID.flat[cell])
        probabilities[cell] = 0
        probabilities[cell, [digit, digit % 9 + 1]] = 0.55, 0.45
    unsure_reading = replace(reading, probabilities=probabilities)
    return replace(board, outcome=Outcome.UNREADABLE, solution=None, reading=unsure_reading)


def test_cells_not_read_for_sure_stay_marked_until_a_person_sets_them(pipeline: Pipeline) -> None:
    state = photo_state(unreadable(pipeline, 0, 1))
    assert find_doubts(held(state)) == {0: Doubt.UNSURE, 1: Doubt.UNSURE}

    one = run_on(pipeline, set_digit(state, 0, 5))
    both = run_on(pipeline, set_digit(one, 1, 3))

    assert solution_of(one) == EASY_SOLUTION_GRID.ravel().tolist()
    assert find_doubts(held(one)) == {1: Doubt.UNSURE}
    assert find_doubts(held(both)) == {}
    assert face_of(held(both)).is_solved


def test_confirming_an_overruled_digit_takes_its_doubt_away() -> None:
    state = photo_state(board_result(corrected=(0,)))
    assert find_doubts(held(state)) == {0: Doubt.OVERRULED}

    confirmed = set_digit(state, 0, 5)

    assert find_doubts(held(confirmed)) == {}
    assert held(confirmed).by_hand == {0}


def test_a_written_digit_is_corrected_as_an_entry_and_the_solution_stays() -> None:
    board = held(set_digit(written(c2=7), 2, 4))

    assert board.pending is None
    assert board.solution is not None
    assert face_of(board).cells[2].entry == 4
    assert board.board.clues[0, 2] == 0


def test_a_written_digit_can_be_taken_for_print_and_back() -> None:
    state = written(c2=4)

    printed = set_kind(state, 2, is_printed=True)
    again = set_kind(printed, 2, is_printed=False)

    assert held(printed).board.clues[0, 2] == 4
    assert held(printed).board.entries[0, 2] == 0
    assert held(printed).pending is Pending.SOLVE
    assert held(again).board.entries[0, 2] == 4
    assert set_kind(state, 3, is_printed=True) is state


def test_what_is_rightly_written_needs_no_second_digit() -> None:
    cells = face_of(held(written(c2=4, c3=1))).cells

    assert (cells[2].entry, cells[2].solution) == (4, 0)
    assert (cells[3].entry, cells[3].solution) == (1, 6)


def test_moved_corners_are_read_anew_and_found_again(pipeline: Pipeline) -> None:
    photo, corners = render_board(EASY_GRID)
    result = pipeline.solve_photo(photo)
    state = begin_photo(result, is_revealed=True)

    moved = move_corners(state, corners)
    board = held(moved)
    settled = settle(moved, board, pipeline.solve_lattice(photo, board.board.lattice))

    assert board.pending is Pending.READ
    assert not face_of(board).is_solved
    assert np.array_equal(held(settled).board.clues, EASY_GRID)
    assert held(settled).solution is not None


def test_corners_without_a_chosen_board_place_another_one() -> None:
    corners = np.array([[20, 20], [40, 20], [40, 40], [20, 40]], np.float32)

    state = move_corners(choose_none(photo_state()), corners)

    assert len(state.boards) == 2
    assert state.chosen == 1
    assert np.abs(held(state).board.corners - corners).max() < 1e-4


def test_only_what_is_revealed_is_shown() -> None:
    state = hide(photo_state())
    assert not any(cell.solution for cell in face_of(held(state)).cells)

    one = reveal(state, frozenset({2}))

    assert [cell.solution for cell in face_of(held(one)).cells if cell.solution] == [4]
    assert hide(state) is state
    assert not held(one).is_open
    assert held(reveal(one, frozenset(range(81)))).is_open


@pytest.mark.parametrize("outcome", [one for one in Outcome if one is not Outcome.SOLVED])
def test_digits_come_only_from_a_solved_board(outcome: Outcome) -> None:
    """Even if a solution were handed in with another outcome, it must not be seen."""
    state = photo_state(board_result(outcome=outcome))

    assert held(state).solution is None
    assert not any(cell.solution for cell in face_of(held(state)).cells)


def test_a_result_that_comes_too_late_changes_nothing(pipeline: Pipeline) -> None:
    first = set_digit(photo_state(), 2, 4)
    second = set_digit(first, 3, 6)
    late = pipeline.solve_clues(held(first).board.clues, held(first).board.lattice)

    assert settle(second, held(first), late) is second


def test_another_board_can_be_looked_at() -> None:
    state = photo_state(board_result(), board_result(clues=EASY_SOLUTION_GRID))

    other = choose_board(state, 1)

    assert np.array_equal(held(other).board.clues, EASY_SOLUTION_GRID)
    assert choose_board(other, 1) is other
    with pytest.raises(IndexError, match="none is number 2"):
        choose_board(state, 2)


def test_an_empty_board_waits_for_digits_and_then_is_solved(pipeline: Pipeline) -> None:
    state = begin_puzzle(np.zeros((9, 9), np.uint8), revealed=frozenset(range(81)))
    assert held(state).pending is None

    for cell in np.flatnonzero(EASY_GRID).tolist():
        state = set_digit(state, cell, int(EASY_GRID.flat[cell]))
    state = run_on(pipeline, state)

    assert solution_of(state) == EASY_SOLUTION_GRID.ravel().tolist()


def test_emptying_the_last_cell_of_a_typed_puzzle_begins_anew() -> None:
    state = begin_puzzle(np.zeros((9, 9), np.uint8), revealed=frozenset(range(81)))

    state = set_digit(set_digit(state, 5, 3), 5, 0)

    assert held(state).pending is None
    assert not held(state).by_hand


@given(st.lists(st.tuples(st.integers(0, 80), st.integers(0, 9)), max_size=12))
def test_undoing_every_step_gives_the_first_state_back(steps: list[tuple[int, int]]) -> None:
    first = photo_state()
    timeline = Timeline(first)
    for cell, digit in steps:
        timeline = record(timeline, set_digit(timeline.present, cell, digit))
    last, count = timeline.present, len(timeline.past)

    for _ in range(count):
        timeline = undo(timeline)
    assert timeline.present is first
    assert undo(timeline) is timeline
    for _ in range(count):
        timeline = redo(timeline)

    assert timeline.present is last
    assert redo(timeline) is timeline


def test_a_new_step_forgets_what_was_undone_and_what_the_line_finds_is_no_step() -> None:
    first = record(Timeline(photo_state()), set_digit(photo_state(), 2, 4))
    again = undo(first)

    other = record(again, set_digit(again.present, 3, 6))
    amended = amend(first, hide(first.present))

    assert (len(other.past), other.future) == (1, ())
    assert len(amended.past) == 1
    assert amend(first, first.present) is first


def test_what_a_photo_shows_noted_outlasts_a_correction() -> None:
    """Notes of the photo are a person's own from the start, and are still seen on it later."""
    candidates = np.zeros((9, 9), np.uint16)
    candidates[0, 2] = 1 << 1 | 1 << 2
    state = photo_state(board_result(candidates=candidates))
    corrected = set_digit(state, 0, 0)

    settled = held(settle(corrected, held(corrected), board_result()))

    assert held(state).pencil.centre[2] == candidates[0, 2]
    assert settled.pencil == held(state).pencil
    assert face_of(settled).cells[2].is_noted


# --- clues that stand fast: what is typed are entries, and nothing is solved anew


def given_puzzle() -> PhotoState:
    """A new puzzle after the line has solved it."""
    state = begin_puzzle(EASY_GRID, is_given=True)
    return settle(state, present(state.board), board_result())


def test_a_typed_digit_is_an_entry_and_keeps_the_solution() -> None:
    board = held(set_digit(given_puzzle(), 2, 9))

    assert board.board.clues.tolist() == EASY_GRID.tolist()
    assert board.board.entries[0, 2] == 9
    assert board.pending is None
    assert board.solution is not None


def test_an_entry_is_changed_and_cleared() -> None:
    state = set_digit(set_digit(given_puzzle(), 2, 9), 2, 4)
    assert held(state).board.entries[0, 2] == 4

    assert not held(set_digit(state, 2, 0)).board.entries.any()


def test_a_given_clue_stays() -> None:
    state = given_puzzle()

    assert set_digit(state, 0, 9) is state
    assert set_digit(state, 0, 0) is state


def test_an_entry_becomes_a_clue_only_where_that_is_said() -> None:
    board = held(set_kind(set_digit(given_puzzle(), 2, 4), 2, is_printed=True))

    assert board.board.clues[0, 2] == 4
    assert board.solution is None  # until it is solved anew
