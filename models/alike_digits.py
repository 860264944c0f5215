"""Digits of one board beside each other: those of a typeface are alike, those of a hand are not."""

from typing import Final

import numpy as np

from models.digits import CLASSES, merge_kinds, normalise_cells
from models.engine import Float32, UInt8

_PRINTED: Final = slice(1, 10)
"""The classes of printed digits, where handwritten ones are told from them."""

_WRITTEN: Final = slice(10, 19)
"""The classes of these."""

_WEIGHT: Final = 4.0
"""Nats for each unit of Fisher's z (the inverse hyperbolic tangent of a correlation).

On 180 rendered photos of level 5 the mean of −log(probability of the true content) is 0.0471
without templates and 0.0462 with any weight from 3 to 5, on 120 others 0.0447 and 0.0443; of
printed digits alone it is 13 and 4 % less, and 22 and 25 of them are misread instead of 30 and 26.
"""

_PRIOR: Final = 0.1
"""Templates' worth of a cell's likeness to all of them, which a digit with few of its own has."""

_SURE: Final = 0.5
"""Probability from which a digit is a template."""

_WINDOW_PX: Final = 18
"""Side of the middle of a cell that is compared."""

_SHIFT_PX: Final = 2
"""How far digits may lie apart from where another cell has them."""

_MOST_ALIKE: Final = 0.995
"""Correlation that is not exceeded, as z is infinite at 1."""


_SURE_PRINT: Final = 0.1
"""Share of handwriting in a digit up to which it is surely print."""

_MAYBE_WRITTEN: Final = 0.3
"""Share from which it may be written."""

_FEWEST_PAIRS: Final = 6
"""Pairs of the same digit that tell print from handwriting."""

_PRINTED_ALIKE: Final = 1.8
"""Median z of such pairs from which they are print.

On 607 labelled photos print had 1.81 at least, and six or more pairs of handwriting 1.79 at most,
mostly below 1.4; on rendered photos of levels 3 to 5 at most 1.72 (one-off).
"""

_EVEN_ALIKE: Final = 1.5
"""Mean z of a digit and its printed copies that speaks for neither.

On the same photos 3,244 written digits had 1.51 at most; of 21,001 printed ones, 1 in 100 had less
than 1.63 (one-off).
"""

_KIND_WEIGHT: Final = 50.0
"""Nats for each unit of z beyond that."""

_KIND_NATS: Final = (-10.0, 3.0)
"""At most for print, and for handwriting.

The reader may be very sure of handwriting where it is wrong. A printed digit may be soiled.
"""


def tell_kinds(cells: UInt8, probabilities: Float32) -> Float32:
    """Return probabilities in which the board's other digits tell print from handwriting.

    One cell does not tell an italic, a light or an old-style typeface from handwriting, but copies
    of a printed digit are alike. So each digit is compared with its like: with all of it where most
    of what looks written is alike, else with the sure print. Handwriting in a typeface of its own,
    as apps have it, is like itself, but not like the clues. How likely each digit is, whoever wrote
    it, stays.

    Args:
        cells: (n², 32, 32) uint8 of one board.
        probabilities: (k · n², 19) float32, as `DigitReader.read` returns them, of k looks at the
            board, the first one that of the cells.

    Returns:
        Probabilities of the same classes; as they came in, where nothing seems written, or too
        little is seen to tell.
    """
    first = probabilities[: len(cells)]
    digits = merge_kinds(first).argmax(axis=1)
    filled = np.flatnonzero(digits > 0)
    written = first[filled][:, _WRITTEN].sum(axis=1)
    share = written / (written + first[filled][:, _PRINTED].sum(axis=1))
    if not (share > _MAYBE_WRITTEN).any():
        return probabilities
    is_sure, is_open = share < _SURE_PRINT, share > _MAYBE_WRITTEN
    is_pair = (digits[filled, None] == digits[filled]) & ~np.eye(len(filled), dtype=np.bool_)
    alike = _compare(normalise_cells(cells[filled])[..., 0])
    if _are_print(alike[is_pair & (is_open[:, None] | is_open)]):
        copies = is_pair
    elif _are_print(alike[is_pair & is_sure[:, None] & is_sure]):
        copies = is_pair & is_sure
    else:
        return probabilities
    count = copies.sum(axis=1)
    mean = (alike * copies).sum(axis=1) / np.maximum(count, 1)
    nats = np.clip(_KIND_WEIGHT * (_EVEN_ALIKE - mean), *_KIND_NATS)
    odds = np.where(is_sure | (count == 0), 1, np.exp(nats)).astype(np.float32)
    looks = probabilities.reshape(-1, len(cells), CLASSES).copy()
    print_now, hand_now = looks[:, filled, _PRINTED], looks[:, filled, _WRITTEN]
    weighed = hand_now * odds[:, None]
    share_now = weighed / np.maximum(weighed + print_now, 1e-12)
    both = print_now + hand_now
    looks[:, filled, _PRINTED], looks[:, filled, _WRITTEN] = (
        both * (1 - share_now),
        both * share_now,
    )
    return looks.reshape(probabilities.shape)


def _are_print(alike: Float32) -> bool:
    """Tell whether pairs of the same digit, each of which is met twice, are copies of print."""
    return len(alike) >= 2 * _FEWEST_PAIRS and bool(np.median(alike) >= _PRINTED_ALIKE)


def match_templates(cells: UInt8, probabilities: Float32) -> Float32:
    """Return probabilities of printed digits that take the board's other digits into account.

    A board is set in one typeface and photographed at once: a digit that blur, noise or an odd
    typeface leaves in doubt looks like its like elsewhere. This is template matching with the
    board's own sure digits. How much of a cell's probability goes to print, to handwriting and to
    nothing stays: only the printed digits share theirs anew.

    Args:
        cells: (k, n², 32, 32) uint8, k looks at one board, which are averaged.
        probabilities: (n², 19) float32, as `DigitReader.read` returns them, or
            (n², d + 1): empty and printed values 1..d.

    Returns:
        Probabilities of the same classes; as they came in, where fewer than two cells hold sure
        print.
    """
    columns = _PRINTED if probabilities.shape[1] == CLASSES else slice(1, None)
    printed = probabilities[:, columns]
    templates = np.where(printed > _SURE, printed, 0)
    filled = np.flatnonzero(probabilities[:, 0] < _SURE)
    templates = templates[filled]
    if (templates > 0).sum() < 2:
        return probabilities
    looks = [normalise_cells(look[filled])[..., 0] for look in cells]
    alike = _compare(np.mean(looks, axis=0))
    others = templates.sum(axis=0) - templates  # of each digit, the cell itself left out
    total = alike @ templates
    usual = total.sum(axis=1, keepdims=True) / np.maximum(others.sum(axis=1, keepdims=True), 1e-6)
    likeness = (total + _PRIOR * usual) / (others + _PRIOR)
    lead = np.exp(_WEIGHT * (likeness - likeness.max(axis=1, keepdims=True)))
    shared = printed[filled] * lead
    shared *= printed[filled].sum(axis=1, keepdims=True) / np.maximum(
        shared.sum(axis=1, keepdims=True), 1e-12
    )
    matched = probabilities.copy()
    matched[filled, columns] = shared
    return matched


def _compare(pictures: Float32) -> Float32:
    """Return Fisher's z of each pair's correlation, at the best shift; 0 of one with itself.

    Args:
        pictures: (n, 32, 32) float32.

    Returns:
        (n, n) float32, symmetric.
    """
    smooth = _smooth(_smooth(pictures, 1), 2)
    middle = _unit_windows(smooth, 0, 0)
    best = np.full((len(pictures), len(pictures)), -1, np.float32)
    steps = range(-_SHIFT_PX, _SHIFT_PX + 1)
    for down in steps:
        for right in steps:
            best = np.maximum(best, middle @ _unit_windows(smooth, down, right).T)
    best = np.maximum(best, best.T)
    alike = np.arctanh(np.clip(best, -_MOST_ALIKE, _MOST_ALIKE))
    np.fill_diagonal(alike, 0)
    return np.asarray(alike, np.float32)


def _smooth(pictures: Float32, axis: int) -> Float32:
    """Return the pictures with noise lessened along an axis: 1, 2, 1 quarters of three pixels."""
    before, after = np.roll(pictures, 1, axis), np.roll(pictures, -1, axis)
    # What comes in from the other side lies outside all windows.
    return np.asarray((before + 2 * pictures + after) / 4, np.float32)


def _unit_windows(pictures: Float32, down: int, right: int) -> Float32:
    """Return the pictures' middles, moved, as vectors of mean 0 and length 1."""
    edge = (pictures.shape[1] - _WINDOW_PX) // 2
    top, left = edge + down, edge + right
    windows = pictures[:, top : top + _WINDOW_PX, left : left + _WINDOW_PX]
    flat = windows.reshape(len(pictures), -1)
    flat = flat - flat.mean(axis=1, keepdims=True)
    lengths = np.linalg.norm(flat, axis=1, keepdims=True)
    return np.asarray(flat / np.maximum(lengths, 1e-6), np.float32)
