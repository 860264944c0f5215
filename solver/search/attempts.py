"""One attempt of a local search: how long it may run on, and how it ends."""

import time
from collections.abc import Callable

from solver.base import Effort, Limits, Result, conclude
from solver.compilation import start_random
from solver.grid import Grid
from solver.layout import layout_of
from solver.search.filled_boxes import Boxes, fill_boxes

Clock = Callable[[], float]
"""Returns seconds; only differences count."""

_PROOF_SECONDS = 1.0
"""A solution that is found at the last moment still gets so long for the proof that it is the only
one: a hundred times what the worst puzzle of 9×9 needs."""


class Attempt:
    """Counts iterations against limits.

    Attributes:
        iterations: made so far.
    """

    def __init__(
        self, clues: Grid, limits: Limits, max_iterations: int, clock: Clock = time.perf_counter
    ) -> None:
        """Start the clock.

        Args:
            clues: (side, side) uint8, 0 = empty.
            limits: when to give up.
            max_iterations: when to give up where the limits do not say how many.
            clock: returns seconds.
        """
        self.iterations = 0
        self._clues = clues
        self._clock = clock
        self._start = clock()
        self._seconds = limits.seconds
        self._max_iterations = max_iterations if limits.iterations is None else limits.iterations

    def allow(self, wanted: int) -> int:
        """Return how many of the wanted iterations may be made before the next look here."""
        if self._seconds is not None and self._clock() - self._start >= self._seconds:
            return 0
        return min(wanted, self._max_iterations - self.iterations)

    def end(self, solution: Grid | None, note: str = "") -> Result:
        """Conclude with the solution that was found, or without one."""
        spent = self._clock() - self._start
        seconds = self._seconds
        return conclude(
            self._clues,
            () if solution is None else (solution,),
            Effort(spent, iterations=self.iterations),
            is_exhaustive=False,
            note=note if solution is None else "",
            proof_seconds=None if seconds is None else max(seconds - spent, _PROOF_SECONDS),
        )


def conflicts_left(conflicts: int, tried: str) -> str:
    """Return the note of an attempt that found no solution.

    Args:
        conflicts: the fewest that it met.
        tried: what it did, such as "12 climbs".
    """
    noun = "conflict" if conflicts == 1 else "conflicts"
    return f"{conflicts} {noun} left at best after {tried}"


def improve_boxes(
    clues: Grid, seed: int, attempt: Attempt, improve: Callable[[Boxes, Attempt], str]
) -> Result:
    """Fill the boxes at random and let a search improve them: the frame of a local search.

    Args:
        clues: (side, side) uint8, 0 = empty, none of which contradict each other.
        seed: of the random numbers.
        attempt: at the puzzle; ends with this.
        improve: changes the boxes until no conflict is left or the attempt must end, and returns a
            note of what was done.
    """
    boxes = fill_boxes(clues, layout_of(clues), start_random(seed))
    if boxes.conflicts and len(boxes.free):
        note = improve(boxes, attempt)
    else:
        note = conflicts_left(boxes.conflicts, "filling every cell in the only way")
    return attempt.end(None if boxes.conflicts else boxes.to_grid(), note)
