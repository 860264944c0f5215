"""Rough guesses of where boards are, and the ink that they start from.

Guesses are outlines of dark lines. They may be off by a third of a cell; `vision.finder.lines`
snaps and judges them.
"""

from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.board import lattice_from_corners
from vision.geometry import Grey, Points, is_sane_quad, order_corners

_OUTLINES: Final = 5
"""How many of the largest connected lines are taken for a board's outline."""


def scale_picture(grey: Grey, scale: float) -> Grey:
    """Return a picture of at least one pixel, `scale` times as large."""
    if scale == 1:
        return grey
    mode = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    if min(grey.shape) * scale < 1:  # a strip of which nothing would be left
        size = [max(1, round(side * scale)) for side in grey.shape[::-1]]
        return np.asarray(cv2.resize(grey, size, interpolation=mode), np.uint8)
    return np.asarray(cv2.resize(grey, None, fx=scale, fy=scale, interpolation=mode), np.uint8)


def separate_ink(grey: Grey, blocks: int) -> Grey:
    """Return what is darker than its surroundings, (H, W) uint8 0 or 255.

    Args:
        grey: (H, W) uint8.
        blocks: parts of the longer side; a pixel is compared with one each way.
    """
    block_px = max(max(grey.shape) // blocks, 3) | 1
    soft = cv2.GaussianBlur(grey, (3, 3), 0)
    mean, inverted = cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV
    return np.asarray(cv2.adaptiveThreshold(soft, 255, mean, inverted, block_px, 4), np.uint8)


def lattices_from_outlines(ink: Grey) -> list[Points]:
    """Take the largest connected lines for frames of boards.

    Returns:
        Lattices (10, 10, 2) float32, at most two an outline.
    """
    side = max(ink.shape)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    extent = np.minimum(stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT])
    extent[0] = 0
    found = []
    for label in np.argsort(-extent)[:_OUTLINES]:
        if extent[label] < side * 0.12:
            break
        x, y, width, height = stats[label, :4]
        ends = _ends_of_rows(labels[y : y + height, x : x + width] == label)
        points = (ends + np.array([x, y])).astype(np.float32)
        found += [quad for quad in _quads_around(points) if is_sane_quad(quad, side * 0.1)]
    return [lattice_from_corners(quad) for quad in found]


def _ends_of_rows(mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.int_]:
    """Return the first and the last (x, y) of every row: a mask's hull needs no others."""
    rows = np.flatnonzero(mask.any(axis=1))
    first = mask[rows].argmax(axis=1)
    last = mask.shape[1] - 1 - mask[rows, ::-1].argmax(axis=1)
    return np.stack([np.concatenate([first, last]), np.tile(rows, 2)], axis=1)


def _quads_around(points: Points) -> Iterator[Points]:
    hull = cv2.convexHull(points)[:, 0]
    length = cv2.arcLength(hull, True)
    for epsilon in (0.01, 0.02, 0.03, 0.05, 0.08):
        polygon = cv2.approxPolyDP(hull, epsilon * length, True)[:, 0]
        if len(polygon) == 4:
            yield order_corners(polygon.astype(np.float32))
            break
    yield order_corners(cv2.boxPoints(cv2.minAreaRect(hull)).astype(np.float32))
