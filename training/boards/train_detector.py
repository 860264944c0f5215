"""Trains the detector on kept samples, with checkpoints from which it goes on.

    python -m training.boards.sample_cache build/boards --scenes 10000 --photos \
        ../shared/data/photos
    python -m training.boards.train_detector --out build/boards/base --real 0
    python -m training.boards.train_detector --out build/boards/all --init build/boards/base.keras \
        --steps 3000 --rate 5e-4

`--fold 0` leaves out the real photos of a fold, to be measured on them. The same command again
goes on from the last checkpoint.
"""

import argparse
import json
import logging
import math
import multiprocessing
import os
import sys
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from models.boards.detector import build_detector
from models.boards.maps import BOARD, CORNER, CROSSING, FIRST_SIDE, U, V, normalise_photo
from training.boards.sample_cache import Sample, load_samples
from training.boards.targets import draw_example

logger = logging.getLogger(__name__)

Float32 = npt.NDArray[np.float32]

_WARM_UP: Final = 200
"""Steps in which the rate rises."""
_LAST_RATE: Final = 0.01
"""Of the highest rate."""
_SIDE_CHANNEL: Final = 5
"""Of a target: the number of the board's side."""
_PEAK_WEIGHT: Final = {CORNER: 20.0, CROSSING: 4.0}
"""Peaks are few: what is missed weighs more than what is seen beside."""
_LOSS_WEIGHTS: Final = {"board": 1.0, "places": 4.0, "peaks": 1.0, "sides": 0.2}
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
        processes: that draw examples.
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
    processes: int = 1


class ExampleSource:
    """Draws batches in processes of its own; a step of a run always has the same batch."""

    def __init__(self, recipe: DetectorRecipe, step: int) -> None:
        """Begin with the batch of a step."""
        # A fork would copy a backend whose threads hold locks.
        spawn = multiprocessing.get_context("spawn")
        self._workers = ProcessPoolExecutor(recipe.processes, spawn, _begin_drawing, (recipe,))
        self._ahead: deque[Future[tuple[Float32, Float32]]] = deque()
        self._next = step

    def take(self) -> tuple[Float32, Float32]:
        """Return pictures as the network takes them, and their maps."""
        while len(self._ahead) < _AHEAD:
            self._ahead.append(self._workers.submit(_draw_batch, self._next))
            self._next += 1
        return self._ahead.popleft().result()

    def close(self) -> None:
        """Draw no more."""
        self._workers.shutdown(cancel_futures=True)


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
        (b, S, S, 1) and (b, S / 4, S / 4, `training.boards.targets.MAPS`) float32.
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
    """
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
        target: (b, h, w, `training.boards.targets.MAPS`).
        output: (b, h, w, `models.boards.maps.CHANNELS`).
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
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    import keras

    real, drawn = load_pools(recipe)
    logger.info("%d real photos, %d drawn scenes", len(real), len(drawn))
    keras.utils.set_random_seed(recipe.seed)
    network = build_detector()
    if recipe.init is not None:
        network.set_weights(keras.models.load_model(recipe.init, compile=False).get_weights())
    rate = keras.optimizers.schedules.CosineDecay(
        0.0, max(recipe.steps - _WARM_UP, 1), _LAST_RATE,
        warmup_target=recipe.rate, warmup_steps=_WARM_UP,
    )  # fmt: skip
    optimizer = keras.optimizers.AdamW(rate, weight_decay=1e-4, clipnorm=5.0)
    optimizer.build(network.trainable_variables)
    # TensorFlow's XLA takes minutes to compile depthwise convolutions, and is no faster then.
    is_compiled = keras.backend.backend() == "jax"
    network.compile(optimizer, compute_loss, metrics=[*LOSSES.values()], jit_compile=is_compiled)
    average = [np.array(weight) for weight in network.get_weights()]
    step = _load_checkpoint(recipe, network, optimizer, average)
    source = ExampleSource(recipe, step)
    start = time.perf_counter()
    try:
        while step < recipe.steps:
            means = network.train_on_batch(*source.take(), return_dict=True)
            if not math.isfinite(means["loss"]):
                raise RuntimeError(f"the loss is {means['loss']} at step {step}; lower --rate")
            step += 1
            if step % 10 == 0:
                _average(average, network.get_weights(), step)
            if step % _TOLD_EVERY == 0:
                told = "  ".join(f"{name} {mean:.4f}" for name, mean in means.items())
                logger.info("%d  %s  %.0f s", step, told, time.perf_counter() - start)
                network.reset_metrics()
            if step % recipe.save_every == 0 or step == recipe.steps:
                _save_checkpoint(recipe, network, optimizer, average, step)
    finally:
        source.close()
    return recipe.out.with_suffix(".keras")


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
    from keras import ops

    recipe.out.parent.mkdir(parents=True, exist_ok=True)
    arrays: dict[str, Any] = {
        f"weight{number}": np.array(one) for number, one in enumerate(network.get_weights())
    }
    arrays |= {f"average{number}": one for number, one in enumerate(average)}
    state = [ops.convert_to_numpy(variable) for variable in optimizer.variables]
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
        prog="python -m training.boards.train_detector",
        description="Train the network that finds boards.",
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
    parser.add_argument(
        "--processes", type=int, default=DetectorRecipe.processes, help="that draw examples"
    )
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
