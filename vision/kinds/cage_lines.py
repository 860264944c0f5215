"""Lines a little inside the cells, as killers have them around their cages."""

from typing import Final

import numpy as np
import numpy.typing as npt

from vision.board import MARGIN_PX

Grey = npt.NDArray[np.uint8]

_ALONG: Final = slice(9, 24)
"""Of a cut cell's rows, or columns, those that are averaged: digits and corners lie elsewhere."""

_INSET: Final = slice(MARGIN_PX + 2, MARGIN_PX + 4)
"""Where the lines of cages run, in pixels from the edge of a cut cell."""

_QUANTILE: Final = 0.4
"""Of the sides of all cells, the darkest in front: more than half of a killer's have a wall."""

_LEAST_INK: Final = 0.008
"""Darkening there, in shares of the paper: of 105 rendered killers of level 3 and 4, two with thin
dashes have 0.009 and 0.012, all others 0.017 at least; 100 real classics 0.005 in three of four."""

_FRAME_PX: Final = 8
"""At the rim of a cut cell, where cages run."""

_SUM_PX: Final = (13, 16)
"""Rows and columns of a cut cell's top left corner, where a sum stands."""


def has_inset_lines(cells: Grey) -> bool:
    """Tell whether a board may have cages; where it has none, this mostly says so.

    Args:
        cells: (n², CROP_PX, CROP_PX) uint8 as `vision.board.cut_cells` returns them, turned any
            way.
    """
    some = cells[::2]
    rows = some[:, _ALONG]
    upright = rows.mean(axis=1, dtype=np.float32)
    lying = some[:, :, _ALONG].mean(axis=2, dtype=np.float32)
    paper = np.maximum(np.median(rows[:, ::3, _ALONG][:, :, ::3].reshape(len(some), -1), axis=1), 1)
    sides = [upright, upright[:, ::-1], lying, lying[:, ::-1]]
    ink = 1 - np.stack([side[:, _INSET].mean(axis=1) for side in sides]) / paper
    is_light = np.median(np.stack([side[:, MARGIN_PX] for side in sides]) / paper) > 1
    return bool(np.quantile(-ink if is_light else ink, 1 - _QUANTILE) >= _LEAST_INK)


def blank_cages(cells: Grey, has_sum: npt.NDArray[np.bool_]) -> Grey:
    """Return cells with paper where cages and sums are printed, so that digits stand alone.

    Args:
        cells: (n², CROP_PX, CROP_PX) uint8 as `vision.board.cut_cells` returns them, upright.
        has_sum: (n²,) which cells have a sum.
    """
    paper = np.median(cells[:, _ALONG, _ALONG].reshape(len(cells), -1), axis=1).astype(np.uint8)
    is_rim = np.ones(cells.shape[1:], np.bool_)
    is_rim[_FRAME_PX:-_FRAME_PX, _FRAME_PX:-_FRAME_PX] = False
    is_corner = np.zeros_like(is_rim)
    is_corner[: _SUM_PX[0], : _SUM_PX[1]] = True
    hidden = is_rim | (is_corner & has_sum[:, None, None])
    return np.where(hidden, paper[:, None, None], cells)
