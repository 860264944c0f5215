"""Boards whose boxes are right and whose rows and columns are not yet: what local search works on.

Every box holds each digit once, the clues in their cells and the missing digits in the **free**
cells; a swap of two free cells of a box keeps it so. The **conflicts** of such a board are the
digits missing from rows and columns, summed up; with none left it is a solution. (The
representation and the cost of R. Lewis, 2007, "Metaheuristics can solve sudoku puzzles", Journal
of Heuristics 13, https://doi.org/10.1007/s10732-007-9012-8.)

Digits are 0..side-1 here. A `Boxes` is flat arrays, for kernels:
"""

from typing import Final, NamedTuple

import numpy as np

from solver.base import EffortBudget, Result
from solver.grid import Grid
from solver.layout import Layout
from solver.search.kernels import INCREMENT, MASK, MULTIPLIER, Ints, compiled, int_array
from solver.verification import conclude, proof_seconds

CONFLICTS: Final = 0
RANDOM: Final = 1
FEWEST: Final = 2
"""The entries of `Boxes.tally`."""


class Boxes(NamedTuple):
    """The free cells of a puzzle and a board that fills them.

    Attributes:
        side: of the grid.
        board: digit 0..side-1 of each cell.
        free: the free cells, box after box; boxes with a single one, which cannot change, are
            left out.
        start: of each free cell's box, the position in `free` where it begins.
        length: of each free cell's box, how many free cells it has.
        rows: how often each digit stands in each row, at row × side + digit.
        columns: the same of columns.
        tally: conflicts of the board, the state of the random numbers, and the fewest conflicts
            met since that entry was set.
    """

    side: int
    board: Ints
    free: Ints
    start: Ints
    length: Ints
    rows: Ints
    columns: Ints
    tally: Ints

    @property
    def conflicts(self) -> int:
        """Digits missing from rows and columns."""
        return int(self.tally[CONFLICTS])

    @property
    def fewest(self) -> int:
        """The fewest conflicts met since that entry of the tally was set."""
        return int(self.tally[FEWEST])

    def to_grid(self) -> Grid:
        """Return the board as a (side, side) uint8 grid of digits 1..side."""
        return (np.array(self.board, np.uint8) + 1).reshape(self.side, self.side)


def fill_boxes(clues: Grid, layout: Layout, random_state: int) -> Boxes:
    """Fill each box with its missing digits in random order.

    Args:
        clues: (side, side) uint8, 0 = empty, no digit twice in a box.
        layout: of the clues.
        random_state: from `start_random`.
    """
    side = layout.side
    digits = clues.ravel().astype(int)
    free: list[int] = []
    start: list[int] = []
    length: list[int] = []
    for box in layout.boxes:
        empty = box[digits[box] == 0].tolist()
        missing = np.setdiff1d(np.arange(1, side + 1), digits[box])
        digits[empty] = missing
        if len(empty) > 1:
            start += [len(free)] * len(empty)
            length += [len(empty)] * len(empty)
            free += empty
    boxes = Boxes(
        side,
        int_array(digits - 1),
        int_array(free),
        int_array(start),
        int_array(length),
        int_array([0] * side * side),
        int_array([0] * side * side),
        int_array([0, random_state, 0]),
    )
    shuffle(boxes)
    boxes.tally[FEWEST] = boxes.tally[CONFLICTS]
    return boxes


@compiled
def shuffle(boxes: Boxes) -> None:
    """Shuffle the digits of each box's free cells and count the conflicts.

    The shuffle is that of R. Durstenfeld, 1964, "Algorithm 235: Random permutation".
    """
    side, board, free, start, _, rows, columns, tally = boxes
    random = tally[RANDOM]
    for position in range(len(free)):
        random = (random * MULTIPLIER + INCREMENT) & MASK
        first = start[position]
        other = first + ((random >> 16) * (position - first + 1) >> 32)
        cell, other_cell = free[position], free[other]
        board[cell], board[other_cell] = board[other_cell], board[cell]
    tally[RANDOM] = random
    for index in range(side * side):
        rows[index] = 0
        columns[index] = 0
    for cell in range(side * side):
        rows[cell // side * side + board[cell]] += 1
        columns[cell % side * side + board[cell]] += 1
    conflicts = 0
    for index in range(side * side):
        if rows[index] == 0:
            conflicts += 1
        if columns[index] == 0:
            conflicts += 1
    tally[CONFLICTS] = conflicts


@compiled
def rise_of_swap(side: int, board: Ints, rows: Ints, columns: Ints, cell: int, other: int) -> int:
    """Return by how many conflicts, -4..4, the board gets worse if two cells swap their digits."""
    digit, other_digit = board[cell], board[other]
    rise = 0
    row, other_row = cell // side * side, other // side * side
    if row != other_row:
        if rows[row + digit] == 1:
            rise += 1
        if rows[row + other_digit] == 0:
            rise -= 1
        if rows[other_row + other_digit] == 1:
            rise += 1
        if rows[other_row + digit] == 0:
            rise -= 1
    column, other_column = cell % side * side, other % side * side
    if column != other_column:
        if columns[column + digit] == 1:
            rise += 1
        if columns[column + other_digit] == 0:
            rise -= 1
        if columns[other_column + other_digit] == 1:
            rise += 1
        if columns[other_column + digit] == 0:
            rise -= 1
    return rise


@compiled
def swap(side: int, board: Ints, rows: Ints, columns: Ints, cell: int, other: int) -> None:
    """Swap the digits of two cells."""
    digit, other_digit = board[cell], board[other]
    board[cell], board[other] = other_digit, digit
    row, other_row = cell // side * side, other // side * side
    rows[row + digit] -= 1
    rows[row + other_digit] += 1
    rows[other_row + other_digit] -= 1
    rows[other_row + digit] += 1
    column, other_column = cell % side * side, other % side * side
    columns[column + digit] -= 1
    columns[column + other_digit] += 1
    columns[other_column + other_digit] -= 1
    columns[other_column + digit] += 1


def conclude_attempt(
    clues: Grid, solution: Grid | None, budget: EffortBudget, note: str = ""
) -> Result:
    """Conclude a local search with the solution that it found, or without one."""
    effort = budget.effort()
    return conclude(
        clues,
        () if solution is None else (solution,),
        effort,
        is_exhaustive=False,
        note=note if solution is None else "",
        proof_seconds=proof_seconds(budget.limits, effort),
    )


def conflicts_left(conflicts: int, tried: str) -> str:
    """Return the note of an attempt that found no solution.

    Args:
        conflicts: the fewest that it met.
        tried: what it did, such as "12 climbs".
    """
    noun = "conflict" if conflicts == 1 else "conflicts"
    return f"{conflicts} {noun} left at best after {tried}"
