"""Boards on lined or squared paper, without the paper's own lines.

A line of the paper in the middle of a cell passes for a one. It goes on through the next cell,
where what somebody writes ends within its own.
"""

from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.board import extend_lattice, show_board
from vision.geometry import Grey, Image8, Points

_CELL_PX: Final = 56
_REACH_PX: Final = 79
"""From which dark pixels in a row are a line: 1.4 cells."""
_ASIDE_PX: Final = 3
"""Across a line, within which it may bend."""
_EVENED_PX: Final = 9
"""Along a line, over which noise is averaged."""
_AROUND_PX: Final = 37
"""Side of a square, more than half of which is paper."""
_MIDDLE: Final = slice(_CELL_PX // 4, -(_CELL_PX // 4))
"""Of a cell, where no line of the board or of a cage lies."""
_KEPT_PX: Final = 5
"""On each side of a line of the board, which may part regions."""
_LEAST_CONTRAST: Final = 12
"""Grey levels by which a line of the paper is darker than it."""
_DARKEST: Final = 95
"""Percentile of the darkness of such lines, beyond which it is ink: ones may stand in a row."""
_MOST_GAPS: Final = 10
"""Percentage of such a line that may be fainter."""
_DRIFT_PX: Final = 7
"""Across a line of the paper, within which it may lie beside the board's own lines."""
_LEAST_RULED: Final = 1 / 3
"""Share of the rows, or of the columns, with such a line in the middle of their cells."""


class UnruledBoard(NamedTuple):
    """A board that was flattened, without the lines of its paper.

    Attributes:
        image: (S, S, 3) uint8 BGR, all of one grey; the board and a cell around it.
        lattice: (n + 1, n + 1, 2) float32 in its pixels.
    """

    image: Image8
    lattice: Points


def erase_ruling(image: Image8, lattice: Points) -> UnruledBoard | None:
    """Return a board without the lines that go on through its cells; None without such.

    Args:
        image: (H, W) grey or (H, W, 3) BGR uint8.
        lattice: (n + 1, n + 1, 2) float32 in pixels of `image`.
    """
    side = len(lattice) - 1
    around = extend_lattice(lattice, to_right=True, down=True)
    around = extend_lattice(around, to_right=False, down=False)
    shown = show_board(image, around, _CELL_PX)
    grey = shown if shown.ndim == 2 else cv2.cvtColor(shown, cv2.COLOR_BGR2GRAY)
    grey = np.asarray(grey, np.uint8)
    paper = np.asarray(cv2.medianBlur(grey, _AROUND_PX), np.uint8)
    lines = np.minimum(_keep_upright(grey), _keep_upright(np.ascontiguousarray(grey.T)).T)
    darkness = np.asarray(cv2.subtract(paper, lines), np.uint8)
    inside = darkness[_CELL_PX:-_CELL_PX, _CELL_PX:-_CELL_PX]
    if max(_measure_ruled(inside), _measure_ruled(np.ascontiguousarray(inside.T))) < _LEAST_RULED:
        return None
    middles = inside.reshape(side, _CELL_PX, side, _CELL_PX)[:, _MIDDLE, :, _MIDDLE]
    of_lines = middles[middles > _LEAST_CONTRAST]
    if not len(of_lines):
        return None
    # A line is erased as far as lines of the paper are dark: strokes on it stay.
    darkness = np.minimum(darkness, np.uint8(np.percentile(of_lines, _DARKEST)))
    at = np.arange(side + 3) * _CELL_PX
    for near in (slice(max(line - _KEPT_PX, 0), line + _KEPT_PX) for line in at.tolist()):
        darkness[near], darkness[:, near] = 0, 0
    erased = np.maximum(np.minimum(cv2.add(grey, darkness), paper), grey)
    own = at[1:-1].astype(np.float32) - 0.5
    flat = np.stack(np.meshgrid(own, own), axis=-1)
    return UnruledBoard(np.asarray(cv2.cvtColor(erased, cv2.COLOR_GRAY2BGR), np.uint8), flat)


def _keep_upright(grey: Grey) -> Grey:
    """Return a picture in which only long upright dark lines are left, somewhat wider."""
    wide = cv2.blur(cv2.erode(grey, np.ones((1, _ASIDE_PX), np.uint8)), (1, _EVENED_PX))
    return np.asarray(
        cv2.morphologyEx(wide, cv2.MORPH_CLOSE, np.ones((_REACH_PX, 1), np.uint8)), np.uint8
    )


def _measure_ruled(darkness: Grey) -> float:
    """Return the share of a board's columns with an upright line in the middle of their cells."""
    near = cv2.dilate(darkness, np.ones((1, _DRIFT_PX), np.uint8))
    of_columns = np.percentile(near, _MOST_GAPS, axis=0).reshape(-1, _CELL_PX)
    return float((of_columns[:, _MIDDLE].max(axis=1) > _LEAST_CONTRAST).mean())
