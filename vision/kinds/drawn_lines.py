"""What is printed through cells: diagonals and cages. Digits are freed from both."""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from vision.board import CELL_PX, CROP_PX, MARGIN_PX, cut_cells
from vision.geometry import Float32, Grey, Image8
from vision.kinds.line_weights import is_dark

_ALONG: Final = (0.14, 0.18, 0.22, 0.26, 0.74, 0.78, 0.82, 0.86)
"""Where a line from corner to corner is looked for, in cells along it: a digit lies between."""

_ASIDE: Final = 0.13
"""Distance from it, in cells, at which there is paper."""

_RARE: Final = 0.85
"""Quantile of the cells elsewhere above which a cell shows a line; see `_MOST_MISSING`."""

_MOST_MISSING: Final = 3
"""Cells of both diagonals whose line may not be seen, as in a shadow or behind a digit; a sixth of
them on larger boards. By chance 15 of 18 cells are above that quantile in one of 4·10⁹ boards, 9 of
12 in one of 200,000."""

_FEW_CELLS: Final = 4
"""Side of a board whose every cell touches thick lines that cross: they look like drawn ones."""

_STANDS_OUT: Final = 0.04
"""By how much the middle cell of each diagonal is above that quantile on such a board, in shares of
the paper. Of 120 rendered ones (levels 3 and 4, one-off) those with drawn lines have 0.048 at
least, one aside, and those without marks 0.016 at most."""

_FAINTEST: Final = -0.1
"""Least darkness that counts as usual there: thick lines beside a place make it lighter than its
paper. Drawn lines on 65 rendered boards had -0.03 at least, and three boards without that were
taken for such -0.13 at most (one-off)."""

_HALF_WIDTH: Final = 3
"""Diagonals of pixels on either side of the middle one that a drawn line may darken."""

_NEAR_CORNER: Final = (4, 9)
"""Pixels from a cut cell's corner where a line is seen alone, before any digit."""

_PAPER_AT: Final = slice(9, 24)
"""Of a cut cell's rows and columns, those whose median is its paper."""

_FRAME_PX: Final = 8
"""At the rim of a cut cell, where cages run."""

_SUM_PX: Final = (13, 16)
"""Rows and columns of a cut cell's top left corner, where a sum stands."""


class Diagonals(NamedTuple):
    """How dark the lines from corner to corner of each cell are, in shares of its paper.

    Attributes:
        falling: (n, n) float32, from the top left.
        rising: (n, n) float32, from the bottom left.
    """

    falling: Float32
    rising: Float32


def has_drawn_diagonals(board: npt.NDArray[np.uint8]) -> bool:
    """Tell whether both long diagonals are drawn as lines, more clearly than any other could be.

    Args:
        board: (256, 256) uint8 as `vision.board.rectify` returns it.
    """
    drawn = measure_diagonals(board)
    is_main = np.eye(len(drawn.falling), dtype=np.bool_)
    missing, least_apart = 0, np.inf
    for lines, on_line in ((drawn.falling, is_main), (drawn.rising, is_main[::-1])):
        usual = float(np.quantile(lines[~on_line], _RARE))
        missing += int((lines[on_line] <= usual).sum())
        least_apart = min(least_apart, float(np.median(lines[on_line])) - max(usual, _FAINTEST))
    if len(is_main) <= _FEW_CELLS and least_apart < _STANDS_OUT:
        return False
    return missing <= max(_MOST_MISSING, len(is_main) // 3)


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


def erase_diagonals(cells: Image8, *, is_dark: bool) -> Image8:
    """Take the lines of drawn diagonals away from the cells, so that their digits can be read.

    Two guesses are averaged at each pixel of a line. The one takes out the line's own darkness, and
    is too light where a digit lies. The other spans the line from its two sides, and is too dark
    where a digit only touches it.

    Args:
        cells: (n², CROP_PX, CROP_PX) uint8 in reading order, as `vision.board.cut_cells` and
            `cut_middles` return them.
        is_dark: the paper is darker than what is printed on it.
    """
    side = round(len(cells) ** 0.5)
    at = np.arange(side)
    falling, rising = at * (side + 1), (at + 1) * (side - 1)
    light = (255 - cells if is_dark else cells).astype(np.float32)
    light[falling] = _erase_falling(light[falling])
    light[rising] = _erase_falling(light[rising][:, ::-1])[:, ::-1]
    freed = np.clip(light + 0.5, 0, 255).astype(np.uint8)
    return np.asarray(255 - freed if is_dark else freed, np.uint8)


def _erase_falling(cells: Float32) -> Float32:
    """Take the lines from the top left away, of (n, CROP_PX, CROP_PX) cells on light paper."""
    y, x = np.indices((CROP_PX, CROP_PX))
    aside, along = x - y, np.minimum(x + y, 2 * (CROP_PX - 1) - x - y) // 2
    is_alone = (along >= _NEAR_CORNER[0]) & (along <= _NEAR_CORNER[1])
    reach = _HALF_WIDTH + 1
    rims = (np.abs(aside) > reach) & (np.abs(aside) <= reach + 2)
    paper = max(float(np.median(cells[:, rims & is_alone])), 1.0)
    freed = cells.copy()
    for offset in range(-_HALF_WIDTH, _HALF_WIDTH + 1):
        rows, columns = np.nonzero(aside == offset)
        darkness = float(np.median(cells[:, (aside == offset) & is_alone])) / paper
        lifted = np.minimum(cells[:, rows, columns] / np.clip(darkness, 0.01, 1), paper)
        share = (offset + reach) / (2 * reach)
        low = _look_across(cells, rows, columns, -reach - offset)
        high = _look_across(cells, rows, columns, reach - offset)
        spanned = low + (high - low) * share
        freed[:, rows, columns] = (lifted + spanned) / 2
    return freed


def _look_across(
    cells: Float32, rows: npt.NDArray[np.intp], columns: npt.NDArray[np.intp], steps: int
) -> Float32:
    """Return the tones so many diagonals of pixels further to the top right, (n, pixels)."""
    ways = steps // 2, -(-steps // 2)  # an odd number ends between two pixels
    last = CROP_PX - 1
    ends = [cells[:, np.clip(rows - way, 0, last), np.clip(columns + way, 0, last)] for way in ways]
    return np.asarray((ends[0] + ends[1]) / 2, np.float32)


def blank_cages(
    cells: Grey, is_caged: npt.NDArray[np.bool_], has_sum: npt.NDArray[np.bool_]
) -> Grey:
    """Return cells with paper where cages and sums are printed, so that digits stand alone.

    Args:
        cells: (n², CROP_PX, CROP_PX) uint8 as `vision.board.cut_cells` returns them, upright.
        is_caged: (n²,) which cells lie in a cage; others stay as they are.
        has_sum: (n²,) which cells have a sum.
    """
    paper = np.median(cells[:, _PAPER_AT, _PAPER_AT].reshape(len(cells), -1), axis=1).astype(
        np.uint8
    )
    is_rim = np.ones(cells.shape[1:], np.bool_)
    is_rim[_FRAME_PX:-_FRAME_PX, _FRAME_PX:-_FRAME_PX] = False
    is_corner = np.zeros_like(is_rim)
    is_corner[: _SUM_PX[0], : _SUM_PX[1]] = True
    hidden = (is_rim & is_caged[:, None, None]) | (is_corner & has_sum[:, None, None])
    return np.where(hidden, paper[:, None, None], cells)
