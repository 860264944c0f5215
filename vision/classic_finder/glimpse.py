"""Looks for one board in a frame of a live picture: quickly, since the next frame comes soon.

`find` leaves nothing untried, which takes long where there is nothing; here only the guess
that nearly always suffices is made.
"""

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.board import Grey, corners_from_lattice
from vision.classic_finder.candidate import BoardCandidate, as_candidate
from vision.classic_finder.ink import separate_ink
from vision.classic_finder.lattice import CONVINCING, LatticeFit, shift_lattice, snap_lattice
from vision.classic_finder.propose import lattices_from_cells
from vision.finder import snap
from vision.finder.snap import SnappedLattice
from vision.geometry import Points, quad_area
from vision.media.frames import Frame

_LONGEST_PX: Final = 1400
"""Longer side of the level of a frame that is searched, at most."""

_KINDS: Final = ((40, False), (12, False), (12, True))
"""Parts of the longer side that a pixel is compared with, and whether lines are light on dark; a
later kind is tried where the earlier ones show nothing convincing."""

_GUESSES: Final = 4
"""Guesses that are tried; the best is nearly always the first."""

_DOUBTFUL: Final = 0.5
"""Score from which a lattice may be a part of a board and of what lies beside it."""

_CLASSIC_LINES: Final = 10

_REFINE_CELL_PX: Final = 48
"""Side of a cell on the level where a known lattice is refined, at most."""


def glimpse_boards(frame: Frame) -> list[BoardCandidate]:
    """Return what looks like boards at first sight, best first.

    Folds are not followed here: where one hides lines, `vision.classic_finder.find` is asked.
    """
    level = next(
        (n for n, grey in enumerate(frame.levels) if max(grey.shape) <= _LONGEST_PX),
        len(frame.levels) - 1,
    )
    grey = frame.levels[level]
    soft = np.asarray(cv2.GaussianBlur(grey, (3, 3), 0), np.uint8)
    pyramid: tuple[npt.NDArray[np.float32], ...] = ()
    found: list[LatticeFit] = []
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
    found.sort(key=lambda fit: -_rank(fit, side))
    if found and _DOUBTFUL <= found[0].score < CONVINCING:
        found.append(shift_lattice(pyramid, found[0]))
    found.sort(key=lambda fit: -_rank(fit, side))
    return [as_candidate(fit.placed(2.0**level)) for fit in found]


def refine_lattice(frame: Frame, lattice: Points, is_inverted: bool) -> LatticeFit | None:
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
    fit: LatticeFit | SnappedLattice | None
    if len(lattice) == _CLASSIC_LINES:
        fit = snap_lattice(_pyramid((part,)), rough, is_inverted)
    else:
        fit = snap.snap_lattice(snap.build_pyramid(part), rough, is_inverted)
    if fit is None:
        return None
    moved = ((fit.lattice + corner + 0.5) / scale - 0.5).astype(np.float32)
    return LatticeFit(moved, fit.score, is_inverted)


def _pyramid(levels: tuple[Grey, ...]) -> tuple[npt.NDArray[np.float32], ...]:
    """Return what `lattice` measures lines on, from halvings that are there already."""
    halvings = list(levels)
    while len(halvings) < 3 and min(halvings[-1].shape) >= 64:
        height, width = halvings[-1].shape
        even = halvings[-1][: height // 2 * 2, : width // 2 * 2]
        half = cv2.resize(even, (width // 2, height // 2), interpolation=cv2.INTER_AREA)
        halvings.append(np.asarray(half, np.uint8))
    return tuple(_LOGARITHMS[grey] for grey in halvings)


_LOGARITHMS: Final = np.log(np.arange(256, dtype=np.float32) + 8)


def _rank(fit: LatticeFit, side: float) -> float:
    """Of two boards that show their lines alike, the larger is the one that is meant."""
    area = max(quad_area(corners_from_lattice(fit.lattice)), 0.0)
    return fit.score + 0.3 * float(np.sqrt(area)) / side
