"""Rates puzzles by the hardest technique that they need."""

import enum
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from solver.grid import Grid
from solver.human.position import Technique
from solver.human.technique_engine import MOST_SEARCHES, GaveUpError, Options, TechniqueOrder
from solver.human.walk import solve_path


class Level(enum.Enum):
    """A rating's name for people."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    EXPERT = "expert"
    EXTREME = "extreme"


@dataclass(frozen=True)
class Rating:
    """How hard a puzzle is.

    Attributes:
        score: on the Sudoku Explainer scale, that of the hardest step when always the easiest is
            taken; 0 for a full grid, `BEYOND` where the techniques do not solve the puzzle.
        level: the score's name.
        technique: of the hardest step; None for a full grid or a puzzle that was not solved.
    """

    score: float
    level: Level
    technique: Technique | None


BEYOND: Final = 10.0
"""The score of puzzles beyond the techniques; Sudoku Explainer goes up to about 12."""

_LEVELS: Final = ((1.5, Level.EASY), (2.5, Level.MEDIUM), (5.0, Level.HARD), (7.5, Level.EXPERT))
"""Scores below which a level holds. The first three are those of the Sudoku Exchange's puzzle
bank; the last parts single chains from those with branches."""


def name_score(score: float) -> Level:
    """Return the name of a score."""
    return next((level for below, level in _LEVELS if score < below), Level.EXTREME)


def rate(
    clues: Grid, before_step: Callable[[], None] = lambda: None, most_searches: int = MOST_SEARCHES
) -> Rating:
    """Rate a puzzle with one solution.

    Args:
        clues: (9, 9) uint8, 0 = empty.
        before_step: is called before each step of the solution; what it raises ends the work.
        most_searches: for techniques.

    Raises:
        UnsuitablePuzzleError: if the puzzle has no solution or several.
        GaveUpError: if that takes too long to prove, or it takes more searches.
        ValueError: if it is no grid.
    """
    path = solve_path(clues, Options(TechniqueOrder.RATING), before_step, most_searches)
    if path.is_cut:
        raise GaveUpError(f"{most_searches:,} searches for techniques")
    if not path.is_solved:
        return Rating(BEYOND, Level.EXTREME, None)
    hardest = path.hardest
    if hardest is None:
        return Rating(0.0, Level.EASY, None)
    return Rating(hardest.rating, name_score(hardest.rating), hardest.technique)
