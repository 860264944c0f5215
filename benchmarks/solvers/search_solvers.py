"""Measure the searches by difficulty: `python -m benchmarks.solvers.search_solvers [NAME…]`.

Prints, as a Markdown table, how many puzzles each solver solves under its limits, and what that
took, counted as `sudoku-lens compare` does, in nodes of a search tree or else in iterations:
median, 95th percentile and maximum over the puzzles solved. Times are
processor time, which other programs on the machine do not change, over all puzzles of a file.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from solver.base import Limits, Result, Solver, Status
from solver.compilation import HAS_NUMBA
from solver.grid import Grid, parse_grid, read_puzzles
from solver.registry import load_solver, solver_names

PUZZLES: Final = Path(__file__).parents[3] / "shared" / "data" / "puzzles"
NAMES: Final = (
    "hill-climbing-strict",
    "hill-climbing",
    "annealing",
    "annealing-forced",
    "genetic",
    "mcts-committed",
    "mcts",
)
FILES: Final = {
    "exchange_easy.csv": 500,
    "exchange_medium.csv": 500,
    "exchange_hard.csv": 500,
    "se_rated.csv": 200,
    "clues17.txt": 100,
    "top95.txt": 95,
}
"""How many puzzles of each file are taken, evenly spread over it."""

_WARM_UP: Final = parse_grid(
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
)


def take_sample(path: Path, most: int) -> list[Grid]:
    """Return at most so many puzzles of a file, evenly spread over it."""
    lines = path.read_text(encoding="utf-8").splitlines()
    grids = [line.grid for line in read_puzzles(lines) if line.grid is not None]
    n = min(most, len(grids))
    return [grids[i * len(grids) // n] for i in range(n)]


def summarise(results: Sequence[Result], seconds: Sequence[float]) -> str:
    """Return the cells of a table's row, between bars."""
    solved = sorted(
        result.effort.nodes or result.effort.iterations
        for result in results
        if result.status is Status.SOLVED
    )
    share = f"{100 * len(solved) / len(results):.1f}"
    if not solved:
        return f" {share} | – | – | – | {statistics.mean(seconds) * 1e3:,.1f} |"
    late = solved[min(len(solved) - 1, int(0.95 * len(solved)))]
    return (
        f" {share} | {statistics.median_low(solved):,} | {late:,} | {solved[-1]:,} |"
        f" {statistics.mean(seconds) * 1e3:,.1f} |"
    )


def measure(solver: Solver, grids: Sequence[Grid], limits: Limits) -> str:
    """Solve the puzzles one after the other; see `summarise`."""
    results, seconds = [], []
    for grid in grids:
        start = time.process_time()
        results.append(solver.solve(grid, limits))
        seconds.append(time.process_time() - start)
    return summarise(results, seconds)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(":")[0])
    parser.add_argument("names", nargs="*", help=f"default: {' '.join(NAMES)}")
    parser.add_argument("--limit-seconds", type=float, default=60.0, help="a puzzle, default 60")
    parser.add_argument("--limit-iterations", type=int, help="a puzzle; default: the solver's own")
    parser.add_argument("--sample", type=int, help="puzzles a file; default: see the script")
    options = parser.parse_args(arguments)
    if not PUZZLES.is_dir():
        print(f"no puzzles at ../shared/data/{PUZZLES.name}", file=sys.stderr)
        return 3
    names = options.names or NAMES
    unknown = set(names) - set(solver_names())
    if unknown:
        parser.error(f"no solver is called {', '.join(sorted(unknown))}")
    limits = Limits(seconds=options.limit_seconds, iterations=options.limit_iterations)
    print(f"numba: {'yes' if HAS_NUMBA else 'no'}\n")
    print("| solver | file | n | solved % | median | 95th | max | ms a puzzle |")
    print("|---|---|---|---|---|---|---|---|")
    for name in names:
        solver = load_solver(name)
        solver.solve(_WARM_UP, Limits(iterations=100))
        for file, most in FILES.items():
            grids = take_sample(PUZZLES / file, options.sample or most)
            row = measure(solver, grids, limits)
            print(f"| {name} | {file} | {len(grids)} |{row}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
