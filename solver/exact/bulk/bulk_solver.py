"""Millions of puzzles: the compiled engine for many at once, and the same engine as a solver.

Needs the extra `bulk` (numba), which is imported with the first puzzle. How it works and what it
measures: docs/solvers/bulk.md.
"""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import isqrt
from types import ModuleType
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from solver.base import EffortBudget, Limits, MissingPackageError, Result, admit_clues
from solver.exact.tree_search import conclude_search
from solver.grid import Booleans, Grid
from solver.layout import ALL_SIZES, LAYOUTS

_WORK_PER_LOOK: Final = 160_000
"""Cells in the boards that are propagated between two looks at the clock: of 9×9 a quarter of a
millisecond, of 25×25 a few."""


@dataclass(frozen=True, eq=False)
class Batch:
    """What `solve_batch` found, one entry a puzzle.

    Attributes:
        counts: (n,) int32: number of solutions, up to the limit; -1 where it was given up.
        solutions: (n, side²) uint8: the first solution, or zeros where there is none. It is the
            puzzle's only one where the limit was at least 2 and the count is 1.
        guesses: (n,) int64: branchings.
    """

    counts: npt.NDArray[np.int32]
    solutions: npt.NDArray[np.uint8]
    guesses: npt.NDArray[np.int64]


def solve_batch(
    puzzles: npt.NDArray[np.uint8], limit: int = 2, threads: int = 1, most_nodes: int | None = None
) -> Batch:
    """Count the solutions of many puzzles, and return the first of each.

    The solutions are not checked here; `find_faulty` does so with nothing but the rules.

    Args:
        puzzles: (n, side²) uint8 digits in reading order, 0 = empty, all of one size.
        limit: number of solutions after which to stop; 2 proves that there is only one.
        threads: how many puzzles to work on at a time.
        most_nodes: positions after which a puzzle is given up; None is no limit, and a 25×25
            puzzle can take for ever.

    Raises:
        ValueError: for another shape or type, digits outside 0..side, or a limit or a number of
            threads below 1.
        MissingPackageError: where numba is not installed; the text says what to do.
    """
    puzzles = _as_puzzles(puzzles)
    if limit < 1 or threads < 1:
        raise ValueError(f"limit and threads must be at least 1, got {limit} and {threads}")
    n, n_cells = puzzles.shape
    kernels = load_kernels(isqrt(n_cells))
    budget = kernels.NO_BUDGET if most_nodes is None else np.uint64(most_nodes)
    batch = Batch(np.zeros(n, np.int32), np.zeros((n, n_cells), np.uint8), np.zeros(n, np.int64))
    # Threads claim puzzles from here, so that none is left with the hard ones at the end.
    next_puzzle = np.zeros(1, np.uint64)

    def work() -> None:
        memory = _make_memory(kernels, isqrt(n_cells))
        while kernels.solve_claimed(
            memory,
            next_puzzle,
            puzzles,
            limit,
            budget,
            batch.counts,
            batch.solutions,
            batch.guesses,
        ):
            pass

    if threads == 1:
        work()
        return batch
    with ThreadPoolExecutor(threads - 1) as pool:
        shares = [pool.submit(work) for _ in range(threads - 1)]
        try:
            work()
        finally:
            # After an interrupt, nothing is left to claim for the others.
            next_puzzle[0] = n
    for share in shares:
        share.result()
    return batch


def find_faulty(puzzles: npt.NDArray[np.uint8], solutions: npt.NDArray[np.uint8]) -> Booleans:
    """Mark the solutions that break a rule or change a clue: `check_solution` for many.

    Args:
        puzzles: (n, side²) uint8, 0 = empty.
        solutions: (n, side²) uint8.

    Returns:
        (n,) bool.

    Raises:
        ValueError: if no grid has so many cells.
    """
    layout = LAYOUTS[_side_of(puzzles)]
    bits = np.zeros(256, np.uint32)
    bits[1 : layout.side + 1] = 1 << np.arange(layout.side)
    held = np.bitwise_or.reduce(bits[solutions][:, layout.units], axis=2)
    changed = (puzzles > 0) & (puzzles != solutions)
    is_full = (held == (1 << layout.side) - 1).all(axis=1)
    faulty: Booleans = ~is_full | changed.any(axis=1)
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
    sizes = ALL_SIZES

    def __post_init__(self) -> None:
        load_kernels()

    def solve(self, clues: Grid, limits: Limits) -> Result:
        """Search until a second solution or the end; see `solver.base.Solver`."""
        clues = admit_clues(clues, self)
        kernels = load_kernels(len(clues))
        nodes_per_look = _WORK_PER_LOOK // clues.size
        budget = EffortBudget(limits, self.clock)
        solutions = np.zeros((2, clues.size), np.uint8)
        memory = _make_memory(kernels, len(clues))
        kernels.begin(memory, np.ascontiguousarray(clues).ravel())
        is_over = False
        while not is_over and budget.may_go_on():
            until = budget.nodes + nodes_per_look
            until = until if limits.nodes is None else min(until, limits.nodes)
            is_over = kernels.search(memory, 2, np.uint64(until), solutions)
            budget.nodes = int(memory.progress[kernels.NODES])
        budget.guesses = int(memory.progress[kernels.GUESSES])
        found = solutions[: int(memory.progress[kernels.FOUND])].tolist()
        return conclude_search(clues, found, budget, is_exhaustive=is_over and len(found) < 2)


def load_kernels(side: int = 9) -> ModuleType:
    """Import the kernels for a size, which compiles nothing yet.

    Raises:
        MissingPackageError: where numba is not installed; the text says what to do.
    """
    try:
        if side == 9:
            from solver.exact.bulk import classic_kernels as bulk_kernels

            return bulk_kernels
        from solver.exact.bulk import size_kernels as bulk_size_kernels
    except ModuleNotFoundError as error:
        if error.name != "numba":
            raise
        raise MissingPackageError.for_extra("numba", "bulk") from error
    return bulk_size_kernels


def _make_memory(kernels: ModuleType, side: int) -> Any:
    return kernels.make_memory() if side == 9 else kernels.make_memory(side)


def _side_of(puzzles: npt.NDArray[np.uint8]) -> int:
    side = isqrt(puzzles.shape[1]) if puzzles.ndim == 2 else 0
    if side not in LAYOUTS or puzzles.shape[1] != side**2:
        *sizes, last = (f"(n, {side**2})" for side in LAYOUTS)
        raise ValueError(f"puzzles must be {', '.join(sizes)} or {last}, got {puzzles.shape}")
    return side


def _as_puzzles(puzzles: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    side = _side_of(puzzles)
    if puzzles.dtype != np.uint8:
        raise ValueError(f"puzzles must be uint8, got {puzzles.dtype}")
    if len(puzzles) and puzzles.max() > side:
        raise ValueError(f"digits must be 0..{side}, got {puzzles.max()}")
    return np.ascontiguousarray(puzzles)
