"""Finds the boards of a photo: many rough hypotheses, each judged by the lattice that it shows."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.board import corners_from_lattice, lattice_from_corners
from vision.geometry import Points, is_sane_quad, order_corners, quad_area, quad_overlap
from vision.lattice import LatticeFit, snap_lattice

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
    for quad, is_inverted in propose_quads(small):
        fit = snap_lattice(log_grey, lattice_from_corners(quad), is_inverted)
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


def propose_quads(small: npt.NDArray[np.uint8]) -> list[tuple[Points, bool]]:
    """Return rough outlines of what could be a board, with the polarity of its lines."""
    side = max(small.shape)
    soft = cv2.GaussianBlur(small, (3, 3), 0)
    quads: list[tuple[Points, bool]] = []
    for block, inverted in ((side // 40, False), (side // 12, False), (side // 12, True)):
        mode = cv2.THRESH_BINARY if inverted else cv2.THRESH_BINARY_INV
        ink = cv2.adaptiveThreshold(
            soft, 255, cv2.ADAPTIVE_THRESH_MEAN_C, mode, block | 1, -4 if inverted else 4
        )
        count, labels, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
        extent = np.minimum(stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT])
        extent[0] = 0
        for label in np.argsort(-extent)[:3]:
            if extent[label] < side * 0.12:
                break
            x, y, w, h = stats[label, :4]
            ys, xs = np.nonzero(labels[y : y + h, x : x + w] == label)
            points = np.stack([xs + x, ys + y], axis=1).astype(np.float32)
            for quad in _outline_quads(points):
                if is_sane_quad(quad, side * 0.1) and not any(
                    quad_overlap(quad, other) > 0.97 and i == inverted for other, i in quads
                ):
                    quads.append((quad, inverted))
    return quads


def _outline_quads(points: Points) -> list[Points]:
    hull = cv2.convexHull(points)[:, 0]
    found = []
    length = cv2.arcLength(hull, True)
    for epsilon in (0.01, 0.02, 0.03, 0.05, 0.08):
        polygon = cv2.approxPolyDP(hull, epsilon * length, True)[:, 0]
        if len(polygon) == 4:
            found.append(order_corners(polygon))
            break
    found.append(order_corners(cv2.boxPoints(cv2.minAreaRect(hull))))
    return [q for q in found if quad_area(q) > 0]
