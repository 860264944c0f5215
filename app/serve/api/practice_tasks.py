"""What is asked for by who has no puzzle, or wants to learn: new puzzles, lessons, practice."""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from app.help.assistance import Progress
from app.help.technique_lessons import LESSONS
from app.help.technique_pictures import find_pattern
from app.help.technique_practice import find_practice
from app.puzzles.new_puzzle import PuzzleWish, make_puzzle, sides_of
from app.serve.api.phone_words import words_of
from app.serve.api.problems import Problem, ProblemError
from app.serve.api.puzzle_tasks import PuzzleTask, describe, look_at, tell_lesson
from solver.formats_kinds import format_cells, format_kind_fields
from solver.grid import format_grid
from solver.human.technique import Technique

if TYPE_CHECKING:
    from app.recognition.pipeline import Pipeline

_MAKING_SECONDS: Final = 20.0
"""For a new puzzle: less than a worker may take, so that it ends by itself."""

_LOOKING_SECONDS: Final = 12.0
"""For practice among new puzzles, before a stored position is taken."""


@dataclass(frozen=True)
class LessonTask:
    """A lesson that is wanted.

    Attributes:
        technique: a name of `app.help.technique_lessons.LESSONS` in small letters; None for the
            easiest.
        language: of `app.terminal.languages.LANGUAGES`.
        board: the classic puzzle at hand; None where there is none.
    """

    technique: str | None
    language: str
    board: PuzzleTask | None = None


def make_new(
    pipeline: "Pipeline", wish: PuzzleWish, seconds: float = _MAKING_SECONDS
) -> dict[str, Any]:
    """Make a puzzle with exactly one solution.

    Raises:
        ProblemError: if no puzzle can be so, or none was made in time.
    """
    if wish.side not in sides_of(wish.kind) or (wish.level is not None and not wish.is_rated):
        raise ProblemError(Problem.INVALID)
    made = make_puzzle(wish, secrets.randbits(32), _until(seconds))
    if made is None:
        raise ProblemError(Problem.TOO_HARD)
    rules = None if wish.is_rated else made.rules
    nowhere = _nowhere(made.rules.width)
    solution = pipeline.solve_clues(made.clues, nowhere, rules=rules).solution
    if solution is None:
        raise ProblemError(Problem.TOO_HARD)
    return {**format_kind_fields(made), "solution": format_cells(made.rules, solution)}


def find_position(
    pipeline: "Pipeline", technique: str, seconds: float = _LOOKING_SECONDS
) -> dict[str, Any]:
    """Look for a position that needs a technique next.

    Raises:
        ProblemError: if there is no lesson on it, or none was found.
    """
    wanted = _lesson_on(technique)
    found = find_practice(wanted, secrets.randbits(32), lambda: True, seconds)
    if found is None:
        raise ProblemError(Problem.TOO_HARD)
    solution = pipeline.solve_clues(found.grid, _nowhere(9)).solution
    assert solution is not None  # every position has exactly one
    return {
        "clues": format_grid(found.grid),
        "solution": format_grid(solution),
        "is_new": found.is_new,
    }


def tell_technique(pipeline: "Pipeline", task: LessonTask) -> dict[str, Any]:
    """Tell of a technique, and show it on the board at hand or in an example.

    Raises:
        ProblemError: if there is no lesson on it.
    """
    words = words_of(task.language)
    technique = next(iter(LESSONS)) if task.technique is None else _lesson_on(task.technique)
    progress: Progress | None = None
    if task.board is not None:
        progress, _ = look_at(pipeline, task.board)
    shown = find_pattern(technique, progress, words)
    return {
        "names": [{"technique": one.name.lower(), "name": words.technique(one)} for one in LESSONS],
        "lesson": tell_lesson(technique, words),
        "is_at_hand": shown.is_at_hand,
        "clues": format_grid(shown.grid),
        "text": shown.told.text,
        **describe(shown.told.highlight),
    }


def _lesson_on(name: str) -> Technique:
    technique = next((one for one in LESSONS if one.name.lower() == name), None)
    if technique is None:
        raise ProblemError(Problem.INVALID)
    return technique


def _nowhere(width: int) -> npt.NDArray[np.float32]:
    """Return the lattice of a puzzle without a photo."""
    return np.zeros((width + 1, width + 1, 2), np.float32)


def _until(seconds: float) -> Callable[[], bool]:
    end = time.monotonic() + seconds
    return lambda: time.monotonic() < end
