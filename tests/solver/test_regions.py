"""Regions that the weights of lines enclose."""

from random import Random

import numpy as np
import numpy.typing as npt
import pytest

from solver.decoding.regions import decode_regions
from solver.generation.generate_kinds import draw_regions

Weights = tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]


def weigh(regions: list[list[int]], thin: float = 0.3, thick: float = 1.0) -> Weights:
    owner = np.zeros(81, int)
    for number, cells in enumerate(regions):
        owner[cells] = number
    grid = owner.reshape(9, 9)
    right = np.where(grid[:, 1:] != grid[:, :-1], thick, thin)
    below = np.where(grid[1:] != grid[:-1], thick, thin)
    return right.astype(float), below.astype(float)


@pytest.mark.parametrize("seed", range(8))
def test_regions_are_told_by_their_thick_lines_in_spite_of_noise(seed: int) -> None:
    regions = draw_regions(9, Random(seed))
    right, below = weigh(regions)
    noise = np.random.default_rng(seed)

    found = decode_regions(
        right + noise.normal(0, 0.08, right.shape), below + noise.normal(0, 0.08, below.shape)
    )

    assert found == tuple(map(tuple, regions))


@pytest.mark.parametrize("seed", range(8))
def test_a_faint_piece_of_a_thick_line_is_made_good(seed: int) -> None:
    regions = draw_regions(9, Random(seed))
    right, below = weigh(regions)
    row, column = np.argwhere(right == 1.0)[seed]
    right[row, column] = 0.6

    assert decode_regions(right, below) == tuple(map(tuple, regions))


def test_lines_of_one_weight_tell_no_regions() -> None:
    noise = np.random.default_rng(1)

    assert decode_regions(noise.normal(1, 0.05, (9, 8)), noise.normal(1, 0.05, (8, 9))) is None


def test_regions_are_not_guessed_where_many_lines_are_missing() -> None:
    right, below = weigh(draw_regions(9, Random(3)))
    right[:4] = 0.3

    assert decode_regions(right, below) is None
