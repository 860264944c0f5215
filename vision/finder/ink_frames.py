"""Outlines of the largest connected dark lines of a photo, which may be frames of boards.

What they enclose can also be cut out, to be told by its looks.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import (
    Grey,
    Image8,
    Points,
    is_sane_quad,
    quad_area,
    quad_overlap,
    quads_around,
)

_WORK_SIDE: Final = 900
"""Longer side of the picture in which lines are followed, in pixels."""

_MOST_ENLARGED: Final = 2.0
"""Scale of that picture at most."""

_BLOCKS: Final = 45
"""Surroundings with which ink is compared, along the longer side."""

_OUTLINES: Final = 5
"""How many of the largest connected lines are looked at."""

_LEAST_SIDE: Final = 0.12
"""Width and height of such lines at least, in longer sides of the picture."""

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


def enclose_lines(grey: Grey) -> list[Points]:
    """Return quadrilaterals, (4, 2) float32, around the largest connected lines of a photo.

    At most two lie around each.

    Args:
        grey: (H, W) uint8.
    """
    small, scale = _shrink(grey)
    return [_enlarge(quad, scale) for quad in _enclose_lines(small)]


def choose_frames(quads: Sequence[Points]) -> list[Points]:
    """Return the quadrilaterals that may be frames, the largest first; mostly one or two.

    Args:
        quads: (4, 2) float32 each, those of the largest lines first.
    """
    kept: list[Points] = []
    for corners in quads:
        is_small = kept and abs(quad_area(corners)) < _LEAST_AREA * abs(quad_area(kept[0]))
        if not is_small and all(quad_overlap(corners, one) < _SAME for one in kept):
            kept.append(corners)
    return kept[:_MOST]


def cut_large_frames(image: Image8, side_px: int) -> Sequence[Frame]:
    """Return what the largest connected lines enclose, as `choose_frames` chooses.

    Args:
        image: (H, W, 3) BGR uint8.
        side_px: of the pictures that are returned.
    """
    small, scale = _shrink(np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8))
    return [
        Frame(_enlarge(quad, scale), _lay_flat(small, quad, side_px))
        for quad in choose_frames(_enclose_lines(small))
    ]


def _shrink(grey: Grey) -> tuple[Grey, float]:
    """Return a picture as lines are followed in it, of at least one pixel, and its scale."""
    scale = min(_WORK_SIDE / max(grey.shape), _MOST_ENLARGED)
    size = [max(1, round(side * scale)) for side in grey.shape[::-1]]
    mode = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(grey, size, interpolation=mode), np.uint8), scale


def _enlarge(quad: Points, scale: float) -> Points:
    """Return a quadrilateral of a shrunk picture in pixels of the photo."""
    return np.asarray((quad + 0.5) / np.float32(scale) - 0.5, np.float32)


def _enclose_lines(grey: Grey) -> list[Points]:
    """Return what `enclose_lines` returns, in pixels of the shrunk picture, (H, W) uint8."""
    ink = _separate_ink(grey)
    side = max(ink.shape)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    extent = np.minimum(stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT])
    extent[0] = 0
    found: list[Points] = []
    for label in np.argsort(-extent)[:_OUTLINES]:
        if extent[label] < _LEAST_SIDE * side:
            break
        x, y, width, height = stats[label, :4]
        ends = _ends_of_rows(labels[y : y + height, x : x + width] == label)
        points = (ends + np.array([x, y])).astype(np.float32)
        found += [quad for quad in quads_around(points) if is_sane_quad(quad, side * 0.1)]
    return found


def _separate_ink(grey: Grey) -> Grey:
    """Return what is darker than its surroundings, (H, W) uint8 0 or 255."""
    block_px = max(max(grey.shape) // _BLOCKS, 3) | 1
    soft = cv2.GaussianBlur(grey, (3, 3), 0)
    mean, inverted = cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV
    return np.asarray(cv2.adaptiveThreshold(soft, 255, mean, inverted, block_px, 4), np.uint8)


def _ends_of_rows(mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.int_]:
    """Return the first and the last (x, y) of every row: a mask's hull needs no others."""
    rows = np.flatnonzero(mask.any(axis=1))
    first = mask[rows].argmax(axis=1)
    last = mask.shape[1] - 1 - mask[rows, ::-1].argmax(axis=1)
    return np.stack([np.concatenate([first, last]), np.tile(rows, 2)], axis=1)


def _lay_flat(grey: Image8, corners: Points, side_px: int) -> Image8:
    # Twice as large first, so that thin lines are averaged and not stepped over.
    px = 2 * side_px
    low, high = _ROOM * px, (1 - _ROOM) * px
    flat = np.array([[low, low], [high, low], [high, high], [low, high]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, flat)
    large = cv2.warpPerspective(grey, matrix, (px, px), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.resize(large, (side_px, side_px), interpolation=cv2.INTER_AREA), np.uint8)
