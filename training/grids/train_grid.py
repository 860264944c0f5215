"""Trains the network that solves grids: one command a run, seeded, resumable, with its log.

    python -m training.grids.train_grid --out build/grids/grid --minutes 100
    python -m training.grids.train_grid --out build/grids/wide44 \\
        --plot docs/networks/learning-widest.png

A run that was stopped goes on where it was with the same command. How the shipped network came
about, its figures, and what was tried beside it: docs/networks.md. The backend is Keras' own choice
(KERAS_BACKEND), TensorFlow where that says nothing.
"""

import argparse
import json
import logging
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from training.grids.grid_run import ITERATIONS, DivergedError, GridRecipe, GridRun
from training.grids.published_puzzles import load_file_pools
from training.grids.training_puzzles import KINDS, PuzzlePools, load_pools
from training.shard_runs import add_fields

logger = logging.getLogger(__name__)


def train(recipe: GridRecipe, pools: PuzzlePools, watch_minutes: float = 5.0) -> GridRun:
    """Train until the time is over, watching, logging and saving every few minutes.

    Raises:
        DivergedError: if the loss is no number any more.
        ValueError: if there is a checkpoint of a network of another size, or another optimizer's.
    """
    run = GridRun(recipe, pools)
    if run.resume():
        logger.info("goes on at step %d after %.1f minutes", run.step, run.seconds / 60)
    logger.info("%d parameters; %s", run.block.count_params(), json.dumps(run.stages[-1]))
    next_look = run.seconds + 60 * watch_minutes
    while run.progress < 1:
        run.advance()
        if run.seconds >= next_look or run.progress >= 1:
            next_look = run.seconds + 60 * watch_minutes
            _log(run)
            run.save()
    return run


def _log(run: GridRun) -> None:
    puzzle_iterations = run.step * run.recipe.batch * ITERATIONS
    entry: dict[str, object] = {
        "minutes": round(run.seconds / 60, 2),
        "processor_minutes": round(run.processor_seconds / 60, 2),
        "step": run.step,
        "puzzle_iterations_per_second": round(puzzle_iterations / run.seconds),
    }
    entry |= {name: round(value, 4) for name, value in run.summarise().items()}
    entry |= run.watch()
    with run.recipe.out.with_suffix(".log").open("a", encoding="utf-8") as file:
        file.write(json.dumps(entry) + "\n")
    logger.info("%s", json.dumps(entry))


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
    parser = argparse.ArgumentParser(description="Train the network that solves grids")
    add_fields(parser, GridRecipe)
    parser.add_argument("--puzzles", type=Path, default=Path("../shared/data/puzzles"))
    parser.add_argument("--file", type=Path, help="learn from a public file of puzzles instead")
    parser.add_argument("--plot", type=Path, help="PNG to draw how the run learnt, and no more")
    parser.add_argument("--watch-minutes", type=float, default=5.0)
    chosen = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    if chosen.plot is not None:
        figure = draw_run(chosen.out.with_suffix(".log"))
        chosen.plot.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(chosen.plot, dpi=100)
        return 0
    chosen.out.parent.mkdir(parents=True, exist_ok=True)
    values = {one.name: getattr(chosen, one.name) for one in fields(GridRecipe)}
    pairs = ("segments", "first_mix", "last_mix")
    recipe = GridRecipe(**values | {name: tuple(values[name]) for name in pairs})
    try:
        if chosen.file is not None:
            pools = load_file_pools(chosen.file, chosen.puzzles)
        else:
            pools = load_pools(chosen.puzzles, chosen.out.parent / "puzzles.npz")
        train(recipe, pools, chosen.watch_minutes)
    except (OSError, ValueError, DivergedError) as error:
        raise SystemExit(f"train_grid: {error}") from error
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
