"""Killers are drawn in many styles, and their cells are described."""

import numpy as np
import pytest

from training.boards.train_cages import (
    describe_cells,
    draw_batch,
    draw_samples,
    leave_cells_out,
    restyle_cages,
)
from training.pages.printed_board import KindLook, print_board
from training.pages.shape import Shape, draw_shape
from training.rendered.filled_board import BoardLook


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


def draw(shape: Shape, look: KindLook) -> np.ndarray:
    sums = [10] * len(shape.cages)
    return print_board(shape, np.zeros((9, 9), np.uint8), sums, 360, look).image


def test_styles_with_and_without_lines_and_papers_come_up() -> None:
    looks = [restyle_cages(KindLook(BoardLook()), np.random.default_rng(n)) for n in range(40)]

    assert {bool(look.cage_width) for look in looks} == {True, False}
    assert {bool(look.cage_papers) for look in looks} == {True, False}
    assert all(look.cage_width or look.cage_papers for look in looks)
    assert any(look.cage_dash == 0 for look in looks)


def test_cells_that_are_left_out_have_neither_walls_nor_sums_nor_paper() -> None:
    rng = np.random.default_rng(0)
    shape = leave_cells_out(draw_shape("killer", 9, rng), rng)
    sums, walls = describe_cells(shape, [10] * len(shape.cages))
    outside = np.ones((9, 9), np.bool_)
    for cage in shape.cages:
        outside[tuple(np.transpose(cage))] = False

    picture = draw(shape, KindLook(BoardLook(), cage_papers=((0, 0, 200),) * 8))

    assert 5 <= outside.sum() <= 34
    assert not sums[outside.ravel()].any()
    assert not walls[outside.ravel()].any()
    middles = (0.25 + np.arange(9) + 0.5) / 9.5 * len(picture)
    shown = picture[np.ix_(middles.astype(int), middles.astype(int))]
    assert np.array_equal((shown == 255).all(axis=2), outside)
