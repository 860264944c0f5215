"""Teaches the reader of boards how digits of real photos look beside each other.

    python -m training.digits.train_real_boards --init build/digits/look.keras \
        --out build/digits/kinds

Only what sees cells beside each other learns, from what the frozen convolutions see of real photos
and of small rendered ones. That is kept, so that four networks take minutes: `OUT-boards` of all
photos, and `OUT0-boards` to `OUT2-boards` without those of a fold.
"""

import hashlib
import sys
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from models.digits import CLASSES, OUTPUT_LAYER, marginal_loss, normalise_cells
from training.digits.photo_cells import PageCells, RealCells, keep_page_cells, load_real_cells
from training.digits.train_board_digits import (
    CELLS,
    BoardCells,
    BoardRecipe,
    small_boards,
    vary_board,
    weigh_kinds,
)
from training.digits.train_digits import export
from training.photo_labels import FOLDS, HANDWRITTEN, PRINTED
from training.shard_runs import (
    Shard,
    falling_rate,
    keep_shards,
    load_shards,
    run_network,
    run_steps,
)
from training.training_command import training_command
from vision.geometry import Float32

_REAL_SHARE: Final = 0.3
"""Share of real photos in the boards."""

_REAL_PASSES: Final = 2
"""Times that they are looked at: as they are, and varied."""

_SHOWN_CELLS: Final = (81, 81, 81, 36, 16)
"""Cells of a board that are shown, step by step, as there are boards of 4×4 and 6×6."""

_WARM_UP: Final = 200
"""Steps in which the rate rises."""
_TOLD_EVERY: Final = 500


@dataclass(frozen=True)
class RealBoardRecipe(BoardRecipe):
    """The same as of `training.digits.train_board_digits`, which trains what a run begins with."""

    steps: int = 8000
    batch: int = 32
    rate: float = 1e-3
    save_every: int = 2000
    init: Path | None = Path("build/digits/look.keras")
    temperature: float = 0.9


def train(recipe: RealBoardRecipe) -> Path:
    """Teach the network of all photos and those of the folds.

    Returns:
        The path of the first one's `.tflite` file; the others lie beside it.

    Raises:
        ValueError: if there is no network to begin with.
        models.export.ParityError: if LiteRT does not compute what Keras does.
    """
    if recipe.init is None:
        raise ValueError("name a trained board network with --init")
    real = load_real_cells(recipe.data_root / "photos", recipe.samples)
    small_seen, real_seen = _look(recipe, recipe.init, real)
    teach = partial(_teach, recipe, recipe.init, normalise_cells(real.cells[0, 0]), small_seen)
    for fold in range(FOLDS):
        teach(leave_out(fold, real_seen, real), f"{recipe.out.name}{fold}")
    return teach(real_seen, recipe.out.name)


def leave_out(fold: int, seen: Shard, real: RealCells) -> Shard:
    """Return what is seen of all cuts of the photos, pass by pass, without those of a fold."""
    is_learnt = np.repeat(real.learnt(fold), real.cells.shape[1])
    return {name: values[np.tile(is_learnt, _REAL_PASSES)] for name, values in seen.items()}


def real_boards(real: RealCells) -> BoardCells:
    """Return the boards of all cuts of real photos; kinds are open where they are not labelled."""
    cells, digits, kinds = real.flatten(np.ones(len(real.cells), np.bool_))
    return BoardCells.of(cells, digits, may_print=kinds != HANDWRITTEN, may_write=kinds != PRINTED)


def _look(recipe: RealBoardRecipe, init: Path, real: RealCells) -> tuple[Shard, Shard]:
    """Return what the convolutions see of small and of real photos, and what it means."""
    digits_dir, folder = recipe.data_root / "digits", recipe.samples
    files = keep_page_cells("small", recipe.small, recipe.seed, digits_dir, folder)
    draw = partial(_see_small, init, files, recipe.seed)
    seen = keep_shards(folder, f"seen_{_version_of(init)}_{recipe.seed}", len(files), draw, 2)
    boards = real_boards(real)
    passes = [
        _see(init, boards, None if number == 0 else np.random.default_rng(recipe.seed))
        for number in range(_REAL_PASSES)
    ]
    joined = {name: np.concatenate([one[name] for one in passes]) for name in passes[0]}
    return load_shards(seen), joined


def _version_of(init: Path) -> str:
    """Return what tells a network from others: what is kept of another is of no use."""
    return hashlib.sha256(init.read_bytes()).hexdigest()[:12]


def _see_small(init: Path, files: list[Path], seed: int, number: int) -> Shard:
    boards = small_boards(PageCells(**load_shards([files[number]])))
    return _see(init, boards, np.random.default_rng([seed, number]))


def _see(init: Path, boards: BoardCells, rng: np.random.Generator | None) -> Shard:
    """Return what the convolutions see of boards, varied if chance is given, and what it means.

    Returns:
        `seen` (n, 81, 80) float16, `target` (n, 81, 20) float32, and `counts` (n, 81) float32, 0
        for cells that do not count.
    """
    varied = boards.take(np.arange(len(boards.cells)))
    counts = np.ones(varied.digits.shape, np.float32)
    for number in range(len(varied.cells) if rng is not None else 0):
        assert rng is not None
        vary_board(rng, varied, number, counts)
    eye = _load_eye(init)
    cells = varied.cells.reshape(-1, *varied.cells.shape[2:])
    starts = range(0, len(cells), 100 * CELLS)
    seen = [run_network(eye, normalise_cells(cells[at : at + 100 * CELLS])) for at in starts]
    features = np.concatenate(seen).astype(np.float16).reshape(*counts.shape, -1)
    weights = weigh_kinds(boards)[varied.kinds()]
    return {"seen": features, "target": varied.target, "counts": counts * weights}


def _load_eye(init: Path) -> Any:
    """Return what sees single cells, (n, 32, 32, 1) to (n, 80)."""
    return _keep_eye(init, _version_of(init))


@lru_cache(maxsize=1)
def _keep_eye(init: Path, _version: str) -> Any:
    import keras

    network = keras.saving.load_model(init, compile=False)
    pooled = next(
        one for one in network.layers if isinstance(one, keras.layers.GlobalAveragePooling2D)
    )
    return keras.Model(network.input, pooled.output)


def _teach(
    recipe: RealBoardRecipe, init: Path, inputs: Float32, small: Shard, real: Shard, name: str
) -> Path:
    """Teach a network's block what is seen of small and of real photos, and export it.

    Args:
        recipe: of the run.
        init: the network.
        inputs: on which the engines are compared.
        small: as `_see` returns it.
        real: likewise.
        name: of the network that is written, without `-boards`.
    """
    import keras

    keras.utils.set_random_seed(recipe.seed)
    network = keras.saving.load_model(init, compile=False)
    block = _block_of(network)
    rate = falling_rate(recipe, _WARM_UP)
    block.compile(keras.optimizers.AdamW(rate, weight_decay=1e-3, clipnorm=1.0), marginal_loss)
    n_real = round(_REAL_SHARE * recipe.batch)

    def draw(rng: np.random.Generator, _: float) -> tuple[Any, Any, Any]:
        shown = _SHOWN_CELLS[int(rng.integers(len(_SHOWN_CELLS)))]
        parts = [
            _draw_some(rng, small, recipe.batch - n_real, shown),
            _draw_some(rng, real, n_real, shown),
        ]
        seen, target, counts = (np.concatenate(one) for one in zip(*parts, strict=True))
        return seen.astype(np.float32), target.reshape(-1, CLASSES + 1), counts.ravel()

    out = recipe.out.with_name(f"{name}-boards")
    run = replace(recipe, out=out.with_name(f"{out.name}-run-{_version_of(init)}"), init=None)
    run_steps(run, block, draw, None, _TOLD_EVERY)
    return export(network, out, recipe.temperature, inputs)


def _draw_some(
    rng: np.random.Generator, boards: Shard, count: int, shown: int
) -> tuple[Any, Any, Any]:
    """Return what is seen of some cells of some boards, what it means, and what each counts."""
    chosen = rng.integers(len(boards["seen"]), size=(count, 1))
    cells = rng.permuted(np.tile(np.arange(CELLS), (count, 1)), axis=1)[:, :shown]
    seen, target, counts = (boards[name][chosen, cells] for name in ("seen", "target", "counts"))
    return seen, target, counts


def _block_of(network: Any) -> Any:
    """Return what sees cells beside each other, (b, n, 80) to (b · n, 19), with its weights."""
    from keras import Input, Model, layers, ops

    kinds = (layers.LayerNormalization, layers.MultiHeadAttention, layers.Dense)
    norms, (attention,), denses = (
        [layer for layer in network.layers if isinstance(layer, kind)] for kind in kinds
    )
    seen = x = Input((None, denses[1].units))
    beside = norms[0](x)
    x = layers.Add()([x, attention(beside, beside)])
    x = layers.Add()([x, denses[1](denses[0](norms[1](x)))])
    return Model(seen, ops.reshape(network.get_layer(OUTPUT_LAYER)(x), (-1, CLASSES)))


main = training_command(
    __spec__, "Teach the reader of boards real photos.", RealBoardRecipe, train, None
)
"""Runs the command line."""


if __name__ == "__main__":
    sys.exit(main())
