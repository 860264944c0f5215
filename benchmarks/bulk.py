"""Measure what solves puzzles in batches, the bulk engine or the hand-weighted network.

    python -m benchmarks.bulk [--check]
    python -m benchmarks.bulk --network [--check]

The engine's anchor is MiniSat 2.2 of python-sat, which must be installed: incremental, the clues as
assumptions, first solution, no proof that it is the only one; the engine proves that. It is timed
twice: its calls alone, and from a row of digits to a row of digits, as the engine is. The network
is laid beside the default solver, which proves one puzzle after the other. All times are processor
time of one core; both take turns, and medians are compared. `--check` compares all counts with the
default solver's instead.
"""

import argparse
import itertools
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from solver.base import Limits
from solver.exact.bitmask import BitmaskSolver, count_solutions
from solver.exact.bulk.bulk_solver import find_faulty, load_kernels, solve_batch
from solver.exact.packaged_solvers import rule_clauses
from solver.generation.generate import GenerateOptions, Symmetry, generate_puzzles
from solver.grid import read_puzzles
from solver.neural import constraint_solver
from solver.rules import box_rules
from solver.symmetry import fingerprints, random_transformation
from training.evaluate import PUZZLES

FILES: Final = (
    "clues17.txt",
    "kaggle.csv",
    "top1465.txt",
    "hardest_1905_se11.txt",
    "hardest_1106.txt",
)
BROKEN: Final = 10_000
SIZES: Final = (
    (4, None, 200),
    (6, None, 200),
    (9, None, 200),
    (16, 128, 50),
    (16, 110, 50),
    (25, 400, 20),
    (25, 350, 20),
)
"""The side of the puzzles that sizes are compared on, the clues, None if minimal, and how many."""

WISHES: Final = (
    ("9×9, minimal", 20_000, GenerateOptions()),
    ("9×9, minimal, point-symmetric", 20_000, GenerateOptions(symmetry=Symmetry.POINT)),
    ("9×9, 36 clues", 50_000, GenerateOptions(clues=36)),
    ("9×9, 22 clues", 200, GenerateOptions(clues=22)),
    ("4×4, minimal", 500, GenerateOptions(side=4)),
    ("6×6, minimal", 200, GenerateOptions(side=6)),
    ("16×16, 128 clues", 50, GenerateOptions(side=16, clues=128)),
    ("25×25, 350 clues", 10, GenerateOptions(side=25, clues=350)),
)

_MIN_SECONDS: Final = 0.2
"""The engine goes over a file again until it took so long."""
_NETWORK_BATCH: Final = 10_000
"""Puzzles that the network gets at once."""
_BESIDE: Final = 200
"""The most that the default solver does beside it."""

_FIRST_PUZZLE: Final = """
import time, numpy as np
from solver.exact.bulk.bulk_solver import load_kernels, solve_batch
wall, processor = time.perf_counter(), time.process_time()
import numba
imported = time.perf_counter()
solve_batch(np.zeros((1, 81), np.uint8))
ended = time.perf_counter()
print(f"{imported - wall:.2f} {ended - imported:.2f} {time.process_time() - processor:.2f}")
"""

Digits = npt.NDArray[np.uint8]


def _spend(work: Callable[[], object]) -> float:
    """Return the processor seconds that something takes."""
    start = time.process_time()
    work()
    return time.process_time() - start


class Minisat:
    """The anchor: one variable for each cell and digit, 9 × cell + digit."""

    def __init__(self) -> None:
        from pysat.solvers import Minisat22

        self.solver: Any = Minisat22(bootstrap_with=rule_clauses(box_rules(9)))

    def time_calls(self, puzzles: Digits) -> float:
        """Return the seconds that the solver's calls take, with everything else prepared."""
        assumed = [self._assume(puzzle) for puzzle in puzzles]
        start = time.process_time()
        for assumptions in assumed:
            self.solver.solve(assumptions=assumptions)
            self.solver.get_model()
        return time.process_time() - start

    def time_rows(self, puzzles: Digits) -> float:
        """Return the seconds from rows of digits to rows of digits."""
        solutions = np.zeros_like(puzzles)
        start = time.process_time()
        for puzzle, solution in zip(puzzles, solutions, strict=True):
            self.solver.solve(assumptions=self._assume(puzzle))
            model = np.array(self.solver.get_model())
            solution[:] = (model[model > 0] - 1) % 9 + 1
        seconds = time.process_time() - start
        if find_faulty(puzzles, solutions).any():
            raise RuntimeError("the anchor's solutions do not hold")
        return seconds

    def _assume(self, puzzle: Digits) -> list[int]:
        filled = np.flatnonzero(puzzle)
        assumptions: list[int] = (9 * filled + puzzle[filled]).tolist()
        return assumptions


def read_digits(path: Path) -> Digits:
    """Return the puzzles of a file, (n, 81) uint8."""
    items = read_puzzles(path.read_text(encoding="utf-8").splitlines())
    return np.array([item.grid.ravel() for item in items if item.grid is not None])


def _time_engine(puzzles: Digits) -> float:
    """Return the processor seconds of one core for solving all the puzzles once."""
    start = time.process_time()
    for rounds in itertools.count(1):
        solve_batch(puzzles)
        seconds = time.process_time() - start
        if seconds > _MIN_SECONDS:
            return seconds / rounds
    raise AssertionError


def _compare_with_anchor(n_rounds: int) -> float:
    """Print the table, and return how many of `clues17.txt` a second the anchor's calls do."""
    print(f"{'file':18}{'engine/s':>11}{'calls/s':>9}{'ratio':>7}{'rows/s':>9}{'ratio':>7}")
    first_calls = 0.0
    for name in FILES:
        puzzles = read_digits(PUZZLES / name)
        times = [
            (_time_engine(puzzles), Minisat().time_calls(puzzles), Minisat().time_rows(puzzles))
            for _ in range(n_rounds)
        ]
        engine, calls, rows = (statistics.median(column) for column in zip(*times, strict=True))
        n = len(puzzles)
        print(
            f"{name:18}{n / engine:11,.0f}{n / calls:9,.0f}{calls / engine:7.1f}"
            f"{n / rows:9,.0f}{rows / engine:7.1f}",
            flush=True,
        )
        first_calls = first_calls or n / calls
    return first_calls


def _measure_generation(n_rounds: int, calls_per_second: float) -> None:
    """Print how many puzzles a second one core makes: minimal ones, then for some wishes.

    The second proof is included in the wishes.
    """
    kernels = load_kernels()
    orbits = np.full((81, 4), 255, np.uint8)
    orbits[:, 0] = np.arange(81)
    puzzles, solutions = np.zeros((2, 5000, 81), np.uint8)

    def generate(seed: int) -> None:
        kernels.generate_slice(np.uint64(seed), np.uint64(0), 0, orbits, puzzles, solutions)

    spent = [_spend(partial(generate, seed)) for seed in range(n_rounds)]
    rate = len(puzzles) / statistics.median(spent)
    print(
        f"generation: {rate:,.0f} minimal puzzles/s, {rate / calls_per_second:.1f} of the anchor's "
        f"clues17.txt, unique {(solve_batch(puzzles).counts == 1).mean():.2%}, "
        f"mean clues {(puzzles > 0).sum(axis=1).mean():.2f}"
    )
    for wish, count, options in WISHES:
        generate_puzzles(1, options)
        start = time.process_time()
        made = len(generate_puzzles(count, options, seed=1).puzzles)
        rate = made / (time.process_time() - start)
        print(f"generation, {wish}: {rate:,.1f} a second", flush=True)


def _measure_threads(n_rounds: int) -> None:
    """Print what two threads gain, with hard puzzles everywhere and with all of them at the end.

    One and two threads take turns. By medians, a gain is worth what the machine had free; the best
    of each met free cores.
    """
    easy, hard = read_digits(PUZZLES / "kaggle.csv"), read_digits(PUZZLES / "hardest_1106.txt")
    batches = {
        "top1465.txt": np.tile(read_digits(PUZZLES / "top1465.txt"), (100, 1)),
        "easy, then hard": np.concatenate([np.tile(easy, (24, 1)), np.tile(hard, (40, 1))]),
    }
    for name, puzzles in batches.items():
        rows = []
        for _ in range(4 * n_rounds):
            row = []
            for threads in (1, 2):
                wall, processor = time.perf_counter(), time.process_time()
                solve_batch(puzzles, threads=threads)
                row += [time.perf_counter() - wall, time.process_time() - processor]
            rows.append(row)
        one, cpu_of_one, two, cpu_of_two = (statistics.median(c) for c in zip(*rows, strict=True))
        best = min(row[0] for row in rows) / min(row[2] for row in rows)
        print(
            f"two threads, {name}: {one / two:.2f} times one by the wall clock (medians), "
            f"{best:.2f} (best of each); one got {cpu_of_one / one:.2f} cores, two "
            f"{cpu_of_two / two:.2f}; load {os.getloadavg()[0]:.1f}",
            flush=True,
        )


def measure_sizes(n_rounds: int) -> None:
    """Print how the engine does on generated puzzles of every size, beside the default solver."""
    for side, clues, count in SIZES:
        options = GenerateOptions(side=side, clues=clues)
        made = generate_puzzles(count, options, seed=1).puzzles
        # Rearranged and only once, as the default solver remembers what it met.
        grids = [random_transformation(n, side).apply(grid) for n, grid in enumerate(made)]
        puzzles = np.array(grids).reshape(count, -1)
        solve_batch(puzzles[:1])
        start = time.process_time()
        counts = [count_solutions(grid) for grid in grids]
        default = time.process_time() - start
        batch = solve_batch(puzzles)
        engine = statistics.median(_time_engine(puzzles) for _ in range(n_rounds))
        print(
            f"{side}×{side}, {(puzzles > 0).sum(axis=1).mean():.0f} clues, {count} puzzles: "
            f"{1e6 * engine / count:,.1f} µs each, {default / engine:.0f} times as fast as the "
            f"default solver; {batch.guesses.mean():.1f} guesses; counts differ "
            f"{(batch.counts != counts).sum()}",
            flush=True,
        )


def _measure_fingerprints(n_rounds: int) -> None:
    """Print how many fingerprints a second one core takes, and how many differ."""
    puzzles = read_digits(PUZZLES / "clues17.txt")
    seconds = statistics.median(_spend(lambda: fingerprints(puzzles)) for _ in range(n_rounds))
    n_different = len(set(fingerprints(puzzles).tolist()))
    print(
        f"fingerprints: {len(puzzles) / seconds:,.0f}/s, "
        f"{n_different} different ones of {len(puzzles)} puzzles"
    )


def _measure_first_puzzle() -> None:
    """Print what the first puzzle costs with an empty cache of numba, and the next time."""
    with tempfile.TemporaryDirectory() as cache:
        for state in ("cold", "cached"):
            done = subprocess.run(
                [sys.executable, "-c", _FIRST_PUZZLE],
                env={**os.environ, "NUMBA_CACHE_DIR": cache},
                capture_output=True,
                text=True,
                check=True,
            )
            imported, first, processor = done.stdout.split()
            print(
                f"first puzzle, {state}: import of numba {imported} s, puzzle {first} s, "
                f"processor time of both {processor} s"
            )


def _measure_network(n_rounds: int) -> None:
    """Print how many puzzles a second the network does in batches, beside the default solver."""
    default = BitmaskSolver()
    for name in FILES:
        puzzles = read_digits(PUZZLES / name)
        batch = np.resize(puzzles, (_NETWORK_BATCH, 81)) if len(puzzles) > 1000 else puzzles
        few = [puzzle.reshape(9, 9) for puzzle in puzzles[:: -(-len(puzzles) // _BESIDE)]]
        ways = (
            partial(constraint_solver.solve_batch, batch),
            lambda few=few: [default.solve(grid, Limits()) for grid in few],
        )
        times = [[_spend(way) for way in ways] for _ in range(n_rounds)]
        batched, alone = (statistics.median(column) for column in zip(*times, strict=True))
        rate = len(batch) / batched
        print(
            f"{name:22}{rate:9,.0f} puzzles/s, {rate * alone / len(few):.2f} times as many as "
            "the default solver",
            flush=True,
        )


def _read_batches() -> dict[str, Digits]:
    """Return the puzzles of every file, and broken ones."""
    random = np.random.default_rng(3)
    batches: dict[str, Digits] = {
        path.name: read_digits(path) for path in sorted(PUZZLES.glob("*.*"))
    }
    everything = np.concatenate(list(batches.values()))
    broken = everything[random.choice(len(everything), BROKEN, replace=False)]
    # A digit changed or removed where there is one, added where there is none.
    cells = random.integers(81, size=BROKEN)
    before = broken[np.arange(BROKEN), cells]
    after = (before + random.integers(1, 10, size=BROKEN)) % 10
    broken[np.arange(BROKEN), cells] = after
    batches["broken"] = broken
    return batches


def _check_counts(is_network: bool) -> bool:
    """Compare counts with the default solver's on every file, and on broken puzzles."""
    is_right = True
    for name, puzzles in _read_batches().items():
        found = (constraint_solver.solve_batch if is_network else solve_batch)(puzzles)
        # The network returns two solutions, which must differ.
        solutions = found.solutions.reshape(len(puzzles), -1, 81)
        expected = [count_solutions(puzzle.reshape(9, 9)) for puzzle in puzzles]
        wrong = (found.counts != expected).sum()
        faulty = np.zeros(len(puzzles), np.bool_)
        for number, one in enumerate(solutions.swapaxes(0, 1)):
            faulty |= find_faulty(puzzles, one) & (found.counts > number)
        if is_network:
            faulty |= (solutions[:, 0] == solutions[:, 1]).all(axis=1) & (found.counts > 1)
        counts = np.bincount(found.counts, minlength=3).tolist()
        print(
            f"{name:24}{len(puzzles):7} none, one, more: {counts} differ {wrong} "
            f"faulty {faulty.sum()}",
            flush=True,
        )
        is_right &= not wrong and not faulty.any()
    return is_right


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Measure what solves puzzles in batches.")
    parser.add_argument("--rounds", type=int, default=5, help="of which medians are taken")
    parser.add_argument("--network", action="store_true", help="measure the network instead")
    parser.add_argument("--check", action="store_true", help="compare all counts instead")
    options = parser.parse_args(arguments)
    if not PUZZLES.is_dir():
        print(f"no puzzles at ../shared/data/{PUZZLES.name}", file=sys.stderr)
        return 3
    if options.check:
        return 0 if _check_counts(options.network) else 1
    if options.network:
        _measure_network(options.rounds)
        return 0
    solve_batch(np.zeros((1, 81), np.uint8))
    _measure_generation(options.rounds, _compare_with_anchor(options.rounds))
    _measure_fingerprints(options.rounds)
    _measure_threads(options.rounds)
    measure_sizes(options.rounds)
    _measure_first_puzzle()
    return 0


if __name__ == "__main__":
    sys.exit(main())
