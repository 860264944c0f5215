"""A network learns what wider ones tell of examples, all of them varied inside the graph.

Hinton, Vinyals and Dean 2015, "Distilling the Knowledge in a Neural Network". b examples, and what
a network tells of one has any shape (…).
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from models.engine import Float32
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
    """

    name: str
    wider: int
    adam_layers: Sequence[str]
    build: Callable[..., Any]
    chances: Chances
    vary: Callable[..., Any]
    compute_loss: Callable[[Any, Any], Any]
    compute_taught_loss: Callable[[Any, Any, Any], Any]

    def train(
        self,
        recipe: DistilledRecipe,
        draw: Callable[[np.random.Generator], tuple[Any, Any]],
        score: Callable[[Any], str],
    ) -> Any:
        """Train, or go on training; return the network.

        Args:
            recipe: of the run; the checkpoints of teachers and network have `-teachers` and
                `-varied` behind the name of `recipe.out`, which the caller writes at the end.
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
        return keras.saving.load_model(trained, compile=False).get_layer(self.name)

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
