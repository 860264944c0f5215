"""Drawn cells, cells of rendered pages, pools and folds: what the digit reader is trained on."""

from pathlib import Path

import numpy as np
import pytest
from photo_cells_rig import make_real_cells

from models.digits import CLASSES
from training.digits.cell_pools import SMOOTHING, Pool, draw_cells, make_target, real_pools
from training.digits.drawn_cells import Content, GlyphStock, render_cell
from training.digits.photo_cells import RealCells, cut_photo, render_page_cells
from training.photo_labels import fold_of, load_photo_labels
from training.rendered.large_digits import GLYPH_PX, NO_DATA, select_glyphs, using_shapes_of
from training.rendered.rendered_photos import render_small_photo

CONTENTS: tuple[Content, ...] = ("printed", "written", "blank", "dirty", "candidates", "pen")
DIGITS: tuple[Content, ...] = ("printed", "written", "pen")


@pytest.fixture(scope="module")
def stock() -> GlyphStock:
    shapes = np.zeros((9, GLYPH_PX, GLYPH_PX), np.uint8)
    for digit in range(1, 10):
        shapes[digit - 1, 4:24, 3 + digit : 9 + digit] = 255
    glyphs = select_glyphs(shapes, np.arange(1, 10, dtype=np.uint8))
    return GlyphStock(glyphs, glyphs)


@pytest.fixture
def real() -> RealCells:
    sources = "wichtounet", "alexkubiesa", "donshel", "others", "others", "wichtounet"
    return make_real_cells(np.arange(81, dtype=np.uint8) % 10, *sources)


@pytest.mark.parametrize("content", CONTENTS)
def test_a_drawn_cell_depends_on_its_seed_alone(stock: GlyphStock, content: Content) -> None:
    first, digit = render_cell(np.random.default_rng(4), content, stock)
    second, same = render_cell(np.random.default_rng(4), content, stock)
    other, _ = render_cell(np.random.default_rng(5), content, stock)

    assert first.shape == (32, 32)
    assert first.dtype == np.uint8
    assert digit == same
    np.testing.assert_array_equal(first, second)
    assert (first != other).any()


def test_targets_allow_the_kinds_that_are_asked_for() -> None:
    digits = np.array([0, 3], np.uint8)

    printed, written = make_target(digits), make_target(digits, printed=False, written=True)
    either = make_target(digits, written=True)

    assert [np.flatnonzero(row[:CLASSES]).tolist() for row in printed] == [[0], [3]]
    assert [np.flatnonzero(row[:CLASSES]).tolist() for row in written] == [[0], [12]]
    assert [np.flatnonzero(row[:CLASSES]).tolist() for row in either] == [[0], [3, 12]]
    assert either[:, CLASSES].tolist() == pytest.approx([SMOOTHING, SMOOTHING])


def test_cells_are_drawn_of_pools_by_their_shares() -> None:
    pools = {
        name: Pool(np.zeros((10, 32, 32), np.uint8), make_target(np.full(10, digit, np.uint8)))
        for name, digit in (("blank", 0), ("dirty", 8))
    }

    cells, target = draw_cells(np.random.default_rng(0), pools, {"blank": 3, "dirty": 1}, 400)

    assert 250 < (target[:, 0] > 0).sum() < 350
    assert len(cells) == len(target) == 400


def test_turned_digits_ask_for_an_even_answer() -> None:
    cell = np.zeros((32, 32), np.uint8)
    cell[0] = 255
    pools = {
        "printed": Pool(np.repeat(cell[None], 50, axis=0), make_target(np.full(50, 6, np.uint8)))
    }

    cells, target = draw_cells(np.random.default_rng(0), pools, {"printed": 1}, 2000)

    turned = target[:, CLASSES] == 1
    upright = (cells == cell).all(axis=(1, 2))
    assert 20 < turned.sum() < 200
    assert not (turned & upright).any()
    assert target[~turned, CLASSES] == pytest.approx(SMOOTHING)
    assert not (cells[turned] == np.rot90(cell, 2)).all(axis=(1, 2)).any()  # a 9 would be learnt


def test_real_pools_hold_only_the_photos_that_are_allowed(real: RealCells) -> None:
    pools = real_pools(real, real.fold != 0)

    seen = {int(value) for pool in pools.values() for value in np.unique(pool.cells)}
    assert seen == {1, 2, 4, 5}


def test_real_pools_leave_the_kind_open_only_where_labels_do(real: RealCells) -> None:
    pools = real_pools(real, np.ones(6, bool))

    allowed = {name: pool.target[:, :CLASSES].sum(axis=1).max() for name, pool in pools.items()}
    assert allowed["wichtounet_filled"] == allowed["others_filled"] == 1
    assert allowed["alexkubiesa_filled"] == allowed["donshel_filled"] == 2
    assert allowed["alexkubiesa_empty"] == 1


def test_photos_of_a_puzzle_never_lie_in_two_folds(shared_data: Path) -> None:
    photos = load_photo_labels(shared_data / "photos")

    folds: dict[bytes, set[int]] = {}
    for photo in photos:
        folds.setdefault(photo.digits.tobytes(), set()).add(fold_of(photo.group))

    assert len(photos) > 600
    assert all(len(found) == 1 for found in folds.values())


def test_cells_of_a_page_come_with_their_digits_and_kinds() -> None:
    with using_shapes_of(NO_DATA):
        cuts = list(cut_photo("pages", 1, 5))

    assert len(cuts) == 2
    cells, digits, is_written = cuts[0]
    assert cells.shape == (81, 32, 32)
    assert (digits[~is_written] > 0).sum() >= 17
    assert (digits[is_written] > 0).all()
    assert (cuts[1][0] != cells).any()
    assert (cuts[1][1] == digits).all()


def test_a_small_photo_shows_one_board_of_small_cells() -> None:
    with using_shapes_of(NO_DATA):
        rendered = render_small_photo(5, 3)
        cuts = list(cut_photo("small", 5, 3))

    assert len(rendered.boards) == 1
    assert 12 < rendered.circumstances.cell_px < 40
    clues = rendered.boards[0].clues
    assert (cuts[0][1].reshape(9, 9)[clues > 0] == clues[clues > 0]).all()
    assert len(cuts) == 2


def test_pages_are_rendered_once_and_read_again(tmp_path: Path) -> None:
    kept = {"cells": np.zeros((162, 32, 32), np.uint8), "digits": np.ones(162, np.uint8)}
    is_written = np.zeros(162, np.bool_)
    path = tmp_path / "pages_0-000.npz"
    np.savez(path, cells=kept["cells"], digits=kept["digits"], is_written=is_written)

    drawn = render_page_cells("pages", 20, 0, NO_DATA, tmp_path)

    assert len(drawn.cells) == int(drawn.digits.sum()) == 162
    assert not drawn.is_written.any()
