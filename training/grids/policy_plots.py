"""The plots of `training.evaluation.grid_networks`, as PNG files."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from training.grids.policy_scores import Scores, count_clues, summarize

_DPI: Final = 100
_LINE_STYLES: Final = ("-", "--", ":", "-.")
_COLUMNS: Final = 3


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
