"""The hand-weighted network as a solver, and for many puzzles at once.

The network searches by itself, to the end or to a second solution; here it is only started, held
to limits, and fed. How it works and what it measures: docs/solvers/constraint.md.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from models.constraint import LiteRtSearch, NetworkSearch, Runner, begin_search
from models.engine import EngineError
from models.grids import Digits
from solver.base import EffortBudget, Limits, Result, admit_clues
from solver.grid import Grid
from solver.neural.filling_policy import conclude_none
from solver.verification import conclude, proof_seconds

_ROUNDS_PER_LOOK: Final = 64
"""Rounds of the loop between two looks at the clock, about a millisecond."""

_TOGETHER: Final = 64
"""Puzzles in one run of the network: more of them leave the processor's cache."""


@dataclass(frozen=True, eq=False)
class NetworkBatch:
    """What `solve_batch` found, one entry a puzzle.

    Attributes:
        counts: (n,) int32: number of solutions, 2 where there are more.
        solutions: (n, 2, 81) uint8: different solutions, zeros where there are none.
        guesses: (n,) int64: digits tried without proof.
        rounds: (n,) int64: rounds of the network's loop.
    """

    counts: npt.NDArray[np.int32]
    solutions: Digits
    guesses: npt.NDArray[np.int64]
    rounds: npt.NDArray[np.int64]


def solve_batch(puzzles: Digits, network: Runner | None = None) -> NetworkBatch:
    """Count the solutions of many puzzles, up to two, and return them.

    Nothing is checked here, and the counts are the network's word. `bulk_solver.find_faulty`
    checks solutions with nothing but the rules.

    Args:
        puzzles: (n, 81) uint8 digits in reading order, 0 = empty.
        network: what runs; None opens the one that ships.

    Raises:
        ValueError: for another shape or type, or digits outside 0..9.
        models.engine.EngineError: if the network's file or LiteRT is missing or broken, or the
            network stands still.
    """
    if puzzles.ndim != 2 or puzzles.shape[1] != 81 or puzzles.dtype != np.uint8:
        raise ValueError(f"puzzles must be (n, 81) uint8, got {puzzles.shape} {puzzles.dtype}")
    if len(puzzles) and puzzles.max() > 9:
        raise ValueError(f"digits must be 0..9, got {puzzles.max()}")
    n = len(puzzles)
    batch = NetworkBatch(
        counts=np.zeros(n, np.int32),
        solutions=np.zeros((n, 2, 81), np.uint8),
        guesses=np.zeros(n, np.int64),
        rounds=np.zeros(n, np.int64),
    )
    network = network or LiteRtSearch()
    numbers, waiting = np.split(np.arange(n), [_TOGETHER])
    state = begin_search(puzzles[numbers])
    while len(numbers):
        state = _run(network, state, 1)
        over = np.flatnonzero(state.is_over)
        if not len(over):
            continue
        done, ended = numbers[over], state.take(over)
        batch.counts[done] = ended.counts
        batch.solutions[done] = ended.found
        batch.guesses[done] = ended.guesses
        batch.rounds[done] = ended.rounds
        # Finished ones make room for others.
        fresh, waiting = np.split(waiting, [len(over)])
        if len(fresh):
            places = over[: len(fresh)]
            numbers[places] = fresh
            state.put(places, begin_search(puzzles[fresh]))
        if len(fresh) < len(over):
            keep = np.setdiff1d(np.arange(len(numbers)), over[len(fresh) :])
            numbers, state = numbers[keep], state.take(keep)
    return batch


def _run(network: Runner, state: NetworkSearch, rounds: int) -> NetworkSearch:
    """Run the network, and hold it to the rounds that it was given.

    Raises:
        models.engine.EngineError: if a search that is not over has not gone on for all of them:
            whoever waits for such a network waits for ever.
    """
    due = state.rounds + rounds
    state = network.run(state, rounds)
    if not (state.is_over | (state.rounds == due)).all():
        raise EngineError(
            f"the constraint network does not go on when it is given {rounds} rounds; "
            "reinstall sudoku-lens, or run: python -m training.grids.export_constraint"
        )
    return state


@dataclass(frozen=True)
class ConstraintNetworkSolver:
    """Decides every puzzle by a network whose weights are the rules; see the module.

    An iteration is a round of the network's loop, a pass a run of the network, a guess a digit
    tried without proof. What it finds, or finds not to be there, is proved by the exact solver.

    Attributes:
        network: what runs; it holds a runtime, so that no two threads may share a solver.
        clock: returns seconds; only differences count.

    Raises:
        models.engine.EngineError: if the network's file or LiteRT is missing or broken.
    """

    network: Runner = field(default_factory=LiteRtSearch)
    clock: Callable[[], float] = time.perf_counter

    name = "constraint-network"
    is_complete = True
    sizes = frozenset({9})

    def solve(self, clues: Grid, limits: Limits) -> Result:
        """Search until a second solution or the end; see `solver.base.Solver`.

        Raises:
            models.engine.EngineError: if the network stands still.
        """
        clues = admit_clues(clues, self)
        effort_budget = EffortBudget(limits, self.clock)
        state = begin_search(clues.reshape(1, 81))
        is_over = False
        while not is_over and (budget := effort_budget.allow(_ROUNDS_PER_LOOK)) > 0:
            state = _run(self.network, state, budget)
            effort_budget.passes += 1
            effort_budget.iterations = int(state.rounds[0])
            is_over = bool(state.is_over[0])
        found, effort_budget.guesses = int(state.counts[0]), int(state.guesses[0])
        effort = effort_budget.effort()
        if is_over and found < 1:
            return conclude_none(clues, effort, limits)
        return conclude(
            clues,
            tuple(state.found[0, :found].reshape(-1, 9, 9)) if is_over else (),
            effort,
            # The network has searched everything by its own account, which proves nothing.
            is_exhaustive=False,
            note="" if is_over else "a limit was met",
            proof_seconds=proof_seconds(limits, effort),
        )
