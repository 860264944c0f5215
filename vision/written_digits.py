"""What is written in cells, cut out of the photo, each at its own size and in the middle.

Handwriting differs in size and place from cell to cell. Brought to one size, as MNIST has its
digits, it keeps all that the photo shows of it.
"""

from typing import Final, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.board import cut_windows
from vision.geometry import Float32, Image8, Points

SHAPE_PX: Final = 28
"""Side of a shape in pixels."""

INK_PX: Final = 20
"""The longer side of the ink in it."""

_CELL_PX: Final = 56
_CROP_PX: Final = 64
"""Sides of a cell and of what is cut around its middle."""

_LINES: Final = slice(4, -4)
"""Of a crop: without what lies beyond the cell's lines."""
_MIDDLE: Final = slice(12, -12)
_CORE: Final = slice(14, -14)
_INSIDE: Final = slice(9, -9)
"""To which ink is cut off that reaches the lines."""
_RIM_PX: Final = 6
_APART_PX: Final = 8
"""From the edge of a crop: what has no part of the middle is ink only that far inside."""

_BAR_PX: Final = 44
"""Rows that a line of the grid covers within a cell."""
_ASIDE_PX: Final = 8
"""Of such a line from the middle, at least."""
_LEAN: Final = 0.25
_BEND_PX: Final = 1.5
"""Columns a row that it leans, and by which it bends, at most."""
_STRAIGHT: Final = 0.9
"""Share of its rows that bend no more: a digit with a straight stem does so elsewhere."""
_BESIDE_PX: Final = 4
"""To both sides of it, which belong to it."""
_IS_LINE: Final = 0.5
"""Share of the rows that another line covers."""
_IS_FAINT: Final = 0.12
"""Darkness of such a line, as that of ink: grids are often paler than what is written in them."""
_ALONG_PX: Final = 9
"""Rows over which it is averaged, so that noise is none."""

_PEN_PX: Final = 21
"""Wider than any stroke: what is narrower is no paper."""
_PEN: Final = np.ones((_PEN_PX, _PEN_PX), np.uint8)

_PAPER: Final = 75
_INK: Final = 1
"""Percentiles of the pixels that are paper and ink."""
_LEAST_CONTRAST: Final = 20
"""Grey levels between them, below which nothing is written."""
_IS_INK: Final = 0.45
_JOINS_INK: Final = 0.25
"""Darkness of ink, between paper at 0 and the darkest at 1, and of what counts where it is joined
to such: a thin stroke may cross a digit out (hysteresis; Canny 1986). `python -m
training.evaluate written`, also with `--hidden --level 3`, measures it."""
_LEAST_CORE_PX: Final = 6
_LEAST_PX: Final = 12
"""Pixels of a piece of ink: in the middle, and of one that lies aside."""
_LEAST_SIDE_PX: Final = 10
"""Ink is not enlarged beyond what this makes of it, so that a dot stays a dot."""


class Written(NamedTuple):
    """What is written in cells.

    Attributes:
        shapes: (k, 28, 28) uint8, ink 255 on 0; all 0 where nothing is found.
        strengths: (k,) float32, contrast of the ink in grey levels times its longer side in cells;
            0 where nothing is found.
    """

    shapes: Image8
    strengths: Float32


def cut_written(image: Image8, lattice: Points, *, is_denoised: bool = False) -> Written:
    """Cut out what is written in a board's cells.

    Args:
        image: (H, W) grey or (H, W, 3) BGR uint8.
        lattice: (n + 1, n + 1, 2) float32 in pixels of `image`.
        is_denoised: as `vision.board.rectify` takes it.

    Returns:
        Of the n² cells in reading order.
    """
    cells = cut_windows(image, lattice, _CELL_PX, _CROP_PX, is_denoised=is_denoised)
    if _are_light_on_dark(cells):
        cells = 255 - cells
    shapes = np.zeros((len(cells), SHAPE_PX, SHAPE_PX), np.uint8)
    strengths = np.zeros(len(cells), np.float32)
    for n, cell in enumerate(cells):
        shapes[n], strengths[n] = _cut_shape(cell)
    return Written(shapes, strengths)


def _are_light_on_dark(cells: Image8) -> bool:
    """Tell whether ink is lighter than paper in most cells, (k, 64, 64), that have any."""
    inner = cells[:, _MIDDLE, _MIDDLE]
    low, paper, high = np.percentile(inner, (_INK, 50, 100 - _INK), axis=(1, 2))
    return bool((high - paper).sum() > 2 * (paper - low).sum())


def _cut_shape(cell: Image8) -> tuple[Image8, float]:
    """Return the ink of a cell, (64, 64) uint8, as a shape, and its strength."""
    lit = _even_out(cell)
    paper = float(np.percentile(lit[_LINES, _LINES], _PAPER))
    darkest = float(np.percentile(lit[_MIDDLE, _MIDDLE], _INK))
    nothing = np.zeros((SHAPE_PX, SHAPE_PX), np.uint8), 0.0
    if paper - darkest < _LEAST_CONTRAST:
        return nothing
    darkness = np.clip((paper - lit) / (paper - darkest), 0, 1)
    is_ink = _add_faint(_choose_pieces(darkness), darkness)
    rows, columns = np.nonzero(is_ink)
    if len(rows) == 0:
        return nothing
    low = np.array([columns.min(), rows.min()])
    high = np.array([columns.max(), rows.max()])
    side = int(max(high - low + 1))
    scale = INK_PX / max(side, _LEAST_SIDE_PX)
    ink = darkness * cv2.dilate(is_ink.astype(np.uint8), np.ones((5, 5), np.uint8))
    if scale < 1:  # sampling alone would drop strokes
        ink = cv2.GaussianBlur(ink, (0, 0), max(0.5 * (1 / scale - 1), 0.1))
    place = (SHAPE_PX - 1) / 2 - scale * (low + high) / 2
    matrix = np.array([[scale, 0, place[0]], [0, scale, place[1]]])
    shape = cv2.warpAffine(ink, matrix, (SHAPE_PX, SHAPE_PX), flags=cv2.INTER_LINEAR)
    strength = (paper - darkest) * side / _CELL_PX
    return np.asarray(np.clip(shape * 255, 0, 255), np.uint8), strength


def _even_out(cell: Image8) -> Float32:
    """Return a cell, (64, 64), as if its paper were lit evenly: a shadow's edge is no ink."""
    around = np.pad(cell, _PEN_PX, mode="symmetric")
    closed = cv2.morphologyEx(around, cv2.MORPH_CLOSE, _PEN)
    paper = np.maximum(closed[_PEN_PX:-_PEN_PX, _PEN_PX:-_PEN_PX], 1).astype(np.float32)
    return np.asarray(cell * (np.percentile(paper, _PAPER) / paper), np.float32)


def _choose_pieces(darkness: Float32) -> npt.NDArray[np.bool_]:
    """Return where the pieces of ink are that belong to what is written, (64, 64) bool."""
    is_ink = (darkness > _IS_INK).astype(np.uint8)
    count, pieces, boxes, _ = cv2.connectedComponentsWithStats(is_ink, connectivity=8)
    in_core = np.bincount(pieces[_CORE, _CORE].ravel(), minlength=count)
    left, top, width, height, area = boxes.T
    most = _CROP_PX - _APART_PX
    is_apart = (np.minimum(left, top) >= _APART_PX) & (area >= _LEAST_PX)
    is_apart &= (left + width <= most) & (top + height <= most)
    is_kept = (in_core >= _LEAST_CORE_PX) | is_apart
    is_kept[0] = False  # the paper
    chosen = is_kept[pieces]
    inner = chosen[_RIM_PX:-_RIM_PX, _RIM_PX:-_RIM_PX]
    if inner.sum() < chosen.sum():  # joined to a line
        inside = np.zeros_like(chosen)
        inside[_INSIDE, _INSIDE] = True
        chosen &= inside
        chosen &= ~_find_lines(chosen, darkness)
    return np.asarray(chosen, np.bool_)


def _add_faint(is_ink: npt.NDArray[np.bool_], darkness: Float32) -> npt.NDArray[np.bool_]:
    """Return ink, (64, 64) bool, with the faint ink inside the cell that is joined to it."""
    may_be = is_ink.copy()
    may_be[_INSIDE, _INSIDE] |= darkness[_INSIDE, _INSIDE] > _JOINS_INK
    _, pieces = cv2.connectedComponents(may_be.astype(np.uint8), connectivity=8)
    return np.isin(pieces, np.unique(pieces[is_ink]))


def _find_lines(written: npt.NDArray[np.bool_], darkness: Float32) -> npt.NDArray[np.bool_]:
    """Return what of a cell's ink is a line of the grid, drawn aside by hand, and no tall digit.

    Such a line runs straight down beside the middle, and none lies where that side's should be.

    Args:
        written: (64, 64) bool, ink within the cell.
        darkness: (64, 64), from paper at 0 to the darkest ink at 1.
    """
    lines = np.zeros_like(written)
    may_be_line = cv2.blur(darkness, (1, _ALONG_PX)) > _IS_FAINT
    count, pieces = cv2.connectedComponents(written.astype(np.uint8), connectivity=8)
    for piece in range(1, count):
        bar = np.asarray(pieces == piece, np.uint8)
        rows = np.flatnonzero(bar.any(axis=1))
        middles = bar[rows] @ np.arange(_CROP_PX) / bar[rows].sum(axis=1)
        aside = middles.mean() - _CROP_PX / 2
        if len(rows) < _BAR_PX or abs(aside) < _ASIDE_PX or not _is_straight(rows, middles):
            continue
        wide = cv2.dilate(bar, np.ones((1, 2 * _BESIDE_PX + 1), np.uint8))
        others = may_be_line & (wide == 0)
        side = slice(_INSIDE.start) if aside < 0 else slice(_INSIDE.stop, None)
        if others[_INSIDE, side].any(axis=1).mean() < _IS_LINE:
            lines |= bar > 0
    return lines


def _is_straight(rows: npt.NDArray[np.intp], middles: npt.NDArray[np.floating]) -> bool:
    """Tell whether a stroke is straight and nearly upright, from its middle in each row."""
    slope, start = np.polyfit(rows, middles, 1)
    off = np.abs(middles - start - slope * rows)
    return bool(abs(slope) < _LEAN and np.quantile(off, _STRAIGHT) < _BEND_PX)
