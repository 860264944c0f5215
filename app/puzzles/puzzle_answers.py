"""What `sudoku-lens puzzle` answers about one puzzle: its solutions, or its steps."""

import math
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, cast

from app.recognition.outcome import Outcome
from app.terminal.exit_codes import ExitCode
from solver.base import Limits, Result, RuleSolver, Solver, Status
from solver.exact.bitmask import search
from solver.formats_kinds import KindPuzzle, draw_kind, format_cells, format_kind_fields
from solver.grid import Grid, draw_grid, format_grid
from solver.human.masks import RuleMasks, masks_of
from solver.human.position import Step
from solver.human.reasons import explain
from solver.human.technique_engine import GaveUpError
from solver.human.walk import (
    Strength,
    UnsuitablePuzzleError,
    make_hint,
    next_step,
    rate,
    solve_path,
)
from solver.human.words import Words
from solver.rules import Rules, box_rules

_COUNTED: Final = "counted"
"""The outcome of a count that came to its end; see `recognition.outcome.Outcome` for the others."""

BAD_PUZZLE: Final = "bad_puzzle"
"""The outcome of a line that holds no puzzle."""

_HINT: Final = "hint"
_RATED: Final = "rated"
"""Outcomes beside those of `app.recognition.outcome.Outcome`: what was asked for was given."""

SECONDS: Final = 10.0
"""How long solving or counting a puzzle may take where nothing else is asked for."""


@dataclass(frozen=True)
class Answer:
    """An answer about one puzzle.

    Attributes:
        text: for stdout; one line, save for the path of a whole solution.
        drawn: the same for a person at a terminal.
        fields: the same for programs, as names and values of a JSON object.
    """

    code: ExitCode
    text: str
    drawn: str
    remark: str
    fields: dict[str, object]


Answerer = Callable[[Grid, Rules | None], Answer]
"""Takes clues, and the rules where they are told, and answers."""


def answer_with_solution(
    clues: Grid, rules: Rules | None, solver: Solver, limits: Limits
) -> Answer:
    """Answer with the one solution, or with the reason why there is none to show.

    Clues are (side, side) uint8, or (width, width) of rules that are told, which takes a
    `RuleSolver`.
    """
    write = partial(format_cells, rules or box_rules(len(clues)))
    start = time.perf_counter()
    result = solve(solver, clues, limits, rules)
    seconds = time.perf_counter() - start
    outcome = Outcome.of(result.status)
    solution = None if result.solution is None else write(result.solution)
    return Answer(
        ExitCode.SOLVED if outcome is Outcome.SOLVED else ExitCode.NOT_SOLVED,
        solution or outcome.value,
        outcome.value if result.solution is None else _draw(result.solution, clues, rules),
        f"{outcome.sentence} ({1000 * seconds:.1f} ms)",
        {
            "outcome": outcome.value,
            **_describe(clues, rules),
            "solution": solution,
            "examples": list(map(write, result.examples)),
            "solver": solver.name,
            "seconds": round(seconds, 6),
            "nodes": result.effort.nodes,
            "guesses": result.effort.guesses,
            "iterations": result.effort.iterations,
            "passes": result.effort.passes,
            "note": result.note,
        },
    )


def answer_with_count(
    clues: Grid,
    rules: Rules | None,
    limit: int,
    limits: Limits,
    clock: Callable[[], float] = time.perf_counter,
) -> Answer:
    """Answer with the number of solutions; a plus sign shows that there may be more.

    Args:
        clues: (side, side) uint8, or (width, width) of the rules.
        rules: of the puzzle where they are told, else None.
        limit: counting stops there; at least 1.
        limits: of these, seconds is heeded.
        clock: returns seconds; only differences count.
    """
    end = clock() + (math.inf if limits.seconds is None else limits.seconds)
    counted = search(clues.ravel().tolist(), limit, lambda _: clock() < end, keep=0, rules=rules)
    is_over = counted.is_exhaustive or counted.found == limit
    told = _describe(clues, rules)
    return _describe_count(told, counted.found, is_over=is_over, is_all=counted.is_exhaustive)


def answer_whether_unique(
    clues: Grid, rules: Rules | None, solver: Solver, limits: Limits
) -> Answer:
    """Answer with the number of solutions up to two, which is what every solver decides.

    The arguments are those of `answer_with_solution`.
    """
    status = solve(solver, clues, limits, rules).status
    solutions, is_over = _SOLUTIONS.get(status, 0), status is not Status.GAVE_UP
    told, is_all = _describe(clues, rules), is_over and solutions < 2
    return _describe_count(told, solutions, is_over=is_over, is_all=is_all)


def format_count(solutions: int, *, is_over: bool, is_all: bool) -> str:
    """Write a number of solutions: a plus where there may be more, a word where none is known."""
    if not is_over and not solutions:
        return Outcome.GAVE_UP.value
    return str(solutions) if is_all else f"{solutions}+"


def solve(solver: Solver, clues: Grid, limits: Limits, rules: Rules | None) -> Result:
    """Let a solver try a puzzle; one of `RULE_SOLVERS` where there are rules."""
    if rules is None:
        return solver.solve(clues, limits)
    return cast(RuleSolver, solver).solve(clues, limits, rules)


def _draw(solution: Grid, clues: Grid, rules: Rules | None) -> str:
    if rules is None:
        return draw_grid(solution, clues)
    return draw_kind(rules, solution, clues if sys.stdout.isatty() else None)


def _describe_count(
    told: dict[str, object], solutions: int, *, is_over: bool, is_all: bool
) -> Answer:
    text = format_count(solutions, is_over=is_over, is_all=is_all)
    fields: dict[str, object] = {
        "outcome": _COUNTED if is_over else Outcome.GAVE_UP.value,
        **told,
        "solutions": solutions,
        "is_all": is_all,
    }
    remark = "" if is_over else "the time was over; allow more with --limit-seconds"
    return Answer(ExitCode.SOLVED if is_over else ExitCode.NOT_SOLVED, text, text, remark, fields)


_SOLUTIONS: Final = {Status.UNSOLVABLE: 0, Status.SOLVED: 1, Status.AMBIGUOUS: 2}
"""How many solutions a solver has proved, up to two."""


def answer_with_logic(
    clues: Grid, rules: Rules | None, hint: str | None, *, explain: bool
) -> Answer:
    """Answer with a hint of this strength, with all steps, or with a rating.

    Where a puzzle has no steps, that says which solutions keep it from them, or that it was given
    up.
    """
    tell: Callable[[Grid, Rules], Answer] = _tell_path if explain else _tell_rating
    if hint is not None:
        tell = partial(_tell_hint, strength=Strength[hint.upper()])
    try:
        answer = tell(clues, rules or box_rules(len(clues)))
    except UnsuitablePuzzleError as error:
        answer = _decline(Outcome.AMBIGUOUS if error.solutions else Outcome.NO_SOLUTION, str(error))
    except GaveUpError as error:
        answer = _decline(Outcome.GAVE_UP, str(error))
    outcome = {"outcome": answer.fields["outcome"]}
    return replace(answer, fields={**outcome, **_describe(clues, rules), **answer.fields})


def _tell_hint(clues: Grid, rules: Rules, strength: Strength) -> Answer:
    step = next_step(clues, rules=rules)  # which refuses a full grid that breaks the rules
    if step is None and clues.ravel()[list(rules.cells)].all():
        text = "The puzzle is solved."
        return _say(Outcome.SOLVED.value, text, {"hint": text, "units": []})
    if step is None:
        return _decline(Outcome.GAVE_UP, "no technique finds a step")
    masks = masks_of(rules)
    told = make_hint(step, strength, masks)
    fields: dict[str, object] = {"hint": told.text, "units": list(told.units)}
    if strength is not Strength.WHERE:
        fields["technique"] = step.technique.label
    if strength is Strength.STEP:
        fields["step"] = _describe_step(step, masks)
    return _say(_HINT, told.text, fields)


def _tell_path(clues: Grid, rules: Rules) -> Answer:
    masks = masks_of(rules)
    path = solve_path(clues, rules=rules)
    lines, words = [], Words(rules=rules)
    for number, step in enumerate(path.steps, start=1):
        rated = f" ({step.rating})" if step.rating else ""
        lines.append(f"{number}. {step.technique.label}{rated}: {explain(step, words)}")
    end = format_cells(rules, path.grid)
    outcome = Outcome.SOLVED if path.is_solved else Outcome.GAVE_UP
    if path.is_cut:
        lines.append("The puzzle was given up here, as it takes too much work:")
    elif not path.is_solved:
        lines.append("No technique goes on from here:")
    text = "\n".join([*lines, end])
    fields: dict[str, object] = {
        "outcome": outcome.value,
        "solution": end if path.is_solved else None,
        "steps": [_describe_step(step, masks) for step in path.steps],
        "reached": end,
    }
    code = ExitCode.SOLVED if path.is_solved else ExitCode.NOT_SOLVED
    return Answer(code, text, text, f"{len(path.steps)} steps", fields)


def _tell_rating(clues: Grid, rules: Rules) -> Answer:
    del rules
    rating = rate(clues)
    technique = None if rating.technique is None else rating.technique.label
    hardest = technique or ("nothing to do" if clues.all() else "beyond the techniques")
    fields: dict[str, object] = {
        "rating": rating.score,
        "level": rating.level.value,
        "technique": technique,
    }
    return _say(_RATED, f"{rating.score:.1f} {rating.level.value}, {hardest}", fields)


def _describe_step(step: Step, masks: RuleMasks) -> dict[str, Any]:
    words = Words(rules=masks.rules)
    return {
        "technique": step.technique.label,
        "rating": step.rating or None,
        "explanation": explain(step, words),
        "cells": list(step.cells),
        "units": list(step.units),
        "placements": [{"cell": words.cell(cell), "digit": d} for cell, d in step.placements],
        "eliminations": [{"cell": words.cell(cell), "digit": d} for cell, d in step.eliminations],
    }


def _describe(clues: Grid, rules: Rules | None) -> dict[str, object]:
    """Return the clues, and the rules where they are told."""
    if rules is None:
        return {"clues": format_grid(clues)}
    return format_kind_fields(KindPuzzle(rules, clues))


def _say(outcome: str, text: str, fields: dict[str, object]) -> Answer:
    return Answer(ExitCode.SOLVED, text, text, "", {"outcome": outcome, **fields})


def _decline(outcome: Outcome, remark: str) -> Answer:
    text = outcome.value
    return Answer(ExitCode.NOT_SOLVED, text, text, remark, {"outcome": text})
