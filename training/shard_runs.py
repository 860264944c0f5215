"""What trainings share: samples kept in files of arrays, the shards; steps; checkpoints."""

import logging
import math
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from models.engine import Float32

logger = logging.getLogger(__name__)

Shard = Mapping[str, npt.NDArray[np.generic]]


def keep_shards(
    folder: Path, name: str, count: int, draw: Callable[[int], Shard], processes: int
) -> list[Path]:
    """Draw the shards that are not there yet; return the files of all."""
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / f"{name}-{number:03}.npz" for number in range(count)]
    missing = [number for number, file in enumerate(files) if not file.exists()]
    if missing:
        # Spawned, as a process that runs XLA must not be forked.
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(min(processes, len(missing)), mp_context=context) as workers:
            for number in workers.map(partial(_keep_shard, files, draw), missing):
                print(f"{number + 1} of {count} shards", file=sys.stderr, flush=True)
    return files


def _keep_shard(files: Sequence[Path], draw: Callable[[int], Shard], number: int) -> int:
    import cv2  # training alone does without it

    cv2.setNumThreads(1)
    save_shard(files[number], draw(number))
    return number


def save_shard(file: Path, shard: Shard) -> None:
    """Write arrays under a temporary name, then give the file its own."""
    unfinished = file.with_suffix(f".{os.getpid()}.part.npz")
    arrays: dict[str, Any] = dict(shard)
    np.savez(unfinished, **arrays)
    unfinished.replace(file)


def load_shards(files: Sequence[Path]) -> dict[str, Any]:
    """Return the arrays of shards, joined, by name."""
    shards = []
    for file in files:
        with np.load(file) as shard:
            shards.append(dict(shard))
    return join_shards(shards)


def join_shards(shards: Sequence[Shard]) -> dict[str, Any]:
    """Return the arrays of shards in memory, joined, by name."""
    return {name: np.concatenate([shard[name] for shard in shards]) for name in shards[0]}


def split_shards(folder: Path, name: str, held_out: int) -> tuple[list[Path], list[Path]]:
    """Return the shards to learn from, and the last ones, that are not.

    Raises:
        FileNotFoundError: if there are too few.
    """
    files = sorted(folder.glob(f"{name}-*[0-9].npz"))
    if len(files) <= held_out or not files:
        raise FileNotFoundError(f"{len(files)} shards in {folder}; draw more of them first")
    learnt = len(files) - held_out
    return files[:learnt], files[learnt:]


_LAST_RATE: Final = 0.01
"""Of the highest learning rate, at the end."""

_TIMED_WARM_UP: Final = 300
"""Steps in which the rate rises, where it falls by the time."""

_AVERAGED_EVERY: Final = 10
"""Steps."""


@dataclass(frozen=True)
class ShardRecipe:
    """What decides how a run comes out, whatever the network.

    Attributes:
        out: the network is written to `OUT.keras`, the checkpoint to `OUT.npz`.
        samples: folder of the shards.
        steps: in all.
        batch: examples in a step.
        rate: highest learning rate.
        seed: of weights and examples.
        save_every: steps between checkpoints.
        init: network whose weights it begins with; random ones when None.
        minutes: after which a run ends before all steps; its rate falls by the time.
        threads: of the processor; the backend's choice when None.
    """

    out: Path
    samples: Path
    steps: int
    batch: int
    rate: float
    seed: int = 0
    save_every: int = 1000
    init: Path | None = None
    minutes: float | None = None
    threads: int | None = None


def make_optimizer(
    recipe: ShardRecipe, network: Any, warm_up: int, adam_layers: Sequence[str]
) -> Any:
    """Return Muon with a cosine, and Adam for the layers that are named."""
    import keras

    rate = recipe.rate if recipe.minutes else falling_rate(recipe, warm_up)
    optimizer = keras.optimizers.Muon(rate, exclude_layers=list(adam_layers), clipnorm=5.0)
    optimizer.build(network.trainable_variables)
    return optimizer


def falling_rate(recipe: ShardRecipe, warm_up: int) -> Any:
    """Return learning rates that rise for some steps, and fall along a cosine after them."""
    import keras

    steps = max(recipe.steps - warm_up, 1)
    return keras.optimizers.schedules.CosineDecay(
        0.0, steps, _LAST_RATE, warmup_target=recipe.rate, warmup_steps=warm_up
    )


def run_network(network: Any, inputs: Float32, together: int = 512) -> Float32:
    """Return what a Keras network gives for all inputs, so many of them at a time."""
    starts = range(0, len(inputs), together)
    runs = [network(inputs[start : start + together], training=False) for start in starts]
    return np.concatenate([np.asarray(run) for run in runs])


def smooth_entropy(classes: Any, told: Any, share: float, *, are_logits: bool = False) -> Any:
    """Return the mean cross entropy of a batch, with a share that asks for every class.

    Args:
        classes: (b,) float32, the true ones.
        told: (b, n) of the network, probabilities or logits.
        share: of an answer that is spread over all classes.
        are_logits: which of them.
    """
    from keras import ops

    n_classes = told.shape[-1]
    wanted = ops.one_hot(ops.cast(ops.reshape(classes, (-1,)), "int32"), n_classes)
    wanted = (1 - share) * wanted + share / n_classes
    return ops.mean(ops.categorical_crossentropy(wanted, told, from_logits=are_logits))


def run_steps(
    recipe: ShardRecipe,
    network: Any,
    draw_batch: Callable[[np.random.Generator, float], tuple[Any, ...]],
    score: Callable[[], str] | None,
    told_every: int,
    average: list[Any] | None = None,
) -> Path:
    """Train a compiled network, or go on training; return its file.

    Args:
        recipe: of the run.
        network: compiled, whose weights are changed.
        draw_batch: takes chance and the part of the run that is over, 0..1, and returns what the
            network takes, and what it should give.
        score: is asked at every checkpoint.
        told_every: steps.
        average: weights that follow the network's, and are kept in its place.

    Raises:
        RuntimeError: if the loss is no number any more.
    """
    recipe.out.parent.mkdir(parents=True, exist_ok=True)
    step, seconds = _load_checkpoint(recipe, network, average)
    if step == 0 and recipe.init is not None:
        _begin_with(recipe.init, network, average)
    start = time.perf_counter() - seconds
    limit = math.inf if recipe.minutes is None else 60 * recipe.minutes
    is_over = step >= recipe.steps or seconds >= limit
    while not is_over:
        progress = max(step / recipe.steps, seconds / limit)
        if recipe.minutes is not None:
            network.optimizer.learning_rate = _rate_by_time(recipe, step, progress)
        rng = np.random.default_rng([recipe.seed, step])
        means = network.train_on_batch(*draw_batch(rng, progress), return_dict=True)
        if not math.isfinite(means["loss"]):
            raise RuntimeError(f"the loss is {means['loss']} at step {step}; lower --rate")
        step += 1
        seconds = time.perf_counter() - start
        is_over = step == recipe.steps or seconds >= limit
        if average is not None and step % _AVERAGED_EVERY == 0:
            _average_weights(average, network, min(0.98, step / (step + 100)))
        if step % told_every == 0:
            told = "  ".join(f"{name} {mean:.4f}" for name, mean in means.items())
            logger.info("%d  %s  %.0f s", step, told, seconds)
            network.reset_metrics()
        if step % recipe.save_every == 0 or is_over:
            _save_checkpoint(recipe, network, step, seconds, average)
            if score is not None:
                logger.info("held out: %s", score())
    return recipe.out.with_suffix(".keras")


def _rate_by_time(recipe: ShardRecipe, step: int, share: float) -> float:
    """Return the learning rate when such a share of a run is over."""
    cosine = (1 + math.cos(math.pi * share)) / 2
    falling = _LAST_RATE + (1 - _LAST_RATE) * cosine
    return recipe.rate * falling * min(1, (step + 1) / _TIMED_WARM_UP)


def _begin_with(init: Path, network: Any, average: list[Any] | None) -> None:
    """Take over the weights of another network."""
    import keras

    weights = keras.saving.load_model(init, compile=False).get_weights()
    network.set_weights(weights)
    for mean, weight in zip(average or (), weights, strict=bool(average)):
        mean[...] = weight


def _save_checkpoint(
    recipe: ShardRecipe, network: Any, step: int, seconds: float, average: list[Any] | None
) -> None:
    """Write the network, averaged if asked for, and all that the run needs to go on."""
    from keras import ops

    weights = network.get_weights()
    part = recipe.out.with_suffix(".part.keras")
    network.set_weights(average or weights)
    network.save(part)
    network.set_weights(weights)
    part.replace(recipe.out.with_suffix(".keras"))
    state = [ops.convert_to_numpy(variable) for variable in network.optimizer.variables]
    parts = {"weight": weights, "average": average or (), "state": state}
    arrays = {f"{name}{n}": one for name, part in parts.items() for n, one in enumerate(part)}
    counts = {"step": np.array(step), "seconds": np.array(seconds)}
    save_shard(recipe.out.with_suffix(".npz"), arrays | counts)


def kept_steps(recipe: ShardRecipe) -> int:
    """Return the steps that a run's checkpoint has behind it; 0 where there is none."""
    checkpoint = recipe.out.with_suffix(".npz")
    if not checkpoint.exists():
        return 0
    with np.load(checkpoint) as stored:
        return int(stored["step"])


def _load_checkpoint(
    recipe: ShardRecipe, network: Any, average: list[Any] | None
) -> tuple[int, float]:
    """Take over a checkpoint, if there is one; return the steps and seconds behind it.

    Raises:
        ValueError: if it is of another network or optimizer.
    """
    step = kept_steps(recipe)
    if step == 0:
        return 0, 0.0
    checkpoint = recipe.out.with_suffix(".npz")
    with np.load(checkpoint) as stored:
        try:
            _put_back(stored, network, average or ())
        except (KeyError, ValueError) as error:
            raise ValueError(f"{checkpoint} is of another network; choose another --out") from error
        seconds = float(stored.get("seconds", 0))
    logger.info("going on from step %d", step)
    return step, seconds


def _put_back(stored: Any, network: Any, average: Sequence[Any]) -> None:
    """Take over, in place, what `_save_checkpoint` wrote and `numpy.load` has opened."""
    optimizer = network.optimizer
    if not optimizer.built:
        optimizer.build(network.trainable_variables)
    network.set_weights([stored[f"weight{n}"] for n in range(len(network.get_weights()))])
    for number, mean in enumerate(average):
        mean[...] = stored[f"average{number}"]
    for number, variable in enumerate(optimizer.variables):
        variable.assign(stored[f"state{number}"])


def _average_weights(average: Sequence[Any], network: Any, stays: float) -> None:
    """Move averaged weights towards the network's, in place; `stays` is the share that stays."""
    for mean, weight in zip(average, network.get_weights(), strict=True):
        mean *= stays
        mean += (1 - stays) * weight
