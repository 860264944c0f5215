"""Measure a solver on files of puzzles: `python -m training.evaluation.puzzle_files [FILE…]`.

Time is that of `Solver.solve`, one puzzle after the other, so it includes the proof of uniqueness
and the check of the solution, but not the reading of the file. It is processor time of this
process, so that other programs on the machine do not count.
"""

import argparse
import itertools
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from solver.base import Limits, Solver, Status
from solver.grid import Grid, GridError, parse_grid, read_puzzles
from solver.registry import DEFAULT_SOLVER, load_solver, solver_names

PUZZLES: Final = Path(__file__).parents[3] / "shared" / "data" / "puzzles"

_WARM_UP_PUZZLES: Final = 20


@dataclass(frozen=True)
class FileScore:
    """How a solver did on one file.

    Attributes:
        file: name of the file.
        statuses: how many puzzles ended with each status.
        wrong: solved, but with another solution than the one in the file's second column.
        bad_lines: lines that hold no puzzle.
        seconds: of each puzzle.
    """

    file: str
    statuses: dict[Status, int]
    wrong: int
    bad_lines: int
    seconds: tuple[float, ...]


def run(
    puzzle_files: Iterable[Path], limit_seconds: float, solver: Solver | None = None
) -> list[FileScore]:
    """Measure a solver and print one line a file.

    Args:
        puzzle_files: text files, one puzzle a line, with the solution in the second column or not.
        limit_seconds: a file is left after so long.
        solver: the default solver where None.
    """
    solver = solver or load_solver()
    print(
        f"{'file':26}{'n':>7}{'right':>7}{'ambig.':>7}{'none':>6}{'gave up':>8}{'wrong':>6}"
        f"{'puzzles/s':>11}{'median ms':>11}{'worst ms':>10}"
    )
    scores = []
    for path in puzzle_files:
        score = measure_file(path, solver, limit_seconds)
        scores.append(score)
        print(_format(score), flush=True)
    return scores


def measure_file(
    path: Path,
    solver: Solver,
    limit_seconds: float,
    clock: Callable[[], float] = time.process_time,
) -> FileScore:
    """Let a solver loose on a file until its end or the limit.

    A few puzzles are solved beforehand and not counted, because the first ones pay for imports.
    """
    statuses = dict.fromkeys(Status, 0)
    wrong = bad_lines = 0
    seconds: list[float] = []
    for clues, _ in itertools.islice(_read_file(path), _WARM_UP_PUZZLES):
        if clues is not None:
            solver.solve(clues, Limits())
    end = clock() + limit_seconds
    for clues, solution in _read_file(path):
        if clock() >= end:
            break
        if clues is None:
            bad_lines += 1
            continue
        start = clock()
        result = solver.solve(clues, Limits(seconds=limit_seconds))
        seconds.append(clock() - start)
        statuses[result.status] += 1
        if solution is not None and result.solution is not None:
            wrong += not np.array_equal(solution, result.solution)
    return FileScore(path.name, statuses, wrong, bad_lines, tuple(seconds))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Measure a solver on files of puzzles.")
    parser.add_argument("files", nargs="*", type=Path, help=f"default: all of {PUZZLES.name}/")
    parser.add_argument("--limit-seconds", type=float, default=20.0, help="a file, default 20")
    parser.add_argument("--solver", choices=solver_names(), default=DEFAULT_SOLVER)
    options = parser.parse_args(arguments)
    files = options.files or sorted([*PUZZLES.glob("*.txt"), *PUZZLES.glob("*.csv")])
    missing = [str(path) for path in files if not path.is_file()]
    if missing or not files:
        print(f"no such file: {', '.join(missing) or PUZZLES}; name puzzle files", file=sys.stderr)
        return 3
    scores = run(files, options.limit_seconds, load_solver(options.solver))
    return 1 if any(score.wrong for score in scores) else 0


def _read_file(path: Path) -> Iterator[tuple[Grid | None, Grid | None]]:
    """Yield clues, None for a bad line, and the solution where the line has one."""
    with path.open(encoding="utf-8") as file:
        lines = file.read().splitlines()
    for item in read_puzzles(lines):
        solution = None
        columns = lines[item.number - 1].replace(";", ",").split(",")
        if item.grid is not None and len(columns) > 1:
            try:
                solution = parse_grid(columns[1])
            except GridError:
                solution = None  # a rating, say
        yield item.grid, solution


def _format(score: FileScore) -> str:
    n = len(score.seconds)
    counts = score.statuses
    line = (
        f"{score.file:26}{n:7}{counts[Status.SOLVED] - score.wrong:7}"
        f"{counts[Status.AMBIGUOUS]:7}{counts[Status.UNSOLVABLE]:6}{counts[Status.GAVE_UP]:8}"
        f"{score.wrong:6}"
    )
    if n:
        line += (
            f"{n / sum(score.seconds):11,.0f}{statistics.median(score.seconds) * 1e3:11.3f}"
            f"{max(score.seconds) * 1e3:10.2f}"
        )
    return line + (f"  {score.bad_lines} bad lines" if score.bad_lines else "")


if __name__ == "__main__":
    sys.exit(main())
