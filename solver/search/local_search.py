"""Hill climbing, and simulated annealing (R. Lewis, 2007), on boards with filled boxes."""

import math
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from solver.base import Effort, EffortBudget, Limits, Result, admit_clues
from solver.grid import Grid, find_conflicts
from solver.layout import ALL_SIZES, layout_of
from solver.search.filled_boxes import (
    CONFLICTS,
    FEWEST,
    RANDOM,
    Boxes,
    conclude_attempt,
    conflicts_left,
    fill_boxes,
    rise_of_swap,
    shuffle,
    swap,
)
from solver.search.kernels import (
    HAS_NUMBA,
    INCREMENT,
    MASK,
    MULTIPLIER,
    Ints,
    compiled,
    fill_forced,
    int_array,
    start_random,
)
from solver.verification import conclude

_BOX: Final = 0
_BOXES_SINCE_CHANGE: Final = 1
_SIDEWAYS: Final = 2
_CLIMBS: Final = 3
"""Entries of a climb's state: the position in `free` where the next box begins; boxes looked at
since the board changed; swaps in a row that left the conflicts as many; and climbs begun."""

_BURST: Final = 10_000 if HAS_NUMBA else 200
"""Boxes between two looks at the clock: about 10 ms."""


@dataclass(frozen=True)
class HillClimbingSolver:
    """Makes the best swap of one box after the other, and starts afresh at every peak.

    An iteration is a box in which the best swap is looked for.

    Attributes:
        seed: of the random numbers.
        max_iterations: to give up after, where the limits name no number.
        max_sideways: swaps in a row that may leave the conflicts as they are before a climb
            counts as stuck. 0 is the textbook's steepest ascent.
        clock: returns seconds; only differences count.
    """

    seed: int = 0
    max_iterations: int = 300_000
    max_sideways: int = 50
    clock: Callable[[], float] = time.perf_counter

    is_complete = False
    sizes = ALL_SIZES

    @property
    def name(self) -> str:
        """The name that the registry knows it by."""
        return "hill-climbing" if self.max_sideways else "hill-climbing-strict"

    def solve(self, clues: Grid, limits: Limits) -> Result:
        """Climb until no conflict is left or a limit is met; see `solver.base.Solver`."""
        clues = admit_clues(clues, self)
        budget = EffortBudget(limits, self.clock, self.max_iterations)
        return _improve_boxes(clues, self.seed, budget, self._climb)

    def _climb(self, boxes: Boxes, budget: EffortBudget) -> str:
        """Change the boxes until they are a solution or a limit is met; say what was done."""
        state = int_array([0, 0, 0, 1])
        n_boxes = len(set(boxes.start))
        while boxes.conflicts and (allowed := budget.allow(_BURST)):
            budget.iterations += climb(allowed, n_boxes, self.max_sideways, boxes, state)
        return conflicts_left(boxes.fewest, f"{state[_CLIMBS]} climbs")


def climb_strictly() -> HillClimbingSolver:
    """Build the solver that goes upwards only."""
    return HillClimbingSolver(max_sideways=0)


@compiled
def climb(steps: int, n_boxes: int, max_sideways: int, boxes: Boxes, state: Ints) -> int:
    """Make the best swap of one box after the other, and start afresh where none is left.

    Args:
        steps: boxes to look at.
        n_boxes: boxes with free cells.
        max_sideways: swaps in a row that may leave the conflicts as they are.
        boxes: that are changed.
        state: of the climb; see above.

    Returns:
        Boxes looked at: fewer than asked for where no conflict is left.
    """
    side, board, free, _, length, rows, columns, tally = boxes
    random = tally[RANDOM]
    done = 0
    while done < steps and tally[CONFLICTS] > 0:
        if state[_BOXES_SINCE_CHANGE] == n_boxes or state[_SIDEWAYS] > max_sideways:
            tally[RANDOM] = random
            shuffle(boxes)
            random = tally[RANDOM]
            state[_BOXES_SINCE_CHANGE] = 0
            state[_SIDEWAYS] = 0
            state[_CLIMBS] += 1
            continue
        done += 1
        first = state[_BOX]
        end = first + length[first]
        state[_BOX] = end if end < len(free) else 0
        least, n_least = 5, 0
        cell = other = 0
        for one in range(first, end):
            for two in range(one + 1, end):
                rise = rise_of_swap(side, board, rows, columns, free[one], free[two])
                if rise > least:
                    continue
                n_least = n_least + 1 if rise == least else 1
                least = rise
                if n_least > 1:
                    # Of equally good swaps each is kept with the same chance.
                    random = (random * MULTIPLIER + INCREMENT) & MASK
                    if (random >> 16) * n_least >> 32:
                        continue
                cell, other = free[one], free[two]
        if least > 0 or (least == 0 and max_sideways == 0):
            state[_BOXES_SINCE_CHANGE] += 1
            continue
        swap(side, board, rows, columns, cell, other)
        tally[CONFLICTS] += least
        state[_BOXES_SINCE_CHANGE] = 0
        state[_SIDEWAYS] = state[_SIDEWAYS] + 1 if least == 0 else 0
        if tally[CONFLICTS] < tally[FEWEST]:
            tally[FEWEST] = tally[CONFLICTS]
    tally[RANDOM] = random
    return done


_LARGEST_RISE: Final = 4
"""A swap touches two rows and two columns, and each gains one conflict at most."""

_ALWAYS: Final = 1 << 32
_SWAPS_BURST: Final = 500_000 if HAS_NUMBA else 5_000
"""Swaps between two looks at the clock: about 10 ms."""


@dataclass(frozen=True)
class AnnealingSolver:
    """Proposes random swaps, and accepts a worse board the more readily the hotter it is.

    An iteration is a swap proposed. The temperature is constant for a chain of as many swaps as
    the square of the number of free cells; then it falls. Where some chains bring no board with
    fewer conflicts, it is raised again.

    Attributes:
        seed: of the random numbers.
        max_iterations: to give up after, where the limits name no number.
        fills_forced: whether naked and hidden singles are filled in beforehand.
        sample: random swaps at the start; the standard deviation of the conflicts in them is the
            first temperature.
        cooling: what the temperature is multiplied by after each chain.
        patience: chains without progress before it is raised again.
        reheat: the temperature then; None for the first one, as published. In 3 million swaps,
            0.4 solves 44 of top95.txt, 0.6 40, 0.9 30, None 26; of easier ones, 0.6 needs least.
        clock: returns seconds; only differences count.
    """

    seed: int = 0
    max_iterations: int = 5_000_000
    fills_forced: bool = False
    sample: int = 100
    cooling: float = 0.9
    patience: int = 10
    reheat: float | None = 0.6
    clock: Callable[[], float] = time.perf_counter

    is_complete = False
    sizes = ALL_SIZES

    @property
    def name(self) -> str:
        """The name that the registry knows it by."""
        return "annealing-forced" if self.fills_forced else "annealing"

    def solve(self, clues: Grid, limits: Limits) -> Result:
        """Anneal until no conflict is left or a limit is met; see `solver.base.Solver`."""
        clues = admit_clues(clues, self)
        budget = EffortBudget(limits, self.clock, self.max_iterations)
        known = fill_forced(clues) if self.fills_forced else clues
        if known is None:
            return conclude(clues, (), Effort(), is_exhaustive=True)
        return _improve_boxes(known, self.seed, budget, self._anneal)

    def _anneal(self, boxes: Boxes, budget: EffortBudget) -> str:
        """Change the boxes until they are a solution or a limit is met; say what was done."""
        fewest = boxes.conflicts
        temperature = first = self._find_temperature(boxes, budget)
        n_coolings, n_stale, lowest = 1, 0, boxes.conflicts
        while boxes.conflicts and budget.allow(1):
            boxes.tally[FEWEST] = boxes.conflicts
            _propose_swaps(boxes, budget, len(boxes.free) ** 2, temperature)
            n_stale = 0 if boxes.fewest < lowest else n_stale + 1
            lowest = min(lowest, boxes.fewest)
            fewest = min(fewest, lowest)
            temperature *= self.cooling
            if n_stale >= self.patience:
                temperature = self.reheat or first
                n_coolings, n_stale, lowest = n_coolings + 1, 0, boxes.conflicts
        return conflicts_left(fewest, f"{n_coolings} coolings")

    def _find_temperature(self, boxes: Boxes, budget: EffortBudget) -> float:
        seen = [boxes.conflicts]
        while len(seen) <= self.sample and _propose_swaps(boxes, budget, 1, math.inf):
            seen.append(boxes.conflicts)
        return statistics.pstdev(seen) or 1.0


def anneal_after_forced() -> AnnealingSolver:
    """Build the solver that fills naked and hidden singles in before it anneals."""
    return AnnealingSolver(fills_forced=True)


def _propose_swaps(boxes: Boxes, budget: EffortBudget, n_swaps: int, temperature: float) -> int:
    """Propose swaps at one temperature until the boxes are a solution or a limit is met.

    Returns:
        Swaps proposed.
    """
    left = n_swaps
    chances = int_array(
        int(_ALWAYS * math.exp(-rise / temperature)) for rise in range(_LARGEST_RISE + 1)
    )
    while left and boxes.conflicts and (allowed := budget.allow(min(left, _SWAPS_BURST))):
        done = anneal(allowed, boxes, chances)
        budget.iterations += done
        left -= done
    return n_swaps - left


@compiled
def anneal(steps: int, boxes: Boxes, chances: Ints) -> int:
    """Propose swaps at one temperature until there are as many as asked for, or no conflict.

    Args:
        steps: swaps to propose.
        boxes: that are changed.
        chances: for a rise by 0..4 conflicts, the chance that it is accepted, times 2**32.

    Returns:
        Swaps proposed.
    """
    side, board, free, start, length, rows, columns, tally = boxes
    conflicts = tally[CONFLICTS]
    random = tally[RANDOM]
    fewest = tally[FEWEST]
    n_free = len(free)
    done = 0
    while done < steps and conflicts > 0:
        done += 1
        random = (random * MULTIPLIER + INCREMENT) & MASK
        one = (random >> 16) * n_free >> 32
        random = (random * MULTIPLIER + INCREMENT) & MASK
        two = start[one] + ((random >> 16) * (length[one] - 1) >> 32)
        if two >= one:
            two += 1
        cell, other = free[one], free[two]
        rise = rise_of_swap(side, board, rows, columns, cell, other)
        if rise > 0:
            random = (random * MULTIPLIER + INCREMENT) & MASK
            if random >> 16 >= chances[rise]:
                continue
        swap(side, board, rows, columns, cell, other)
        conflicts += rise
        if conflicts < fewest:
            fewest = conflicts
    tally[CONFLICTS] = conflicts
    tally[RANDOM] = random
    tally[FEWEST] = fewest
    return done


def _improve_boxes(
    clues: Grid, seed: int, budget: EffortBudget, improve: Callable[[Boxes, EffortBudget], str]
) -> Result:
    """Fill the boxes at random and let a search improve them: the frame of a local search.

    Args:
        clues: (side, side) uint8, 0 = empty.
        seed: of the random numbers.
        budget: counts.
        improve: changes the boxes until no conflict is left or a limit is met, and returns a
            note of what was done.
    """
    if find_conflicts(clues).any():
        return conclude_attempt(clues, None, budget)
    boxes = fill_boxes(clues, layout_of(clues), start_random(seed))
    if boxes.conflicts and len(boxes.free):
        note = improve(boxes, budget)
    else:
        note = conflicts_left(boxes.conflicts, "filling every cell in the only way")
    return conclude_attempt(clues, None if boxes.conflicts else boxes.to_grid(), budget, note)
