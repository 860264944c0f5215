"""Puts a trained network that solves grids in its place: Keras, LiteRT and the card beside them.

    python -m training.grids.export_grid build/grids/grid

writes models/weights/grid.keras, grid.tflite and grid.json from the run's averaged weights, after
comparing both engines on real puzzles. Of several runs from one beginning, and that beginning, the
mean of the weights is often better than each (M. Wortsman et al., "Model soups", 2022,
arXiv:2203.05482):

    python -m training.grids.export_grid build/grids/one build/grids/other models/weights/grid.keras
"""

import argparse
import json
import os
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np

from models.engine import WEIGHTS_DIR, EngineKind
from models.export import ParityError, export_litert
from models.grids import are_filled, cube_state, legal_candidates, load_grid_network
from solver.generation.generate import generate_puzzles

ITERATIONS_A_RUN: Final = 8
"""A run of the graph is so many iterations: after each the network may stop."""

ITERATIONS: Final = 256
"""Of a pass, for grids that stay open: twice the longest thoughts in training (see
`training.grids.train_grid`) still help, four times as many do not (docs/networks.md)."""

_COMPARED: Final = 256
"""Puzzles on which the two engines are compared."""


def export_runs(runs: Sequence[Path], name: str = "grid", folder: Path = WEIGHTS_DIR) -> float:
    """Write the mean of some runs' networks in all its forms.

    Args:
        runs: `.keras` files of `grids.train_grid`, with or without ending, their cards beside them;
            the mean of one is itself.
        name: file name without ending of what is written.
        folder: where to.

    Returns:
        The largest difference between the engines.

    Raises:
        FileNotFoundError: if a file or its card is missing.
        ValueError: if the networks are not of one size.
        ParityError: if LiteRT does not compute what Keras does.
    """
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    from models.grid_net import build_grid_net

    blocks, trainings = zip(*map(_load_run, runs), strict=True)
    options = blocks[0].options
    if any(block.options != options for block in blocks):
        raise ValueError("only networks of one size have a mean; name runs with the same --options")
    network = build_grid_net(options, ITERATIONS_A_RUN)
    parts = zip(*(block.get_weights() for block in blocks), strict=True)
    network.get_layer("block").set_weights([np.mean(same, axis=0) for same in parts])
    card = {
        "name": name,
        "parameters": int(network.count_params()),
        "features": options.features,
        "iterations": ITERATIONS,
        "iterations_a_run": ITERATIONS_A_RUN,
        "training": trainings[0] if len(trainings) == 1 else {"mean_of": trainings},
    }
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=folder) as drafts:
        draft = Path(drafts)
        network.save(draft / f"{name}.keras")
        text = json.dumps(card, indent=2) + "\n"
        (draft / f"{name}.json").write_text(text, encoding="utf-8")
        difference = compare_engines(name, draft, options.features)
        # Only now, as the three must fit together.
        for ending in ("keras", "tflite", "json"):
            (draft / f"{name}.{ending}").replace(folder / f"{name}.{ending}")
    return difference


def _load_run(run: Path) -> tuple[Any, dict[str, Any]]:
    """Return a network's block, and how it was trained, as its card says."""
    import keras

    file, card = run.with_suffix(".keras"), run.with_suffix(".json")
    for needed in (file, card):
        if not needed.is_file():
            raise FileNotFoundError(f"no {needed}; a network to export lies beside its card")
    block = keras.saving.load_model(file, compile=False).get_layer("block")
    training = json.loads(card.read_text(encoding="utf-8"))["training"]
    checkpoint = run.with_suffix(".npz")
    if checkpoint.is_file():  # of a run, not of a network that was exported before
        with np.load(checkpoint) as stored:
            minutes, steps = round(float(stored["seconds"]) / 60, 1), int(stored["step"])
        training = {"minutes": minutes, "steps": steps} | training
    return block, training


def compare_engines(name: str, folder: Path, features: int) -> float:
    """Export to LiteRT, and hold it to what Keras computes on new puzzles.

    Returns:
        The largest difference after one run of the graph.

    Raises:
        ParityError: if the difference is too large, or they solve different puzzles.
    """
    puzzles = generate_puzzles(_COMPARED, seed=20).puzzles.reshape(-1, 81)
    candidates = legal_candidates(puzzles)
    state = cube_state(puzzles, candidates, features, seed=0)
    difference = export_litert(folder / f"{name}.keras", folder / f"{name}.tflite", state)
    engines: tuple[EngineKind, ...] = ("litert", "keras")
    networks = (load_grid_network(name, engine, folder=folder) for engine in engines)
    solved = [are_filled(network.judge(puzzles, candidates)) for network in networks]
    if not (solved[0] == solved[1]).all():
        raise ParityError(f"{name}: the engines solve {solved[0].sum()} and {solved[1].sum()}")
    return difference


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Export a trained network that solves grids")
    text = "a run's .keras file, with or without ending; of several, the mean"
    parser.add_argument("runs", type=Path, nargs="+", metavar="RUN", help=text)
    parser.add_argument("--name", default="grid", help="file name without ending to write")
    parser.add_argument("--folder", type=Path, default=WEIGHTS_DIR)
    chosen = parser.parse_args(arguments)
    try:
        difference = export_runs(chosen.runs, chosen.name, chosen.folder)
    except (OSError, ValueError, ParityError) as error:
        raise SystemExit(f"export_grid: {error}") from error
    print(f"written to {chosen.folder}: the engines differ by {difference:.1e}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
