"""Trains the network of hands on kept shapes and MNIST, with checkpoints from which it goes on.

    python -m training.digits.hand_shapes build/hands --shards 56
    KERAS_BACKEND=jax python -m training.digits.train_hands --out build/hands/net \
        --minutes 4 --steps 1000000 --batch 2048 --half
    python -m training.digits.train_hands --out build/hands/net --export

The second command wants a graphics processor. It trains wide networks first, and what they tell of
shapes is what the network learns (Hinton, Vinyals and Dean 2015, "Distilling the Knowledge in a
Neural Network"). `--teachers 0` learns from the true digits alone, for which a processor will do.
The last command puts the network in its place, models/weights, for both engines. The same command
again goes on from the last checkpoint.
"""

import argparse
import logging
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from models.engine import WEIGHTS_DIR
from models.hands import OUTPUT_LAYER, SHAPE_PX, build_hand_net, scale_shapes
from training.digits.digit_shapes import load_written_glyphs
from training.digits.varied_hands import draw_chances, list_chances, vary
from training.rendered.large_digits import DATA_DIGITS
from training.shard_runs import (
    ShardRecipe,
    make_optimizer,
    put_in_place,
    run_command,
    run_network,
    run_steps,
    smooth_entropy,
)
from training.shards import load_shards, split_shards

logger = logging.getLogger(__name__)

UInt8 = npt.NDArray[np.uint8]
Float32 = npt.NDArray[np.float32]

_NAME: Final = "hands"
_TEACHERS: Final = "teachers"
_WARM_UP: Final = 300
"""Steps in which the rate rises."""
_SMOOTHING: Final = 0.001
"""Share of an answer that is spread over all classes, so that none is ever out of the question."""
_HELD_OUT: Final = 2
"""Shards that are not learnt from; the last ones, of which one is photographed."""
_TOLD_EVERY: Final = 200
_TEMPERATURE: Final = 0.6
"""Of the network's answers. They are averaged with those of another reader, as logarithms, which
makes both too cautious: of 200 clean boards and 100 of level 3, 186 and 92 were solved with 1, 188
and 94 with 0.6, 188 and 93 with 0.5 (one-off)."""
_WIDER: Final = 3
"""Times as wide as the network are its teachers."""


@dataclass(frozen=True)
class HandRecipe(ShardRecipe):
    """Everything that decides how a run comes out.

    Steps and half of the minutes are those of the teachers, and again of the network.

    Attributes:
        digits: the data folder's digits, with MNIST.
        teachers: wide networks from which it learns; 0 for none.
        is_half: teachers compute with 16 bits.
        threads: of the processor.
    """

    samples: Path = Path("build/hands")
    steps: int = 6000
    batch: int = 256
    rate: float = 3e-3
    digits: Path = DATA_DIGITS
    teachers: int = 3
    is_half: bool = False
    threads: int = 2


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

    def draw_batch(rng: np.random.Generator) -> tuple[Any, Float32]:
        chosen = rng.integers(len(digits), size=recipe.batch)
        chances = draw_chances(rng, recipe.batch)
        return [shapes[chosen], *chances], digits[chosen].astype(np.float32)

    teachers = None
    if recipe.teachers:
        half = None if recipe.minutes is None else recipe.minutes / 2
        recipe = replace(recipe, minutes=half)
        first = replace(recipe, out=recipe.out.with_name(f"{recipe.out.name}-{_TEACHERS}"))
        trained = _run(first, _build_teachers(recipe), _entropy_of_all, draw_batch, {})
        teachers = keras.saving.load_model(trained, compile=False).get_layer(_TEACHERS)
        teachers.trainable = False
    pupil = replace(recipe, out=recipe.out.with_name(f"{recipe.out.name}-varied"))
    network = _build_pupil(teachers)
    trained = _run(pupil, network, _entropy_of_pupil, draw_batch, unseen)
    kept = recipe.out.with_suffix(".keras")
    hands = keras.saving.load_model(trained, compile=False).get_layer(_NAME)
    last = hands.get_layer(OUTPUT_LAYER)
    last.set_weights([one / _TEMPERATURE for one in last.get_weights()])
    hands.save(kept)
    return kept


def _run(
    recipe: HandRecipe,
    network: Any,
    loss: Any,
    draw_batch: Any,
    unseen: dict[str, tuple[UInt8, UInt8]],
) -> Path:
    optimizer = make_optimizer(recipe, network, _WARM_UP, [OUTPUT_LAYER])
    network.compile(optimizer, loss, jit_compile=True)
    average = [np.array(one) for one in network.get_weights()]
    telling = partial(_score, recipe, unseen) if unseen else None
    return run_steps(recipe, network, draw_batch, telling, _TOLD_EVERY, average)


def _build_teachers(recipe: HandRecipe) -> Any:
    """Return what takes shapes and chances and gives (b, teachers, 10) probabilities."""
    import keras
    from keras import ops

    shape = keras.Input((SHAPE_PX, SHAPE_PX, 1), name="shape")
    dtype = "mixed_bfloat16" if recipe.is_half else None
    told = []
    for number in range(recipe.teachers):
        teacher = build_hand_net(_WIDER, dtype)
        teacher.name = f"teacher{number}"
        told.append(teacher(shape))
    teachers = keras.Model(shape, ops.stack(told, axis=1), name=_TEACHERS)
    shapes, chances = _list_inputs()
    return keras.Model([shapes, *chances], teachers(vary(shapes, *chances)))


def _build_pupil(teachers: Any) -> Any:
    """Return what gives (b, 2, 10) probabilities: the network's, and those that it is taught.

    Without teachers (b, 1, 10).
    """
    import keras
    from keras import ops

    shapes, chances = _list_inputs()
    varied = vary(shapes, *chances)
    told = [build_hand_net()(varied)]
    if teachers is not None:
        told.append(ops.mean(teachers(varied, training=False), axis=1))
    return keras.Model([shapes, *chances], ops.stack(told, axis=1))


def _list_inputs() -> tuple[Any, list[Any]]:
    import keras

    shapes = keras.Input((SHAPE_PX, SHAPE_PX), dtype="uint8", name="shapes")
    return shapes, list_chances()


def _entropy_of_all(digits: Any, told: Any) -> Any:
    """Return the mean cross entropy of several networks."""
    losses = [smooth_entropy(digits, told[:, n], _SMOOTHING) for n in range(told.shape[1])]
    return sum(losses) / len(losses)


def _entropy_of_pupil(digits: Any, told: Any) -> Any:
    """Return the mean cross entropy to what is taught, or to the digits without teachers."""
    from keras import ops

    if told.shape[1] == 1:
        return smooth_entropy(digits, told[:, 0], _SMOOTHING)
    taught = ops.stop_gradient(told[:, 1])
    return ops.mean(ops.categorical_crossentropy(taught, told[:, 0]))


def _score(recipe: HandRecipe, unseen: dict[str, tuple[UInt8, UInt8]]) -> str:
    """Return in words how much of what it has not seen the network that is kept misreads."""
    import keras

    network = keras.saving.load_model(recipe.out.with_suffix(".keras"), compile=False)
    hands = network.get_layer(_NAME)
    return ", ".join(
        f"{name} {(run_network(hands, scale_shapes(shapes)).argmax(axis=1) != digits).sum()} "
        f"of {len(digits)} misread"
        for name, (shapes, digits) in unseen.items()
        if len(digits)
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
