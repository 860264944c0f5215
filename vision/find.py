"""Finds the boards of a photo: many rough hypotheses, each judged by the lattice that it shows."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.board import corners_from_lattice
from vision.geometry import Points, quad_overlap
from vision.lattice import LatticeFit, snap_lattice
from vision.propose import lattices_from_cells, lattices_from_outlines, separate_ink

WORK_SIDE: Final = 900
"""Longer side of the picture that is searched, in pixels."""


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
    grey = image if image.ndim == 2 else np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))
    scale = WORK_SIDE / max(grey.shape)
    if scale < 1:
        small = np.asarray(cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))
    else:
        small, scale = grey, 1.0
    log_grey = np.log(small.astype(np.float32) + 8)
    fits: list[LatticeFit] = []
    for is_inverted, lattice in _propose(small):
        fit = snap_lattice(log_grey, lattice, is_inverted)
        if fit is not None:
            fits.append(fit)
    fits.sort(key=lambda fit: -fit.score)
    kept: list[BoardCandidate] = []
    for fit in fits:
        lattice = ((fit.lattice + 0.5) / scale - 0.5).astype(np.float32)
        corners = corners_from_lattice(lattice)
        if any(quad_overlap(corners, other.corners) > 0.7 for other in kept):
            continue
        kept.append(BoardCandidate(corners, lattice, fit.score, fit.is_inverted))
        if len(kept) == max_boards:
            break
    return kept


def _propose(small: npt.NDArray[np.uint8]) -> Iterator[tuple[bool, Points]]:
    side = max(small.shape)
    soft = cv2.GaussianBlur(small, (3, 3), 0)
    for block, is_inverted in ((side // 40, False), (side // 12, False), (side // 12, True)):
        ink = separate_ink(soft, block, is_inverted)
        for lattice in lattices_from_cells(ink) + lattices_from_outlines(ink):
            yield is_inverted, lattice
