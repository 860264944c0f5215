"""`sudoku-lens puzzle`: puzzles that are written as text."""

import itertools
import json
import logging
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.console import say, start_logging
from app.exits import ExitCode, InputError, UsageError
from app.outcome import Outcome
from app.solver_choice import choose_solver
from app.text_input import read_lines
from solver.base import Limits, Result, Solver
from solver.grid import GridError, PuzzleLine, draw_grid, format_grid, parse_grid, read_puzzles
from solver.registry import load_solver

logger = logging.getLogger(__name__)

_LIMITS: Final = Limits(seconds=10)
_BAD_PUZZLE: Final = "bad_puzzle"


@dataclass(frozen=True)
class PuzzleOptions:
    """What the command line asks for beside the puzzles; None is the default solver."""

    as_json: bool = False
    solver: str | None = None
    verbose: int = 0
    quiet: bool = False


def solve_puzzles(source: str, options: PuzzleOptions) -> ExitCode:
    """Solve every puzzle of a text, a file or stdin, and print one line for each.

    Args:
        source: the puzzle itself, the name of a file, or `-`.
        options: what else was typed.

    Raises:
        InputError: if the source is neither a file nor a puzzle, or holds none.
        UsageError: if there is no such solver.
    """
    start_logging(options.verbose, options.quiet)
    solver = load_solver(choose_solver(options.solver))
    puzzles = iter(_open_source(source))
    first = list(itertools.islice(puzzles, 2))
    if not first:
        raise InputError(f"{_name(source)} holds no puzzle; write one a line, . for an empty cell")
    is_drawn = len(first) == 1 and sys.stdout.isatty() and not options.as_json
    worst = ExitCode.SOLVED
    for puzzle in itertools.chain(first, puzzles):
        worst = max(worst, _solve_one(puzzle, solver, options, is_drawn=is_drawn))
    return worst


def _solve_one(
    puzzle: PuzzleLine, solver: Solver, options: PuzzleOptions, *, is_drawn: bool
) -> ExitCode:
    if puzzle.grid is None:
        say(str(puzzle.error) if is_drawn else f"line {puzzle.number}: {puzzle.error}")
        _print(_describe_bad(puzzle) if options.as_json else _BAD_PUZZLE)
        return ExitCode.BAD_INPUT
    start = time.perf_counter()
    result = solver.solve(puzzle.grid, _LIMITS)
    seconds = time.perf_counter() - start
    outcome = Outcome.of(result.status)
    logger.info("line %d: %s in %.4f s, %s", puzzle.number, outcome, seconds, result.effort)
    if options.as_json:
        _print(_describe(puzzle, result, solver.name, seconds))
    elif result.solution is None:
        _print(outcome.value)
    elif is_drawn:
        _print(draw_grid(result.solution, puzzle.grid))
    else:
        _print(format_grid(result.solution))
    if is_drawn and not options.quiet:
        say(f"{outcome.sentence} ({1000 * seconds:.1f} ms)")
    return ExitCode.SOLVED if outcome is Outcome.SOLVED else ExitCode.NOT_SOLVED


def _describe(puzzle: PuzzleLine, result: Result, solver: str, seconds: float) -> str:
    """Return the JSON line of a puzzle that could be read."""
    assert puzzle.grid is not None
    return json.dumps(
        {
            "line": puzzle.number,
            "outcome": Outcome.of(result.status).value,
            "clues": format_grid(puzzle.grid),
            "solution": None if result.solution is None else format_grid(result.solution),
            "examples": [format_grid(example) for example in result.examples],
            "solver": solver,
            "seconds": round(seconds, 6),
            "nodes": result.effort.nodes,
            "guesses": result.effort.guesses,
            "note": result.note,
        }
    )


def _describe_bad(puzzle: PuzzleLine) -> str:
    return json.dumps({"line": puzzle.number, "outcome": _BAD_PUZZLE, "error": str(puzzle.error)})


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def _open_source(source: str) -> Iterable[PuzzleLine]:
    if not source:
        raise UsageError("the puzzle is empty; write its 81 cells, name a file, or - for stdin")
    if source == "-":
        return read_puzzles(read_lines(None))
    path = Path(source)
    kind = _kind(path)
    if kind == "folder":
        raise InputError(f"{source} is a folder; name a file with one puzzle a line")
    if kind == "file":
        return read_puzzles(read_lines(path))
    try:
        return [PuzzleLine(1, source, parse_grid(source), None)]
    except GridError as error:
        if _looks_like_a_path(source):
            raise InputError(f"there is no file {source}, and it is no puzzle either") from error
        return [PuzzleLine(1, source, None, error)]


def _kind(path: Path) -> str:
    """Return `file`, `folder` or, also where the text can be no path at all, `nothing`."""
    try:
        return "folder" if path.is_dir() else "file" if path.exists() else "nothing"
    except (OSError, ValueError):  # a whole grid is too long for a name on some systems
        return "nothing"


def _looks_like_a_path(text: str) -> bool:
    """Tell a mistyped file name from a mistyped puzzle."""
    return "/" in text or "\\" in text or Path(text).suffix[1:].isalpha()


def _name(source: str) -> str:
    return "stdin" if source == "-" else source
