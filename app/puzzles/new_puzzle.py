"""What a new puzzle shall be like, in the terms of people, for the generator."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from solver.formats_kinds import KindPuzzle
from solver.generation.generate import (
    GenerateOptions,
    Symmetry,
    generate_puzzles,
    warm_up_generator,
)
from solver.generation.generate_kinds import KindOptions, generate_kind
from solver.grid import Grid
from solver.human.technique_engine import GaveUpError
from solver.human.walk import Level, name_score, rate
from solver.rules import CLASSIC_RULES, SAMURAI_GRIDS, Kind, samurai_rules

CLUES_OF_EASY: Final = 32
"""Half of the puzzles with so many clues are easy, of minimal ones 1 in 60 (60 of each, rated)."""

_CLUES: Final = 0.35
_CLUES_OF_LARGE: Final = 0.45
"""Of the cells of a puzzle that is not rated, beyond side 9 in the second: some 28 of 81, as in
newspapers, and at side 16 made in seconds."""

_NO_LIMIT: Final = 10**12
"""Attempts; it is the person, or the time, that ends the work."""

_SCORES: Final = tuple(tenths / 10 for tenths in range(151))


class _EndedError(Exception):
    """Nobody waits for the puzzles any longer, though one is still being rated."""


@dataclass(frozen=True)
class PuzzleWish:
    """What is wanted; only classic puzzles of side 9 have a scale of how hard they are.

    A killer has no pattern of clues. Sides are those of `sides_of`, grids of `SAMURAI_GRIDS`.
    """

    level: Level | None = None
    symmetry: Symmetry = Symmetry.NONE
    kind: Kind = Kind.CLASSIC
    side: int = 9
    n_grids: int = 5

    @property
    def is_rated(self) -> bool:
        """Whether there is a scale of how hard such puzzles are."""
        return self.kind is Kind.CLASSIC and self.side == 9


def sides_of(kind: Kind) -> tuple[int, ...]:
    """Return the sides of new puzzles of a kind."""
    if kind is Kind.SAMURAI:
        return (9,)
    if kind is Kind.WINDOKU:
        return (9, 16)
    return (4, 6, 8, 9) if kind is Kind.KILLER else (4, 6, 8, 9, 10, 12, 16)


def make_puzzle(wish: PuzzleWish, seed: int, may_go_on: Callable[[], bool]) -> KindPuzzle | None:
    """Return a new puzzle, proved to have exactly one solution; None where the work was ended."""
    if wish.is_rated:
        warm_up_generator(wish.side)
        planned = plan_classic(wish.level, may_go_on, symmetry=wish.symmetry)
        found = generate_puzzles(1, planned, seed, may_go_on=may_go_on).puzzles
        return KindPuzzle(CLASSIC_RULES, found[0]) if len(found) else None
    is_killer = wish.kind is Kind.KILLER
    share = _CLUES_OF_LARGE if wish.side > 9 else _CLUES
    n_cells = wish.side**2
    if wish.kind is Kind.SAMURAI:
        n_cells = len(samurai_rules(SAMURAI_GRIDS[wish.n_grids]).cells)
    options = KindOptions(
        wish.kind,
        wish.side,
        clues=None if is_killer else round(share * n_cells),
        symmetry=Symmetry.NONE if is_killer else wish.symmetry,
        n_grids=wish.n_grids,
    )
    made = next(generate_kind(1, options, seed, may_go_on), None)
    return made if may_go_on() else None


def plan_classic(
    level: Level | None,
    may_go_on: Callable[[], bool],
    *,
    side: int = 9,
    clues: int | None = None,
    symmetry: Symmetry = Symmetry.NONE,
) -> GenerateOptions:
    """Return how classic puzzles are made until `may_go_on` says no.

    Args:
        level: how hard they are; None for any.
        clues: how many; None for as few as can be, or as many as most easy ones have.

    Raises:
        ValueError: if there are no such puzzles.
    """

    def check() -> None:
        if not may_go_on():
            raise _EndedError

    def rate_one(puzzle: Grid) -> float:
        try:
            check()
            return rate(puzzle, check).score
        except (GaveUpError, _EndedError):
            return math.nan  # which is no difficulty that anybody wishes for

    scores = [score for score in _SCORES if name_score(score) is level]
    return GenerateOptions(
        side=side,
        clues=CLUES_OF_EASY if level is Level.EASY and clues is None else clues,
        symmetry=symmetry,
        rate=None if level is None else rate_one,
        difficulty=(scores[0], scores[-1]) if scores else (-math.inf, math.inf),
        attempts=_NO_LIMIT,
    )
