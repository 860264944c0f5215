"""Measure the hand-weighted network that solves grids.

    python -m benchmarks.solvers.networks constraint
    python -m benchmarks.solvers.networks constraint --check

Told are puzzles a second of processor time in batches, and one at a time, each beside the default
solver behind the same contract in the same run; both prove that a solution is the only one. They
take turns, and medians are compared. `--check` compares all counts with the default solver's
instead.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.bulk import PUZZLES, Digits, read_batches, read_digits
from solver.base import Limits, Solver, Status
from solver.exact.bitmask import BitmaskSolver, count_solutions
from solver.exact.bulk.bulk_solver import find_faulty
from solver.neural.constraint_solver import (
    ConstraintNetworkSolver,
    NetworkBatchOptions,
    solve_batch,
)

_FILES: Final = (
    "kaggle.csv",
    "gen_minimal_20k.txt",
    "clues17.txt",
    "top1465.txt",
    "hardest_1106.txt",
)
_BATCH: Final = 10_000


def _compare_with_default(path: Path, rounds: int, n_single: int) -> str:
    """Return a row of the table: batches, and one at a time."""
    puzzles = read_digits(path)
    batch = np.resize(puzzles, (_BATCH, 81)) if len(puzzles) > 1000 else puzzles
    network, default = ConstraintNetworkSolver(), BitmaskSolver()
    singles = puzzles[:: max(1, len(puzzles) // n_single)][:n_single]
    spent: list[tuple[float, float, float, float]] = []
    for _ in range(rounds):
        in_batch = _time_processor(lambda: solve_batch(batch)) / len(batch)
        ours, theirs = _time_singles(network, singles), _time_singles(default, singles)
        spent.append((in_batch, sum(ours) / len(ours), statistics.median(ours), sum(theirs)))
    batched, mean, median, default_sum = map(statistics.median, zip(*spent, strict=True))
    theirs_mean = default_sum / len(singles)
    return (
        f"| {path.name} | {len(batch):,} | {1 / batched:,.0f} | {theirs_mean / batched:.2f} | "
        f"{1e3 * median:.3f} | {1e3 * mean:.3f} | {1e3 * theirs_mean:.3f} | "
        f"{theirs_mean / mean:.2f} |"
    )


def _time_singles(solver: Solver, puzzles: Digits) -> list[float]:
    seconds = []
    for puzzle in puzzles:
        clues = puzzle.reshape(9, 9)
        begin = time.process_time()
        result = solver.solve(clues, Limits())
        seconds.append(time.process_time() - begin)
        assert result.status is Status.SOLVED
    return seconds


def _compare_ways(rounds: int) -> None:
    puzzles = np.resize(read_digits(PUZZLES / "kaggle.csv"), (_BATCH, 81))
    ways = [
        NetworkBatchOptions(together=together, threads=threads)
        for together, threads in ((16, 1), (64, 1), (256, 1), (1024, 1), (_BATCH, 1), (64, 2))
    ]
    print("\n| together | threads | processor time: puzzles/s | wall clock: puzzles/s |")
    print("|---|---|---|---|")
    for way in ways:
        spent = []
        for _ in range(rounds):
            start, begin = time.perf_counter(), time.process_time()
            solve_batch(puzzles, way)
            spent.append((time.process_time() - begin, time.perf_counter() - start))
        processor, wall = map(statistics.median, zip(*spent, strict=True))
        rates = f"{_BATCH / processor:,.0f} | {_BATCH / wall:,.0f}"
        print(f"| {way.together:,} | {way.threads} | {rates} |", flush=True)


def _check_counts() -> bool:
    """Compare counts with the default solver's on every file, and on broken puzzles."""
    is_right = True
    print("| file | puzzles | none | one | more | counts that differ | faulty | guesses | rounds |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, puzzles in read_batches().items():
        batch = solve_batch(puzzles, NetworkBatchOptions(threads=2))
        expected = np.array([count_solutions(puzzle.reshape(9, 9)) for puzzle in puzzles])
        wrong = int((batch.counts != expected).sum())
        first, second = batch.solutions[:, 0], batch.solutions[:, 1]
        is_two = batch.counts > 1
        faulty = find_faulty(puzzles, first) & (batch.counts > 0)
        faulty |= is_two & (find_faulty(puzzles, second) | (first == second).all(axis=1))
        shares = " | ".join(f"{count:,}" for count in np.bincount(batch.counts, minlength=3))
        print(
            f"| {name} | {len(puzzles):,} | {shares} | {wrong} | {faulty.sum()} | "
            f"{batch.guesses.mean():.2f} | {batch.rounds.mean():.2f} |",
            flush=True,
        )
        is_right &= not wrong and not faulty.any()
    return is_right


def _measure_constraint(rounds: int, n_single: int, *, is_check: bool) -> int:
    if not PUZZLES.is_dir():
        print(f"no puzzles at ../shared/data/{PUZZLES.name}", file=sys.stderr)
        return 3
    if is_check:
        return 0 if _check_counts() else 1
    print(
        "| file | in a batch | batch, puzzles/s | to default | median ms | mean ms | default |",
        end="",
    )
    print(" ratio |\n|---|---|---|---|---|---|---|---|")
    for name in _FILES:
        print(_compare_with_default(PUZZLES / name, rounds, n_single), flush=True)
    _compare_ways(rounds)
    return 0


def _time_processor(work: Callable[[], object]) -> float:
    begin = time.process_time()
    work()
    return time.process_time() - begin


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Measure the networks that solve grids.")
    parser.add_argument("network", choices=("constraint",))
    parser.add_argument("--rounds", type=int, default=3, help="of which medians are taken")
    parser.add_argument("--singles", type=int, default=200, help="one at a time, of each file")
    parser.add_argument("--check", action="store_true", help="compare all counts instead")
    options = parser.parse_args(arguments)
    return _measure_constraint(options.rounds, options.singles, is_check=options.check)


if __name__ == "__main__":
    sys.exit(main())
