"""Depth-first search in the plainest order: the first empty cell, the smallest digit first."""

import time
from dataclasses import dataclass

from solver.base import Limits, Result, admit_clues
from solver.exact.meter import Clock, Meter, conclude_search
from solver.grid import Grid
from solver.layout import LAYOUTS, Layout


@dataclass(frozen=True)
class DepthFirstSolver:
    """Fills the empty cells in reading order and steps back where no digit fits.

    Every grid that obeys the rules so far is a node, the clues alone being the first.

    Attributes:
        clock: returns seconds; only differences count.
    """

    clock: Clock = time.perf_counter

    name = "dfs"
    is_complete = True
    sizes = frozenset({4, 6, 9})

    def solve(self, clues: Grid, limits: Limits) -> Result:
        """Search until a second solution or the end; see `solver.base.Solver`."""
        clues = admit_clues(clues, self)
        meter = Meter(limits, self.clock)
        solutions: list[list[int]] = []
        is_exhaustive = _search(clues.ravel().tolist(), LAYOUTS[len(clues)], meter, solutions)
        return conclude_search(clues, solutions, meter, is_exhaustive=is_exhaustive)


def _search(digits: list[int], layout: Layout, meter: Meter, solutions: list[list[int]]) -> bool:
    """Collect up to two solutions; return whether the search came to its end."""
    used = _used_digits(digits, layout)
    if used is None:
        return True
    if not meter.may_go_on():
        return False
    meter.nodes = 1
    units_of = layout.units_of_cell.tolist()
    empty = [cell for cell, digit in enumerate(digits) if not digit]
    # The empty cells before this one are filled, and their digits are in `used`. That of the cell
    # itself is the one tried last in it, or 0.
    depth = 0
    while True:
        if depth == len(empty):
            solutions.append(digits.copy())
            if len(solutions) == 2:
                return False
        else:
            cell = empty[depth]
            row, column, box = units_of[cell]
            digit = digits[cell]
            if digit:
                used[row] ^= 1 << digit
                used[column] ^= 1 << digit
                used[box] ^= 1 << digit
            taken = used[row] | used[column] | used[box]
            digit += 1
            while taken >> digit & 1:
                digit += 1
            if digit <= layout.side:
                if not meter.may_go_on():
                    return False
                meter.nodes += 1
                digits[cell] = digit
                used[row] |= 1 << digit
                used[column] |= 1 << digit
                used[box] |= 1 << digit
                depth += 1
                continue
            digits[cell] = 0
        if depth == 0:
            return True
        depth -= 1


def _used_digits(digits: list[int], layout: Layout) -> list[int] | None:
    """Return the set of digits in each unit (bit = digit), or None when one is there twice."""
    used = []
    for unit in layout.units.tolist():
        held = [digits[cell] for cell in unit if digits[cell]]
        if len(set(held)) < len(held):
            return None
        used.append(sum(1 << digit for digit in held))
    return used
