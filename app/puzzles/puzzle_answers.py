"""What `sudoku-lens puzzle` answers about one puzzle: its solution, or how many it has."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from app.recognition.outcome import Outcome
from app.terminal.exits import ExitCode
from solver.base import Limits, Solver, Status
from solver.exact.bitmask import search
from solver.grid import Grid, draw_grid, format_grid

COUNTED: Final = "counted"
"""The outcome of a count that came to its end; see `recognition.outcome.Outcome` for the others."""

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
    start = time.perf_counter()
    result = solver.solve(clues, limits)
    seconds = time.perf_counter() - start
    outcome = Outcome.of(result.status)
    solution = None if result.solution is None else format_grid(result.solution)
    return Answer(
        ExitCode.SOLVED if outcome is Outcome.SOLVED else ExitCode.NOT_SOLVED,
        solution or outcome.value,
        outcome.value if result.solution is None else draw_grid(result.solution, clues),
        f"{outcome.sentence} ({1000 * seconds:.1f} ms)",
        {
            "outcome": outcome.value,
            "clues": format_grid(clues),
            "solution": solution,
            "examples": [format_grid(example) for example in result.examples],
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
    clues: Grid, limit: int, limits: Limits, clock: Callable[[], float] = time.perf_counter
) -> Answer:
    """Answer with the number of solutions; a plus sign shows that there may be more.

    Args:
        clues: (side, side) uint8.
        limit: counting stops there; at least 1.
        limits: of these, seconds is heeded.
        clock: returns seconds; only differences count.
    """
    end = clock() + (math.inf if limits.seconds is None else limits.seconds)
    counted = search(clues.ravel().tolist(), limit, lambda _: clock() < end, keep=0)
    is_over = counted.is_exhaustive or counted.found == limit
    return _describe_count(clues, counted.found, is_over=is_over, is_all=counted.is_exhaustive)


def answer_whether_unique(clues: Grid, solver: Solver, limits: Limits) -> Answer:
    """Answer with the number of solutions up to two, which is what every solver decides.

    Args:
        clues: (side, side) uint8.
        solver: one that can do this size.
        limits: of the solve.
    """
    status = solver.solve(clues, limits).status
    solutions = SOLUTIONS.get(status, 0)
    is_over = status is not Status.GAVE_UP
    return _describe_count(clues, solutions, is_over=is_over, is_all=is_over and solutions < 2)


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


def _describe_count(clues: Grid, solutions: int, *, is_over: bool, is_all: bool) -> Answer:
    text = format_count(solutions, is_over=is_over, is_all=is_all)
    fields: dict[str, object] = {
        "outcome": COUNTED if is_over else Outcome.GAVE_UP.value,
        "clues": format_grid(clues),
        "solutions": solutions,
        "is_all": is_all,
    }
    remark = "" if is_over else "the time was over; allow more with --limit-seconds"
    return Answer(ExitCode.SOLVED if is_over else ExitCode.NOT_SOLVED, text, text, remark, fields)


SOLUTIONS: Final = {Status.UNSOLVABLE: 0, Status.SOLVED: 1, Status.AMBIGUOUS: 2}
"""How many solutions a solver has proved, up to two."""
