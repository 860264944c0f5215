"""Plays puzzles with a network, one or thousands at a time, by the same rules."""

import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from models.grids import Digits, Float32
from solver.base import Effort, Limits
from solver.exact.meter import Clock, Meter
from solver.neural.asking import Judge, ask
from solver.neural.filling_policy import Ending, Play, Policy, Question

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
