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
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from models.engine import WEIGHTS_DIR
from models.export import ParityError, export_litert
from models.grids import (
    Booleans,
    Digits,
    GridNetwork,
    are_filled,
    cube_state,
    legal_candidates,
    load_grid_network,
)
from solver.generation.generate import generate_puzzles

ITERATIONS_A_RUN: Final = 8
"""A run of the graph is so many iterations: after each the network may stop."""

ITERATIONS: Final = 256
"""Of a pass, for grids that stay open: twice the longest thoughts in training (see
`training.grids.train_grid.GridRecipe`) still help, four times as many do not (docs/networks.md)."""

_COMPARED: Final = 256
"""Puzzles on which the two engines are compared."""


class Trained(NamedTuple):
    """A network as a run, or a file, holds it.

    Attributes:
        options: of the network, from its recipe.
        weights: averaged over the run.
        training: what it cost and how it was trained, as the card says it.
    """

    options: dict[str, int]
    weights: list[npt.NDArray[np.float32]]
    training: dict[str, Any]


def export_runs(
    runs: Sequence[Path], name: str = "grid", folder: Path = WEIGHTS_DIR
) -> dict[str, Any]:
    """Write the mean of some runs' networks in all its forms, and return its card.

    Args:
        runs: file names without ending of runs of `grids.train_grid`, or `.keras` files with
            their cards beside them; the mean of one is itself.
        name: file name without ending of what is written.
        folder: where to.

    Raises:
        FileNotFoundError: if a run has no checkpoint, or a file or its card is missing.
        ValueError: if the networks are not of one size.
        ParityError: if LiteRT does not compute what Keras does.
    """
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    from models.grid_net import GridNetOptions, build_grid_net

    trained = [_load_file(run) if run.suffix == ".keras" else _load_run(run) for run in runs]
    if any(one.options != trained[0].options for one in trained):
        raise ValueError("only networks of one size have a mean; name runs with the same --options")
    options = GridNetOptions(**trained[0].options)
    network = build_grid_net(options, ITERATIONS_A_RUN)
    weights = [np.mean(same, axis=0) for same in zip(*(t.weights for t in trained), strict=True)]
    network.get_layer("block").set_weights(weights)
    training = trained[0].training
    if len(trained) > 1:
        training = {"mean_of": [one.training for one in trained]}
    card = {
        "name": name,
        "parameters": int(network.count_params()),
        "features": options.features,
        "iterations": ITERATIONS,
        "iterations_a_run": ITERATIONS_A_RUN,
        "training": training,
    }
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=folder) as drafts:
        draft = Path(drafts)
        network.save(draft / f"{name}.keras")
        text = json.dumps(card, indent=2) + "\n"
        (draft / f"{name}.json").write_text(text, encoding="utf-8")
        compare_engines(name, draft, options.features)
        # Only now, as the three must fit together.
        for ending in ("keras", "tflite", "json"):
            (draft / f"{name}.{ending}").replace(folder / f"{name}.{ending}")
    return card


def _load_run(run: Path) -> Trained:
    checkpoint = run.with_suffix(".checkpoint.npz")
    if not checkpoint.is_file():
        raise FileNotFoundError(
            f"no checkpoint at {checkpoint}; train with training.grids.train_grid"
        )
    with np.load(checkpoint) as stored:
        stages = json.loads(str(stored["stages"]))
        training = {
            "minutes": round(float(stored["seconds"]) / 60, 1),
            "processor_minutes": round(float(stored["processor_seconds"]) / 60, 1),
            "steps": int(stored["step"]),
            "stages": stages,
        }
        weights = [stored[f"average{i}"] for i in range(sum("average" in k for k in stored.files))]
    return Trained(stages[-1]["recipe"]["options"], weights, training)


def _load_file(file: Path) -> Trained:
    import keras

    card = file.with_suffix(".json")
    for needed in (file, card):
        if not needed.is_file():
            raise FileNotFoundError(f"no {needed}; a network to average lies beside its card")
    block = keras.saving.load_model(file, compile=False).get_layer("block")
    training = json.loads(card.read_text(encoding="utf-8"))["training"]
    return Trained(asdict(block.options), block.get_weights(), training)


def compare_engines(name: str, folder: Path, features: int) -> tuple[float, int]:
    """Export to LiteRT, and hold it to what Keras computes on new puzzles.

    Returns:
        The largest difference after one run of the graph, and how many puzzles both solve in a
        pass.

    Raises:
        ParityError: if the difference is too large, or they solve different puzzles.
    """
    puzzles = generate_puzzles(_COMPARED, seed=20).puzzles.reshape(-1, 81)
    candidates = legal_candidates(puzzles)
    state = cube_state(puzzles, candidates, features, seed=0)
    difference = export_litert(folder / f"{name}.keras", folder / f"{name}.tflite", state)
    solved = [
        _solved(load_grid_network(name, "litert", folder=folder), puzzles, candidates),
        _solved(load_grid_network(name, "keras", folder=folder), puzzles, candidates),
    ]
    if not (solved[0] == solved[1]).all():
        raise ParityError(f"{name}: the engines solve {solved[0].sum()} and {solved[1].sum()}")
    return difference, int(solved[0].sum())


def _solved(network: GridNetwork, puzzles: Digits, candidates: Booleans) -> npt.NDArray[np.bool_]:
    return are_filled(network.judge(puzzles, candidates))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Export a trained network that solves grids")
    parser.add_argument(
        "runs",
        type=Path,
        nargs="+",
        metavar="RUN",
        help="a run's file name without ending, or a .keras file; of several, the mean",
    )
    parser.add_argument("--name", default="grid", help="file name without ending to write")
    parser.add_argument("--folder", type=Path, default=WEIGHTS_DIR)
    chosen = parser.parse_args(arguments)
    try:
        card = export_runs(chosen.runs, chosen.name, chosen.folder)
    except (OSError, ValueError, ParityError) as error:
        raise SystemExit(f"export_grid: {error}") from error
    print(json.dumps(card, indent=2))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
