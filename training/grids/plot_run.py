"""Draws how a run of `training.grids.train_grid` learnt, from its log.

python -m training.grids.plot_run build/grids/grid.log docs/networks/learning.png
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from training.puzzles.training_puzzles import KINDS


def draw_run(log: Path) -> Any:
    """Return a figure: puzzles solved in one pass by kind, and the loss, over the minutes.

    Raises:
        ValueError: if the log has no entry.
    """
    from matplotlib.figure import Figure

    entries = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines() if line]
    if not entries:
        raise ValueError(f"{log} is empty; a run writes its first entry after some minutes")
    figure = Figure(figsize=(10, 4), layout="constrained")
    solved, loss = figure.subplots(1, 2, width_ratios=(3, 2))
    for kind in KINDS:
        own = [entry for entry in entries if kind in entry]
        if own:
            minutes = [entry["minutes"] for entry in own]
            solved.plot(minutes, [100 * entry[kind][-1] for entry in own], marker=".", label=kind)
    solved.set_title("Puzzles held out, one pass of 64 iterations")
    solved.set_ylabel("solved, %")
    solved.set_ylim(-2, 102)
    solved.legend(fontsize=8)
    loss.plot([entry["minutes"] for entry in entries], [entry["loss"] for entry in entries])
    loss.set_title("Loss; the mix grows harder")
    for axes in (solved, loss):
        axes.set_xlabel("minutes of training")
        axes.grid(alpha=0.3)
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Draw how a network learnt")
    parser.add_argument("log", type=Path, help="of training.grids.train_grid")
    parser.add_argument("plot", type=Path, help="PNG to write")
    chosen = parser.parse_args(arguments)
    figure = draw_run(chosen.log)
    chosen.plot.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(chosen.plot, dpi=100)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
