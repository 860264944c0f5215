"""Strokes of play, notes and the clock, as values."""

import json
from pathlib import Path

import numpy as np
import pytest
from board_results import board_result
from hypothesis import given
from hypothesis import strategies as st
from present import present
from puzzles import EASY_GRID, EASY_SOLUTION_GRID

from app.board.board_edits import (
    begin_play,
    end_play,
    erase,
    is_finished,
    is_played,
    make_stroke,
    reveal,
    set_digit,
)
from app.board.board_forms import face_of, resume_saved_puzzle, save_board
from app.board.board_state import PhotoState, begin_puzzle, cells_of
from app.board.board_values import (
    EMPTY_PENCIL,
    EntryMode,
    Pencil,
    PlayClock,
    begin_clock,
    digits_of,
    pause_clock,
    pencil_from_rows,
    pencil_rows,
    run_clock,
    say_seconds,
    toggle_note,
)
from app.board.saved_session import SavedDocument, SavedSession, load_session, save_session
from app.board.timeline import Timeline, record, settle, undo

NOTES = (EntryMode.CORNER, EntryMode.CENTRE, EntryMode.COLOUR)
cells_of_a_stroke = st.lists(st.integers(0, 80), min_size=1, max_size=6, unique=True)


def played() -> PhotoState:
    """A solved puzzle that a person began to play."""
    state = begin_puzzle(EASY_GRID, revealed=cells_of(EASY_GRID))
    return begin_play(settle(state, present(state.board), board_result()))


def pencil_of(state: PhotoState) -> Pencil:
    return present(state.board).pencil


def entries_of(state: PhotoState) -> list[int]:
    return present(state.board).board.entries.ravel().tolist()


def test_play_begins_with_fast_clues_and_without_the_solution() -> None:
    state = played()

    board = present(state.board)
    assert is_played(board)
    assert not any(cell.solution for cell in face_of(board).cells)
    assert make_stroke(state, [0], EntryMode.DIGIT, 9) is state


def test_a_board_without_clues_cannot_be_played() -> None:
    state = begin_puzzle(np.zeros((9, 9), np.uint8), revealed=frozenset(range(81)))

    assert begin_play(state) is state


def test_after_play_clues_are_corrected_again() -> None:
    state = end_play(make_stroke(played(), [2], EntryMode.DIGIT, 4))

    state = set_digit(state, 3, 6)

    assert present(state.board).board.clues.flat[3] == 6
    assert entries_of(state)[2] == 4


def test_one_stroke_writes_into_all_chosen_cells() -> None:
    state = make_stroke(played(), [2, 3, 5], EntryMode.CENTRE, 7)

    assert [digits_of(pencil_of(state).centre[cell]) for cell in (2, 3, 5)] == [(7,)] * 3


def test_a_note_that_only_some_cells_have_is_put_into_the_others() -> None:
    state = make_stroke(played(), [2], EntryMode.CORNER, 7)

    both = make_stroke(state, [2, 3], EntryMode.CORNER, 7)
    none = make_stroke(both, [2, 3], EntryMode.CORNER, 7)

    assert digits_of(pencil_of(both).corner[2]) == digits_of(pencil_of(both).corner[3]) == (7,)
    assert pencil_of(none).is_empty


def test_no_note_is_put_where_a_digit_stands_but_a_colour_is() -> None:
    state = make_stroke(played(), [0], EntryMode.CORNER, 7)
    assert pencil_of(state).is_empty

    assert pencil_of(make_stroke(state, [0], EntryMode.COLOUR, 7)).colour[0] == 7


def test_notes_come_back_when_the_digit_over_them_is_erased() -> None:
    state = make_stroke(played(), [2], EntryMode.CENTRE, 4)
    state = make_stroke(state, [2], EntryMode.DIGIT, 4)

    state = erase(state, [2], EntryMode.DIGIT)

    assert entries_of(state)[2] == 0
    assert digits_of(pencil_of(state).centre[2]) == (4,)


def test_a_digit_takes_its_notes_out_of_the_cells_that_see_it_in_one_step() -> None:
    state = played()
    for mode in (EntryMode.CORNER, EntryMode.CENTRE):
        for digit in (4, 8):
            state = make_stroke(state, [2, 3, 75], mode, digit)
    noted = Timeline(state)

    written = record(noted, make_stroke(state, [2], EntryMode.DIGIT, 4))

    pencil = pencil_of(written.present)
    for layer in (pencil.corner, pencil.centre):
        # The cell's own notes lie under its digit, and cell 75 is beside it in no unit.
        assert [digits_of(layer[cell]) for cell in (2, 3, 75)] == [(4, 8), (8,), (4, 8)]
    assert undo(written).present is state


def test_erasing_goes_on_to_what_other_modes_wrote() -> None:
    state = played()
    for mode in NOTES:
        state = make_stroke(state, [2], mode, 4)

    for left in (2, 1, 0):
        state = erase(state, [2], EntryMode.DIGIT)
        (row,) = pencil_rows(pencil_of(state)) or ((2, 0, 0, 0),)
        assert sum(one > 0 for one in row[1:]) == left
    assert erase(state, [2], EntryMode.DIGIT) is state


@given(st.lists(st.tuples(cells_of_a_stroke, st.sampled_from(list(EntryMode)), st.integers(1, 9))))
def test_every_stroke_can_be_undone(strokes: list[tuple[list[int], EntryMode, int]]) -> None:
    first = played()
    timeline = Timeline(first)
    for cells, mode, digit in strokes:
        timeline = record(timeline, make_stroke(timeline.present, cells, mode, digit))

    for _ in range(len(timeline.past)):
        timeline = undo(timeline)

    assert timeline.present is first


def test_undo_has_no_end() -> None:
    timeline = Timeline(played())
    for number in range(2000):
        state = make_stroke(timeline.present, [2], EntryMode.COLOUR, 1 + number % 9)
        timeline = record(timeline, state)

    for _ in range(2000):
        timeline = undo(timeline)

    assert pencil_of(timeline.present).is_empty
    assert not timeline.past


def test_a_board_is_finished_once_every_digit_is_right() -> None:
    state, right = played(), EASY_SOLUTION_GRID.ravel()
    empty = [cell for cell in range(81) if not EASY_GRID.flat[cell]]
    for cell in empty[:-1]:
        state = make_stroke(state, [cell], EntryMode.DIGIT, int(right[cell]))
    last = empty[-1]

    wrong = make_stroke(state, [last], EntryMode.DIGIT, int(right[last]) % 9 + 1)
    done = make_stroke(wrong, [last], EntryMode.DIGIT, int(right[last]))

    finished = [is_finished(present(one.board)) for one in (state, wrong, done)]
    assert finished == [False, False, True]


def test_a_board_whose_solution_was_shown_is_not_finished_by_a_person() -> None:
    board = present(reveal(played(), frozenset(range(81))).board)

    assert not is_played(board)
    assert not is_finished(board)


@pytest.mark.parametrize(("are_wanted", "marked"), [(True, {0, 2}), (False, set())])
def test_digits_that_stand_twice_are_marked_on_wish(are_wanted: bool, marked: set[int]) -> None:
    state = make_stroke(played(), [2], EntryMode.DIGIT, 5)

    face = face_of(present(state.board), are_conflicts_wanted=are_wanted)

    assert {number for number, cell in enumerate(face.cells) if cell.doubt} == marked


# --- notes


@given(st.lists(st.tuples(cells_of_a_stroke, st.sampled_from(NOTES), st.integers(1, 9))))
def test_notes_come_back_from_a_file(strokes: list[tuple[list[int], EntryMode, int]]) -> None:
    pencil = EMPTY_PENCIL
    for cells, mode, digit in strokes:
        pencil = toggle_note(pencil, cells, mode, digit)

    told = json.loads(json.dumps(pencil_rows(pencil)))

    assert pencil_from_rows(told) == pencil


@pytest.mark.parametrize(
    "told", [None, 5, [5], [[1, 2]], [[81, 2, 2, 1]], [["1", 2, 2, 1]], [[3, -4, 1, 10]]]
)
def test_notes_that_make_no_sense_are_left_out(told: object) -> None:
    assert pencil_from_rows(told) == EMPTY_PENCIL


# --- the session


def test_play_comes_back_from_the_session_as_it_was(tmp_path: Path) -> None:
    state = make_stroke(played(), [2], EntryMode.DIGIT, 4)
    state = make_stroke(state, [3, 5], EntryMode.CORNER, 6)
    saved = SavedDocument("mine", boards=(save_board(present(state.board)),), chosen=0)

    save_session(tmp_path, SavedSession((saved,), 0))
    (left,) = load_session(tmp_path).documents
    resumed = resume_saved_puzzle(left)

    assert is_played(present(resumed.board))
    assert entries_of(resumed) == entries_of(state)
    assert pencil_of(resumed) == pencil_of(state)


# --- the clock


def test_the_clock_counts_from_the_first_stroke_while_the_board_is_seen_and_not_paused() -> None:
    clock = run_clock(PlayClock(), 0.0, is_played=True)
    assert clock.elapsed(5.0) == 0

    clock = run_clock(begin_clock(clock), 5.0, is_played=True)
    assert clock.elapsed(7.5) == 2.5

    clock = run_clock(clock, 8.0, is_played=False)
    clock = run_clock(clock, 10.0, is_played=True)
    clock = pause_clock(clock, 11.0, is_paused=True)
    clock = run_clock(clock, 20.0, is_played=True)
    assert clock.elapsed(30.0) == 4.0

    clock = run_clock(pause_clock(clock, 30.0, is_paused=False), 30.0, is_played=True)
    assert clock.elapsed(31.0) == 5.0


@pytest.mark.parametrize(
    ("seconds", "said"), [(0, "0:00"), (65.9, "1:05"), (3599, "59:59"), (3729, "1:02:09")]
)
def test_a_time_is_written_as_people_do(seconds: float, said: str) -> None:
    assert say_seconds(seconds) == said
