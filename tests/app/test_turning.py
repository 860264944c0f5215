"""Photos and the places on them, turned by quarter turns."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.board.board_state import BoardState, PhotoState, hold_board
from app.board.timeline import Timeline, turn_image, turn_points, turn_timeline, undo
from solver.rules import CLASSIC_RULES
from vision.board import lattice_from_corners

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
        held: BoardState = hold_board(
            lattice_from_corners(corners),
            nothing,
            nothing,
            CLASSIC_RULES,
        )
        return PhotoState((held,), 0)

    timeline = Timeline(state(1), (state(0),), (state(2),))

    turned = turn_timeline(timeline, (200, 100), turns)

    for one, was in zip(
        (turned.present, undo(turned).present, *turned.future),
        (timeline.present, undo(timeline).present, *timeline.future),
        strict=True,
    ):
        expected = turn_points(was.boards[0].board.lattice, (200, 100), turns)
        np.testing.assert_allclose(one.boards[0].board.lattice, expected)
