"""Backtracking on the tightest constraint: the cell, or the place of a digit in a unit, with the
fewest options left.

Choosing the most constrained variable first is the fail-first principle of R. M. Haralick and
G. L. Elliott, "Increasing tree search efficiency for constraint satisfaction problems", 1980.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass

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
from solver.layout import ALL_SIZES


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
