"""Trains the digit reader: one command a run, seeded, resumable, with its log beside the result.

The shipped networks, from the data folder alone (figures in docs/model_card_digits.md):

    python -m training.digits.train_digits --data svhn,rendered,handwritten,pages,small \
        --pages 240 --small 4800 --steps 9400 --out build/digits/base
    python -m training.digits.train_digits --pages 240 --small 4800 \
        --init build/digits/base.keras --steps 2350 --rate 1e-3 --out build/digits/all
    python -m training.digits.train_digit_kinds --pages 240 --small 4800 \
        --init build/digits/all.keras --out build/digits/kinds
    python -m training.digits.train_digits --data small --small 4800 --steps 9400 \
        --out build/digits/small
"""

import logging
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from models.digits import OUTPUT_LAYER, normalise_cells
from models.engine import Float32
from models.export import put_in_place, set_temperature
from training.digits.cell_pools import (
    Pool,
    draw_cells,
    photo_pools,
    real_pools,
    render_pool,
    svhn_pool,
)
from training.digits.drawn_cells import Content
from training.digits.photo_cells import PhotoKind, RealCells, load_real_cells
from training.shard_runs import ShardRecipe, falling_rate, run_network, run_steps
from training.training_command import training_command

logger = logging.getLogger(__name__)

DATA_KINDS: Final = ("svhn", "rendered", "handwritten", "real", "pages", "small")

_MISREAD_SHARE: Final = 0.2
"""A donshel board of which the starting network misreads more has a wrong automatic label."""

_SHARES: Final[dict[str, float]] = {
    "svhn": 0.12,
    "blank": 0.08,
    "printed": 0.42,
    "dirty": 0.08,
    "candidates": 0.10,
    "written": 0.20,
    "wichtounet_filled": 0.12,
    "wichtounet_empty": 0.05,
    "alexkubiesa_filled": 0.12,
    "alexkubiesa_empty": 0.09,
    "donshel_filled": 0.14,
    "donshel_empty": 0.07,
    "others_filled": 0.05,
    "others_empty": 0.02,
    "pages_printed": 0.25,
    "pages_written": 0.25,
    "pages_empty": 0.2,
    "small_printed": 0.5,
    "small_written": 0.2,
    "small_empty": 0.2,
}
_SVHN_ALONE: Final = {"svhn": 0.7, "blank": 0.3}


_WARM_UP: Final = 200
"""Steps in which the rate rises."""
_TOLD_EVERY: Final = 235


@dataclass(frozen=True)
class DigitRecipe(ShardRecipe):
    """Everything that decides how a run comes out.

    Attributes:
        samples: folder of the cells that were drawn and cut.
        data: of `DATA_KINDS`, with commas between.
        data_root: the data folder.
        fold: of photos that are left out, and scored on.
        pool_cells: drawn of each of the larger contents.
        pages: rendered pages to cut.
        small: small photos of one board to cut.
        temperature: of the answers of the network that is written at the end.
    """

    samples: Path = Path("build/digits/pools")
    steps: int = 4700
    batch: int = 256
    rate: float = 2e-3
    save_every: int = 235
    data: tuple[str, ...] = DATA_KINDS
    data_root: Path = Path("../shared/data")
    fold: int | None = None
    pool_cells: int = 120_000
    pages: int = 160
    small: int = 2400
    temperature: float = 1.0


def train(recipe: DigitRecipe) -> Path:
    """Run a recipe to its end, from its last checkpoint if there is one.

    Writes `<out>.keras`, `<out>.tflite` and `<out>.log`; checkpoints have `-run` behind the name.

    Returns:
        The path of the `.tflite` file.

    Raises:
        RuntimeError: if the loss is no number any more.
        ValueError: if there are no such data.
        models.export.ParityError: if LiteRT does not compute what Keras does.
    """
    if unknown := set(recipe.data) - set(DATA_KINDS):
        raise ValueError(f"--data: unknown {sorted(unknown)}, choose of {DATA_KINDS}")
    is_real = "real" in recipe.data or recipe.fold is not None
    real = load_real_cells(recipe.data_root / "photos", recipe.samples) if is_real else None
    pools = _load_pools(recipe, real)
    shares = _SVHN_ALONE if recipe.data == ("svhn",) else _SHARES
    import keras

    from models.digits import build_digits_net, marginal_loss

    keras.utils.set_random_seed(recipe.seed)
    network = build_digits_net()
    rate = falling_rate(recipe, _WARM_UP)
    network.compile(keras.optimizers.AdamW(rate, weight_decay=1e-3, clipnorm=1.0), marginal_loss)

    def draw(rng: np.random.Generator, _: float) -> tuple[Any, Any]:
        cells, target = draw_cells(rng, pools, shares, recipe.batch)
        return normalise_cells(cells), target

    run = replace(recipe, out=recipe.out.with_name(f"{recipe.out.name}-run"))
    run_steps(run, network, draw, lambda: _score_held_out(network, real, recipe.fold), _TOLD_EVERY)
    return export(network, recipe.out, recipe.temperature, inputs_for_parity(real, pools))


def inputs_for_parity(real: RealCells | None, pools: dict[str, Pool]) -> npt.NDArray[np.float32]:
    """Return normalised cells to hold both engines to: real ones if there are any."""
    if real is not None:
        step = max(1, len(real.cells) // 25)
        return normalise_cells(real.cells[::step, 0].reshape(-1, *real.cells.shape[-2:]))
    return normalise_cells(np.concatenate([pool.cells[:200] for pool in pools.values()]))


def drop_mislabelled(real: RealCells, model: Any) -> npt.NDArray[np.bool_]:
    """Return which photos to keep, (p,): all but donshel's that a network reads quite differently.

    Corners of these boards were found automatically; where they are off by a cell, every label is.
    """
    keep = np.ones(len(real.cells), bool)
    for index in np.flatnonzero(real.source == "donshel"):
        inputs = normalise_cells(real.cells[index, 0])
        digits = _tell_digits(np.asarray(model(inputs, training=False)))
        keep[index] = (digits != real.digits[index]).mean() <= _MISREAD_SHARE
    return keep


def _tell_digits(likely: Float32) -> npt.NDArray[np.intp]:
    """Return the likeliest digit of each cell, (n,), whoever wrote it."""
    best = likely.argmax(axis=1)
    return np.asarray(np.where(best > 9, best - 9, best))


def _load_pools(recipe: DigitRecipe, real: RealCells | None) -> dict[str, Pool]:
    digits_dir = recipe.data_root / "digits"
    mnist = "handwritten" in recipe.data
    contents: list[Content] = ["blank"]
    if "rendered" in recipe.data:
        contents += ["printed", "dirty", "candidates"]
    if mnist:
        contents += ["written"]
    pools: dict[str, Pool] = {}
    for content in contents:
        count = recipe.pool_cells if content in ("printed", "written") else recipe.pool_cells // 3
        is_copied = mnist and content != "blank"
        pools[content] = render_pool(
            content, count, recipe.seed, digits_dir, recipe.samples, is_copied
        )
    if "svhn" in recipe.data:
        pools["svhn"] = svhn_pool(digits_dir)
    photos: dict[PhotoKind, int] = {"pages": recipe.pages, "small": recipe.small}
    for kind, count in photos.items():
        if kind in recipe.data:
            pools |= photo_pools(kind, count, recipe.seed, digits_dir, recipe.samples)
    if "real" in recipe.data and real is not None:
        chosen = real.learnt(recipe.fold)
        if recipe.init is not None:
            import keras

            network = keras.saving.load_model(recipe.init, compile=False)
            chosen &= drop_mislabelled(real, network)
        logger.info("real photos: %d of %d", chosen.sum(), len(chosen))
        pools |= real_pools(real, chosen)
    logger.info("pools: %s", {name: len(pool) for name, pool in pools.items()})
    return pools


def _score_held_out(model: Any, real: RealCells | None, fold: int | None) -> str:
    """Return the accuracy on filled and empty cells of the fold that is not trained on, as text."""
    if real is None or fold is None:
        return "none"
    held = real.fold == fold
    inputs = normalise_cells(real.cells[held, 0].reshape(-1, 32, 32))
    is_right = _tell_digits(run_network(model, inputs)) == real.digits[held].reshape(-1)
    is_filled = real.digits[held].reshape(-1) > 0
    source = np.repeat(real.source[held], 81)
    return ", ".join(
        f"{name} {is_right[(source == name) & is_filled].mean():.4f}"
        f"/{is_right[(source == name) & ~is_filled].mean():.4f}"
        for name in np.unique(source)
    )


def export(model: Any, out: Path, temperature: float, inputs: npt.NDArray[np.float32]) -> Path:
    """Write a trained network for both engines; return the path of the `.tflite` file.

    Args:
        model: the Keras network; its weights are changed.
        out: path without ending.
        temperature: of its answers.
        inputs: on which the engines are compared.

    Raises:
        models.export.ParityError: if LiteRT does not compute what Keras does.
    """
    set_temperature(model.get_layer(OUTPUT_LAYER), temperature)
    trained = out.with_suffix(".keras")
    model.save(trained)
    difference = put_in_place(trained, out.name, inputs, out.parent)
    logger.info("%s: engines differ by %.1e at most", out, difference)
    return out.with_suffix(".tflite")


main = training_command(__spec__, "Train the digit reader.", DigitRecipe, train, None)
"""Runs the command line."""


if __name__ == "__main__":
    sys.exit(main())
