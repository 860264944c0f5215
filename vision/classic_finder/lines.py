"""How much the picture shows of a classic board's lines where a lattice expects them.

`vision.finder.snap` measures them on a sheet, for boards of any side.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.finder.snap import MARGIN, PITCH, LinePieces, Pyramid, find_ridges, warp_sheet
from vision.geometry import Floats, Points, take_median

SIDE: Final = int((9 + 2 * MARGIN) * PITCH)
"""Of the sheet, in pixels."""

FIRST: Final = MARGIN * PITCH
"""Where the sheet expects the first line, in pixels."""

LINE: Final = FIRST + np.arange(-1, 11) * PITCH - 0.5
"""Where it expects the ten lines, and one more on each side."""

LINE_PX: Final = np.round(LINE).astype(int)
BETWEEN_PX: Final = np.round(LINE[1:-2] + PITCH / 2).astype(int)
"""The pixels nearest to them, and to the middles between the ten lines."""

_BOX_CONTRAST: Final = (1.3, 2.2)
"""Lines around boxes that are so much stronger than those beside them begin to tell, and tell for
sure, where a board begins: thin lines may be no stronger than the digits between them."""

_BOX_GAIN: Final = 0.7
_BOX_LIMIT: Final = 0.84
"""Share of what a score lacks of the limit that such lines make up for. They set lattices of one
board apart, but end no search: a lattice that misses some thin lines may be followed by a better.
"""


@dataclass(frozen=True)
class Ridges:
    """Ridge strength of a sheet, (side, side) float32, in units of log brightness, 0 = no line.

    `horizontal` answers to lines along x, `vertical` to lines along y.
    """

    horizontal: Floats
    vertical: Floats


def measure_ridges(pyramid: Pyramid, lattice: Points, is_inverted: bool) -> Ridges:
    """Return the ridges alone, which also slanted lines have, whatever they are part of.

    Takes what `vision.finder.snap.measure_pieces` takes, of a board of nine cells each way.
    """
    sheet = warp_sheet(pyramid, lattice, is_inverted)
    horizontal = find_ridges(np.asarray(cv2.blur(sheet, (3, 1)), np.float32).T).T
    return Ridges(horizontal, find_ridges(np.asarray(cv2.blur(sheet, (1, 3)), np.float32)))


def score_lines(profiles: LinePieces) -> float:
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


def credit_boxes(score: float, profiles: LinePieces) -> float:
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
