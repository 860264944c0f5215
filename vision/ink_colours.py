"""Which digits of a board are printed in colour: programs show entries so, and clues in plain ink.

How colourful an ink is tells the direction from the board's paper to the ink, in CIELAB. That
stays much as it is where a photo is blurred.
"""

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.board import cut_windows
from vision.geometry import Floats, Image8, Points

_CELL_PX: Final = 40
_CROP_PX: Final = 32
"""Sides of a cell and of what is looked at of it, without its lines."""

_INK: Final = 0.7
"""Distance of ink from the paper, where that of the cell's darkest ink is 1."""

_LEAST: Final = 25.0
"""Distance from the paper, in CIELAB, below which it tells no colour: white on a coloured cell."""

_APART: Final = 0.25
"""Difference of chroma, in shares of all that tells ink from paper, from which two inks differ:
in seven palettes of games (one-off) entries are 0.31 at least above clues."""

_SPREAD: Final = 0.35
"""Of that difference, what the digits of the plain ink have at most, root mean square. Entries may
have several colours."""


def find_coloured(
    image: Image8, lattice: Points, is_filled: npt.NDArray[np.bool_]
) -> npt.NDArray[np.bool_] | None:
    """Return which digits are in more colourful ink than others, or None where all look alike.

    Args:
        image: (H, W, 3) BGR uint8.
        lattice: (n + 1, n + 1, 2) float32 in its pixels.
        is_filled: (n²,) bool, cells with a digit, in reading order.

    Returns:
        (n²,) bool, False where there is no digit.
    """
    if not is_filled.any():
        return None
    channels = [
        cut_windows(np.ascontiguousarray(image[:, :, channel]), lattice, _CELL_PX, _CROP_PX)
        for channel in range(3)
    ]
    cells = np.stack(channels, axis=-1)[is_filled].astype(np.float32) / 255
    colours = np.stack([cv2.cvtColor(cell, cv2.COLOR_BGR2LAB).reshape(-1, 3) for cell in cells])
    chroma = _tell_chroma(colours)
    if np.ptp(chroma) < _APART:
        return None
    # The cut that leaves the groups as narrow as can be (Otsu 1979).
    cut = min(np.unique(chroma)[:-1].tolist(), key=lambda cut: _sum_squares(chroma, cut))
    plain, coloured = _part(chroma, cut)
    apart = coloured.mean() - plain.mean()
    if apart < _APART or plain.std() > _SPREAD * apart:
        return None
    is_coloured = np.zeros_like(is_filled)
    is_coloured[is_filled] = chroma > cut
    return is_coloured


def _part(chroma: Floats, cut: float) -> tuple[Floats, Floats]:
    return chroma[chroma <= cut], chroma[chroma > cut]


def _sum_squares(chroma: Floats, cut: float) -> float:
    """Return the sum of squares within both groups."""
    return sum(float(((group - group.mean()) ** 2).sum()) for group in _part(chroma, cut))


def _tell_chroma(cells: Floats) -> Floats:
    """Return how colourful the inks are, (k,) 0..1: chroma's share of their distance from paper.

    Args:
        cells: (k, pixels, 3) CIELAB.
    """
    papers = np.median(cells, axis=1, keepdims=True)
    distance = np.linalg.norm(cells - papers, axis=2)
    is_ink = distance >= _INK * distance.max(axis=1, keepdims=True)
    inks = np.array([cell[chosen].mean(axis=0) for cell, chosen in zip(cells, is_ink, strict=True)])
    # A cell's own tint is no part of its ink.
    from_paper = inks - np.median(papers[:, 0], axis=0)
    length = np.linalg.norm(from_paper, axis=1)
    return np.asarray(np.hypot(from_paper[:, 1], from_paper[:, 2]) / np.maximum(length, _LEAST))
