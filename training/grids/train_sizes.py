"""Trains the network that solves grids on other sides and jigsaws, beside hard puzzles of 9×9.

    python -m training.grids.train_sizes --out build/grids/sizes --minutes 38

A run that was stopped goes on where it was with the same command. Three steps of jigsaws and hard
9×9 are followed by one of 16×16. `training.grids.export_grid build/grids/sizes.keras` puts it in
place. Figures: docs/networks.md.
"""

import argparse
import json
import logging
import math
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from models.engine import WEIGHTS_DIR
from models.grids import find_geometry, legal_candidates, usual_geometry
from training.grids.size_puzzles import SIZE_CLASSES, SizePuzzles, load_size_pools
from training.grids.training_puzzles import Mix, draw_puzzles, load_pools

_TURN: Final = ("j9", "j9", "j9", "16")
"""The classes of steps that follow each other."""

_NINES: Final = 8
"""Puzzles of the usual 9×9 among the jigsaws of a step."""

_LONGEST: Final = 12
"""Steps, of eight iterations each, after which a puzzle is given up."""

_SEGMENTS: Final = 96
"""Of a jigsaw: 19 of 20 have as many at most; the others hold no cell."""

_MIX: Final = Mix((0.1, 0.1, 0.15, 0.2, 0.35, 0.0))

logger = logging.getLogger(__name__)


class _Class:
    """The puzzles of a class that are being thought about.

    Attributes:
        trainee: holds the network's state of each.
    """

    def __init__(
        self, block: Any, optimizer: Any, name: str, pool: SizePuzzles, nines: Any, seed: int
    ) -> None:
        from training.grids.trainee import GridTrainee

        self._name, self._nines = name, nines
        fits = [find_geometry(r.tolist()).segments.shape[1] <= _SEGMENTS for r in pool.regions]
        keep = np.array(fits) | (name != "j9")
        self._pool = pool = SizePuzzles(pool.clues[keep], pool.solutions[keep], pool.regions[keep])
        self._random = np.random.default_rng([seed, *name.encode()])
        self._batch = SIZE_CLASSES[name].batch + (_NINES if name == "j9" else 0)
        self._side = SIZE_CLASSES[name].side
        self.trainee = GridTrainee(block, self._batch, self._side)
        self.trainee.compile(optimizer=optimizer, jit_compile=True)
        sites = self._side**3
        n_segments = _SEGMENTS if name == "j9" else 0
        shape = (self._batch, n_segments, self._side**2)
        self._segments = np.zeros(shape, np.float32)
        self._units = np.zeros((self._batch, 3 * self._side, n_segments), np.float32)
        self._told = np.zeros((3, self._batch, sites), np.float32)
        self._is_new = np.ones(self._batch, bool)
        self._ages = np.zeros(self._batch, np.int64)

    def step(self) -> tuple[float, float]:
        """Train one step; return its loss and how many puzzles of those that left were solved."""
        if self._is_new.any():
            self._draw()
        shape = (self._batch, self._side**3)
        given, legal, target = self._told
        loss = self.trainee.train_on_batch(
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
        is_solved = np.asarray(self.trainee.is_solved) > 0.5
        self._ages += 1
        self._is_new = is_solved | (self._ages >= _LONGEST)
        self._ages[self._is_new] = 0
        left = self._is_new.sum()
        return float(loss), float(is_solved.sum() / left) if left else math.nan

    def _draw(self) -> None:
        places = np.flatnonzero(self._is_new)
        nines = places[places < (_NINES if self._name == "j9" else 0)]
        if len(nines):
            drawn = draw_puzzles(self._nines, _MIX, len(nines), self._random)
            self._put(nines, drawn.clues, drawn.solutions, usual_geometry(81), drawn.allowed)
        for place in places[len(nines) :]:
            chosen = self._random.integers(len(self._pool.clues))
            solution = self._pool.solutions[chosen]
            clues = self._pool.clues[chosen].copy()
            if self._random.random() < 0.5:
                share = self._random.random() ** 2 * 0.6
                clues = np.where(self._random.random(clues.shape) < share, solution, clues)
            geometry = find_geometry(self._pool.regions[chosen].tolist())
            self._put([place], clues[None], solution[None], geometry, True)

    def _put(self, places: Any, clues: Any, solutions: Any, geometry: Any, allowed: Any) -> None:
        digits = np.arange(1, self._side + 1)
        right = solutions[:, :, None] == digits
        given = clues[:, :, None] == digits
        legal = legal_candidates(clues, geometry) & (allowed | given)
        for number, array in enumerate((given, legal, right)):
            self._told[number, places] = array.reshape(len(clues), -1)
        if self._name != "j9":
            self._segments, self._units = geometry.segments, geometry.units
            return
        n = geometry.segments.shape[1]
        self._segments[places], self._units[places] = 0, 0
        self._segments[places, :n] = geometry.segments
        self._units[places, :, :n] = geometry.units


def train(
    out: Path,
    pools: Any,
    sizes: dict[str, SizePuzzles],
    init: Path,
    minutes: float,
    learning_rate: float,
    seed: int,
) -> None:
    """Train until the time is over, logging and saving every minute."""
    import keras

    import models.grid_net  # noqa: F401 (makes the block known to Keras)
    from training.grids.train_grid import make_optimizer

    keras.utils.set_random_seed(seed)
    network = keras.saving.load_model(init, compile=False)
    block = network.get_layer("block")
    optimizer = make_optimizer("muon")
    classes = {
        name: _Class(block, optimizer, name, sizes[name], pools, seed)
        for name in dict.fromkeys(_TURN)
    }
    average = [np.array(w) for w in block.get_weights()]
    step, seconds = 0, 0.0
    checkpoint = out.with_suffix(".checkpoint.npz")
    if checkpoint.is_file():
        optimizer.build(block.trainable_variables)
        with np.load(checkpoint) as stored:
            block.set_weights([stored[f"weight{i}"] for i in range(len(average))])
            average = [stored[f"average{i}"] for i in range(len(average))]
            for i, variable in enumerate(optimizer.variables):
                variable.assign(stored[f"optimizer{i}"])
            step, seconds = int(stored["step"]), float(stored["seconds"])
        logger.info("goes on at step %d", step)
    losses: dict[str, list[tuple[float, float]]] = {name: [] for name in classes}
    compiled: set[str] = set()
    last = seconds
    while seconds < 60 * minutes:
        start = time.perf_counter()
        name = _TURN[step % len(_TURN)]
        fall = 0.05 + 0.95 * (1 + math.cos(math.pi * seconds / 60 / minutes)) / 2
        optimizer.learning_rate = learning_rate * fall * min(1.0, (step + 1) / 40)
        losses[name].append(classes[name].step())
        step += 1
        stays = min(0.99, step / (step + 20))
        for mean, weight in zip(average, block.get_weights(), strict=True):
            mean *= stays
            mean += (1 - stays) * weight
        if name in compiled:
            seconds += time.perf_counter() - start
        compiled.add(name)
        if seconds - last > 60 or seconds >= 60 * minutes:
            last = seconds
            entry = {"step": step, "minutes": round(seconds / 60, 1)} | {
                name: [round(float(v), 3) for v in np.nanmean(np.array(rows[-60:]), axis=0)]
                for name, rows in losses.items()
                if rows
            }
            logger.info("%s", json.dumps(entry))
            arrays: dict[str, Any] = {f"weight{i}": w for i, w in enumerate(block.get_weights())}
            arrays |= {f"average{i}": w for i, w in enumerate(average)}
            arrays |= {f"optimizer{i}": np.asarray(v) for i, v in enumerate(optimizer.variables)}
            draft = checkpoint.with_suffix(".draft.npz")
            np.savez(draft, step=step, seconds=seconds, **arrays)
            draft.replace(checkpoint)
    block.set_weights(average)
    network.save(out.with_suffix(".keras"))
    card = {"training": {"minutes": round(seconds / 60, 1), "steps": step, "begun_with": init.name}}
    out.with_suffix(".json").write_text(json.dumps(card), encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Train the network on other sides and jigsaws")
    parser.add_argument("--out", type=Path, default=Path("build/grids/sizes"))
    parser.add_argument("--minutes", type=float, default=40.0)
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--init", type=Path, default=WEIGHTS_DIR / "grid.keras")
    parser.add_argument("--puzzles", type=Path, default=Path("../shared/data/puzzles"))
    parser.add_argument("--generated", type=int, default=600_000)
    chosen = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    from training.grids.train_grid import choose_backend

    choose_backend(chosen.threads)
    chosen.out.parent.mkdir(parents=True, exist_ok=True)
    sizes = load_size_pools(chosen.out.parent / "sizes.npz")
    logger.info("%s", {name: len(pool.clues) for name, pool in sizes.items()})
    pools = load_pools(chosen.puzzles, chosen.out.parent / "puzzles.npz", chosen.generated)
    train(
        chosen.out,
        pools.train,
        sizes,
        chosen.init,
        chosen.minutes,
        chosen.learning_rate,
        chosen.seed,
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
