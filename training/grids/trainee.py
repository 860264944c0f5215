"""The network under training, and puzzles that it plays, each carried on from step to step.

A step runs a segment, the iterations of one call of the block; what the network then thinks of a
puzzle is where the next segment begins, detached, so that long thoughts are learnt in short pieces.
n puzzles.
"""

import math
from collections.abc import Sequence
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import keras
import numpy as np
import numpy.typing as npt
from keras import ops

from models.engine import Float32
from models.grid_net import CandidateBlock, build_grid_net
from models.grids import Digits, Geometry, find_geometry, legal_candidates, usual_geometry
from training.grids.training_puzzles import Mix, Puzzles, draw_puzzles

if TYPE_CHECKING:
    from training.grids.train_grid import GridRecipe, SizePuzzles

_LOOKS: Final = 8
"""Steps after which the watched puzzles are counted: 64 iterations."""
_SEGMENTS: Final = 96
"""Of a jigsaw: 19 of 20 have as many at most; the others hold no cell."""
_NEVER: Final = 1 << 30
"""Age of a place in which no puzzle is yet."""
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


class Play:
    """Puzzles of one side that are thought about: usual ones first, then others, if there are."""

    def __init__(
        self,
        recipe: "GridRecipe",
        block: Any,
        usual: dict[str, Puzzles],
        others: "SizePuzzles | None",
    ) -> None:
        self._recipe, self._usual, self._others = recipe, usual, others
        self._side = 9 if others is None else round(others.clues.shape[1] ** 0.5)
        self._n_usual = recipe.batch if self._side == 9 else 0
        count = self._n_usual
        self._geometry = usual_geometry(81)
        self._is_mixed = others is not None and self._side == 9
        if others is not None:
            count += recipe.jigsaws if self._is_mixed else recipe.sixteens
            self._geometries = [find_geometry(regions.tolist()) for regions in others.regions]
            most = _SEGMENTS if self._is_mixed else math.inf
            fits = [one.segments.shape[1] <= most for one in self._geometries]
            self._usable = np.flatnonzero(fits)
            self._geometry = self._geometries[0]
        self.trainee = GridTrainee(block, count, self._side)
        # Geometries that differ from puzzle to puzzle.
        self._segments = np.zeros((count, _SEGMENTS, 81), np.float32)
        self._units = np.zeros((count, 27, _SEGMENTS), np.float32)
        self._told = np.zeros((3, count, self._side**3), np.float32)
        self._ages = np.full(count, _NEVER)

    def advance(self, random: np.random.Generator, progress: float) -> dict[str, Any]:
        """Replace puzzles that are solved or too old; return the inputs of the next step.

        Args:
            random: draws the new ones.
            progress: the part of the run that is over, 0..1.
        """
        self._ages += 1
        first, last = self._recipe.segments
        is_old = self._ages >= round(first + progress * (last - first))
        is_new = is_old | (np.asarray(self.trainee.is_solved) > 0.5)
        self._ages[is_new] = 0
        places = np.flatnonzero(is_new)
        usual = places[places < self._n_usual]
        if len(usual):
            ends = np.array([self._recipe.first_mix, self._recipe.last_mix])
            mix = Mix(tuple((ends[0] + progress * (ends[1] - ends[0])).tolist()))
            drawn = draw_puzzles(self._usual, mix, len(usual), random)
            self._put(usual, drawn.clues, drawn.solutions, usual_geometry(81), drawn.allowed)
        for place in places[len(usual) :]:
            self._put_other(place, random)
        if self._is_mixed:
            return _tell(self._told, is_new, self._segments, self._units, random)
        return _tell(self._told, is_new, self._geometry.segments, self._geometry.units, random)

    def _put_other(self, place: np.intp, random: np.random.Generator) -> None:
        assert self._others is not None
        chosen = random.choice(self._usable)
        solution, clues = self._others.solutions[chosen], self._others.clues[chosen]
        if random.random() < 0.5:
            share = random.random() ** 2 * 0.6
            clues = np.where(random.random(clues.shape) < share, solution, clues)
        self._put([place], clues[None], solution[None], self._geometries[chosen], None)

    def _put(
        self,
        places: Any,
        clues: Digits,
        solutions: Digits,
        geometry: Geometry,
        allowed: npt.NDArray[np.bool_] | None,
    ) -> None:
        self._told[:, places] = _describe(clues, solutions, geometry, allowed)
        if self._is_mixed:
            n = geometry.segments.shape[1]
            self._segments[places], self._units[places] = 0, 0
            self._segments[places, :n] = geometry.segments
            self._units[places, :, :n] = geometry.units


def _describe(
    clues: Digits,
    solutions: Digits,
    geometry: Geometry,
    allowed: npt.NDArray[np.bool_] | None = None,
) -> npt.NDArray[np.float32]:
    """Return (3, n, sites): which digits are given, may be, and are right, for n puzzles."""
    digits = np.arange(1, round(clues.shape[1] ** 0.5) + 1)
    given = clues[:, :, None] == digits
    legal = legal_candidates(clues, geometry)
    if allowed is not None:
        legal = legal & (allowed | given)
    told = np.stack([given, legal, solutions[:, :, None] == digits])
    return told.reshape(3, len(clues), -1).astype(np.float32)


def _tell(
    told: npt.NDArray[np.float32],
    is_new: npt.NDArray[np.bool_],
    segments: Any,
    units: Any,
    random: np.random.Generator,
) -> dict[str, Any]:
    """Return the inputs of a `GridTrainee`."""
    return dict(zip(("given", "legal", "target"), told, strict=True)) | {
        "is_new": is_new.astype(np.float32)[:, None],
        "noise": random.standard_normal(told.shape[1:], np.float32),
        "segments": segments,
        "units": units,
    }


class Turns:
    """Several plays of one network, of which `run_steps` trains one after the other."""

    def __init__(self, block: Any, optimizer: Any, turns: Sequence[Play]) -> None:
        self.block, self.optimizer = block, optimizer
        self.trainable_variables = block.trainable_variables
        self.get_weights, self.set_weights = block.get_weights, block.set_weights
        optimizer.build(block.trainable_variables)
        self._plays = list(dict.fromkeys(turns))
        for play in self._plays:
            play.trainee.compile(optimizer=optimizer, jit_compile=True)
        self._turns = cycle(turns)
        self._now = turns[0]

    def draw(self, random: np.random.Generator, progress: float) -> tuple[dict[str, Any]]:
        """Return the inputs of the play whose turn it is."""
        self._now = next(self._turns)
        return (self._now.advance(random, progress),)

    def train_on_batch(self, inputs: dict[str, Any], **options: Any) -> Any:
        """Train the play whose turn it is by a step."""
        return self._now.trainee.train_on_batch(inputs, **options)

    def reset_metrics(self) -> None:
        """Begin new means."""
        for play in self._plays:
            play.trainee.reset_metrics()

    def save(self, path: Path) -> None:
        """Write the network as `models.grid_net.build_grid_net` makes it."""
        network = build_grid_net(self.block.options, self.block.iterations)
        network.get_layer("block").set_weights(self.block.get_weights())
        network.save(path)


def count_solved(watcher: Any, puzzles: Puzzles, count: int) -> float:
    """Return the share of the first puzzles that are right at one of the looks."""
    geometry = usual_geometry(81)
    told = _describe(puzzles.clues[:count], puzzles.solutions[:count], geometry)
    ever = np.zeros(count, np.bool_)
    random = np.random.default_rng(1)  # the same noise each time
    for look in range(_LOOKS):
        is_new = np.full(count, look == 0)
        watcher.test_on_batch(_tell(told, is_new, geometry.segments, geometry.units, random))
        ever |= np.asarray(watcher.is_solved) > 0.5
    return float(ever.mean())


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
