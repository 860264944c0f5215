"""The network under training: many puzzles at a time, each carried on from step to step.

A step runs a segment, the iterations of one call of the block; what the network then thinks of a
puzzle is where the next segment begins, detached, so that long thoughts are learnt in short pieces.
n puzzles.
"""

from typing import Any

import keras
from keras import ops

from models.grid_net import FEATURES_FIRST, FEATURES_FIRST_BFLOAT16, CandidateBlock, Precision


class GridTrainee(keras.Model):  # type: ignore[misc]
    """Holds the state of n puzzles between steps, and gives the loss of a segment.

    Its inputs are `clues` and `solution`, (n, 81) int32; `allowed`, (n, 729) float32, 0 where a
    candidate is struck; `is_new`, (n, 1) float32, 1 where a puzzle has just come; and `noise`,
    (n, 729) float32, from which these start. (Noise made in
    here would be made again for each of its uses by XLA's fusion: three times slower.)

    Attributes:
        features: (f, 729, n) float32 variable: the state, with the probabilities.
        is_solved: (n,) float32 variable: 1 where the last segment ended with the right digit in
            every cell.
    """

    def __init__(
        self, block: CandidateBlock, n_puzzles: int, precision: Precision = "float32"
    ) -> None:
        super().__init__()
        is_exact = precision == "float32"
        self._order = FEATURES_FIRST if is_exact else FEATURES_FIRST_BFLOAT16
        self.block = block
        self.features = self._state((block.options.features, 729, n_puzzles))
        self._probabilities = self._state((1, 729, n_puzzles))
        self.is_solved = self._state((n_puzzles,))

    def call(self, inputs: dict[str, Any]) -> Any:
        """Run one segment and add its loss: cross-entropy, mean over iterations and cells."""
        given, legal = cube_inputs(inputs["clues"])
        legal = ops.minimum(legal, ops.reshape(ops.transpose(inputs["allowed"]), (1, 729, -1)))
        target, _ = cube_inputs(inputs["solution"])
        is_new = ops.reshape(inputs["is_new"], (1, 1, -1))
        noise = ops.reshape(ops.transpose(inputs["noise"]), (1, 729, -1))
        nothing = ops.zeros((self.block.options.features - 1, 1, 1))
        start = is_new * ops.concatenate([ops.ones((1, 1, 1)), nothing], axis=0) * noise
        features = (1.0 - is_new) * self.features + start
        probabilities = (1.0 - is_new) * self._probabilities
        told = self.block.tell(self._order, given, legal)
        loss = 0.0
        for _ in range(self.block.iterations):
            features, probabilities, logits = self.block.iterate(
                self._order, features, probabilities, told, legal
            )
            loss = loss + _cross_entropy(logits, target)
        self.features.assign(ops.stop_gradient(features))
        self._probabilities.assign(ops.stop_gradient(probabilities))
        is_solved = _is_right(logits, target)
        self.is_solved.assign(is_solved)
        self.add_loss(loss / self.block.iterations)
        return is_solved

    def _state(self, shape: tuple[int, ...]) -> Any:
        return self.add_weight(shape=shape, initializer="zeros", trainable=False)


def cube_inputs(grids: Any) -> tuple[Any, Any]:
    """Return which sites are given and which are legal, both (1, 729, n) float32.

    Args:
        grids: (n, 81) int32, 0 = empty.
    """
    grids = ops.transpose(grids)
    placed = ops.cast(
        ops.expand_dims(grids, 1) == ops.reshape(ops.arange(1, 10), (1, 9, 1)), "float32"
    )
    cube = ops.reshape(placed, (3, 3, 3, 3, 9, -1))
    seen = (
        ops.max(cube, axis=(2, 3), keepdims=True)
        + ops.max(cube, axis=(0, 1), keepdims=True)
        + ops.max(cube, axis=(1, 3), keepdims=True)
        + ops.max(cube, axis=4, keepdims=True)
    )
    legal = ops.maximum(ops.cast(seen < 0.5, "float32"), cube)
    return ops.reshape(cube, (1, 729, -1)), ops.reshape(legal, (1, 729, -1))


def _cross_entropy(logits: Any, target: Any) -> Any:
    logits, target = ops.reshape(logits, (81, 9, -1)), ops.reshape(target, (81, 9, -1))
    # Not `ops.log_softmax`, which would transpose the digits to the end and back.
    logits = logits - ops.stop_gradient(ops.max(logits, axis=1, keepdims=True))
    normaliser = ops.log(ops.sum(ops.exp(logits), axis=1))
    return ops.mean(normaliser - ops.sum(target * logits, axis=1))


def _is_right(logits: Any, target: Any) -> Any:
    logits, target = ops.reshape(logits, (81, 9, -1)), ops.reshape(target, (81, 9, -1))
    best = ops.max(logits, axis=1, keepdims=True)
    hit = ops.sum(ops.cast(logits >= best, "float32") * target, axis=1)
    return ops.min(hit, axis=0)
