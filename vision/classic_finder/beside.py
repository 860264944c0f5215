"""Finds the boards beside those found, as a page prints its boards alike, in rows and columns."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from vision.board import Grey
from vision.classic_finder.lattice import (
    CONVINCING,
    LatticeFit,
    shift_lattice,
    snap_lattice,
    unfold_lattice,
)
from vision.classic_finder.windows import cut_window, window_around
from vision.finder.snap import Pyramid, build_pyramid
from vision.geometry import Points, quad_overlap

_NEXT_BOARD: Final = 10.3
"""Cells from where a board begins to where its neighbour does, a cell more or less."""

_INSIDE: Final = 0.97
"""Share of a neighbour that must lie in the picture."""

_APART: Final = 0.1
"""Overlap up to which two boards are two."""

_DOUBTFUL: Final = 0.5
"""From this score on a place is worth a closer look."""

_EXPECTED: Final = 0.1
"""What it adds to a score that the page leads one to expect a board there. On six pages with
boards that were missed, these had 0.73 and more, and all else beside boards 0.60 and less."""

_ENOUGH: Final = 0.8
"""A score from which it is one."""

_MAX_FAILURES: Final = 8
"""Places in vain after which the search ends."""


def find_beside(
    grey: Grey, pyramid: Pyramid, scale: float, found: Sequence[LatticeFit]
) -> list[LatticeFit]:
    """Return the boards beside those that were found for sure, and those beside them.

    Args:
        grey: (H, W) uint8, the photo.
        pyramid: of the photo as it was searched.
        scale: how much larger than the photo that is.
        found: in the photo.
    """
    boards = [fit for fit in found if fit.is_convincing]
    more: list[LatticeFit] = []
    failures = 0
    for board in boards:  # which grows
        for lattice in lattices_beside(board.placed(scale).lattice):
            if failures == _MAX_FAILURES:
                return more
            guess = LatticeFit(lattice, 0.0, board.is_inverted).placed(1 / scale)
            if not _is_inside(guess.lattice, grey.shape) or _is_on_any(guess, boards):
                continue
            rough = snap_lattice(pyramid, lattice, board.is_inverted)
            fit = None if rough is None else _snap_closer(grey, rough.placed(1 / scale))
            if fit is None or fit.score + _EXPECTED < _ENOUGH or _is_on_any(fit, boards):
                failures += 1
                continue
            fit = replace(fit, score=min(fit.score + _EXPECTED, 1.0))
            boards.append(fit)
            more.append(fit)
    return more


def lattices_beside(lattice: Points) -> list[Points]:
    """Return where a board's neighbours lie if the page goes on alike.

    Args:
        lattice: (10, 10, 2) float32 of a board.

    Returns:
        Four lattices of the same shape: to the right, to the left, below and above.
    """
    cells = np.stack(np.meshgrid(np.arange(10.0), np.arange(10.0)), axis=-1).astype(np.float32)
    flat = cells.reshape(1, 100, 2)
    homography, _ = cv2.findHomography(flat[0], lattice.reshape(100, 2))
    if homography is None:
        return []
    steps = np.array([(1, 0), (-1, 0), (0, 1), (0, -1)], np.float32) * _NEXT_BOARD
    moved = [cv2.perspectiveTransform(flat + step, homography) for step in steps]
    return [np.asarray(other, np.float32).reshape(10, 10, 2) for other in moved]


def _snap_closer(grey: Grey, fit: LatticeFit) -> LatticeFit | None:
    """Return a fit, snapped anew in more pixels where it is in doubt."""
    if not _DOUBTFUL <= fit.score < CONVINCING:
        return fit
    height, width = grey.shape
    window = np.clip(window_around(fit.corners), 0, (width, height, width, height))
    view = cut_window(grey, window)
    if view is None:
        return fit
    right, down = view.origin
    lattice = fit.placed(view.scale, -right * view.scale, -down * view.scale).lattice
    pyramid = build_pyramid(view.grey)
    closer = snap_lattice(pyramid, lattice, fit.is_inverted)
    if closer is not None and closer.score < CONVINCING:
        # Boards may stand so close that the gap passes for a column.
        closer = unfold_lattice(pyramid, shift_lattice(pyramid, closer))
    if closer is None or closer.score <= fit.score:
        return fit
    return closer.placed(1 / view.scale, right, down)


def _is_inside(lattice: Points, shape: tuple[int, int]) -> bool:
    height, width = shape
    is_inside = (lattice >= 0) & (lattice <= (width - 1, height - 1))
    return bool(is_inside.all(axis=2).mean() >= _INSIDE)


def _is_on_any(fit: LatticeFit, boards: Sequence[LatticeFit]) -> bool:
    return any(quad_overlap(fit.corners, board.corners) > _APART for board in boards)
