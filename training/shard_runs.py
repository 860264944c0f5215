"""What trainings on kept samples share: steps, checkpoints, export, command lines."""

import logging
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

import numpy as np

from models.engine import WEIGHTS_DIR, Float32
from models.export import put_in_place
from training.shards import load_shards, save_shard, split_shards

logger = logging.getLogger(__name__)


Recipe = TypeVar("Recipe", bound="ShardRecipe")
Kept = TypeVar("Kept")


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


@dataclass(frozen=True)
class ShardTask(Generic[Kept]):
    """What a network learns from shards, and how.

    Attributes:
        name: of the shards.
        samples: type of the samples.
        build: returns the network.
        compute_loss: of a batch, from targets and outputs.
        output_layers: that Adam trains.
        draw_batch: takes samples, how many, and chance; returns what the network takes, and gives.
        score: says how well a network does on samples that it has not seen.
        held_out: shards that are not learnt from; the last ones.
        warm_up: steps in which the rate rises.
    """

    name: str
    samples: Callable[..., Kept]
    build: Callable[[], Any]
    compute_loss: Callable[[Any, Any], Any]
    output_layers: Sequence[str]
    draw_batch: Callable[[Kept, int, np.random.Generator], tuple[Float32, Float32]]
    score: Callable[[Any, Kept], str]
    held_out: int
    warm_up: int = 100

    def train(self, recipe: ShardRecipe) -> Path:
        """Train, or go on training; return the file of the network.

        Raises:
            FileNotFoundError: if there are too few samples.
            RuntimeError: if the loss is no number any more.
        """
        import keras

        parts = split_shards(recipe.samples, self.name, self.held_out)
        logger.info("%d shards to learn from, %d held out", *map(len, parts))
        samples, unseen = (self.samples(**load_shards(files)) for files in parts)
        keras.utils.set_random_seed(recipe.seed)
        network = self.build()
        optimizer = make_optimizer(recipe, network, self.warm_up, self.output_layers)
        network.compile(optimizer, self.compute_loss, jit_compile=False)

        def draw(rng: np.random.Generator, _: float) -> tuple[Float32, Float32]:
            return self.draw_batch(samples, recipe.batch, rng)

        return run_steps(recipe, network, draw, partial(self.score, network, unseen), 100)


def export_trained(
    name: str, list_inputs: Callable[[dict[str, Any]], Float32], trained: Path, samples: Path
) -> float:
    """Write a trained network for both engines.

    Args:
        name: of the shards, and of the network's files.
        list_inputs: takes a shard; returns what the engines are compared on.
        trained: file of the network.
        samples: folder of the shards.

    Returns:
        The largest difference between the engines.

    Raises:
        models.export.ParityError: if it is above `models.export.PARITY`.
    """
    first = load_shards(split_shards(samples, name, 0)[0][:1])
    return put_in_place(trained, name, list_inputs(first), WEIGHTS_DIR)
