"""Backtracking in three orders: the tightest constraint, the first empty cell, or a heuristic's.

Choosing the most constrained variable first is the fail-first principle of R. M. Haralick and
G. L. Elliott, "Increasing tree search efficiency for constraint satisfaction problems", 1980. With
heuristics comes their forward checking: a digit is struck from the peers of its cell, and a
position in which an empty cell has no candidate is left.
"""

import enum
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from solver.base import Limits, Result, admit_clues
from solver.exact.meter import Clock, Meter, conclude_search
from solver.exact.places import (
    CellMasks,
    Places,
    cell_masks,
    cells_of,
    place_clues,
    read_off,
)
from solver.grid import Grid
from solver.layout import ALL_SIZES, LAYOUTS, Layout


@dataclass(frozen=True)
class BacktrackingSolver:
    """Fills in the option of the tightest constraint, and steps back where one has none.

    A digit put in is a node; a step back is an iteration; a choice among several is a guess.

    Attributes:
        clock: returns seconds; only differences count.
    """

    clock: Clock = time.perf_counter

    name = "backtracking"
    is_complete = True
    sizes = ALL_SIZES

    def solve(self, clues: Grid, limits: Limits) -> Result:
        """Search until a second solution or the end; see `solver.base.Solver`."""
        clues = admit_clues(clues, self)
        meter = Meter(limits, self.clock)
        solutions: list[list[int]] = []
        is_exhaustive = _search(clues.ravel().tolist(), len(clues), meter, solutions)
        return conclude_search(clues, solutions, meter, is_exhaustive=is_exhaustive)


def _search(clues: Sequence[int], side: int, meter: Meter, solutions: list[list[int]]) -> bool:
    """Collect up to two solutions; return whether the search came to its end."""
    masks_of = cell_masks(side)
    places = place_clues(clues, side)
    if places is None:
        return True
    # Positions with the options that are still to be tried in them.
    open_branches: list[tuple[Places, list[tuple[int, int]]]] = []
    while True:
        if not meter.may_go_on():
            return False
        meter.nodes += 1
        if places.filled == masks_of.all_cells:
            solutions.append(read_off(places.masks, side))
            if len(solutions) == 2:
                return False
            options = []
        else:
            options = _tightest(places, masks_of)
        if len(options) > 1:
            meter.guesses += 1
            open_branches.append((places.copy(), options[:0:-1]))
        if not options:
            if not open_branches:
                return True
            if meter.steps_back_left() < 1:
                return False
            meter.iterations += 1
            places, rest = open_branches[-1]
            options = [rest.pop()]
            if rest:
                places = places.copy()
            else:
                open_branches.pop()
        places.put(*options[0], masks_of)


def _tightest(places: Places, masks_of: CellMasks) -> list[tuple[int, int]]:
    """Return the options, digit from 0 and cell, of the constraint that has fewest."""
    free = masks_of.all_cells ^ places.filled
    fewest = masks_of.side + 1
    best: tuple[int, int] | None = None
    for digit, mask in enumerate(places.masks):
        stands = mask & places.filled
        for unit in masks_of.units:
            if stands & unit:
                continue
            n_options = (mask & unit).bit_count()
            if n_options < fewest:
                if n_options == 0:
                    return []
                fewest = n_options
                best = digit, mask & unit
    # Cells are compared after places, and win only where they have fewer options.
    cells = _cells_with_fewest(places.masks, free, fewest)
    if cells is not None:
        cell = cells & -cells
        at = cell.bit_length() - 1
        return [(digit, at) for digit, mask in enumerate(places.masks) if mask & cell]
    assert best is not None
    digit, mask = best
    return [(digit, cell) for cell in cells_of(mask)]


def _cells_with_fewest(masks: Sequence[int], free: int, bound: int) -> int | None:
    """Return the free cells with fewest candidates, or None when none has fewer than the bound."""
    at_least = [free] + [0] * bound
    for mask in masks:
        for count in range(bound, 0, -1):
            at_least[count] |= at_least[count - 1] & mask
    for count in range(bound):
        exactly = at_least[count] & ~at_least[count + 1]
        if exactly:
            return exactly
    return None


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
        is_exhaustive = _search_depth_first(
            clues.ravel().tolist(), LAYOUTS[len(clues)], meter, solutions
        )
        return conclude_search(clues, solutions, meter, is_exhaustive=is_exhaustive)


def _search_depth_first(
    digits: list[int], layout: Layout, meter: Meter, solutions: list[list[int]]
) -> bool:
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
        is_exhaustive = _search_by_value(
            clues.ravel().tolist(), len(clues), order, meter, solutions
        )
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


def _search_by_value(
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
