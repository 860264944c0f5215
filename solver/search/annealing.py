"""Simulated annealing on boards with filled boxes, after R. Lewis, 2007."""

import math
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from solver.base import Effort, Limits, Result, admit_clues, conclude
from solver.compilation import HAS_NUMBA, INCREMENT, MASK, MULTIPLIER, Ints, compiled, int_array
from solver.grid import Grid, find_conflicts
from solver.layout import ALL_SIZES
from solver.search.filled_boxes import (
    CONFLICTS,
    FEWEST,
    RANDOM,
    Attempt,
    Boxes,
    conflicts_left,
    improve_boxes,
    rise_of_swap,
    swap,
)
from solver.search.forced_cells import fill_forced

_LARGEST_RISE: Final = 4
"""A swap touches two rows and two columns, and each gains one conflict at most."""

_ALWAYS: Final = 1 << 32
_BURST: Final = 500_000 if HAS_NUMBA else 5_000
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
        attempt = Attempt(clues, limits, self.max_iterations, self.clock)
        if find_conflicts(clues).any():
            return attempt.end(None)
        known = fill_forced(clues) if self.fills_forced else clues
        if known is None:
            return conclude(clues, (), Effort(), is_exhaustive=True)
        return improve_boxes(known, self.seed, attempt, self._anneal)

    def _anneal(self, boxes: Boxes, attempt: Attempt) -> str:
        """Change the boxes until they are a solution or the attempt must end; say what was done."""
        fewest = boxes.conflicts
        temperature = first = self._find_temperature(boxes, attempt)
        n_coolings, n_stale, lowest = 1, 0, boxes.conflicts
        while boxes.conflicts and attempt.allow(1):
            boxes.tally[FEWEST] = boxes.conflicts
            _propose_swaps(boxes, attempt, len(boxes.free) ** 2, temperature)
            n_stale = 0 if boxes.fewest < lowest else n_stale + 1
            lowest = min(lowest, boxes.fewest)
            fewest = min(fewest, lowest)
            temperature *= self.cooling
            if n_stale >= self.patience:
                temperature = self.reheat or first
                n_coolings, n_stale, lowest = n_coolings + 1, 0, boxes.conflicts
        return conflicts_left(fewest, f"{n_coolings} coolings")

    def _find_temperature(self, boxes: Boxes, attempt: Attempt) -> float:
        seen = [boxes.conflicts]
        while len(seen) <= self.sample and _propose_swaps(boxes, attempt, 1, math.inf):
            seen.append(boxes.conflicts)
        return statistics.pstdev(seen) or 1.0


def anneal_after_forced() -> AnnealingSolver:
    """Build the solver that fills naked and hidden singles in before it anneals."""
    return AnnealingSolver(fills_forced=True)


def _propose_swaps(boxes: Boxes, attempt: Attempt, n_swaps: int, temperature: float) -> int:
    """Propose swaps at one temperature until the boxes are a solution or a limit is met.

    Returns:
        Swaps proposed.
    """
    left = n_swaps
    chances = int_array(
        int(_ALWAYS * math.exp(-rise / temperature)) for rise in range(_LARGEST_RISE + 1)
    )
    while left and boxes.conflicts and (allowed := attempt.allow(min(left, _BURST))):
        done = anneal(allowed, *boxes.arrays, chances)
        attempt.iterations += done
        left -= done
    return n_swaps - left


@compiled
def anneal(
    steps: int,
    side: int,
    board: Ints,
    free: Ints,
    start: Ints,
    length: Ints,
    rows: Ints,
    columns: Ints,
    tally: Ints,
    chances: Ints,
) -> int:
    """Propose swaps at one temperature until there are as many as asked for, or no conflict.

    Args:
        steps: swaps to propose.
        side, board, free, start, length, rows, columns, tally: see `Boxes`.
        chances: for a rise by 0..4 conflicts, the chance that it is accepted, times 2**32.

    Returns:
        Swaps proposed.
    """
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
