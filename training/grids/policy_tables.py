"""The tables and the file that `training.evaluation.grid_networks` writes."""

import csv
import math
from collections.abc import Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Final

from training.grids.policy_scores import Scores, Summary, count_clues, join_files, summarize

BUCKETS: Final = ((17, 17), (18, 21), (22, 25), (26, 29), (30, 33), (34, 81))
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


def print_header() -> None:
    """Print the first lines of the table of files, which `print_scores` goes on with."""
    _print_rule([*_HEADER, "ms"])


def print_scores(scores: Scores) -> None:
    """Print what became of a file of puzzles, as soon as it is known."""
    ms = 1000 * scores.seconds / len(scores.passes)
    _print_row([*_describe(scores, scores.puzzles.name, summarize(scores)), f"{ms:.2f}"])


def print_mix(network: str, policy: str, whole: float) -> None:
    """Print the share of whole puzzles, in percent, of the mix of files."""
    _print_row([network, policy, "mix", "", "", "", f"{whole:.2f}", *[""] * 6])


def note_second_solutions(by_file: Sequence[Scores]) -> None:
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


def report_by_clues(by_file: Sequence[Scores], by_count: Sequence[Scores]) -> None:
    """Print the tables by number of clues."""
    if by_count:
        print("\nBy number of clues\n")
        _print_rule(_HEADER)
        for scores in by_count:
            _print_row(_describe(scores, scores.puzzles.name, summarize(scores)))
    print("\nAll puzzles of the files with one solution, by number of clues\n")
    _print_rule(_HEADER)
    for joined in join_files(by_file):
        clues = count_clues(joined.puzzles)
        for fewest, most in BUCKETS:
            chosen = (clues >= fewest) & (clues <= most) & (joined.puzzles.counts == 1)
            if chosen.any():
                name = (
                    f"{fewest}"
                    if fewest == most
                    else f"{fewest}–{most}"
                    if most < 81
                    else f"{fewest}+"
                )
                _print_row(_describe(joined, f"{name} clues", summarize(joined, chosen)))


def save_csv(path: Path, scores: Sequence[Scores]) -> None:
    """Write a line for each network, policy and set of puzzles."""
    with path.open("w", encoding="utf-8", newline="") as file:
        numbers = [field.name for field in fields(Summary)]
        names = ["network", "policy", "puzzles", *numbers, "seconds"]
        writer = csv.writer(file)
        writer.writerow(names)
        for one in scores:
            values = asdict(summarize(one)).values()
            writer.writerow([one.network, one.policy, one.puzzles.name, *values, one.seconds])


def _describe(scores: Scores, name: str, summary: Summary) -> list[str]:
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
