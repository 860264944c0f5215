"""Policies as solvers of the registry: what they fill in is checked, and proved to be unique."""

import time
from dataclasses import dataclass
from typing import Final

from models.grids import GridNetwork
from solver.base import Effort, Limits, Result, admit_clues, conclude
from solver.exact.meter import Clock
from solver.grid import Grid
from solver.neural.asking import judge_of, proof_seconds
from solver.neural.filling_policy import Filling, OnePass, Policy
from solver.neural.guided import Guided
from solver.neural.question_batch import Played, play_puzzles

POLICIES: Final[dict[str, Policy]] = {
    policy.name: policy
    for policy in (
        OnePass(),
        Filling("network-iterative", stops_early=False),
        Filling("network-many", sure=0.99),
        Filling("network-restarts", sure=0.99, restarts=16),
        Guided(),
    )
}
"""By the names of the registry."""


@dataclass
class NetworkSolver:
    """Solves with a network, by a policy; not for two threads at once.

    Attributes:
        policy: how to play.
        network: the one that ships, loaded when the first puzzle needs it, where None.
        clock: returns seconds; only differences count.
    """

    policy: Policy
    network: GridNetwork | None = None
    clock: Clock = time.perf_counter

    sizes = frozenset({9})

    @property
    def name(self) -> str:
        """The name that the registry knows it by."""
        return self.policy.name

    @property
    def is_complete(self) -> bool:
        """Whether it decides every puzzle, given time."""
        return self.policy.is_complete

    def solve(self, clues: Grid, limits: Limits) -> Result:
        """Play the puzzle; see `solver.base.Solver`.

        Raises:
            models.engine.EngineError: if the network is needed and cannot be run.
        """
        clues = admit_clues(clues, self)
        (played,) = play_puzzles(
            self.policy, judge_of(self), clues.reshape(1, 81), limits, clock=self.clock
        )
        return conclude_play(clues, played, limits)


def conclude_play(clues: Grid, played: Played, limits: Limits) -> Result:
    """Check what a play came to, and prove that it is the only solution where the play did not.

    Args:
        clues: (9, 9) uint8, the puzzle that was played.
        played: how it ended.
        limits: under which it was played.
    """
    ending, effort = played.ending, played.effort
    guessed = f"{count_wrong(effort)} of {effort.guesses} guesses were wrong"
    return conclude(
        clues,
        (ending.digits.reshape(9, 9),) if ending.digits.all() else (),
        effort,
        is_exhaustive=ending.is_exhaustive,
        note=ending.note or (guessed if effort.guesses else ""),
        proof_seconds=proof_seconds(limits, effort),
    )


def count_wrong(effort: Effort) -> int:
    """Return how many guesses were taken back: each made a position of its own."""
    return effort.nodes - 1 - effort.guesses if effort.guesses else 0


def once() -> NetworkSolver:
    """Build the solver of a single pass."""
    return NetworkSolver(POLICIES["network-once"])


def iterative() -> NetworkSolver:
    """Build the solver that fills one cell a pass: iterative maximum probability."""
    return NetworkSolver(POLICIES["network-iterative"])


def many() -> NetworkSolver:
    """Build the solver that fills all sure cells at once."""
    return NetworkSolver(POLICIES["network-many"])


def with_restarts() -> NetworkSolver:
    """Build the same, begun anew after a contradiction."""
    return NetworkSolver(POLICIES["network-restarts"])


def guided() -> NetworkSolver:
    """Build the solver that takes wrong guesses back."""
    return NetworkSolver(POLICIES["network-guided"])
