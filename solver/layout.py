"""The sizes a grid can have, which cells share a row, column or box in each, and sets as bits.

A grid's **side** is the number of its rows, of its columns, and of its digits. The side is all
that has to be known of a grid to find its layout, so it is the grid's shape that carries it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

Cells = np.ndarray[tuple[Any, ...], np.dtype[np.intp]]
"""An integer array of cells 0..side²-1 in reading order."""


@dataclass(frozen=True)
class Layout:
    """The units of a grid whose boxes have so many rows and columns.

    Attributes:
        box_rows: rows of a box, and boxes beside each other.
        box_columns: columns of a box, and boxes below each other.
    """

    box_rows: int
    box_columns: int

    @cached_property
    def side(self) -> int:
        """Number of rows, of columns, of boxes, and of digits."""
        return self.box_rows * self.box_columns

    @cached_property
    def n_cells(self) -> int:
        """Number of cells, the square of the side."""
        return self.side**2

    @cached_property
    def rows(self) -> Cells:
        """(side, side) int: the cells of each row."""
        return np.arange(self.n_cells).reshape(self.side, self.side)

    @cached_property
    def columns(self) -> Cells:
        """(side, side) int: the cells of each column."""
        return self.rows.T

    @cached_property
    def boxes(self) -> Cells:
        """(side, side) int: the cells of each box, boxes and cells in reading order."""
        by_box = self.rows.reshape(self.box_columns, self.box_rows, self.box_rows, self.box_columns)
        return by_box.swapaxes(1, 2).reshape(self.side, self.side)

    @cached_property
    def units(self) -> Cells:
        """(3 × side, side) int: the cells of each unit: rows, then columns, then boxes."""
        return np.concatenate([self.rows, self.columns, self.boxes])

    @cached_property
    def units_of_cell(self) -> Cells:
        """(side², 3) int: the row, the column and the box of each cell, as indices of `units`."""
        row, column = np.divmod(np.arange(self.n_cells), self.side)
        box = row // self.box_rows * self.box_rows + column // self.box_columns
        return np.stack([row, self.side + column, 2 * self.side + box], axis=1)

    @cached_property
    def peers(self) -> Cells:
        """(side², k) int: the cells that share a unit with each cell, ascending; k is 20 for 9."""
        units = self.units_of_cell
        shares_unit = (units[:, None] == units).any(axis=2)
        np.fill_diagonal(shares_unit, val=False)
        return np.nonzero(shares_unit)[1].reshape(self.n_cells, -1)


LAYOUTS: Final = {
    layout.side: layout
    for layout in (Layout(2, 2), Layout(2, 3), Layout(3, 3), Layout(4, 4), Layout(5, 5))
}
"""The layout of each side that a grid can have: 4, 6, 9, 16 and 25, ascending."""

USUAL_BOXES: Final = dict(
    sorted(
        (LAYOUTS | {box.side: box for box in (Layout(2, 4), Layout(2, 5), Layout(3, 4))}).items()
    )
)
"""The boxes of each side that `solver.rules` can have: those of `LAYOUTS`, and 8, 10 and 12."""

ALL_SIZES: Final = frozenset(LAYOUTS)
"""The sides that a grid can have."""

_BY_SHAPE: Final = {(side, side): layout for side, layout in LAYOUTS.items()}


def layout_of(grid: np.ndarray[Any, Any]) -> Layout:
    """Return the layout of a grid of this shape.

    Raises:
        ValueError: if no grid has this shape.
    """
    layout = _BY_SHAPE.get(grid.shape)
    if layout is None:
        *shapes, last = map(str, _BY_SHAPE)
        raise ValueError(f"a grid must be {', '.join(shapes)} or {last}, got {grid.shape}")
    return layout


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
