"""How far a puzzle has come: settled cells and the candidates of the others."""

import numpy as np
import numpy.typing as npt

from solver.grid import Grid, as_grid
from solver.human.masks import CLASSIC, RuleMasks, masks_of
from solver.human.step import Step
from solver.layout import bits_of
from solver.rules import Rules, admit_grid


class Position:
    """The candidates of a puzzle under way, kept both by cell and by digit.

    Attributes:
        masks: of the puzzle's rules.
        values: the digit 1..n of each settled cell, else 0; one a place of the paper.
        cells: the candidates of each unsettled cell as n bits, else 0; one a place of the paper.
        digits: the unsettled cells where each digit can stand, as a mask; n of them.
    """

    __slots__ = ("cells", "digits", "masks", "values")

    def __init__(self, masks: RuleMasks = CLASSIC) -> None:
        self.masks = masks
        self.values = [0] * masks.n_places
        self.cells = [
            masks.all_digits if masks.all_cells >> place & 1 else 0
            for place in range(masks.n_places)
        ]
        self.digits = [masks.all_cells] * masks.side

    @classmethod
    def from_grid(cls, grid: npt.NDArray[np.integer], rules: Rules | None = None) -> "Position":
        """Enter a grid's digits; each one rules itself out in its peers and nothing else follows.

        Args:
            grid: (width, width) integers, 0 = empty or no cell.
            rules: of the puzzle; None for the usual ones of 9×9.

        Raises:
            ValueError: if it is no grid of these rules.
        """
        if rules is not None:
            digits, position = admit_grid(rules, grid), cls(masks_of(rules))
        else:
            digits, position = as_grid(grid), cls()
            if digits.shape != (9, 9):
                raise ValueError(f"steps are for grids of 9×9, got {len(digits)}×{len(digits)}")
        for cell, digit in enumerate(digits.ravel().tolist()):
            if digit:
                position.place(cell, digit)
        return position

    def copy(self) -> "Position":
        """Return one that can be changed without changing this."""
        twin = Position.__new__(Position)
        twin.masks = self.masks
        twin.values, twin.cells, twin.digits = self.values[:], self.cells[:], self.digits[:]
        return twin

    def place(self, cell: int, digit: int) -> None:
        """Settle a cell on a digit 1..n, and take the digit from its peers."""
        bit, peers = ~(1 << cell), self.masks.peers[cell]
        for other in bits_of(self.cells[cell]):
            self.digits[other] &= bit
        self.cells[cell] = 0
        self.values[cell] = digit
        keep = ~(1 << digit - 1)
        for peer in bits_of(self.digits[digit - 1] & peers):
            self.cells[peer] &= keep
        self.digits[digit - 1] &= ~peers

    def remove(self, cell: int, digit: int) -> None:
        """Rule a digit 1..n out in a cell."""
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
        return self.values.count(0) == self.masks.n_places - len(self.masks.rules.cells)

    @property
    def is_broken(self) -> bool:
        """Whether an unsettled cell has no candidate, or a digit no place left in a unit."""
        masks = self.masks
        if any(not self.cells[cell] and not self.values[cell] for cell in masks.rules.cells):
            return True
        settled = [0] * masks.side
        for cell, value in enumerate(self.values):
            if value:
                settled[value - 1] |= 1 << cell
        return any(
            not (places | placed) & unit
            for places, placed in zip(self.digits, settled, strict=True)
            for unit in masks.full_masks
        )

    @property
    def unsettled(self) -> int:
        """The cells without a digit, as a mask."""
        mask = 0
        for places in self.digits:
            mask |= places
        return mask

    @property
    def candidates(self) -> int:
        """All candidates as one mask, a plane of places a digit."""
        mask, n_places = 0, self.masks.n_places
        for digit, places in enumerate(self.digits):
            mask |= places << n_places * digit
        return mask

    def removals(self, cells: int, digits: int) -> tuple[tuple[int, int], ...]:
        """Return the candidates among these as (cell, digit from 1).

        Args:
            cells: as a mask.
            digits: n bits.
        """
        return tuple(
            (cell, digit + 1)
            for digit in bits_of(digits)
            for cell in bits_of(self.digits[digit] & cells)
        )

    def cells_with(self, most: int, least: int = 2) -> int:
        """Return the cells with so many candidates, as a mask."""
        mask = 0
        for cell, candidates in enumerate(self.cells):
            if least <= candidates.bit_count() <= most:
                mask |= 1 << cell
        return mask

    def to_grid(self) -> Grid:
        """Return the settled digits, (width, width) uint8, 0 = unsettled or no cell."""
        return np.array(self.values, np.uint8).reshape(self.masks.width, -1)
