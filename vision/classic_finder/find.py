"""Finds the boards of a photo by their lines: rough guesses, each judged by the lattice it shows.

A frame of a live picture is looked at quickly, since the next comes soon.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.board import Grey, corners_from_lattice
from vision.classic_finder.lattice import shift_lattice, snap_lattice
from vision.classic_finder.propose import (
    lattices_from_cells,
    lattices_from_outlines,
    scale_picture,
    separate_ink,
)
from vision.finder.snap import CONVINCING, BoardCandidate, build_pyramid
from vision.geometry import Points, quad_area, quad_overlap

_WORK_SIDE: Final = 900
_FRAME_SIDE: Final = 1400
"""Longer side of the picture that is searched, in pixels, at most; and of a frame of a live one."""

SAME_PLACE: Final = 0.7
_SAME_LATTICE: Final = 0.88
"""Overlap from which two candidates are one: of a convincing one with any, of others."""

_ASKED_BEFORE: Final = 0.95
"""Overlap from which a place counts as one that was denied. Where a lattice begins a column late it
is 0.8, and the right one must be asked."""

_SAME_GUESS: Final = 0.02
"""Guesses whose corners are no further apart are one, in diagonals of the board."""

_DOUBTFUL: Final = 0.5
"""From this score on a lattice may be a part of a board and of what lies beside it."""


class _Way(NamedTuple):
    """How boards are looked for.

    Attributes:
        blocks: parts of the longer side that a pixel is compared with.
        by_outline: guesses are outlines of large connected lines; else they grow from cell to cell.
        is_inverted: for light lines on dark paper.
    """

    blocks: int
    by_outline: bool
    is_inverted: bool = False


_WAYS: Final = (_Way(40, by_outline=False), _Way(40, by_outline=True))
"""Later ones are for what the earlier ones did not find for sure."""

_GLIMPSES: Final = (
    _Way(40, by_outline=False),
    _Way(12, by_outline=False),
    _Way(12, by_outline=False, is_inverted=True),
)
"""The same for a frame of a live picture."""

_GUESSES: Final = 4
"""Guesses in a frame that are tried each way; the best is nearly always the first."""

_MOST_PLACES: Final = 24


class LineSearch:
    """Looks for the boards of a photo by their dark lines, in one way after the other."""

    def __init__(
        self,
        image: npt.NDArray[np.uint8],
        ways: Sequence[_Way] = _WAYS,
        max_guesses: int | None = None,
        work_side: int = _WORK_SIDE,
    ) -> None:
        """Begin with a photo.

        Args:
            image: (H, W) grey or (H, W, 3) BGR uint8.
            ways: in which it is looked at in turn.
            max_guesses: that are tried each way; all when None.
            work_side: longer side of the picture that is searched, in pixels, at most.
        """
        grey = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        self._scale = min(work_side / max(grey.shape), 1.0)
        self._grey = scale_picture(np.asarray(grey, np.uint8), self._scale)
        self._pyramid = build_pyramid(self._grey)
        self._ways = iter(ways)
        self._max_guesses = max_guesses
        self._fits: list[BoardCandidate] = []
        self._denied: list[BoardCandidate] = []
        self._tried: list[Points] = []
        self._improved: list[BoardCandidate] = []

    @property
    def best(self) -> BoardCandidate | None:
        """The best place so far that is not denied."""
        fit = self._find_best()
        return None if fit is None else self._place(fit)

    def advance(self) -> bool:
        """Look in the next way; False where there is none, or the lines leave no doubt."""
        best = self._find_best()
        way = None if best is not None and best.score >= CONVINCING else next(self._ways, None)
        if way is None:
            return False
        propose = lattices_from_outlines if way.by_outline else lattices_from_cells
        for lattice in propose(self._separate_ink(way))[: self._max_guesses]:
            settled = [fit for fit in self._fits if self._is_convincing(fit)]
            if _is_on_any(lattice, settled) or _is_near_any(lattice, self._tried):
                continue
            self._tried.append(lattice)
            fit = snap_lattice(self._pyramid, lattice, way.is_inverted)
            if fit is not None:
                self._fits.append(fit)
        self._improve_best()
        return True

    def deny_best(self) -> None:
        """Take note that the best place is no board, and so is what lies there."""
        best = self._find_best()
        assert best is not None  # the caller was shown it
        self._denied.append(best)

    def list_places(self, most: int) -> list[BoardCandidate]:
        """Return so many of the most likely places at most, best first, those denied last."""
        kept: list[BoardCandidate] = []

        def order(fit: BoardCandidate) -> tuple[bool, float]:
            return self._is_denied(fit), -_rank(fit, max(self._grey.shape))

        for fit in sorted(self._fits, key=order):
            # A doubtful lattice may hide a better one: the reader tells which of them is a board.
            if len(kept) < most and not any(
                quad_overlap(fit.corners, other.corners)
                > (SAME_PLACE if self._is_convincing(other) else _SAME_LATTICE)
                for other in kept
            ):
                kept.append(fit)
        return list(map(self._place, kept))

    def _separate_ink(self, way: _Way) -> Grey:
        block_px = max(self._grey.shape) // way.blocks
        soft = np.asarray(cv2.GaussianBlur(self._grey, (3, 3), 0), np.uint8)
        return separate_ink(soft, block_px, way.is_inverted)

    def _is_denied(self, fit: BoardCandidate) -> bool:
        return any(quad_overlap(fit.corners, one.corners) > _ASKED_BEFORE for one in self._denied)

    def _is_convincing(self, fit: BoardCandidate) -> bool:
        return fit.score >= CONVINCING and not self._is_denied(fit)

    def _find_best(self) -> BoardCandidate | None:
        """Return the best of what is not denied."""
        left = [fit for fit in self._fits if not self._is_denied(fit)]
        return max(left, key=lambda fit: fit.score, default=None)

    def _improve_best(self) -> None:
        """Add what the best becomes at another start, if it is in doubt.

        Only what this has been done to may be confirmed by its digits: eight rows of a board and
        the paper below it can be a puzzle, too, with one solution, which is not that of the board.
        """
        best = self._find_best()
        if best is None or not _DOUBTFUL <= best.score <= CONVINCING:
            return
        if any(best is other for other in self._improved):
            return
        other = shift_lattice(self._pyramid, best)
        self._improved += [best, other]
        if other is not best:
            self._fits.append(other)

    def _place(self, fit: BoardCandidate) -> BoardCandidate:
        """Return a fit where it lies in the photo."""
        return fit.placed(1 / self._scale)


def find_boards(
    image: npt.NDArray[np.uint8], max_boards: int = _MOST_PLACES
) -> list[BoardCandidate]:
    """Return the most likely boards by their lines alone, best first.

    Args:
        image: (H, W) grey or (H, W, 3) BGR uint8.
        max_boards: how many candidates to return at most.
    """
    search = LineSearch(image)
    while search.advance():
        pass
    return search.list_places(max_boards)


def _is_on_any(lattice: Points, fits: Sequence[BoardCandidate]) -> bool:
    """Tell whether a guess is of the same lines as any of the fits."""
    corners = corners_from_lattice(lattice)
    return any(quad_overlap(corners, fit.corners) > SAME_PLACE for fit in fits)


def _is_near_any(lattice: Points, tried: Sequence[Points]) -> bool:
    """Tell whether a guess is as good as one that was tried before."""
    corners = corners_from_lattice(lattice)
    reach = _SAME_GUESS * float(np.hypot(*(corners[2] - corners[0])))
    return any(
        float(np.abs(corners - corners_from_lattice(other)).max()) < reach for other in tried
    )


def _rank(fit: BoardCandidate, picture_side: int) -> float:
    """Of two boards that show their lines alike, the larger is the one that was meant."""
    corners = fit.corners
    return fit.score + 0.1 * float(np.sqrt(max(quad_area(corners), 0.0))) / picture_side


def glimpse_boards(image: npt.NDArray[np.uint8]) -> list[BoardCandidate]:
    """Return what looks like boards in a frame at first sight, best first.

    Args:
        image: (H, W) grey or (H, W, 3) BGR uint8.
    """
    search = LineSearch(image, _GLIMPSES, _GUESSES, _FRAME_SIDE)
    while search.advance():
        pass
    return search.list_places(_MOST_PLACES)
