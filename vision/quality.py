"""How well a board can be read in a photo: size, light, contrast and sharpness, as numbers."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from vision.board import CELL_PX, MARGIN_PX
from vision.geometry import Image8, Points

_FILLED: Final = 17
"""Cells with most contrast that are taken for filled ones: no puzzle has fewer clues."""

_INNER: Final = slice(MARGIN_PX + 3, MARGIN_PX + CELL_PX - 3)
"""Of a cut cell, what the lines around it do not reach."""

_MISPLACED: Final = 0.15
"""Cells by which a lattice may be off where the picture's edge cuts its lines off."""

_ROUGH: Final = 2.0
"""The same of a lattice that lies on no lines yet."""


@dataclass(frozen=True, eq=False)
class BoardQuality:
    """What was measured on one board.

    Attributes:
        cell_px: side of a cell in pixels of the photo, the median of all.
        light: (n, n) float32, 0..255, the grey level of each cell's paper.
        contrast: 0..1, the difference between paper and ink against the brighter of the two,
            the median of the 17 cells with most of it.
        sharpness: 0..1, the steepest edge of a digit, as share of its contrast that changes
            within 1/28 of a cell; the median of the same cells.
        outside: the picture's edges, of "left", "right", "top", "bottom", that the board crosses.
    """

    cell_px: float
    light: npt.NDArray[np.float32]
    contrast: float
    sharpness: float
    outside: tuple[str, ...]


def measure_quality(
    size: tuple[int, int],
    lattice: Points,
    cells: Image8,
    is_cell: npt.NDArray[np.bool_] | None = None,
) -> BoardQuality:
    """Measure a board.

    Args:
        size: width and height of the photo, in pixels.
        lattice: (n + 1, n + 1, 2) float32 in its pixels.
        cells: (n², 32, 32) uint8, cut from the rectified board, upright.
        is_cell: (n, n) which of its places are cells; all when None.
    """
    inner = cells[:, _INNER, _INNER].astype(np.float32)
    side = len(lattice) - 1
    flat = inner.reshape(side**2, -1)
    paper = np.median(flat, axis=1)
    dark, light = np.quantile(flat, (0.03, 0.97), axis=1)
    # Ink is what lies further from the paper: light on a board in dark mode.
    ink = np.where(paper - dark >= light - paper, dark, light)
    height = np.abs(paper - ink)
    contrast = height / np.maximum(np.maximum(paper, ink), 1)
    filled = np.argsort(-contrast, kind="stable")[:_FILLED]
    down, right = np.gradient(inner[filled], axis=(1, 2))
    steepest = np.quantile(np.hypot(down, right).reshape(len(filled), -1), 0.98, axis=1)
    return BoardQuality(
        cell_px=_cell_px(lattice),
        light=paper.reshape(side, side).astype(np.float32),
        contrast=float(np.median(contrast[filled])),
        sharpness=float(np.median(steepest / np.maximum(height[filled], 1))),
        outside=_crossed_edges(size, lattice, is_cell),
    )


def has_cells_outside(
    size: tuple[int, int], lattice: Points, is_cell: npt.NDArray[np.bool_] | None = None
) -> bool:
    """Tell whether the picture's edge may cut off half of a cell: what it holds is not known.

    Args:
        size: width and height of the photo in pixels.
        lattice: (n + 1, n + 1, 2) float32 in its pixels.
        is_cell: (n, n) which of its places are cells; all when None.
    """
    return _has_middles_outside(size, lattice, _MISPLACED, is_cell)


def lies_outside(size: tuple[int, int], rough: Points) -> bool:
    """Tell whether cells of a board surely lie outside of the picture, wherever its lines are.

    Args:
        size: width and height of the photo in pixels.
        rough: (n + 1, n + 1, 2) float32 in its pixels, where a network alone has seen the board.
    """
    return _has_middles_outside(size, rough, -_ROUGH)


def _has_middles_outside(
    size: tuple[int, int],
    lattice: Points,
    reach: float,
    is_cell: npt.NDArray[np.bool_] | None = None,
) -> bool:
    """Tell whether the middle of a cell lies so many cells or less inside the picture's edges."""
    middle = (lattice[:-1, :-1] + lattice[1:, 1:] + lattice[:-1, 1:] + lattice[1:, :-1]) / 4
    if is_cell is not None:
        middle = middle[is_cell]
    reach_px = reach * _cell_px(lattice)
    return bool((middle < reach_px - 0.5).any() or (middle > np.array(size) - 0.5 - reach_px).any())


def _cell_px(lattice: Points) -> float:
    right = np.linalg.norm(np.diff(lattice, axis=1), axis=2)
    down = np.linalg.norm(np.diff(lattice, axis=0), axis=2)
    return float(np.median(np.concatenate([right.ravel(), down.ravel()])))


def _crossed_edges(
    size: tuple[int, int], lattice: Points, is_cell: npt.NDArray[np.bool_] | None
) -> tuple[str, ...]:
    reach = _MISPLACED * _cell_px(lattice)
    points = lattice.reshape(-1, 2)
    if is_cell is not None:
        around = [lattice[:-1, :-1], lattice[:-1, 1:], lattice[1:, :-1], lattice[1:, 1:]]
        points = np.concatenate([corner[is_cell] for corner in around])
    left, top = points.min(axis=0) + reach
    right, bottom = points.max(axis=0) - reach
    width, height = size
    crossed = {"left": left < 0, "right": right > width, "top": top < 0, "bottom": bottom > height}
    return tuple(edge for edge, is_crossed in crossed.items() if is_crossed)
