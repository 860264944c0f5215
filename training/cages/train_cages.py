"""Trains the cage network on kept samples, with checkpoints from which it goes on.

    python -m training.cages.cage_samples build/cages --shards 70
    python -m training.cages.train_cages --out build/cages/base --steps 3600
    python -m training.cages.train_cages --out build/cages/all --init build/cages/base.keras \
        --steps 3000 --rate 2e-3
    python -m training.cages.train_cages --out build/cages/all --export

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

from models.cage_reader import (
    CAGE_CROP_PX,
    MOST_SUM,
    OUTPUT_LAYERS,
    build_cage_net,
    normalise_crops,
    split_outputs,
)
from models.engine import WEIGHTS_DIR
from training.cages.cage_samples import CageSamples
from training.shard_runs import (
    ShardRecipe,
    load_shards,
    make_optimizer,
    put_in_place,
    run_command,
    run_steps,
    split_shards,
)

logger = logging.getLogger(__name__)

Float32 = npt.NDArray[np.float32]

PARITY: Final = 0.1
"""Largest difference of any logit that 16-bit weights may make."""

_NAME: Final = "cages"
_WARM_UP: Final = 100
"""Steps in which the rate rises."""
_WITH_SUM: Final = 0.7
"""Share of the examples with a sum: two cells of three have none."""
_TURNED: Final = 0.2
"""Share of the examples that lie on a side, where no sum stands in the top left corner."""
_DISTORTED: Final = 0.7
"""Share of the examples that are laid a little otherwise, and made worse."""
_TURN_DEGREES: Final = 1.5
_STRETCH: Final = 0.03
_SHIFT_PX: Final = 1.2
"""One standard deviation of how each of them lies."""
_MOST_BLUR_PX: Final = 1.0
_MOST_NOISE: Final = 9.0
"""Of what is added to crops at most: standard deviation, in pixels and in grey levels."""
_WALL_WEIGHT: Final = 4.0
"""Of the loss of walls, beside that of sums."""
_HELD_OUT: Final = 1
"""Shards that are not learnt from; the last ones."""
_TOLD_EVERY: Final = 100


@dataclass(frozen=True)
class CageRecipe(ShardRecipe):
    """Everything that decides how a run comes out.

    Attributes:
        init: network whose weights it begins with; random ones when None.
    """

    samples: Path = Path("build/cages")
    steps: int = 5000
    batch: int = 96
    rate: float = 4e-3
    save_every: int = 250
    init: Path | None = None


def draw_batch(
    samples: CageSamples, with_sum: npt.NDArray[np.int64], batch: int, rng: np.random.Generator
) -> tuple[Float32, Float32]:
    """Return crops as the network takes them, (b, 72, 72, 1), and sum and walls, (b, 5)."""
    chosen = rng.integers(len(samples.sums), size=batch)
    count = round(_WITH_SUM * batch)
    chosen[:count] = rng.choice(with_sum, count)
    crops, sums, walls = samples.crops[chosen], samples.sums[chosen], samples.walls[chosen]
    turns = np.where(rng.random(batch) < _TURNED, rng.integers(1, 4, batch), 0)
    for index in np.flatnonzero(turns).tolist():
        turn = int(turns[index])
        crops[index], sums[index] = np.rot90(crops[index], turn), 0
        walls[index] = np.roll(walls[index], -turn)
    for index in np.flatnonzero(rng.random(batch) < _DISTORTED).tolist():
        crops[index] = _distort(crops[index], rng)
    targets = np.column_stack([sums, walls]).astype(np.float32)
    return normalise_crops(crops), targets


def _distort(crop: npt.NDArray[np.uint8], rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """Return a crop as another lattice and a worse camera would show it."""
    middle = (CAGE_CROP_PX - 1) / 2
    angle, scale = rng.normal(0, _TURN_DEGREES), 1 + rng.normal(0, _STRETCH)
    matrix = cv2.getRotationMatrix2D((middle, middle), float(angle), float(scale))
    matrix[:, 2] = matrix[:, 2] + rng.normal(0, _SHIFT_PX, 2)
    moved = cv2.warpAffine(
        crop, matrix, crop.shape, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    # Most crops stay nearly as clear as they are.
    blur_px, noise = _MOST_BLUR_PX * rng.random() ** 2, _MOST_NOISE * rng.random() ** 2
    if blur_px > 0.3:  # less changes nothing
        moved = cv2.GaussianBlur(moved, (0, 0), float(blur_px))
    noisy = moved + rng.normal(0, noise, moved.shape)
    return np.asarray(np.clip(np.rint(noisy), 0, 255), np.uint8)


def compute_loss(targets: Any, logits: Any) -> Any:
    """Return the mean loss of a batch: cross entropy of the sums and of the walls."""
    from keras import ops

    sums = ops.sparse_categorical_crossentropy(
        ops.cast(targets[:, 0], "int32"), logits[:, : MOST_SUM + 1], from_logits=True
    )
    walls = ops.binary_crossentropy(targets[:, 1:], logits[:, MOST_SUM + 1 :], from_logits=True)
    return ops.mean(sums) + _WALL_WEIGHT * ops.mean(walls)


def train(recipe: CageRecipe) -> Path:
    """Train, or go on training; return the file of the network.

    Raises:
        FileNotFoundError: if there are too few samples.
        RuntimeError: if the loss is no number any more.
    """
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    import keras

    parts = split_shards(recipe.samples, _NAME, _HELD_OUT)
    samples, unseen = (CageSamples(**load_shards(files)) for files in parts)
    with_sum = np.flatnonzero(samples.sums)
    logger.info("%d cells, %d with sums", len(samples.sums), len(with_sum))
    keras.utils.set_random_seed(recipe.seed)
    network = build_cage_net()
    if recipe.init is not None:
        network.set_weights(keras.saving.load_model(recipe.init, compile=False).get_weights())
    optimizer = make_optimizer(recipe, network, _WARM_UP, OUTPUT_LAYERS)
    network.compile(optimizer, compute_loss, jit_compile=False)
    return run_steps(
        recipe,
        network,
        partial(draw_batch, samples, with_sum, recipe.batch),
        partial(score, network, unseen),
        _TOLD_EVERY,
    )


def score(network: Any, samples: CageSamples) -> str:
    """Return in words how much of the samples a network reads right."""
    crops = normalise_crops(samples.crops)
    logits = np.concatenate(
        [
            np.asarray(network(crops[at : at + 512], training=False))
            for at in range(0, len(crops), 512)
        ]
    )
    seen = split_outputs(logits)
    right = seen.sums.argmax(axis=1) == samples.sums
    walls = ((seen.walls > 0.5) == samples.walls).mean()
    has_sum = samples.sums > 0
    return f"sums {right[has_sum].mean():.4f}, none {right[~has_sum].mean():.4f}, walls {walls:.5f}"


def export(trained: Path, samples: Path, folder: Path = WEIGHTS_DIR) -> float:
    """Write a trained network for both engines.

    Returns:
        The largest difference between the engines over crops of the samples.

    Raises:
        models.export.ParityError: if it is above `PARITY`.
    """
    inputs = normalise_crops(load_shards(split_shards(samples, _NAME, 0)[0][:1])["crops"][:324])
    return put_in_place(trained, _NAME, inputs, folder, PARITY)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m training.cages.train_cages", description="Train the cage network."
    )
    return run_command(parser, CageRecipe, train, export, arguments)


if __name__ == "__main__":
    sys.exit(main())
