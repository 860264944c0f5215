"""What trainings on kept samples share: steps, checkpoints, export, command lines."""

import argparse
import json
import logging
import math
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import MISSING, Field, dataclass, fields
from functools import partial
from importlib.machinery import ModuleSpec
from inspect import cleandoc
from pathlib import Path
from types import NoneType
from typing import Any, Final, Generic, Literal, TypeVar, get_args, get_origin

import numpy as np
import numpy.typing as npt

from models.engine import WEIGHTS_DIR
from models.export import put_in_place
from training.checkpoints import average_weights, load_state, save_state
from training.shards import Drawing, load_shards, split_shards

logger = logging.getLogger(__name__)

Float32 = npt.NDArray[np.float32]

Recipe = TypeVar("Recipe", bound="ShardRecipe")
Kept = TypeVar("Kept")


_LAST_RATE: Final = 0.01
"""Of the highest learning rate, at the end."""

_TIMED_WARM_UP: Final = 300
"""Steps in which the rate rises, where it falls by the time."""

_AVERAGED_EVERY: Final = 10
"""Steps."""

_DATA_FAULTS: Final = (FileNotFoundError, IndexError, ValueError)


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
            average_weights(average, network, min(0.98, step / (step + 100)))
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
    weights = network.get_weights()
    part = recipe.out.with_suffix(".part.keras")
    network.set_weights(average or weights)
    network.save(part)
    network.set_weights(weights)
    part.replace(recipe.out.with_suffix(".keras"))
    checkpoint = recipe.out.with_suffix(".npz")
    save_state(checkpoint, network, average or (), network.optimizer, step=step, seconds=seconds)


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
    """Take over a checkpoint, if there is one; return the steps and seconds behind it."""
    step = kept_steps(recipe)
    if step == 0:
        return 0, 0.0
    with np.load(recipe.out.with_suffix(".npz")) as stored:
        load_state(stored, network, average or (), network.optimizer)
        seconds = float(stored.get("seconds", 0))
    logger.info("going on from step %d", step)
    return step, seconds


@dataclass(frozen=True)
class ShardTask(Generic[Kept]):
    """What a network learns from shards, and how.

    Attributes:
        name: of the shards, and of the network's files.
        samples: type of the samples.
        build: returns the network.
        compute_loss: of a batch, from targets and outputs.
        output_layers: that Adam trains.
        draw_batch: takes samples, how many, and chance; returns what the network takes, and gives.
        score: says how well a network does on samples that it has not seen.
        list_inputs: returns what of some samples the engines are compared on.
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
    list_inputs: Callable[[Kept], Float32]
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

    def export(self, trained: Path, samples: Path, folder: Path = WEIGHTS_DIR) -> float:
        """Write a trained network for both engines.

        Returns:
            The largest difference between the engines.

        Raises:
            models.export.ParityError: if it is above `models.export.PARITY`.
        """
        first = load_shards(split_shards(samples, self.name, 0)[0][:1])
        inputs = self.list_inputs(self.samples(**first))
        return put_in_place(trained, self.name, inputs, folder)


def training_command(
    module: ModuleSpec | None,
    description: str,
    recipe_type: type[Recipe],
    train: Callable[[Recipe], Path],
    export: Callable[[Path, Path], float] | None = None,
    plan_drawing: Callable[[Recipe], Drawing] | None = None,
) -> Callable[..., int]:
    """Return a command that trains, draws samples, or puts the network in its place.

    Its options are the recipe's fields. It takes arguments, None for those of the command line, and
    returns the exit code; 3 where the data are missing or unfit.

    Args:
        module: of the command, by which it is called.
        description: of the command.
        recipe_type: what a run needs.
        train: trains, and returns the network's file.
        export: puts a trained network in its place; None where that is done by hand.
        plan_drawing: says how samples are drawn; it raises what is told where that cannot be.
    """

    def main(arguments: Sequence[str] | None = None) -> int:
        name = None if module is None else f"python -m {module.name}"
        parser = argparse.ArgumentParser(prog=name, description=description)
        return _run_command(parser, recipe_type, train, export, plan_drawing, arguments)

    return main


def _run_command(
    parser: argparse.ArgumentParser,
    recipe_type: type[Recipe],
    train: Callable[[Recipe], Path],
    export: Callable[[Path, Path], float] | None,
    plan_drawing: Callable[[Recipe], Drawing] | None,
    arguments: Sequence[str] | None,
) -> int:
    add_fields(parser, recipe_type, *reversed(recipe_type.__mro__[:-1]))
    if export is not None:
        help_text = "put the network in its place"
        parser.add_argument("--export", action="store_true", help=help_text)
    if plan_drawing is not None:
        count = "draw so many shards of samples, instead of training"
        parser.add_argument("--draw", type=int, default=0, metavar="SHARDS", help=count)
        parser.add_argument("--processes", type=int, default=1, help="that draw")
    options = vars(parser.parse_args(arguments))
    is_export = options.pop("export", False)
    shards, processes = options.pop("draw", 0), options.pop("processes", 1)
    recipe = recipe_type(**options)
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    if recipe.threads is not None:
        os.environ["TF_NUM_INTRAOP_THREADS"] = str(recipe.threads)
    start_log(recipe.out)
    try:
        if plan_drawing is not None and shards:
            plan_drawing(recipe).keep(recipe.samples, shards, processes)
        elif export is not None and is_export:
            difference = export(recipe.out.with_suffix(".keras"), recipe.samples)
            print(f"written to {WEIGHTS_DIR}: the engines differ by {difference:.1e}")
        else:
            print(train(recipe))
    except _DATA_FAULTS as error:
        print(error, file=sys.stderr)
        return 3
    return 0


def add_fields(parser: argparse.ArgumentParser, recipe_type: type[Any], *explained: type) -> None:
    """Give a command an option for each field of a recipe.

    Args:
        parser: of the command.
        recipe_type: a dataclass.
        explained: classes whose docstrings are the help; the recipe's own where none is named.
    """
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = "\n\n".join(cleandoc(one.__doc__ or "") for one in explained or (recipe_type,))
    for one in fields(recipe_type):
        flag = f"--{one.name.removeprefix('is_').replace('_', '-')}"
        parser.add_argument(flag, dest=one.name, **_describe(one))


def _describe(field: Field[Any]) -> dict[str, Any]:
    """Return how an option is parsed: choices, names with commas, so many numbers, or one value."""
    is_needed = field.default is MISSING and field.default_factory is MISSING
    default = None if field.default is MISSING else field.default
    parsed: dict[str, Any] = {"required": is_needed, "default": default}
    inner = [one for one in get_args(field.type) if one is not NoneType]
    if get_origin(field.type) is Literal:
        return parsed | {"choices": inner}
    if get_origin(field.type) is tuple and inner[0] is str:
        return parsed | {"type": lambda text: tuple(filter(None, text.split(",")))}
    if get_origin(field.type) is tuple:
        return parsed | {"type": inner[0], "nargs": len(default or inner)}
    if get_origin(field.type) is dict:
        return parsed | {"type": json.loads, "default": {}}
    if field.type is bool:
        return {"action": "store_true"}
    return parsed | {"type": (inner or [field.type])[0]}


def start_log(out: Path) -> None:
    """Write messages to stderr and to a `.log` file.

    Args:
        out: path of the run's results without ending; its folder is made where it is missing.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    logging.basicConfig(
        level=logging.INFO,
        format="%(asctime)s %(message)s",
        handlers=[logging.FileHandler(out.with_suffix(".log")), logging.StreamHandler()],
    )
