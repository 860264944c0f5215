"""Where a closer look is worth its time: parts of a photo that may hold boards not yet found.

A **window** is (left, top, right, bottom), float32, in pixels of the picture it was found in.
"""

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.board import Grey
from vision.geometry import Points, quad_area

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

_LEAST_PICTURE: Final = 32
"""Smaller pictures hold no board beside another, in pixels."""

_COARSE_INK: Final = 100
"""A line one pixel wide fills half of the pixels of half the resolution, 127."""

_MAX_OF_LINES: Final = 12


def windows_of_lines(ink: Grey, boards: Sequence[Points]) -> list[Window]:
    """Return windows around connected lines that could be the frame of a board, largest first.

    Args:
        ink: (H, W) uint8, 0 or 255, from `vision.propose.separate_ink`.
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
    windows = []
    for one, other, third in permutations(boards, 3):
        windows.append(window_around(one + other.mean(axis=0) - third.mean(axis=0)))
    for one, other in permutations(boards, 2):
        step = other.mean(axis=0) - one.mean(axis=0)
        windows += [window_around(other + step), window_around(one - step)]
        windows += [
            window_around(one + (np.array(share, np.float32) * step)) for share in ((0, 1), (1, 0))
        ]
    return windows


def keep_promising(
    windows: Sequence[Window],
    shape: tuple[int, int],
    boards: Sequence[Points],
    seen: Sequence[Window],
) -> Iterator[Window]:
    """Yield the windows that lie in a picture of that shape, on no board, and were not seen."""
    known = [np.concatenate([board.min(axis=0), board.max(axis=0)]) for board in boards]
    height, width = shape
    done = list(seen)
    for window in windows:
        clipped = np.clip(window, 0, (width, height, width, height)).astype(np.float32)
        if _area(clipped) < 0.8 * _area(window):
            continue
        if any(_shared(clipped, board) > _MAX_ON_BOARD * _area(board) for board in known):
            continue
        if any(_overlap(clipped, other) > _SAME for other in done):
            continue
        done.append(clipped)
        yield clipped


def _widened(box: Window) -> Window:
    margin = _MARGIN * float(np.sqrt(max(_area(box), 1.0)))
    return box + np.array([-margin, -margin, margin, margin], np.float32)


def _side(corners: Points) -> float:
    return float(np.sqrt(abs(quad_area(corners))))


def _area(box: Window) -> float:
    return float(max(box[2] - box[0], 0) * max(box[3] - box[1], 0))


def _shared(one: Window, other: Window) -> float:
    low, high = np.maximum(one[:2], other[:2]), np.minimum(one[2:], other[2:])
    return _area(np.concatenate([low, high]))


def _overlap(one: Window, other: Window) -> float:
    shared = _shared(one, other)
    return shared / max(_area(one) + _area(other) - shared, 1.0)
