"""How far a puzzle has come: settled cells and the candidates of the others."""

from typing import Final

import numpy as np
import numpy.typing as npt

from solver.grid import Grid, as_grid
from solver.human.masks import ALL_CELLS, ALL_DIGITS, PEER_MASKS, UNIT_MASKS, bits_of
from solver.human.step import Step

_COUNTS: Final = tuple(mask.bit_count() for mask in range(512))


class Position:
    """The candidates of a puzzle under way, kept both by cell and by digit.

    Attributes:
        values: the digit 1..9 of each settled cell, else 0; 81 of them.
        cells: the candidates of each unsettled cell as nine bits, 0 for a settled one; 81 of them.
        digits: the unsettled cells where each digit can stand, as 81 bits; nine of them.
    """

    __slots__ = ("cells", "digits", "values")

    def __init__(self) -> None:
        self.values = [0] * 81
        self.cells = [ALL_DIGITS] * 81
        self.digits = [ALL_CELLS] * 9

    @classmethod
    def from_grid(cls, grid: npt.NDArray[np.integer]) -> "Position":
        """Enter a grid's digits; each one rules itself out in its peers and nothing else follows.

        Args:
            grid: (9, 9) integers, 0 = empty.

        Raises:
            ValueError: if it is no grid, or not 9×9.
        """
        digits = as_grid(grid)
        if digits.shape != (9, 9):
            raise ValueError(f"steps are for grids of 9×9, got {len(digits)}×{len(digits)}")
        position = cls()
        for cell, digit in enumerate(digits.ravel().tolist()):
            if digit:
                position.place(cell, digit)
        return position

    def copy(self) -> "Position":
        """Return one that can be changed without changing this."""
        twin = Position.__new__(Position)
        twin.values, twin.cells, twin.digits = self.values[:], self.cells[:], self.digits[:]
        return twin

    def place(self, cell: int, digit: int) -> None:
        """Settle a cell on a digit 1..9, and take the digit from its peers."""
        bit = ~(1 << cell)
        for other in bits_of(self.cells[cell]):
            self.digits[other] &= bit
        self.cells[cell] = 0
        self.values[cell] = digit
        keep = ~(1 << digit - 1)
        for peer in bits_of(self.digits[digit - 1] & PEER_MASKS[cell]):
            self.cells[peer] &= keep
        self.digits[digit - 1] &= ~PEER_MASKS[cell]

    def remove(self, cell: int, digit: int) -> None:
        """Rule a digit 1..9 out in a cell."""
        self.cells[cell] &= ~(1 << digit - 1)
        self.digits[digit - 1] &= ~(1 << cell)

    def apply(self, step: Step) -> None:
        """Do what a step says."""
        for cell, digit in step.eliminations:
            self.remove(cell, digit)
        for cell, digit in step.placements:
            self.place(cell, digit)

    @property
    def is_solved(self) -> bool:
        """Whether every cell is settled."""
        return 0 not in self.values

    @property
    def is_broken(self) -> bool:
        """Whether an unsettled cell has no candidate, or a digit no place left in a unit."""
        if any(not mask and not value for mask, value in zip(self.cells, self.values, strict=True)):
            return True
        settled = [0] * 9
        for cell, value in enumerate(self.values):
            if value:
                settled[value - 1] |= 1 << cell
        return any(
            not (places | placed) & unit
            for places, placed in zip(self.digits, settled, strict=True)
            for unit in UNIT_MASKS
        )

    @property
    def unsettled(self) -> int:
        """The cells without a digit, as 81 bits."""
        mask = 0
        for places in self.digits:
            mask |= places
        return mask

    @property
    def candidates(self) -> int:
        """All candidates as 729 bits, one plane of 81 a digit."""
        mask = 0
        for digit, places in enumerate(self.digits):
            mask |= places << 81 * digit
        return mask

    def removals(self, cells: int, digits: int) -> tuple[tuple[int, int], ...]:
        """Return the candidates among these as (cell, digit 1..9).

        Args:
            cells: 81 bits.
            digits: nine bits.
        """
        return tuple(
            (cell, digit + 1)
            for digit in bits_of(digits)
            for cell in bits_of(self.digits[digit] & cells)
        )

    def cells_with(self, most: int, least: int = 2) -> int:
        """Return the cells with so many candidates, as 81 bits."""
        mask = 0
        for cell, candidates in enumerate(self.cells):
            if least <= _COUNTS[candidates] <= most:
                mask |= 1 << cell
        return mask

    def to_grid(self) -> Grid:
        """Return the settled digits, (9, 9) uint8, 0 = unsettled."""
        return np.array(self.values, np.uint8).reshape(9, 9)
