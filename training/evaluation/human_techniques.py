"""Measures techniques: `python -m training.evaluate human [--sample N] [FILE…]`, or `--kinds N`.

Every puzzle is walked twice, in the teaching and in the rating order, and every step is held
against the solution. Reported: how many puzzles the techniques solve, by file and by band of the
Sudoku Explainer (SE) rating where the file has one; how well ratings agree with SE; how often each
technique is used; and the processor time of a hint, which is one `next_step` on a position.

With `--kinds`, so many generated puzzles of each other kind and side are walked in the teaching
order.
"""

import random
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Final

import numpy as np

from solver.exact.bitmask import search
from solver.generation.generate_kinds import KindOptions, generate_kind
from solver.grid import Grid, read_puzzles
from solver.human.position import Position, Step, Technique
from solver.human.technique_engine import Options, TechniqueOrder
from solver.human.walk import BEYOND, Level, name_score, next_step
from solver.rules import CLASSIC_RULES, Kind, Rules
from training.evaluate import PUZZLES, format_head, format_row, make_parser
from vision.geometry import Floats

FILES: Final = (
    *(f"exchange_{name}.csv" for name in ("easy", "medium", "hard")),
    "se_rated.csv", "top95.txt", "clues17.txt", "gen_minimal_20k.txt", "top1465.txt",
    "hardest_1106.txt", "hardest_1905_se11.txt",
)  # fmt: skip
_SINGLES: Final = (
    Technique.FULL_HOUSE, Technique.HIDDEN_SINGLE_BOX, Technique.HIDDEN_SINGLE_LINE,
    Technique.NAKED_SINGLE,
)  # fmt: skip


OF_KINDS: Final = {
    "4×4": KindOptions(side=4),
    "6×6": KindOptions(side=6),
    "8×8": KindOptions(side=8),
    "12×12, 60 clues": KindOptions(side=12, clues=60),
    "16×16, 120 clues": KindOptions(side=16, clues=120),
    "jigsaw 6×6": KindOptions(Kind.JIGSAW, side=6),
    "jigsaw, 28 clues": KindOptions(Kind.JIGSAW, clues=28),
    "jigsaw, fewest clues": KindOptions(Kind.JIGSAW),
    "diagonal, 28 clues": KindOptions(Kind.DIAGONAL, clues=28),
    "diagonal, fewest clues": KindOptions(Kind.DIAGONAL),
    "windoku, 28 clues": KindOptions(Kind.WINDOKU, clues=28),
    "windoku, fewest clues": KindOptions(Kind.WINDOKU),
    "killer 6×6": KindOptions(Kind.KILLER, side=6),
    "killer": KindOptions(Kind.KILLER),
    "samurai, 130 clues": KindOptions(Kind.SAMURAI, clues=130),
}


@dataclass(frozen=True)
class TimedPath:
    """One puzzle's path in one order.

    Attributes:
        is_solved: whether the techniques solved it.
        score: of the hardest step, `BEYOND` where it was not solved.
        steps: as taken.
        unsound: those that contradict the solution or change nothing.
        seconds: processor time of each step, in order, a last vain search included.
    """

    is_solved: bool
    score: float
    steps: tuple[Step, ...]
    unsound: tuple[Step, ...]
    seconds: tuple[float, ...]


@dataclass(frozen=True)
class WalkedPuzzle:
    """What the walks of a puzzle came to.

    Attributes:
        paths: of each order.
        se: its rating by Sudoku Explainer, where the file has one.
    """

    paths: dict[TechniqueOrder, TimedPath]
    se: float | None = None


def spearman(one: Sequence[float], two: Sequence[float]) -> float:
    """Return Spearman's rank correlation, equal values sharing their mean rank.

    Source: C. Spearman, "The Proof and Measurement of Association between Two Things" (1904).

    Returns:
        -1..1; not a number where either side has one value only.
    """
    if len(set(one)) < 2 or len(set(two)) < 2:
        return float("nan")
    return float(np.corrcoef(_rank(one), _rank(two))[0, 1])


def walk(
    clues: Grid,
    order: TechniqueOrder,
    clock: Callable[[], float] = time.process_time,
    rules: Rules = CLASSIC_RULES,
) -> TimedPath:
    """Take all steps of a puzzle with one solution, and hold each against the solution."""
    (solution,) = search(clues.ravel().tolist(), 2, rules=rules).solutions
    position = Position.from_grid(clues, rules)
    steps, unsound, seconds = [], [], []
    while not position.is_solved:
        start = clock()
        step = next_step(position, Options(order))
        seconds.append(clock() - start)
        if step is None:
            break
        steps.append(step)
        if not is_sound(step, position, solution):
            unsound.append(step)
            break
        position.apply(step)
    score = max((step.rating for step in steps), default=0.0) if position.is_solved else BEYOND
    return TimedPath(position.is_solved, score, tuple(steps), tuple(unsound), tuple(seconds))


def is_sound(step: Step, position: Position, solution: list[int]) -> bool:
    """Return whether a step is true, and changes something."""
    is_true = all(solution[cell] == digit for cell, digit in step.placements)
    is_true &= all(solution[cell] != digit for cell, digit in step.eliminations)
    changes = (*step.placements, *step.eliminations)
    is_new = all(position.cells[cell] >> digit - 1 & 1 for cell, digit in changes)
    return is_true and is_new and bool(changes)


def measure_file(path: Path, sample: int | None, seed: int = 0) -> list[WalkedPuzzle]:
    """Walk the puzzles of a file, or a random sample of them."""
    lines = path.read_text(encoding="utf-8").splitlines()
    items = [item for item in read_puzzles(lines) if item.grid is not None]
    if sample is not None and sample < len(items):
        items = sorted(random.Random(seed).sample(items, sample), key=lambda item: item.number)
    walked = []
    for item in items:
        assert item.grid is not None
        _, second, *_ = *lines[item.number - 1].split(","), ""
        paths = {order: walk(item.grid, order) for order in TechniqueOrder}
        walked.append(WalkedPuzzle(paths, float(second) if second and len(second) < 6 else None))
    return walked


def measure_kind(options: KindOptions, count: int, seed: int = 7000) -> list[TimedPath]:
    """Walk generated puzzles of a kind."""
    made = generate_kind(count, options, seed)
    return [walk(one.clues, TechniqueOrder.TEACHING, rules=one.rules) for one in made]


def _report_kinds(count: int) -> int:
    """Print a line for each kind, and return how many steps were false."""
    print(format_head("puzzles | n | solved | false steps | hint, median / worst ms"))
    unsound = 0
    for name, options in OF_KINDS.items():
        walked = measure_kind(options, count)
        wrong = sum(len(one.unsound) for one in walked)
        unsound += wrong
        solved = sum(one.is_solved for one in walked)
        seconds = [1e3 * second for one in walked for second in one.seconds]
        spent = f"{statistics.median(seconds):.2f} / {max(seconds):.0f}"
        print(format_row((name, len(walked), solved, wrong, spent)), flush=True)
    return unsound


def report(name: str, walked: Sequence[WalkedPuzzle]) -> int:
    """Print a file's figures, and return how many steps were false."""
    taught, rated = ([one.paths[order] for one in walked] for order in TechniqueOrder)
    unsound = [step for one in walked for path in one.paths.values() for step in path.unsound]
    solved = ", ".join(
        f"{_percent([one.paths[order].is_solved for one in walked])} ({order.value} order)"
        for order in TechniqueOrder
    )
    print(f"\n{name}: {len(walked)} puzzles, solved {solved}, unsound steps {len(unsound)}")
    for step in unsound[:3]:
        print(f"  UNSOUND {step}")
    steps = [one for path in taught for one in zip_longest(path.seconds, path.steps)]
    hard = [spent for spent, step in steps if (step and step.technique) not in _SINGLES]
    every = [spent for spent, _ in steps]
    for label, spent in (("hint", every), ("hint, no single left", hard)):
        if spent:
            low, high = statistics.median(spent), float(np.percentile(spent, 95))
            print(
                f"  {label}: n {len(spent)}, median {1e3 * low:.2f} ms, "
                f"95th percentile {1e3 * high:.1f} ms, worst {1e3 * max(spent):.0f} ms"
            )
    levels = Counter(name_score(path.score) for path in rated)
    print("  levels: " + ", ".join(f"{level.value} {levels[level]}" for level in Level))
    _report_se(walked)
    used = Counter(step.technique for path in taught for step in path.steps)
    told = ", ".join(f"{item.label} {n}" for item, n in used.most_common())
    print(f"  techniques (teaching order): {told}")
    return len(unsound)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = make_parser("human", "Measure the technique engine.")
    parser.add_argument("files", nargs="*", type=Path, help="default: the rated and hard ones")
    parser.add_argument("--sample", type=int, default=None, help="puzzles a file, default all")
    parser.add_argument("--kinds", type=int, default=None, help="puzzles of each other kind")
    options = parser.parse_args(arguments)
    if options.kinds is not None:
        return 1 if _report_kinds(options.kinds) else 0
    files = options.files or [PUZZLES / name for name in FILES]
    missing = [str(path) for path in files if not path.is_file()]
    if missing:
        print(f"no such file: {', '.join(missing)}; name puzzle files", file=sys.stderr)
        return 3
    unsound = 0
    for path in files:
        unsound += report(path.name, measure_file(path, options.sample))
        sys.stdout.flush()
    return 1 if unsound else 0


def _report_se(walked: Sequence[WalkedPuzzle]) -> None:
    """Print how well ratings agree with those of Sudoku Explainer, where all have one."""
    se = [one.se for one in walked if one.se is not None]
    if not se:
        return
    scores = [one.paths[TechniqueOrder.RATING].score for one in walked]
    away = [abs(a - b) for a, b in zip(scores, se, strict=True)]
    print(
        f"  Spearman with SE {spearman(scores, se):.4f}, same rating "
        f"{_percent([one < 0.05 for one in away])}, within a tenth "
        f"{_percent([one < 0.15 for one in away])}"
    )
    is_solved = [one.paths[TechniqueOrder.TEACHING].is_solved for one in walked]
    up_to_8 = [ok for ok, rating in zip(is_solved, se, strict=True) if rating <= 8.0]
    print(f"  solved up to SE 8.0: {_percent(up_to_8)}")
    for band in sorted({int(rating) for rating in se}):
        inside = [ok for ok, rating in zip(is_solved, se, strict=True) if int(rating) == band]
        print(f"  SE {band}.x: {sum(inside)} of {len(inside)} solved")


def _percent(flags: Sequence[bool]) -> str:
    return f"{100 * sum(flags) / len(flags):.2f} %" if flags else "–"


def _rank(values: Sequence[float]) -> Floats:
    """Return the rank of each value from 1, the mean of their ranks for equal ones."""
    _, inverse, counts = np.unique(np.asarray(values), return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[inverse])
