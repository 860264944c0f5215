"""Trains the detector on kept samples, with checkpoints from which it goes on.

    python -m training.boards.cache build/boards --photos ../shared/data/photos --scenes 10000
    python -m training.boards.train --out build/boards/base --real 0
    python -m training.boards.train --out build/boards/all --init build/boards/base.keras \
        --steps 3000 --rate 5e-4

`--fold 0` leaves out the real photos of a fold, to be measured on them. The same command again
goes on from the last checkpoint.
"""

import argparse
import json
import logging
import math
import os
import queue
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from models.boards.maps import BOARD, CORNER, CROSSING, FIRST_SIDE, U, V, normalise_photo
from models.boards.network import DetectorOptions, build_detector
from training.boards.cache import Sample, load_samples
from training.boards.targets import draw_example

logger = logging.getLogger(__name__)

Float32 = npt.NDArray[np.float32]

_WARM_UP: Final = 200
"""Steps in which the rate rises."""
_LAST_RATE: Final = 0.01
"""Of the first rate."""
_SIDE_CHANNEL: Final = 5
"""Of a target: the number of the board's side."""
_AHEAD: Final = 16
"""Batches drawn ahead."""
_TOLD_EVERY: Final = 100


@dataclass(frozen=True)
class DetectorRecipe:
    """Everything that decides how a run comes out.

    Attributes:
        out: the network is written to `OUT.keras`, checkpoints beside it.
        init: network whose weights it begins with; random ones when None.
        samples: folder of the shards.
        fold: of real photos that are left out; None leaves none out.
        real: share of the examples that are real photos.
        steps: in all.
        batch: examples in a step.
        rate: highest learning rate.
        seed: of weights and examples.
        save_every: steps between checkpoints.
    """

    out: Path
    init: Path | None = None
    samples: Path = Path("build/boards")
    fold: int | None = None
    real: float = 0.35
    steps: int = 14000
    batch: int = 16
    rate: float = 2e-3
    seed: int = 0
    save_every: int = 250


class ExampleSource:
    """Draws batches in threads of its own."""

    def __init__(
        self, real: Sequence[Sample], drawn: Sequence[Sample], recipe: DetectorRecipe, step: int
    ) -> None:
        """Begin at a step, so that a run that goes on sees other examples than before."""
        self._real, self._drawn, self._recipe = real, drawn, recipe
        self._batches: queue.Queue[tuple[Float32, Float32]] = queue.Queue(_AHEAD)
        self._is_over = threading.Event()
        seed = [recipe.seed, step]
        threading.Thread(target=self._fill, args=(seed,), daemon=True).start()

    def take(self) -> tuple[Float32, Float32]:
        """Return pictures as the network takes them, and their maps."""
        return self._batches.get()

    def close(self) -> None:
        """Draw no more."""
        self._is_over.set()

    def _fill(self, seed: list[int]) -> None:
        rng = np.random.default_rng(seed)
        while not self._is_over.is_set():
            examples = [draw_example(self._choose(rng), rng) for _ in range(self._recipe.batch)]
            pictures = normalise_photo(np.stack([picture for picture, _ in examples]))
            maps = np.stack([target for _, target in examples])
            while not self._is_over.is_set():
                try:
                    self._batches.put((pictures, maps), timeout=1)
                    break
                except queue.Full:
                    continue

    def _choose(self, rng: np.random.Generator) -> Sample:
        is_real = not self._drawn or (bool(self._real) and rng.random() < self._recipe.real)
        pool = self._real if is_real else self._drawn
        return pool[int(rng.integers(len(pool)))]


def load_pools(recipe: DetectorRecipe) -> tuple[list[Sample], list[Sample]]:
    """Return the real photos and the drawn scenes to learn from.

    Raises:
        FileNotFoundError: if there are none; the text says how to make them.
    """
    files = sorted(recipe.samples.glob("scenes-[0-9][0-9][0-9].npz"))
    photos = recipe.samples / "photos.npz"
    if not files and not photos.exists():
        raise FileNotFoundError(
            f"no samples in {recipe.samples}; run python -m training.boards.cache"
        )
    real = load_samples(photos) if photos.exists() else []
    drawn = [sample for file in files for sample in load_samples(file)]
    return [one for one in real if one.fold != recipe.fold], drawn


def compute_loss(target: Any, output: Any) -> tuple[Any, dict[str, Any]]:
    """Return the loss of a batch and its parts, each a scalar tensor.

    Args:
        target: (b, h, w, `training.boards.targets.MAPS`).
        output: (b, h, w, `models.boards.maps.CHANNELS`).
    """
    import tensorflow as tf

    is_board = target[..., BOARD]
    count = tf.reduce_sum(is_board) + 1.0

    def cross(channel: int, weight: Any = 1.0) -> Any:
        logits = output[..., channel]
        return weight * tf.nn.sigmoid_cross_entropy_with_logits(target[..., channel], logits)

    # Peaks are few: what is missed weighs more than what is seen beside.
    peaks = tf.reduce_mean(cross(CORNER, 1 + 20 * target[..., CORNER]))
    peaks += tf.reduce_mean(cross(CROSSING, 1 + 4 * target[..., CROSSING]))
    away = tf.abs(output[..., U : V + 1] - target[..., U : V + 1])
    places = tf.reduce_sum(away * is_board[..., None]) / (2 * count)
    side = tf.nn.sparse_softmax_cross_entropy_with_logits(
        tf.cast(target[..., _SIDE_CHANNEL], tf.int32), output[..., FIRST_SIDE:]
    )
    parts = {
        "board": tf.reduce_mean(cross(BOARD)),
        "places": places,
        "peaks": peaks,
        "sides": tf.reduce_sum(side * is_board) / count,
    }
    total = parts["board"] + 4 * parts["places"] + parts["peaks"] + 0.2 * parts["sides"]
    return total, parts


def train(recipe: DetectorRecipe) -> Path:
    """Train, or go on training; return the file of the averaged network."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    import keras
    import tensorflow as tf

    keras.utils.set_random_seed(recipe.seed)
    real, drawn = load_pools(recipe)
    logger.info("%d real photos, %d drawn scenes", len(real), len(drawn))
    network = build_detector(DetectorOptions())
    if recipe.init is not None:
        network.set_weights(keras.models.load_model(recipe.init).get_weights())
    optimizer = keras.optimizers.AdamW(recipe.rate, weight_decay=1e-4, clipnorm=5.0)
    optimizer.build(network.trainable_variables)
    average = [np.array(weight) for weight in network.get_weights()]
    step = _load_checkpoint(recipe, network, optimizer, average)

    def advance(pictures: Any, maps: Any) -> Any:
        with tf.GradientTape() as tape:
            output = network(pictures, training=True)
            total, parts = compute_loss(maps, output)
        gradients = tape.gradient(total, network.trainable_variables)
        optimizer.apply_gradients(zip(gradients, network.trainable_variables, strict=True))
        return total, parts

    advance_fast = tf.function(advance)
    source = ExampleSource(real, drawn, recipe, step)
    sums: dict[str, float] = {}
    first, start = step, time.perf_counter()
    try:
        while step < recipe.steps:
            optimizer.learning_rate.assign(_rate_at(step, recipe))
            total, parts = advance_fast(*source.take())
            if not math.isfinite(float(total)):
                raise RuntimeError(f"the loss is {float(total)} at step {step}; use a lower --rate")
            step += 1
            for name, value in parts.items():
                sums[name] = sums.get(name, 0.0) + float(value)
            if step % 10 == 0:
                _average(average, network.get_weights(), step)
            if step % _TOLD_EVERY == 0:
                count = min(step - first, _TOLD_EVERY)
                means = {name: value / count for name, value in sums.items()}
                told = "  ".join(f"{name} {mean:.4f}" for name, mean in means.items())
                logger.info("%d  %s  %.0f s", step, told, time.perf_counter() - start)
                sums = {}
            if step % recipe.save_every == 0 or step == recipe.steps:
                _save_checkpoint(recipe, network, optimizer, average, step)
    finally:
        source.close()
    return recipe.out.with_suffix(".keras")


def _rate_at(step: int, recipe: DetectorRecipe) -> float:
    """Return the learning rate: a rise, then half a cosine."""
    fall = 0.5 * (1 + math.cos(math.pi * step / recipe.steps))
    return recipe.rate * min(1.0, (step + 1) / _WARM_UP) * max(fall, _LAST_RATE)


def _average(average: list[Any], weights: list[Any], step: int) -> None:
    """Move averaged weights towards the present ones, quickly at first."""
    keep = min(0.98, step / (step + 100))
    for mean, weight in zip(average, weights, strict=True):
        mean *= keep
        mean += (1 - keep) * weight


def _save_checkpoint(
    recipe: DetectorRecipe, network: Any, optimizer: Any, average: list[Any], step: int
) -> None:
    """Write the averaged network, and all that the run needs to go on, under their own names."""
    recipe.out.parent.mkdir(parents=True, exist_ok=True)
    arrays: dict[str, Any] = {
        f"weight{number}": np.array(one) for number, one in enumerate(network.get_weights())
    }
    arrays |= {f"average{number}": one for number, one in enumerate(average)}
    state = [variable.numpy() for variable in optimizer.variables]
    arrays |= {f"state{number}": one for number, one in enumerate(state)}
    checkpoint = recipe.out.with_suffix(".npz")
    unfinished = checkpoint.with_suffix(".part.npz")
    options = {name: str(value) for name, value in asdict(recipe).items()}
    np.savez(unfinished, step=step, recipe=json.dumps(options), **arrays)
    present = network.get_weights()
    network.set_weights(average)
    part = recipe.out.with_suffix(".part.keras")
    network.save(part)
    network.set_weights(present)
    part.replace(recipe.out.with_suffix(".keras"))
    unfinished.replace(checkpoint)


def _load_checkpoint(
    recipe: DetectorRecipe, network: Any, optimizer: Any, average: list[Any]
) -> int:
    """Take over a checkpoint, if there is one; return the steps that it has behind it."""
    checkpoint = recipe.out.with_suffix(".npz")
    if not checkpoint.exists():
        return 0
    with np.load(checkpoint) as stored:
        network.set_weights([stored[f"weight{n}"] for n in range(len(average))])
        for number, mean in enumerate(average):
            mean[...] = stored[f"average{number}"]
        for number, variable in enumerate(optimizer.variables):
            variable.assign(stored[f"state{number}"])
        step = int(stored["step"])
    logger.info("going on from step %d", step)
    return step


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m training.boards.train", description="Train the network that finds boards."
    )
    parser.add_argument("--out", type=Path, required=True, help="name of the network's files")
    parser.add_argument("--init", type=Path, help="a .keras file whose weights it begins with")
    parser.add_argument("--samples", type=Path, default=DetectorRecipe.samples)
    parser.add_argument("--fold", type=int, choices=(0, 1, 2), help="of photos to leave out")
    parser.add_argument("--real", type=float, default=DetectorRecipe.real)
    parser.add_argument("--steps", type=int, default=DetectorRecipe.steps)
    parser.add_argument("--batch", type=int, default=DetectorRecipe.batch)
    parser.add_argument("--rate", type=float, default=DetectorRecipe.rate)
    parser.add_argument("--seed", type=int, default=DetectorRecipe.seed)
    parser.add_argument("--save-every", type=int, default=DetectorRecipe.save_every)
    options = parser.parse_args(arguments)
    if options.init is not None and not options.init.is_file():
        print(f"there is no {options.init}; train it first, without --init", file=sys.stderr)
        return 3
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    try:
        written = train(DetectorRecipe(**vars(options)))
    except FileNotFoundError as error:
        print(error, file=sys.stderr)
        return 3
    print(written)
    return 0


if __name__ == "__main__":
    sys.exit(main())
