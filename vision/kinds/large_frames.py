"""Cuts out what the largest connected lines of a photo enclose, to be told by its looks."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.finder.ink_frames import enclose_lines, shrink_for_lines
from vision.geometry import Image8, Points, quad_area, quad_overlap

_ROOM: Final = 0.06
"""Sides of the frame that are shown around it: a nonogram's numbers stand beside its lines."""

_MOST: Final = 4
"""Frames that are cut; the paper's own edge may be the largest."""

_LEAST_AREA: Final = 0.2
"""Of the largest frame, below which another is something that stands beside it."""

_SAME: Final = 0.9
"""Overlap from which two frames are one."""


@dataclass(frozen=True, eq=False)
class Frame:
    """What lines enclose.

    Attributes:
        corners: (4, 2) float32, in pixels of the photo.
        picture: (side_px, side_px) uint8 grey, laid flat; it may lie on a side.
    """

    corners: Points
    picture: Image8


def cut_large_frames(image: Image8, side_px: int) -> Sequence[Frame]:
    """Return what the largest connected lines enclose, the largest first; mostly one or two.

    Args:
        image: (H, W, 3) BGR uint8.
        side_px: of the pictures that are returned.
    """
    small, scale = _show_small(image)
    return [
        Frame(one / np.float32(scale), _lay_flat(small, one, side_px))
        for one in _enclose(small)[:_MOST]
    ]


def find_large_frames(image: Image8) -> Sequence[Points]:
    """Return the corners of the same frames, (4, 2) float32 each, in pixels of the photo."""
    small, scale = _show_small(image)
    return [one / np.float32(scale) for one in _enclose(small)[:_MOST]]


def _show_small(image: Image8) -> tuple[Image8, float]:
    return shrink_for_lines(np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8))


def _enclose(small: Image8) -> list[Points]:
    """Return the corners of frames, the largest first, in pixels of the small picture."""
    kept: list[Points] = []
    for corners in enclose_lines(small):
        is_small = kept and abs(quad_area(corners)) < _LEAST_AREA * abs(quad_area(kept[0]))
        if not is_small and all(quad_overlap(corners, one) < _SAME for one in kept):
            kept.append(corners)
    return kept


def _lay_flat(grey: Image8, corners: Points, side_px: int) -> Image8:
    # Twice as large first, so that thin lines are averaged and not stepped over.
    px = 2 * side_px
    low, high = _ROOM * px, (1 - _ROOM) * px
    flat = np.array([[low, low], [high, low], [high, high], [low, high]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, flat)
    large = cv2.warpPerspective(grey, matrix, (px, px), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.resize(large, (side_px, side_px), interpolation=cv2.INTER_AREA), np.uint8)
