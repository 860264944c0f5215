"""How well a lattice of ten lines each way lies on those of a picture, and where it begins."""

from typing import Final

import cv2
import numpy as np

from vision.finder import snap
from vision.finder.snap import (
    CONVINCING,
    LEAST_RIDGE,
    MARGIN,
    PITCH,
    BoardCandidate,
    LinePieces,
    Pass,
    Pyramid,
    measure_pieces,
)
from vision.geometry import Points, is_sane_lattice, sample_mesh, take_median

_PASSES: Final = (Pass(1, 7), Pass(2, 5, 0.3), Pass(3, 4, 0.4), Pass(3, 3))
"""Of 2,900 guesses on real photos, whole and warped, 9 in 10 end in nothing; all that ended above
0.6 had 0.34 before the second pass and 0.45 before the third, and 9 in 10 of the others are given
up."""

_STEPS: Final = (
    (0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1),
    (0, 3), (0, -3), (3, 0), (-3, 0),
)  # fmt: skip
"""Rows and columns by which a lattice is moved in search of its true start."""

_MOST_STEPS: Final = 3
_MOST_SNAPPED: Final = 2
"""Of the lattices that a step leads to, the best are snapped."""

_BOX_CONTRAST: Final = (1.3, 2.2)
"""Lines around boxes that are so much stronger than those beside them begin to tell, and tell for
sure, where a board begins."""

_BOX_GAIN: Final = 0.7
_BOX_LIMIT: Final = 0.84
"""Share of what a score lacks of the limit that such lines make up for. They set lattices of one
board apart, but end no search: a lattice that misses some thin lines may be followed by a better.
"""

_LINES: Final = (MARGIN + np.arange(-1, 11)) * PITCH - 0.5
_LINE_PX: Final = np.round(_LINES).astype(int)
_BETWEEN_PX: Final = np.round(_LINES[1:-2] + PITCH / 2).astype(int)
"""Where the sheet expects the ten lines and one more on each side, and the middles between the
ten, in pixels."""


def snap_lattice(
    pyramid: Pyramid, lattice: Points, is_inverted: bool | None
) -> BoardCandidate | None:
    """Move a rough lattice onto the lines of the picture and score it.

    Args:
        pyramid: of the picture, from `build_pyramid`.
        lattice: (10, 10, 2) float32, off by less than half a cell.
        is_inverted: look for light lines on dark paper; as `vision.finder.snap` takes it.

    Returns:
        None when there are not enough lines, or the fit runs away into what is no lattice.
    """
    return snap.snap_lattice(pyramid, lattice, is_inverted, passes=_PASSES, score=score_lines)


def shift_lattice(pyramid: Pyramid, fit: BoardCandidate) -> BoardCandidate:
    """Return the fit, or a better one of the same lines that begins some lines further on.

    Text, digits and other lines around a board may be taken for its first or last ones. The
    lattice is continued beyond its edges and climbs from start to start while the score grows.
    """
    at, start = (0, 0), fit.lattice
    tried = {at}
    for _ in range(_MOST_STEPS):
        steps = [(at[0] + down, at[1] + right) for down, right in _STEPS]
        promising = []
        for step in (step for step in steps if step not in tried):
            tried.add(step)
            moved = sample_mesh(start, *(np.arange(10.0) + count for count in step))
            if is_sane_lattice(moved):
                pieces = measure_pieces(pyramid, moved, fit.is_inverted)
                promising.append((score_lines(pieces), step, moved))
        promising.sort(key=lambda item: -item[0])
        better = None
        for _, step, moved in promising[:_MOST_SNAPPED]:
            other = snap_lattice(pyramid, moved, fit.is_inverted)
            if other is not None and other.score > fit.score:
                fit, better = other, step
        if better is None or fit.score > CONVINCING:
            break
        at = better
    return fit


def score_lines(pieces: LinePieces) -> float:
    """Return how well ten lines each way stand where the sheet expects them, 0..1.

    Counted without a scale: a line piece is there when it is stronger than half of the
    places midway between lines, where only digits and dirt are.
    """
    present, beyond, boxes, contrasts = [], [], [], []
    for profile in (pieces.horizontal, pieces.vertical):
        near = cv2.dilate(profile, np.ones((5, 1), np.uint8))
        on_line = near[_LINE_PX]
        floor = max(take_median(near[_BETWEEN_PX]), LEAST_RIDGE)
        present.append((on_line[1:-1] > floor).mean(axis=1))
        beyond.append((on_line[[0, -1]] > floor).mean(axis=1))
        strength = np.maximum(on_line[1:-1].mean(axis=1), 1e-4)
        thirds = [strength[first::3].mean() for first in (0, 1, 2)]
        boxes.append((thirds[0] - max(thirds[1:])) / max(max(thirds), floor))
        # Only with the lines beside it, as lines fade with the light and the distance.
        beside = [strength[1], strength[[2, 4]].max(), strength[[5, 7]].max(), strength[8]]
        contrasts.append((strength[::3] / beside).min())
    lines = np.concatenate(present)
    # A line that is missing altogether tells more than pieces missing here and there; a line
    # beyond the board or stronger lines that are not those of the boxes tell of a wrong start.
    score = 0.7 * lines.mean() + 0.3 * lines.min()
    score -= 0.05 * np.concatenate(beyond).mean()
    score += 0.08 * min(float(min(boxes)), 0.0)
    # On a board that is filled in, thin lines are often no stronger than the digits between them;
    # strong ones tell all the better where it begins.
    credit = np.interp(min(contrasts), _BOX_CONTRAST, (0.0, _BOX_GAIN))
    return float(max(score + credit * max(_BOX_LIMIT - score, 0.0), 0.0))
