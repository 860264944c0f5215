"""The network under training: many puzzles at a time, each carried on from step to step.

A step runs a segment, the iterations of one call of the block; what the network then thinks of a
puzzle is where the next segment begins, detached, so that long thoughts are learnt in short pieces.
n puzzles.
"""

import math
from typing import Any, Final

import keras
from keras import ops

from models.engine import Float32
from models.grid_net import CandidateBlock

_SILENT: Final = frozenset({"site_out", "head"})
"""Kernels whose new columns say nothing yet: what they write to is normalised over all of it."""


class GridTrainee(keras.Model):  # type: ignore[misc]
    """Holds the state of n puzzles between steps, and gives the loss of a segment.

    Its inputs are float32: `given`, `legal` and `target`, (n, sites), what is filled in, may be,
    and is right; `is_new`, (n, 1), 1 where a puzzle has just come; `noise`, (n, sites), from which
    these start (made in here it would be made again for each of its uses by XLA's fusion); and
    `segments` and `units` of `models.grids.Geometry`, for all puzzles or one for each.

    Attributes:
        features: (n × 729, f) float32 variable: the state, with the probabilities.
        is_solved: (n,) float32 variable: 1 where the last segment ended with the right digit in
            every cell.
    """

    def __init__(self, block: CandidateBlock, n_puzzles: int, side: int = 9) -> None:
        super().__init__()
        self.block = block
        self._side = side
        sites = n_puzzles * side**3
        self.features = self._state((sites, block.options.features))
        self._probabilities = self._state((sites, 1))
        self.is_solved = self._state((n_puzzles,))

    def call(self, inputs: dict[str, Any]) -> Any:
        """Run one segment and add its loss: cross-entropy, mean over iterations and cells."""
        given, legal, target = (
            ops.reshape(inputs[name], (-1, 1)) for name in ("given", "legal", "target")
        )
        is_new = ops.reshape(ops.repeat(inputs["is_new"], self._side**3, axis=1), (-1, 1))
        noise = is_new * ops.reshape(inputs["noise"], (-1, 1))
        nothing = ops.zeros((1, self.block.options.features - 1))
        start = ops.concatenate([ops.ones((1, 1)), nothing], axis=1) * noise
        features = (1.0 - is_new) * self.features + start
        probabilities = (1.0 - is_new) * self._probabilities
        told = self.block.embed_clues(given, legal)
        geometry = inputs["segments"], inputs["units"]
        loss = 0.0
        for _ in range(self.block.iterations):
            features, probabilities, logits = self.block.iterate(
                features, probabilities, told, legal, geometry
            )
            loss = loss + _cross_entropy(logits, target, self._side)
        self.features.assign(ops.stop_gradient(features))
        self._probabilities.assign(ops.stop_gradient(probabilities))
        is_solved = _is_right(logits, target, self._side)
        self.is_solved.assign(is_solved)
        self.add_loss(loss / self.block.iterations)
        return is_solved

    def _state(self, shape: tuple[int, ...]) -> Any:
        return self.add_weight(shape=shape, initializer="zeros", trainable=False)


def _cross_entropy(logits: Any, target: Any, side: int) -> Any:
    likelihoods = ops.log_softmax(ops.reshape(logits, (-1, side)), axis=1)
    return -ops.mean(ops.sum(ops.reshape(target, (-1, side)) * likelihoods, axis=1))


def _is_right(logits: Any, target: Any, side: int) -> Any:
    """Return for each puzzle whether the likeliest digit of every cell is right, (n,) float32."""
    logits, target = (ops.reshape(a, (-1, side**2, side)) for a in (logits, target))
    best = ops.max(logits, axis=2, keepdims=True)
    hit = ops.sum(ops.cast(logits >= best, "float32") * target, axis=2)
    return ops.min(hit, axis=1)


def grow_block(small: CandidateBlock, large: CandidateBlock) -> None:
    """Give a fresh block the weights of a smaller trained one, so that it answers alike.

    As in T. Chen et al., "Net2Net: Accelerating Learning via Knowledge Transfer", 2016
    (arXiv:1511.05641), but new units begin by chance and unheard instead of as copies: nothing
    that was there listens to what is new.

    Args:
        small: the trained block.
        large: a built block, in no option smaller; its weights are overwritten in place.

    Raises:
        ValueError: if the block that should be larger is smaller somewhere.
    """
    # The features that are new stay at zero, and root mean squares are over more of them.
    rescale = math.sqrt(small.options.features / large.options.features)
    grown = []
    for variable, trained, fresh in zip(
        large.weights, small.get_weights(), large.get_weights(), strict=True
    ):
        if any(new < old for new, old in zip(fresh.shape, trained.shape, strict=True)):
            raise ValueError(
                f"{variable.name} is {trained.shape} in the smaller network and only "
                f"{fresh.shape} in the one to grow; choose larger --options"
            )
        grown.append(_grow(variable.name, trained, fresh, rescale))
    large.set_weights(grown)


def _grow(name: str, trained: Float32, fresh: Float32, rescale: float) -> Float32:
    if name == "scale":
        fresh[: len(trained)] = trained * rescale
    elif fresh.ndim == 1:
        fresh[: len(trained)] = trained
    else:
        rows, columns = trained.shape
        fresh[rows:, :columns] = 0
        if name in _SILENT:
            fresh[:, columns:] = 0
        fresh[:rows, :columns] = trained
    return fresh
