"""How much the picture shows of a board's lines where a lattice expects them.

All measuring happens on a **sheet**: the picture warped through the present lattice so that its
lines should lie every `PITCH` pixels, with `MARGIN` cells of surroundings. Brightness is taken as
logarithm, which turns light and shadow into an offset that a ridge filter does not see.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import Floats, Points, mesh_weights, take_median, weigh_mesh

PITCH: Final = 20
"""Distance of neighbouring lines on the sheet, in pixels."""

MARGIN: Final = 1.5
"""Surroundings shown on each side of the sheet, in cells."""

SIDE: Final = int((9 + 2 * MARGIN) * PITCH)
"""Of the sheet, in pixels."""

FIRST: Final = MARGIN * PITCH
"""Where the sheet expects the first line, in pixels."""

LINE: Final = FIRST + np.arange(-1, 11) * PITCH - 0.5
"""Where it expects the ten lines, and one more on each side."""

LINE_PX: Final = np.round(LINE).astype(int)
BETWEEN_PX: Final = np.round(LINE[1:-2] + PITCH / 2).astype(int)
"""The pixels nearest to them, and to the middles between the ten lines."""

_SEGMENT: Final = (FIRST + (np.arange(9) + 0.5) * PITCH).astype(int)
"""The middles of the nine pieces of a line."""

_RIDGE_STEPS: Final = (2, 3)
"""Distances from a line's middle to the paper on both sides, in sheet pixels; both are tried."""

_END_AT: Final = 6
"""Distance from a line piece's middle to the two places where it is looked at, in sheet pixels."""

_END_WIDTH: Final = 5

_EVENED: Final = 5
"""Length along a line over which brightness is averaged before it is compared, in sheet pixels."""

_END_ROWS: Final = (
    (np.arange(_END_WIDTH) - _END_WIDTH // 2)[:, None, None]
    + np.array([-_END_AT, _END_AT])[:, None]
    + _SEGMENT
).ravel()
"""The rows of the sheet in which they are: one pixel of each after the other."""

_WEIGHTS: Final = mesh_weights((np.arange(SIDE) + 0.5 - FIRST) / PITCH)

_BOX_CONTRAST: Final = (1.3, 2.2)
"""Lines around boxes that are so much stronger than those beside them begin to tell, and tell for
sure, where a board begins: thin lines may be no stronger than the digits between them."""

_BOX_GAIN: Final = 0.7
_BOX_LIMIT: Final = 0.84
"""Share of what a score lacks of the limit that such lines make up for. They set lattices of one
board apart, but end no search: a lattice that misses some thin lines may be followed by a better.
"""

Pyramid = tuple[npt.NDArray[np.float32], ...]
"""A picture as logarithm of its brightness, and its halvings."""


@dataclass(frozen=True)
class LineProfiles:
    """How strongly pieces of lines show on a sheet, 0 = no line; see `measure_lines`.

    `horizontal` is (side, 9) float32: for each y the pieces of horizontal lines in the nine
    columns of cells; `vertical` the same for each x, of vertical lines in the nine rows.
    """

    horizontal: Floats
    vertical: Floats


@dataclass(frozen=True)
class Ridges:
    """Ridge strength of a sheet, (side, side) float32, in units of log brightness, 0 = no line.

    `horizontal` answers to lines along x, `vertical` to lines along y.
    """

    horizontal: Floats
    vertical: Floats


def build_pyramid(grey: npt.NDArray[np.uint8]) -> Pyramid:
    """Return the logarithm of the brightness, (H, W) float32, and three halvings of it."""
    levels = [np.log(grey.astype(np.float32) + 8)]
    for _ in range(3):
        height, width = levels[-1].shape
        if min(height, width) < 32:
            break
        even = levels[-1][: height // 2 * 2, : width // 2 * 2]
        size = (width // 2, height // 2)
        levels.append(cv2.resize(even, size, interpolation=cv2.INTER_AREA).astype(np.float32))
    return tuple(levels)


def measure_lines(pyramid: Pyramid, lattice: Points, is_inverted: bool) -> LineProfiles:
    """Warp the picture through a lattice and filter it for lines.

    Args:
        pyramid: of the picture, from `build_pyramid`.
        lattice: (10, 10, 2) float32 in pixels of the picture.
        is_inverted: look for light lines on dark paper.
    """
    sheet = _warp(pyramid, lattice, is_inverted)
    return LineProfiles(_find_pieces(np.ascontiguousarray(sheet.T)), _find_pieces(sheet))


def measure_ridges(pyramid: Pyramid, lattice: Points, is_inverted: bool) -> Ridges:
    """Return the ridges alone, which also slanted lines have, whatever they are part of.

    Takes what `measure_lines` takes.
    """
    sheet = _warp(pyramid, lattice, is_inverted)
    horizontal = _find_ridges(np.asarray(cv2.blur(sheet, (3, 1)), np.float32).T).T
    return Ridges(horizontal, _find_ridges(np.asarray(cv2.blur(sheet, (1, 3)), np.float32)))


def _warp(pyramid: Pyramid, lattice: Points, is_inverted: bool) -> Floats:
    diagonal = float(np.hypot(*(lattice[9, 9] - lattice[0, 0])))
    step = diagonal / (9 * 2**0.5 * PITCH)
    # Sampling more coarsely than the picture's pixels would step over thin lines.
    level = min(int(np.log2(max(step / 0.7, 1))), len(pyramid) - 1)
    scale = 0.5**level
    x, y = weigh_mesh((lattice + 0.5) * scale - 0.5, _WEIGHTS)
    warped = cv2.remap(
        pyramid[level],
        x,
        y,
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        # A line that the picture's edge cuts off has paper beyond it, as far as ridges go.
        borderValue=0.0 if is_inverted else 6.0,
    )
    return np.asarray(-warped if is_inverted else warped, np.float32)


def _find_ridges(evened: Floats) -> Floats:
    """Return how much darker each pixel is than the paper to its left and right."""
    paper = np.full_like(evened, -np.inf)
    for step in _RIDGE_STEPS:
        middle = paper[:, step:-step]
        beside = np.minimum(evened[:, : -2 * step], evened[:, 2 * step :])
        np.maximum(middle, beside, out=middle)
    return np.sqrt(np.minimum(np.maximum(paper - evened, 0), 0.4))


def _find_pieces(sheet: Floats) -> Floats:
    """Return how much of a piece of a vertical line is at each x, (side, 9), in each row of cells.

    Digits stand in the middle of a cell, and their upright strokes look like lines; near the
    cell's corners only a line is left. The product of both ends asks for both.
    """
    evened = np.asarray(cv2.blur(sheet, (1, _EVENED)), np.float32)
    ridges = _find_ridges(evened[_END_ROWS])
    ends = ridges.reshape(_END_WIDTH, 2, 9, -1).mean(axis=0)
    return np.ascontiguousarray((ends[0] * ends[1]).T)


def score_lines(profiles: LineProfiles) -> float:
    """Return how well ten lines each way stand where the sheet expects them, 0..1.

    Counted without a scale: a line piece is there when it is stronger than half of the
    places midway between lines, where only digits and dirt are.
    """
    present, beyond, boxes = [], [], []
    for profile in (profiles.horizontal, profiles.vertical):
        near = cv2.dilate(profile, np.ones((5, 1), np.uint8))
        on_line = near[LINE_PX]
        between = near[BETWEEN_PX]
        floor = max(take_median(between), 0.004)
        present.append((on_line[1:-1] > floor).mean(axis=1))
        beyond.append((on_line[[0, -1]] > floor).mean(axis=1))
        strength = on_line[1:-1].mean(axis=1)
        thirds = [strength[first::3].mean() for first in (0, 1, 2)]
        boxes.append((thirds[0] - max(thirds[1:])) / max(max(thirds), floor))
    lines = np.concatenate(present)
    # A line that is missing altogether tells more than pieces missing here and there; a line
    # beyond the board or stronger lines that are not those of the boxes tell of a wrong start.
    score = 0.7 * lines.mean() + 0.3 * lines.min()
    score -= 0.05 * np.concatenate(beyond).mean()
    score += 0.08 * min(float(min(boxes)), 0.0)
    return float(max(score, 0.0))


def credit_boxes(score: float, profiles: LineProfiles) -> float:
    """Return a score raised where strong lines stand around the boxes, and nowhere else.

    In a board that is filled in, thin lines are often no stronger than the digits between them,
    so that they count for little; the strong ones tell all the better where the board begins.
    """
    contrasts = []
    for profile in (profiles.horizontal, profiles.vertical):
        near = cv2.dilate(profile, np.ones((5, 1), np.uint8))
        contrasts.append(_box_contrast(near[LINE_PX[1:-1]].mean(axis=1)))
    sure = float(np.clip((min(contrasts) - _BOX_CONTRAST[0]) / np.ptp(_BOX_CONTRAST), 0, 1))
    return score + _BOX_GAIN * sure * max(_BOX_LIMIT - score, 0.0)


def _box_contrast(strength: Floats) -> float:
    """Return how much stronger each line around boxes is than the lines beside it, at least.

    Only beside it, as lines fade with the light and the distance from the camera.

    Args:
        strength: (10,) of the lines of one direction.
    """
    inner = np.maximum(strength, 1e-4)
    beside = np.array([inner[1], inner[[2, 4]].max(), inner[[5, 7]].max(), inner[8]])
    return float((inner[::3] / beside).min())
