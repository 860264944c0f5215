"""Measure solvers of grids: the default one, those of other kinds, and the hand-weighted network.

    python -m benchmarks.grid_solvers default --puzzles 5000
    python -m benchmarks.grid_solvers kinds --puzzles 300 --others 60
    python -m benchmarks.grid_solvers network
    python -m benchmarks.grid_solvers network --check

`default` takes about two minutes. The anchor is MiniSat 2.2 of python-sat (extra `baselines`),
incremental, the clues as assumptions. The default solver proves every solution to be the only one.
Solvers take turns in blocks of puzzles, so that a busy machine is as busy for all, and times are
processor time. Sizes of 16×16 follow.

`kinds` measures puzzles of every kind, against python-sat and OR-tools; some ten minutes, most of
them to make the puzzles. They are as in newspapers: 28 clues in a grid of 9×9, 130 in a samurai,
none in a killer. Another process makes them, so that nothing of a puzzle is remembered when it is
solved. Each is proved to have one solution. The others' times include building their model.

`network` tells puzzles a second in batches, and one at a time, each beside the default solver
behind the same contract in the same run; both prove that a solution is the only one. They take
turns, and medians are compared. `--check` compares all counts with the default solver's instead.
"""

import argparse
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.bulk import PUZZLES, Digits, Minisat, read_batches, read_digits
from solver.base import Limits, RuleSolver, Solver, Status
from solver.exact.bitmask import BitmaskSolver, count_solutions, search
from solver.exact.bulk.bulk_solver import find_faulty
from solver.exact.packaged_solvers import SatSolver
from solver.formats_kinds import KindPuzzle, parse_kind_puzzle
from solver.grid import Grid
from solver.layout import LAYOUTS
from solver.neural.constraint_solver import (
    ConstraintNetworkSolver,
    NetworkBatchOptions,
    solve_batch,
)
from solver.registry import RULE_SOLVERS, load_solver
from solver.rules import Kind

FILES: Final = ("kaggle.csv", "clues17.txt", "top1465.txt", "hardest_1106.txt")

_BLOCK: Final = 250
_PROOF_NODES: Final = 400
_CLUES: Final = {Kind.SAMURAI: ["--clues", "130"], Kind.KILLER: []}
"""How puzzles of a kind are asked for, where 28 clues are not usual."""


def _compare_with_sat(path: Path, n_puzzles: int) -> str:
    """Return a row of the table: puzzles a second of each, and the ratios to MiniSat."""
    grids = [digits.reshape(9, 9) for digits in read_digits(path)]
    grids = grids[:: max(1, len(grids) // n_puzzles)][:n_puzzles]
    contenders = (
        prove(BitmaskSolver()),
        _call_minisat(Minisat.time_rows),
        prove(SatSolver()),
        _call_default(),
        _call_minisat(Minisat.time_calls),
    )
    seconds: list[list[float]] = [[] for _ in contenders]
    for contender in contenders:
        contender(grids[:1])
    for start in range(0, len(grids), _BLOCK):
        block = grids[start : start + _BLOCK]
        for contender, spent in zip(contenders, seconds, strict=True):
            spent.append(contender(block) / len(block))
    ours, asked, proved, our_call, call = (1 / statistics.median(spent) for spent in seconds)
    return (
        f"| {path.name} | {len(grids)} | {ours:,.0f} | {asked:,.0f} ({ours / asked:.2f}×) | "
        f"{proved:,.0f} ({ours / proved:.2f}×) | {our_call:,.0f} | "
        f"{call:,.0f} ({our_call / call:.2f}×) |"
    )


Contender = Callable[[list[Grid]], float]
"""Solves puzzles and returns the seconds that it took."""


def prove(solver: Solver) -> Contender:
    """Time a solver behind the contract: solution, proof that it is the only one, check."""

    def solve(puzzles: list[Grid]) -> float:
        begin = time.process_time()
        results = [solver.solve(clues, Limits()) for clues in puzzles]
        seconds = time.process_time() - begin
        assert all(result.status is Status.SOLVED for result in results)
        return seconds

    return solve


def _call_minisat(way: Callable[[Minisat, Digits], float]) -> Contender:
    """Time the anchor: its calls alone, or from clues to a grid, without check or proof."""
    anchor = Minisat()
    return lambda puzzles: way(anchor, np.reshape(puzzles, (-1, 81)))


def _call_default() -> Contender:
    """Time the default solver's search alone, with its proof, but without the contract."""

    def solve(puzzles: list[Grid]) -> float:
        digits = [clues.ravel().tolist() for clues in puzzles]
        begin = time.process_time()
        for clues in digits:
            search(clues, 2)
        return time.process_time() - begin

    return solve


def _measure_large(n_puzzles: int, n_clues: int, seed: int) -> str:
    """Generate 16×16 puzzles and return a row on how the default solver does on them."""
    chance = random.Random(seed)
    solver = BitmaskSolver()
    seconds, guesses = [], []
    for _ in range(n_puzzles):
        clues = _generate_large(n_clues, chance)
        begin = time.process_time()
        result = solver.solve(clues, Limits(seconds=60))
        seconds.append(time.process_time() - begin)
        guesses.append(result.effort.guesses)
        assert result.status is Status.SOLVED
    return (
        f"| {n_clues} | {n_puzzles} | {1e3 * statistics.median(seconds):.1f} | "
        f"{1e3 * max(seconds):.0f} | {statistics.median(guesses):.0f} |"
    )


def _generate_large(n_clues: int, chance: random.Random) -> Grid:
    """Return a 16×16 puzzle with one solution and about so many clues.

    A full grid is found from random boxes on the diagonal, and emptied in random order as long as
    a short search proves that the solution stays the only one.
    """
    solution: list[int] = []
    while not solution:
        clues = [0] * 256
        for box in LAYOUTS[16].boxes[::5].tolist():
            for cell, digit in zip(box, chance.sample(range(1, 17), 16), strict=True):
                clues[cell] = digit
        begun = search(clues, 1, lambda nodes: nodes < _PROOF_NODES)
        solution = begun.solutions[0] if begun.solutions else []
    grid = np.array(solution, np.uint8).reshape(16, 16)
    for cell in chance.sample(range(256), 256):
        if np.count_nonzero(grid) <= n_clues:
            break
        digit = int(grid.flat[cell])
        grid.flat[cell] = 0
        found = search(grid.ravel().tolist(), 2, lambda nodes: nodes < _PROOF_NODES)
        if not found.is_exhaustive:
            grid.flat[cell] = digit
    return grid


def _make_of_kind(kind: Kind, count: int, seed: int) -> list[KindPuzzle]:
    """Return newspaper-like puzzles, made in another process."""
    wish = ["--kind", kind.value, *_CLUES.get(kind, ["--clues", "28"])]
    command = [sys.executable, "-m", "app", "generate", *wish, "--count", str(count), "--quiet"]
    done = subprocess.run(
        [*command, "--seed", str(seed), "--limit-seconds", "36000"],
        check=True,
        capture_output=True,
        text=True,
    )
    return [
        parse_kind_puzzle(line, None if line[0] == "{" else kind)
        for line in done.stdout.splitlines()
    ]


def _measure_rules(solver: RuleSolver, puzzles: Sequence[KindPuzzle]) -> str:
    spent = []
    for puzzle in puzzles:
        begin = time.process_time()
        result = solver.solve(puzzle.clues, Limits(), puzzle.rules)
        spent.append(1000 * (time.process_time() - begin))
        assert result.status is Status.SOLVED
    return f"{statistics.median(spent):.2f} / {max(spent):.1f}"


def _compare_kinds(kinds: Sequence[Kind], count: int, others: int, seed: int) -> None:
    """Print a row for each kind: median and worst ms of every solver that takes rules."""
    solvers = [load_solver(name) for name in RULE_SOLVERS]
    print(f"| kind | puzzles | {' | '.join(RULE_SOLVERS)} |")
    print("|---|---|---|---|---|")
    for kind in kinds:
        puzzles = _make_of_kind(kind, count, seed)
        cells = [
            _measure_rules(solver, puzzles[: others if number else None])  # type: ignore[arg-type]
            for number, solver in enumerate(solvers)
        ]
        print(f"| {kind.value} | {len(puzzles)} | {' | '.join(cells)} |", flush=True)


_NETWORK_FILES: Final = (
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
        begin = time.process_time()
        solve_batch(batch)
        in_batch = (time.process_time() - begin) / len(batch)
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
    solve = prove(solver)
    return [solve([puzzle.reshape(9, 9)]) for puzzle in puzzles]


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


def _measure_default(n_puzzles: int, n_large: int) -> None:
    print("| file | puzzles | default | MiniSat, first | proved | our search | MiniSat's calls |")
    print("|---|---|---|---|---|---|---|")
    for name in FILES:
        print(_compare_with_sat(PUZZLES / name, n_puzzles), flush=True)
    print("\n| clues of 16×16 | puzzles | median ms | worst ms | median guesses |")
    print("|---|---|---|---|---|")
    for n_clues in (120, 110, 105)[:n_large]:
        print(_measure_large(n_large, n_clues, seed=n_clues), flush=True)


def _measure_network(rounds: int, n_single: int) -> None:
    head = ("file", "in a batch", "batch, puzzles/s", "to default", "median ms", "mean ms")
    print(f"| {' | '.join([*head, 'default', 'ratio'])} |")
    print("|---|---|---|---|---|---|---|---|")
    for name in _NETWORK_FILES:
        print(_compare_with_default(PUZZLES / name, rounds, n_single), flush=True)
    _compare_ways(rounds)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Measure solvers of grids.")
    parser.add_argument("subject", choices=("default", "kinds", "network"))
    parser.add_argument("--puzzles", type=int, default=1000, help="of each file, default 1000")
    parser.add_argument("--large", type=int, default=100, help="16×16 puzzles, default 100")
    parser.add_argument("--kind", nargs="*", metavar="KIND", help="of `kinds`; default: all")
    parser.add_argument("--others", type=int, default=100, help="puzzles for those beside ours")
    parser.add_argument("--seed", type=int, default=0, help="of the kinds' puzzles")
    parser.add_argument("--rounds", type=int, default=3, help="of `network`, default 3")
    parser.add_argument("--singles", type=int, default=200, help="one at a time, of each file")
    parser.add_argument("--check", action="store_true", help="compare the network's counts instead")
    options = parser.parse_args(arguments)
    if options.subject == "kinds":
        kinds = [Kind(name) for name in options.kind or Kind]
        _compare_kinds(kinds, options.puzzles, options.others, options.seed)
    elif not PUZZLES.is_dir():
        print(f"no puzzles at ../shared/data/{PUZZLES.name}", file=sys.stderr)
        return 3
    elif options.subject == "default":
        _measure_default(options.puzzles, options.large)
    elif options.check:
        return 0 if _check_counts() else 1
    else:
        _measure_network(options.rounds, options.singles)
    return 0


if __name__ == "__main__":
    sys.exit(main())
