"""Trains the network of hands on kept shapes and MNIST, with checkpoints from which it goes on.

    python -m training.digits.hand_shapes build/hands --shards 56
    python -m training.digits.train_hands --out build/hands/net --steps 8000
    python -m training.digits.train_hands --out build/hands/net --export

The last command puts the network in its place, models/weights, for both engines. The same command
again goes on from the last checkpoint.
"""

import argparse
import logging
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from models.engine import WEIGHTS_DIR
from models.hands import OUTPUT_LAYER, SHAPE_PX, build_hand_net, scale_shapes
from training.digits.digit_shapes import load_written_glyphs
from training.rendered.large_digits import DATA_DIGITS
from training.shard_runs import (
    ShardRecipe,
    load_shards,
    make_optimizer,
    put_in_place,
    run_command,
    run_network,
    run_steps,
    smooth_entropy,
    split_shards,
)

logger = logging.getLogger(__name__)

UInt8 = npt.NDArray[np.uint8]
Float32 = npt.NDArray[np.float32]

_NAME: Final = "hands"
_WARM_UP: Final = 300
"""Steps in which the rate rises."""
_SMOOTHING: Final = 0.001
"""Share of an answer that is spread over all classes, so that none is ever out of the question."""
_HELD_OUT: Final = 2
"""Shards that are not learnt from; the last ones, of which one is photographed."""
_TOLD_EVERY: Final = 200

_TURN: Final = 0.12
_SLANT: Final = 0.15
_STRETCH: Final = 0.09
_SHIFT_PX: Final = 0.7
"""Standard deviations: radians, shift by height, logarithm of the sides' lengths, pixels."""
_BEND_PX: Final = 0.55
_BENT_AT: Final = 5
"""Of the points by which a shape is bent, so many each way."""


@dataclass(frozen=True)
class HandRecipe(ShardRecipe):
    """Everything that decides how a run comes out.

    Attributes:
        digits: the data folder's digits, with MNIST.
        threads: of the processor.
    """

    samples: Path = Path("build/hands")
    steps: int = 6000
    batch: int = 256
    rate: float = 3e-3
    digits: Path = DATA_DIGITS
    threads: int = 2


def vary(shapes: UInt8, rng: np.random.Generator) -> UInt8:
    """Return shapes (k, 28, 28) as other hands would have written them: turned, slanted, bent."""
    varied = np.empty_like(shapes)
    middle = (SHAPE_PX - 1) / 2
    down, right = np.mgrid[:SHAPE_PX, :SHAPE_PX].astype(np.float32) - middle
    for place, shape in enumerate(shapes):
        turn, slant = rng.normal(0, _TURN), rng.normal(0, _SLANT)
        wide, tall = np.exp(rng.normal(0, _STRETCH, 2))
        moved = rng.normal(0, _SHIFT_PX, 2) + middle
        bends = rng.normal(0, _BEND_PX, (2, _BENT_AT, _BENT_AT)).astype(np.float32)
        size = (SHAPE_PX, SHAPE_PX)
        across, along = (cv2.resize(one, size, interpolation=cv2.INTER_CUBIC) for one in bends)
        cos, sin = np.cos(turn), np.sin(turn)
        x = cos * wide * right + (cos * slant - sin) * tall * down + moved[0] + across
        y = sin * wide * right + (sin * slant + cos) * tall * down + moved[1] + along
        cv2.remap(
            shape, x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR, varied[place]
        )
    return varied


def compute_loss(digits: Any, probabilities: Any) -> Any:
    """Return the mean cross entropy of a batch, with a share that asks for every class."""
    return smooth_entropy(digits, probabilities, _SMOOTHING)


def train(recipe: HandRecipe) -> Path:
    """Train, or go on training; return the file of the network.

    Raises:
        FileNotFoundError: if there are too few samples, or no MNIST.
        RuntimeError: if the loss is no number any more.
    """
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    os.environ["TF_NUM_INTRAOP_THREADS"] = str(recipe.threads)
    import keras

    mnist, unseen_mnist = load_written_glyphs(recipe.digits)
    learnt, held_out = split_shards(recipe.samples, _NAME, _HELD_OUT)
    drawn = _shapes_of(learnt)
    shapes = np.concatenate([mnist.shapes, drawn[0]])
    digits = np.concatenate([mnist.digits, drawn[1]])
    logger.info("%d shapes", len(digits))
    unseen = {
        "drawn": _shapes_of(held_out),
        "MNIST's test part": (unseen_mnist.shapes, unseen_mnist.digits),
    }
    keras.utils.set_random_seed(recipe.seed)
    network = build_hand_net()
    optimizer = make_optimizer(recipe, network, _WARM_UP, [OUTPUT_LAYER])
    network.compile(optimizer, compute_loss, jit_compile=True)
    cv2.setNumThreads(1)

    def draw_batch(rng: np.random.Generator) -> tuple[Float32, Float32]:
        chosen = rng.integers(len(digits), size=recipe.batch)
        return scale_shapes(vary(shapes[chosen], rng)), digits[chosen].astype(np.float32)

    average = [np.array(one) for one in network.get_weights()]
    telling = partial(score, recipe, unseen)
    return run_steps(recipe, network, draw_batch, telling, _TOLD_EVERY, average)


def score(recipe: HandRecipe, unseen: dict[str, tuple[UInt8, UInt8]]) -> str:
    """Return in words how much of what it has not seen the network that is kept misreads."""
    import keras

    network = keras.saving.load_model(recipe.out.with_suffix(".keras"), compile=False)
    return ", ".join(
        f"{name} {(run_network(network, scale_shapes(shapes)).argmax(axis=1) != digits).sum()} "
        f"of {len(digits)} misread"
        for name, (shapes, digits) in unseen.items()
    )


def export(trained: Path, samples: Path, folder: Path = WEIGHTS_DIR) -> float:
    """Write a trained network for both engines.

    Returns:
        The largest difference between the engines over shapes of the samples.

    Raises:
        models.export.ParityError: if it is above `models.export.PARITY`.
    """
    shapes, _ = _shapes_of(split_shards(samples, _NAME, 0)[0][:1])
    return put_in_place(trained, _NAME, scale_shapes(shapes[:512]), folder)


def _shapes_of(shards: Sequence[Path]) -> tuple[UInt8, UInt8]:
    stored = load_shards(shards)
    return stored["shapes"], stored["digits"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m training.digits.train_hands", description="Train the network of hands."
    )
    return run_command(parser, HandRecipe, train, export, arguments)


if __name__ == "__main__":
    sys.exit(main())
