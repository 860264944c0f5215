"""Finds boards of side 9 by their lines alone: rough guesses, each judged by what it shows.

An `image` is (H, W) grey or (H, W, 3) BGR uint8.
"""

from collections.abc import Iterable, Sequence
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.board import corners_from_lattice
from vision.finder.proposals import lattices_from_outlines, scale_picture, separate_ink
from vision.finder.snap import (
    CONVINCING,
    BoardCandidate,
    LinePieces,
    Pass,
    build_pyramid,
    measure_lines,
    snap_lattice,
)
from vision.geometry import Points, quad_area, quad_overlap

_WORK_SIDE: Final = 900
"""Longer side of the picture that is searched, in pixels, at most."""

_BLOCKS: Final = 40
"""Parts of the longer side; ink is darker than the mean of one."""

SAME_PLACE: Final = 0.7
_SAME_LATTICE: Final = 0.88
"""Overlap from which two candidates are one: of a convincing one with any, of others."""

_ASKED_BEFORE: Final = 0.95
"""Overlap from which a place counts as one that was denied. Where a lattice begins a column late it
is 0.8, and the right one must be asked."""

_SAME_GUESS: Final = 0.02
"""Guesses whose corners are no further apart are one, in diagonals of the board."""

_PASSES: Final = (Pass(1, 7), Pass(2, 5, 0.3), Pass(3, 4, 0.4), Pass(3, 3))
"""Of guesses on real photos, whole and warped, all that ended above 0.6 had 0.34 before the second
pass and 0.45 before the third."""

_BOX_CONTRAST: Final = (1.3, 2.2)
"""Lines around boxes that are so much stronger than those beside them begin to tell, and tell for
sure, where a board begins."""

_BOX_GAIN: Final = 0.7
_BOX_LIMIT: Final = 0.84
"""Share of what a score lacks of the limit that such lines make up for. They set lattices of one
board apart, but make none clear: a lattice that misses some thin lines may lie beside a better.
"""


class LineSearch:
    """The places of a photo where lines show a board, until the digits of one deny it."""

    def __init__(self, image: npt.NDArray[np.uint8]) -> None:
        """Look for the boards of a photo."""
        grey = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        self._scale = min(_WORK_SIDE / max(grey.shape), 1.0)
        self._grey = scale_picture(np.asarray(grey, np.uint8), self._scale)
        self._fits: list[BoardCandidate] = []
        self._denied: list[BoardCandidate] = []
        self._snap_guesses()

    def _snap_guesses(self) -> None:
        pyramid = build_pyramid(self._grey)
        tried: list[Points] = []
        for lattice in lattices_from_outlines(separate_ink(self._grey, _BLOCKS)):
            corners = corners_from_lattice(lattice)
            settled = filter(self._is_convincing, self._fits)
            if _is_on_any(corners, settled, SAME_PLACE) or _is_tried(corners, tried):
                continue
            tried.append(corners)
            fit = snap_lattice(pyramid, lattice, False, passes=_PASSES, score=score_lines)
            if fit is not None:
                self._fits.append(fit)

    @property
    def best(self) -> BoardCandidate | None:
        """The best place that is not denied."""
        fit = self._find_best()
        return None if fit is None else fit.placed(1 / self._scale)

    def deny_best(self) -> None:
        """Take note that the best place is no board, and so is what lies there."""
        best = self._find_best()
        assert best is not None  # the caller was shown it
        self._denied.append(best)

    def list_places(self) -> list[BoardCandidate]:
        """Return the places, the likeliest first, those denied last."""
        kept: list[BoardCandidate] = []
        for fit in sorted(self._fits, key=lambda fit: (self._is_denied(fit), -self._rank(fit))):
            settled = filter(self._is_convincing, kept)
            # A doubtful lattice may hide a better one: the reader tells which of them is a board.
            if not _is_on_any(fit.corners, settled, SAME_PLACE) and not _is_on_any(
                fit.corners, kept, _SAME_LATTICE
            ):
                kept.append(fit)
        return [fit.placed(1 / self._scale) for fit in kept]

    def _is_denied(self, fit: BoardCandidate) -> bool:
        return _is_on_any(fit.corners, self._denied, _ASKED_BEFORE)

    def _is_convincing(self, fit: BoardCandidate) -> bool:
        return fit.score >= CONVINCING and not self._is_denied(fit)

    def _rank(self, fit: BoardCandidate) -> float:
        """Of two boards that show their lines alike, the larger is the one that was meant."""
        side = float(np.sqrt(max(quad_area(fit.corners), 0.0)))
        return fit.score + 0.1 * side / float(max(self._grey.shape))

    def _find_best(self) -> BoardCandidate | None:
        """Return the best of what is not denied."""
        left = [fit for fit in self._fits if not self._is_denied(fit)]
        return max(left, key=lambda fit: fit.score, default=None)


def find_boards(image: npt.NDArray[np.uint8]) -> list[BoardCandidate]:
    """Return the likely boards by their lines alone, the likeliest first."""
    return LineSearch(image).list_places()


def score_lines(pieces: LinePieces) -> float:
    """Return how well ten lines each way, and no more, stand where the sheet expects them, 0..1."""
    present, beyond, boxes, contrasts = [], [], [], []
    for on_line, floor in measure_lines(pieces, beyond=1):
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


def _is_tried(corners: Points, tried: Sequence[Points]) -> bool:
    """Tell whether a guess is as good as one that was tried before."""
    reach = _SAME_GUESS * float(np.hypot(*(corners[2] - corners[0])))
    return any(float(np.abs(corners - other).max()) < reach for other in tried)


def _is_on_any(corners: Points, fits: Iterable[BoardCandidate], overlap: float) -> bool:
    return any(quad_overlap(corners, fit.corners) > overlap for fit in fits)
