"""The picture on the page of a technique: on the board at hand where it is there, else an example.

What is written there in words is in `app.help.technique_lessons`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.help.assistance import Progress, Told
from app.help.help_words import Words
from app.help.hint_depths import draw_step
from app.help.technique_examples import EXAMPLES
from solver.formats_kinds import parse_kind_puzzle
from solver.grid import Grid
from solver.human.position import Position
from solver.human.step import Step, Technique
from solver.human.technique_engine import GaveUpError, allow_searches, find_technique
from solver.rules import Kind, Rules

_MOST_OTHERS: Final = 2_000
"""Steps of other techniques that are passed over on a board before the example is shown."""


@dataclass(frozen=True, eq=False)
class Pattern:
    """A technique at work.

    Attributes:
        grid: (n, n) uint8, the digits that stand there.
        rules: of the puzzle; None for the usual ones of 9×9.
        symbols: what its print has for each digit from 1.
        told: what the step is, and what it marks.
        is_at_hand: whether that is the board that was asked about.
    """

    grid: Grid
    rules: Rules | None
    symbols: Sequence[str]
    told: Told
    is_at_hand: bool


def find_pattern(
    technique: Technique,
    progress: Progress | None,
    words: Words,
    check: Callable[[], None] = lambda: None,
) -> Pattern:
    """Return the technique at work on a board, or in its example.

    Args:
        technique: one of `app.help.technique_lessons.LESSONS`.
        progress: of the board at hand; None where there is none.
        words: of the language.
        check: is called now and then; what it raises ends the work.
    """
    found = None if progress is None else _find_at_hand(technique, progress, check)
    if found is not None and progress is not None:
        position, step = found
        told = draw_step(position, step, progress.fit(words))
        return Pattern(progress.grid, progress.rules, progress.symbols, told, is_at_hand=True)
    puzzle = parse_kind_puzzle(EXAMPLES[technique])
    rules = None if puzzle.rules.kind is Kind.CLASSIC else puzzle.rules
    position = Position.from_grid(puzzle.clues, rules)
    shown = find_technique(position, technique, check)
    assert shown is not None  # a test holds that for every example
    told = draw_step(position, shown, replace(words, rules=rules))
    return Pattern(puzzle.clues, rules, words.symbols, told, is_at_hand=False)


def _find_at_hand(
    technique: Technique, progress: Progress, check: Callable[[], None]
) -> tuple[Position, Step] | None:
    """Return a step on the board at hand, and the candidates before it; None where none is sure."""
    if progress.solution is None:
        return None
    position, digits = progress.open_position(), progress.solution.ravel()
    count = allow_searches(_MOST_OTHERS)

    def pass_over() -> None:
        check()
        count()

    try:
        step = find_technique(position, technique, pass_over)
    except GaveUpError:
        return None
    # As for hints: what contradicts the verified solution is not told.
    is_true = step is not None and (
        all(digits[cell] == digit for cell, digit in step.placements)
        and all(digits[cell] != digit for cell, digit in step.eliminations)
    )
    return (position, step) if step is not None and is_true else None
