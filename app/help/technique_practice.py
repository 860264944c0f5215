"""Positions that need a certain technique next: found among new puzzles, or taken from a few.

A position is a puzzle with some digits filled in. What it needs next is the first step in the
teaching order, so whatever is easier leads no further there.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from app.help.technique_examples import NEEDED_NEXT
from solver.generation.generate import generate_puzzles, warm_up_generator
from solver.grid import Grid, parse_grid
from solver.human.position import Position
from solver.human.technique import Technique
from solver.human.technique_engine import Options, find_step
from solver.symmetry import random_transformation

SEARCH_SECONDS: Final = 20.0
"""Before a stored position is taken: most techniques up to the X-wing are found in a second or two
(of 6,973 minimal puzzles, 1 in 21 needs a naked pair next at some point, 1 in 120 an X-wing)."""

_OPTIONS: Final = Options()
_BATCH: Final = 16
_MOST_TRIES: Final = 40
"""Rearrangements of a stored position; in some of them another step comes first."""


@dataclass(frozen=True, eq=False)
class Practice:
    """A position to practise on.

    Attributes:
        grid: (9, 9) uint8, with exactly one solution.
        is_new: whether it was found among new puzzles, not taken from the stored ones.
    """

    grid: Grid
    is_new: bool


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
        None where nothing was found, or the search was ended.
    """
    warm_up_generator(9)
    end = clock() + seconds
    batch = seed
    while clock() < end and may_go_on():
        for puzzle in generate_puzzles(_BATCH, seed=batch, may_go_on=may_go_on).puzzles:
            found = find_need(puzzle, technique, lambda: may_go_on() and clock() < end)
            if found is not None:
                return Practice(found, is_new=True)
        batch += 1
    stored = _rearrange(technique, seed) if may_go_on() else None
    return None if stored is None else Practice(stored, is_new=False)


def next_technique(grid: Grid) -> Technique | None:
    """Return what is needed next where just these digits stand; None where nothing is found."""
    position = Position.from_grid(grid)
    step = None if position.is_solved else find_step(position, _OPTIONS)
    return None if step is None else step.technique


def find_need(puzzle: Grid, technique: Technique, may_go_on: Callable[[], bool]) -> Grid | None:
    """Solve a puzzle as a person would until it needs a technique next.

    Args:
        puzzle: (9, 9) uint8, with exactly one solution.
        technique: that is wanted.
        may_go_on: asked before each step.

    Returns:
        The digits that stand there then, without what was struck before; None where it never does.
    """
    position = Position.from_grid(puzzle)
    while not position.is_solved and may_go_on():
        step = find_step(position, _OPTIONS)
        if step is None:
            return None
        if step.technique is technique:
            # Whoever goes on from the digits alone has not struck anything yet.
            grid = position.to_grid()
            if next_technique(grid) is technique:
                return grid
        position.apply(step)
    return None


def _rearrange(technique: Technique, seed: int) -> Grid | None:
    """Return a stored position in another guise, which needs the same technique next."""
    stored = NEEDED_NEXT.get(technique)
    if stored is None:
        return None
    grid, random = parse_grid(stored), np.random.default_rng(seed)
    for _ in range(_MOST_TRIES):
        other = random_transformation(random).apply(grid)
        if next_technique(other) is technique:
            return other
    return grid
