"""What `sudoku-lens puzzle` answers about one puzzle: its solution, or how many it has."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from app.exits import ExitCode
from app.outcome import Outcome
from solver.base import Limits, Solver, Status
from solver.exact.bitmask import count_solutions
from solver.grid import Grid, draw_grid, format_grid

LIMITS: Final = Limits(seconds=10)


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


def answer_with_solution(clues: Grid, solver: Solver) -> Answer:
    """Answer with the one solution, or with the reason why there is none to show."""
    start = time.perf_counter()
    result = solver.solve(clues, LIMITS)
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


def answer_with_count(clues: Grid, limit: int) -> Answer:
    """Answer with the number of solutions; counting stops at the limit, which a plus sign shows.

    Args:
        clues: (9, 9) uint8.
        limit: at least 1.
    """
    return _describe_count(clues, count_solutions(clues, limit), limit)


def answer_whether_unique(clues: Grid, solver: Solver) -> Answer:
    """Answer with the number of solutions up to two, which is what every solver decides.

    Args:
        clues: (side, side) uint8.
        solver: one that can do this size.
    """
    status = solver.solve(clues, LIMITS).status
    if status is Status.GAVE_UP:
        word = Outcome.GAVE_UP.value
        fields: dict[str, object] = {"clues": format_grid(clues), "solutions": None}
        return Answer(ExitCode.NOT_SOLVED, word, word, Outcome.GAVE_UP.sentence, fields)
    return _describe_count(clues, _SOLUTIONS[status], 2)


def _describe_count(clues: Grid, solutions: int, limit: int) -> Answer:
    text = f"{solutions}+" if solutions == limit else str(solutions)
    fields = {"clues": format_grid(clues), "solutions": solutions, "is_all": solutions < limit}
    return Answer(ExitCode.SOLVED, text, text, "", fields)


_SOLUTIONS: Final = {Status.UNSOLVABLE: 0, Status.SOLVED: 1, Status.AMBIGUOUS: 2}
