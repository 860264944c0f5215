"""Trains the network that solves grids: one command a run, seeded, resumable, with its log.

    python -m training.grids.train_grid --out build/grids/grid --minutes 100
    KERAS_BACKEND=jax python -m training.grids.train_grid --out build/grids/sizes --minutes 9 \\
        --init models/weights/grid.keras --rate 0.0025 --batch 192 --jigsaws 64 --sixteens 24

A run that was stopped goes on where it was with the same command, with new puzzles. The second one
wants a graphics processor: two steps of jigsaws and hard 9×9 are followed by one of 16×16. How the
shipped network came about, its figures, and what was tried beside it: docs/networks.md, with all
commands in training/grids/from_nothing.sh.
"""

import json
import math
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import cycle
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from models.grids import Digits, Geometry, find_geometry, legal_candidates, usual_geometry
from training.grids.export_grid import ITERATIONS_A_RUN, export_runs
from training.grids.published_puzzles import load_file_pools
from training.grids.size_puzzles import SizePuzzles, load_size_pools
from training.grids.training_puzzles import (
    KINDS,
    Mix,
    PuzzlePools,
    Puzzles,
    draw_puzzles,
    load_pools,
)
from training.shard_runs import ShardRecipe, run_steps
from training.training_command import training_command

OptimizerKind = Literal["muon", "adam"]

_LOOKS: Final = 8
"""Steps after which the watched puzzles are counted: 64 iterations."""
_WATCHED: Final = 250
"""Puzzles of each kind that are watched, where there are so many."""
_SEGMENTS: Final = 96
"""Of a jigsaw: 19 of 20 have as many at most; the others hold no cell."""
_NEVER: Final = 1 << 30
"""Age of a place in which no puzzle is yet."""
_TOLD_EVERY: Final = 200


@dataclass(frozen=True)
class GridRecipe(ShardRecipe):
    """Everything that decides how a run comes out.

    Attributes:
        samples: folder in which puzzles that were made are kept.
        batch: puzzles of 9×9 at a time.
        puzzles: the folder of puzzles, with test files in it and `train/` below.
        file: public file of puzzles to learn from instead.
        generated: minimal puzzles to make.
        optimizer: `muon` for matrices of weights, with `adam` for the rest (K. Jordan, 2024), or
            `adam` for all.
        segments: after how many a puzzle is given up, at the start and at the end.
        first_mix: shares of the kinds of puzzles, see `training_puzzles.KINDS`, at the start.
        last_mix: and at the end.
        jigsaws: in the same step as the usual puzzles.
        sixteens: puzzles of 16×16 in a step of these, which follows two others.
        options: of the network; those that are not named are as in `init`, which is grown where it
            is smaller.
    """

    samples: Path = Path("build/grids")
    steps: int = 1_000_000
    batch: int = 32
    rate: float = 3e-3
    seed: int = 1
    save_every: int = 500
    minutes: float = 100.0
    puzzles: Path = Path("../shared/data/puzzles")
    file: Path | None = None
    generated: int = 600_000
    optimizer: OptimizerKind = "muon"
    segments: tuple[int, int] = (4, 16)
    first_mix: tuple[float, ...] = (0.40, 0.05, 0.35, 0.15, 0.05, 0.0)
    last_mix: tuple[float, ...] = (0.20, 0.10, 0.15, 0.20, 0.35, 0.0)
    jigsaws: int = 0
    sixteens: int = 0
    options: dict[str, int] = field(default_factory=dict)


class _Play:
    """Puzzles of one side that are thought about: usual ones first, then others, if there are."""

    def __init__(
        self, recipe: GridRecipe, block: Any, usual: dict[str, Puzzles], others: SizePuzzles | None
    ) -> None:
        from training.grids.trainee import GridTrainee

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
    """Return the inputs of a `training.grids.trainee.GridTrainee`."""
    return dict(zip(("given", "legal", "target"), told, strict=True)) | {
        "is_new": is_new.astype(np.float32)[:, None],
        "noise": random.standard_normal(told.shape[1:], np.float32),
        "segments": segments,
        "units": units,
    }


class _Turns:
    """Several plays of one network, of which `run_steps` trains one after the other."""

    def __init__(self, block: Any, optimizer: Any, turns: Sequence[_Play]) -> None:
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
        from models.grid_net import build_grid_net

        network = build_grid_net(self.block.options, ITERATIONS_A_RUN)
        network.get_layer("block").set_weights(self.block.get_weights())
        network.save(path)


def train(recipe: GridRecipe) -> Path:
    """Train, or go on training, with the puzzles that a recipe names; see `train_on`.

    Raises:
        OSError, ValueError: if there are no puzzles, or a file of them is unfit.
    """
    if recipe.file is not None:
        pools = load_file_pools(recipe.file, recipe.puzzles)
    else:
        pools = load_pools(recipe.puzzles, recipe.samples / "puzzles.npz", recipe.generated)
    has_others = recipe.jigsaws or recipe.sixteens
    return train_on(recipe, pools, load_size_pools(recipe.samples / "sizes") if has_others else {})


def train_on(recipe: GridRecipe, pools: PuzzlePools, sizes: dict[str, SizePuzzles]) -> Path:
    """Train, or go on training; return the `.keras` file, which has its card beside it.

    Args:
        recipe: of the run.
        pools: puzzles of 9×9.
        sizes: `j9` and `16`, where the recipe asks for them.

    Raises:
        RuntimeError: if the loss is no number any more.
        ValueError: if the network to begin with is larger than the one wanted, or the checkpoint is
            of another size or optimizer.
    """
    import keras

    from training.grids.trainee import GridTrainee

    keras.utils.set_random_seed(recipe.seed)
    block = _build_block(recipe)
    plays = [_Play(recipe, block, pools.train, sizes["j9"] if recipe.jigsaws else None)]
    if recipe.sixteens:
        plays.append(_Play(recipe, block, pools.train, sizes["16"]))
    turns = (0, 0, 1) if recipe.sixteens else (0,)
    network = _Turns(block, make_optimizer(recipe.optimizer), [plays[one] for one in turns])
    average = [np.array(weight) for weight in block.get_weights()]
    n_watched = min(_WATCHED, *(len(one.clues) for one in pools.watch.values()))
    watcher = GridTrainee(block, n_watched)
    watcher.compile(jit_compile=True)

    def score() -> str:
        weights = block.get_weights()
        block.set_weights(average)
        shares = {kind: _count_solved(watcher, pools.watch[kind], n_watched) for kind in KINDS}
        block.set_weights(weights)
        return ", ".join(f"{kind} {share:.1%}" for kind, share in shares.items())

    used = {name: str(one) if isinstance(one, Path) else one for name, one in vars(recipe).items()}
    used |= {"options": asdict(block.options), "init": recipe.init and recipe.init.name}
    recipe.out.parent.mkdir(parents=True, exist_ok=True)
    # Before the run, as one that is stopped can be exported, too.
    card = recipe.out.with_suffix(".json")
    card.write_text(json.dumps({"training": {"recipe": used}}), encoding="utf-8")
    begun = replace(recipe, init=None)
    return run_steps(begun, network, network.draw, score, _TOLD_EVERY, average)


def _build_block(recipe: GridRecipe) -> Any:
    """Return the network to begin with."""
    import keras

    from models.grid_net import CandidateBlock
    from training.grids.trainee import grow_block

    begun = None
    options = recipe.options
    if recipe.init is not None:
        begun = keras.saving.load_model(recipe.init, compile=False).get_layer("block")
        options = asdict(begun.options) | options
    block = CandidateBlock(options, ITERATIONS_A_RUN)
    block.build()
    if begun is not None and begun.options == block.options:
        block.set_weights(begun.get_weights())
    elif begun is not None:
        grow_block(begun, block)
    return block


def _count_solved(watcher: Any, puzzles: Puzzles, count: int) -> float:
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


def make_optimizer(kind: OptimizerKind) -> Any:
    """Return an optimizer whose learning rate is set at each step."""
    import keras

    if kind == "adam":
        return keras.optimizers.Adam(beta_2=0.99, global_clipnorm=1.0)
    # The head is a vector, though its shape is that of a matrix.
    return keras.optimizers.Muon(
        adam_beta_2=0.99,
        weight_decay=0.0,
        adam_weight_decay=0.0,
        global_clipnorm=1.0,
        exclude_layers=["head"],
    )


main = training_command(
    __spec__,
    "Train the network that solves grids.",
    GridRecipe,
    train,
    lambda run, _: export_runs([run]),
)
"""Runs the command line."""


if __name__ == "__main__":
    sys.exit(main())
