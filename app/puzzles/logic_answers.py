"""What `sudoku-lens puzzle` answers by human logic: a hint, every step, or the difficulty."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from app.puzzles.puzzle_answers import Answer, Answerer
from app.recognition.outcome import Outcome
from app.terminal.exits import ExitCode
from solver.formats_kinds import KindPuzzle, format_cells, format_kind_fields
from solver.grid import Grid
from solver.human.masks import RuleMasks, masks_of
from solver.human.rating import rate
from solver.human.step import Step, name_cell
from solver.human.technique_engine import GaveUpError
from solver.human.walk import Strength, UnsuitablePuzzleError, next_step, solve_path, tell_hint
from solver.rules import box_rules

HINT: Final = "hint"
RATED: Final = "rated"
"""Outcomes beside those of `app.recognition.outcome.Outcome`: what was asked for was given."""


def choose_logic(hint: str | None, *, explain: bool) -> Answerer:
    """Return what answers with a hint of this strength, with all steps, or with a rating."""

    def answer(clues: Grid) -> Answer:
        return answer_with_logic(KindPuzzle(box_rules(len(clues)), clues), hint, explain=explain)

    return answer


def answer_with_logic(puzzle: KindPuzzle, hint: str | None, *, explain: bool) -> Answer:
    """Answer with a hint of this strength, with all steps, or with a rating; see `choose_logic`.

    Where a puzzle has no steps, that says which solutions keep it from them, or that it was given
    up.
    """
    tell: Callable[[KindPuzzle], Answer] = _tell_path if explain else _tell_rating
    if hint is not None:
        tell = partial(_tell_hint, strength=Strength[hint.upper()])
    try:
        return tell(puzzle)
    except UnsuitablePuzzleError as error:
        outcome = Outcome.AMBIGUOUS if error.solutions else Outcome.NO_SOLUTION
        return _decline(puzzle, outcome, str(error))
    except GaveUpError as error:
        return _decline(puzzle, Outcome.GAVE_UP, str(error))


def _tell_hint(puzzle: KindPuzzle, strength: Strength) -> Answer:
    clues, rules = puzzle.clues, puzzle.rules
    step = next_step(clues, rules=rules)  # which refuses a full grid that breaks the rules
    if step is None and clues.ravel()[list(rules.cells)].all():
        text = "The puzzle is solved."
        return _say(puzzle, Outcome.SOLVED.value, text, {"hint": text, "units": []})
    if step is None:
        return _decline(puzzle, Outcome.GAVE_UP, "no technique finds a step")
    masks = masks_of(rules)
    told = tell_hint(step, strength, masks)
    fields: dict[str, object] = {"hint": told.text, "units": list(told.units)}
    if strength is not Strength.WHERE:
        fields["technique"] = step.technique.label
    if strength is Strength.STEP:
        fields["step"] = _describe_step(step, masks)
    return _say(puzzle, HINT, told.text, fields)


def _tell_path(puzzle: KindPuzzle) -> Answer:
    masks = masks_of(puzzle.rules)
    path = solve_path(puzzle.clues, rules=puzzle.rules)
    lines = []
    for number, step in enumerate(path.steps, start=1):
        rated = f" ({step.rating})" if step.rating else ""
        lines.append(f"{number}. {step.technique.label}{rated}: {step.explanation}")
    end = format_cells(puzzle.rules, path.grid)
    outcome = Outcome.SOLVED if path.is_solved else Outcome.GAVE_UP
    if path.is_cut:
        lines.append("The puzzle was given up here, as it takes too much work:")
    elif not path.is_solved:
        lines.append("No technique goes on from here:")
    text = "\n".join([*lines, end])
    fields: dict[str, object] = {
        "outcome": outcome.value,
        **_describe(puzzle),
        "solution": end if path.is_solved else None,
        "steps": [_describe_step(step, masks) for step in path.steps],
        "reached": end,
    }
    code = ExitCode.SOLVED if path.is_solved else ExitCode.NOT_SOLVED
    return Answer(code, text, text, f"{len(path.steps)} steps", fields)


def _tell_rating(puzzle: KindPuzzle) -> Answer:
    clues = puzzle.clues
    rating = rate(clues)
    technique = None if rating.technique is None else rating.technique.label
    hardest = technique or ("nothing to do" if clues.all() else "beyond the techniques")
    fields: dict[str, object] = {
        "rating": rating.score,
        "level": rating.level.value,
        "technique": technique,
    }
    return _say(puzzle, RATED, f"{rating.score:.1f} {rating.level.value}, {hardest}", fields)


def _describe_step(step: Step, masks: RuleMasks) -> dict[str, Any]:
    return {
        "technique": step.technique.label,
        "rating": step.rating or None,
        "explanation": step.explanation,
        "cells": list(step.cells),
        "units": list(step.units),
        "placements": [{"cell": name_cell(cell, masks), "digit": d} for cell, d in step.placements],
        "eliminations": [
            {"cell": name_cell(cell, masks), "digit": d} for cell, d in step.eliminations
        ],
    }


def _describe(puzzle: KindPuzzle) -> dict[str, object]:
    """Return the clues, and the rules where the clues do not tell them."""
    if puzzle.rules.is_classic:
        return {"clues": format_cells(puzzle.rules, puzzle.clues)}
    return format_kind_fields(puzzle)


def _say(puzzle: KindPuzzle, outcome: str, text: str, fields: dict[str, object]) -> Answer:
    told = {"outcome": outcome, **_describe(puzzle), **fields}
    return Answer(ExitCode.SOLVED, text, text, "", told)


def _decline(puzzle: KindPuzzle, outcome: Outcome, remark: str) -> Answer:
    fields: dict[str, object] = {"outcome": outcome.value, **_describe(puzzle)}
    return Answer(ExitCode.NOT_SOLVED, outcome.value, outcome.value, remark, fields)
