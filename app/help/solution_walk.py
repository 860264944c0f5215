"""The whole solution as a person would find it, step by step, to go forth and back in."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from app.help import help_words as texts
from app.help.assistance import Progress
from app.help.help_words import Words
from app.help.hint_depths import draw_step, find_hint
from app.report.board_marks import Highlight
from solver.human.step import Step, Technique


@dataclass(frozen=True)
class WalkStep:
    """One place to stop at.

    Attributes:
        title: for a list: what comes of the step and by which technique, such as "r2c4 = 6, hidden
            single in box 2", or where the walk stands.
        text: what happens here, in a sentence or two.
        highlight: its pattern, and every digit that has been put so far.
    """

    title: str
    text: str
    highlight: Highlight


@dataclass(frozen=True)
class Walk:
    """Places to stop at, of which the first is the puzzle as it was given.

    Attributes:
        steps: in order.
        is_complete: whether the techniques solve the puzzle.
    """

    steps: tuple[WalkStep, ...]
    is_complete: bool


def walk(
    progress: Progress, words: Words, may_go_on: Callable[[], bool] = lambda: True
) -> Walk | None:
    """Solve a puzzle from its clues, as a person would.

    Args:
        progress: the walk starts from the clues alone; the digits of right entries are left out
            of the pictures, where they stand already.
        words: of the language.
        may_go_on: asked before each step.

    Returns:
        None where there is no verified solution, or the work was ended before it was done.
    """
    if progress.solution is None:
        return None
    words = progress.fit(words)
    start = replace(progress, entries=np.zeros_like(progress.entries), notes=())
    is_written = (progress.written == progress.solution).ravel()
    steps = [WalkStep(words.say(texts.WALK_START), words.say(texts.WALK_START), Highlight())]
    taken: list[Step] = []
    put: dict[int, int] = {}
    while may_go_on():
        source = find_hint(start, tuple(taken))
        position, step = source.position, source.step
        if position is None or step is None:
            is_complete = position is not None and position.is_solved
            text = words.say(texts.WALK_END if is_complete else texts.WALK_STUCK)
            steps.append(WalkStep(text, text, Highlight(digits=dict(put))))
            return Walk(tuple(steps), is_complete)
        taken.append(step)
        told = draw_step(position, step, words)
        put |= {cell: digit for cell, digit in step.placements if not is_written[cell]}
        highlight = replace(told.highlight, digits=dict(put))
        steps.append(WalkStep(_title(step, words), told.text, highlight))
    return None


def _title(step: Step, words: Words) -> str:
    results = [f"{words.sign(cell)} = {words.digit(digit)}" for cell, digit in step.placements]
    struck: dict[int, list[int]] = {}
    for cell, digit in step.eliminations:
        struck.setdefault(digit, []).append(cell)
    for digit, cells in sorted(struck.items()):
        more = " …" if len(cells) > _MOST_NAMED else ""
        named = ", ".join(map(words.sign, cells[:_MOST_NAMED]))
        results.append(f"{named}{more} ≠ {words.digit(digit)}")
    text = _IN_UNIT.get(step.technique)
    named = words.technique(step.technique)
    if text is not None and step.units:
        named = words.say(text, unit=words.unit(step.units[0]))
    return f"{'; '.join(results)}, {named}"


_MOST_NAMED: Final = 3
"""Cells of one digit that a title names."""

_IN_UNIT: Final = {
    Technique.FULL_HOUSE: texts.FULL_HOUSE_IN,
    Technique.HIDDEN_SINGLE_BOX: texts.HIDDEN_SINGLE_IN,
    Technique.HIDDEN_SINGLE_LINE: texts.HIDDEN_SINGLE_IN,
    Technique.HIDDEN_SINGLE: texts.HIDDEN_SINGLE_IN,
}
