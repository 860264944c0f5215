"""Measure networks that solve grids, by every policy: `python -m training.evaluate grids`.

For each network, policy and file: how many cells, empty cells and whole puzzles come out right,
and what that costs. What a puzzle counts as is decided as in the product: the answer is checked,
and proved to be the only solution. Below, the same by number of clues: puzzles cleared to exactly
so many clues (those with 17 from clues17.txt, as none can be made so), and all puzzles in buckets.

    python -m training.evaluate grids --sample 500 --csv grids.csv --plots docs/networks

Other sides and jigsaws, made by chance and judged in one pass by Keras:

    python -m training.evaluate grids --kind jigsaw --side 9 --sample 500
"""

import argparse
import csv
import json
import math
import sys
from collections.abc import Sequence
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Final

from models.engine import WEIGHTS_DIR, EngineError, EngineKind
from models.grids import GridNetwork, load_grid_network
from solver.base import Limits
from solver.generation.generate_kinds import KindOptions, generate_kind
from solver.neural.filling_policy import Filling, OnePass
from solver.neural.network_solver import POLICIES, Guided
from solver.rules import Kind
from training.grids.policy_scores import (
    PLAYERS,
    Player,
    PolicySummary,
    Scores,
    count_clues,
    generate_with_clues,
    join_files,
    measure,
    mix_whole,
    read_file,
    save_plots,
    summarize,
)
from training.grids.size_puzzles import SizeScores, measure_sizes

PUZZLES: Final = Path(__file__).parents[3] / "shared" / "data" / "puzzles"
FILES: Final = (
    "kaggle.csv",
    "exchange_easy.csv",
    "exchange_medium.csv",
    "exchange_hard.csv",
    "se_rated.csv",
    "gen_minimal_20k.txt",
    "clues17.txt",
    "top95.txt",
    "top1465.txt",
    "hardest_1106.txt",
    "hardest_1905_se11.txt",
    "norvig_hardest11.txt",
    "many_solutions.txt",
)
CLUE_COUNTS: Final = (80, 75, 70, 60, 40, 30, 24)
MIX: Final = {
    ("hardest_1905_se11",): 0.5,
    ("top1465", "hardest_1106"): 0.25,
    ("gen_minimal_20k",): 0.25,
}
"""Shares like those of sets that published networks were measured on, from our files."""

_BUCKETS: Final = ((17, 17), (18, 21), (22, 25), (26, 29), (30, 33), (34, 81))
"""The fewest and the most clues of each."""

_HEADER: Final = (
    "network",
    "policy",
    "puzzles",
    "n",
    "cells %",
    "empty cells %",
    "whole %",
    "wrong",
    "passes",
    "95th",
    "guesses",
    "wrong guesses",
)
_SPARSE: Final = "clues17"

_PUBLISHED_ENDING: Final = ".weights.h5"


def evaluate(
    networks: Sequence[GridNetwork],
    policies: Sequence[Player],
    files: Sequence[Path],
    *,
    sample: int | None = 200,
    seed: int = 0,
    batch_size: int = 256,
    max_passes: int | None = None,
    clue_counts: Sequence[int] = CLUE_COUNTS,
) -> tuple[list[Scores], list[Scores]]:
    """Measure every network by every policy, printing a line for each as soon as it is known.

    Args:
        sample: puzzles a file, and of each number of clues; None is all.
        seed: of the sample and of the puzzles made.
        batch_size: puzzles in play at a time.
        max_passes: a puzzle, None without end.
        clue_counts: of puzzles that are made and measured.

    Returns:
        The scores of the files, and those of the puzzles of each number of clues.
    """
    of_files = [read_file(path, sample, seed) for path in files]
    of_counts = [generate_with_clues(clues, sample or 1000, seed) for clues in clue_counts]
    limits = Limits(iterations=max_passes)
    _print_rule([*_HEADER, "ms"])
    by_file: list[Scores] = []
    by_count: list[Scores] = []
    for network in networks:
        for policy in policies:
            own = []
            for puzzles in of_files:
                scores = measure(network, policy, puzzles, limits, batch_size)
                own.append(scores)
                ms = f"{1000 * scores.seconds / len(scores.passes):.2f}"
                _print_row([*_describe(scores, puzzles.name, summarize(scores)), ms])
            mixed = mix_whole(own, MIX)
            if mixed is not None:
                _print_row([network.name, policy.name, "mix", *[""] * 3, f"{mixed:.2f}", *[""] * 6])
            by_file += own
            by_count += [
                measure(network, policy, puzzles, limits, batch_size) for puzzles in of_counts
            ]
            if of_counts:
                by_count += [
                    replace(scores, puzzles=replace(scores.puzzles, name="17 clues"))
                    for scores in own
                    if scores.puzzles.name == _SPARSE
                ]
    return by_file, by_count


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    options = _parse(arguments)
    missing = [str(path) for path in options.files if not path.is_file()]
    if missing or not options.files:
        print(f"no such file: {', '.join(missing) or PUZZLES}; name puzzle files", file=sys.stderr)
        return 3
    if options.kind or options.side:
        return _measure_sizes(options)
    networks = []
    for name in options.network:
        try:
            network = load_network(name)
        except (EngineError, OSError, ValueError) as error:
            print(error, file=sys.stderr)
            return 4
        networks.append(network)
        cost = describe_training(name)
        print(f"{network.name}: {network.parameters:,} parameters{cost}")
    print()
    by_file, by_count = evaluate(
        networks,
        [_choose_policy(name, options) for name in options.policy],
        options.files,
        sample=options.sample or None,
        seed=options.seed,
        batch_size=options.batch_size,
        max_passes=options.max_passes,
        clue_counts=() if options.files_only else CLUE_COUNTS,
    )
    _note_second_solutions(by_file)
    _report_by_clues(by_file, by_count)
    if options.csv is not None:
        _save_csv(options.csv, [*by_file, *by_count])
    if options.plots is not None:
        for path in save_plots(by_file, by_count, options.plots):
            print(f"plot: {path}", file=sys.stderr)
    return 1 if any(scores.is_wrong.any() for scores in [*by_file, *by_count]) else 0


def _measure_sizes(options: argparse.Namespace) -> int:
    """Print what one pass makes of puzzles of one kind and side, made by chance."""
    wanted = KindOptions(Kind(options.kind or Kind.CLASSIC), options.side or 9, clues=options.clues)
    puzzles = list(generate_kind(options.sample or 200, wanted, options.seed))
    _print_rule(["network", "kind", "side", "n", *SizeScores._fields])
    for name in options.network:
        path = Path(name) if Path(name).suffix else WEIGHTS_DIR / f"{name}.keras"
        if path.suffix != ".keras":
            print(f"{name} judges grids of 9×9 alone; name a .keras file", file=sys.stderr)
            return 4
        try:
            scores = measure_sizes(path, puzzles)
        except (OSError, ValueError) as error:
            print(error, file=sys.stderr)
            return 4
        told = [path.stem, wanted.kind, str(wanted.side), str(len(puzzles))]
        _print_row([*told, *(f"{score:.2f}" for score in scores)])
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


def describe_training(name: str) -> str:
    """Return what the card beside the weights, `.json`, tells of their training."""
    weights = Path(name) if Path(name).suffix else WEIGHTS_DIR / name
    stem = weights.name.removesuffix(_PUBLISHED_ENDING).removesuffix(weights.suffix)
    path = weights.with_name(f"{stem}.json")
    if not path.is_file():
        return ""
    told = json.loads(path.read_text(encoding="utf-8")).get("training", {})
    return "".join(
        f"; {key.replace('_', ' ')} {value}"
        for key, value in told.items()
        if isinstance(value, str | int | float)
    )


def _note_second_solutions(by_file: Sequence[Scores]) -> None:
    """Print whose doing it is where puzzles have several solutions and that was found out."""
    names = dict.fromkeys(
        scores.puzzles.name for scores in by_file if (scores.puzzles.counts > 1).any()
    )
    if names:
        print(
            f"\nOf puzzles with several solutions ({', '.join(names)}), whole % counts those for "
            "which one solution was found. The exact solver, which proves every solution to be the "
            "only one, finds the second: no network does."
        )


def _report_by_clues(by_file: Sequence[Scores], by_count: Sequence[Scores]) -> None:
    if by_count:
        print("\nBy number of clues\n")
        _print_rule(_HEADER)
        for scores in by_count:
            _print_row(_describe(scores, scores.puzzles.name, summarize(scores)))
    print("\nAll puzzles of the files with one solution, by number of clues\n")
    _print_rule(_HEADER)
    for joined in join_files(by_file):
        clues = count_clues(joined.puzzles)
        for fewest, most in _BUCKETS:
            chosen = (clues >= fewest) & (clues <= most) & (joined.puzzles.counts == 1)
            if chosen.any():
                more = "" if fewest == most else f"–{most}" if most < 81 else "+"
                _print_row(_describe(joined, f"{fewest}{more} clues", summarize(joined, chosen)))


def _save_csv(path: Path, scores: Sequence[Scores]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        numbers = [field.name for field in fields(PolicySummary)]
        names = ["network", "policy", "puzzles", *numbers, "seconds"]
        writer = csv.writer(file)
        writer.writerow(names)
        for one in scores:
            values = asdict(summarize(one)).values()
            writer.writerow([one.network, one.policy, one.puzzles.name, *values, one.seconds])


def _describe(scores: Scores, name: str, summary: PolicySummary) -> list[str]:
    return [
        scores.network,
        scores.policy,
        name,
        f"{summary.n}",
        _percent(summary.all_cells),
        _percent(summary.empty_cells),
        f"{summary.whole:.2f}",
        f"{summary.wrong}",
        f"{summary.mean_passes:.2f}",
        f"{summary.high_passes:.0f}",
        f"{summary.mean_guesses:.2f}",
        f"{summary.mean_wrong_guesses:.2f}",
    ]


def _percent(share: float) -> str:
    return "–" if math.isnan(share) else f"{share:.2f}"


def _print_row(cells: Sequence[str]) -> None:
    print(f"| {' | '.join(cells)} |", flush=True)


def _print_rule(header: Sequence[str]) -> None:
    _print_row(header)
    _print_row(["---"] * len(header))


def _choose_policy(name: str, options: argparse.Namespace) -> Player:
    policy = PLAYERS[name]
    if isinstance(policy, OnePass | Filling) and options.states:
        policy = replace(policy, states=options.states)
    if isinstance(policy, Filling) and options.early:
        return replace(policy, stops_early=True)
    if isinstance(policy, Guided) and options.surest:
        return replace(policy, takes_surest=True)
    return policy


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m training.evaluate grids", description="Measure networks that solve grids."
    )
    parser.add_argument(
        "--files",
        nargs="+",
        type=Path,
        default=[path for path in (PUZZLES / name for name in FILES) if path.is_file()],
        help="of puzzles; default: those of the data folder",
    )
    parser.add_argument(
        "--network",
        action="append",
        help="grid (default), a .tflite or .keras file, or NAME.weights.h5 of a published one",
    )
    parser.add_argument(
        "--policy",
        action="append",
        choices=list(PLAYERS),
        help="default: all but deep-iterative and alpha-sudoku",
    )
    parser.add_argument(
        "--early",
        action="store_true",
        help="let network-iterative end where the likeliest digits of a pass break no rule",
    )
    parser.add_argument(
        "--states",
        type=int,
        help="initial states to try at most; default: 8 for network-once, else 1. Those that fill "
        "cells try others only where they end early",
    )
    parser.add_argument(
        "--surest", action="store_true", help="let network-guided guess its surest cell"
    )
    parser.add_argument(
        "--sample", type=int, default=200, help="puzzles a file and clue count; 0 is all"
    )
    parser.add_argument(
        "--kind", choices=[Kind.CLASSIC, Kind.JIGSAW], help="made by chance instead"
    )
    parser.add_argument("--side", type=int, help="of the puzzles made by chance instead of files")
    parser.add_argument("--clues", type=int, help="of these at least; default: as few as can be")
    parser.add_argument("--seed", type=int, default=0, help="of the sample")
    parser.add_argument("--batch-size", type=int, default=256, help="puzzles in play at a time")
    parser.add_argument(
        "--max-passes", type=int, help="a puzzle (rounds of alpha-sudoku); default: no limit"
    )
    parser.add_argument(
        "--files-only", action="store_true", help="leave out the puzzles made by number of clues"
    )
    parser.add_argument("--csv", type=Path, help="where the figures go as well")
    parser.add_argument("--plots", type=Path, help="a folder for plots by clues and by passes")
    options = parser.parse_args(arguments)
    options.network = options.network or ["grid"]
    options.policy = options.policy or list(POLICIES)
    return options
