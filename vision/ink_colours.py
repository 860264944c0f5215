"""Which inks the digits of a board have, as programs show clues, entries and mistakes in their own.

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


def tell_inks(
    image: Image8, lattice: Points, is_filled: npt.NDArray[np.bool_]
) -> npt.NDArray[np.intp] | None:
    """Return the ink of each digit, or None where all look alike.

    More colourful inks are told first, then fainter ones among those that are alike in that: a
    program may show clues in black, entries in grey and mistakes in red.

    Args:
        image: (H, W, 3) BGR uint8.
        lattice: (n + 1, n + 1, 2) float32 in its pixels.
        is_filled: (n²,) bool, cells with a digit, in reading order.

    Returns:
        (n²,) the inks' numbers, from 0 for the plainest, -1 where there is no digit.
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
    digits = np.arange(len(cells))
    inks = [
        ink
        for alike in _part_digits(digits, chroma, _APART)
        for ink in _part_digits(alike, faintness, _FAINTER)
    ]
    if len(inks) == 1:
        return None
    of_digits = np.zeros(len(cells), np.intp)
    for number, ink in enumerate(inks):
        of_digits[ink] = number
    found = np.full(len(is_filled), -1)
    found[is_filled] = of_digits
    return found


def _part_digits(
    digits: npt.NDArray[np.intp], values: Floats, least: float
) -> list[npt.NDArray[np.intp]]:
    """Return some digits, (k,), in two groups, if one has so much more of what is measured."""
    of_digits = values[digits]
    if np.ptp(of_digits) < least:
        return [digits]
    # The cut that leaves the groups as narrow as can be (Otsu 1979).
    cuts = np.unique(of_digits)[:-1].tolist()
    cut = min(cuts, key=lambda cut: _sum_squares(of_digits, cut))
    plain, other = _part(of_digits, cut)
    apart = other.mean() - plain.mean()
    if apart < least or plain.std() > _SPREAD * apart:
        return [digits]
    return [digits[of_digits <= cut], digits[of_digits > cut]]


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
