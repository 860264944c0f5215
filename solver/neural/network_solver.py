"""Solvers of the registry that a trained network drives, by a policy or in a tree search.

What they fill in is checked, and proved to be unique. The guided policy does without the network
what follows from the rules. Whatever the network says, however sure it is, is a guess that a
contradiction takes back. So every puzzle is decided, and the network's part is that few guesses
are wrong.

AlphaSudoku and the deep iterative solver are those of H. Gérard, 2021, "Sudoku",
https://github.com/H-G-11/Sudoku, after D. Silver et al., 2016, "Mastering the game of Go with deep
neural networks and tree search". How they work and what they reach: docs/solvers/network.md.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

import numpy as np

from models.engine import Booleans, Float32
from models.grids import Digits, GridNetwork, legal_candidates
from solver.base import Clock, Effort, EffortBudget, Limits, Result, admit_clues
from solver.exact.bitmask import place_clues
from solver.exact.closure import CELL_BITS, PEERS_AND_SELF, ROW_BITS, propagate
from solver.grid import Grid
from solver.neural.filling_policy import (
    Ending,
    Filling,
    Judge,
    OnePass,
    Play,
    Played,
    Policy,
    Question,
    ask,
    find_solution,
    judge_of,
    most_constraining,
    play_puzzles,
)
from solver.search.kernels import Ints, fill_forced
from solver.search.mcts import Action, MctsSolver, Selection
from solver.verification import conclude, proof_seconds

_MASK_BYTES: Final = -(-9 * ROW_BITS // 8)
_PLACES: Final = np.array([bit.bit_length() - 1 for bit in CELL_BITS])
"""The bit number of each cell in a mask of `solver.exact.closure`."""


class _Branch(NamedTuple):
    """The position that is left when a guess is wrong.

    Attributes:
        masks: of the nine digits, that of the guess without its cell.
        settled: as `propagate` keeps them.
        changed: the set of digits to propagate, that is the guess's.
    """

    masks: list[int]
    settled: list[int]
    changed: int


class _Guess(NamedTuple):
    """A digit 0..8, and the bit of the cell to try it in."""

    digit: int
    cell: int


@dataclass(frozen=True)
class Guided:
    """Depth-first search in which a network chooses what to try.

    Between passes, naked singles, hidden singles and locked candidates are applied until nothing
    follows (`solver.exact.closure.propagate`). Where the likeliest digits of a pass break no rule,
    they are the solution. Else all cells surer than the limit are guessed one by one, the surest
    first, and what follows from one guess is found before the next. Where none is so sure, the
    likeliest digit of the cell from which most will follow is guessed. A contradiction takes the
    last guess back and strikes its digit there, and the network is asked anew.

    A position is a node, and every digit from the network a guess. One that is taken back makes a
    node of its own, so that nodes - 1 - guesses are the wrong guesses.

    Attributes:
        sure: probability from which a cell is guessed together with others.
        seed: of the network's random initial state.
    """

    sure: float = 0.99
    seed: int = 0

    name = "network-guided"
    is_complete = True

    def play(self, clues: Digits, budget: EffortBudget) -> Play:
        """Search until the first solution or the end; see `solver.neural.filling_policy.Policy`."""
        budget.nodes = 1
        begun = place_clues(clues.tolist())
        if begun is None or not propagate(*begun, 511):
            return Ending(np.zeros(81, np.uint8), is_exhaustive=True)
        masks, settled = begun
        branches: list[_Branch] = []
        guesses: list[_Guess] = []
        while masks != settled:
            while guesses and not masks[guesses[-1].digit] & guesses[-1].cell:
                guesses.pop()  # it has been ruled out by those before it
            if not guesses:
                candidates = _read_candidates(masks)
                digits = _read_digits(candidates)
                question = Question(digits, candidates, self.seed)
                answer = yield question
                solution = find_solution(question, answer)
                if solution is not None:
                    return Ending(solution)
                guesses = self._choose(digits, candidates, answer)
            digit, cell = guesses.pop()
            if settled[digit] & cell:
                continue  # it has followed from those before it
            if not budget.may_go_on():
                return Ending(_read_digits(_read_candidates(masks)), note="a limit was met")
            budget.nodes += 1
            budget.guesses += 1
            without = masks.copy()
            without[digit] ^= cell
            branches.append(_Branch(without, settled.copy(), 1 << digit))
            masks[digit] = masks[digit] & ~PEERS_AND_SELF[cell] | cell
            is_alive = propagate(masks, settled, 1 << digit)
            while not is_alive:
                guesses = []
                if not branches:
                    return Ending(np.zeros(81, np.uint8), is_exhaustive=True)
                if not budget.may_go_on():
                    return Ending(np.zeros(81, np.uint8), note="a limit was met")
                budget.nodes += 1
                masks, settled, changed = branches.pop()
                is_alive = propagate(masks, settled, changed)
        digits = _read_digits(_read_candidates(masks))
        # With no guess open, everything has followed from the clues.
        return Ending(digits, is_exhaustive=not branches)

    def _choose(self, digits: Digits, candidates: Booleans, answer: Float32) -> list[_Guess]:
        """Return what to guess, the surest last."""
        likely = np.where(candidates & (digits == 0)[:, None], answer, -np.inf)
        best = likely.max(axis=1)
        order = np.argsort(best, kind="stable")
        cells = order[best[order] >= self.sure].tolist()
        if not cells:
            cells = [most_constraining(digits, candidates, best)]
        return [_Guess(int(likely[cell].argmax()), CELL_BITS[cell]) for cell in cells]


def _read_candidates(masks: list[int]) -> Booleans:
    """Return (81, 9) bool from a mask a digit."""
    packed = b"".join(mask.to_bytes(_MASK_BYTES, "little") for mask in masks)
    bits = np.unpackbits(np.frombuffer(packed, np.uint8), bitorder="little")
    return bits.reshape(9, -1)[:, _PLACES].T.astype(np.bool_)


def _read_digits(candidates: Booleans) -> Digits:
    """Return (81,) uint8: the digits of the cells with one candidate, 0 for the others."""
    is_single = candidates.sum(axis=1) == 1
    return np.where(is_single, candidates.argmax(axis=1) + 1, 0).astype(np.uint8)


POLICIES: Final[dict[str, Policy]] = {
    policy.name: policy
    for policy in (
        OnePass(states=8),
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


def by_policy(name: str) -> NetworkSolver:
    """Build the solver that plays by one of `POLICIES`."""
    return NetworkSolver(POLICIES[name])


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
        """Return the probability of each action from one pass; see `ActionPolicy`.

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

    def play(self, clues: Digits, budget: EffortBudget) -> Play:
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
