"""Sums up solves by solver, by difficulty and by number of clues, in tables and in plots."""

import importlib.util
import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from app.compare.solve_records import Solve, Verdict, names_kind
from app.terminal.exit_codes import MissingError
from app.terminal.named_files import naming_output
from vision.media.whole_files import open_whole, remove_temporaries

_CLUE_BANDS: Final = (17, 18, 22, 26, 30, 34)
_HEAD: Final = (
    "solver",
    "n",
    "solved %",
    "wrong",
    "counts",
    "median",
    "95th",
    "max",
    "median ms",
    "95th ms",
)
_PASSES: Final = "passes"
"""The head of one column more, where a solver counts passes of a network."""

_UNITS: Final = ("nodes", "iterations", "passes")
_DPI: Final = 100
_LINE_STYLES: Final = ("-", "--", ":", "-.")


@dataclass(frozen=True)
class Summary:
    """How a solver did on some puzzles: how many it decided truly, and how many claims were wrong.

    Attributes:
        unit: what its iterations are: nodes, iterations, passes, or nothing.
        effort: median, 95th percentile and maximum of that, over all puzzles; where it gave up,
            what it had spent by then counts.
        seconds: median and 95th percentile of processor time.
        passes: median of the passes of a network.
    """

    solver: str
    n: int
    right: int
    wrong: int
    unit: str
    effort: tuple[float, float, float]
    seconds: tuple[float, float]
    passes: float

    @property
    def right_percent(self) -> float:
        """Share of puzzles decided truly, 0 to 100."""
        return 100 * self.right / self.n


def _effort_of(solve: Solve, unit: str) -> int:
    count: int = getattr(solve, unit) if unit else 0
    return count


def difficulty_of(solve: Solve) -> str:
    """Return the band of the puzzle's rating, or the file's name where it has no rating."""
    if solve.rating is None:
        return solve.file.rsplit(".", 1)[0]
    return f"SE {int(solve.rating)}.0–{int(solve.rating)}.9"


def clues_of(solve: Solve) -> str:
    """Return the band of the number of clues; other kinds and sides have bands of their own."""
    if names_kind(solve.clues):
        told = json.loads(solve.clues)
        return f"{told['kind']} {told['side']}×{told['side']}"
    side = round(len(solve.clues) ** 0.5)
    if side != 9:
        return f"{side}×{side}"
    first = max((band for band in _CLUE_BANDS if band <= solve.n_clues), default=0)
    if first == _CLUE_BANDS[-1]:
        return f"{first}+ clues"
    last = min(band for band in _CLUE_BANDS if band > first) - 1
    return f"{first} clues" if first == last else f"{first}–{last} clues"


def group_solves(
    solves: Iterable[Solve], name_of: Callable[[Solve], str]
) -> dict[str, list[Solve]]:
    """Sort solves into groups: rated or numbered bands ascending, after files as they come."""
    groups: dict[str, list[Solve]] = {}
    for solve in solves:
        groups.setdefault(name_of(solve), []).append(solve)
    bands = sorted((name for name in groups if _is_band(name)), key=_band_start)
    others = [name for name in groups if not _is_band(name)]
    return {name: groups[name] for name in [*others, *bands]}


def effort_units(solves: Iterable[Solve]) -> dict[str, str]:
    """Return by solver which of its counters its iterations are."""
    by_solver = group_solves(solves, lambda solve: solve.solver)
    return {
        name: next((unit for unit in _UNITS if any(getattr(solve, unit) for solve in own)), "")
        for name, own in by_solver.items()
    }


def summarize(solves: Iterable[Solve], units: Mapping[str, str]) -> list[Summary]:
    """Sum up solves solver by solver, the most successful first, then the quickest.

    Their units are those that `effort_units` finds in all solves.
    """
    by_solver = group_solves(solves, lambda solve: solve.solver)
    summaries = [_summarize_one(name, own, units[name]) for name, own in by_solver.items()]
    return sorted(summaries, key=lambda summary: (-summary.right_percent, summary.seconds[0]))


def format_tables(solves: Sequence[Solve]) -> str:
    """Write all tables in Markdown: all puzzles, shares by group, and each group in full."""
    units = effort_units(solves)
    everything = summarize(solves, units)
    order = [summary.solver for summary in everything]
    with_passes = {solve.solver for solve in solves if solve.passes}
    parts = ["## All puzzles", _format_table(everything, with_passes)]
    views = {
        title: {name: summarize(group, units) for name, group in groups.items()}
        for title, groups in (
            ("difficulty", group_solves(solves, difficulty_of)),
            ("clues", group_solves(solves, clues_of)),
        )
    }
    for title, groups in views.items():
        solved = _format_matrix(groups, order, lambda one: f"{one.right_percent:.0f}")
        medians = _format_matrix(
            groups, order, lambda one: f"{one.effort[0]:,.0f}" if one.unit else "–"
        )
        parts += [f"## Solved %, by {title}", solved, f"## Median iterations, by {title}", medians]
    for title, groups in views.items():
        for name, summaries in groups.items():
            parts += [f"## By {title}: {name}", _format_table(summaries, with_passes)]
    return "\n\n".join(parts)


def _summarize_one(solver: str, solves: list[Solve], unit: str) -> Summary:
    effort = np.array([_effort_of(solve, unit) for solve in solves])
    seconds = np.array([solve.seconds for solve in solves])
    return Summary(
        solver,
        len(solves),
        sum(solve.verdict is Verdict.RIGHT for solve in solves),
        sum(solve.verdict is Verdict.WRONG for solve in solves),
        unit,
        (float(np.median(effort)), float(np.percentile(effort, 95)), float(effort.max())),
        (float(np.median(seconds)), float(np.percentile(seconds, 95))),
        float(np.median([solve.passes for solve in solves])),
    )


def _format_table(summaries: Iterable[Summary], with_passes: Collection[str]) -> str:
    """Write a table; solvers that ever counted passes have those shown, here too where it is 0."""
    rows: list[Sequence[str]] = [(*_HEAD, _PASSES) if with_passes else _HEAD]
    for summary in summaries:
        effort = [f"{value:,.0f}" if summary.unit else "–" for value in summary.effort]
        seconds = [_milliseconds(value) for value in summary.seconds]
        right = f"{summary.right_percent:.1f}"
        wrong, n = str(summary.wrong), f"{summary.n:,}"
        row = (summary.solver, n, right, wrong, summary.unit or "–", *effort, *seconds)
        passes = f"{summary.passes:,.0f}" if summary.solver in with_passes else "–"
        rows.append((*row, passes) if with_passes else row)
    return _align(rows)


def _format_matrix(
    groups: Mapping[str, Sequence[Summary]],
    order: Sequence[str],
    show: Callable[[Summary], str],
) -> str:
    shown = {
        (name, summary.solver): show(summary)
        for name, summaries in groups.items()
        for summary in summaries
    }
    rows = [("solver", *groups)]
    rows += [(solver, *(shown.get((name, solver), "–") for name in groups)) for solver in order]
    return _align(rows)


def _align(rows: Sequence[Sequence[str]]) -> str:
    """Write rows as a Markdown table whose columns stand below each other in plain text too."""
    widths = [max(2, *(len(row[column]) for row in rows)) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        first = row[0].ljust(widths[0])
        rest = [text.rjust(width) for text, width in zip(row[1:], widths[1:], strict=True)]
        lines.append(f"| {' | '.join([first, *rest])} |")
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    return "\n".join([lines[0], f"| {' | '.join(rule)} |", *lines[1:]])


def _milliseconds(seconds: float) -> str:
    milliseconds = 1000 * seconds
    return f"{milliseconds:,.0f}" if milliseconds >= 10 else f"{milliseconds:.2f}"


def _is_band(name: str) -> bool:
    """Tell a band of ratings, clue counts or sizes from a file, which may have any name."""
    return re.fullmatch(r"SE [\d.]+(–[\d.]+|\+)|\d+(–\d+|\+)? clues|\d+×\d+.*", name) is not None


def _band_start(name: str) -> float:
    return float(
        name.removeprefix("SE ").replace("+", "–").replace("×", "–").split("–")[0].split()[0]
    )


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
    with naming_output(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for name, draw in plots.items():
            figure, path = draw(solves), folder / name
            remove_temporaries(path)
            with open_whole(path) as file:
                figure.savefig(file, dpi=_DPI, format="png")
            paths.append(path)
    return paths


def _draw_iterations(solves: Sequence[Solve]) -> Any:
    """Draw a box a solver: quartiles, whiskers to the 5th and 95th percentile, outliers."""
    by_solver = group_solves(solves, lambda solve: solve.solver)
    units = effort_units(solves)
    efforts = {
        f"{name} ({units[name]})": [max(_effort_of(solve, units[name]), 1) for solve in own]
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
    most = max((_effort_of(solve, units[solve.solver]) for solve in solves), default=1)
    for index, name in enumerate(order):
        own = by_solver[name]
        unit = units[name]
        if not unit or all(solve.verdict is not Verdict.RIGHT for solve in own):
            continue
        right = [_effort_of(solve, unit) for solve in own if solve.verdict is Verdict.RIGHT]
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
