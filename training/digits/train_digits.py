"""Trains the digit reader: one command a run, seeded, resumable, with its log beside the result.

The shipped networks, from the data folder alone (figures in docs/model_card_digits.md):

    python -m training.digits.train_digits --data svhn,rendered,handwritten,pages,small \
        --pages 240 --small 4800 --epochs 40 --learning-rate 2e-3 --out build/digits/base
    python -m training.digits.train_digits --data svhn,rendered,handwritten,real,pages,small \
        --pages 240 --small 4800 --init build/digits/base.keras --epochs 10 \
        --learning-rate 1e-3 --out build/digits/all
    python -m training.digits.train_digit_kinds --pages 240 --small 4800 \
        --init build/digits/all.keras --out build/digits/kinds
    python -m training.digits.train_digits --data small --small 4800 --epochs 40 \
        --learning-rate 2e-3 --out build/digits/small
"""

import argparse
import logging
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from models.digits import OUTPUT_LAYER, normalise_cells
from models.export import export_litert, round_weights, set_temperature
from training.digits.cell_pools import (
    Pool,
    draw_epoch,
    photo_pools,
    real_pools,
    render_pool,
    svhn_pool,
)
from training.digits.drawn_cells import Content
from training.digits.photo_cells import RealCells, load_real_cells
from training.shard_runs import add_fields, start_log

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


@dataclass(frozen=True)
class DigitRecipe:
    """Everything that decides how a run comes out.

    Attributes:
        data: of `DATA_KINDS`, with commas between.
        out: path without ending.
        fold: of photos that are left out, and scored on.
        init: `.keras` file to start from.
        epoch_cells: of an epoch.
        pool_cells: drawn of each of the larger contents.
        pages: rendered pages to cut.
        small: small photos of one board to cut.
        temperature: of the answers of the network that is written at the end.
        stop_after: leave off after this epoch; the same recipe without it goes on.
    """

    data: tuple[str, ...]
    out: Path
    fold: int | None = None
    init: Path | None = None
    epochs: int = 20
    epoch_cells: int = 60_000
    pool_cells: int = 120_000
    pages: int = 160
    small: int = 2400
    batch: int = 256
    learning_rate: float = 2e-3
    seed: int = 0
    temperature: float = 1.0
    stop_after: int | None = None
    data_root: Path = Path("../shared/data")
    cache: Path = Path("build/digits/pools")


def train(recipe: DigitRecipe) -> Path | None:
    """Run a recipe to its end, from its last checkpoint if there is one.

    Writes `<out>.keras`, `<out>.tflite` and `<out>.log`; checkpoints lie in `<out>.checkpoints`.

    Returns:
        The path of the `.tflite` file, or None where the recipe says to leave off before the end.

    Raises:
        models.export.ParityError: if LiteRT does not compute what Keras does.
    """
    real = _load_real(recipe)
    pools = _load_pools(recipe, real)
    shares = _SVHN_ALONE if recipe.data == ("svhn",) else _SHARES
    import keras

    from models.digits import build_digits_net, marginal_loss

    keras.utils.set_random_seed(recipe.seed)
    start, model = _resume(recipe)
    if model is None:
        model = build_digits_net() if recipe.init is None else _load_model(recipe.init)
        steps = recipe.epochs * (recipe.epoch_cells // recipe.batch)
        rate = keras.optimizers.schedules.CosineDecay(
            recipe.learning_rate / 20,
            steps,
            warmup_target=recipe.learning_rate,
            warmup_steps=min(200, steps // 10),
        )
        optimizer = keras.optimizers.AdamW(rate, weight_decay=1e-3, clipnorm=1.0)
        model.compile(optimizer, loss=marginal_loss)
    for epoch in range(start, recipe.epochs):
        began = time.perf_counter()
        # A run that goes on with another's weights, for another number of epochs, sees other cells.
        rng = np.random.default_rng([recipe.seed, epoch, recipe.epochs])
        cells, target = draw_epoch(rng, pools, shares, recipe.epoch_cells)
        inputs = normalise_cells(cells)
        history = model.fit(inputs, target, recipe.batch, epochs=1, verbose=0, shuffle=False)
        logger.info(
            "epoch %d/%d loss %.4f%s, %.0f s",
            epoch + 1,
            recipe.epochs,
            history.history["loss"][0],
            _score_held_out(model, real, recipe.fold),
            time.perf_counter() - began,
        )
        _save_checkpoint(recipe, model, epoch + 1)
        if epoch + 1 == recipe.stop_after:
            return None
    return export(model, recipe.out, recipe.temperature, inputs_for_parity(real, pools))


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
        best = np.asarray(model(inputs, training=False)).argmax(axis=1)
        digits = np.where(best > 9, best - 9, best)
        keep[index] = (digits != real.digits[index]).mean() <= _MISREAD_SHARE
    return keep


def _load_real(recipe: DigitRecipe) -> RealCells | None:
    if "real" not in recipe.data and recipe.fold is None:
        return None
    return load_real_cells(recipe.data_root / "photos", recipe.cache)


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
        pools[content] = render_pool(
            content, count, recipe.seed, digits_dir, recipe.cache, mnist and content != "blank"
        )
    if "svhn" in recipe.data:
        pools["svhn"] = svhn_pool(digits_dir)
    if "pages" in recipe.data:
        pools |= photo_pools("pages", recipe.pages, recipe.seed, digits_dir, recipe.cache)
    if "small" in recipe.data:
        pools |= photo_pools("small", recipe.small, recipe.seed, digits_dir, recipe.cache)
    if "real" in recipe.data and real is not None:
        chosen = np.ones(len(real.cells), bool)
        if recipe.fold is not None:
            chosen &= real.fold != recipe.fold
        if recipe.init is not None:
            chosen &= drop_mislabelled(real, _load_model(recipe.init))
        logger.info("real photos: %d of %d", chosen.sum(), len(chosen))
        pools |= real_pools(real, chosen)
    logger.info("pools: %s", {name: len(pool) for name, pool in pools.items()})
    return pools


def _score_held_out(model: Any, real: RealCells | None, fold: int | None) -> str:
    """Return the accuracy on filled and empty cells of the fold that is not trained on, as text."""
    if real is None or fold is None:
        return ""
    held = real.fold == fold
    best = model.predict(
        normalise_cells(real.cells[held, 0].reshape(-1, 32, 32)), batch_size=1024, verbose=0
    ).argmax(axis=1)
    digits, truth = np.where(best > 9, best - 9, best), real.digits[held].reshape(-1)
    source = np.repeat(real.source[held], 81)
    text = ""
    for name in np.unique(source):
        right = (digits == truth)[(source == name) & (truth > 0)].mean()
        blank = (digits == truth)[(source == name) & (truth == 0)].mean()
        text += f", {name} {right:.4f}/{blank:.4f}"
    return text


def _checkpoints(recipe: DigitRecipe) -> Path:
    return recipe.out.with_name(recipe.out.name + ".checkpoints")


def _resume(recipe: DigitRecipe) -> tuple[int, Any]:
    saved = sorted(_checkpoints(recipe).glob("epoch_*.keras"))
    if not saved:
        return 0, None
    epoch = int(saved[-1].stem.split("_")[1])
    logger.info("going on after epoch %d", epoch)
    return epoch, _load_model(saved[-1])


def _save_checkpoint(recipe: DigitRecipe, model: Any, epoch: int) -> None:
    folder = _checkpoints(recipe)
    folder.mkdir(parents=True, exist_ok=True)
    older = list(folder.glob("epoch_*.keras"))
    draft = folder / "draft.keras"
    model.save(draft)
    draft.replace(folder / f"epoch_{epoch:03}.keras")
    for path in older:
        if path.name != f"epoch_{epoch:03}.keras":
            path.unlink()


def _load_model(path: Path) -> Any:
    import keras

    from models.digits import marginal_loss

    return keras.saving.load_model(path, custom_objects={"marginal_loss": marginal_loss})


def export(model: Any, out: Path, temperature: float, inputs: npt.NDArray[np.float32]) -> Path:
    """Write a trained network for both engines; return the path of the `.tflite` file.

    Args:
        model: the Keras network.
        out: path without ending.
        temperature: of its answers.
        inputs: on which the engines are compared.

    Raises:
        models.export.ParityError: if LiteRT does not compute what Keras does.
    """
    import keras

    keras_path = out.with_suffix(".keras")
    keras_path.parent.mkdir(parents=True, exist_ok=True)
    bare = keras.Model.from_config(model.get_config())  # without optimizer: a third of the size
    bare.set_weights(model.get_weights())
    set_temperature(bare.get_layer(OUTPUT_LAYER), temperature)
    round_weights(bare)
    bare.save(keras_path)
    tflite_path = out.with_suffix(".tflite")
    difference = export_litert(keras_path, tflite_path, inputs, is_half=True)
    logger.info("%s: engines differ by %.1e at most", tflite_path, difference)
    return tflite_path


def _parse_arguments() -> DigitRecipe:
    parser = argparse.ArgumentParser(description="Train the digit reader.")
    add_fields(parser, DigitRecipe)
    parser.add_argument("--threads", type=int, default=2)
    arguments = vars(parser.parse_args())
    if unknown := set(arguments["data"]) - set(DATA_KINDS):
        parser.error(f"--data: unknown {sorted(unknown)}, choose of {DATA_KINDS}")
    threads = str(arguments.pop("threads"))
    os.environ["TF_NUM_INTRAOP_THREADS"] = threads
    os.environ["OMP_NUM_THREADS"] = threads
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    return DigitRecipe(**arguments)


def main() -> None:
    """Run the command line."""
    recipe = _parse_arguments()
    start_log(recipe.out)
    logger.info("%s", recipe)
    train(recipe)


if __name__ == "__main__":
    main()
