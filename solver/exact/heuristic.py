"""Depth-first search that lets a heuristic choose the next cell and the order of its digits.

Forward checking (R. M. Haralick, G. L. Elliott, 1980) is common to all: a digit is struck from the
peers of its cell, and a position in which an empty cell has no candidate is left.
"""

import enum
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from solver.base import Limits, Result, admit_clues
from solver.exact.meter import Clock, Meter, conclude_search
from solver.exact.places import CellMasks, Places, cell_masks, cells_of, place_clues, read_off
from solver.grid import Grid
from solver.layout import ALL_SIZES


class Heuristic(enum.Enum):
    """What makes a cell the next one."""

    CANDIDATES = "candidates"
    """It has the fewest candidates."""

    REMAINING = "remaining"
    """The candidates left in the other cells, summed over the digits to try in it, are fewest."""

    UNITS = "units"
    """Its units are the fullest: the sum of the inverse numbers of their empty cells is highest."""


@dataclass(frozen=True)
class HeuristicSolver:
    """Searches from the cell that the heuristic prefers.

    A digit put in is a node, and a cell with several candidates is a guess.

    Attributes:
        heuristic: what makes a cell the next one.
        clock: returns seconds; only differences count.
    """

    heuristic: Heuristic = Heuristic.CANDIDATES
    clock: Clock = time.perf_counter

    is_complete = True

    @property
    def sizes(self) -> frozenset[int]:
        """Large grids are beyond the heuristic that does not look at candidates."""
        return frozenset({4, 6, 9}) if self.heuristic is Heuristic.UNITS else ALL_SIZES

    @property
    def name(self) -> str:
        """The name that the registry knows it by."""
        return f"heuristic-{self.heuristic.value}"

    def solve(self, clues: Grid, limits: Limits) -> Result:
        """Search until a second solution or the end; see `solver.base.Solver`."""
        clues = admit_clues(clues, self)
        meter = Meter(limits, self.clock)
        solutions: list[list[int]] = []
        order = _ORDERS[self.heuristic]
        is_exhaustive = _search(clues.ravel().tolist(), len(clues), order, meter, solutions)
        return conclude_search(clues, solutions, meter, is_exhaustive=is_exhaustive)


def by_candidates() -> HeuristicSolver:
    """Build the solver that prefers the cell with fewest candidates."""
    return HeuristicSolver(Heuristic.CANDIDATES)


def by_remaining() -> HeuristicSolver:
    """Build the solver that prefers what leaves the fewest candidates in the other cells."""
    return HeuristicSolver(Heuristic.REMAINING)


def by_units() -> HeuristicSolver:
    """Build the solver that prefers the cell whose units are the fullest."""
    return HeuristicSolver(Heuristic.UNITS)


_Order = Callable[[Places, CellMasks], tuple[int, list[int]]]
"""Returns the next cell of a position, and its candidates (the first digit is 0) in order."""


def _search(
    clues: Sequence[int], side: int, order: _Order, meter: Meter, solutions: list[list[int]]
) -> bool:
    """Collect up to two solutions; return whether the search came to its end."""
    masks_of = cell_masks(side)
    places = place_clues(clues, side)
    if places is None:
        return True
    # Positions, the cell chosen in each, and its digits that are still to be tried, last first.
    open_branches: list[tuple[Places, int, list[int]]] = []
    while True:
        if not meter.may_go_on():
            return False
        meter.nodes += 1
        if places.filled == masks_of.all_cells:
            solutions.append(read_off(places.masks, side))
            if len(solutions) == 2:
                return False
        elif not _has_dead_cell(places, masks_of):
            cell, digits = order(places, masks_of)
            meter.guesses += len(digits) > 1
            open_branches.append((places, cell, digits[::-1]))
        if not open_branches:
            return True
        parent, cell, digits = open_branches[-1]
        digit = digits.pop()
        if not digits:
            open_branches.pop()
        places = parent.copy()
        places.put(digit, cell, masks_of)


def _has_dead_cell(places: Places, masks_of: CellMasks) -> bool:
    reached = 0
    for mask in places.masks:
        reached |= mask
    return reached != masks_of.all_cells


def _order_by_candidates(places: Places, masks_of: CellMasks) -> tuple[int, list[int]]:
    cells = masks_of.all_cells ^ places.filled
    # Of the cells that are left, those in the fewest masks: strike off one candidate at a time.
    masks = places.masks
    counts = [cells] + [0] * len(masks)
    for n_seen, mask in enumerate(masks, start=1):
        for count in range(n_seen, 0, -1):
            counts[count] |= counts[count - 1] & mask
    fewest = next(
        exactly
        for count in range(1, len(masks) + 1)
        if (exactly := counts[count] & ~(counts[count + 1] if count < len(masks) else 0))
    )
    return _first(fewest, masks)


def _order_by_remaining(places: Places, masks_of: CellMasks) -> tuple[int, list[int]]:
    free = masks_of.all_cells ^ places.filled
    struck: dict[int, dict[int, int]] = {cell: {} for cell in cells_of(free)}
    n_candidates = 0
    for digit, mask in enumerate(places.masks):
        left = mask & free
        n_candidates += left.bit_count()
        for cell in cells_of(left):
            struck[cell][digit] = (left & masks_of.peers[cell]).bit_count()

    def sum_of_remaining(cell: int) -> int:
        n_own = len(struck[cell])
        return n_own * (n_candidates - n_own) - sum(struck[cell].values())

    best = min(struck, key=sum_of_remaining)
    return best, sorted(struck[best], key=struck[best].__getitem__)


def _order_by_units(places: Places, masks_of: CellMasks) -> tuple[int, list[int]]:
    free = masks_of.all_cells ^ places.filled
    scores = dict.fromkeys(cells_of(free), 0.0)
    for unit in masks_of.units:
        empty = cells_of(unit & free)
        for cell in empty:
            scores[cell] += 1 / len(empty)
    return _first(1 << max(scores, key=scores.__getitem__), places.masks)


def _first(cells: int, masks: Sequence[int]) -> tuple[int, list[int]]:
    """Return the first of the cells and its candidates."""
    bit = cells & -cells
    return bit.bit_length() - 1, [digit for digit, mask in enumerate(masks) if mask & bit]


_ORDERS: Final[dict[Heuristic, _Order]] = {
    Heuristic.CANDIDATES: _order_by_candidates,
    Heuristic.REMAINING: _order_by_remaining,
    Heuristic.UNITS: _order_by_units,
}
