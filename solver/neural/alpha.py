"""AlphaSudoku: Monte Carlo tree search whose policy, in the tree and in play, is a network.

H. Gérard, 2021, "Sudoku", https://github.com/H-G-11/Sudoku, after D. Silver et al., 2016,
"Mastering the game of Go with deep neural networks and tree search"; and his deep iterative
solver, which has the same network and does not search. How they work and what they reach:
docs/solvers/network.md.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from models.grids import Digits, GridNetwork, legal_candidates
from solver.base import Limits, Result, admit_clues
from solver.compilation import Ints
from solver.exact.tree_search import Clock, Meter
from solver.grid import Grid
from solver.neural.filling_policy import Ending, Play, Question
from solver.neural.network_solver import NetworkSolver
from solver.neural.question_batch import Judge, ask, judge_of
from solver.search.forced_cells import fill_forced
from solver.search.mcts import Action, MctsSolver, Selection

_DIGIT_BITS: Final = 1 << np.arange(9)


@dataclass(frozen=True)
class NetworkPriors:
    """What a network makes of the actions of a position: a policy for `MctsSolver`.

    Attributes:
        judge: the network.
        seed: of its random initial state.
    """

    judge: Judge
    seed: int = 0

    passes = 1

    def priors(self, masks: Ints, actions: Sequence[Action]) -> Sequence[float]:
        """Return the probability of each action from one pass; see `mcts.Policy`.

        The network sees settled cells as filled, and the candidates that propagation has left.
        """
        held = np.asarray(masks, np.int64)[:, None] & _DIGIT_BITS > 0
        is_settled = held.sum(axis=1) == 1
        digits = np.where(is_settled, held.argmax(axis=1) + 1, 0).astype(np.uint8)
        told = ask(self.judge, digits[None], held[None], self.seed)[0]
        cells, wanted = np.array(actions).T
        weights = told[cells, wanted - 1].astype(np.float64)
        total = weights.sum()
        if total <= 0:
            return [1 / len(actions)] * len(actions)
        shares: list[float] = (weights / total).tolist()
        return shares


@dataclass
class AlphaSudokuSolver:
    """Tree search with a network in place of chance; not for two threads at once.

    Forced cells are filled without the network, which is asked only where a digit must be chosen:
    once for each node of the tree and once for each choice in play.

    Attributes:
        network: which judges; the one that ships, loaded when the first puzzle needs it, where
            None.
        search: the search and its options, but for the policy and the clock.
        clock: returns seconds; only differences count.
    """

    network: GridNetwork | None = None
    search: MctsSolver = field(
        default_factory=lambda: MctsSolver(selection=Selection.PRIOR, max_iterations=1000)
    )
    clock: Clock = time.perf_counter

    name = "alpha-sudoku"
    is_complete = False
    sizes = frozenset({9})

    def solve(self, clues: Grid, limits: Limits) -> Result:
        """Search until a solution is met, the tree is dead, or a limit is met.

        Raises:
            models.engine.EngineError: if the network is needed and cannot be run.
        """
        clues = admit_clues(clues, self)
        priors = NetworkPriors(judge_of(self), self.search.seed)
        return replace(self.search, policy=priors, clock=self.clock).solve(clues, limits)


@dataclass(frozen=True)
class DeepIterative:
    """Fills forced cells first, and where none is, the cell that the network is surest of.

    Gérard's solver fills cells with one candidate; hidden singles are filled here too. Nothing is
    taken back. As long as the network was not asked, what is found is proved.

    Attributes:
        seed: of the network's random initial state.
    """

    seed: int = 0

    name = "deep-iterative"
    is_complete = False

    def play(self, clues: Digits, meter: Meter) -> Play:
        """Fill until the end or a contradiction; see `solver.neural.filling_policy.Policy`."""
        digits = clues
        n_asked = 0
        while True:
            filled = fill_forced(digits.reshape(9, 9))
            if filled is None:
                if not n_asked:
                    return Ending(np.zeros(81, np.uint8), is_exhaustive=True)
                left = int((digits == 0).sum())
                note = f"a contradiction after {n_asked} choices, with {left} cells left"
                return Ending(digits, note=note)
            digits = filled.ravel()
            if digits.all():
                return Ending(digits, is_exhaustive=not n_asked)
            candidates = legal_candidates(digits[None])[0]
            answer = yield Question(digits, candidates, self.seed)
            n_asked += 1
            likely = np.where(candidates & (digits == 0)[:, None], answer, -np.inf)
            cell, digit = divmod(int(likely.argmax()), 9)
            digits = digits.copy()
            digits[cell] = digit + 1


def deep_iterative() -> NetworkSolver:
    """Build the solver that fills forced cells first and never looks back."""
    return NetworkSolver(DeepIterative())
