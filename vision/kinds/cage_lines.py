"""Takes the lines of cages and their sums out of cells, so that digits stand alone."""

from typing import Final

import numpy as np
import numpy.typing as npt

from vision.geometry import Grey

_ALONG: Final = slice(9, 24)
"""Of a cut cell's rows and columns, those whose median is its paper."""

_FRAME_PX: Final = 8
"""At the rim of a cut cell, where cages run."""

_SUM_PX: Final = (13, 16)
"""Rows and columns of a cut cell's top left corner, where a sum stands."""


def blank_cages(
    cells: Grey, is_caged: npt.NDArray[np.bool_], has_sum: npt.NDArray[np.bool_]
) -> Grey:
    """Return cells with paper where cages and sums are printed, so that digits stand alone.

    Args:
        cells: (n², CROP_PX, CROP_PX) uint8 as `vision.board.cut_cells` returns them, upright.
        is_caged: (n²,) which cells lie in a cage; others stay as they are.
        has_sum: (n²,) which cells have a sum.
    """
    paper = np.median(cells[:, _ALONG, _ALONG].reshape(len(cells), -1), axis=1).astype(np.uint8)
    is_rim = np.ones(cells.shape[1:], np.bool_)
    is_rim[_FRAME_PX:-_FRAME_PX, _FRAME_PX:-_FRAME_PX] = False
    is_corner = np.zeros_like(is_rim)
    is_corner[: _SUM_PX[0], : _SUM_PX[1]] = True
    hidden = (is_rim & is_caged[:, None, None]) | (is_corner & has_sum[:, None, None])
    return np.where(hidden, paper[:, None, None], cells)
