"""Which digits of a board are printed in colour: programs show entries so, and clues in plain ink.

How colourful an ink is tells the direction from the paper around it to the ink, in CIELAB. That
stays as it is where a photo is blurred, and nearly so where a cell has a tint of its own.
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

_APART: Final = 0.25
"""Difference of chroma, in shares of all that tells ink from paper, from which two inks differ."""

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
    chroma = np.array([_tell_chroma(cell) for cell in np.stack(channels, axis=-1)[is_filled]])
    if np.ptp(chroma) < _APART:
        return None
    # The cut that leaves the groups as narrow as can be (Otsu 1979).
    cut = min(np.unique(chroma)[:-1].tolist(), key=lambda cut: _spread(chroma, cut))
    plain, coloured = _part(chroma, cut)
    apart = coloured.mean() - plain.mean()
    if apart < _APART or plain.std() > _SPREAD * apart:
        return None
    is_coloured = np.zeros_like(is_filled)
    is_coloured[is_filled] = chroma > cut
    return is_coloured


def _part(chroma: Floats, cut: float) -> tuple[Floats, Floats]:
    return chroma[chroma <= cut], chroma[chroma > cut]


def _spread(chroma: Floats, cut: float) -> float:
    """Return the sum of squares within both groups."""
    return sum(float(((group - group.mean()) ** 2).sum()) for group in _part(chroma, cut))


def _tell_chroma(cell: Image8) -> float:
    """Return how colourful a cell's ink is, 0..1: chroma's share of its distance from the paper.

    Args:
        cell: (h, h, 3) BGR uint8.
    """
    colours = cv2.cvtColor(np.asarray(cell, np.float32) / 255, cv2.COLOR_BGR2LAB).reshape(-1, 3)
    from_paper = colours - np.median(colours, axis=0)
    distance = np.linalg.norm(from_paper, axis=1)
    ink = from_paper[distance >= _INK * distance.max()].mean(axis=0)
    return float(np.hypot(*ink[1:]) / max(float(np.linalg.norm(ink)), 1e-6))
