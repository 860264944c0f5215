"""Printed boards of every side and kind: their rules, and their lines where the truth says so."""

import numpy as np
import pytest

from solver.grid import Grid
from solver.rules import is_connected
from training.pages.printed_board import KindLook, print_board, print_samurai
from training.pages.shape import (
    BOXES,
    KINDS,
    SAMURAI_PLACES,
    Shape,
    draw_grid,
    draw_samurai_clues,
    draw_shape,
    sum_cages,
)
from training.rendered.filled_board import BoardLook

PLAIN = KindLook(BoardLook())


def empty(shape: Shape) -> Grid:
    return np.zeros((shape.side, shape.side), np.uint8)


@pytest.mark.parametrize("side", BOXES)
def test_the_digits_of_a_board_with_boxes_keep_its_rules(side: int) -> None:
    shape = draw_shape("classic", side, np.random.default_rng(side))

    grid = draw_grid(shape, np.random.default_rng(0))

    digits = set(range(1, side + 1))
    assert all(set(line.tolist()) == digits for line in (*grid, *grid.T))
    assert all(set(grid[shape.regions == box].tolist()) == digits for box in range(side))


@pytest.mark.parametrize("side", [6, 9, 12])
def test_a_jigsaw_has_n_connected_regions_of_n_cells_and_not_only_boxes(side: int) -> None:
    shape = draw_shape("jigsaw", side, np.random.default_rng(3))

    boxes = draw_shape("classic", side, np.random.default_rng(3)).regions
    assert (shape.regions != boxes).mean() > 0.2
    for region in range(side):
        cells = np.flatnonzero(shape.regions == region).tolist()
        assert len(cells) == side
        assert is_connected(cells, side)


def test_cages_hold_every_cell_once_are_connected_and_have_at_most_five_cells() -> None:
    shape = draw_shape("killer", 9, np.random.default_rng(5))

    cells = [cell for cage in shape.cages for cell in cage]
    assert sorted(cells) == list(np.ndindex(9, 9))
    for cage in shape.cages:
        assert is_connected([9 * row + column for row, column in cage], 9)
        assert len(cage) <= 5
    assert sum(sum_cages(shape, draw_grid(shape, np.random.default_rng(0)))) == 9 * 45


@pytest.mark.parametrize("kind", KINDS)
def test_lines_run_through_the_crossings_of_the_lattice(kind: str) -> None:
    shape = draw_shape(kind, 9, np.random.default_rng(2))
    sums = sum_cages(shape, draw_grid(shape, np.random.default_rng(0)))

    printed = print_board(shape, empty(shape), sums, 400, PLAIN)

    (lattice,) = printed.lattices
    assert lattice.shape == (10, 10, 2)
    for x, y in np.round(lattice.reshape(-1, 2)).astype(int):
        around = printed.image[y - 2 : y + 3, x - 2 : x + 3].mean(axis=2)
        assert around.min() < 130  # a line, on white paper
    middles = np.round((lattice[:-1, :-1] + lattice[1:, 1:]) / 2).astype(int)
    if kind == "classic":
        assert all((printed.image[y, x] == 255).all() for x, y in middles.reshape(-1, 2))


def test_a_clue_is_printed_in_its_cell_in_each_alphabet() -> None:
    shape = draw_shape("classic", 16, np.random.default_rng(0))
    clues = empty(shape)
    clues[2, 5] = 16
    shown = []
    for alphabet in ("numbers", "letters", "hexadecimal"):
        look = KindLook(BoardLook(), alphabet=alphabet)
        with_clue = print_board(shape, clues, (), 800, look).image
        blank = print_board(shape, empty(shape), (), 800, look)

        y, x = np.nonzero((with_clue != blank.image).any(axis=2))

        left, top = blank.lattices[0][2, 5]
        right, bottom = blank.lattices[0][3, 6]
        assert left < x.min()
        assert x.max() < right
        assert top < y.min()
        assert y.max() < bottom
        shown.append(with_clue)
    assert not np.array_equal(shown[0], shown[1])
    assert not np.array_equal(shown[1], shown[2])


def test_the_boards_of_a_samurai_share_boxes_and_their_clues() -> None:
    clues = draw_samurai_clues(SAMURAI_PLACES, 0.4, np.random.default_rng(0))

    printed = print_samurai(SAMURAI_PLACES, clues, 840, PLAIN)

    middle, upper_left = printed.lattices[:2]
    assert len(printed.lattices) == 5
    assert np.allclose(middle[:4, :4], upper_left[6:, 6:])
    assert (printed.clues[0][:3, :3] == printed.clues[1][6:, 6:]).all()
    assert printed.clues[0][:3, :3].any()
