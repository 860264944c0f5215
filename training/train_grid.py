"""Trains the network that solves grids: one command a run, seeded, resumable, with its log.

The shipped network (figures and what was tried beside it: docs/networks.md):

    python -m training.train_grid --out build/grids/grid --minutes 100

A run that was stopped goes on where it was with the same command. The backend is Keras' own choice
(KERAS_BACKEND); on processors TensorFlow, compiled by XLA, is the fastest.
"""

import argparse
import json
import logging
import math
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np

from training.grid_puzzles import KINDS, Mix, PuzzlePools, Puzzles, draw_puzzles, load_pools

logger = logging.getLogger(__name__)

_ITERATIONS: Final = 8
"""Of a segment, through which the gradient runs."""

_LOOKS: Final = (16, 32, 64)
"""Iterations after which the watched puzzles are counted."""

_WATCHED: Final = 250
"""Puzzles of each kind that are watched, where there are so many."""

_WARM_UP_STEPS: Final = 100


@dataclass(frozen=True)
class Recipe:
    """Everything that decides how a run comes out.

    Attributes:
        out: file name without ending of all that the run writes.
        minutes: of training, watching left out.
        learning_rate: the greatest; it falls to a twentieth along a cosine.
        batch: puzzles at a time.
        segments: after how many a puzzle is given up, at the start and at the end.
        first_mix: shares of the kinds of puzzles, see `training.grid_puzzles.KINDS`, at the start.
        last_mix: and at the end.
        averaging: of the weights that are kept: the share that stays at each step.
        seed: of everything.
        threads: for TensorFlow; None takes all.
        precision: of the products: `float32`, or `bfloat16` for graphics processors.
        options: of the network.
    """

    out: Path
    minutes: float = 100.0
    learning_rate: float = 3e-3
    batch: int = 32
    segments: tuple[int, int] = (4, 16)
    first_mix: tuple[float, ...] = (0.40, 0.05, 0.35, 0.15, 0.05)
    last_mix: tuple[float, ...] = (0.20, 0.10, 0.15, 0.20, 0.35)
    averaging: float = 0.999
    seed: int = 1
    threads: int | None = None
    precision: Literal["float32", "bfloat16"] = "float32"
    options: dict[str, int] = field(default_factory=dict)


class Run:
    """A training under way: the network, its puzzles, and what it has cost so far."""

    def __init__(self, recipe: Recipe, pools: PuzzlePools, clock: Callable[[], float]) -> None:
        _choose_backend(recipe.threads)
        import keras

        from models.grid_net import CandidateBlock
        from training.grid_trainee import GridTrainee

        keras.utils.set_random_seed(recipe.seed)
        self.recipe = recipe
        self._pools = pools
        self._clock = clock
        self._random = np.random.default_rng(recipe.seed)
        self.block = CandidateBlock(recipe.options, _ITERATIONS)
        self.block.precision = recipe.precision
        self.block.build()
        self._trainee = GridTrainee(self.block, recipe.batch)
        optimizer = keras.optimizers.Adam(beta_2=0.99, global_clipnorm=1.0)
        self._trainee.compile(optimizer=optimizer, jit_compile=True)
        self._n_watched = min(_WATCHED, *(len(p.clues) for p in pools.watch.values()))
        self._watcher = GridTrainee(self.block, self._n_watched)
        self._watcher.compile(jit_compile=True)
        self._average = [np.array(w) for w in self.block.get_weights()]
        self.step = 0
        self.seconds = 0.0
        self._puzzles = self._draw(recipe.batch)
        self._allowed = np.array(self._puzzles.allowed)
        self._ages = np.zeros(recipe.batch, np.int64)
        self._is_new = np.ones(recipe.batch, bool)
        self.last_loss = math.nan
        self._losses: list[float] = []
        self._solved: list[float] = []

    @property
    def progress(self) -> float:
        """The part of the time that is over, 0..1."""
        return min(1.0, self.seconds / (60 * self.recipe.minutes))

    def advance(self) -> None:
        """Train one step, and replace the puzzles that are solved or too old."""
        start = self._clock()
        self._trainee.optimizer.learning_rate = self._learning_rate()
        loss = self._trainee.train_on_batch(
            self._inputs(self._puzzles, self._allowed, self._is_new)
        )
        self.last_loss = float(loss)
        self._losses.append(self.last_loss)
        self.step += 1
        self._average_weights()
        is_solved = np.asarray(self._trainee.is_solved) > 0.5
        self._ages += 1
        first, last = self.recipe.segments
        self._is_new = is_solved | (self._ages >= round(first + self.progress * (last - first)))
        if self._is_new.any():
            self._solved.append(is_solved.sum() / self._is_new.sum())
            fresh = self._draw(int(self._is_new.sum()))
            self._puzzles.clues[self._is_new] = fresh.clues
            self._puzzles.solutions[self._is_new] = fresh.solutions
            self._allowed[self._is_new] = fresh.allowed
            self._ages[self._is_new] = 0
        self.seconds += self._clock() - start

    def watch(self) -> dict[str, list[float]]:
        """Return the share of the watched puzzles solved after so many iterations, by kind."""
        weights = self.block.get_weights()
        self.block.set_weights(self._average)
        shares = {kind: self._count(self._pools.watch[kind]) for kind in KINDS}
        self.block.set_weights(weights)
        return shares

    def summarise(self) -> dict[str, float]:
        """Return the mean loss, and the share of puzzles that left solved, since the last call."""
        summary = {"loss": _mean(self._losses), "solved": _mean(self._solved)}
        self._losses, self._solved = [], []
        return summary

    def save(self) -> None:
        """Write all that the run needs to go on, and the averaged weights."""
        path = _checkpoint(self.recipe)
        path.parent.mkdir(parents=True, exist_ok=True)
        arrays: dict[str, Any] = {f"weight{i}": w for i, w in enumerate(self.block.get_weights())}
        arrays |= {f"average{i}": w for i, w in enumerate(self._average)}
        optimizer = self._trainee.optimizer.variables
        arrays |= {f"optimizer{i}": np.asarray(v) for i, v in enumerate(optimizer)}
        draft = path.with_suffix(".draft.npz")
        state = json.dumps(self._random.bit_generator.state)
        arrays |= {"step": self.step, "seconds": self.seconds, "random": state}
        recipe = _plain(self.recipe) | {"options": asdict(self.block.options)}
        np.savez(draft, recipe=json.dumps(recipe), **arrays)
        draft.replace(path)

    def resume(self) -> bool:
        """Go on from the run's checkpoint, with new puzzles; whether there was one."""
        path = _checkpoint(self.recipe)
        if not path.is_file():
            return False
        self._trainee.optimizer.build(self._trainee.trainable_variables)
        with np.load(path) as stored:
            n = len(self._average)
            self.block.set_weights([stored[f"weight{i}"] for i in range(n)])
            self._average = [stored[f"average{i}"] for i in range(n)]
            for i, variable in enumerate(self._trainee.optimizer.variables):
                variable.assign(stored[f"optimizer{i}"])
            self.step, self.seconds = int(stored["step"]), float(stored["seconds"])
            self._random.bit_generator.state = json.loads(str(stored["random"]))
        return True

    def _learning_rate(self) -> float:
        fall = 0.05 + 0.95 * (1 + math.cos(math.pi * self.progress)) / 2
        return self.recipe.learning_rate * fall * min(1.0, (self.step + 1) / _WARM_UP_STEPS)

    def _average_weights(self) -> None:
        stays = min(self.recipe.averaging, self.step / (self.step + 20))
        for average, weight in zip(self._average, self.block.get_weights(), strict=True):
            average *= stays
            average += (1 - stays) * weight

    def _draw(self, count: int) -> Puzzles:
        ends = np.array([self.recipe.first_mix, self.recipe.last_mix])
        shares = tuple((ends[0] + self.progress * (ends[1] - ends[0])).tolist())
        return draw_puzzles(self._pools.train, Mix(shares), count, self._random)

    def _inputs(self, puzzles: Puzzles, allowed: Any, is_new: Any) -> dict[str, Any]:
        noise = self._random.standard_normal((len(is_new), 729), np.float32)
        return {
            "clues": puzzles.clues.astype(np.int32),
            "solution": puzzles.solutions.astype(np.int32),
            "allowed": allowed.reshape(-1, 729).astype(np.float32),
            "is_new": is_new.astype(np.float32)[:, None],
            "noise": noise,
        }

    def _count(self, puzzles: Puzzles) -> list[float]:
        n = self._n_watched
        chosen = Puzzles(puzzles.clues[:n], puzzles.solutions[:n])
        allowed = np.ones((n, 81, 9), bool)
        is_new = np.ones(n, bool)
        ever = np.zeros(n, bool)
        shares = []
        for done in range(_ITERATIONS, max(_LOOKS) + 1, _ITERATIONS):
            self._watcher.test_on_batch(self._inputs(chosen, allowed, is_new))
            ever |= np.asarray(self._watcher.is_solved) > 0.5
            is_new[:] = False
            if done in _LOOKS:
                shares.append(round(float(ever.mean()), 4))
        return shares


def train(recipe: Recipe, pools: PuzzlePools, watch_minutes: float = 5.0) -> Run:
    """Train until the time is over, watching, logging and saving every few minutes."""
    run = Run(recipe, pools, time.perf_counter)
    if run.resume():
        logger.info("goes on at step %d after %.1f minutes", run.step, run.seconds / 60)
    logger.info("%d parameters; %s", run.block.count_params(), _plain(recipe))
    next_look = run.seconds + 60 * watch_minutes
    while run.progress < 1:
        run.advance()
        if run.seconds >= next_look or run.progress >= 1:
            next_look = run.seconds + 60 * watch_minutes
            _log(run)
            run.save()
    return run


def _log(run: Run) -> None:
    seconds, step = run.seconds, run.step
    entry = {"minutes": round(seconds / 60, 2), "step": step}
    entry["processor_minutes"] = round(time.process_time() / 60, 2)
    entry["puzzle_iterations_per_second"] = round(step * run.recipe.batch * _ITERATIONS / seconds)
    entry |= {name: round(value, 4) for name, value in run.summarise().items()}
    entry |= run.watch()  # type: ignore[arg-type]
    with run.recipe.out.with_suffix(".log").open("a", encoding="utf-8") as file:
        file.write(json.dumps(entry) + "\n")
    logger.info("%s", json.dumps(entry))


def _checkpoint(recipe: Recipe) -> Path:
    return recipe.out.with_suffix(".checkpoint.npz")


def _plain(recipe: Recipe) -> dict[str, Any]:
    """Return the recipe without the path, which is the business of the machine it ran on."""
    return {name: value for name, value in asdict(recipe).items() if name != "out"}


def _choose_backend(threads: int | None) -> None:
    os.environ.setdefault("KERAS_BACKEND", "tensorflow")
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    if os.environ["KERAS_BACKEND"] == "tensorflow" and threads is not None:
        import tensorflow as tf

        tf.config.threading.set_intra_op_parallelism_threads(threads)
        tf.config.threading.set_inter_op_parallelism_threads(1)


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else math.nan


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Train the network that solves grids")
    parser.add_argument("--out", type=Path, required=True, help="file name without ending")
    parser.add_argument("--puzzles", type=Path, default=Path("../shared/data/puzzles"))
    parser.add_argument("--minutes", type=float, default=Recipe.minutes)
    parser.add_argument("--learning-rate", type=float, default=Recipe.learning_rate)
    parser.add_argument("--batch", type=int, default=Recipe.batch)
    parser.add_argument("--seed", type=int, default=Recipe.seed)
    parser.add_argument("--threads", type=int, help="for TensorFlow; default: all")
    parser.add_argument("--precision", choices=("float32", "bfloat16"), default="float32")
    parser.add_argument("--watch-minutes", type=float, default=5.0)
    parser.add_argument(
        "--options", type=json.loads, default={}, help='of the network, such as {"features": 24}'
    )
    chosen = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    chosen.out.parent.mkdir(parents=True, exist_ok=True)
    recipe = Recipe(
        out=chosen.out,
        minutes=chosen.minutes,
        learning_rate=chosen.learning_rate,
        batch=chosen.batch,
        seed=chosen.seed,
        threads=chosen.threads,
        precision=chosen.precision,
        options=chosen.options,
    )
    pools = load_pools(chosen.puzzles, chosen.out.parent / "puzzles.npz")
    train(recipe, pools, chosen.watch_minutes)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
