"""Trains the network that solves grids: one command a run, seeded, resumable, with its log.

    python -m training.grids.train_grid --out build/grids/grid --minutes 100
    python -m training.grids.train_grid --out build/grids/wide44 \\
        --plot docs/networks/learning-widest.png

A run that was stopped goes on where it was with the same command. How the shipped network came
about, its figures, and what was tried beside it: docs/networks.md. The backend is Keras' own choice
(KERAS_BACKEND), TensorFlow where that says nothing.
"""

import argparse
import json
import logging
import math
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np

from models.grids import legal_candidates, usual_geometry
from training.checkpoints import average_weights, load_state, save_state
from training.grids.published_puzzles import load_file_pools
from training.grids.training_puzzles import (
    KINDS,
    Mix,
    PuzzlePools,
    Puzzles,
    draw_puzzles,
    load_pools,
)
from training.shard_runs import add_fields

OptimizerKind = Literal["muon", "adam"]

ITERATIONS: Final = 8
"""Of a segment, through which the gradient runs."""

_LOOKS: Final = (16, 32, 64)
"""Iterations after which the watched puzzles are counted."""

_WATCHED: Final = 250
"""Puzzles of each kind that are watched, where there are so many."""

_WARM_UP_STEPS: Final = 100


@dataclass(frozen=True)
class GridRecipe:
    """Everything that decides how a run comes out.

    Attributes:
        out: file name without ending of all that the run writes.
        minutes: of training by the clock, watching left out.
        steps: instead of minutes, where a run shall repeat: with the same steps and seed, on one
            thread, it is the same again.
        optimizer: `muon` for matrices of weights, with `adam` for the rest (K. Jordan, 2024), or
            `adam` for all.
        learning_rate: the greatest; it falls to a twentieth along a cosine.
        batch: puzzles at a time.
        segments: after how many a puzzle is given up, at the start and at the end.
        first_mix: shares of the kinds of puzzles, see `training_puzzles.KINDS`, at the start.
        last_mix: and at the end.
        averaging: of the weights that are kept: the share that stays at each step.
        seed: of everything.
        threads: for TensorFlow; None takes all.
        options: of the network.
        init: `.keras` file of a network to begin with, grown where it is smaller than `options`;
            None begins by chance.
    """

    out: Path
    minutes: float = 100.0
    steps: int | None = None
    optimizer: OptimizerKind = "muon"
    learning_rate: float = 3e-3
    batch: int = 32
    segments: tuple[int, int] = (4, 16)
    first_mix: tuple[float, ...] = (0.40, 0.05, 0.35, 0.15, 0.05, 0.0)
    last_mix: tuple[float, ...] = (0.20, 0.10, 0.15, 0.20, 0.35, 0.0)
    averaging: float = 0.999
    seed: int = 1
    threads: int | None = None
    options: dict[str, int] = field(default_factory=dict)
    init: str | None = None


def checkpoint_of(recipe: GridRecipe) -> Path:
    """Return the file in which a run of this recipe keeps its state."""
    return recipe.out.with_suffix(".checkpoint.npz")


class DivergedError(RuntimeError):
    """The loss is no number any more; the text says what to do."""


class GridRun:
    """A training under way: the network, its puzzles, and what it has cost so far.

    Attributes:
        stages: the recipes that it has followed, each with the step from which on.
        step: how many were trained.
        seconds: of training by the clock.
        processor_seconds: of training, all threads together.
        last_loss: of the last step.
    """

    def __init__(
        self,
        recipe: GridRecipe,
        pools: PuzzlePools,
        clock: Callable[[], float] = time.perf_counter,
        processor_clock: Callable[[], float] = time.process_time,
    ) -> None:
        choose_backend(recipe.threads)
        import keras

        from models.grid_net import CandidateBlock
        from training.grids.trainee import GridTrainee

        keras.utils.set_random_seed(recipe.seed)
        self.recipe = recipe
        self._pools = pools
        self._clock = clock
        self._processor_clock = processor_clock
        self._random = np.random.default_rng(recipe.seed)
        self.block = CandidateBlock(recipe.options, ITERATIONS)
        self.block.build()
        if recipe.init is not None:
            self._load(Path(recipe.init))
        self._trainee = GridTrainee(self.block, recipe.batch)
        self._trainee.compile(optimizer=make_optimizer(recipe.optimizer), jit_compile=True)
        self._n_watched = min(_WATCHED, *(len(p.clues) for p in pools.watch.values()))
        self._watcher = GridTrainee(self.block, self._n_watched)
        self._watcher.compile(jit_compile=True)
        self._average = [np.array(w) for w in self.block.get_weights()]
        self.step = 0
        self.seconds = 0.0
        self.processor_seconds = 0.0
        self.stages = [self._stage()]
        self._puzzles = self._draw(recipe.batch)
        self._allowed = np.array(self._puzzles.allowed)
        self._ages = np.zeros(recipe.batch, np.int64)
        self._is_new = np.ones(recipe.batch, bool)
        self.last_loss = math.nan
        self._losses: list[float] = []
        self._solved: list[float] = []

    @property
    def progress(self) -> float:
        """The part of the time, or of the steps, that is over, 0..1."""
        if self.recipe.steps is not None:
            return min(1.0, self.step / self.recipe.steps)
        return min(1.0, self.seconds / (60 * self.recipe.minutes))

    def advance(self) -> None:
        """Train one step, and replace the puzzles that are solved or too old."""
        start, processor_start = self._clock(), self._processor_clock()
        self._trainee.optimizer.learning_rate = self._learning_rate()
        loss = self._trainee.train_on_batch(
            self._inputs(self._puzzles, self._allowed, self._is_new, self._random)
        )
        self.last_loss = float(loss)
        if not math.isfinite(self.last_loss):
            raise DivergedError(
                f"the loss is {self.last_loss} at step {self.step}; go on from the checkpoint "
                "with a smaller --learning-rate"
            )
        self._losses.append(self.last_loss)
        self.step += 1
        stays = min(self.recipe.averaging, self.step / (self.step + 20))
        average_weights(self._average, self.block, stays)
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
        self.processor_seconds += self._processor_clock() - processor_start

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
        save_state(
            checkpoint_of(self.recipe),
            self.block,
            self._average,
            self._trainee.optimizer,
            step=self.step,
            random=json.dumps(self._random.bit_generator.state),
            stages=json.dumps(self.stages),
            seconds=self.seconds,
            processor_seconds=self.processor_seconds,
        )

    def resume(self) -> bool:
        """Go on from the run's checkpoint, with new puzzles; whether there was one.

        Another recipe than before is a new stage of the run, which its card will name.

        Raises:
            ValueError: if the checkpoint is of a network of another size, or another optimizer's.
        """
        path = checkpoint_of(self.recipe)
        if not path.is_file():
            return False
        with np.load(path) as stored:
            stages = json.loads(str(stored["stages"]))
            # Runs of before there was a choice do not name it.
            stages[-1]["recipe"].setdefault("optimizer", "adam")
            if stages[-1]["recipe"]["options"] != self.stages[-1]["recipe"]["options"]:
                raise ValueError(
                    f"{path} is of a network of another size; choose another --out, or the "
                    f"options {json.dumps(stages[-1]['recipe']['options'])}"
                )
            begun_with = stages[-1]["recipe"]["optimizer"]
            if begun_with != self.recipe.optimizer:
                raise ValueError(
                    f"{path} is of another optimizer; go on with --optimizer {begun_with}, or "
                    "choose another --out"
                )
            load_state(stored, self.block, self._average, self._trainee.optimizer)
            self.step, self.seconds = int(stored["step"]), float(stored["seconds"])
            self.processor_seconds = float(stored["processor_seconds"])
            is_other = stages[-1]["recipe"] != self.stages[-1]["recipe"]
            self.stages = [*stages, self._stage()] if is_other else stages
            self._random.bit_generator.state = json.loads(str(stored["random"]))
        return True

    def _load(self, path: Path) -> None:
        import keras

        from training.grids.trainee import grow_block

        trained = keras.saving.load_model(path, compile=False).get_layer("block")
        if trained.options == self.block.options:
            self.block.set_weights(trained.get_weights())
        else:
            grow_block(trained, self.block)

    def _stage(self) -> dict[str, Any]:
        recipe = {name: value for name, value in asdict(self.recipe).items() if name != "out"}
        # As it comes back from the checkpoint, so that the two can be compared.
        recipe = json.loads(json.dumps(recipe | {"options": asdict(self.block.options)}))
        return {"from_step": self.step, "recipe": recipe}

    def _learning_rate(self) -> float:
        fall = 0.05 + 0.95 * (1 + math.cos(math.pi * self.progress)) / 2
        return self.recipe.learning_rate * fall * min(1.0, (self.step + 1) / _WARM_UP_STEPS)

    def _draw(self, count: int) -> Puzzles:
        ends = np.array([self.recipe.first_mix, self.recipe.last_mix])
        shares = tuple((ends[0] + self.progress * (ends[1] - ends[0])).tolist())
        return draw_puzzles(self._pools.train, Mix(shares), count, self._random)

    def _inputs(
        self, puzzles: Puzzles, allowed: Any, is_new: Any, random: np.random.Generator
    ) -> dict[str, Any]:
        digits = np.arange(1, 10)
        given = puzzles.clues[:, :, None] == digits
        told = {
            "given": given,
            "legal": legal_candidates(puzzles.clues) & (allowed | given),
            "target": puzzles.solutions[:, :, None] == digits,
        }
        return {name: one.reshape(-1, 729).astype(np.float32) for name, one in told.items()} | {
            "is_new": is_new.astype(np.float32)[:, None],
            "noise": random.standard_normal((len(is_new), 729), np.float32),
            "segments": usual_geometry(81).segments,
            "units": usual_geometry(81).units,
        }

    def _count(self, puzzles: Puzzles) -> list[float]:
        n = self._n_watched
        chosen = Puzzles(puzzles.clues[:n], puzzles.solutions[:n])
        allowed = np.ones((n, 81, 9), bool)
        is_new = np.ones(n, bool)
        ever = np.zeros(n, bool)
        shares = []
        # The same noise at each look, and none that the training would miss.
        random = np.random.default_rng([self.recipe.seed, 1])
        for done in range(ITERATIONS, max(_LOOKS) + 1, ITERATIONS):
            self._watcher.test_on_batch(self._inputs(chosen, allowed, is_new, random))
            ever |= np.asarray(self._watcher.is_solved) > 0.5
            is_new[:] = False
            if done in _LOOKS:
                shares.append(round(float(ever.mean()), 4))
        return shares


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


def choose_backend(threads: int | None) -> None:
    """Choose TensorFlow where KERAS_BACKEND says nothing, and its threads, before Keras comes."""
    os.environ.setdefault("KERAS_BACKEND", "tensorflow")
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    if os.environ["KERAS_BACKEND"] == "tensorflow" and threads is not None:
        import tensorflow as tf

        tf.config.threading.set_intra_op_parallelism_threads(threads)
        tf.config.threading.set_inter_op_parallelism_threads(1)


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else math.nan


logger = logging.getLogger(__name__)


def train(recipe: GridRecipe, pools: PuzzlePools, watch_minutes: float = 5.0) -> GridRun:
    """Train until the time is over, watching, logging and saving every few minutes.

    Raises:
        DivergedError: if the loss is no number any more.
        ValueError: if there is a checkpoint of a network of another size, or another optimizer's.
    """
    run = GridRun(recipe, pools)
    if run.resume():
        logger.info("goes on at step %d after %.1f minutes", run.step, run.seconds / 60)
    logger.info("%d parameters; %s", run.block.count_params(), json.dumps(run.stages[-1]))
    next_look = run.seconds + 60 * watch_minutes
    while run.progress < 1:
        run.advance()
        if run.seconds >= next_look or run.progress >= 1:
            next_look = run.seconds + 60 * watch_minutes
            _log(run)
            run.save()
    return run


def _log(run: GridRun) -> None:
    puzzle_iterations = run.step * run.recipe.batch * ITERATIONS
    entry: dict[str, object] = {
        "minutes": round(run.seconds / 60, 2),
        "processor_minutes": round(run.processor_seconds / 60, 2),
        "step": run.step,
        "puzzle_iterations_per_second": round(puzzle_iterations / run.seconds),
    }
    entry |= {name: round(value, 4) for name, value in run.summarise().items()}
    entry |= run.watch()
    with run.recipe.out.with_suffix(".log").open("a", encoding="utf-8") as file:
        file.write(json.dumps(entry) + "\n")
    logger.info("%s", json.dumps(entry))


def draw_run(log: Path) -> Any:
    """Return a figure: puzzles solved in one pass by kind, and the loss, over the minutes.

    Raises:
        ValueError: if the log has no entry.
    """
    from matplotlib.figure import Figure

    entries = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines() if line]
    if not entries:
        raise ValueError(f"{log} is empty; a run writes its first entry after some minutes")
    figure = Figure(figsize=(10, 4), layout="constrained")
    solved, loss = figure.subplots(1, 2, width_ratios=(3, 2))
    for kind in KINDS:
        own = [entry for entry in entries if kind in entry]
        if own:
            minutes = [entry["minutes"] for entry in own]
            solved.plot(minutes, [100 * entry[kind][-1] for entry in own], marker=".", label=kind)
    solved.set_title("Puzzles held out, one pass of 64 iterations")
    solved.set_ylabel("solved, %")
    solved.set_ylim(-2, 102)
    solved.legend(fontsize=8)
    loss.plot([entry["minutes"] for entry in entries], [entry["loss"] for entry in entries])
    loss.set_title("Loss; the mix grows harder")
    for axes in (solved, loss):
        axes.set_xlabel("minutes of training")
        axes.grid(alpha=0.3)
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Train the network that solves grids")
    add_fields(parser, GridRecipe)
    parser.add_argument("--puzzles", type=Path, default=Path("../shared/data/puzzles"))
    parser.add_argument("--file", type=Path, help="learn from a public file of puzzles instead")
    parser.add_argument("--plot", type=Path, help="PNG to draw how the run learnt, and no more")
    parser.add_argument("--watch-minutes", type=float, default=5.0)
    chosen = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    if chosen.plot is not None:
        figure = draw_run(chosen.out.with_suffix(".log"))
        chosen.plot.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(chosen.plot, dpi=100)
        return 0
    chosen.out.parent.mkdir(parents=True, exist_ok=True)
    values = {one.name: getattr(chosen, one.name) for one in fields(GridRecipe)}
    pairs = ("segments", "first_mix", "last_mix")
    recipe = GridRecipe(**values | {name: tuple(values[name]) for name in pairs})
    try:
        if chosen.file is not None:
            pools = load_file_pools(chosen.file, chosen.puzzles)
        else:
            pools = load_pools(chosen.puzzles, chosen.out.parent / "puzzles.npz")
        train(recipe, pools, chosen.watch_minutes)
    except (OSError, ValueError, DivergedError) as error:
        raise SystemExit(f"train_grid: {error}") from error
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
