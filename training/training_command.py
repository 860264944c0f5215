"""The command line of trainings: options that are a recipe's fields, drawing, training, export."""

import argparse
import json
import logging
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import MISSING, Field, fields
from importlib.machinery import ModuleSpec
from inspect import cleandoc
from pathlib import Path
from types import NoneType
from typing import Any, Final, Literal, TypeVar, get_args, get_origin

from models.engine import WEIGHTS_DIR
from training.shard_runs import ShardRecipe
from training.shards import Drawing

Recipe = TypeVar("Recipe", bound=ShardRecipe)

_DATA_FAULTS: Final = (OSError, IndexError, ValueError)


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
