"""One attempt of a local search: how long it may run on, and how it ends."""

import time
from collections.abc import Callable

from solver.base import Effort, Limits, Result, conclude
from solver.grid import Grid

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
