"""Measure the default solver on puzzles of every kind, against python-sat and OR-tools.

`python -m benchmarks.solvers.rule_solvers` takes some ten minutes, most of them to make the
puzzles. They are as in newspapers: 28 clues in a grid of 9×9, 130 in a samurai, none in a killer.
Another process makes them, so that nothing of a puzzle is remembered when it is solved. Each is
proved to have one solution. Times are processor time; the others' include building their model.
"""

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Final

from solver.base import Limits, RuleSolver, Status
from solver.formats_kinds import KindPuzzle, parse_kind_puzzle
from solver.registry import RULE_SOLVERS, load_solver
from solver.rules import Kind

_CLUES: Final = {Kind.SAMURAI: ["--clues", "130"], Kind.KILLER: []}


def make(kind: Kind, count: int, seed: int) -> list[KindPuzzle]:
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


def measure(solver: RuleSolver, puzzles: Sequence[KindPuzzle]) -> str:
    """Return the median and the worst time of a solver in ms."""
    spent = []
    for puzzle in puzzles:
        begin = time.process_time()
        result = solver.solve(puzzle.clues, Limits(), puzzle.rules)
        spent.append(1000 * (time.process_time() - begin))
        assert result.status is Status.SOLVED
    return f"{statistics.median(spent):.2f} / {max(spent):.1f}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a row for each kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--puzzles", type=int, default=1000, help="of a kind, default 1000")
    parser.add_argument("--others", type=int, default=100, help="of them for the other solvers")
    parser.add_argument("--kinds", nargs="*", default=list(Kind), help="default: all")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    solvers = [load_solver(name) for name in RULE_SOLVERS]
    print(f"| kind | puzzles | {' | '.join(RULE_SOLVERS)} |")
    print("|---|---|---|---|---|")
    for kind in map(Kind, options.kinds):
        puzzles = make(kind, options.puzzles, options.seed)
        cells = [measure(solvers[0], puzzles)]  # type: ignore[arg-type]  # as RULE_SOLVERS says
        cells += [
            measure(solver, puzzles[: options.others])  # type: ignore[arg-type]
            for solver in solvers[1:]
        ]
        print(f"| {kind.value} | {len(puzzles)} | {' | '.join(cells)} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
