"""Millions of puzzles: the compiled engine for many at once, and the same engine as a solver.

Needs the extra `bulk` (numba), which is imported with the first puzzle. How it works and what it
measures: docs/solvers/bulk.md.
"""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import ModuleType
from typing import Final

import numpy as np
import numpy.typing as npt

from solver.base import Effort, Limits, MissingPackageError, Result, admit_clues, conclude
from solver.grid import UNITS, Grid

_SLICES_PER_THREAD: Final = 8
"""More slices than threads, as one may hold the hard puzzles."""

_NODES_PER_LOOK: Final = 2000
"""Nodes between two looks at the clock, about half a millisecond."""


@dataclass(frozen=True, eq=False)
class Batch:
    """What `solve_batch` found, one entry a puzzle.

    Attributes:
        counts: (n,) int32: number of solutions, up to the limit.
        solutions: (n, 81) uint8: the first solution, or zeros where there is none. It is the
            puzzle's only one where the limit was at least 2 and the count is 1.
        guesses: (n,) int64: branchings.
    """

    counts: npt.NDArray[np.int32]
    solutions: npt.NDArray[np.uint8]
    guesses: npt.NDArray[np.int64]


def solve_batch(puzzles: npt.NDArray[np.uint8], limit: int = 2, threads: int = 1) -> Batch:
    """Count the solutions of many puzzles, and return the first of each.

    The solutions are not checked here; `find_faulty` does so with nothing but the rules.

    Args:
        puzzles: (n, 81) uint8 digits in reading order, 0 = empty.
        limit: number of solutions after which to stop; 2 proves that there is only one.
        threads: how many puzzles to work on at a time.

    Raises:
        ValueError: for another shape or type, digits outside 0..9, or a limit or a number of
            threads below 1.
        MissingPackageError: where numba is not installed; the text says what to do.
    """
    puzzles = _as_puzzles(puzzles)
    if limit < 1 or threads < 1:
        raise ValueError(f"limit and threads must be at least 1, got {limit} and {threads}")
    kernels = load_kernels()
    n = len(puzzles)
    batch = Batch(np.zeros(n, np.int32), np.zeros((n, 81), np.uint8), np.zeros(n, np.int64))

    def solve(part: slice) -> None:
        kernels.solve_slice(
            puzzles[part], limit, batch.counts[part], batch.solutions[part], batch.guesses[part]
        )

    if threads == 1:
        solve(slice(0, n))
        return batch
    bounds = np.linspace(0, n, threads * _SLICES_PER_THREAD + 1).astype(int).tolist()
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(solve, map(slice, bounds[:-1], bounds[1:])))
    return batch


def find_faulty(
    puzzles: npt.NDArray[np.uint8], solutions: npt.NDArray[np.uint8]
) -> npt.NDArray[np.bool_]:
    """Mark the solutions that break a rule or change a clue: `check_solution` for many.

    Args:
        puzzles: (n, 81) uint8, 0 = empty.
        solutions: (n, 81) uint8.

    Returns:
        (n,) bool.
    """
    bits = np.zeros(256, np.uint16)
    bits[1:10] = 1 << np.arange(9)
    held = np.bitwise_or.reduce(bits[solutions][:, UNITS], axis=2)
    changed = (puzzles > 0) & (puzzles != solutions)
    faulty: npt.NDArray[np.bool_] = (held != 511).any(axis=1) | changed.any(axis=1)
    return faulty


@dataclass(frozen=True)
class BulkSolver:
    """Decides every puzzle, one at a time; see the module.

    Attributes:
        clock: returns seconds; only differences count.

    Raises:
        MissingPackageError: where numba is not installed; the text says what to do.
    """

    clock: Callable[[], float] = time.perf_counter

    name = "bulk"
    is_complete = True
    sizes = frozenset({9})

    def __post_init__(self) -> None:
        load_kernels()

    def solve(self, clues: Grid, limits: Limits) -> Result:
        """Search until a second solution or the end; see `solver.base.Solver`."""
        clues = admit_clues(clues, self)
        kernels = load_kernels()
        start = self.clock()
        end = None if limits.seconds is None else start + limits.seconds
        solutions = np.zeros((2, 81), np.uint8)
        memory = kernels.make_memory()
        kernels.begin(memory, np.ascontiguousarray(clues).ravel())
        is_over = False
        budget = 0
        while not is_over:
            if end is not None and self.clock() >= end:
                break
            if limits.nodes is not None and budget >= limits.nodes:
                break
            budget += _NODES_PER_LOOK
            budget = budget if limits.nodes is None else min(budget, limits.nodes)
            is_over = kernels.search(memory, 2, np.uint64(budget), solutions)
        progress = memory.progress.tolist()
        found = progress[kernels.FOUND]
        effort = Effort(
            self.clock() - start, nodes=progress[kernels.NODES], guesses=progress[kernels.GUESSES]
        )
        return conclude(
            clues,
            tuple(solutions[:found].reshape(-1, 9, 9)) if is_over else (),
            effort,
            is_exhaustive=is_over and found < 2,
            note="" if is_over else "a limit was met",
        )


def load_kernels() -> ModuleType:
    """Import the kernels, which compiles nothing yet.

    Raises:
        MissingPackageError: where numba is not installed; the text says what to do.
    """
    try:
        from solver.exact import bulk_kernels
    except ModuleNotFoundError as error:
        if error.name != "numba":
            raise
        raise MissingPackageError.for_extra("numba", "bulk") from error
    return bulk_kernels


def _as_puzzles(puzzles: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    if puzzles.ndim != 2 or puzzles.shape[1] != 81:
        raise ValueError(f"puzzles must be (n, 81), got {puzzles.shape}")
    if puzzles.dtype != np.uint8:
        raise ValueError(f"puzzles must be uint8, got {puzzles.dtype}")
    if len(puzzles) and puzzles.max() > 9:
        raise ValueError(f"digits must be 0..9, got {puzzles.max()}")
    return np.ascontiguousarray(puzzles)
