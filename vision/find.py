"""Finds the boards of a photo: many rough hypotheses, each judged by the lattice that it shows."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.board import Grey, corners_from_lattice, turn_lattice
from vision.geometry import Points, quad_area, quad_overlap
from vision.lattice import CONVINCING, LatticeFit, build_pyramid, snap_lattice
from vision.propose import lattices_from_cells, lattices_from_outlines, separate_ink

_WORK_SIDES: Final = ((900, 1.0), (1800, 2.0))
"""Longer side of the picture that is searched, in pixels, and the most that a smaller one is
enlarged (which helps thin lines through the threshold); the second only where the first failed."""

_ENOUGH: Final = 0.85
"""Below this score of the best board a larger picture is searched, too."""


@dataclass(frozen=True)
class Stage:
    """One way to look for boards; later ones run only where the earlier found nothing sure.

    Ink is what differs from the mean of a block, `blocks_a_side` of which fit the picture's
    longer side. The search ends after this stage with a score of at least `enough`.
    """

    blocks_a_side: int
    is_inverted: bool
    by_outline: bool
    enough: float


_STAGES: Final = (
    Stage(40, is_inverted=False, by_outline=False, enough=CONVINCING),
    Stage(12, is_inverted=False, by_outline=False, enough=CONVINCING),
    Stage(40, is_inverted=False, by_outline=True, enough=CONVINCING),
    Stage(12, is_inverted=False, by_outline=True, enough=0.85),
    Stage(12, is_inverted=True, by_outline=False, enough=0.85),
    Stage(12, is_inverted=True, by_outline=True, enough=1.0),
)


@dataclass(frozen=True)
class BoardCandidate:
    """A place in the photo that looks like a board.

    `corners` is (4, 2) float32, clockwise from the top left as the photo lies, `lattice`
    (10, 10, 2) float32, both (x, y) in pixels of the photo; `score` is 0..1.
    """

    corners: Points
    lattice: Points
    score: float
    is_inverted: bool


def find_boards(image: npt.NDArray[np.uint8], max_boards: int = 6) -> list[BoardCandidate]:
    """Return the most likely boards, best first.

    Args:
        image: (H, W) grey or (H, W, 3) BGR uint8.
        max_boards: how many candidates to return at most.
    """
    grey = (
        image if image.ndim == 2 else np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    )
    side = max(grey.shape)
    found: list[tuple[LatticeFit, float]] = []
    for work_side, most in _WORK_SIDES:
        scale = min(work_side / side, most)
        found += [(fit, scale) for fit in _search(_scaled(grey, scale))]
        if max((fit.score for fit, _ in found), default=0.0) >= _ENOUGH:
            break
    kept: list[BoardCandidate] = []
    for fit, scale in sorted(found, key=lambda item: -_rank(item[0], item[1] * side)):
        lattice = _begin_top_left(((fit.lattice + 0.5) / scale - 0.5).astype(np.float32))
        corners = corners_from_lattice(lattice)
        if any(quad_overlap(corners, other.corners) > 0.7 for other in kept):
            continue
        kept.append(BoardCandidate(corners, lattice, fit.score, fit.is_inverted))
        if len(kept) == max_boards:
            break
    return kept


def _begin_top_left(lattice: Points) -> Points:
    """Turn a lattice so that it begins at the corner nearest to the photo's own top left."""
    nearest = int(np.argmin(corners_from_lattice(lattice).sum(axis=1)))
    return turn_lattice(lattice, nearest)


def _scaled(grey: Grey, scale: float) -> Grey:
    if scale == 1:
        return grey
    mode = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(grey, None, fx=scale, fy=scale, interpolation=mode), np.uint8)


def _search(grey: Grey) -> list[LatticeFit]:
    pyramid = build_pyramid(grey)
    fits: list[LatticeFit] = []
    for stage in _STAGES:
        for lattice in _propose(grey, stage):
            if _is_settled(lattice, fits):
                continue
            fit = snap_lattice(pyramid, lattice, stage.is_inverted)
            if fit is not None:
                fits.append(fit)
        if max((fit.score for fit in fits), default=0.0) >= stage.enough:
            break
    return fits


def _propose(small: Grey, stage: Stage) -> list[Points]:
    soft = np.asarray(cv2.GaussianBlur(small, (3, 3), 0), dtype=np.uint8)
    ink = separate_ink(soft, max(small.shape) // stage.blocks_a_side, stage.is_inverted)
    return lattices_from_outlines(ink) if stage.by_outline else lattices_from_cells(ink)


def _is_settled(lattice: Points, fits: list[LatticeFit]) -> bool:
    """Tell whether a guess is a board that was snapped convincingly already."""
    corners = corners_from_lattice(lattice)
    return any(
        fit.score > CONVINCING and quad_overlap(corners, corners_from_lattice(fit.lattice)) > 0.7
        for fit in fits
    )


def _rank(fit: LatticeFit, picture_side: float) -> float:
    """Of two boards that show their lines alike, the larger is the one that was meant."""
    corners = corners_from_lattice(fit.lattice)
    return fit.score + 0.1 * float(np.sqrt(max(quad_area(corners), 0.0))) / picture_side
