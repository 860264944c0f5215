"""Trains the networks of the literature under one equal budget of processor time.

    python -m training.grids.train_published all --minutes 1

Every network sees the same puzzles in the same order, as many as it can in the time, with the
optimizer and loss of its source. The budget is time spent in training steps, compilation included;
making puzzles and measuring do not count. It is processor time of this process, or with `--wall`
time by the clock, which is what counts on a graphics processor (KERAS_BACKEND=jax; larger --batch).
A run goes on from where the last one stopped. What came out: docs/published_networks.md.
"""

import argparse
import json
import logging
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from models.engine import Float32
from models.grids import Digits, GridNetwork
from models.published.catalogue import PUBLISHED, KerasGridNetwork, build_published, load_published
from solver.grid import PEERS
from training.evaluation.grid_networks import read_file
from training.grids.published_puzzles import (
    AS_THEY_ARE,
    MIX,
    EqualMix,
    describe_puzzles,
    draw_batches,
    draw_watched,
    load_file_pools,
)
from training.grids.training_puzzles import PuzzlePools, Puzzles, load_pools
from training.training_command import start_log

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Method:
    """How a network is trained, after its source where that says so.

    Attributes:
        batch: puzzles a step.
        learning_rate: of Adam.
        is_step_by_step: whether the grid is filled first; see `fill_step_by_step`.
    """

    batch: int = 64
    learning_rate: float = 1e-3
    is_step_by_step: bool = False


METHODS: Final = {
    "convolution-stack": Method(batch=32),
    "dense-model": Method(),
    "recurrent-dense": Method(batch=32, is_step_by_step=True),
    "resnet11-spd": Method(),
    "alpha-policy": Method(batch=128),
    "recurrent-relational": Method(batch=8, learning_rate=2e-4),
}
"""The rates are the sources'; batches are theirs (512 for ResNet11-SPD, 64 for the relational
network) or smaller, so that the budget allows a few hundred steps."""


@dataclass(frozen=True)
class Budget:
    """What decides how a run comes out.

    Attributes:
        minutes: by the clock below.
        seed: of the weights and the puzzles.
        look_every: minutes between two looks at the puzzles that are watched.
        watched: how many of them.
        mix: how puzzles are drawn.
        batch: puzzles a step; None is the method's own.
        clock: returns seconds; only differences count.
    """

    minutes: float
    seed: int = 0
    look_every: float = 1.0
    watched: int = 100
    mix: EqualMix = MIX
    batch: int | None = None
    clock: Callable[[], float] = time.process_time


def train_network(name: str, pools: PuzzlePools, budget: Budget, out: Path) -> dict[str, Any]:
    """Train one network until its budget is spent, from its last state if there is one.

    Writes `NAME.weights.h5`, with the optimizer's state in it, and `NAME.json`, the learning curve.

    Returns:
        What stands in the JSON file.

    Raises:
        ValueError: if there is no such network, or it was begun with another seed or other puzzles.
    """
    import keras

    keras.utils.set_random_seed(budget.seed)
    model = build_published(name)
    method = replace(METHODS[name], batch=budget.batch or METHODS[name].batch)
    network = KerasGridNetwork(name, model)
    learn = _prepare(model, method)
    weights, log_path = out / f"{name}.weights.h5", out / f"{name}.json"
    puzzles_of = describe_puzzles(pools, budget.mix)
    log = _resume(model, weights, log_path, budget.seed, puzzles_of)
    watched = draw_watched(pools, budget.mix, budget.seed, budget.watched)
    batches = draw_batches(pools, budget.mix, budget.seed, method.batch, log["steps"])
    spent = float(log["seconds"])
    losses: list[float] = []
    end, look = budget.minutes * 60, spent + budget.look_every * 60
    is_over = spent >= end
    while not is_over:
        puzzles = next(batches)
        began = budget.clock()
        losses.append(learn(puzzles.clues, puzzles.solutions))
        spent += budget.clock() - began
        log["steps"] += 1
        is_over = spent >= end
        if is_over or spent >= look:
            look = spent + budget.look_every * 60
            log["seconds"] = round(spent, 1)
            cells, grids = measure(network, watched)
            row = {
                "seconds": round(spent, 1),
                "puzzles": log["steps"] * method.batch,
                "loss": round(float(np.mean(losses)), 4),
                "empty_cells": round(cells, 4),
                "grids": round(grids, 4),
            }
            losses.clear()
            log["curve"].append(row)
            logger.info("%s: %s", name, row)
            _save(model, log, weights, log_path)
    return log


def measure(network: GridNetwork, puzzles: Puzzles) -> tuple[float, float]:
    """Return which shares of the empty cells and of whole grids one pass gets right.

    It has no help from the rules.
    """
    told = network.judge(puzzles.clues, np.ones((*puzzles.clues.shape, 9), np.bool_))
    digits = np.where(puzzles.clues > 0, puzzles.clues, told.argmax(axis=-1) + 1)
    is_right = digits == puzzles.solutions
    return float(is_right[puzzles.clues == 0].mean()), float(is_right.all(axis=1).mean())


def fill_cell_by_cell(network: GridNetwork, clues: Digits) -> Digits:
    """Fill grids as most sources do: in each pass the surest cell, right or wrong.

    Args:
        network: is shown no candidates.
        clues: (n, 81) uint8, 0 = empty. Not changed.

    Returns:
        (n, 81) uint8, without empty cells.
    """
    filled = clues.copy()
    while (filled == 0).any():
        told = network.judge(filled, np.ones((*filled.shape, 9), np.bool_))
        cells = np.where(filled == 0, told.max(axis=-1), -1).argmax(axis=1)
        rows = np.flatnonzero((filled == 0).any(axis=1))
        filled[rows, cells[rows]] = told[rows, cells[rows]].argmax(axis=-1) + 1
    return filled


def _test(name: str, out: Path, files: list[Path], sample: int) -> None:
    """Log what of some files comes out right, whole: in one pass, and cell by cell."""
    network = load_published(name, out)
    for file in files:
        read = read_file(file, sample)
        _, alone = measure(network, Puzzles(read.clues, read.solutions))
        filled = fill_cell_by_cell(network, read.clues)
        whole = (filled == read.solutions).all(axis=1).mean()
        logger.info("%s, %s: %.2f %% once, %.2f cell by cell", name, file, 100 * alone, 100 * whole)


def blank_cross_entropy(wanted: Any, logits: Any) -> Any:
    """Return the cross-entropy over the cells that were empty, mean over a network's answers.

    Args:
        wanted: (n, 81) digits of the solution, 0 where a clue stands.
        logits: (n, k, 81, 9).

    Returns:
        (n,) float32, the mean over the empty cells of a grid.
    """
    from keras import ops

    digits = ops.one_hot(ops.cast(wanted, "int32"), 10, dtype="float32")[:, None, :, 1:]
    told = ops.sum(digits * ops.log_softmax(logits, axis=-1), axis=-1)
    return -ops.sum(ops.mean(told, axis=1), axis=-1) / ops.maximum(ops.sum(digits, (1, 2, 3)), 1)


def _prepare(model: Any, method: Method) -> Callable[[Digits, Digits], float]:
    """Compile the model, and return a function that takes one training step."""
    import keras

    optimizer = keras.optimizers.Adam(method.learning_rate)
    if method.is_step_by_step:
        cell = model.get_layer("cell")
        # Every batch has another number of cells, and a new shape would be compiled anew.
        cell.compile(optimizer, loss=_squared_error, run_eagerly=True)
        optimizer.build(cell.trainable_variables)
        return lambda clues, solutions: _learn_last_step(cell, clues, solutions)
    # XLA compiles convolutions to slow code on a CPU; without it JAX would run op by op.
    is_jax = keras.backend.backend() == "jax"
    model.compile(optimizer, loss=blank_cross_entropy, jit_compile=is_jax)
    optimizer.build(model.trainable_variables)

    def learn(clues: Digits, solutions: Digits) -> float:
        wanted = np.where(clues == 0, solutions, 0).astype(np.int32)
        return float(model.train_on_batch(clues.astype(np.int32), wanted))

    return learn


def _resume(
    model: Any, weights: Path, log_path: Path, seed: int, puzzles: dict[str, Any]
) -> dict[str, Any]:
    if not (weights.is_file() and log_path.is_file()):
        return {"seed": seed, "puzzles": puzzles, "steps": 0, "seconds": 0.0, "curve": []}
    log: dict[str, Any] = json.loads(log_path.read_text(encoding="utf-8"))
    if log["seed"] != seed:
        raise ValueError(f"{weights} was trained with seed {log['seed']}, not {seed}; say --out")
    before = log.get("puzzles", {})
    if before != puzzles:
        others = {key: value for key, value in puzzles.items() if before.get(key) != value}
        told = (f"{key} {before.get(key)}, not {value}" for key, value in others.items())
        differences = ", ".join(told)
        raise ValueError(f"{weights} was trained on other puzzles: {differences}; say --out")
    model.load_weights(weights)
    logger.info("going on after %d steps, %.0f s", log["steps"], log["seconds"])
    return log


def _save(model: Any, log: dict[str, Any], weights: Path, log_path: Path) -> None:
    draft = weights.with_name(f"draft.{weights.name}")
    model.save_weights(draft)
    draft.replace(weights)
    log_path.write_text(json.dumps(log, indent=1) + "\n", encoding="utf-8")


def fill_step_by_step(cell_network: Any, grids: Digits) -> tuple[Digits, Float32]:
    """Fill the grids, the surest cell of each in every step.

    As published by Modulai, 2020, https://github.com/modulai/pytorch_sudoku: the surest empty cell
    is filled with its likeliest digit, right or wrong, until none is left.

    Args:
        cell_network: Keras model, (m, 27) float32 to (m, 9) logits.
        grids: (n, 81) uint8, 0 = empty. Not changed.

    Returns:
        The filled grids, (n, 81) uint8, and what was seen of each cell when it was filled,
        (n, 81, 27) float32, zero for the cells that were not empty.
    """
    from keras import ops

    from models.published.published_net import CONSTRAINTS, see_constraints

    filled = grids.copy()
    seen_last = np.zeros((*grids.shape, CONSTRAINTS), np.float32)
    logits = np.zeros((*grids.shape, 9), np.float32)
    surest = np.full(grids.shape, -np.inf, np.float32)
    # Only the peers of a filled cell have to be judged again.
    is_stale = grids == 0
    while True:
        open_grids = np.flatnonzero((filled == 0).any(axis=1))
        if not len(open_grids):
            return filled, seen_last
        seen = np.zeros_like(seen_last)
        seen[open_grids] = ops.convert_to_numpy(see_constraints(filled[open_grids].astype(int)))
        told = np.asarray(cell_network(seen[is_stale], training=False), np.float32)
        logits[is_stale] = told
        powers = np.exp(told - told.max(axis=1, keepdims=True))
        surest[is_stale] = 1 / powers.sum(axis=1)
        cells = np.where(filled[open_grids] == 0, surest[open_grids], -np.inf).argmax(axis=1)
        seen_last[open_grids, cells] = seen[open_grids, cells]
        filled[open_grids, cells] = logits[open_grids, cells].argmax(axis=1) + 1
        is_stale = np.zeros(grids.shape, np.bool_)
        is_stale[open_grids[:, None], PEERS[cells]] = True
        is_stale &= filled == 0


def _learn_last_step(cell_network: Any, clues: Digits, solutions: Digits) -> float:
    """Take one step of the compiled cell network's optimizer; return the loss.

    It is taken after the last cell, between what was said of each cell while it was last empty and
    the solution. The choice of a cell has no gradient, so the grids are filled first, and the
    network learns from what it saw of each cell when that cell's turn came: the same gradients at a
    small part of the cost.

    Args:
        cell_network: Keras model, compiled, (m, 27) float32 to (m, 9) logits.
        clues: (n, 81) uint8, 0 = empty, with at least one empty cell.
        solutions: (n, 81) uint8.
    """
    _, seen = fill_step_by_step(cell_network, clues)
    is_empty = clues == 0
    wanted = np.eye(9, dtype=np.float32)[solutions[is_empty] - 1]
    return float(cell_network.train_on_batch(seen[is_empty], wanted))


def _squared_error(wanted: Any, logits: Any) -> Any:
    """Return the mean squared error of the probabilities, (m,), as published."""
    from keras import ops

    return ops.mean(ops.square(ops.softmax(logits, axis=-1) - wanted), axis=-1)


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Train the published networks.")
    parser.add_argument("names", nargs="+", choices=["all", *PUBLISHED], metavar="NAME")
    parser.add_argument("--minutes", type=float, default=4, help="of processor time, each")
    parser.add_argument("--wall", action="store_true", help="minutes by the clock instead")
    parser.add_argument("--batch", type=int, help="puzzles a step, a power of 2 up to 1024")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--puzzles", type=Path, default=Path("../shared/data/puzzles"))
    parser.add_argument("--generated", type=int, default=100_000, help="minimal puzzles to make")
    parser.add_argument("--file", type=Path, help="a public file to learn from in their place")
    parser.add_argument("--test", type=Path, nargs="*", default=[], help="files to solve at last")
    parser.add_argument("--sample", type=int, default=256, help="puzzles of each such file")
    parser.add_argument("--out", type=Path, default=Path("build/published"))
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    os.environ["TF_NUM_INTRAOP_THREADS"] = os.environ["OMP_NUM_THREADS"] = str(options.threads)
    os.environ["TF_NUM_INTEROP_THREADS"] = "1"
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    start_log(options.out / "training")
    clock = time.perf_counter if options.wall else time.process_time
    budget = Budget(options.minutes, options.seed, batch=options.batch, clock=clock)
    names = list(PUBLISHED) if "all" in options.names else options.names
    try:
        if options.file is None:
            pools = load_pools(options.puzzles, options.out / "puzzles.npz", options.generated)
        else:
            pools = load_file_pools(options.file, options.puzzles)
            budget = replace(budget, mix=AS_THEY_ARE)
        for name in names:
            train_network(name, pools, budget, options.out)
            _test(name, options.out, options.test, options.sample)
    except (OSError, ValueError) as error:
        raise SystemExit(f"train_published: {error}") from error


if __name__ == "__main__":
    main()
