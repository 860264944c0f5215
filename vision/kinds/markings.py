"""Which cells of a board are marked, by another paper tone or by a line from corner to corner."""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from vision.board import CELL_PX, CROP_PX, MARGIN_PX, cut_cells
from vision.kinds.line_weights import is_dark

Float32 = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]

_INNER: Final = slice(MARGIN_PX + 4, CROP_PX - MARGIN_PX - 4)
"""Of a cut cell, what lies clear of its lines."""

_PAPER_SHARE: Final = 82
"""Percentile of a cell's pixels that is its paper: ink takes less than the rest."""

_LEAST_STEP: Final = 0.02
"""Of the paper's tone where marked cells begin, in natural logarithms of the brightness."""

_MOST: Final = 0.85
"""Share of the neighbours that must show the step, or must show none."""

_ALONG: Final = (0.14, 0.18, 0.22, 0.26, 0.74, 0.78, 0.82, 0.86)
"""Where a line from corner to corner is looked for, in cells along it: a digit lies between."""

_ASIDE: Final = 0.13
"""Distance from it, in cells, at which there is paper."""

_RARE: Final = 0.85
"""Quantile of the cells elsewhere above which a cell shows a line; see `_MOST_MISSING`."""

_MOST_MISSING: Final = 1
"""Cells of a diagonal whose line may not be seen: by chance 8 of 9 cells are above that quantile in
two of a million boards, on two diagonals in one of 10¹¹."""


class Diagonals(NamedTuple):
    """How dark the lines from corner to corner of each cell are, in shares of its paper.

    Attributes:
        falling: (n, n) float32, from the top left.
        rising: (n, n) float32, from the bottom left.
    """

    falling: Float32
    rising: Float32


def measure_tones(board: npt.NDArray[np.uint8]) -> Float32:
    """Return the tone of each cell's paper, (n, n) float32, natural logarithms of the brightness.

    Args:
        board: (256, 256) uint8 as `vision.board.rectify` returns it.
    """
    cells = cut_cells(board)
    inner = cells[:, _INNER, _INNER].reshape(len(cells), -1)
    share = 100 - _PAPER_SHARE if is_dark(board) else _PAPER_SHARE
    rank = inner.shape[1] * share // 100
    paper = np.partition(inner, rank, axis=1)[:, rank].astype(np.float32)
    side = round(len(cells) ** 0.5)
    return np.asarray(np.log(np.maximum(paper, 1)).reshape(side, side), np.float32)


def is_tinted(tones: Float32, marked: Mask) -> bool:
    """Tell whether these cells, and no others, have another paper tone than the rest.

    Only neighbours are compared, so that shadows and the fall of light do not matter.

    Args:
        tones: (n, n) float32 as `measure_tones` returns them.
        marked: (n, n) bool.
    """
    steps = np.concatenate([np.diff(tones, axis=axis).ravel() for axis in (0, 1)])
    ways = np.concatenate([np.diff(marked.astype(int), axis=axis).ravel() for axis in (0, 1)])
    into = steps[ways != 0] * ways[ways != 0]
    step = float(np.median(into))
    if abs(step) < _LEAST_STEP:
        return False
    shown = np.mean(into / step > 0.5)
    elsewhere = np.mean(np.abs(steps[ways == 0] / step) < 0.5)
    return bool(min(shown, elsewhere) >= _MOST)


def has_drawn_diagonals(board: npt.NDArray[np.uint8]) -> bool:
    """Tell whether both long diagonals are drawn as lines, more clearly than any other could be.

    Args:
        board: (256, 256) uint8 as `vision.board.rectify` returns it.
    """
    drawn = measure_diagonals(board)
    is_main = np.eye(len(drawn.falling), dtype=np.bool_)
    for lines, on_line in ((drawn.falling, is_main), (drawn.rising, is_main[::-1])):
        usual = float(np.quantile(lines[~on_line], _RARE))
        if (lines[on_line] <= usual).sum() > _MOST_MISSING:
            return False
    return True


def measure_diagonals(board: npt.NDArray[np.uint8]) -> Diagonals:
    """Measure the lines from corner to corner of all cells.

    Args:
        board: (256, 256) uint8 as `vision.board.rectify` returns it.
    """
    light = 255 - board if is_dark(board) else board
    cells = cut_cells(light)
    return Diagonals(_measure_falling(cells), _measure_falling(cells[:, ::-1]))


def _measure_falling(cells: npt.NDArray[np.uint8]) -> Float32:
    side = round(len(cells) ** 0.5)
    along = MARGIN_PX + CELL_PX * np.array(_ALONG) - 0.5
    aside = CELL_PX * _ASIDE
    # A line is thin and may lie a pixel aside.
    near = [_sample(cells, along + down, along + right) for down, right in ((0, 0), (1, 0), (0, 1))]
    line = np.min(near, axis=0)
    above = _sample(cells, along - aside, along + aside)
    below = _sample(cells, along + aside, along - aside)
    paper = np.minimum(above, below)
    darker = np.median((paper - line) / np.maximum(paper, 1), axis=1)
    return np.asarray(darker.reshape(side, side), np.float32)


def _sample(
    cells: npt.NDArray[np.uint8], y: npt.NDArray[np.float64], x: npt.NDArray[np.float64]
) -> Float32:
    rows, columns = np.rint(y).astype(int), np.rint(x).astype(int)
    return np.asarray(cells[:, rows, columns], np.float32)
