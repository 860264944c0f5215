"""Samples of cells of killers."""

import numpy as np
import pytest

from training.boards.train_cages import describe_cells, draw_batch, draw_samples
from training.pages.shape import draw_shape


def test_cells_are_described_by_their_cages() -> None:
    shape = draw_shape("killer", 9, np.random.default_rng(0))
    totals = [number % 45 + 1 for number in range(len(shape.cages))]

    sums, walls = describe_cells(shape, totals)

    assert np.count_nonzero(sums) == len(shape.cages)
    for cage, total in zip(shape.cages, totals, strict=True):
        row, column = cage[0]
        assert sums[9 * row + column] == total
    walls = walls.reshape(9, 9, 4)
    edges = walls[:, 0, 0], walls[0, :, 1], walls[:, -1, 2], walls[-1, :, 3]
    assert np.all(edges)
    assert np.array_equal(walls[:, 1:, 0], walls[:, :-1, 2])


def test_boards_of_other_kinds_have_no_cages() -> None:
    shape = draw_shape("classic", 9, np.random.default_rng(0))

    sums, walls = describe_cells(shape, ())

    assert not sums.any()
    assert not walls.any()


@pytest.mark.slow  # a photo is drawn
def test_a_turned_crop_shows_no_sum_and_its_walls_turn_too() -> None:
    batch, targets = draw_batch(draw_samples(0), 200, np.random.default_rng(0))

    assert batch.shape == (200, 72, 72, 1)
    assert targets.shape == (200, 5)
    has_sum = targets[:, 0] > 0
    assert 0.4 < has_sum.mean() < 0.75
