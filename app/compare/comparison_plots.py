"""The plots of a comparison, as PNG files."""

import importlib.util
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from app.compare.comparison_table import (
    clues_of,
    difficulty_of,
    effort_of,
    effort_units,
    group_solves,
    summarize,
)
from app.compare.solve_records import Solve, Verdict
from app.terminal.exits import MissingError, UsageError
from vision.media.whole_files import open_whole, remove_temporaries

_DPI: Final = 100
_LINE_STYLES: Final = ("-", "--", ":", "-.")


def check_plots_possible() -> None:
    """Make sure, before a long run, that there is something to plot with.

    Raises:
        MissingError: if matplotlib is not installed.
    """
    if importlib.util.find_spec("matplotlib") is None:
        raise MissingError(
            "plots need matplotlib, which is not installed; run: pip install matplotlib"
        )


def save_plots(solves: Sequence[Solve], folder: Path) -> list[Path]:
    """Draw the four plots and return where they are.

    Raises:
        MissingError: if matplotlib is not installed.
        UsageError: if the folder cannot be written to.
    """
    check_plots_possible()
    plots: dict[str, Callable[[Sequence[Solve]], Any]] = {
        "iterations.png": _draw_iterations,
        "failures-by-difficulty.png": lambda all_: _draw_failures(
            all_, difficulty_of, "difficulty"
        ),
        "failures-by-clues.png": lambda all_: _draw_failures(all_, clues_of, "number of clues"),
        "success-by-limit.png": _draw_success,
    }
    paths = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, draw in plots.items():
            figure, path = draw(solves), folder / name
            remove_temporaries(path)
            with open_whole(path) as file:
                figure.savefig(file, dpi=_DPI, format="png")
            paths.append(path)
    except OSError as error:
        raise UsageError(f"{folder} cannot be written to: {error.strerror or error}") from error
    return paths


def _draw_iterations(solves: Sequence[Solve]) -> Any:
    """Draw a box a solver: quartiles, whiskers to the 5th and 95th percentile, outliers."""
    by_solver = group_solves(solves, lambda solve: solve.solver)
    units = effort_units(solves)
    efforts = {
        f"{name} ({units[name]})": [max(effort_of(solve, units[name]), 1) for solve in own]
        for name, own in by_solver.items()
        if units[name]
    }
    names = sorted(efforts, key=lambda name: float(np.median(efforts[name])), reverse=True)
    figure, axes = _begin(1.2 + 0.32 * len(names))
    axes.boxplot(
        [efforts[name] for name in names],
        orientation="horizontal",
        whis=(5, 95),
        flierprops={"marker": ".", "markersize": 2, "alpha": 0.4},
        medianprops={"color": "tab:red"},
    )
    axes.set_yticks(range(1, len(names) + 1), names)
    axes.set_xscale("log")
    axes.set_xlabel("until solved or given up; whiskers: 5th and 95th percentile")
    axes.set_title(f"Iterations by solver, {_count(solves)} puzzles")
    axes.grid(axis="x", alpha=0.3)
    return figure


def _draw_failures(solves: Sequence[Solve], name_of: Callable[[Solve], str], title: str) -> Any:
    """Draw which share of each group a solver did not decide, as shades with numbers."""
    groups = group_solves(solves, name_of)
    solvers = [summary.solver for summary in summarize(solves, effort_units(solves))]
    failed = np.full((len(solvers), len(groups)), np.nan)
    for column, group in enumerate(groups.values()):
        for summary in summarize(group, effort_units(solves)):
            failed[solvers.index(summary.solver), column] = 100 - summary.right_percent
    figure, axes = _begin(1.8 + 0.3 * len(solvers))
    axes.imshow(failed, cmap="OrRd", vmin=0, vmax=100, aspect="auto")
    for (row, column), share in np.ndenumerate(failed):
        text = "–" if np.isnan(share) else f"{share:.0f}"
        colour = "white" if share > 60 else "black"
        axes.text(column, row, text, ha="center", va="center", color=colour, fontsize=8)
    axes.set_xticks(range(len(groups)), list(groups), rotation=30, ha="right")
    axes.set_yticks(range(len(solvers)), solvers)
    axes.set_title(f"Not solved, in %, by {title}")
    return figure


def _draw_success(solves: Sequence[Solve]) -> Any:
    """Draw which share of the puzzles each solver would have decided under a smaller limit."""
    figure, axes = _begin(5.2)
    order = [summary.solver for summary in summarize(solves, effort_units(solves))]
    by_solver = group_solves(solves, lambda solve: solve.solver)
    colours = [f"C{number}" for number in range(10)]
    units = effort_units(solves)
    most = max((effort_of(solve, units[solve.solver]) for solve in solves), default=1)
    for index, name in enumerate(order):
        own = by_solver[name]
        unit = units[name]
        if not unit or all(solve.verdict is not Verdict.RIGHT for solve in own):
            continue
        right = [effort_of(solve, unit) for solve in own if solve.verdict is Verdict.RIGHT]
        spent = np.maximum(sorted(right), 1)
        share = 100 * np.arange(1, len(spent) + 1) / len(own)
        axes.step(
            [spent[0], *spent, most],
            [0, *share, share[-1]],
            where="post",
            label=f"{name} ({unit})",
            color=colours[index % len(colours)],
            linestyle=_LINE_STYLES[index // len(colours) % len(_LINE_STYLES)],
            linewidth=1.4,
        )
    axes.set_xscale("log")
    axes.set_ylim(0, 102)
    axes.set_xlabel("limit of nodes, iterations or passes")
    axes.set_ylabel("solved, % of the puzzles")
    axes.set_title(f"Success against the limit, {_count(solves)} puzzles")
    axes.grid(alpha=0.3)
    axes.legend(fontsize=7, loc="center left", bbox_to_anchor=(1.01, 0.5))
    return figure


def _begin(height_inches: float) -> tuple[Any, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, height_inches), layout="constrained")
    return figure, figure.subplots()


def _count(solves: Sequence[Solve]) -> int:
    return len({(solve.file, solve.line) for solve in solves})
