"""The batch engine in slices, so that a clock and Ctrl-C can end searches that take for ever."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from solver.exact.bulk.bulk_solver import load_kernels

_NODES_PER_LOOK: Final = 100_000
"""Nodes between two looks at the clock, about 13 ms."""


@dataclass(frozen=True, eq=False)
class Answers:
    """What was found, one entry a puzzle.

    Attributes:
        counts: (n,) int64: number of solutions found, up to the limit.
        solutions: (n, 81) uint8: the first solution, or zeros where there is none.
        is_over: (n,) bool: whether the search came to its end, or to the limit of solutions.
    """

    counts: npt.NDArray[np.int64]
    solutions: npt.NDArray[np.uint8]
    is_over: npt.NDArray[np.bool_]

    def put(self, indices: npt.NDArray[np.intp], answers: "Answers") -> None:
        """Replace what was found of some puzzles."""
        self.counts[indices] = answers.counts
        self.solutions[indices] = answers.solutions
        self.is_over[indices] = answers.is_over


def solve_in_slices(
    puzzles: npt.NDArray[np.uint8],
    limit: int,
    *,
    seconds: float | None,
    threads: int,
    clock: Callable[[], float] = time.perf_counter,
) -> Answers:
    """Do what `solver.exact.bulk.bulk_solver.solve_batch` does, with an end to each puzzle.

    Args:
        puzzles: (n, 81) uint8 digits in reading order, 0 = empty.
        limit: number of solutions after which to stop, at least 1.
        seconds: how long a puzzle may take; None is no limit.
        threads: how many puzzles to work on at a time.
        clock: returns seconds; only differences count.

    Raises:
        MissingPackageError: where numba is not installed.
    """
    kernels = load_kernels()
    n = len(puzzles)
    found = Answers(np.zeros(n, np.int64), np.zeros((n, 81), np.uint8), np.zeros(n, np.bool_))
    # Threads cannot be interrupted, so that they have to be told.
    is_interrupted = threading.Event()

    def solve(index: int) -> None:
        try:
            search_one(index)
        except BaseException:
            is_interrupted.set()
            raise

    def search_one(index: int) -> None:
        memory = kernels.make_memory()
        kernels.begin(memory, puzzles[index])
        end = float("inf") if seconds is None else clock() + seconds
        budget = 0
        while not is_interrupted.is_set() and clock() < end:
            budget += _NODES_PER_LOOK
            first = found.solutions[index : index + 1]
            if kernels.search(memory, limit, np.uint64(budget), first):
                found.is_over[index] = True
                break
        found.counts[index] = memory.progress[kernels.FOUND]

    with ThreadPoolExecutor(threads) as pool:
        try:
            list(pool.map(solve, range(n)))
        except BaseException:
            is_interrupted.set()
            raise
    return found
