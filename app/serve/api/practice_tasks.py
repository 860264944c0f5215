"""What is asked for by who has no puzzle, or wants to learn: new puzzles, lessons, practice."""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from app.help.technique_lessons import LESSONS
from app.help.technique_practice import find_pattern, find_practice
from app.puzzles.new_puzzle import PuzzleWish, make_puzzle, sides_of
from app.serve.api.problems import Problem, ProblemError
from app.serve.api.puzzle_tasks import PuzzleTask, describe, take_up, tell_lesson, words_of
from solver.formats_kinds import KindPuzzle, format_cells, format_kind_fields
from solver.grid import Grid
from solver.human.step import Technique
from solver.rules import Rules, box_rules

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
        language: of `app.help.help_words.LANGUAGES`.
        puzzle: that is at hand; None where there is none.
    """

    technique: str | None
    language: str
    puzzle: PuzzleTask | None = None


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
    solution = _solve(pipeline, made.clues, None if wish.is_rated else made.rules)
    if solution is None:
        raise ProblemError(Problem.TOO_HARD)
    return {**format_kind_fields(made), "solution": solution}


def find_position(
    pipeline: "Pipeline", technique: str, seconds: float = _LOOKING_SECONDS
) -> dict[str, Any]:
    """Look for a position that needs a technique next.

    Raises:
        ProblemError: if there is no lesson on it.
    """
    found = find_practice(_lesson_on(technique), secrets.randbits(32), lambda: True, seconds)
    assert found is not None  # it is None only where the search is called off
    solution = _solve(pipeline, found.grid, found.rules)
    assert solution is not None  # every position has exactly one
    state = {"is_new": found.is_new, "is_next": found.is_next}
    return {
        **_describe_puzzle(found.grid, found.rules),
        "solution": solution,
        "notes": list(found.notes),
        **state,
    }


def tell_technique(pipeline: "Pipeline", task: LessonTask) -> dict[str, Any]:
    """Tell of a technique, and show it on the board at hand or in an example.

    Raises:
        ProblemError: if there is no lesson on it.
    """
    words = words_of(task.language)
    technique = next(iter(LESSONS)) if task.technique is None else _lesson_on(task.technique)
    progress = None if task.puzzle is None else take_up(pipeline, task.puzzle)
    shown = find_pattern(technique, progress, words)
    return {
        "names": [{"technique": one.name.lower(), "name": words.technique(one)} for one in LESSONS],
        "lesson": tell_lesson(technique, words),
        "is_at_hand": shown.is_at_hand,
        **_describe_puzzle(shown.grid, shown.rules),
        "text": shown.told.text,
        **describe(shown.told.highlight),
    }


def _lesson_on(name: str) -> Technique:
    technique = next((one for one in LESSONS if one.name.lower() == name), None)
    if technique is None:
        raise ProblemError(Problem.INVALID)
    return technique


def _describe_puzzle(clues: Grid, rules: Rules | None) -> dict[str, object]:
    return format_kind_fields(KindPuzzle(rules or box_rules(len(clues)), clues))


def _solve(pipeline: "Pipeline", clues: Grid, rules: Rules | None) -> str | None:
    """Return the verified solution of a puzzle without a photo, None where there is none."""
    nowhere = np.zeros((len(clues) + 1, len(clues) + 1, 2), np.float32)
    solution = pipeline.solve_clues(clues, nowhere, rules=rules).solution
    return None if solution is None else format_cells(rules or box_rules(len(clues)), solution)


def _until(seconds: float) -> Callable[[], bool]:
    end = time.monotonic() + seconds
    return lambda: time.monotonic() < end
