"""Propagation on bit masks: what one digit's places, and then all nine, force upon each other.

A **mask** is the set of cells where a digit can still stand, one Python integer for the board:
bit = 10 × row + column. The tenth bit of every row stays clear; it catches the carries that let
one subtraction look at all rows at once. A band (three rows) is 30 bits, which is one digit of
CPython's integers.
"""

import operator
from collections.abc import Iterable
from functools import reduce
from itertools import permutations
from typing import Final

import numpy as np

from solver.grid import UNITS, Integers
from solver.layout import LAYOUTS

ROW_BITS: Final = 10
CELL_BITS: Final = [1 << (ROW_BITS * (cell // 9) + cell % 9) for cell in range(81)]
"""The bit of each cell 0..80."""

UNIT_MASKS: Final = [sum(CELL_BITS[cell] for cell in unit) for unit in UNITS.tolist()]
"""The mask of each unit: rows, columns, boxes."""

PEERS_AND_SELF: Final = {
    bit: UNIT_MASKS[row] | UNIT_MASKS[column] | UNIT_MASKS[box]
    for bit, (row, column, box) in zip(CELL_BITS, LAYOUTS[9].units_of_cell.tolist(), strict=True)
}
"""The mask of a cell and its twenty peers, by the cell's bit."""

ALL_CELLS: Final = sum(CELL_BITS)


def _list_subsets(n: int) -> list[tuple[int, ...]]:
    """Return the members, of 0..n-1, of the set that each number stands for, bit = member."""
    subsets: list[tuple[int, ...]] = [()]
    for member in range(n):
        subsets += [(*subset, member) for subset in subsets]
    return subsets


_BAND: Final = (1 << 3 * ROW_BITS) - 1
_FIRST_COLUMN: Final = sum(CELL_BITS[::9])
_GUARDS: Final = _FIRST_COLUMN << 9
_DIGITS_IN: Final = _list_subsets(9)
_OTHERS: Final = [tuple(i for i in range(9) if i != digit) for digit in range(9)]
_WITHOUT: Final = [511 ^ (1 << digit) for digit in range(9)]


_SUBSETS: Final = np.arange(512)


def _tabulate_closure() -> Integers:
    """Return, for each 3×3 matrix of bits, the union of the permutation matrices in it.

    Entry bits are 3 × row + column. A digit takes one minirow in each row and each box of a band,
    so the places that survive are those on some permutation: one table look-up finds hidden
    singles and locked candidates alike. The same holds for a stack. 0 = contradiction.
    """
    patterns = [sum(1 << (3 * row + p[row]) for row in range(3)) for p in permutations(range(3))]
    return _join(np.where(_SUBSETS & pattern == pattern, pattern, 0) for pattern in patterns)


def _join(parts: Iterable[Integers]) -> Integers:
    """Return the union of sets of bits, entry by entry."""
    return reduce(operator.or_, parts)


_CLOSED: Final = _tabulate_closure()
_CLOSURE: Final[list[int]] = _CLOSED.tolist()

# Which boxes a row's nine bits touch, as row 0, 1 or 2 of the band's matrix.
_TOUCHED: Final = _join(((_SUBSETS >> 3 * box & 7) > 0).astype(np.intp) << box for box in range(3))
_TOUCHED_0: Final[list[int]] = _TOUCHED.tolist()
_TOUCHED_1: Final[list[int]] = (_TOUCHED << 3).tolist()
_TOUCHED_2: Final[list[int]] = (_TOUCHED << 6).tolist()

# The band's cells that survive, by its matrix of touched minirows.
_KEPT_IN_BAND: Final[list[int]] = _join(
    (_CLOSED >> 3 * row + box & 1) * (7 << ROW_BITS * row + 3 * box)
    for row in range(3)
    for box in range(3)
).tolist()

# Nine column bits with each stack's three moved to a matrix of its own, nine bits apart.
_BY_STACK: Final[list[int]] = _join(
    (_SUBSETS >> 3 * stack & 7) << 9 * stack for stack in range(3)
).tolist()

# The board's cells that survive, by stack and by its matrix of (band, column).
_BAND_COLUMN: Final = 1 | 1 << ROW_BITS | 1 << 2 * ROW_BITS


def _list_columns(band: int) -> list[int]:
    """Return the cells of each of the eight sets of the first stack's columns in a band."""
    return [columns * _BAND_COLUMN << 3 * ROW_BITS * band for columns in range(8)]


_KEPT_BY_MATRIX: Final = [
    top | middle | bottom
    for bottom in _list_columns(2)
    for middle in _list_columns(1)
    for top in _list_columns(0)
]
_KEPT_0: Final = [_KEPT_BY_MATRIX[closed] for closed in _CLOSURE]
_KEPT_1: Final = [cells << 3 for cells in _KEPT_0]
_KEPT_2: Final = [cells << 6 for cells in _KEPT_0]


def _close(mask: int) -> tuple[int, int]:
    """Return the mask closed by rows, columns and boxes (0 = contradiction), and its settled cells.

    A cell is settled when it is the only one left in its row. The same lines stand here three
    times, one for each band, because a call would cost more than they do. Remembering closed bands
    and masks was tried: it costs more than it saves, even on hardest_1106.txt (a sixth).
    """
    closed = mask
    while True:
        band_0 = closed & _BAND
        touched = (
            _TOUCHED_0[band_0 & 511] | _TOUCHED_1[band_0 >> 10 & 511] | _TOUCHED_2[band_0 >> 20]
        )
        band_0 &= _KEPT_IN_BAND[touched]
        band_1 = closed >> 30 & _BAND
        touched = (
            _TOUCHED_0[band_1 & 511] | _TOUCHED_1[band_1 >> 10 & 511] | _TOUCHED_2[band_1 >> 20]
        )
        band_1 &= _KEPT_IN_BAND[touched]
        band_2 = closed >> 60
        touched = (
            _TOUCHED_0[band_2 & 511] | _TOUCHED_1[band_2 >> 10 & 511] | _TOUCHED_2[band_2 >> 20]
        )
        band_2 &= _KEPT_IN_BAND[touched]
        by_bands = band_0 | band_1 << 30 | band_2 << 60
        # The columns that each band leaves, as three rows of each stack's matrix.
        stacks = (
            _BY_STACK[(band_0 | band_0 >> 10 | band_0 >> 20) & 511]
            | _BY_STACK[(band_1 | band_1 >> 10 | band_1 >> 20) & 511] << 3
            | _BY_STACK[(band_2 | band_2 >> 10 | band_2 >> 20) & 511] << 6
        )
        closed = by_bands & (
            _KEPT_0[stacks & 511] | _KEPT_1[stacks >> 9 & 511] | _KEPT_2[stacks >> 18]
        )
        if closed == by_bands:
            break
    if not closed:
        return 0, 0
    # No row is empty now: take the lowest cell of each away, see which rows have more, and fill
    # those rows.
    more = closed & (closed - _FIRST_COLUMN)
    guards = (more + _GUARDS - _FIRST_COLUMN) & _GUARDS
    return closed, closed & ~(guards - (guards >> 9))


def propagate(masks: list[int], settled: list[int], dirty: int) -> bool:
    """Apply hidden singles, locked candidates and naked singles until nothing changes.

    Args:
        masks: nine masks, one a digit; changed in place.
        settled: nine masks of the cells where each digit is settled and already struck from the
            other digits; changed in place.
        dirty: set of digits (bit 0 is digit 1) whose mask changed since the last call.

    Returns:
        False on a contradiction; the masks are then worthless.
    """
    while True:
        while dirty:
            todo, dirty = dirty, 0
            for digit in _DIGITS_IN[todo]:
                dirty &= _WITHOUT[digit]
                mask, places = _close(masks[digit])
                if not mask:
                    return False
                masks[digit] = mask
                if places != settled[digit]:
                    new = places ^ settled[digit]
                    settled[digit] = places
                    for other in _OTHERS[digit]:
                        struck = masks[other] & new
                        if struck:
                            masks[other] ^= struck
                            dirty |= 1 << other
        # Count candidates in all cells at once, as far as one and more than one.
        a, b, c, d, e, f, g, h, i = masks
        some, more = a | b, a & b
        more |= some & c
        some |= c
        more |= some & d
        some |= d
        more |= some & e
        some |= e
        more |= some & f
        some |= f
        more |= some & g
        some |= g
        more |= some & h
        some |= h
        more |= some & i
        some |= i
        if some != ALL_CELLS:
            return False
        a, b, c, d, e, f, g, h, i = settled
        naked = (ALL_CELLS ^ more) & ~(a | b | c | d | e | f | g | h | i)
        if not naked:
            return True
        for digit, mask in enumerate(masks):
            singles = mask & naked
            if singles:
                dirty |= 1 << digit
                while singles:
                    cell = singles & -singles
                    singles ^= cell
                    mask = mask & ~PEERS_AND_SELF[cell] | cell
                masks[digit] = mask
