"""Where a closer look is worth its time, and the boards that lie beside those found.

A page prints its boards alike, in rows and columns. A **window** is (left, top, right, bottom),
float32, in pixels of the picture it was found in.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Final, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.board import Grey
from vision.classic_finder.lattice import (
    CONVINCING,
    LatticeFit,
    shift_lattice,
    snap_lattice,
    unfold_lattice,
)
from vision.finder.snap import Pyramid, build_pyramid
from vision.geometry import Points, quad_area, quad_overlap

Window = npt.NDArray[np.float32]

_MARGIN: Final = 0.16
"""Surroundings that a window shows on each side, in sides of what is meant: the finder judges a
board by the paper around it, too."""

_LEAST_EXTENT: Final = 0.1
"""Smallest connected lines that are looked at where no board is known, in sides of the picture."""

_LIKE_KNOWN: Final = (0.45, 2.2)
"""Sizes of lines that may be another board beside a known one, in sides of that one."""

_SAME: Final = 0.55
"""Two windows that share more of their union are one."""

_MAX_ON_BOARD: Final = 0.25
"""Share of a known board that a window may show."""

_CLOSE_SIDE: Final = 600
"""Longer side of a part of the picture that is looked at closely, in pixels."""

_MOST_ENLARGED: Final = 2.0
"""A smaller part is enlarged by no more than this: from so few pixels nothing more comes."""

_LEAST_PATCH: Final = 16
"""Narrower parts hold no board, in pixels."""

_LEAST_PICTURE: Final = 32
"""Smaller pictures hold no board beside another, in pixels."""

_COARSE_INK: Final = 100
"""A line one pixel wide fills half of the pixels of half the resolution, 127."""

_MAX_OF_LINES: Final = 12

_AT_ONCE: Final = 2048
"""Windows that are judged together, which is far faster than one by one."""


class View(NamedTuple):
    """A part of a picture: (H, W) uint8, how much it was enlarged, and where it was cut out."""

    grey: Grey
    scale: float
    origin: tuple[int, int]

    def place(self, fit: LatticeFit) -> LatticeFit:
        """Return a fit that was found in this part where it lies in the picture."""
        return fit.placed(1 / self.scale, *self.origin)


def windows_of_lines(ink: Grey, boards: Sequence[Points]) -> list[Window]:
    """Return windows around connected lines that could be the frame of a board, largest first.

    Args:
        ink: (H, W) uint8, 0 or 255, from `vision.classic_finder.propose.Inks`.
        boards: corners of the boards known so far, each (4, 2) float32 in pixels of `ink`.
    """
    least, most = _LEAST_EXTENT * max(ink.shape), float(max(ink.shape))
    if boards:
        sides = [_side(board) for board in boards]
        least, most = min(sides) * _LIKE_KNOWN[0], max(sides) * _LIKE_KNOWN[1]
    if min(ink.shape) < _LEAST_PICTURE:
        return []
    # Frames are large: half the resolution shows them as well, in a quarter of the time.
    half = cv2.resize(ink, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    coarse = np.where(half > _COARSE_INK, 255, 0).astype(np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(coarse, connectivity=8)
    stats = 2 * stats
    width, height = stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT]
    low, high = np.minimum(width, height), np.maximum(width, height)
    fits = (low > least) & (high < most) & (high < 2.5 * low)
    fits[0] = False
    chosen = np.flatnonzero(fits)
    windows = []
    for label in chosen[np.argsort(-low[chosen])][:_MAX_OF_LINES]:
        left, top = stats[label, cv2.CC_STAT_LEFT], stats[label, cv2.CC_STAT_TOP]
        box = (left, top, left + width[label], top + height[label])
        windows.append(_widened(np.array(box, np.float32)))
    return windows


def window_around(corners: Points) -> Window:
    """Return the window that shows a quadrilateral with its surroundings."""
    return _widened(np.concatenate([corners.min(axis=0), corners.max(axis=0)]).astype(np.float32))


def windows_beside(boards: Sequence[Points]) -> list[Window]:
    """Return the places that complete the rows and columns in which boards stand on a page.

    Args:
        boards: corners (4, 2) float32; fewer than two tell nothing.
    """
    count = len(boards)
    if count < 2:
        return []
    # All at once: of a page of two dozen boards there are thousands of such places.
    lows = np.stack([board.min(axis=0) for board in boards])
    highs = np.stack([board.max(axis=0) for board in boards])
    centres = np.stack([board.mean(axis=0) for board in boards])
    boxes = np.concatenate([lows, highs], axis=1).astype(np.float32)
    one, other, third = _choices(count, 3)
    to, back = np.tile(centres[other], 2), np.tile(centres[third], 2)
    completing = boxes[one] + to - back
    one, other = _choices(count, 2)
    step = np.tile(centres[other] - centres[one], 2)
    across, down = np.array([1, 0, 1, 0], np.float32), np.array([0, 1, 0, 1], np.float32)
    going_on = [
        boxes[other] + step,
        boxes[one] - step,
        boxes[one] + down * step,
        boxes[one] + across * step,
    ]
    found = np.concatenate([completing, np.stack(going_on, axis=1).reshape(-1, 4)])
    return list(_widened(found.astype(np.float32)))


def cut_window(grey: Grey, window: Window) -> View | None:
    """Return what a window shows, enlarged to be looked at closely; None if that is too little.

    Args:
        grey: (H, W) uint8.
        window: in its pixels, all of it inside.
    """
    left, top, right, bottom = (int(edge) for edge in np.round(window))
    patch = grey[top:bottom, left:right]
    if min(patch.shape) < _LEAST_PATCH:
        return None
    scale = min(_CLOSE_SIDE / max(patch.shape), _MOST_ENLARGED)
    return View(scale_picture(patch, scale), scale, (left, top))


def scale_picture(grey: Grey, scale: float) -> Grey:
    """Return a picture of at least one pixel, `scale` times as large."""
    if scale == 1:
        return grey
    mode = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    if min(grey.shape) * scale < 1:  # a strip of which nothing would be left
        size = [max(1, round(side * scale)) for side in grey.shape[::-1]]
        return np.asarray(cv2.resize(grey, size, interpolation=mode), np.uint8)
    return np.asarray(cv2.resize(grey, None, fx=scale, fy=scale, interpolation=mode), np.uint8)


def _choices(count: int, places: int) -> npt.NDArray[np.intp]:
    """Return every ordered choice of different numbers below `count`, (places, N)."""
    chosen = np.array(list(permutations(range(count), places)), np.intp)
    return chosen.reshape(-1, places).T


def keep_promising(
    windows: Sequence[Window],
    shape: tuple[int, int],
    boards: Sequence[Points],
    seen: Sequence[Window],
) -> Iterator[Window]:
    """Yield the windows that lie in a picture of that shape, on no board, and were not seen."""
    known = np.array(
        [np.concatenate([board.min(axis=0), board.max(axis=0)]) for board in boards], np.float32
    ).reshape(-1, 4)
    height, width = shape
    done = list(seen)
    for first in range(0, len(windows), _AT_ONCE):
        block = np.stack(windows[first : first + _AT_ONCE])
        clipped = np.clip(block, 0, (width, height, width, height)).astype(np.float32)
        is_inside = _area(clipped) >= 0.8 * _area(block)
        block = clipped[is_inside][:, None]
        on_board = (_shared(block, known) > _MAX_ON_BOARD * _area(known)).any(axis=1)
        was_seen = (_overlap(block, np.array(done, np.float32).reshape(-1, 4)) > _SAME).any(axis=1)
        fresh: list[Window] = []
        for window in block[~on_board & ~was_seen, 0]:
            if not any(_overlap(window, other) > _SAME for other in fresh):
                fresh.append(window)
                yield window
        done += fresh


def _widened(boxes: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return windows, (..., 4), around boxes."""
    margin = _MARGIN * np.sqrt(np.maximum(_area(boxes), 1.0))
    outwards = margin[..., None] * np.array([-1, -1, 1, 1])
    return np.asarray(boxes + outwards.astype(np.float32), np.float32)


def _side(corners: Points) -> float:
    return float(np.sqrt(abs(quad_area(corners))))


def _area(boxes: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    """Return the areas of boxes (..., 4), 0 for those that are turned inside out."""
    sides = np.maximum(boxes[..., 2:] - boxes[..., :2], 0)
    return np.asarray(sides[..., 0] * sides[..., 1], np.float64)


def _shared(
    ones: npt.NDArray[np.float32], others: npt.NDArray[np.float32]
) -> npt.NDArray[np.float64]:
    low = np.maximum(ones[..., :2], others[..., :2])
    high = np.minimum(ones[..., 2:], others[..., 2:])
    return _area(np.concatenate([low, high], axis=-1))


def _overlap(
    ones: npt.NDArray[np.float32], others: npt.NDArray[np.float32]
) -> npt.NDArray[np.float64]:
    """Return the share of their union that boxes (..., 4) have in common."""
    shared = _shared(ones, others)
    return shared / np.maximum(_area(ones) + _area(others) - shared, 1.0)


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
