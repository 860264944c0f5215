"""A place in a photo that looks like a board."""

from dataclasses import dataclass

import numpy as np

from vision.board import corners_from_lattice, turn_lattice
from vision.classic_finder.lattice import LatticeFit
from vision.geometry import Points


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


def as_candidate(fit: LatticeFit) -> BoardCandidate:
    """Return the place where a fit lies in the photo."""
    lattice = _begin_top_left(fit.lattice)
    return BoardCandidate(corners_from_lattice(lattice), lattice, fit.score, fit.is_inverted)


def _begin_top_left(lattice: Points) -> Points:
    """Turn a lattice so that it begins at the corner nearest to the photo's own top left."""
    nearest = int(np.argmin(corners_from_lattice(lattice).sum(axis=1)))
    return turn_lattice(lattice, nearest)
