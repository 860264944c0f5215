"""The states of a photo: what a file keeps of the steps that undo goes back over, and turns."""

from functools import partial
from typing import Any

import numpy as np
import pytest
from board_results import board_result
from hypothesis import given
from hypothesis import strategies as st
from present import present
from puzzles import EASY_GRID

from app.board.board_edits import (
    begin_play,
    join_cells,
    make_stroke,
    move_corners,
    name_kind,
    reveal,
    set_digit,
)
from app.board.board_state import (
    Pending,
    PhotoState,
    begin_puzzle,
    cells_of,
    hold_board,
)
from app.board.board_values import EntryMode
from app.board.timeline import (
    Steps,
    Timeline,
    read_past,
    record,
    redo,
    settle,
    settle_all,
    turn_image,
    turn_points,
    turn_timeline,
    undo,
    write_steps,
)
from solver.rules import CLASSIC_RULES, Kind, box_rules
from vision.board import lattice_from_corners

Seen = tuple[object, ...]


def start() -> Timeline:
    return Timeline(begin_puzzle(EASY_GRID, revealed=cells_of(EASY_GRID)))


def see(state: PhotoState) -> Seen:
    held = present(state.board)
    digits = held.board.clues.tolist(), held.board.entries.tolist()
    return (*digits, held.by_hand, held.revealed, held.is_given, held.pencil)


def assert_past_comes_back(timeline: Timeline) -> None:
    past = read_past(timeline.present, write_steps(timeline, Steps()).kept)

    assert [see(state) for state in past] == [see(state) for state in timeline.past]


MODES = st.sampled_from(EntryMode)
STROKES = st.lists(st.tuples(st.integers(0, 80), MODES, st.integers(1, 9)), max_size=12)


@given(STROKES)
def test_every_step_of_play_comes_back(strokes: list[tuple[int, EntryMode, int]]) -> None:
    timeline = record(start(), begin_play(start().present))
    for cell, mode, digit in strokes:
        timeline = record(timeline, make_stroke(timeline.present, [cell], mode, digit))

    assert_past_comes_back(timeline)


def test_corrections_and_what_is_revealed_come_back() -> None:
    timeline = start()
    for change in (
        partial(set_digit, cell=2, digit=4),
        partial(reveal, cells=frozenset({7, 8})),
        partial(set_digit, cell=0, digit=0),
    ):
        timeline = record(timeline, change(timeline.present))

    assert_past_comes_back(timeline)


def test_only_what_is_new_is_told_anew() -> None:
    timeline = record(start(), begin_play(start().present))
    first = write_steps(timeline, Steps())
    longer = record(timeline, make_stroke(timeline.present, [2], EntryMode.DIGIT, 4))

    second = write_steps(longer, first)

    assert second.texts[0] is first.texts[0]
    assert len(second.texts) == 2
    assert write_steps(undo(longer), second).texts == first.texts


def test_other_steps_end_how_far_back_it_reaches() -> None:
    timeline = record(start(), set_digit(start().present, 2, 4))
    corners = np.array([[0, 0], [50, 0], [50, 50], [0, 50]], np.float32)
    timeline = record(timeline, move_corners(timeline.present, corners))
    timeline = record(timeline, set_digit(timeline.present, 3, 1))

    assert len(write_steps(timeline, Steps()).kept) == 1


def test_steps_on_one_board_come_back_though_another_was_solved_meanwhile() -> None:
    first = start().present
    (waiting,) = start().present.boards
    assert waiting.pending is not None
    (played,) = begin_play(settle(first, first.boards[0], board_result())).boards
    assert played.pending is None
    timeline = Timeline(PhotoState((played, waiting), 0))
    for cell in (2, 3):
        stroke = make_stroke(timeline.present, [cell], EntryMode.CENTRE, 4)
        timeline = record(timeline, stroke)
    assert len(write_steps(timeline, Steps()).kept) == 2

    settled = settle_all(timeline, waiting, board_result())

    assert settled.present.boards[1].pending is None
    assert all(state.boards[1] is settled.present.boards[1] for state in settled.past)
    assert len(write_steps(settled, Steps()).kept) == 2


def test_another_kind_comes_back() -> None:
    timeline = record(start(), name_kind(start().present, Kind.JIGSAW))
    first, second = box_rules(9).regions[:2]
    timeline = record(timeline, join_cells(timeline.present, first[0], second[:1]))

    past = read_past(timeline.present, write_steps(timeline, Steps()).kept)

    assert_past_comes_back(timeline)
    boards = [present(state.board) for state in (*past, timeline.present)]
    assert [(one.board.kind, one.draft is None, one.pending) for one in boards] == [
        (Kind.CLASSIC, True, Pending.SOLVE),
        (Kind.JIGSAW, True, Pending.SOLVE),
        (Kind.JIGSAW, False, None),
    ]


GOOD = write_steps(record(start(), set_digit(start().present, 2, 4)), Steps()).kept[0]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "[0, 1]",
        "[" * 100_000,
        GOOD.replace("[0,", "[9,"),
        GOOD.replace('"clues": "', '"clues": "1'),
        GOOD.replace('"clues": "53', '"clues": "A3'),
    ],
)
def test_what_makes_no_sense_ends_it_too(text: str) -> None:
    now = start().present

    assert read_past(now, [GOOD, text]) == ()
    assert len(read_past(now, [text, GOOD])) == 1


# --- turns


SIDES = st.integers(1, 40)


@given(SIDES, SIDES, st.integers(0, 3), st.data())
def test_a_place_goes_with_its_pixel(width: int, height: int, turns: int, data: Any) -> None:
    x, y = data.draw(st.integers(0, width - 1)), data.draw(st.integers(0, height - 1))
    image = np.zeros((height, width, 3), np.uint8)
    image[y, x] = 255

    turned = turn_image(image, turns)
    place = turn_points(np.array([x, y], np.float32), (width, height), turns)

    assert turned[int(place[1]), int(place[0])].tolist() == [255, 255, 255]


def test_right_is_clockwise() -> None:
    image = np.zeros((2, 3, 3), np.uint8)
    image[0, 0] = 255  # top left goes to the top right

    assert turn_image(image, 1)[0, 1].tolist() == [255, 255, 255]


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_every_state_of_a_board_is_turned(turns: int) -> None:
    def state(shift: int) -> PhotoState:
        corners = np.array([[10, 20], [90, 20], [90, 95], [10, 95]], np.float32) + shift
        nothing = np.zeros((9, 9), np.uint8)
        lattice = lattice_from_corners(corners)
        return PhotoState((hold_board(lattice, nothing, nothing, CLASSIC_RULES),), 0)

    timeline = Timeline(state(1), (state(0),), (state(2),))

    turned = turn_timeline(timeline, (200, 100), turns)

    pairs = ((turned, timeline), (undo(turned), undo(timeline)), (redo(turned), redo(timeline)))
    for one, was in ((new.present, old.present) for new, old in pairs):
        expected = turn_points(was.boards[0].board.lattice, (200, 100), turns)
        np.testing.assert_allclose(one.boards[0].board.lattice, expected)
