"""Trainings on drawn samples, and their command lines: drawing, training, export."""

import argparse
import json
import logging
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import MISSING, Field, dataclass, fields
from functools import partial
from importlib.machinery import ModuleSpec
from inspect import cleandoc
from pathlib import Path
from types import NoneType
from typing import Any, Final, Generic, Literal, NamedTuple, TypeVar, get_args, get_origin

import numpy as np

from models.engine import WEIGHTS_DIR, Float32
from models.export import put_in_place
from training.shard_runs import (
    Shard,
    ShardRecipe,
    join_shards,
    keep_shards,
    load_shards,
    make_optimizer,
    run_steps,
    split_shards,
)

logger = logging.getLogger(__name__)

Recipe = TypeVar("Recipe", bound=ShardRecipe)
Kept = TypeVar("Kept")

_DATA_FAULTS: Final = (OSError, IndexError, ValueError)


class Drawing(NamedTuple):
    """How samples come about.

    Attributes:
        name: of the shards' files.
        draw: returns the samples of a photo by its seed, a named tuple of arrays that have their
            first axis in common.
        photos: in a shard.
    """

    name: str
    draw: Callable[[int], Any]
    photos: int

    def keep(self, folder: Path, count: int, processes: int) -> None:
        """Draw the shards that are not there yet; see `keep_shards`."""
        draw = partial(_draw_shard, self.draw, self.photos)
        keep_shards(folder, self.name, count, draw, processes)


def _draw_shard(draw: Callable[[int], Any], photos: int, number: int) -> Shard:
    """Return the joined samples of as many photos as a shard has, drawn by their seeds."""
    return join_shards([draw(number * photos + step)._asdict() for step in range(photos)])


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
        list_inputs: takes a shard; returns what the engines are compared on.
        photos: in a shard.
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
    list_inputs: Callable[[dict[str, Any]], Float32]
    photos: int
    warm_up: int = 100

    def command(
        self,
        module: ModuleSpec | None,
        description: str,
        recipe_type: type[Recipe],
        draw: Callable[[Recipe], Callable[[int], Any]],
    ) -> Callable[..., int]:
        """Return the command that draws, trains and exports; see `training_command`.

        Args:
            module: of the command.
            description: of the command.
            recipe_type: what a run needs.
            draw: returns what draws the samples of a photo by its seed.
        """
        return training_command(
            module,
            description,
            recipe_type,
            self.train,
            partial(export_trained, self.name, self.list_inputs),
            lambda recipe: Drawing(self.name, draw(recipe), self.photos),
        )

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

    return main


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
