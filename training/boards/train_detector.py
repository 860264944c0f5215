"""Trains the detector on kept samples, with checkpoints from which it goes on.

    python -m training.boards.sample_cache build/boards --scenes 10000 --photos \
        ../shared/data/photos
    python -m training.boards.train_detector --out build/boards/base --real 0
    python -m training.boards.train_detector --out build/boards/all --init build/boards/base.keras \
        --steps 3000 --rate 5e-4
    python -m training.boards.train_detector --out build/boards/all --export

The last command puts the network in its place, models/weights, for both engines. `--fold 0` leaves
out the real photos of a fold, to be measured on them. The same command again goes on from the last
checkpoint.
"""

import logging
import multiprocessing
import sys
from collections import deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from models.board_detector import (
    BOARD,
    CORNER,
    CROSSING,
    FIRST_SIDE,
    U,
    V,
    build_detector,
    normalise_photo,
)
from models.engine import WEIGHTS_DIR
from models.export import put_in_place
from training.boards.sample_cache import (
    Sample,
    draw_example,
    encode_sample,
    load_samples,
    show_whole,
)
from training.boards.scenes import draw_scene
from training.photo_labels import FOLDS
from training.shard_runs import ShardRecipe, falling_rate, kept_steps, run_steps
from training.training_command import training_command
from vision.geometry import Float32

logger = logging.getLogger(__name__)


_WARM_UP: Final = 200
"""Steps in which the rate rises."""
_SIDE_CHANNEL: Final = 5
"""Of a target: the number of the board's side."""
_PEAK_WEIGHT: Final = {CORNER: 20.0, CROSSING: 4.0}
"""Peaks are few: what is missed weighs more than what is seen beside."""
_LOSS_WEIGHTS: Final = {"board": 1.0, "places": 4.0, "peaks": 1.0, "sides": 0.2}
_AHEAD: Final = 16
"""Batches drawn ahead."""
_TOLD_EVERY: Final = 100

PARITY: Final = 0.1
"""Largest difference of any logit or place that 16-bit weights may make: a place of the map that
is unsure, at 0.5, then moves by 0.025."""

_SCENES: Final = 4
"""On which the engines are compared."""


@dataclass(frozen=True)
class DetectorRecipe(ShardRecipe):
    """Everything that decides how a run comes out.

    Attributes:
        fold: of real photos that are left out; None leaves none out.
        real: share of the examples that are real photos.
        processes: that draw examples.
    """

    samples: Path = Path("build/boards")
    steps: int = 14000
    batch: int = 16
    rate: float = 2e-3
    save_every: int = 250
    fold: int | None = None
    real: float = 0.35
    processes: int = 1


def _draw_ahead(
    recipe: DetectorRecipe, first: int
) -> Generator[tuple[Float32, Float32], None, None]:
    """Yield the batches of steps, which processes draw; a step of a run always has the same."""
    # A fork would copy a backend whose threads hold locks.
    spawn = multiprocessing.get_context("spawn")
    workers = ProcessPoolExecutor(recipe.processes, spawn, _begin_drawing, (recipe,))
    try:
        ahead = deque(workers.submit(_draw_batch, first + n) for n in range(_AHEAD))
        for step in count(first + _AHEAD):
            yield ahead.popleft().result()
            ahead.append(workers.submit(_draw_batch, step))
    finally:
        workers.shutdown(cancel_futures=True)


_drawer: Callable[[int], tuple[Float32, Float32]]
"""Of a process that draws."""


def _begin_drawing(recipe: DetectorRecipe) -> None:
    global _drawer
    cv2.setNumThreads(1)
    _drawer = partial(draw_batch, recipe, *load_pools(recipe))


def _draw_batch(step: int) -> tuple[Float32, Float32]:
    return _drawer(step)


def draw_batch(
    recipe: DetectorRecipe, real: Sequence[Sample], drawn: Sequence[Sample], step: int
) -> tuple[Float32, Float32]:
    """Return the pictures of a step as the network takes them, and their maps.

    Returns:
        (b, S, S, 1) and (b, S / 4, S / 4, `training.boards.sample_cache.MAPS`) float32.
    """
    rng = np.random.default_rng([recipe.seed, step])
    examples = []
    for _ in range(recipe.batch):
        is_real = not drawn or (bool(real) and rng.random() < recipe.real)
        pool = real if is_real else drawn
        examples.append(draw_example(pool[int(rng.integers(len(pool)))], rng))
    pictures = normalise_photo(np.stack([picture for picture, _ in examples]))
    return pictures, np.stack([target for _, target in examples])


def load_pools(recipe: DetectorRecipe) -> tuple[list[Sample], list[Sample]]:
    """Return the real photos and the drawn scenes to learn from.

    Raises:
        FileNotFoundError: if there are none; the text says how to make them.
        ValueError: if there is no such fold.
    """
    if recipe.fold not in (None, *range(FOLDS)):
        raise ValueError(f"folds of photos are 0 to {FOLDS - 1}, got {recipe.fold}")
    files = sorted(recipe.samples.glob("scenes-[0-9][0-9][0-9].npz"))
    photos = recipe.samples / "photos.npz"
    if not files and not photos.exists():
        raise FileNotFoundError(
            f"no samples in {recipe.samples}; run python -m training.boards.sample_cache"
        )
    real = load_samples(photos) if photos.exists() else []
    drawn = [sample for file in files for sample in load_samples(file)]
    return [one for one in real if one.fold != recipe.fold], drawn


def compute_loss(target: Any, output: Any) -> Any:
    """Return the loss of a batch, a scalar tensor of the backend.

    Args:
        target: (b, h, w, `training.boards.sample_cache.MAPS`).
        output: (b, h, w, `models.board_detector.CHANNELS`).
    """
    return sum(weight * LOSSES[name](target, output) for name, weight in _LOSS_WEIGHTS.items())


def _board_loss(target: Any, output: Any) -> Any:
    from keras import ops

    return ops.mean(_cross_entropy(target, output, BOARD))


def _place_loss(target: Any, output: Any) -> Any:
    from keras import ops

    is_board = target[..., BOARD]
    away = ops.abs(output[..., U : V + 1] - target[..., U : V + 1])
    return ops.sum(away * is_board[..., None]) / (2 * ops.sum(is_board) + 1)


def _peak_loss(target: Any, output: Any) -> Any:
    from keras import ops

    return sum(
        ops.mean((1 + weight * target[..., channel]) * _cross_entropy(target, output, channel))
        for channel, weight in _PEAK_WEIGHT.items()
    )


def _side_loss(target: Any, output: Any) -> Any:
    from keras import ops

    is_board = target[..., BOARD]
    side = ops.cast(target[..., _SIDE_CHANNEL], "int32")
    missed = ops.sparse_categorical_crossentropy(side, output[..., FIRST_SIDE:], from_logits=True)
    return ops.sum(missed * is_board) / (ops.sum(is_board) + 1)


def _cross_entropy(target: Any, output: Any, channel: int) -> Any:
    from keras import ops

    return ops.binary_crossentropy(target[..., channel], output[..., channel], from_logits=True)


LOSSES: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "board": _board_loss,
    "places": _place_loss,
    "peaks": _peak_loss,
    "sides": _side_loss,
}
"""What a loss adds up, by name."""


def train(recipe: DetectorRecipe) -> Path:
    """Train, or go on training; return the file of the averaged network.

    Runs on any backend of Keras.

    Raises:
        FileNotFoundError: if there are no samples.
        RuntimeError: if the loss is no number any more.
    """
    import keras

    real, drawn = load_pools(recipe)
    logger.info("%d real photos, %d drawn scenes", len(real), len(drawn))
    keras.utils.set_random_seed(recipe.seed)
    network = build_detector()
    rate = falling_rate(recipe, _WARM_UP)
    optimizer = keras.optimizers.AdamW(rate, weight_decay=1e-4, clipnorm=5.0)
    optimizer.build(network.trainable_variables)
    # TensorFlow's XLA takes minutes to compile depthwise convolutions, and is no faster then.
    is_compiled = keras.backend.backend() == "jax"
    network.compile(optimizer, compute_loss, metrics=[*LOSSES.values()], jit_compile=is_compiled)
    average = [np.array(weight) for weight in network.get_weights()]
    with closing(_draw_ahead(recipe, kept_steps(recipe))) as batches:
        return run_steps(recipe, network, lambda *_: next(batches), None, _TOLD_EVERY, average)


def export(trained: Path, _samples: Path, folder: Path = WEIGHTS_DIR) -> float:
    """Write a trained network for both engines.

    Returns:
        The largest difference between the engines over the maps of drawn scenes.

    Raises:
        models.export.ParityError: if it is above `PARITY`.
    """
    scenes = (draw_scene(seed) for seed in range(_SCENES))
    shown = [show_whole(encode_sample(one.photo, one.lattices))[0] for one in scenes]
    return put_in_place(trained, "boards", normalise_photo(np.stack(shown)), folder, PARITY)


main = training_command(
    __spec__, "Train the network that finds boards.", DetectorRecipe, train, export
)
"""Runs the command line."""


if __name__ == "__main__":
    sys.exit(main())
