"""Killers are drawn in many styles, and some cells may lie in no cage."""

import numpy as np

from training.boards.train_cages import describe_cells
from training.pages.cage_styles import leave_cells_out, restyle_cages
from training.pages.printed_board import KindLook, print_board
from training.pages.shape import Shape, draw_shape
from training.rendered.filled_board import BoardLook


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
