"""How large the digits of a board are in their cells."""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from vision.board import CELL_PX, MARGIN_PX

Floats = npt.NDArray[np.float64]

_RIM_PX: Final = MARGIN_PX + 3
"""Of a cut cell, where its lines are."""

_PAPER_SHARE: Final = 75
"""Percentile of a cell's pixels that is its paper."""

_EVERY: Final = 3
"""Pixels from one to the next that is asked for the paper's tone."""

_LEAST_CONTRAST: Final = 0.25
"""Of ink, in shares of the paper's brightness."""

_LEAST_SHARE: Final = 0.5
"""Of the contrast of a board's clearest cells, for a cell to count as filled."""

_FEWEST: Final = 12
"""Filled cells from which the digits' size is known."""

_SMALL: Final = 0.38
"""Heights in cells below which digits are small: those of newspapers and screens have 0.45 to 0.65,
and from 0.3 down the digit reader takes them for pencil marks or dirt."""

_WANTED: Final = 0.42
"""Height that small digits are enlarged to."""

_MOST_ZOOM: Final = 2.2

_MOST_OF_THEM: Final = (0.2, 0.8)
"""Quantiles between which the heights are compared: dirt and notes are among them."""

_MOST_SPREAD: Final = 0.2
"""Between these, in shares of the median height."""

_MOST_ASIDE: Final = 0.12
"""Cells by which the middle of a digit may lie above or below the middle of its cell."""


class Ink(NamedTuple):
    """Where the ink of filled cells lies, in cells.

    Attributes:
        heights: (k,) of the ink.
        widths: (k,).
        aside: (k,) by how much its middle is above or below the middle of the cell.
    """

    heights: Floats
    widths: Floats
    aside: Floats


def choose_zoom(cells: npt.NDArray[np.uint8]) -> float:
    """Return how much the middles of cells have to be enlarged for the digit reader; mostly 1.

    Digits of a board are of one size, taller than wide, and stand in the middle of their cells.
    Other small print, such as the numbers of a table, is not enlarged.

    Args:
        cells: (n², CROP_PX, CROP_PX) uint8 as `vision.board.cut_cells` returns them.
    """
    ink = measure_ink(cells)
    if len(ink.heights) < _FEWEST:
        return 1.0
    height = float(np.median(ink.heights))
    low, high = np.quantile(ink.heights, _MOST_OF_THEM)
    is_print = (
        high - low <= _MOST_SPREAD * height
        and np.quantile(ink.aside, _MOST_OF_THEM[1]) <= _MOST_ASIDE
        and np.median(ink.widths) <= height
    )
    return min(_WANTED / height, _MOST_ZOOM) if height < _SMALL and is_print else 1.0


def measure_ink(cells: npt.NDArray[np.uint8]) -> Ink:
    """Measure the ink in each cell that is filled.

    Args:
        cells: (n², CROP_PX, CROP_PX) uint8 as `vision.board.cut_cells` returns them.
    """
    inner = cells[:, _RIM_PX:-_RIM_PX, _RIM_PX:-_RIM_PX]
    flat = inner.reshape(len(cells), -1)
    some = flat[:, ::_EVERY]
    rank = some.shape[1] * _PAPER_SHARE // 100
    paper = np.partition(some, rank, axis=1)[:, rank].astype(np.float32)
    darkest = flat.min(axis=1).astype(np.float32)
    contrast = (paper - darkest) / np.maximum(paper, 1)
    least = max(_LEAST_CONTRAST, _LEAST_SHARE * float(np.percentile(contrast, 90)))
    is_filled = contrast > least
    ink = inner[is_filled] < ((paper + darkest) / 2)[is_filled, None, None]
    top, bottom = _span(ink.any(axis=2))
    left, right = _span(ink.any(axis=1))
    aside = np.abs((top + bottom - inner.shape[1]) / 2)
    return Ink((bottom - top) / CELL_PX, (right - left) / CELL_PX, aside / CELL_PX)


def _span(is_ink: npt.NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Return the first and the last line of ink of each row, the last excluded."""
    last = is_ink.shape[1] - is_ink[:, ::-1].argmax(axis=1)
    return is_ink.argmax(axis=1).astype(np.float64), last.astype(np.float64)
