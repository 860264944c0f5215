"""Trains the network that solves grids on other sides and jigsaws, beside hard puzzles of 9×9.

    KERAS_BACKEND=jax python -m training.grids.train_sizes --minutes 9 --learning-rate 0.0025 \\
        --nines 192 --jigsaws 64 --sixteens 24

wants a graphics processor; the defaults suit a processor. A run that was stopped goes on where it
was with the same command. Two steps of jigsaws and hard 9×9 are followed by one of 16×16.
`training.grids.export_grid build/grids/sizes.keras` puts it in place. Figures: docs/networks.md.

The puzzles are made at the first call. Their seeds are far from those that are measured.
"""

import argparse
import json
import logging
import math
import os
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from models.engine import WEIGHTS_DIR
from models.grids import Digits, find_geometry, legal_candidates, usual_geometry
from solver.formats_kinds import KindPuzzle
from solver.generation.generate_kinds import KindOptions, generate_kind
from solver.rules import Kind, Rules
from training.checkpoints import average_weights, load_state, save_state
from training.grids.train_grid import choose_backend, make_optimizer
from training.grids.training_puzzles import Mix, PuzzlePools, draw_puzzles, load_pools
from training.shard_runs import add_fields
from training.shards import Shard, keep_shards, load_shards


@dataclass(frozen=True)
class SizeClass:
    """One kind and side of what is learnt.

    Attributes:
        count: puzzles to make.
        kind: classic or jigsaw.
        side: of the grid.
        clues: the fewest and the most of a puzzle; None takes away as many as can be.
    """

    count: int
    kind: Kind = Kind.CLASSIC
    side: int = 9
    clues: tuple[int, int] | None = None


SIZE_CLASSES: Final = {
    "16": SizeClass(9_000, side=16, clues=(98, 124)),
    "j9": SizeClass(23_000, Kind.JIGSAW),
}
"""The other sides are not learnt, but measured."""

_SHARD: Final = 100
"""Puzzles in a file."""


@dataclass(frozen=True, eq=False)
class SizePuzzles:
    """Puzzles of one side.

    Attributes:
        clues: (n, c) uint8, 0 = empty.
        solutions: (n, c) uint8.
        regions: (n, c) uint8: the region of each cell.
    """

    clues: Digits
    solutions: Digits
    regions: Digits


def load_size_pools(folder: Path, seed: int = 50_000_000) -> dict[str, SizePuzzles]:
    """Return the puzzles of each class, made at the first call and kept in files for the next."""
    pools = {}
    for name, wanted in SIZE_CLASSES.items():
        shards = -(-wanted.count // _SHARD)
        draw = partial(_generate, wanted, seed)
        files = keep_shards(folder, name, shards, draw, os.cpu_count() or 1)
        pools[name] = SizePuzzles(**load_shards(files))
        seed += 10 * wanted.count
    return pools


def region_numbers(rules: Rules) -> list[int]:
    """Return the region of each cell of a puzzle that is printed as one grid."""
    numbers = [0] * rules.side**2
    for number, cells in enumerate(rules.regions):
        for cell in cells:
            numbers[cell] = number
    return numbers


def _generate(wanted: SizeClass, first: int, shard: int) -> Shard:
    """Return some puzzles as `SizePuzzles` has them."""
    made: list[KindPuzzle] = []
    for seed in range(first + shard * _SHARD, first + (shard + 1) * _SHARD):
        span = wanted.clues
        shown = None if span is None else int(np.random.default_rng(seed).integers(*span))
        made += generate_kind(1, KindOptions(wanted.kind, wanted.side, clues=shown), seed)
    return {
        "clues": np.array([puzzle.clues.ravel() for puzzle in made], np.uint8),
        "solutions": np.array([np.ravel(np.asarray(one.solution)) for one in made], np.uint8),
        "regions": np.array([region_numbers(puzzle.rules) for puzzle in made], np.uint8),
    }


_TURN: Final = ("j9", "j9", "16")
"""The classes of steps that follow each other."""

_SEGMENTS: Final = 96
"""Of a jigsaw: 19 of 20 have as many at most; the others hold no cell."""

_AVERAGED_EVERY: Final = 5
"""Steps, as a graphics processor waits while its weights are fetched."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class SizesRecipe:
    """Everything that decides how a run comes out.

    Attributes:
        out: file name without ending of all that the run writes.
        minutes: of training by the clock; the first step of each class, compiled, does not count.
        learning_rate: of Muon, the greatest; it falls to a twentieth along a cosine.
        nines: puzzles of the usual 9×9 in a step.
        jigsaws: in the same step.
        sixteens: puzzles of 16×16 in a step of these.
        longest: steps, of eight iterations each, after which a puzzle is given up.
        mix: shares of the kinds of 9×9, see `training_puzzles.KINDS`.
        seed: of everything.
        threads: for TensorFlow.
        init: `.keras` file of the network to begin with, grown where it is smaller than `options`.
        options: of the network; none keeps those of `init`.
    """

    out: Path = Path("build/grids/sizes")
    minutes: float = 40.0
    learning_rate: float = 1e-3
    nines: int = 8
    jigsaws: int = 8
    sixteens: int = 2
    longest: int = 16
    mix: tuple[float, ...] = (0.05, 0.05, 0.10, 0.30, 0.20, 0.30)
    seed: int = 1
    threads: int = 1
    init: Path = WEIGHTS_DIR / "grid.keras"
    options: dict[str, int] = field(default_factory=dict)


class _Class:
    """The puzzles of a class that are being thought about."""

    def __init__(
        self,
        block: Any,
        optimizer: Any,
        name: str,
        recipe: SizesRecipe,
        pool: SizePuzzles,
        nines: dict[str, Any],
    ) -> None:
        from training.grids.trainee import GridTrainee

        self._is_mixed = name == "j9"
        self._recipe, self._nines = recipe, nines
        self._geometries = [find_geometry(regions.tolist()) for regions in pool.regions]
        fits = np.array([one.segments.shape[1] <= _SEGMENTS for one in self._geometries])
        self._usable = np.flatnonzero(fits | ~self._is_mixed)
        self._pool = pool
        self._random = np.random.default_rng([recipe.seed, *name.encode()])
        self._n_nines = recipe.nines if self._is_mixed else 0
        self._batch = self._n_nines + recipe.jigsaws if self._is_mixed else recipe.sixteens
        self._side = SIZE_CLASSES[name].side
        self._trainee = GridTrainee(block, self._batch, self._side)
        self._trainee.compile(optimizer=optimizer, jit_compile=True)
        n_segments = _SEGMENTS if self._is_mixed else 0
        self._segments = np.zeros((self._batch, n_segments, self._side**2), np.float32)
        self._units = np.zeros((self._batch, 3 * self._side, n_segments), np.float32)
        self._told = np.zeros((3, self._batch, self._side**3), np.float32)
        self._is_new = np.ones(self._batch, bool)
        self._ages = np.zeros(self._batch, np.int64)

    def step(self) -> Counter[str]:
        """Train one step; return its loss, and how many puzzles left it and were solved."""
        if self._is_new.any():
            self._draw()
        shape = (self._batch, self._side**3)
        given, legal, target = self._told
        loss = self._trainee.train_on_batch(
            {
                "given": given,
                "legal": legal,
                "target": target,
                "is_new": self._is_new.astype(np.float32)[:, None],
                "noise": self._random.standard_normal(shape, np.float32),
                "segments": self._segments,
                "units": self._units,
            }
        )
        is_solved = np.asarray(self._trainee.is_solved) > 0.5
        self._ages += 1
        self._is_new = is_solved | (self._ages >= self._recipe.longest)
        self._ages[self._is_new] = 0
        found: Counter[str] = Counter({"steps": 1})
        found["loss"] += float(loss)  # type: ignore[assignment]
        for kind, part in (("nine", slice(self._n_nines)), ("other", slice(self._n_nines, None))):
            found[f"{kind}_left"] += int(self._is_new[part].sum())
            found[f"{kind}_solved"] += int(is_solved[part].sum())
        return found

    def _draw(self) -> None:
        places = np.flatnonzero(self._is_new)
        nines = places[places < self._n_nines]
        if len(nines):
            drawn = draw_puzzles(self._nines, Mix(self._recipe.mix), len(nines), self._random)
            self._put(nines, drawn.clues, drawn.solutions, usual_geometry(81), drawn.allowed)
        for place in places[len(nines) :]:
            chosen = self._random.choice(self._usable)
            solution = self._pool.solutions[chosen]
            clues = self._pool.clues[chosen].copy()
            if self._random.random() < 0.5:
                share = self._random.random() ** 2 * 0.6
                clues = np.where(self._random.random(clues.shape) < share, solution, clues)
            self._put([place], clues[None], solution[None], self._geometries[chosen], True)

    def _put(self, places: Any, clues: Any, solutions: Any, geometry: Any, allowed: Any) -> None:
        digits = np.arange(1, self._side + 1)
        right = solutions[:, :, None] == digits
        given = clues[:, :, None] == digits
        legal = legal_candidates(clues, geometry) & (allowed | given)
        for number, array in enumerate((given, legal, right)):
            self._told[number, places] = array.reshape(len(clues), -1)
        if not self._is_mixed:
            self._segments, self._units = geometry.segments, geometry.units
            return
        n = geometry.segments.shape[1]
        self._segments[places], self._units[places] = 0, 0
        self._segments[places, :n] = geometry.segments
        self._units[places, :, :n] = geometry.units


def train(recipe: SizesRecipe, pools: PuzzlePools, sizes: dict[str, SizePuzzles]) -> None:
    """Train until the time is over, logging and saving every minute.

    Raises:
        ValueError: if the network to begin with is larger than the one wanted.
    """
    import keras

    from models.grid_net import GridNetOptions, build_grid_net
    from training.grids.trainee import grow_block

    keras.utils.set_random_seed(recipe.seed)
    begun = keras.saving.load_model(recipe.init, compile=False)
    block = begun.get_layer("block")
    options = GridNetOptions(**(asdict(block.options) | recipe.options))
    network = build_grid_net(options, block.iterations)
    if options == block.options:
        network.set_weights(begun.get_weights())
    else:
        grow_block(block, network.get_layer("block"))
    block = network.get_layer("block")
    optimizer = make_optimizer("muon")
    classes = {
        name: _Class(block, optimizer, name, recipe, sizes[name], pools.train)
        for name in dict.fromkeys(_TURN)
    }
    average = [np.array(w) for w in block.get_weights()]
    step, seconds = 0, 0.0
    checkpoint = recipe.out.with_suffix(".checkpoint.npz")
    if checkpoint.is_file():
        with np.load(checkpoint) as stored:
            load_state(stored, block, average, optimizer)
            step, seconds = int(stored["step"]), float(stored["seconds"])
        logger.info("goes on at step %d", step)
    told: dict[str, Counter[str]] = {name: Counter() for name in classes}
    compiled: set[str] = set()
    last, end = seconds, 60 * recipe.minutes
    while seconds < end:
        start = time.perf_counter()
        name = _TURN[step % len(_TURN)]
        fall = 0.05 + 0.95 * (1 + math.cos(math.pi * seconds / end)) / 2
        optimizer.learning_rate = recipe.learning_rate * fall * min(1.0, (step + 1) / 40)
        told[name].update(classes[name].step())
        step += 1
        if step % _AVERAGED_EVERY == 1:
            average_weights(average, block, min(0.999**_AVERAGED_EVERY, step / (step + 20)))
        if name in compiled:
            seconds += time.perf_counter() - start
        compiled.add(name)
        if seconds - last > 60 or seconds >= end:
            last = seconds
            _log(step, seconds, told)
            save_state(checkpoint, block, average, optimizer, step=step, seconds=seconds)
    block.set_weights(average)
    network.save(recipe.out.with_suffix(".keras"))
    used = asdict(recipe) | {"options": asdict(options), "init": recipe.init.name}
    del used["out"]
    card = {"training": {"minutes": round(seconds / 60, 1), "steps": step, "recipe": used}}
    recipe.out.with_suffix(".json").write_text(json.dumps(card), encoding="utf-8")


def _log(step: int, seconds: float, told: dict[str, Counter[str]]) -> None:
    """Tell for each class steps, mean loss and the share of leaving puzzles that were solved."""
    entry: dict[str, Any] = {"step": step, "minutes": round(seconds / 60, 1)}
    for name, counts in told.items():
        entry[name] = {"loss": round(counts["loss"] / max(1, counts["steps"]), 3)}
        for kind in ("nine", "other"):
            if left := counts[f"{kind}_left"]:
                entry[name][kind] = round(counts[f"{kind}_solved"] / left, 3)
        counts.clear()
    logger.info("%s", json.dumps(entry))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Train the network on other sides and jigsaws")
    add_fields(parser, SizesRecipe)
    parser.add_argument("--puzzles", type=Path, default=Path("../shared/data/puzzles"))
    parser.add_argument("--generated", type=int, default=600_000)
    chosen = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    recipe = SizesRecipe(**{one.name: getattr(chosen, one.name) for one in fields(SizesRecipe)})
    choose_backend(recipe.threads)
    recipe.out.parent.mkdir(parents=True, exist_ok=True)
    sizes = load_size_pools(recipe.out.parent / "sizes")
    logger.info("%s", {name: len(pool.clues) for name, pool in sizes.items()})
    pools = load_pools(chosen.puzzles, recipe.out.parent / "puzzles.npz", chosen.generated)
    train(recipe, pools, sizes)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
