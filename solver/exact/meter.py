"""Counting a search's effort against its limits, and ending it: what the exact solvers share."""

import time
from collections.abc import Callable, Sequence

import numpy as np

from solver.base import Effort, Limits, Result, conclude
from solver.grid import Grid
from solver.rules import Rules

Clock = Callable[[], float]
"""Returns seconds; only differences count."""


class Meter:
    """What a search has cost so far, and whether it may go on.

    Attributes:
        nodes: positions looked at.
        guesses: branchings.
        iterations: steps back.
    """

    def __init__(self, limits: Limits, clock: Clock = time.perf_counter) -> None:
        self.nodes = 0
        self.guesses = 0
        self.iterations = 0
        self._clock = clock
        self._start = clock()
        self._end = float("inf") if limits.seconds is None else self._start + limits.seconds
        self._max_nodes = float("inf") if limits.nodes is None else limits.nodes
        self._max_iterations = float("inf") if limits.iterations is None else limits.iterations

    def may_go_on(self) -> bool:
        """Return whether there may be one node more."""
        return self.nodes < self._max_nodes and self._clock() < self._end

    def steps_back_left(self) -> float:
        """Return how many iterations more there may be, which may be infinite."""
        return self._max_iterations - self.iterations

    def seconds_left(self) -> float:
        """Return how much time is left, which may be infinite or below zero."""
        return self._end - self._clock()

    def effort(self) -> Effort:
        """Return what was counted."""
        return Effort(
            self._clock() - self._start,
            nodes=self.nodes,
            guesses=self.guesses,
            iterations=self.iterations,
        )


def conclude_search(
    clues: Grid,
    solutions: Sequence[Sequence[int]],
    meter: Meter,
    *,
    is_exhaustive: bool,
    rules: Rules | None = None,
) -> Result:
    """Conclude a search that stops at its second solution, at its end, or at a limit.

    Args:
        clues: (side, side) uint8, 0 = empty.
        solutions: the different solutions found, each side² digits in reading order.
        meter: what the search cost.
        is_exhaustive: whether it came to its end, so that there is no other solution.
        rules: of the puzzle; None for the classic ones, which its shape tells.
    """
    is_decided = is_exhaustive or len(solutions) > 1
    found = solutions if is_decided else ()
    proposals = tuple(np.array(digits, np.uint8).reshape(clues.shape) for digits in found)
    note = "" if is_decided else "a limit was met"
    return conclude(
        clues, proposals, meter.effort(), is_exhaustive=is_exhaustive, note=note, rules=rules
    )
