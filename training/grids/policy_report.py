"""What `training.evaluation.grid_networks` writes: tables, a CSV file, and plots as PNG files."""

import csv
import math
from collections.abc import Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, Final

import numpy as np

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

_DPI: Final = 100
_LINE_STYLES: Final = ("-", "--", ":", "-.")
_COLUMNS: Final = 3


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


def save_plots(by_file: Sequence[Scores], by_count: Sequence[Scores], folder: Path) -> list[Path]:
    """Draw accuracy by number of clues and by passes, and return where the plots are.

    Args:
        by_file: the scores of files of puzzles.
        by_count: those of puzzles that all have the same number of clues; may be none.
        folder: made where it is missing.
    """
    folder.mkdir(parents=True, exist_ok=True)
    figures = {"accuracy-by-passes.png": _draw_by_passes(by_file)}
    if by_count:
        figures["accuracy-by-clues.png"] = _draw_by_clues(by_count)
    for name, figure in figures.items():
        figure.savefig(folder / name, dpi=_DPI)
    return [folder / name for name in figures]


def _draw_by_clues(by_count: Sequence[Scores]) -> Any:
    """Draw the share of whole puzzles and of empty cells against the number of clues."""
    figure = _figure(10, 4.5)
    wholes, cells = figure.subplots(1, 2)
    for index, own in enumerate(_lines(by_count)):
        clues = [int(count_clues(scores.puzzles)[0]) for scores in own]
        summaries = [summarize(scores) for scores in own]
        style = {"marker": ".", **_style(index, own[0])}
        wholes.plot(clues, [one.whole for one in summaries], **style)
        cells.plot(clues, [one.empty_cells for one in summaries], **style)
    for axes, title in ((wholes, "Whole puzzles"), (cells, "Empty cells")):
        axes.set_title(title)
        axes.set_xlabel("clues")
        axes.set_ylabel("right, %")
        axes.grid(alpha=0.3)
    cells.legend(fontsize=7)
    return figure


def _draw_by_passes(by_file: Sequence[Scores]) -> Any:
    """Draw, for each file, the share of puzzles that were right after so many passes."""
    names = list(dict.fromkeys(scores.puzzles.name for scores in by_file))
    rows = -(-len(names) // _COLUMNS)
    figure = _figure(11, 0.8 + 2.7 * rows)
    panels = figure.subplots(rows, _COLUMNS, squeeze=False, sharey=True).ravel()
    for axes, name in zip(panels, names, strict=False):
        of_file = [scores for scores in by_file if scores.puzzles.name == name]
        most = max(int(scores.passes.max()) for scores in of_file)
        for index, scores in enumerate(of_file):
            passes = np.sort(scores.passes[scores.is_right])
            share = 100 * np.arange(1, len(passes) + 1) / len(scores.passes)
            axes.step(
                [0, *passes, most],
                [0, *share, share[-1] if len(share) else 0],
                where="post",
                **_style(index, scores),
            )
        axes.set_title(name, fontsize=9)
        axes.set_xscale("symlog", linthresh=1)
        axes.set_xlim(0, max(most, 10))
        axes.set_ylim(-2, 102)
        axes.grid(alpha=0.3)
    for axes in panels[len(names) :]:
        axes.set_axis_off()
    for axes in panels[::_COLUMNS]:
        axes.set_ylabel("right, %")
    for axes in panels[len(panels) - _COLUMNS :]:
        axes.set_xlabel("passes")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure


def _lines(by_count: Sequence[Scores]) -> list[list[Scores]]:
    """Return the scores of each network and policy together, by number of clues."""
    lines: dict[tuple[str, str], list[Scores]] = {}
    for scores in sorted(by_count, key=lambda one: int(count_clues(one.puzzles)[0])):
        lines.setdefault((scores.network, scores.policy), []).append(scores)
    return list(lines.values())


def _style(index: int, scores: Scores) -> dict[str, Any]:
    return {
        "label": f"{scores.network}, {scores.policy.removeprefix('network-')}",
        "color": f"C{index % 10}",
        "linestyle": _LINE_STYLES[index % len(_LINE_STYLES)],
        "linewidth": 1.3,
    }


def _figure(width_inches: float, height_inches: float) -> Any:
    from matplotlib.figure import Figure

    return Figure(figsize=(width_inches, height_inches), layout="constrained")
