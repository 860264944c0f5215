"""What `sudoku-lens puzzle` answers by human logic: a hint, every step, or the difficulty."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from app.puzzles.puzzle_answers import Answer, Answerer
from app.recognition.outcome import Outcome
from app.terminal.exits import ExitCode
from solver.grid import Grid, format_grid
from solver.human.hints import Strength, tell_hint
from solver.human.rating import rate
from solver.human.step import Step, name_cell
from solver.human.technique_engine import GaveUpError
from solver.human.walk import UnsuitablePuzzleError, next_step, solve_path

HINT: Final = "hint"
RATED: Final = "rated"
"""Outcomes beside those of `app.recognition.outcome.Outcome`: what was asked for was given."""


def choose_logic(hint: str | None, *, explain: bool) -> Answerer:
    """Return what answers with a hint of this strength, with all steps, or with a rating."""
    if hint is not None:
        return partial(_answer, tell=partial(_tell_hint, strength=Strength[hint.upper()]))
    return partial(_answer, tell=_tell_path if explain else _tell_rating)


def _answer(clues: Grid, tell: Callable[[Grid], Answer]) -> Answer:
    """Answer, or say which solutions keep a puzzle from having steps, or that it was given up."""
    try:
        return tell(clues)
    except UnsuitablePuzzleError as error:
        outcome = Outcome.AMBIGUOUS if error.solutions else Outcome.NO_SOLUTION
        return _decline(clues, outcome, str(error))
    except GaveUpError as error:
        return _decline(clues, Outcome.GAVE_UP, str(error))


def _tell_hint(clues: Grid, strength: Strength) -> Answer:
    step = next_step(clues)  # which refuses a full grid that breaks the rules
    if step is None and clues.all():
        text = "The puzzle is solved."
        return _say(clues, Outcome.SOLVED.value, text, {"hint": text, "units": []})
    if step is None:
        return _decline(clues, Outcome.GAVE_UP, "no technique finds a step")
    told = tell_hint(step, strength)
    fields: dict[str, object] = {"hint": told.text, "units": list(told.units)}
    if strength is not Strength.WHERE:
        fields["technique"] = step.technique.label
    if strength is Strength.STEP:
        fields["step"] = _describe_step(step)
    return _say(clues, HINT, told.text, fields)


def _tell_path(clues: Grid) -> Answer:
    path = solve_path(clues)
    lines = [
        f"{number}. {step.technique.label} ({step.rating}): {step.explanation}"
        for number, step in enumerate(path.steps, start=1)
    ]
    end = format_grid(path.grid)
    outcome = Outcome.SOLVED if path.is_solved else Outcome.GAVE_UP
    if path.is_cut:
        lines.append("The puzzle was given up here, as it takes too much work:")
    elif not path.is_solved:
        lines.append("No technique goes on from here:")
    text = "\n".join([*lines, end])
    fields: dict[str, object] = {
        "outcome": outcome.value,
        "clues": format_grid(clues),
        "solution": end if path.is_solved else None,
        "steps": [_describe_step(step) for step in path.steps],
        "reached": end,
    }
    code = ExitCode.SOLVED if path.is_solved else ExitCode.NOT_SOLVED
    return Answer(code, text, text, f"{len(path.steps)} steps", fields)


def _tell_rating(clues: Grid) -> Answer:
    rating = rate(clues)
    technique = None if rating.technique is None else rating.technique.label
    hardest = technique or ("nothing to do" if clues.all() else "beyond the techniques")
    fields: dict[str, object] = {
        "rating": rating.score,
        "level": rating.level.value,
        "technique": technique,
    }
    return _say(clues, RATED, f"{rating.score:.1f} {rating.level.value}, {hardest}", fields)


def _describe_step(step: Step) -> dict[str, Any]:
    return {
        "technique": step.technique.label,
        "rating": step.rating,
        "explanation": step.explanation,
        "cells": list(step.cells),
        "units": list(step.units),
        "placements": [{"cell": name_cell(cell), "digit": d} for cell, d in step.placements],
        "eliminations": [{"cell": name_cell(cell), "digit": d} for cell, d in step.eliminations],
    }


def _say(clues: Grid, outcome: str, text: str, fields: dict[str, object]) -> Answer:
    told = {"outcome": outcome, "clues": format_grid(clues), **fields}
    return Answer(ExitCode.SOLVED, text, text, "", told)


def _decline(clues: Grid, outcome: Outcome, remark: str) -> Answer:
    fields: dict[str, object] = {"outcome": outcome.value, "clues": format_grid(clues)}
    return Answer(ExitCode.NOT_SOLVED, outcome.value, outcome.value, remark, fields)
