"""Measure the default solver against a SAT solver, on 16×16 and on other kinds.

`python -m benchmarks.solvers.exact_solvers` takes about two minutes. The anchor is MiniSat 2.2 of
python-sat (extra `baselines`), incremental, the clues as assumptions. The default solver proves
every solution to be the only one. Solvers take turns in blocks of puzzles, so that a busy machine
is as busy for all, and times are processor time.

`--kinds` measures puzzles of every kind instead, against python-sat and OR-tools; some ten minutes,
most of them to make the puzzles. They are as in newspapers: 28 clues in a grid of 9×9, 130 in a
samurai, none in a killer. Another process makes them, so that nothing of a puzzle is remembered
when it is solved. Each is proved to have one solution. The others' times include building their
model.
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

from benchmarks.bulk import PUZZLES, Digits, Minisat, read_digits
from solver.base import Limits, RuleSolver, Solver, Status
from solver.exact.bitmask import BitmaskSolver, search
from solver.exact.packaged_solvers import SatSolver
from solver.formats_kinds import KindPuzzle, parse_kind_puzzle
from solver.grid import Grid
from solver.layout import LAYOUTS
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Measure the default solver.")
    parser.add_argument("--puzzles", type=int, default=1000, help="of each file, default 1000")
    parser.add_argument("--large", type=int, default=100, help="16×16 puzzles, default 100")
    parser.add_argument(
        "--kinds", nargs="*", metavar="KIND", help="solvers of other rules instead; default: all"
    )
    parser.add_argument("--others", type=int, default=100, help="puzzles for those beside ours")
    parser.add_argument("--seed", type=int, default=0, help="of the kinds' puzzles")
    options = parser.parse_args(arguments)
    if options.kinds is not None:
        kinds = [Kind(name) for name in options.kinds or Kind]
        _compare_kinds(kinds, options.puzzles, options.others, options.seed)
        return 0
    print("| file | puzzles | default | MiniSat, first | proved | our search | MiniSat's calls |")
    print("|---|---|---|---|---|---|---|")
    for name in FILES:
        print(_compare_with_sat(PUZZLES / name, options.puzzles), flush=True)
    print("\n| clues of 16×16 | puzzles | median ms | worst ms | median guesses |")
    print("|---|---|---|---|---|")
    for n_clues in (120, 110, 105)[: options.large]:
        print(_measure_large(options.large, n_clues, seed=n_clues), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
