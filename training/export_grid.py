"""Puts a trained network that solves grids in its place: Keras, LiteRT and the card beside them.

    python -m training.export_grid build/grids/grid

writes models/weights/grid.keras, grid.tflite and grid.json from the run's averaged weights, after
comparing both engines on real puzzles.
"""

import argparse
import json
import os
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

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
from solver.generate import generate_puzzles

ITERATIONS_A_RUN: Final = 8
"""A run of the graph is so many iterations: after each the network may stop."""

ITERATIONS: Final = 256
"""Of a pass, for grids that stay open: twice the longest thoughts in training (see
`training.grid_run.Recipe`) still help, four times as many do not (docs/networks.md)."""

_COMPARED: Final = 256
"""Puzzles on which the two engines are compared."""


def export_run(run: Path, name: str = "grid", folder: Path = WEIGHTS_DIR) -> dict[str, Any]:
    """Write a run's network in all its forms, and return its card.

    Args:
        run: file name without ending of a run of `training.train_grid`.
        name: file name without ending of what is written.
        folder: where to.

    Raises:
        FileNotFoundError: if the run has no checkpoint.
        ParityError: if LiteRT does not compute what Keras does.
    """
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    from models.grid_net import GridNetOptions, build_grid_net

    checkpoint = run.with_suffix(".checkpoint.npz")
    if not checkpoint.is_file():
        raise FileNotFoundError(f"no checkpoint at {checkpoint}; train with training.train_grid")
    with np.load(checkpoint) as stored:
        stages = json.loads(str(stored["stages"]))
        cost = {
            "minutes": round(float(stored["seconds"]) / 60, 1),
            "processor_minutes": round(float(stored["processor_seconds"]) / 60, 1),
            "steps": int(stored["step"]),
        }
        weights = [stored[f"average{i}"] for i in range(sum("average" in k for k in stored.files))]
    options = GridNetOptions(**stages[-1]["recipe"]["options"])
    network = build_grid_net(options, ITERATIONS_A_RUN)
    network.get_layer("block").set_weights(weights)
    card = {
        "name": name,
        "parameters": int(network.count_params()),
        "features": options.features,
        "iterations": ITERATIONS,
        "iterations_a_run": ITERATIONS_A_RUN,
        "training": cost | {"stages": stages},
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
    parser.add_argument("run", type=Path, help="the run's file name without ending")
    parser.add_argument("--name", default="grid", help="file name without ending to write")
    parser.add_argument("--folder", type=Path, default=WEIGHTS_DIR)
    chosen = parser.parse_args(arguments)
    card = export_run(chosen.run, chosen.name, chosen.folder)
    print(json.dumps(card, indent=2))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
