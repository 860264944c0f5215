"""Which digits of a board are in colour or grey, as programs show entries; clues are in plain ink.

How colourful an ink is tells the direction from the board's paper to the ink, in CIELAB. That
stays much as it is where a photo is blurred. How faint it is tells the distance.
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

_FAINTER: Final = 0.25
"""The same for faintness, in shares of the distance of plain ink from paper. Greys up to 64 of 255
are no other ink than black by that, what blur takes from thin strokes neither."""

_PLAIN_SHARE: Final = 0.9
"""Quantile of the digits' distances from paper that is taken for plain ink."""

_SPREAD: Final = 0.35
"""Of that difference, what the digits of the plain ink have at most, root mean square. Entries may
have several colours."""


def find_other_ink(
    image: Image8, lattice: Points, is_filled: npt.NDArray[np.bool_]
) -> npt.NDArray[np.bool_] | None:
    """Return which digits are in more colourful, else in fainter ink than others, or None where all
    look alike.

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
    chroma, faintness = _measure_inks(colours)
    is_other = _stand_apart(chroma, _APART)
    if is_other is None:
        is_other = _stand_apart(faintness, _FAINTER)
    if is_other is None:
        return None
    found = np.zeros_like(is_filled)
    found[is_filled] = is_other
    return found


def _stand_apart(values: Floats, least: float) -> npt.NDArray[np.bool_] | None:
    """Return which digits, (k,), have so much more of what is measured, None where none has."""
    if np.ptp(values) < least:
        return None
    # The cut that leaves the groups as narrow as can be (Otsu 1979).
    cut = min(np.unique(values)[:-1].tolist(), key=lambda cut: _sum_squares(values, cut))
    plain, other = _part(values, cut)
    apart = other.mean() - plain.mean()
    if apart < least or plain.std() > _SPREAD * apart:
        return None
    return np.asarray(values > cut)


def _part(values: Floats, cut: float) -> tuple[Floats, Floats]:
    return values[values <= cut], values[values > cut]


def _sum_squares(values: Floats, cut: float) -> float:
    """Return the sum of squares within both groups."""
    return sum(float(((group - group.mean()) ** 2).sum()) for group in _part(values, cut))


def _measure_inks(cells: Floats) -> tuple[Floats, Floats]:
    """Return how colourful and how faint the inks are, each (k,) up to 1.

    The first is chroma's share of the distance from paper, the second what this lacks of that of
    plain ink.

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
    chroma = np.hypot(from_paper[:, 1], from_paper[:, 2]) / np.maximum(length, _LEAST)
    return chroma, 1 - length / max(float(np.quantile(length, _PLAIN_SHARE)), _LEAST)
