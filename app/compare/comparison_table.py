"""Sums up solves by solver, by difficulty and by number of clues, and writes the tables."""

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from app.compare.solve_records import Solve, Verdict, tells_kind

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


@dataclass(frozen=True)
class Summary:
    """How a solver did on some puzzles.

    Attributes:
        solver: its name.
        n: how many puzzles.
        right: how many of them it decided, and truly.
        wrong: how many of its claims were not so.
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


def effort_unit(solves: Iterable[Solve]) -> str:
    """Return which of its counters a solver's iterations are, from all of its solves."""
    solves = list(solves)
    for unit in ("nodes", "iterations", "passes"):
        if any(getattr(solve, unit) for solve in solves):
            return unit
    return ""


def effort_of(solve: Solve, unit: str) -> int:
    """Return a solve's iterations in its solver's unit."""
    count: int = getattr(solve, unit) if unit else 0
    return count


def difficulty_of(solve: Solve) -> str:
    """Return the band of the puzzle's rating, or the file's name where it has no rating."""
    if solve.rating is None:
        return solve.file.rsplit(".", 1)[0]
    return f"SE {int(solve.rating)}.0–{int(solve.rating)}.9"


def clues_of(solve: Solve) -> str:
    """Return the band of the number of clues; other kinds and sides have bands of their own."""
    if tells_kind(solve.clues):
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
    return {name: effort_unit(own) for name, own in by_solver.items()}


def summarize(solves: Iterable[Solve], units: Mapping[str, str]) -> list[Summary]:
    """Sum up solves solver by solver, the most successful first, then the quickest.

    Args:
        solves: of any puzzles.
        units: by solver, as `effort_units` finds them in all of its solves.
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
        parts += [f"## Solved %, by {title}", _format_matrix(groups, order, _show_right)]
        parts += [f"## Median iterations, by {title}", _format_matrix(groups, order, _show_median)]
    for title, groups in views.items():
        for name, summaries in groups.items():
            parts += [f"## By {title}: {name}", _format_table(summaries, with_passes)]
    return "\n\n".join(parts)


def _summarize_one(solver: str, solves: list[Solve], unit: str) -> Summary:
    effort = np.array([effort_of(solve, unit) for solve in solves])
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


def _show_right(summary: Summary) -> str:
    return f"{summary.right_percent:.0f}"


def _show_median(summary: Summary) -> str:
    return f"{summary.effort[0]:,.0f}" if summary.unit else "–"


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
