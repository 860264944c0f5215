"""Boards that `training.pages.flat_board` draws, and their puzzles: truth and drawing agree."""

import numpy as np
import pytest
from board_styles import BOARD_STYLES

from solver.exact.bitmask import count_solutions
from solver.grid import Fault, check_solution
from training.pages.flat_board import make_puzzle, render_board
from vision.board import lattice_from_corners

_CLUES = np.array(
    [[(row * 3 + row // 3 + column) % 9 + 1 for column in range(9)] for row in range(9)]
)
_CLUES = np.where(np.add.outer(np.arange(9), np.arange(9)) % 3 == 0, _CLUES, 0).astype(np.uint8)


@pytest.mark.parametrize("name", [name for name in BOARD_STYLES if name != "dotted"])
@pytest.mark.parametrize("px", [180, 401, 540])
def test_every_line_stands_where_the_corners_say(name: str, px: int) -> None:
    style = BOARD_STYLES[name]

    image, corners = render_board(np.zeros((9, 9), np.uint8), px, style)

    lattice = lattice_from_corners(corners)
    paper = np.array(style.paper if style.box_tint is None else style.box_tint, np.float32)
    ink = np.array(style.ink, np.float32)
    crossings = np.round(lattice).astype(int)
    middles = np.round((lattice[:-1, :-1] + lattice[1:, 1:]) / 2).astype(int)
    on_lines = image[crossings[::3, ::3, 1], crossings[::3, ::3, 0]].astype(np.float32)
    in_cells = image[middles[:3, :3, 1], middles[:3, :3, 0]].astype(np.float32)
    # A line of the thin styles covers only half a pixel on the smallest board.
    assert (np.abs(on_lines - paper) > 0.35 * np.abs(ink - paper)).all()
    assert np.abs(in_cells - paper).max() == 0


def test_corners_stand_on_the_middle_of_the_outer_lines() -> None:
    image, corners = render_board(np.zeros((9, 9), np.uint8), 540)

    darkness = 255.0 - image[:, :, 0].astype(np.float64)
    left, right = corners[0, 0], corners[1, 0]
    row = round(float(corners[0, 1])) + 30
    for x in (left, right):
        near = np.arange(round(float(x)) - 8, round(float(x)) + 9)
        middle = float((darkness[row, near] * near).sum() / darkness[row, near].sum())
        assert abs(middle - float(x)) < 0.3
    assert corners.dtype == np.float32
    assert right - left == 540


def test_digits_fill_the_cells_that_hold_one_and_no_others() -> None:
    image, corners = render_board(_CLUES, 540)

    low = round(float(corners[0, 0]))
    board = image[low : low + 540, low : low + 540, 0].reshape(9, 60, 9, 60)
    inner = board[:, 8:-8, :, 8:-8]
    has_ink = inner.min(axis=(1, 3)) < 100
    np.testing.assert_array_equal(has_ink, _CLUES > 0)


@pytest.mark.parametrize(
    ("grid", "px"),
    [
        (np.zeros((9, 8), np.uint8), 540),
        (np.full((9, 9), 10, np.uint8), 540),
        (np.zeros((9, 9), np.uint8), 20),
    ],
)
def test_impossible_orders_are_refused(grid: np.ndarray, px: int) -> None:
    with pytest.raises(ValueError, match="must be"):
        render_board(grid, px)


@pytest.mark.parametrize("seed", range(8))
def test_a_made_puzzle_has_exactly_the_solution_it_names(seed: int) -> None:
    puzzle = make_puzzle(seed)

    assert count_solutions(puzzle.clues, limit=2) == 1
    assert check_solution(puzzle.clues, puzzle.solution) == Fault(0)


def test_clues_are_point_symmetric_and_about_as_many_as_wanted() -> None:
    for seed in range(8):
        given = make_puzzle(seed, clues_wanted=30).clues > 0
        np.testing.assert_array_equal(given, given[::-1, ::-1])
        assert 30 <= given.sum() <= 40
