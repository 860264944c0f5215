"""Positions that need a certain technique next: found among new puzzles, or taken from a few.

A position is a puzzle with some digits filled in, and some candidates noted where these matter.
What it needs next is the first step in the teaching order, so whatever is easier leads no further
there.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from app.help.technique_examples import EXAMPLES, NEEDED_NEXT, SHOWN_ONLY
from solver.formats_kinds import KindPuzzle, parse_kind_puzzle
from solver.generation.generate import generate_puzzles, warm_up_generator
from solver.generation.generate_kinds import KindOptions, generate_kind
from solver.grid import Grid
from solver.human.position import Position
from solver.human.step import Technique
from solver.human.technique_engine import Options, find_step
from solver.rules import Kind, Rules, box_rules
from solver.symmetry import random_transformation

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
    """A position to practise on.

    Attributes:
        grid: (9, 9) uint8, with exactly one solution.
        is_new: whether it was found among new puzzles, not taken from the stored ones.
        is_next: whether nothing easier leads on.
        rules: of the puzzle; None for the usual ones.
        notes: for each cell the digits that easier steps left there, as a sum of 2**digit; none
            where these steps strike nothing that matters.
    """

    grid: Grid
    is_new: bool = True
    is_next: bool = True
    rules: Rules | None = None
    notes: tuple[int, ...] = ()


def find_practice(
    technique: Technique,
    seed: int,
    may_go_on: Callable[[], bool],
    seconds: float = SEARCH_SECONDS,
    clock: Callable[[], float] = time.monotonic,
) -> Practice | None:
    """Look for a position that needs a technique next.

    Args:
        technique: that is wanted.
        seed: not negative; another leads to another position.
        may_go_on: asked before each step; the search ends where it returns False.
        seconds: to look among new puzzles; then a stored position is rearranged.
        clock: tells the time in seconds.

    Returns:
        None where the search was ended.
    """
    end = clock() + (0.0 if technique in SHOWN_ONLY else seconds)

    def has_time() -> bool:
        return may_go_on() and clock() < end

    for puzzle in _make_puzzles(technique, seed, has_time):
        rules = None if puzzle.rules.kind is Kind.CLASSIC else puzzle.rules
        found = find_need(puzzle.clues, technique, has_time, rules)
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
    batch, rules = seed, box_rules(9)
    while may_go_on():
        for clues in generate_puzzles(_BATCH, seed=batch, may_go_on=may_go_on).puzzles:
            yield KindPuzzle(rules, clues)
        batch += 1


def next_technique(grid: Grid, rules: Rules | None = None) -> Technique | None:
    """Return what is needed next where just these digits stand; None where nothing is found."""
    position = Position.from_grid(grid, rules)
    step = None if position.is_solved else find_step(position, _OPTIONS)
    return None if step is None else step.technique


def find_need(
    puzzle: Grid, technique: Technique, may_go_on: Callable[[], bool], rules: Rules | None = None
) -> Practice | None:
    """Solve a puzzle as a person would until it needs a technique next.

    Args:
        puzzle: (9, 9) uint8, with exactly one solution.
        technique: that is wanted.
        may_go_on: asked before each step.
        rules: of the puzzle; None for the usual ones.

    Returns:
        What stands there then. What was struck before is noted where the technique is one that
        hardly ever comes next without; None where the puzzle never needs it.
    """
    position = Position.from_grid(puzzle, rules)
    while not position.is_solved and may_go_on():
        step = find_step(position, _OPTIONS)
        if step is None:
            return None
        if step.technique is technique:
            grid = position.to_grid()
            if technique not in NEEDED_NEXT:
                return Practice(grid, rules=rules, notes=_note(position))
            # Whoever goes on from the digits alone has not struck anything yet.
            if next_technique(grid, rules) is technique:
                return Practice(grid, rules=rules)
        position.apply(step)
    return None


def _take_stored(technique: Technique, seed: int) -> Practice:
    """Return a stored position, a classic one in another guise, which shows the same technique."""
    puzzle, random = parse_kind_puzzle(EXAMPLES[technique]), np.random.default_rng(seed)
    is_classic = puzzle.rules.kind is Kind.CLASSIC
    rules = None if is_classic else puzzle.rules
    for _ in range(_MOST_TRIES if is_classic and technique not in SHOWN_ONLY else 0):
        other = random_transformation(random).apply(puzzle.clues)
        found = find_need(other, technique, lambda: True)
        if found is not None:
            return replace(found, is_new=False)
    if technique in SHOWN_ONLY:
        grid = random_transformation(random).apply(puzzle.clues)
        notes = _note(Position.from_grid(grid))
        return Practice(grid, is_new=False, is_next=False, notes=notes)
    found = find_need(puzzle.clues, technique, lambda: True, rules)
    assert found is not None  # a test holds that for every example
    return replace(found, is_new=False)


def _note(position: Position) -> tuple[int, ...]:
    """Return the candidates of each cell, as a sum of 2**digit."""
    return tuple(2 * candidates for candidates in position.cells)
