"""Regions that the weights of lines enclose, and those that colours tell."""

from collections.abc import Callable, Sequence
from itertools import combinations
from random import Random

import numpy as np
import numpy.typing as npt
import pytest

from solver.decoding.regions import decode_boxes, decode_colours, decode_regions
from solver.generation.generate_kinds import draw_regions
from solver.layout import Layout
from solver.rules import box_rules, is_connected, usual_boxes

Weight = npt.NDArray[np.float64]
Weights = tuple[Weight, Weight]
Spoil = Callable[[Weight, Weight, int], None]


Regions = list[list[int]]


@pytest.fixture(params=range(8))
def seed(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.fixture
def regions(seed: int) -> Regions:
    return draw_regions(9, Random(seed))


def weigh(regions: Sequence[Sequence[int]], thin: float = 0.3, thick: float = 1.0) -> Weights:
    side = len(regions)
    owner = np.zeros(side * side, int)
    for number, cells in enumerate(regions):
        owner[list(cells)] = number
    grid = owner.reshape(side, side)
    right = np.where(grid[:, 1:] != grid[:, :-1], thick, thin)
    below = np.where(grid[1:] != grid[:-1], thick, thin)
    return right.astype(float), below.astype(float)


def find_swap(regions: Sequence[Sequence[int]]) -> tuple[int, int]:
    """Return two cells that can swap their regions without taking one apart."""
    for one, other in combinations(range(81), 2):
        swapped = [[{one: other, other: one}.get(cell, cell) for cell in own] for own in regions]
        is_same = any(one in own and other in own for own in regions)
        if not is_same and all(is_connected(cells, 9) for cells in swapped):
            return one, other
    raise AssertionError("no two cells can swap their regions")


def add_noise(right: Weight, below: Weight, seed: int) -> None:
    noise = np.random.default_rng(seed)
    right += noise.normal(0, 0.08, right.shape)
    below += noise.normal(0, 0.08, below.shape)


def fade_a_piece(right: Weight, below: Weight, seed: int) -> None:
    row, column = np.argwhere(right == 1.0)[seed]
    right[row, column] = 0.6


def cast_a_shadow(right: Weight, below: Weight, seed: int) -> None:
    for step in range(0, 8, 2):  # its edge runs along some lines of a diagonal
        right[step, step] = max(right[step, step], 0.8)


@pytest.mark.parametrize("spoil", [add_noise, fade_a_piece, cast_a_shadow])
def test_thick_lines_tell_regions_where_some_look_otherwise(
    regions: Regions, seed: int, spoil: Spoil
) -> None:
    right, below = weigh(regions)
    spoil(right, below, seed)

    assert decode_regions(right, below) == tuple(map(tuple, regions))


def test_two_cells_that_may_have_swapped_leave_no_regions(regions: Regions) -> None:
    one, other = find_swap(regions)
    swapped = [[{one: other, other: one}.get(cell, cell) for cell in cells] for cells in regions]

    right, below = (
        np.asarray((first + second) / 2)
        for first, second in zip(weigh(regions), weigh(swapped), strict=True)
    )

    assert decode_regions(right, below) is None


@pytest.mark.parametrize(("decode", "side"), [(decode_regions, 9), (decode_boxes, 12)])
def test_lines_of_one_weight_tell_nothing(decode: Callable[..., object], side: int) -> None:
    noise = np.random.default_rng(1)
    right, below = noise.normal(1, 0.05, (side, side - 1)), noise.normal(1, 0.05, (side - 1, side))

    assert decode(right, below) is None


def test_regions_are_not_guessed_where_many_lines_are_missing() -> None:
    right, below = weigh(draw_regions(9, Random(3)))
    right[:4] = 0.3

    assert decode_regions(right, below) is None


def colour(
    regions: Regions, seed: int, *, shadow: float = 0.0, same: tuple[int, int] = (0, 0)
) -> Weights:
    """Return how the paper changes where each region has a colour of its own, but two the same."""
    rng = np.random.default_rng(seed)
    cells = np.zeros((81, 3))
    for number, own in enumerate(regions):
        taken = same[0] if number == same[1] else number
        angle = 2 * np.pi * taken / 9
        cells[own] = 0.2 * np.array([np.cos(angle), np.sin(angle), -np.cos(angle)])
    grid = cells.reshape(9, 9, 3)
    grid[4:, :, :] -= shadow  # takes light from all channels alike
    grid = grid + rng.normal(0, 0.01, grid.shape)
    return np.diff(grid, axis=1), np.diff(grid, axis=0)


def test_regions_are_told_by_their_colours(regions: Regions, seed: int) -> None:
    assert decode_colours(*colour(regions, seed)) == tuple(map(tuple, regions))


def test_the_edge_of_a_shadow_parts_no_regions(regions: Regions, seed: int) -> None:
    light = decode_colours(*colour(regions, seed, shadow=0.1))
    heavy = decode_colours(*colour(regions, seed, shadow=0.4))

    assert light == tuple(map(tuple, regions))
    assert heavy in (light, None)


def test_neighbouring_regions_of_one_colour_are_not_parted(regions: Regions, seed: int) -> None:
    to_the_right = {cell + 1 for cell in regions[0] if cell % 9 < 8}
    beside = next(n for n in range(1, 9) if to_the_right & set(regions[n]))

    assert decode_colours(*colour(regions, seed, same=(0, beside))) is None


def test_two_cells_that_are_coloured_wrongly_leave_no_regions(regions: Regions, seed: int) -> None:
    right, below = colour(regions, seed)
    row, column = 1 + seed % 7, 7 - seed % 7
    extra = np.array([0.0, 0.3, 0.3])  # one cell has a colour that no other has
    right[row, column - 1] += extra
    below[row - 1, column] += extra
    below[row, column] -= extra
    right[row, column] -= extra

    found = decode_colours(right, below)

    assert found is None or found == tuple(map(tuple, regions))


def test_paper_of_one_colour_tells_no_regions() -> None:
    for seed in range(20):
        noise = np.random.default_rng(seed).normal(0, 0.02, (9, 9, 3))

        assert decode_colours(np.diff(noise, axis=1), np.diff(noise, axis=0)) is None


def test_a_striped_table_has_no_regions() -> None:
    rows = [list(range(9 * row, 9 * row + 9)) for row in range(9)]
    columns = [list(range(column, 81, 9)) for column in range(9)]

    assert decode_colours(*colour(rows, 0)) is None
    assert decode_colours(*colour(columns, 0)) is None


@pytest.mark.parametrize("side", [6, 8, 10, 12, 16, 25])
def test_boxes_are_told_where_glare_leaves_little_of_all_lines(side: int) -> None:
    boxes = box_rules(side).regions
    right, below = weigh(boxes, thick=0.6)
    light = 1 - 0.95 * np.linspace(0, 1, side) ** 2

    found = decode_boxes(right * light[:, None], below * light)

    assert found == boxes


def test_boxes_of_both_ways_are_told_apart() -> None:
    upright, flat = (box_rules(12, boxes=boxes).regions for boxes in (Layout(3, 4), Layout(4, 3)))

    assert decode_boxes(*weigh(upright)) == upright
    assert decode_boxes(*weigh(flat)) == flat


@pytest.mark.parametrize("side", [8, 10, 12, 16])
def test_regions_that_differ_from_boxes_by_two_cells_are_not_taken_for_boxes(side: int) -> None:
    boxes = usual_boxes(side)
    last = boxes.box_columns - 1  # of the first box, where its neighbour begins
    upper, lower = last, (boxes.box_rows - 1) * side + last + 1
    regions = [
        [{upper: lower, lower: upper}.get(cell, cell) for cell in region]
        for region in box_rules(side).regions
    ]

    assert decode_boxes(*weigh(regions)) is None


def test_the_edge_of_a_shadow_hides_no_boxes() -> None:
    boxes = box_rules(12).regions
    right, below = weigh(boxes)
    right[3, 4], right[4, 4], below[1, 7] = 0.9, 0.8, 0.9

    assert decode_boxes(right, below) == boxes
