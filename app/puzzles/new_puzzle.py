"""What a new puzzle shall be like, in the terms of people, for the generator."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from solver.generation.generate import (
    GenerateOptions,
    Symmetry,
    generate_puzzles,
    warm_up_generator,
)
from solver.grid import Grid
from solver.human.rating import Level, name_score, rate
from solver.human.technique_engine import GaveUpError

CLUES_OF_EASY: Final = 32
"""Half of the puzzles with so many clues are easy, of minimal ones 1 in 60 (60 of each, rated)."""

_NO_LIMIT: Final = 10**12
"""Attempts; it is the person who ends the work."""

_SCORES: Final = tuple(tenths / 10 for tenths in range(151))


class _EndedError(Exception):
    """Nobody waits for the puzzle any longer, though one is still being rated."""


@dataclass(frozen=True)
class PuzzleWish:
    """What is wanted.

    Attributes:
        level: how hard; None for any.
        symmetry: of the pattern of clues.
    """

    level: Level | None = None
    symmetry: Symmetry = Symmetry.NONE


def make_puzzle(wish: PuzzleWish, seed: int, may_go_on: Callable[[], bool]) -> Grid | None:
    """Return a new puzzle, proved to have exactly one solution; None where the work was ended.

    Args:
        wish: what is wanted.
        seed: not negative; another leads to another puzzle.
        may_go_on: asked now and then.
    """

    def check() -> None:
        if not may_go_on():
            raise _EndedError

    def rate_one(puzzle: Grid) -> float:
        try:
            return rate(puzzle, check).score
        except GaveUpError:
            return math.nan  # which is no difficulty that anybody wishes for

    options = GenerateOptions(
        clues=_count_clues(wish),
        symmetry=wish.symmetry,
        rate=None if wish.level is None else rate_one,
        difficulty=scores_of(wish.level),
        attempts=_NO_LIMIT,
    )
    warm_up_generator(options.side)
    try:
        made = generate_puzzles(1, options, seed, may_go_on=may_go_on).puzzles
    except _EndedError:
        return None
    return made[0] if len(made) else None


def scores_of(level: Level | None) -> tuple[float, float]:
    """Return the least and the greatest score that has this name."""
    scores = [score for score in _SCORES if name_score(score) is level]
    return (scores[0], scores[-1]) if scores else (-math.inf, math.inf)


def _count_clues(wish: PuzzleWish) -> int | None:
    return CLUES_OF_EASY if wish.level is Level.EASY else None
