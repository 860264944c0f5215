"""Cells of rendered pages to train the digit reader on."""

from pathlib import Path

import numpy as np

from training.digits.photo_cells import cut_photo, render_page_cells
from training.rendered.large_digits import NO_DATA, using_shapes_of
from training.rendered.rendered_photos import render_small_photo


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
