"""From the weights of the lines between cells to the regions that thick lines enclose."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

_CLEAR: Final = 1.35
"""How many times as heavy as a thin line a thick one is at least."""

_MOST_AGAINST: Final = 1.0
"""Pieces of line that may say otherwise, in all; two pieces half way between thin and thick count
as one. Regions that differ by two cells differ in four pieces at least."""


def decode_regions(
    right: npt.NDArray[np.floating], below: npt.NDArray[np.floating]
) -> tuple[tuple[int, ...], ...] | None:
    """Return n connected regions of n cells each, or None where the lines tell none for sure.

    Cells grow together across the thinnest lines first, as in J. B. Kruskal (1956, "On the shortest
    spanning subtree of a graph"), but to no more than n of them.

    Args:
        right: (n, n - 1) weights of the lines between a cell and the one to its right.
        below: (n - 1, n) weights of the lines between a cell and the one below.

    Returns:
        The regions in the order of their first cells, each with its cells ascending.
    """
    side = len(right)
    pieces = _list_pieces(right, below)
    owner = list(range(side * side))
    members = [[cell] for cell in owner]
    for _, one, other in sorted(pieces):
        a, b = owner[one], owner[other]
        if a == b or len(members[a]) + len(members[b]) > side:
            continue
        for cell in members[b]:
            owner[cell] = a
        members[a] += members[b]
        members[b] = []
    regions = sorted(tuple(sorted(cells)) for cells in members if cells)
    if any(len(region) != side for region in regions):  # they hang together, as they grew
        return None
    return tuple(regions) if _are_told(pieces, owner) else None


def _list_pieces(
    right: npt.NDArray[np.floating], below: npt.NDArray[np.floating]
) -> list[tuple[float, int, int]]:
    """Return (weight, cell, cell) for each piece of line."""
    side = len(right)
    pieces = [
        (float(weight), row * side + column, row * side + column + 1)
        for (row, column), weight in np.ndenumerate(right)
    ]
    pieces += [
        (float(weight), row * side + column, (row + 1) * side + column)
        for (row, column), weight in np.ndenumerate(below)
    ]
    return pieces


def _are_told(pieces: Sequence[tuple[float, int, int]], owner: Sequence[int]) -> bool:
    """Tell whether the lines between regions are thick, and the lines within them thin."""
    thick = np.array([weight for weight, one, other in pieces if owner[one] != owner[other]])
    thin = np.array([weight for weight, one, other in pieces if owner[one] == owner[other]])
    low, high = float(np.median(thin)), float(np.median(thick))
    if high < _CLEAR * low or high <= low:
        return False
    middle, half = (low + high) / 2, (high - low) / 2
    too_heavy, too_light = ((thin - middle) / half).clip(0, 1), ((middle - thick) / half).clip(0, 1)
    return bool(too_heavy.sum() + too_light.sum() <= _MOST_AGAINST)
