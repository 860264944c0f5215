"""What `sudoku-lens puzzle` answers about one puzzle: its solutions, or its steps."""

import math
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from app.recognition.outcome import Outcome
from app.terminal.console import ExitCode
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
    next_step,
    rate,
    solve_path,
    tell_hint,
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
        code: what it means for the exit code.
        text: for stdout; one line, save for the path of a whole solution.
        drawn: the same for a person at a terminal.
        remark: a sentence for a person, or nothing.
        fields: the same for programs, as names and values of a JSON object.
    """

    code: ExitCode
    text: str
    drawn: str
    remark: str
    fields: dict[str, object]


Answerer = Callable[[Grid], Answer]
"""Takes clues, (side, side) uint8, and answers."""


def answer_with_solution(clues: Grid, solver: Solver, limits: Limits) -> Answer:
    """Answer with the one solution, or with the reason why there is none to show."""
    return _answer_solve(
        lambda: solver.solve(clues, limits),
        solver.name,
        {"clues": format_grid(clues)},
        format_grid,
        lambda solution: draw_grid(solution, clues),
    )


def answer_with_kind(puzzle: KindPuzzle, solver: RuleSolver, limits: Limits) -> Answer:
    """Answer likewise about a puzzle whose rules are told."""
    clues, rules, is_bold = puzzle.clues, puzzle.rules, sys.stdout.isatty()
    return _answer_solve(
        lambda: solver.solve(clues, limits, rules),
        solver.name,
        format_kind_fields(puzzle),
        partial(format_cells, rules),
        lambda solution: draw_kind(rules, solution, clues if is_bold else None),
    )


def _answer_solve(
    solve: Callable[[], Result],
    solver: str,
    told: dict[str, object],
    write: Callable[[Grid], str],
    draw: Callable[[Grid], str],
) -> Answer:
    start = time.perf_counter()
    result = solve()
    seconds = time.perf_counter() - start
    outcome = Outcome.of(result.status)
    solution = None if result.solution is None else write(result.solution)
    return Answer(
        ExitCode.SOLVED if outcome is Outcome.SOLVED else ExitCode.NOT_SOLVED,
        solution or outcome.value,
        outcome.value if result.solution is None else draw(result.solution),
        f"{outcome.sentence} ({1000 * seconds:.1f} ms)",
        {
            "outcome": outcome.value,
            **told,
            "solution": solution,
            "examples": list(map(write, result.examples)),
            "solver": solver,
            "seconds": round(seconds, 6),
            "nodes": result.effort.nodes,
            "guesses": result.effort.guesses,
            "iterations": result.effort.iterations,
            "passes": result.effort.passes,
            "note": result.note,
        },
    )


def answer_with_count(
    clues: Grid, limit: int, limits: Limits, clock: Callable[[], float] = time.perf_counter
) -> Answer:
    """Answer with the number of solutions; a plus sign shows that there may be more.

    Args:
        clues: (side, side) uint8.
        limit: counting stops there; at least 1.
        limits: of these, seconds is heeded.
        clock: returns seconds; only differences count.
    """
    return _answer_count(clues, None, limit, limits, {"clues": format_grid(clues)}, clock)


def answer_whether_unique(clues: Grid, solver: Solver, limits: Limits) -> Answer:
    """Answer with the number of solutions up to two, which is what every solver decides.

    Args:
        clues: (side, side) uint8.
        solver: one that can do this size.
    """
    return _answer_status(solver.solve(clues, limits).status, {"clues": format_grid(clues)})


def answer_with_kind_count(
    puzzle: KindPuzzle, limit: int, solver: RuleSolver, limits: Limits
) -> Answer:
    """Answer with the number of solutions of a puzzle whose rules are told.

    Args:
        limit: at least 1.
        solver: counts where the limit is 2, which is what every solver decides.
        limits: of these, seconds is heeded beyond.
    """
    clues, rules, told = puzzle.clues, puzzle.rules, format_kind_fields(puzzle)
    if limit == 2:
        return _answer_status(solver.solve(clues, limits, rules).status, told)
    return _answer_count(clues, rules, limit, limits, told)


def format_count(solutions: int, *, is_over: bool, is_all: bool) -> str:
    """Write a number of solutions: with a plus where there may be more, a word where none is known.

    Args:
        solutions: how many were found.
        is_over: whether counting came to its end, or as far as it was to go.
        is_all: whether there are no more.
    """
    if not is_over and not solutions:
        return Outcome.GAVE_UP.value
    return str(solutions) if is_all else f"{solutions}+"


def _answer_count(
    clues: Grid,
    rules: Rules | None,
    limit: int,
    limits: Limits,
    told: dict[str, object],
    clock: Callable[[], float] = time.perf_counter,
) -> Answer:
    end = clock() + (math.inf if limits.seconds is None else limits.seconds)
    counted = search(clues.ravel().tolist(), limit, lambda _: clock() < end, keep=0, rules=rules)
    is_over = counted.is_exhaustive or counted.found == limit
    return _describe_count(told, counted.found, is_over=is_over, is_all=counted.is_exhaustive)


def _answer_status(status: Status, told: dict[str, object]) -> Answer:
    solutions, is_over = _SOLUTIONS.get(status, 0), status is not Status.GAVE_UP
    return _describe_count(told, solutions, is_over=is_over, is_all=is_over and solutions < 2)


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
    return _say(puzzle, _HINT, told.text, fields)


def _tell_path(puzzle: KindPuzzle) -> Answer:
    masks = masks_of(puzzle.rules)
    path = solve_path(puzzle.clues, rules=puzzle.rules)
    lines, words = [], Words(rules=puzzle.rules)
    for number, step in enumerate(path.steps, start=1):
        rated = f" ({step.rating})" if step.rating else ""
        lines.append(f"{number}. {step.technique.label}{rated}: {explain(step, words)}")
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
    return _say(puzzle, _RATED, f"{rating.score:.1f} {rating.level.value}, {hardest}", fields)


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
