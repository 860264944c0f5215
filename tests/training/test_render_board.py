"""Boards that `training.pages.flat_board` draws, and their puzzles: truth and drawing agree."""

import numpy as np
import pytest

from solver.exact.bitmask import count_solutions
from solver.grid import Fault, check_solution
from training.pages.flat_board import BOARD_STYLES, BoardStyle, make_puzzle, render_board
from training.pages.typesetting import font_names, load_font
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


def test_each_digit_is_drawn_differently() -> None:
    grid = np.zeros((9, 9), np.uint8)
    grid[4] = np.arange(1, 10)

    image, corners = render_board(grid, 540)

    low = round(float(corners[0, 0]))
    cells = [image[low + 248 : low + 292, low + 60 * i + 8 : low + 60 * i + 52] for i in range(9)]
    for i in range(9):
        for other in range(i):
            assert (cells[i] != cells[other]).mean() > 0.02


def test_a_dotted_border_has_gaps_and_the_inner_lines_have_none() -> None:
    image, corners = render_board(np.zeros((9, 9), np.uint8), 540, BOARD_STYLES["dotted"])

    low = round(float(corners[0, 0]))
    border, third = image[low, low : low + 540, 0], image[low + 180, low : low + 540, 0]
    assert 0.3 < (border > 128).mean() < 0.7
    assert (third[1:] < 128).all()


def test_a_thick_border_leaves_all_cells_of_one_size() -> None:
    style = BoardStyle(border_width=0.5)

    image, corners = render_board(np.zeros((9, 9), np.uint8), 540, style)

    low = round(float(corners[0, 0]))
    row = image[low + 30, low : low + 540, 0]
    assert (row[6:54] == 255).all()
    assert (image[low + 30, low - 20 : low, 0] < 60).all()


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


def test_an_unknown_font_is_refused_with_the_bundled_names() -> None:
    with pytest.raises(ValueError, match="Newsreader-Bold"):
        load_font("Fraktur", 20)


def test_every_bundled_font_draws_all_digits() -> None:
    for name in font_names():
        font = load_font(name, 40)
        masks = {bytes(font.getmask(digit)) for digit in "0123456789"}
        assert len(masks) == 10, name


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


def test_a_seed_names_one_puzzle() -> None:
    np.testing.assert_array_equal(make_puzzle(5).clues, make_puzzle(5).clues)
    assert (make_puzzle(5).clues != make_puzzle(6).clues).any()
