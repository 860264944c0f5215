"""Outlines of the largest connected dark lines of a photo, which may be frames of boards."""

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import Grey, Points, is_sane_quad, quads_around

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


def shrink_for_lines(grey: Grey) -> tuple[Grey, float]:
    """Return a picture as lines are followed in it, of at least one pixel, and its scale."""
    scale = min(_WORK_SIDE / max(grey.shape), _MOST_ENLARGED)
    size = [max(1, round(side * scale)) for side in grey.shape[::-1]]
    mode = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(grey, size, interpolation=mode), np.uint8), scale


def enclose_lines(grey: Grey) -> list[Points]:
    """Return quadrilaterals around the largest connected lines, at most two around each.

    Args:
        grey: (H, W) uint8, as `shrink_for_lines` returns it.
    """
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
