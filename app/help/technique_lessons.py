"""Lessons on techniques: what each is, an example of it, and positions to practise on.

The words stand in `lessons.json` in every language, the techniques in the teaching order, the
easiest first. A position is a puzzle with some digits filled in, and some candidates noted where
these matter. Examples were found by a search of our own among generated puzzles and stand in
`positions.json`. Tests hold them against the technique engine.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from app.help.assistance import HelpMessage, Progress
from app.help.hints import draw_step
from solver.formats_kinds import KindPuzzle, parse_kind_puzzle
from solver.generation.generate import generate_puzzles, warm_up_generator
from solver.generation.generate_kinds import KindOptions, generate_kind
from solver.human.position import Position, Step, Technique
from solver.human.technique_engine import (
    GaveUpError,
    Options,
    allow_searches,
    find_step,
    find_technique,
)
from solver.human.words import Words, translate
from solver.rules import CLASSIC_RULES, Kind
from solver.symmetry import random_transformation

_Text = Mapping[str, str]
"""What is said in each language, by its code."""


@dataclass(frozen=True)
class Lesson:
    """A page on a technique: what it says, how to find one, and what it puts or strikes."""

    what: _Text
    spot: _Text
    effect: _Text

    def tell(self, words: Words) -> tuple[str, str, str]:
        """Return the three texts in a language."""
        language = words.say(_LANGUAGE)
        return self.what[language], self.spot[language], self.effect[language]


def _load_lessons() -> dict[Technique, Lesson]:
    """Return the lessons in their order; a text that several have stands there once, by a name."""
    told = json.loads(Path(__file__).with_name("lessons.json").read_text(encoding="utf-8"))
    shared: dict[str, _Text] = told["shared"]
    lessons: dict[str, dict[str, str | _Text]] = told["lessons"]
    return {
        Technique[name]: Lesson(
            **{
                part: shared[text] if isinstance(text, str) else text
                for part, text in lesson.items()
            }
        )
        for name, lesson in lessons.items()
    }


LESSONS: Final = _load_lessons()
"""The techniques of the teaching order, the easiest first."""

_LANGUAGE: Final = translate("Help", "en")
"""The code of the language that a text is in: each language's translation of this is its own."""

# What stands on a page.
ON_BOARD: Final = translate("Help", "On your board now")
EXAMPLE: Final = translate("Help", "An example")
SPOT: Final = translate("Help", "How to spot it")
EFFECT: Final = translate("Help", "What follows")


def _load_positions() -> tuple[dict[Technique, str], ...]:
    """Return the stored positions of each technique, as `parse_kind_puzzle` reads them."""
    path = Path(__file__).with_name("positions.json")
    told: dict[str, dict[str, object]] = json.loads(path.read_text(encoding="utf-8"))
    return tuple(
        {
            Technique[name]: puzzle if isinstance(puzzle, str) else json.dumps(puzzle)
            for name, puzzle in told[part].items()
        }
        for part in ("needed_next", "needed_later", "shown_only")
    )


NEEDED_NEXT, NEEDED_LATER, SHOWN_ONLY = _load_positions()
"""Positions where nothing easier leads on; where the pattern can be seen, and is needed next once
easier steps have struck candidates; and where it can be seen, but other techniques lead on: of
18,080 new puzzles, none needed these next."""

EXAMPLES: Final = {**NEEDED_NEXT, **NEEDED_LATER, **SHOWN_ONLY}
"""One of each technique."""

_MOST_OTHERS: Final = 2_000
"""Steps of other techniques that are passed over on a board before the example is shown."""


@dataclass(frozen=True, eq=False)
class Pattern:
    """A technique at work on the digits of a puzzle, and whether that is the board at hand."""

    puzzle: KindPuzzle
    symbols: Sequence[str]
    told: HelpMessage
    is_at_hand: bool


def find_pattern(
    technique: Technique,
    progress: Progress | None,
    words: Words,
    check: Callable[[], None] = lambda: None,
) -> Pattern:
    """Return one of the `LESSONS` at work on the board at hand, or in its example.

    What `check` raises ends the work; it is called now and then.
    """
    found = None if progress is None else _find_at_hand(technique, progress, check)
    if found is not None and progress is not None:
        position, step = found
        told = draw_step(position, step, progress.fit(words))
        board = KindPuzzle(progress.rules, progress.grid)
        return Pattern(board, progress.symbols, told, is_at_hand=True)
    puzzle = parse_kind_puzzle(EXAMPLES[technique])
    position = Position.from_grid(puzzle.clues, puzzle.rules)
    shown = find_technique(position, technique, check)
    assert shown is not None  # a test holds that for every example
    told = draw_step(position, shown, replace(words, rules=puzzle.rules))
    return Pattern(puzzle, words.symbols, told, is_at_hand=False)


def _find_at_hand(
    technique: Technique, progress: Progress, check: Callable[[], None]
) -> tuple[Position, Step] | None:
    if progress.solution is None:
        return None
    position = progress.open_position()
    count = allow_searches(_MOST_OTHERS)

    def pass_over() -> None:
        check()
        count()

    try:
        step = find_technique(position, technique, pass_over)
    except GaveUpError:
        return None
    return (position, step) if step is not None and progress.agrees_with(step) else None


SEARCH_SECONDS: Final = 20.0
"""Before a stored position is taken: most techniques up to the X-wing are found in a second or two
(of 6,973 minimal puzzles, 1 in 21 needs a naked pair next at some point, 1 in 120 an X-wing)."""

_OPTIONS: Final = Options()
_BATCH: Final = 16
_NO_LIMIT: Final = 10**9
_KINDS: Final = {
    Technique.CAGE_COMBINATIONS: Kind.KILLER,
    Technique.INNIES_OUTIES: Kind.KILLER,
    Technique.CAGE_DIGIT: Kind.KILLER,
    Technique.HIDDEN_SINGLE: Kind.JIGSAW,
}
"""Where techniques are met that classic puzzles do not have."""

_MOST_TRIES: Final = 40
"""Rearrangements of a stored position; in some of them another step comes first."""


@dataclass(frozen=True, eq=False)
class Practice:
    """A position to practise on, with exactly one solution.

    Attributes:
        is_new: whether it was found among new puzzles, not taken from the stored ones.
        is_next: whether nothing easier leads on.
        notes: for each cell the digits that easier steps left there, as a sum of 2**digit; none
            where these steps strike nothing that matters.
    """

    puzzle: KindPuzzle
    is_new: bool = True
    is_next: bool = True
    notes: tuple[int, ...] = ()


def find_practice(
    technique: Technique,
    seed: int,
    may_go_on: Callable[[], bool],
    seconds: float = SEARCH_SECONDS,
    clock: Callable[[], float] = time.monotonic,
) -> Practice | None:
    """Look for a position that needs a technique next; None where the search was ended.

    Args:
        seed: not negative; another leads to another position.
        seconds: to look among new puzzles; then a stored position is rearranged.
    """
    end = clock() + (0.0 if technique in SHOWN_ONLY else seconds)

    def has_time() -> bool:
        return may_go_on() and clock() < end

    for puzzle in _make_puzzles(technique, seed, has_time):
        found = find_need(puzzle, technique, has_time)
        if found is not None:
            return found
    return _take_stored(technique, seed) if may_go_on() else None


def _make_puzzles(
    technique: Technique, seed: int, may_go_on: Callable[[], bool]
) -> Iterator[KindPuzzle]:
    """Make puzzles of the kind in which a technique is met."""
    if technique in _KINDS:
        yield from generate_kind(_NO_LIMIT, KindOptions(_KINDS[technique]), seed, may_go_on)
        return
    warm_up_generator(9)
    while may_go_on():
        for clues in generate_puzzles(_BATCH, seed=seed, may_go_on=may_go_on).puzzles:
            yield KindPuzzle(CLASSIC_RULES, clues)
        seed += 1


def next_technique(puzzle: KindPuzzle) -> Technique | None:
    """Return what is needed next where just these digits stand; None where nothing is found."""
    position = Position.from_grid(puzzle.clues, puzzle.rules)
    step = None if position.is_solved else find_step(position, _OPTIONS)
    return None if step is None else step.technique


def find_need(
    puzzle: KindPuzzle, technique: Technique, may_go_on: Callable[[], bool]
) -> Practice | None:
    """Solve a puzzle as a person would, and return what stands there in the end.

    It ends where the technique is needed next, with None where it never is. What was struck before
    is noted where the technique is one that hardly ever comes next without.
    """
    position = Position.from_grid(puzzle.clues, puzzle.rules)
    while not position.is_solved and may_go_on():
        step = find_step(position, _OPTIONS)
        if step is None:
            return None
        if step.technique is technique:
            reached = KindPuzzle(puzzle.rules, position.to_grid())
            if technique not in NEEDED_NEXT:
                return Practice(reached, notes=_note(position))
            # Whoever goes on from the digits alone has not struck anything yet.
            if next_technique(reached) is technique:
                return Practice(reached)
        position.apply(step)
    return None


def _take_stored(technique: Technique, seed: int) -> Practice:
    puzzle, random = parse_kind_puzzle(EXAMPLES[technique]), np.random.default_rng(seed)

    def rearrange() -> KindPuzzle:
        return replace(puzzle, clues=random_transformation(random).apply(puzzle.clues))

    if technique in SHOWN_ONLY:
        other = rearrange()
        notes = _note(Position.from_grid(other.clues))
        return Practice(other, is_new=False, is_next=False, notes=notes)
    for _ in range(_MOST_TRIES if puzzle.rules == CLASSIC_RULES else 0):
        found = find_need(rearrange(), technique, lambda: True)
        if found is not None:
            return replace(found, is_new=False)
    found = find_need(puzzle, technique, lambda: True)
    assert found is not None  # a test holds that for every example
    return replace(found, is_new=False)


def _note(position: Position) -> tuple[int, ...]:
    """Return the candidates of each cell, as a sum of 2**digit."""
    return tuple(2 * candidates for candidates in position.cells)
