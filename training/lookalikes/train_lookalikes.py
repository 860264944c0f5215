"""Trains the network of lookalikes on kept samples, with checkpoints from which it goes on.

    python -m training.lookalikes.lookalike_samples build/lookalikes --shards 48
    python -m training.lookalikes.train_lookalikes --out build/lookalikes/all
    python -m training.lookalikes.train_lookalikes --out build/lookalikes/all --export

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
from models.lookalike_reader import (
    FIRST,
    FRAME_PX,
    OUTPUT_LAYERS,
    build_lookalike_net,
    normalise_frames,
)
from training.lookalikes.lookalike_samples import LookalikeSamples
from training.shard_runs import (
    ShardRecipe,
    load_shards,
    make_optimizer,
    put_in_place,
    run_command,
    run_steps,
    smooth_entropy,
    split_shards,
)

logger = logging.getLogger(__name__)

Float32 = npt.NDArray[np.float32]

PARITY: Final = 0.1
"""Largest difference of any logit that 16-bit weights may make."""

_NAME: Final = "lookalikes"
_WARM_UP: Final = 100
"""Steps in which the rate rises."""
_SHIFT: Final = 0.025
"""Of each corner, one standard deviation, in sides of the frame."""
_MOST_BLUR_PX: Final = 1.5
_MOST_NOISE: Final = 12.0
_MOST_SHADE: Final = 0.5
"""Of what is added to frames at most: standard deviations, in pixels and in grey levels, and the
light that is missing at one edge."""
_REDRAWN: Final = 0.2
"""Share of the frames whose ink is made thinner or thicker by a pixel."""
_SMOOTHED: Final = 0.05
"""Of a label, that is given to the others."""
_HELD_OUT: Final = 3
"""Shards that are not learnt from; the last ones."""
_TOLD_EVERY: Final = 100
_SURE: Final = 0.9
"""Likelihood from which a frame counts as named in the score."""


@dataclass(frozen=True)
class LookalikeRecipe(ShardRecipe):
    """Everything that decides how a run comes out."""

    samples: Path = Path("build/lookalikes")
    steps: int = 2000
    batch: int = 48
    rate: float = 4e-3
    save_every: int = 250


def draw_batch(
    samples: LookalikeSamples, batch: int, rng: np.random.Generator
) -> tuple[Float32, Float32]:
    """Return frames as the network takes them, (b, 192, 192, 1), and labels, (b,)."""
    chosen = rng.integers(len(samples.labels), size=batch)
    frames = np.stack([_distort(samples.frames[index], rng) for index in chosen.tolist()])
    return normalise_frames(frames), samples.labels[chosen].astype(np.float32)


def _distort(frame: npt.NDArray[np.uint8], rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """Return a frame as it would lie otherwise, in other light, before a worse camera."""
    turned = np.ascontiguousarray(np.rot90(frame, int(rng.integers(4))))
    if rng.random() < _REDRAWN:
        redraw = cv2.erode if rng.random() < 0.5 else cv2.dilate
        turned = np.asarray(redraw(turned, np.ones((2, 2), np.uint8)), np.uint8)
    edge = FRAME_PX * np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    moved = np.asarray(edge + rng.normal(0, _SHIFT * FRAME_PX, (4, 2)), np.float32)
    matrix = cv2.getPerspectiveTransform(edge, moved)
    size = (FRAME_PX, FRAME_PX)
    seen = cv2.warpPerspective(turned, matrix, size, borderMode=cv2.BORDER_REPLICATE)
    # Most frames stay nearly as clear as they are.
    blur_px, noise = _MOST_BLUR_PX * rng.random() ** 2, _MOST_NOISE * rng.random() ** 2
    if blur_px > 0.3:  # less changes nothing
        seen = cv2.GaussianBlur(seen, (0, 0), float(blur_px))
    shade = np.linspace(1 - _MOST_SHADE * rng.random() ** 2, 1, FRAME_PX)
    lit = seen * (shade if rng.random() < 0.5 else shade[:, None])
    noisy = lit + rng.normal(0, noise, seen.shape)
    return np.asarray(np.clip(np.rint(noisy), 0, 255), np.uint8)


def compute_loss(targets: Any, logits: Any) -> Any:
    """Return the mean cross entropy of a batch, with smoothed labels."""
    return smooth_entropy(targets, logits, _SMOOTHED, are_logits=True)


def train(recipe: LookalikeRecipe) -> Path:
    """Train, or go on training; return the file of the network.

    Raises:
        FileNotFoundError: if there are too few samples.
        RuntimeError: if the loss is no number any more.
    """
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    import keras

    parts = split_shards(recipe.samples, _NAME, _HELD_OUT)
    samples, unseen = (LookalikeSamples(**load_shards(files)) for files in parts)
    logger.info("%d frames", len(samples.labels))
    keras.utils.set_random_seed(recipe.seed)
    network = build_lookalike_net()
    optimizer = make_optimizer(recipe, network, _WARM_UP, OUTPUT_LAYERS)
    network.compile(optimizer, compute_loss, jit_compile=False)
    return run_steps(
        recipe,
        network,
        partial(draw_batch, samples, recipe.batch),
        partial(score, network, unseen),
        _TOLD_EVERY,
    )


def score(network: Any, samples: LookalikeSamples) -> str:
    """Return in words how many of the lookalikes are named, and how many names are wrong."""
    frames = normalise_frames(samples.frames)
    logits = np.concatenate(
        [
            np.asarray(network(frames[at : at + 64], training=False))
            for at in range(0, len(frames), 64)
        ]
    )
    likely = np.exp(logits - logits.max(axis=1, keepdims=True))
    likely /= likely.sum(axis=1, keepdims=True)
    told, labels = likely.argmax(axis=1), samples.labels
    is_named = (told >= FIRST) & (likely.max(axis=1) > _SURE)
    is_right = is_named & (told == labels)
    right, wrong = int(is_right.sum()), int((is_named & ~is_right).sum())
    count = int((labels >= FIRST).sum())
    return f"right {(told == labels).mean():.3f}, named {right} of {count}, wrong {wrong}"


def export(trained: Path, samples: Path, folder: Path = WEIGHTS_DIR) -> float:
    """Write a trained network for both engines.

    Returns:
        The largest difference between the engines over frames of the samples.

    Raises:
        models.export.ParityError: if it is above `PARITY`.
    """
    inputs = normalise_frames(load_shards(split_shards(samples, _NAME, 0)[0][:1])["frames"])
    return put_in_place(trained, _NAME, inputs, folder, PARITY)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m training.lookalikes.train_lookalikes",
        description="Train the network of lookalikes.",
    )
    return run_command(parser, LookalikeRecipe, train, export, arguments)


if __name__ == "__main__":
    sys.exit(main())
