"""What policies are, some that never look back, and how networks play puzzles by them.

A policy plays one puzzle as a generator: it yields a `Question` wherever it wants the network's
opinion, is sent the answer, and returns an `Ending`. So one and the same code solves a single
puzzle and thousands at a time. A digit is only put where row, column and box leave it, so that
what ends with all cells filled obeys the rules; what ends before is a contradiction.

A network's word is no proof, not even where it has searched to the end by itself. The proof of
SOLVED is `solver.verification.conclude`'s.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from models.engine import Booleans, Float32
from models.grids import Digits, GridNetwork, are_filled, legal_candidates, load_grid_network
from solver.base import Clock, Effort, EffortBudget, Limits, Result, Status
from solver.exact.bitmask import BitmaskSolver
from solver.grid import PEERS, UNITS, Grid
from solver.verification import conclude, proof_seconds


@dataclass(frozen=True, eq=False)
class Question:
    """A grid for the network to judge, as `GridNetwork.judge` takes it but for the axis of grids.

    Attributes:
        digits: (81,) uint8, 0 = empty.
        candidates: (81, 9) bool: the digits that are still possible.
        seed: of the network's random initial state.
    """

    digits: Digits
    candidates: Booleans
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Ending:
    """What a policy came to.

    Attributes:
        digits: (81,) uint8: its solution if no cell is 0, else how far it came. Nothing is
            checked yet.
        is_exhaustive: whether it proved that there is no solution beside these digits, or none at
            all where a cell is 0.
        note: a remark for people.
    """

    digits: Digits
    is_exhaustive: bool = False
    note: str = ""


Play = Generator[Question, Float32, Ending]
"""A puzzle being played. What is sent for a question is (81, 9) float32: how likely each digit is
in each cell."""


class Policy(Protocol):
    """Plays puzzles with any network."""

    @property
    def name(self) -> str:
        """The name that the registry knows a solver with this policy by."""

    @property
    def is_complete(self) -> bool:
        """Whether it decides every puzzle, whatever the network says."""

    def play(self, clues: Digits, budget: EffortBudget) -> Play:
        """Begin a puzzle.

        Args:
            clues: (81,) uint8, 0 = empty. Not changed.
            budget: where nodes and guesses are counted; one that is spent ends the play. The
                network's passes are counted by whoever runs it.
        """


def find_solution(question: Question, answer: Float32) -> Digits | None:
    """Return the likeliest candidate of every cell where together they break no rule, else None.

    Args:
        question: what was asked.
        answer: (81, 9) float32.

    Returns:
        (81,) uint8 digits 1..9, which keep what was filled.
    """
    likely = np.where(question.candidates, answer, -np.inf)
    if not are_filled(likely[None])[0]:
        return None
    return np.asarray(likely.argmax(axis=1) + 1, np.uint8)


def most_constraining(digits: Digits, candidates: Booleans, best: npt.NDArray[np.floating]) -> int:
    """Return the empty cell from which most will follow, of equals the one least sure of.

    Of the cells with two candidates, that is the one with most empty peers, a peer counted again
    for each candidate it shares if it has two itself, as in `solver.exact.bitmask`; where no cell
    has two, one with fewest.

    Args:
        digits: (81,) uint8, 0 = empty, at least one.
        candidates: (81, 9) bool.
        best: (81,) float, how sure the network is of its likeliest digit.
    """
    counts = candidates.sum(axis=1)
    is_pair = counts == 2
    if not is_pair.any():
        return int(np.where(digits == 0, counts + best, np.inf).argmin())
    of_pairs = np.where(is_pair[:, None], candidates, False)
    shared = (of_pairs[PEERS] & candidates[:, None]).sum(axis=(1, 2))
    telling = (digits == 0)[PEERS].sum(axis=1) + shared - best
    return int(np.where(is_pair, telling, -np.inf).argmax())


def _ask_states(question: Question, states: int) -> Generator[Question, Float32, Float32]:
    """Ask from one initial state after the other until the likeliest digits break no rule.

    Returns:
        That answer, or that of the first state.
    """
    first = answer = yield question
    for seed in range(question.seed + 1, question.seed + states):
        if find_solution(question, answer) is not None:
            return answer
        answer = yield replace(question, seed=seed)
    return answer if find_solution(question, answer) is not None else first


@dataclass(frozen=True)
class OnePass:
    """Takes the likeliest digits of a pass, as a plain classifier does, and fills nothing by steps.

    Attributes:
        states: from how many random initial states the network may begin, one after the other,
            until its likeliest digits break no rule. Each is a pass.
        seed: of the first.
    """

    states: int = 1
    seed: int = 0

    name = "network-once"
    is_complete = False

    def play(self, clues: Digits, budget: EffortBudget) -> Play:
        """Ask once a state; see `solver.neural.filling_policy.Policy`."""
        digits = clues.copy()
        empty = np.flatnonzero(digits == 0)
        if empty.size:
            question = Question(clues, legal_candidates(clues[None])[0], self.seed)
            answer = yield from _ask_states(question, self.states)
            likely = np.where(question.candidates, answer, -np.inf)
            digits[empty] = likely[empty].argmax(axis=1) + 1
        return Ending(digits)


@dataclass(frozen=True)
class Filling:
    """Fills the cells that the network is surest of, and asks again, until all are filled.

    With one cell a pass this is the iterative maximum probability of K. Park, "Can Convolutional
    Neural Networks Crack Sudoku Puzzles?", 2018.

    Attributes:
        name: that the registry knows it by.
        states: as `OnePass` has them, for every question; without effect unless `stops_early`.
        sure: probability above which every cell is filled; where none is, and always if this is
            None, the surest cell alone is.
        stops_early: whether a pass whose likeliest digits fill the grid and break no rule is the
            last, as there is nothing left to decide.
        restarts: how often to begin anew after a contradiction, each time from another random
            initial state of the network. As it would mostly be led astray again, a restart draws
            lots where nothing is sure: it takes the cell from which most will follow, and each of
            its digits with the network's probability.
        seed: of the first.
    """

    name: str
    sure: float | None = None
    stops_early: bool = True
    restarts: int = 0
    states: int = 1
    seed: int = 0

    is_complete = False

    def play(self, clues: Digits, budget: EffortBudget) -> Play:
        """Fill until the end or a contradiction; see `solver.neural.filling_policy.Policy`."""
        digits = clues
        for attempt in range(self.restarts + 1):
            random = np.random.default_rng([self.seed, attempt]) if attempt else None
            digits = clues.copy()
            while not digits.all():
                candidates = legal_candidates(digits[None])[0]
                if not _is_open(candidates):
                    break
                question = Question(digits, candidates, self.seed + attempt)
                answer = yield from _ask_states(question, self.states if self.stops_early else 1)
                solution = find_solution(question, answer) if self.stops_early else None
                if solution is not None:
                    return Ending(solution)
                for cell, digit in self._choose(question, answer, random):
                    # A digit put before it may have ruled this one out.
                    if digit not in digits[PEERS[cell]]:
                        digits[cell] = digit
            if digits.all():
                return Ending(digits)
        left = int((digits == 0).sum())
        again = f" and {self.restarts} restarts" if self.restarts else ""
        return Ending(digits, note=f"a contradiction{again}, with {left} cells left")

    def _choose(
        self, question: Question, answer: Float32, random: np.random.Generator | None
    ) -> list[tuple[int, int]]:
        """Return the cells to fill and their digits, the surest first."""
        digits, candidates = question.digits, question.candidates
        likely = np.where(candidates & (digits == 0)[:, None], answer, -np.inf)
        best = likely.max(axis=1)
        cells = [int(best.argmax())]
        if self.sure is not None and best[cells[0]] > self.sure:
            order = np.argsort(-best, kind="stable")
            cells = order[best[order] > self.sure].tolist()
        elif random is not None:
            cell = most_constraining(digits, candidates, best)
            return [(cell, _draw_digit(answer[cell], candidates[cell], random))]
        return [(cell, int(likely[cell].argmax()) + 1) for cell in cells]


def _draw_digit(answer: Float32, candidates: Booleans, random: np.random.Generator) -> int:
    """Draw one of a cell's candidates with the network's probability, alike where it gives none."""
    chances = np.where(candidates, np.maximum(answer, 0), 0).astype(np.float64)
    if not chances.any():
        chances = candidates.astype(np.float64)
    return int(random.choice(9, p=chances / chances.sum())) + 1


def _is_open(candidates: Booleans) -> bool:
    """Tell whether every cell has a candidate, and every digit a place in every unit."""
    return bool(candidates.any(axis=1).all() and candidates[UNITS].any(axis=1).all())


Judge = Callable[[Digits, Booleans, int], Float32]
"""`GridNetwork.judge`, or what stands for it."""


class HoldsNetwork(Protocol):
    """A solver with a network of its own.

    Attributes:
        network: None until it is loaded.
    """

    network: GridNetwork | None


def ask(judge: Judge, grids: Digits, candidates: Booleans, seed: int) -> Float32:
    """Return what a network says, with zero for whatever cannot be a probability.

    A broken network says negative or infinite numbers, or none. What comes of its answers is
    checked anyway; here it is seen to that every way of using them comes to an end.

    Args:
        judge: the network.
        grids: (n, 81) uint8, 0 = empty.
        candidates: (n, 81, 9) bool.
        seed: of the network's random initial state.

    Returns:
        (n, 81, 9) float32, finite and not negative.
    """
    answers = judge(grids, candidates, seed)
    is_sound = np.isfinite(answers) & (answers >= 0)
    return answers if is_sound.all() else np.where(is_sound, answers, np.float32(0))


def judge_of(solver: HoldsNetwork) -> Judge:
    """Return the judge that a solver's network is.

    The one that ships is loaded at the first question, as many a puzzle is solved without any.
    """

    def judge(grids: Digits, candidates: Booleans, seed: int) -> Float32:
        if solver.network is None:
            solver.network = load_grid_network()
        return solver.network.judge(grids, candidates, seed)

    return judge


def conclude_none(clues: Grid, effort: Effort, limits: Limits) -> Result:
    """Turn the claim that there is no solution into a result: UNSOLVABLE only if it is so.

    Where the claim is wrong nothing is shown, as whoever made it has found nothing.

    Args:
        clues: (9, 9) uint8, 0 = empty.
        effort: what it cost to come to the claim.
        limits: under which it was made.
    """
    proof = BitmaskSolver().solve(clues, Limits(seconds=proof_seconds(limits, effort)))
    note = {
        Status.UNSOLVABLE: "",
        Status.GAVE_UP: "the network found no solution, but that there is none was not proved",
    }.get(proof.status, "the network found no solution, but there is one")
    is_true = proof.status is Status.UNSOLVABLE
    return conclude(clues, (), effort, is_exhaustive=is_true, note=note)


_NO_LIMITS: Final = Limits()


@dataclass(frozen=True, eq=False)
class Played:
    """How a play ended.

    Attributes:
        index: of the puzzle.
        ending: what the policy came to; nothing is checked yet.
        effort: what it cost. A pass counts as an iteration too, which is what limits can bind.
            Seconds run from the puzzle's beginning to its end, the others of its batch included.
    """

    index: int
    ending: Ending
    effort: Effort


@dataclass(frozen=True, eq=False)
class _Open:
    """A puzzle that waits for the answer to a question."""

    index: int
    play: Play
    budget: EffortBudget
    question: Question


def play_puzzles(
    policy: Policy,
    judge: Judge,
    puzzles: Iterable[Digits],
    limits: Limits = _NO_LIMITS,
    batch_size: int = 1,
    clock: Clock = time.perf_counter,
) -> Iterator[Played]:
    """Play puzzles, and yield each when it has ended.

    Args:
        policy: how to play.
        judge: the network; not called before it is needed.
        puzzles: each (81,) uint8, 0 = empty; an (n, 81) array will do.
        limits: of each puzzle by itself; `iterations` limits its passes.
        batch_size: how many are in play at a time, and judged in one call at most.
        clock: returns seconds; only differences count.
    """
    waiting = enumerate(puzzles)
    open_plays: list[_Open] = []
    while True:
        while len(open_plays) < batch_size and (item := next(waiting, None)) is not None:
            index, clues = item
            budget = EffortBudget(limits, clock)
            after = _go_on(index, policy.play(clues, budget), budget, None)
            if isinstance(after, Played):
                yield after
            else:
                open_plays.append(after)
        if not open_plays:
            return
        answers = _ask_together(judge, [one.question for one in open_plays])
        asked, open_plays = open_plays, []
        for one, answer in zip(asked, answers, strict=True):
            one.budget.iterations += 1
            after = _go_on(one.index, one.play, one.budget, answer)
            if isinstance(after, Played):
                yield after
            else:
                open_plays.append(after)


def _go_on(index: int, play: Play, budget: EffortBudget, answer: Float32 | None) -> _Open | Played:
    """Play on to the next question, or to the end.

    Args:
        index: of the puzzle.
        play: not yet begun, where there is no answer.
        budget: what the play has cost.
        answer: to the last question.
    """
    try:
        question = next(play) if answer is None else play.send(answer)
    except StopIteration as stop:
        ending: Ending = stop.value
    else:
        # A pass is no node, so that a limit on nodes does not forbid it.
        if budget.seconds_left() > 0 and budget.iterations_left() > 0:
            return _Open(index, play, budget, question)
        play.close()
        ending = Ending(question.digits, note="a limit was met")
    effort = budget.effort()
    return Played(index, ending, replace(effort, passes=effort.iterations))


def _ask_together(judge: Judge, questions: Sequence[Question]) -> list[Float32]:
    """Return the answers, those of one seed judged together."""
    by_seed: defaultdict[int, list[int]] = defaultdict(list)
    for at, question in enumerate(questions):
        by_seed[question.seed].append(at)
    answers: dict[int, Float32] = {}
    for seed, own in by_seed.items():
        judged = ask(
            judge,
            np.stack([questions[at].digits for at in own]),
            np.stack([questions[at].candidates for at in own]),
            seed,
        )
        answers.update(zip(own, judged, strict=True))
    return [answers[at] for at in range(len(questions))]
