"""Measure networks that solve grids, by every policy: `python -m training.evaluate grids`.

For each network, policy and file: how many cells, empty cells and whole puzzles come out right,
and what that costs. What a puzzle counts as is decided as in the product: the answer is checked,
and proved to be the only solution. Of puzzles with several, whole % counts those for which the
exact solver, which proves, found a second one.

    python -m training.evaluate grids --sample 500

Other sides and jigsaws, made by chance and judged in one pass by Keras, which alone runs other
geometries than that of 9×9:

    python -m training.evaluate grids --kind jigsaw --side 9 --sample 500

n puzzles.
"""

import argparse
import math
import os
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from models.engine import WEIGHTS_DIR, Booleans, EngineError, EngineKind, Float32
from models.grids import (
    CubeNetwork,
    Digits,
    Geometry,
    GridNetwork,
    find_geometry,
    legal_candidates,
    load_grid_network,
)
from solver.base import Limits, Status
from solver.exact.bulk.bulk_solver import solve_batch
from solver.exact.rule_search import search_rules
from solver.formats_kinds import KindPuzzle
from solver.generation.generate_kinds import KindOptions, generate_kind
from solver.grid import read_puzzles
from solver.neural.filling_policy import Ending, Filling, OnePass, Played, Policy, play_puzzles
from solver.neural.network_solver import (
    POLICIES,
    AlphaSudokuSolver,
    DeepIterative,
    conclude_play,
    count_wrong,
)
from solver.rules import Kind
from training.evaluate import PUZZLES, format_head, format_row, make_parser
from training.grids.export_grid import ITERATIONS
from training.grids.train_grid import region_numbers

Player = Policy | AlphaSudokuSolver
"""What drives a network in play."""

PLAYERS: Final[dict[str, Player]] = {
    **POLICIES,
    DeepIterative.name: DeepIterative(),
    AlphaSudokuSolver.name: AlphaSudokuSolver(),
}
"""By the names of the registry."""

_COUNTED: Final = ("right", "decided", "wrong", "passes", "guesses", "taken back")
_STATUS_OF_COUNT: Final = (Status.UNSOLVABLE, Status.SOLVED, Status.AMBIGUOUS)


@dataclass(frozen=True, eq=False)
class PuzzleSet:
    """Puzzles that are measured together.

    Attributes:
        name: that tables show.
        clues: (n, 81) uint8, 0 = empty.
        solutions: (n, 81) uint8, one of each puzzle.
        counts: (n,) int32: how many solutions a puzzle has, 2 for more.
    """

    name: str
    clues: Digits
    solutions: Digits
    counts: npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Scores:
    """What became of puzzles.

    Attributes:
        network: name.
        policy: name.
        puzzles: which they were.
        counts: (n,) int64 each: `right` cells, of the empty ones that ended with the solution's
            digit; `decided` 1 where the only solution was found, or it was truly proved that there
            is none or another; `wrong` 1 where a claim was made that is not so; `passes` of the
            network; `guesses`, digits that could be taken back, of which a tree search has none;
            `taken back`, those that were.
        seconds: wall time of all, without the proofs of uniqueness but for a tree search.
    """

    network: str
    policy: str
    puzzles: PuzzleSet
    counts: dict[str, npt.NDArray[np.int64]]
    seconds: float


def name_puzzles(name: str, clues: Digits) -> PuzzleSet:
    """Solve the puzzles with the exact engine, to have what answers are measured by.

    Args:
        name: that tables show.
        clues: (n, 81) uint8.
    """
    batch = solve_batch(np.ascontiguousarray(clues), limit=2)
    return PuzzleSet(name, clues, batch.solutions, batch.counts)


def read_file(path: Path, sample: int | None, seed: int = 0) -> PuzzleSet:
    """Read the 9×9 puzzles of a file, or a random sample of them."""
    with path.open(encoding="utf-8") as file:
        grids = [item.grid for item in read_puzzles(file) if item.grid is not None]
    lines = [grid.ravel() for grid in grids if grid.shape == (9, 9)]
    if sample is not None and sample < len(lines):
        lines = [lines[at] for at in sorted(random.Random(seed).sample(range(len(lines)), sample))]
    return name_puzzles(path.stem, np.array(lines, np.uint8).reshape(-1, 81))


def measure(
    network: GridNetwork, policy: Player, puzzles: PuzzleSet, limits: Limits, batch_size: int
) -> Scores:
    """Let a policy play all puzzles with a network, and judge what comes of each.

    Args:
        network: which judges.
        policy: which plays.
        puzzles: what is played.
        limits: of each puzzle; of a tree search they limit rounds, not passes.
        batch_size: how many are in play at a time; a tree search plays one by one.
    """
    # A first pass pays for what is compiled or allocated.
    network.judge(puzzles.clues[:1], legal_candidates(puzzles.clues[:1]))
    start = time.perf_counter()
    if isinstance(policy, AlphaSudokuSolver):
        ended = list(_search(replace(policy, network=network), puzzles, limits))
    else:
        ended = list(play_puzzles(policy, network.judge, puzzles.clues, limits, batch_size))
    seconds = time.perf_counter() - start
    rows = np.zeros((len(puzzles.clues), len(_COUNTED)), np.int64)
    for played in ended:
        at, effort = played.index, played.effort
        clues, solution = puzzles.clues[at], puzzles.solutions[at]
        result = conclude_play(clues.reshape(9, 9), played, Limits())
        is_true = result.status is _STATUS_OF_COUNT[puzzles.counts[at]]
        if result.solution is not None:
            is_true &= bool((result.solution.ravel() == solution).all())
        is_wrong = not is_true and result.status is not Status.GAVE_UP
        right = ((played.ending.digits == solution) & (clues == 0)).sum()
        rows[at] = right, is_true, is_wrong, effort.passes, effort.guesses, count_wrong(effort)
    counts = dict(zip(_COUNTED, rows.T, strict=True))
    return Scores(network.name, policy.name, puzzles, counts, seconds)


def _search(solver: AlphaSudokuSolver, puzzles: PuzzleSet, limits: Limits) -> Iterator[Played]:
    """Let a tree search solve all puzzles, and yield what it came to as policies end."""
    for index, clues in enumerate(puzzles.clues):
        result = solver.solve(clues.reshape(9, 9), limits)
        found = (*result.examples, result.solution, clues)
        digits = next(grid for grid in found if grid is not None).ravel()
        is_proved = result.status in {Status.SOLVED, Status.UNSOLVABLE}
        effort = replace(result.effort, nodes=0, guesses=0)
        yield Played(index, Ending(digits, is_exhaustive=is_proved, note=result.note), effort)


_FIGURES: Final = {
    "n": "d", "cells %": ".2f", "empty cells %": ".2f", "whole %": ".2f", "wrong": "d",
    "passes": ".2f", "95th": ".0f", "guesses": ".2f", "wrong guesses": ".2f", "ms": ".2f",
}  # fmt: skip
"""Heads of the figures, and how they are written."""


def summarize(scores: Scores) -> dict[str, float]:
    """Add up the scores of at least one puzzle.

    Returns:
        By the head of the table: puzzles; percentages of the cells, clues included and without, of
        puzzles with one solution, not a number where there is none; percentage of puzzles that were
        decided, and truly; claims that are not so; mean and 95th percentile of the passes; means of
        guesses and wrong guesses; milliseconds a puzzle.
    """
    single, counts = scores.puzzles.counts == 1, scores.counts
    empty = int((scores.puzzles.clues[single] == 0).sum())
    right = int(counts["right"][single].sum())
    cells, n = 81 * int(single.sum()), len(single)
    figures = (
        n,
        100 * (cells - empty + right) / cells if cells else math.nan,
        100 * right / empty if empty else math.nan,
        100 * float(counts["decided"].mean()),
        int(counts["wrong"].sum()),
        float(counts["passes"].mean()),
        float(np.percentile(counts["passes"], 95)),
        float(counts["guesses"].mean()),
        float(counts["taken back"].mean()),
        1000 * scores.seconds / n,
    )
    return dict(zip(_FIGURES, figures, strict=True))


FILES: Final = (
    "kaggle.csv", *(f"exchange_{name}.csv" for name in ("easy", "medium", "hard")), "se_rated.csv",
    "gen_minimal_20k.txt", "clues17.txt", "top95.txt", "top1465.txt", "hardest_1106.txt",
    "hardest_1905_se11.txt", "norvig_hardest11.txt", "many_solutions.txt",
)  # fmt: skip
_BATCH: Final = 256
"""Puzzles in play at a time."""

_PUBLISHED_ENDING: Final = ".weights.h5"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; 1 when a claim was wrong."""
    options = _parse(arguments)
    missing = [str(path) for path in options.files if not path.is_file()]
    if missing or not options.files:
        print(f"no such file: {', '.join(missing) or PUZZLES}; name puzzle files", file=sys.stderr)
        return 3
    if options.kind or options.side:
        return _tell_sizes(options)
    networks = []
    for name in options.network:
        try:
            networks.append(load_network(name))
        except (EngineError, OSError, ValueError) as error:
            print(error, file=sys.stderr)
            return 4
        print(f"{networks[-1].name}: {networks[-1].parameters:,} parameters")
    policies = [_choose_policy(name, options) for name in options.policy]
    files = [read_file(path, options.sample or None, options.seed) for path in options.files]
    print("\n" + format_head(" | ".join(["network", "policy", "puzzles", *_FIGURES])))
    is_wrong = False
    for network in networks:
        for policy in policies:
            for puzzles in files:
                scores = measure(network, policy, puzzles, Limits(), _BATCH)
                figures = [
                    "–" if math.isnan(figure) else f"{figure:{_FIGURES[head]}}"
                    for head, figure in summarize(scores).items()
                ]
                told = scores.network, scores.policy, puzzles.name, *figures
                print(format_row(told), flush=True)
                is_wrong |= bool(scores.counts["wrong"].any())
    return 1 if is_wrong else 0


@dataclass(frozen=True)
class _BlockEngine:
    """Runs a `models.grid_net.CandidateBlock` on grids of one geometry."""

    block: Any
    geometry: Geometry

    def run(self, inputs: Float32) -> Float32:
        after = self.block(inputs, (self.geometry.segments, self.geometry.units))
        return np.asarray(after, np.float32)


def _judge_sizes(weights: Path, puzzles: Sequence[KindPuzzle]) -> tuple[float, ...]:
    """Let a network judge puzzles of one side once each, those with the same regions together.

    Args:
        weights: a `.keras` file, which needs no card.
        puzzles: of one side, with their solutions.

    Returns:
        Means of the clues and of the positions that the default solver's search looks at, which
        tell how hard the puzzles are; percentages of the empty cells that come out right, and of
        the puzzles in which all do.

    Raises:
        OSError, ValueError: if the weights cannot be read.
    """
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import keras

    import models.grid_net  # noqa: F401 (makes the block known to Keras)

    block = keras.saving.load_model(weights, compile=False).get_layer("block")
    card = {
        "name": weights.stem,
        "parameters": block.count_params(),
        "features": block.options.features,
        "iterations": ITERATIONS,
        "iterations_a_run": block.iterations,
    }
    groups: dict[tuple[int, ...], list[KindPuzzle]] = {}
    for puzzle in puzzles:
        groups.setdefault(tuple(region_numbers(puzzle.rules)), []).append(puzzle)
    cells: list[Booleans] = []
    for regions, own in groups.items():
        geometry = find_geometry(regions)
        given = np.array([puzzle.clues.ravel() for puzzle in own])
        solutions = np.array([np.ravel(np.asarray(puzzle.solution)) for puzzle in own])
        network = CubeNetwork(_BlockEngine(block, geometry), card, geometry)
        judged = network.judge(given, legal_candidates(given, geometry))
        is_right = judged.argmax(axis=2) + 1 == solutions
        cells += [right[empty] for right, empty in zip(is_right, given == 0, strict=True)]
    positions = [
        search_rules(one.rules, one.clues.ravel().tolist(), 2, lambda _: True).nodes
        for one in puzzles
    ]
    clues = [np.count_nonzero(one.clues) for one in puzzles]
    right = float(np.concatenate(cells).mean()), float(np.mean([one.all() for one in cells]))
    return float(np.mean(clues)), float(np.mean(positions)), 100 * right[0], 100 * right[1]


def _tell_sizes(options: argparse.Namespace) -> int:
    """Print what one pass makes of puzzles of one kind and side, made by chance."""
    wanted = KindOptions(Kind(options.kind or Kind.CLASSIC), options.side or 9, clues=options.clues)
    puzzles = list(generate_kind(options.sample or 200, wanted, options.seed))
    print(format_head("network | kind | side | n | clues | positions | cells | whole"))
    for name in options.network:
        path = Path(name) if Path(name).suffix else WEIGHTS_DIR / f"{name}.keras"
        if path.suffix != ".keras":
            print(f"{name} judges grids of 9×9 alone; name a .keras file", file=sys.stderr)
            return 4
        try:
            scores = _judge_sizes(path, puzzles)
        except (OSError, ValueError) as error:
            print(error, file=sys.stderr)
            return 4
        told = (path.stem, wanted.kind, wanted.side, len(puzzles))
        print(format_row([*told, *(f"{score:.2f}" for score in scores)]), flush=True)
    return 0


def load_network(name: str) -> GridNetwork:
    """Return the network that ships, or one of a file.

    Args:
        name: of weights that ship, such as `grid`, or a file: `.tflite`, `.keras`, or the
            `.weights.h5` of a published network.

    Raises:
        FileNotFoundError: if there are no such weights of a published network.
        ValueError: if no published network has this name.
        models.engine.EngineError: if the weights or what runs them are missing or broken.
    """
    path = Path(name)
    if path.name.endswith(_PUBLISHED_ENDING):
        from models.published.catalogue import load_published

        return load_published(path.name.removesuffix(_PUBLISHED_ENDING), path.parent)
    if not path.suffix:
        return load_grid_network(name)
    engine: EngineKind = "keras" if path.suffix == ".keras" else "litert"
    return load_grid_network(path.stem, engine, folder=path.parent)


def _choose_policy(name: str, options: argparse.Namespace) -> Player:
    policy = PLAYERS[name]
    if isinstance(policy, OnePass | Filling) and options.states:
        policy = replace(policy, states=options.states)
    if isinstance(policy, Filling) and options.early:
        policy = replace(policy, stops_early=True)
    return policy


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = make_parser("grids", "Measure networks that solve grids.")
    add = parser.add_argument
    known = [path for path in (PUZZLES / name for name in FILES) if path.is_file()]
    text = "of puzzles; default: those of the data folder"
    add("--files", nargs="+", type=Path, default=known, help=text)
    text = "grid (default), a .tflite or .keras file, or NAME.weights.h5 of a published one"
    add("--network", action="append", help=text)
    text = "default: all but deep-iterative and alpha-sudoku"
    add("--policy", action="append", choices=list(PLAYERS), help=text)
    text = "let network-iterative end where the likeliest digits of a pass break no rule"
    add("--early", action="store_true", help=text)
    text = "initial states to try at most; default: 8 for network-once, else 1. Those that fill "
    add("--states", type=int, help=f"{text}cells try others only where they end early")
    add("--sample", type=int, default=200, help="puzzles a file; 0 is all")
    add("--kind", choices=[Kind.CLASSIC, Kind.JIGSAW], help="made by chance instead")
    add("--side", type=int, help="of the puzzles made by chance instead of files")
    add("--clues", type=int, help="of these at least; default: as few as can be")
    add("--seed", type=int, default=0, help="of the sample")
    options = parser.parse_args(arguments)
    options.network = options.network or ["grid"]
    options.policy = options.policy or list(POLICIES)
    return options
