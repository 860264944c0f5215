"""Trains the network of hands on kept shapes and MNIST, with checkpoints from which it goes on.

    python -m training.digits.train_hands --out build/hands/net --draw 60
    KERAS_BACKEND=jax python -m training.digits.train_hands --out build/hands/net \
        --minutes 4 --steps 1000000 --batch 2048 --half
    python -m training.digits.train_hands --out build/hands/net --export

The first command draws the samples: a third of the boards are photographed. The second one wants a
graphics processor. It trains wide networks first, and what they tell of shapes is what the network
learns (Hinton, Vinyals and Dean 2015, "Distilling the Knowledge in a Neural Network"). `--teachers
0` learns from the true digits alone, for which a processor will do. The last command puts the
network in its place, models/weights, for both engines. The same command again goes on from the last
shard or checkpoint.
"""

import logging
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from models.engine import UInt8
from models.hands import OUTPUT_LAYER, SHAPE_PX, build_hand_net, scale_shapes
from training.distillation import (
    PLACES,
    Bends,
    Chances,
    Distillation,
    DistilledRecipe,
    bend,
    spread,
)
from training.rendered.filled_board import choose_look, write_board
from training.rendered.large_digits import (
    DATA_DIGITS,
    Glyphs,
    load_written_glyphs,
    using_shapes_of,
    using_training_hands,
    written_glyphs,
)
from training.rendered.rendered_photos import render_written
from training.rendered.writing import Writer
from training.shard_runs import load_shards, run_network, smooth_entropy, split_shards
from training.training_command import Drawing, export_trained, training_command
from vision.board import move_lattice
from vision.geometry import Float32, Points
from vision.written_digits import cut_written

logger = logging.getLogger(__name__)


_NAME: Final = "hands"
_SMOOTHING: Final = 0.001
"""Share of an answer that is spread over all classes, so that none is ever out of the question."""
_HELD_OUT: Final = 2
"""Shards that are not learnt from; the last ones."""
_TEMPERATURE: Final = 0.6
"""Of the network's answers. They are averaged with those of another reader, as logarithms, which
makes both too cautious: of 200 clean boards and 100 of level 3, 186 and 92 were solved with 1, 188
and 94 with 0.6, 188 and 93 with 0.5 (one-off)."""
_SHARD: Final = 36
"""Boards in a file."""
_PHOTOGRAPHED: Final = 3
"""Of so many boards one is photographed; of these every other one is drawn by hand, too."""
_SEED: Final = 1998
"""Sets these boards apart from all that are drawn elsewhere."""
_LEVELS: Final = (2, 3, 4)
_CLEAN_PX: Final = (252, 800)
"""Side of a board that is not photographed; the last excluded."""
_EMPTY: Final = 0.25
"""Share of the cells without a digit."""
_SOILED: Final = 0.6
"""Of these, share with something that is no digit."""
_COPIED: Final = 0.7
"""Share of the boards in MNIST's hands; of the others, two in five are drawn in strokes."""
_JITTER: Final = 0.03
"""Cells by which a lattice lies aside, one standard deviation."""


class HandShapes(NamedTuple):
    """What is cut out of boards.

    Attributes:
        shapes: (k, 28, 28) uint8 as `vision.written_digits` cuts them.
        digits: (k,) uint8, 0 for what is none.
    """

    shapes: UInt8
    digits: UInt8


def draw_shapes(digits_dir: Path, seed: int) -> HandShapes:
    """Return what is cut out of a board by hand, whether its digits fit or not."""
    rng = np.random.default_rng([_SEED, seed])
    digits = rng.integers(1, 10, (9, 9)).astype(np.uint8)
    digits[rng.random((9, 9)) < _EMPTY] = 0
    is_soiled = (digits == 0) & (rng.random((9, 9)) < _SOILED)
    with using_shapes_of(digits_dir), using_training_hands():
        glyphs = written_glyphs() if rng.random() < _COPIED else None
        is_photo, is_sketched = seed % _PHOTOGRAPHED == 0, seed % (2 * _PHOTOGRAPHED) == 0
        image, lattice = (
            _photograph(digits, rng, glyphs, is_soiled, is_sketched=is_sketched)
            if is_photo
            else _write(digits, rng, glyphs, is_soiled)
        )
    moved = move_lattice(lattice, *rng.normal(0, _JITTER, 2).tolist())
    shapes = cut_written(image, moved).shapes
    is_found = shapes.any(axis=(1, 2))
    return HandShapes(shapes[is_found], digits.ravel()[is_found])


def _photograph(
    digits: UInt8,
    rng: np.random.Generator,
    glyphs: Glyphs | None,
    is_soiled: npt.NDArray[np.bool_],
    *,
    is_sketched: bool,
) -> tuple[UInt8, Points]:
    """Return a photo of a board by hand, and the crossings of its lines in it."""
    level = int(rng.choice(_LEVELS))
    return render_written(digits, level, rng, glyphs, is_soiled, is_sketched=is_sketched)


def _write(
    digits: UInt8,
    rng: np.random.Generator,
    glyphs: Glyphs | None,
    is_soiled: npt.NDArray[np.bool_],
) -> tuple[UInt8, Points]:
    """Return a clean picture of a board by hand, and the crossings of its lines."""
    style = choose_look(rng, "newspaper").style
    writer = Writer(rng, is_paper=True, glyphs=glyphs)
    return write_board(digits, int(rng.integers(*_CLEAN_PX)), style, writer, is_soiled)


@dataclass(frozen=True)
class HandRecipe(DistilledRecipe):
    """Everything that decides how a run comes out.

    Attributes:
        digits: the data folder's digits, with MNIST.
    """

    samples: Path = Path("build/hands")
    steps: int = 6000
    batch: int = 256
    rate: float = 3e-3
    digits: Path = DATA_DIGITS
    teachers: int = 3


_BENDS: Final = Bends(turn=0.13, slant=0.17, stretch=0.1, shift_px=0.8, bend_px=0.65, points=5)
_FIELD: Final = 8
"""Points each way between which ink is even or fails."""
_BROADER: Final = 0.6
_FINER: Final = 0.5
"""Of a pixel at most, by which each edge of a stroke moves out or in."""
_BROKEN: Final = 0.1
_LINED: Final = 0.06
_CUT: Final = 0.06
"""Shares of the shapes: of which the pen fails in places, with a line at the rim, with a side cut
off."""

_CHOICES: Final = 11
"""Uniform numbers beside those of the field."""
HAND_CHANCES: Final = Chances(normals=PLACES + _BENDS.chances, uniforms=_CHOICES + _FIELD**2)


def vary_hands(shapes: Any, normals: Any, uniforms: Any) -> Any:
    """Return shapes as other hands would have written them, pens drawn and photos shown them.

    Args:
        shapes: (b, 28, 28) uint8 of Keras, ink 255 on 0.
        normals: (b, …) as `HAND_CHANCES` draws them.
        uniforms: (b, …) likewise.

    Returns:
        (b, 28, 28, 1) float32 in 0..1.
    """
    from keras import ops

    ink = ops.cast(shapes, "float32") / 255
    pen, broken, uneven, side, depth, cut, turn, away, lined, edges, tone = (
        uniforms[:, n, None, None] for n in range(_CHOICES)
    )
    ink = _change_pen(ink, pen)
    places, points = normals[:, :PLACES], normals[:, PLACES:]
    weights = _weigh_points(_BENDS.points, cv2.INTER_CUBIC)
    ink = bend(ink, places, points, _BENDS, weights, is_padded=True)
    of_points = ops.reshape(uniforms[:, _CHOICES:], (-1, _FIELD, _FIELD))
    field = spread(of_points, _weigh_points(_FIELD, cv2.INTER_LINEAR))
    gaps = ops.clip(8 * (field - 0.8), 0, 1) * _chosen(broken, _BROKEN)
    ink = ink * (1 - gaps) * (1 - 0.3 * uneven * field)
    ink = ink * (1 - _cover_side(side, depth) * _chosen(cut, _CUT))
    ink = ops.maximum(ink, _draw_line(turn, away) * _chosen(lined, _LINED))
    ink = _change_edges(ink, edges)
    ink = ops.power(ops.clip(ink, 1e-4, 1), ops.exp(0.8 * (tone - 0.5)))
    return ink[..., None]


def _chosen(chance: Any, share: float) -> Any:
    """Return 1 for such a share of uniform chances, else 0."""
    from keras import ops

    return ops.cast(chance < share, "float32")


def _change_pen(ink: Any, chance: Any) -> Any:
    """Make strokes broader or finer, (b, 28, 28) float32."""
    from keras import ops

    image = ink[..., None]
    broad = ops.max_pool(image, 3, 1, "same")[..., 0]
    fine = -ops.max_pool(-image, 3, 1, "same")[..., 0]
    more = _BROADER * ops.maximum(2 * chance - 1, 0)
    less = _FINER * ops.maximum(1 - 2 * chance, 0)
    changed = ink + more * (broad - ink) - less * (ink - fine)
    return changed / (ops.max(changed, axis=(1, 2), keepdims=True) + 1e-3)


def _change_edges(ink: Any, chance: Any) -> Any:
    """Make edges hard as on a sharp photo, or soft as on a small one."""
    from keras import ops

    soft = ops.average_pool(ink[..., None], 3, 1, "same")[..., 0]
    blurred = ink + 0.7 * ops.maximum(1 - 2 * chance, 0) * (soft - ink)
    return ops.clip((blurred - 0.5) * (1 + 1.5 * ops.maximum(2 * chance - 1, 0)) + 0.5, 0, 1)


def _cover_side(side: Any, depth: Any) -> Any:
    """Return 1 where one side of a shape is cut off, else 0."""
    from keras import ops

    quarter = ops.floor(4 * side) * (np.pi / 2)
    return ops.clip(_beyond(quarter, 6 + 4 * depth) + 0.5, 0, 1)


def _draw_line(turn: Any, away: Any) -> Any:
    """Return a line at the rim of a shape, such as a cell's frame leaves there."""
    from keras import ops

    return ops.clip(1.3 - ops.abs(_beyond(2 * np.pi * turn, 9 + 4 * away)), 0, 1)


def _beyond(angle: Any, away: Any) -> Any:
    """Return how many pixels each place lies beyond a line, so far away from the middle."""
    from keras import ops

    right = np.arange(SHAPE_PX, dtype=np.float32)[None, None] - (SHAPE_PX - 1) / 2
    down = np.transpose(right, (0, 2, 1))
    return ops.cos(angle) * right + ops.sin(angle) * down - away


def _weigh_points(count: int, interpolation: int) -> Float32:
    """Return how much each row of a shape has of so many points, (28, count) float32."""
    eye = np.eye(count, dtype=np.float32)
    return np.asarray(cv2.resize(eye, (count, SHAPE_PX), interpolation=interpolation), np.float32)


def train(recipe: HandRecipe) -> Path:
    """Train, or go on training; return the file of the network.

    Raises:
        FileNotFoundError: if there are too few samples, or no MNIST.
        RuntimeError: if the loss is no number any more.
    """
    mnist, unseen_mnist = load_written_glyphs(recipe.digits)
    learnt, held_out = split_shards(recipe.samples, _NAME, _HELD_OUT)
    drawn = HandShapes(**load_shards(learnt))
    shapes = np.concatenate([mnist.shapes, drawn.shapes])
    digits = np.concatenate([mnist.digits, drawn.digits])
    logger.info("%d shapes", len(digits))
    unseen = {
        "drawn": HandShapes(**load_shards(held_out)),
        "MNIST's test part": HandShapes(unseen_mnist.shapes, unseen_mnist.digits),
    }

    def draw_batch(rng: np.random.Generator) -> tuple[Any, Float32]:
        chosen = rng.integers(len(digits), size=recipe.batch)
        chances = HAND_CHANCES.draw(rng, recipe.batch)
        return [shapes[chosen], *chances], digits[chosen].astype(np.float32)

    return HANDS.train(recipe, draw_batch, partial(_score, unseen))


def _entropy(digits: Any, told: Any) -> Any:
    return smooth_entropy(digits, told, _SMOOTHING)


def _taught_entropy(digits: Any, told: Any, taught: Any) -> Any:
    """Return the mean cross entropy to what is taught; teachers know the digits."""
    from keras import ops

    del digits
    return ops.mean(ops.categorical_crossentropy(taught, told))


HANDS: Final = Distillation(
    _NAME,
    3,
    [OUTPUT_LAYER],
    build_hand_net,
    HAND_CHANCES,
    vary_hands,
    _entropy,
    _taught_entropy,
    _TEMPERATURE,
)


def _score(unseen: dict[str, HandShapes], network: Any) -> str:
    """Return in words how much of what it has not seen a network misreads."""
    return ", ".join(
        f"{name} {(run_network(network, scale_shapes(shapes)).argmax(axis=1) != digits).sum()} "
        f"of {len(digits)} misread"
        for name, (shapes, digits) in unseen.items()
        if len(digits)
    )


def _plan_drawing(recipe: HandRecipe) -> Drawing:
    folder = recipe.digits
    if not (folder / "mnist.npz").is_file():
        raise FileNotFoundError(f"there is no mnist.npz in {folder}; name its folder by --digits")
    return Drawing(_NAME, partial(draw_shapes, recipe.digits), _SHARD)


main = training_command(
    __spec__,
    "Train the network of hands.",
    HandRecipe,
    train,
    partial(export_trained, _NAME, lambda shard: scale_shapes(shard["shapes"][:512])),
    _plan_drawing,
)
"""Runs the command line."""


if __name__ == "__main__":
    sys.exit(main())
