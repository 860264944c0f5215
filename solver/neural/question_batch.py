"""Asks a network about one puzzle or thousands, by the same rules, and proves its claims.

A network's word is no proof, not even where it has searched to the end by itself. The proof of
SOLVED is `solver.base.conclude`'s.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

import numpy as np

from models.grids import Booleans, Digits, Float32, GridNetwork, load_grid_network
from solver.base import Effort, Limits, Result, Status, conclude
from solver.exact.bitmask import BitmaskSolver
from solver.exact.tree_search import Clock, Meter
from solver.grid import Grid
from solver.neural.filling_policy import Ending, Play, Policy, Question

Judge = Callable[[Digits, Booleans, int], Float32]
"""`GridNetwork.judge`, or what stands for it."""

_SECONDS: Final = 1.0
"""What is found at the last moment still gets so long for its proof: a hundred times what the worst
puzzle needs."""


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


def proof_seconds(limits: Limits, effort: Effort) -> float | None:
    """Return how long a proof may take after an effort; None is no limit."""
    if limits.seconds is None:
        return None
    return max(limits.seconds - effort.seconds, _SECONDS)


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
    meter: Meter
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
            meter = Meter(limits, clock)
            after = _go_on(index, policy.play(clues, meter), meter, clues, None)
            if isinstance(after, Played):
                yield after
            else:
                open_plays.append(after)
        if not open_plays:
            return
        answers = _ask_together(judge, [one.question for one in open_plays])
        asked, open_plays = open_plays, []
        for one, answer in zip(asked, answers, strict=True):
            one.meter.iterations += 1
            after = _go_on(one.index, one.play, one.meter, one.question.digits, answer)
            if isinstance(after, Played):
                yield after
            else:
                open_plays.append(after)


def _go_on(
    index: int, play: Play, meter: Meter, digits: Digits, answer: Float32 | None
) -> _Open | Played:
    """Play on to the next question, or to the end.

    Args:
        index: of the puzzle.
        play: not yet begun, where there is no answer.
        meter: what the play has cost.
        digits: (81,) uint8, how far it is known to have come.
        answer: to the last question.
    """
    try:
        question = next(play) if answer is None else play.send(answer)
    except StopIteration as stop:
        ending: Ending = stop.value
    else:
        # A pass is no node, so that a limit on nodes does not forbid it.
        if meter.seconds_left() > 0 and meter.steps_back_left() > 0:
            return _Open(index, play, meter, question)
        play.close()
        ending = Ending(question.digits, note="a limit was met")
    effort = meter.effort()
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
