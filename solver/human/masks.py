"""Bit masks of a grid's cells, units and candidates, and the walk over their bits.

A set of cells is an integer of 81 bits, bit = cell. A set of a cell's candidates is an integer of
nine bits, bit = digit - 1; here and in all finders, a digit is counted from 0 until it is written
into a step. A set of candidates of the whole grid is an integer of 729 bits; candidate
``digit * 81 + cell``, so that each digit has a plane of 81 bits.
"""

from collections.abc import Iterable
from typing import Final

import numpy as np

from solver.grid import PEERS, UNITS


def bits_of(mask: int) -> list[int]:
    """Return the numbers of the bits that are set, ascending."""
    bits = []
    while mask:
        low = mask & -mask
        bits.append(low.bit_length() - 1)
        mask ^= low
    return bits


def mask_of(bits: Iterable[int]) -> int:
    """Return the mask with these bits set."""
    mask = 0
    for bit in bits:
        mask |= 1 << bit
    return mask


ALL_CELLS: Final = (1 << 81) - 1
ALL_DIGITS: Final = (1 << 9) - 1

UNIT_CELLS: Final = tuple(tuple(cells) for cells in UNITS.tolist())
"""The nine cells of each unit: rows 0..8, columns 9..17, boxes 18..26."""

UNIT_MASKS: Final = tuple(mask_of(cells) for cells in UNIT_CELLS)
"""81 bits a unit."""

CROSSINGS: Final = tuple(
    (unit, other)
    for unit in range(27)
    for other in range(27)
    if (unit < 18) != (other < 18) and UNIT_MASKS[unit] & UNIT_MASKS[other]
)
"""Pairs of a box and a line that share cells, in both orders."""

PLANES: Final = tuple(ALL_CELLS << 81 * digit for digit in range(9))
"""729 bits a digit: all its candidates."""

PEER_MASKS: Final = tuple(mask_of(cells) for cells in PEERS.tolist())
"""81 bits a cell: the cells that share a unit with it, without itself."""

UNITS_OF: Final = tuple(
    tuple(np.nonzero((np.array(UNIT_CELLS) == cell).any(axis=1))[0].tolist()) for cell in range(81)
)
"""A cell's row, column and box, as units."""

WEAK_MASKS: Final = tuple(
    PEER_MASKS[cell] << 81 * digit | mask_of(81 * other + cell for other in range(9)) & ~(1 << n)
    for n, (digit, cell) in enumerate((n // 81, n % 81) for n in range(729))
)
"""729 bits a candidate: the candidates that are wrong if it is right."""


def peers_of_all(cells: int) -> int:
    """Return the cells that see every one of these cells; 81 bits each."""
    common = ALL_CELLS
    for cell in bits_of(cells):
        common &= PEER_MASKS[cell]
    return common


def common_units(cells: int) -> list[int]:
    """Return the units that hold all of these cells; 81 bits."""
    return [unit for unit in range(27) if not cells & ~UNIT_MASKS[unit]]
