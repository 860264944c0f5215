"""Hill climbing on boards with filled boxes: the best swap of a box, again and again."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from solver.base import Limits, Result, admit_clues
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
    shuffle,
    swap,
)

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
        attempt = Attempt(clues, limits, self.max_iterations, self.clock)
        if find_conflicts(clues).any():
            return attempt.end(None)
        return improve_boxes(clues, self.seed, attempt, self._climb)

    def _climb(self, boxes: Boxes, attempt: Attempt) -> str:
        """Change the boxes until they are a solution or the attempt must end; say what was done."""
        state = int_array([0, 0, 0, 1])
        n_boxes = len(set(boxes.start))
        while boxes.conflicts and (allowed := attempt.allow(_BURST)):
            attempt.iterations += climb(
                allowed,
                n_boxes,
                self.max_sideways,
                *boxes.arrays,
                state,
            )
        return conflicts_left(boxes.fewest, f"{state[_CLIMBS]} climbs")


def climb_strictly() -> HillClimbingSolver:
    """Build the solver that goes upwards only."""
    return HillClimbingSolver(max_sideways=0)


@compiled
def climb(
    steps: int,
    n_boxes: int,
    max_sideways: int,
    side: int,
    board: Ints,
    free: Ints,
    start: Ints,
    length: Ints,
    rows: Ints,
    columns: Ints,
    tally: Ints,
    state: Ints,
) -> int:
    """Make the best swap of one box after the other, and start afresh where none is left.

    Args:
        steps: boxes to look at.
        n_boxes: boxes with free cells.
        max_sideways: swaps in a row that may leave the conflicts as they are.
        side, board, free, start, length, rows, columns, tally: see `Boxes`.
        state: of the climb; see above.

    Returns:
        Boxes looked at: fewer than asked for where no conflict is left.
    """
    random = tally[RANDOM]
    done = 0
    while done < steps and tally[CONFLICTS] > 0:
        if state[_BOXES_SINCE_CHANGE] == n_boxes or state[_SIDEWAYS] > max_sideways:
            tally[RANDOM] = random
            shuffle(side, board, free, start, rows, columns, tally)
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
