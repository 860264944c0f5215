"""A network learns what wider ones tell of examples, all of them varied inside the graph.

Hinton, Vinyals and Dean 2015, "Distilling the Knowledge in a Neural Network". b examples, and what
a network tells of one has any shape (…). Pictures of n × n pixels are bent by m × m points: a
graphics processor would wait for what the main one varies.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from models.engine import Float32
from models.export import set_temperature
from training.shard_runs import ShardRecipe, make_optimizer, run_steps

logger = logging.getLogger(__name__)

_TEACHERS: Final = "teachers"
_WARM_UP: Final = 300
"""Steps in which the rate rises."""
_TOLD_EVERY: Final = 200


class Chances(NamedTuple):
    """How many random numbers decide how an example is varied.

    They come in from outside the graph, so that every backend computes the same, and a run goes on
    as if it had not stopped.

    Attributes:
        normals: numbers of mean 0 and standard deviation 1.
        uniforms: numbers in 0..1.
    """

    normals: int
    uniforms: int

    def draw(self, rng: np.random.Generator, examples: int) -> tuple[Float32, Float32]:
        """Return normal numbers, (examples, normals) float32, and uniform ones likewise."""
        return (
            rng.standard_normal((examples, self.normals), np.float32),
            rng.random((examples, self.uniforms), np.float32),
        )


@dataclass(frozen=True)
class DistilledRecipe(ShardRecipe):
    """What such a run needs besides.

    Steps and half of the minutes are those of the teachers, and again of the network.

    Attributes:
        teachers: wide networks from which it learns; 0 for none.
        is_half: teachers compute with 16 bits.
    """

    teachers: int = 2
    is_half: bool = False


@dataclass(frozen=True)
class Distillation:
    """A network that is taught, and how.

    Attributes:
        name: of the network, as `build` names it.
        wider: times as wide as the network are its teachers.
        adam_layers: names of the output layers.
        build: takes times as wide and a dtype, and returns a network that takes (b, n, n, 1).
        chances: which vary the examples.
        vary: takes examples, (b, n, n) uint8, and their chances, and returns (b, n, n, 1) float32.
        compute_loss: of a batch, from targets and what a network tells, (b, …).
        compute_taught_loss: the same, and what the teachers tell on average, (b, …).
        temperature: of the answers of the network that is kept.
    """

    name: str
    wider: int
    adam_layers: Sequence[str]
    build: Callable[..., Any]
    chances: Chances
    vary: Callable[..., Any]
    compute_loss: Callable[[Any, Any], Any]
    compute_taught_loss: Callable[[Any, Any, Any], Any]
    temperature: float = 1.0

    def train(
        self,
        recipe: DistilledRecipe,
        draw: Callable[[np.random.Generator], tuple[Any, Any]],
        score: Callable[[Any], str],
    ) -> Path:
        """Train, or go on training; return the file of the network.

        Args:
            recipe: of the run; the checkpoints of teachers and network have `-teachers` and
                `-varied` behind the name of `recipe.out`.
            draw: returns a batch: examples and their chances, and targets.
            score: tells in words how well a network does.

        Raises:
            RuntimeError: if the loss is no number any more.
        """
        import keras

        keras.utils.set_random_seed(recipe.seed)
        init, teachers = recipe.init, None
        recipe = replace(recipe, init=None)
        if recipe.teachers:
            recipe = replace(recipe, minutes=recipe.minutes and recipe.minutes / 2)
            teachers = self._train_teachers(recipe, draw)
        graph = self._build_pupil(teachers)
        if init is not None:
            known = keras.saving.load_model(init, compile=False).get_weights()
            graph.get_layer(self.name).set_weights(known)
        trained = self._run(recipe, "varied", graph, self._weigh_pupil, draw, score)
        network = keras.saving.load_model(trained, compile=False).get_layer(self.name)
        for layer in self.adam_layers:
            set_temperature(network.get_layer(layer), self.temperature)
        kept = recipe.out.with_suffix(".keras")
        network.save(kept)
        return kept

    def _train_teachers(self, recipe: DistilledRecipe, draw: Any) -> Any:
        """Return what takes varied examples and gives (b, teachers, …)."""
        import keras
        from keras import ops

        dtype = "mixed_bfloat16" if recipe.is_half else None
        networks = [self.build(self.wider, dtype) for _ in range(recipe.teachers)]
        for number, network in enumerate(networks):
            network.name = f"teacher{number}"
        example = keras.Input(networks[0].input.shape[1:], name="example")
        told = ops.stack([network(example) for network in networks], axis=1)
        teachers = keras.Model(example, told, name=_TEACHERS)
        inputs = self._list_inputs(networks[0])
        graph = keras.Model(inputs, teachers(self.vary(*inputs)))
        trained = self._run(recipe, _TEACHERS, graph, self._weigh_teachers, draw, None)
        teachers = keras.saving.load_model(trained, compile=False).get_layer(_TEACHERS)
        teachers.trainable = False
        return teachers

    def _build_pupil(self, teachers: Any) -> Any:
        """Return what gives (b, 2, …): the network's, and what it is taught; else (b, 1, …)."""
        import keras
        from keras import ops

        network = self.build()
        inputs = self._list_inputs(network)
        varied = self.vary(*inputs)
        told = [network(varied)]
        if teachers is not None:
            told.append(ops.mean(teachers(varied, training=False), axis=1))
        return keras.Model(inputs, ops.stack(told, axis=1))

    def _list_inputs(self, network: Any) -> list[Any]:
        import keras

        examples = keras.Input(network.input.shape[1:3], dtype="uint8", name="examples")
        sizes = self.chances._asdict().items()
        return [examples, *(keras.Input((size,), name=name) for name, size in sizes)]

    def _run(
        self,
        recipe: DistilledRecipe,
        part: str,
        graph: Any,
        loss: Any,
        draw: Any,
        score: Callable[[Any], str] | None,
    ) -> Path:
        recipe = replace(recipe, out=recipe.out.with_name(f"{recipe.out.name}-{part}"))
        optimizer = make_optimizer(recipe, graph, _WARM_UP, self.adam_layers)
        graph.compile(optimizer, loss, jit_compile=True)
        average = [np.array(one) for one in graph.get_weights()]

        def score_kept() -> str:
            import keras

            kept = keras.saving.load_model(recipe.out.with_suffix(".keras"), compile=False)
            return score(kept.get_layer(self.name)) if score else ""

        scorer = score and score_kept
        return run_steps(recipe, graph, lambda rng, _: draw(rng), scorer, _TOLD_EVERY, average)

    def _weigh_teachers(self, wanted: Any, told: Any) -> Any:
        losses = [self.compute_loss(wanted, told[:, n]) for n in range(told.shape[1])]
        return sum(losses) / len(losses)

    def _weigh_pupil(self, wanted: Any, told: Any) -> Any:
        from keras import ops

        if told.shape[1] == 1:
            return self.compute_loss(wanted, told[:, 0])
        return self.compute_taught_loss(wanted, told[:, 0], ops.stop_gradient(told[:, 1]))


PLACES: Final = 6
"""Normal numbers that place a picture; `Bends.chances` more bend it."""


class Bends(NamedTuple):
    """How much is changed, in standard deviations.

    Attributes:
        turn: radians.
        slant: shift by height.
        stretch: logarithm of the sides' lengths.
        shift_px: pixels.
        bend_px: pixels.
        points: by which a picture is bent, so many each way.
    """

    turn: float
    slant: float
    stretch: float
    shift_px: float
    bend_px: float
    points: int

    @property
    def chances(self) -> int:
        """How many normal numbers bend a picture, after those that place it."""
        return 2 * self.points**2


def bend(
    ink: Any, places: Any, points: Any, bends: Bends, weights: Float32, *, is_padded: bool
) -> Any:
    """Return pictures, (b, n, n) float32, as chance has them lie.

    Args:
        ink: (b, n, n) float32 of Keras.
        places: (b, 6) normal numbers.
        points: (b, `bends.chances`) normal numbers.
        bends: how much.
        weights: (n, `bends.points`): how much each row or column has of each point.
        is_padded: whether 0 lies beyond a picture; else its rim goes on.
    """
    from keras import ops

    side = ink.shape[1]
    middle = (side - 1) / 2
    right = np.arange(side, dtype=np.float32)[None, None] - middle
    down = np.transpose(right, (0, 2, 1))
    turn, slant, wide, tall, x, y = (places[:, n, None, None] for n in range(PLACES))
    cos, sin = ops.cos(bends.turn * turn), ops.sin(bends.turn * turn)
    wide, tall = ops.exp(bends.stretch * wide), ops.exp(bends.stretch * tall)
    slant = bends.slant * slant
    moved = ops.reshape(bends.bend_px * points, (-1, 2, bends.points, bends.points))
    x = bends.shift_px * x + middle + spread(moved[:, 0], weights)
    y = bends.shift_px * y + middle + spread(moved[:, 1], weights)
    x = x + cos * wide * right + (cos * slant - sin) * tall * down
    y = y + sin * wide * right + (sin * slant + cos) * tall * down
    if is_padded:
        ink, x, y = ops.pad(ink, ((0, 0), (1, 1), (1, 1))), x + 1, y + 1
    return _sample(ink, x, y)


def spread(points: Any, weights: Float32) -> Any:
    """Return what lies between points, (b, m, m) to (b, n, n), by (n, m) weights."""
    from keras import ops

    return ops.matmul(ops.matmul(weights[None], points), np.ascontiguousarray(weights.T)[None])


def _sample(ink: Any, x: Any, y: Any) -> Any:
    """Return ink, (b, k, k), at places between its pixels, x and y (b, n, n) float32."""
    from keras import ops

    side, wanted = ink.shape[1], x.shape[1]
    flat = ops.reshape(ink, (-1, side**2))
    x, y = (ops.clip(one, 0, side - 1.001) for one in (x, y))
    left, top = ops.floor(x), ops.floor(y)
    over, below = x - left, y - top
    corner = ops.reshape(ops.cast(top * side + left, "int32"), (-1, wanted**2))

    def take(step: int) -> Any:
        taken = ops.take_along_axis(flat, corner + step, axis=1)
        return ops.reshape(taken, (-1, wanted, wanted))

    upper = take(0) * (1 - over) + take(1) * over
    lower = take(side) * (1 - over) + take(side + 1) * over
    return upper * (1 - below) + lower * below
