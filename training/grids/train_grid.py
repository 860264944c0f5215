"""Trains the network that solves grids: one command a run, seeded, resumable, with its log.

    python -m training.grids.train_grid --out build/grids/grid --minutes 100
    KERAS_BACKEND=jax python -m training.grids.train_grid --out build/grids/sizes --minutes 9 \\
        --init models/weights/grid.keras --rate 0.0025 --batch 192 --jigsaws 64 --sixteens 24

A run that was stopped goes on where it was with the same command, with new puzzles. The second one
wants a graphics processor: two steps of jigsaws and hard 9×9 are followed by one of 16×16. How the
shipped network came about, its figures, and what was tried beside it: docs/networks.md, with all
commands in training/grids/from_nothing.sh.

Jigsaws and puzzles of 16×16 are made once and kept; their seeds are far from those that are
measured. n puzzles of c cells.
"""

import json
import os
import sys
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np

from models.grids import Digits
from solver.formats_kinds import KindPuzzle
from solver.generation.generate_kinds import KindOptions, generate_kind
from solver.rules import Kind, Rules
from training.grids.export_grid import ITERATIONS_A_RUN, export_runs
from training.grids.published_puzzles import load_file_pools
from training.grids.training_puzzles import KINDS, PuzzlePools, load_pools
from training.shard_runs import Shard, ShardRecipe, keep_shards, load_shards, run_steps
from training.training_command import training_command

OptimizerKind = Literal["muon", "adam"]

_WATCHED: Final = 250
"""Puzzles of each kind that are watched, where there are so many."""
_TOLD_EVERY: Final = 200


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

    from training.grids.trainee import GridTrainee, Play, Turns, count_solved

    keras.utils.set_random_seed(recipe.seed)
    block = _build_block(recipe)
    plays = [Play(recipe, block, pools.train, sizes["j9"] if recipe.jigsaws else None)]
    if recipe.sixteens:
        plays.append(Play(recipe, block, pools.train, sizes["16"]))
    turns = (0, 0, 1) if recipe.sixteens else (0,)
    network = Turns(block, make_optimizer(recipe.optimizer), [plays[one] for one in turns])
    average = [np.array(weight) for weight in block.get_weights()]
    n_watched = min(_WATCHED, *(len(one.clues) for one in pools.watch.values()))
    watcher = GridTrainee(block, n_watched)
    watcher.compile(jit_compile=True)

    def score() -> str:
        weights = block.get_weights()
        block.set_weights(average)
        shares = {kind: count_solved(watcher, pools.watch[kind], n_watched) for kind in KINDS}
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
