"""Finds the boards of a photo by their lines: rough guesses, each judged by the lattice it shows.

A frame of a live picture is looked at quickly, since the next comes soon. Only the guess that
nearly always suffices is made then.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.board import Grey, corners_from_lattice
from vision.classic_finder.lattice import (
    shift_lattice,
    snap_lattice,
)
from vision.classic_finder.propose import (
    lattices_from_cells,
    lattices_from_outlines,
    scale_picture,
    separate_faint_ink,
    separate_ink,
)
from vision.finder import snap
from vision.finder.snap import CONVINCING, BoardCandidate, build_pyramid
from vision.geometry import Points, halve, quad_area, quad_overlap
from vision.tracker.key_frame import Frame

_WORK_SIDE: Final = 900
"""Longer side of the picture that is searched, in pixels, at most."""

_CLOSE_SIDE: Final = 600
_MOST_ENLARGED: Final = 2.0
_MARGIN: Final = 0.16
"""Longer side of a place that is searched from near, in pixels; how much it is enlarged at most;
and the surroundings that are shown on each side, in sides of the place."""

_LEAST_PATCH: Final = 16
"""Of a photo that is searched, in pixels, if it is so large."""

_SAME_PLACE: Final = 0.7
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
        is_faint: ink is measured against the light and the noise, for lines in bad light.
    """

    blocks: int
    by_outline: bool
    is_faint: bool = False


_WAYS: Final = (
    _Way(40, by_outline=False),
    _Way(12, by_outline=False),
    _Way(40, by_outline=True, is_faint=True),
)
"""Later ones are for what the earlier ones did not find for sure."""


class LineSearch:
    """Looks for the boards of a photo by their dark lines, in one way after the other."""

    def __init__(self, image: npt.NDArray[np.uint8], place: Points | None = None) -> None:
        """Begin with a photo.

        Args:
            image: (H, W) grey or (H, W, 3) BGR uint8.
            place: (4, 2) float32, corners of what is searched from near; the whole photo if None.
        """
        grey = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        self._origin = 0, 0
        work_side, most_enlarged = _WORK_SIDE, 1.0
        if place is not None:
            left, top, right, bottom = _cut_window(place, grey.shape)
            self._origin = left, top
            grey = grey[top:bottom, left:right]
            work_side, most_enlarged = _CLOSE_SIDE, _MOST_ENLARGED
        self._scale = min(work_side / max(grey.shape), most_enlarged)
        self._grey = scale_picture(np.asarray(grey, np.uint8), self._scale)
        self._pyramid = build_pyramid(self._grey)
        self._ways = iter(_WAYS)
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
        for lattice in propose(self._separate_ink(way)):
            settled = [fit for fit in self._fits if self._is_convincing(fit)]
            if _is_on_any(lattice, settled) or _is_near_any(lattice, self._tried):
                continue
            self._tried.append(lattice)
            fit = snap_lattice(self._pyramid, lattice, is_inverted=False)
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
                > (_SAME_PLACE if self._is_convincing(other) else _SAME_LATTICE)
                for other in kept
            ):
                kept.append(fit)
        return list(map(self._place, kept))

    def _separate_ink(self, way: _Way) -> Grey:
        block_px = max(self._grey.shape) // way.blocks
        if way.is_faint:
            return separate_faint_ink(self._pyramid[0], block_px)
        soft = np.asarray(cv2.GaussianBlur(self._grey, (3, 3), 0), np.uint8)
        return separate_ink(soft, block_px, is_inverted=False)

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
        return fit.placed(1 / self._scale, *self._origin)


def find_boards(image: npt.NDArray[np.uint8], max_boards: int = 24) -> list[BoardCandidate]:
    """Return the most likely boards by their lines alone, best first.

    Args:
        image: (H, W) grey or (H, W, 3) BGR uint8.
        max_boards: how many candidates to return at most.
    """
    search = LineSearch(image)
    while search.advance():
        pass
    return search.list_places(max_boards)


def _cut_window(place: Points, shape: tuple[int, ...]) -> tuple[int, int, int, int]:
    """Return what shows a place with its surroundings: left, top, right, bottom in pixels."""
    margin = _MARGIN * float(np.sqrt(abs(quad_area(place))))
    height, width = shape[:2]
    least = min(_LEAST_PATCH, width), min(_LEAST_PATCH, height)
    low = np.clip(place.min(axis=0) - margin, 0, (width - least[0], height - least[1]))
    high = np.clip(place.max(axis=0) + margin, low + least, (width, height))
    left, top, right, bottom = (round(float(edge)) for edge in (*low, *high))
    return left, top, right, bottom


def _is_on_any(lattice: Points, fits: Sequence[BoardCandidate]) -> bool:
    """Tell whether a guess is of the same lines as any of the fits."""
    corners = corners_from_lattice(lattice)
    return any(quad_overlap(corners, fit.corners) > _SAME_PLACE for fit in fits)


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


_LONGEST_PX: Final = 1400
"""Longer side of the level of a frame that is searched, at most."""

_KINDS: Final = ((40, False), (12, False), (12, True))
"""Parts of the longer side that a pixel is compared with, and whether lines are light on dark; a
later kind is tried where the earlier ones show nothing convincing."""

_GUESSES: Final = 4
"""Guesses that are tried; the best is nearly always the first."""

_CLASSIC_LINES: Final = 10

_REFINE_CELL_PX: Final = 48
"""Side of a cell on the level where a known lattice is refined, at most."""


def glimpse_boards(frame: Frame) -> list[BoardCandidate]:
    """Return what looks like boards at first sight, best first.

    Folds are not followed here: where one hides lines, `LineSearch` is asked.
    """
    level = next(
        (n for n, grey in enumerate(frame.levels) if max(grey.shape) <= _LONGEST_PX),
        len(frame.levels) - 1,
    )
    grey = frame.levels[level]
    soft = np.asarray(cv2.GaussianBlur(grey, (3, 3), 0), np.uint8)
    pyramid: tuple[npt.NDArray[np.float32], ...] = ()
    found: list[BoardCandidate] = []
    for blocks, is_inverted in _KINDS:
        ink = separate_ink(soft, max(grey.shape) // blocks, is_inverted)
        for guess in lattices_from_cells(ink)[:_GUESSES]:
            pyramid = pyramid or _pyramid(frame.levels[level:])
            fit = snap_lattice(pyramid, guess, is_inverted)
            if fit is not None:
                found.append(fit)
        if any(fit.score >= CONVINCING for fit in found):
            break
    side = max(grey.shape)
    found.sort(key=lambda fit: -_rank_glimpse(fit, side))
    if found and _DOUBTFUL <= found[0].score < CONVINCING:
        found.append(shift_lattice(pyramid, found[0]))
    found.sort(key=lambda fit: -_rank_glimpse(fit, side))
    return [fit.placed(2.0**level) for fit in found]


def refine_lattice(frame: Frame, lattice: Points, is_inverted: bool) -> BoardCandidate | None:
    """Return a lattice that lies nearly right already, snapped to the lines of a frame.

    Args:
        frame: that shows the board.
        lattice: (n + 1, n + 1, 2) float32 in its pixels.
        is_inverted: light lines on dark paper.
    """
    cell_px = float(np.sqrt(abs(quad_area(corners_from_lattice(lattice))))) / (len(lattice) - 1)
    level = 0
    while level + 2 < len(frame.levels) and cell_px / 2**level > _REFINE_CELL_PX:
        level += 1
    scale = 0.5**level
    here = (lattice + 0.5) * scale - 0.5
    room = 2 * cell_px * scale
    height, width = frame.levels[level].shape
    # Even numbers, so that the halvings of the part are parts of the halvings.
    low = np.maximum(np.floor((here.min(axis=(0, 1)) - room) / 8).astype(int) * 8, 0)
    high = np.ceil(here.max(axis=(0, 1)) + room).astype(int)
    left, top = int(low[0]), int(low[1])
    right, bottom = min(int(high[0]), width), min(int(high[1]), height)
    if right - left < 32 or bottom - top < 32:
        return None
    part = frame.levels[level][top:bottom, left:right]
    corner = np.array([left, top], np.float32)
    rough = (here - corner).astype(np.float32)
    if len(lattice) == _CLASSIC_LINES:
        fit = snap_lattice(_pyramid((part,)), rough, is_inverted)
    else:
        fit = snap.snap_lattice(snap.build_pyramid(part), rough, is_inverted)
    if fit is None:
        return None
    moved = ((fit.lattice + corner + 0.5) / scale - 0.5).astype(np.float32)
    return BoardCandidate(moved, fit.score, is_inverted)


def _pyramid(levels: tuple[Grey, ...]) -> tuple[npt.NDArray[np.float32], ...]:
    """Return what `lattice` measures lines on, from halvings that are there already."""
    halvings = list(levels)
    while len(halvings) < 3 and min(halvings[-1].shape) >= 64:
        halvings.append(halve(halvings[-1]))
    return tuple(_LOGARITHMS[grey] for grey in halvings)


_LOGARITHMS: Final = np.log(np.arange(256, dtype=np.float32) + 8)


def _rank_glimpse(fit: BoardCandidate, side: float) -> float:
    """Of two boards that show their lines alike, the larger is the one that is meant."""
    area = max(quad_area(corners_from_lattice(fit.lattice)), 0.0)
    return fit.score + 0.3 * float(np.sqrt(area)) / side
