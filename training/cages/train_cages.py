"""Trains the cage network on kept samples, with checkpoints from which it goes on.

    python -m training.cages.cage_samples build/cages --shards 70
    python -m training.cages.train_cages --out build/cages/base --steps 3600
    python -m training.cages.train_cages --out build/cages/all --init build/cages/base.keras \
        --steps 3000 --rate 2e-3
    python -m training.cages.train_cages --out build/cages/all --export

The last command puts the network in its place, models/weights, for both engines. The same command
again goes on from the last checkpoint.
"""

import argparse
import logging
import math
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from models.cages.cage_crops import MOST_SUM, normalise_crops, split_outputs
from models.cages.cage_net import OUTPUT_LAYERS, build_cage_net
from models.engine import WEIGHTS_DIR
from models.export import export_litert
from training.cages.cage_samples import CageSamples, load_shard
from training.run_log import start_log

logger = logging.getLogger(__name__)

Float32 = npt.NDArray[np.float32]

PARITY: Final = 0.1
"""Largest difference of any logit that 16-bit weights may make."""

_WARM_UP: Final = 100
"""Steps in which the rate rises."""
_WITH_SUM: Final = 0.7
"""Share of the examples with a sum: two cells of three have none."""
_TURNED: Final = 0.2
"""Share of the examples that lie on a side, where no sum stands in the top left corner."""
_WALL_WEIGHT: Final = 4.0
"""Of the loss of walls, beside that of sums."""
_HELD_OUT: Final = 1
"""Shards that are not learnt from; the last ones."""
_TOLD_EVERY: Final = 100


@dataclass(frozen=True)
class CageRecipe:
    """Everything that decides how a run comes out.

    Attributes:
        out: the network is written to `OUT.keras`, the checkpoint to `OUT.npz`.
        init: network whose weights it begins with; random ones when None.
        samples: folder of the shards.
        steps: in all.
        batch: examples in a step.
        rate: highest learning rate.
        seed: of weights and examples.
        save_every: steps between checkpoints.
    """

    out: Path
    init: Path | None = None
    samples: Path = Path("build/cages")
    steps: int = 5000
    batch: int = 96
    rate: float = 4e-3
    seed: int = 0
    save_every: int = 250


def draw_batch(
    samples: CageSamples, with_sum: npt.NDArray[np.int64], batch: int, rng: np.random.Generator
) -> tuple[Float32, Float32]:
    """Return crops as the network takes them, (b, 72, 72, 1), and sum and walls, (b, 5)."""
    chosen = rng.integers(len(samples.sums), size=batch)
    count = round(_WITH_SUM * batch)
    chosen[:count] = rng.choice(with_sum, count)
    crops, sums, walls = samples.crops[chosen], samples.sums[chosen], samples.walls[chosen]
    turns = np.where(rng.random(batch) < _TURNED, rng.integers(1, 4, batch), 0)
    for index in np.flatnonzero(turns).tolist():
        turn = int(turns[index])
        crops[index], sums[index] = np.rot90(crops[index], turn), 0
        walls[index] = np.roll(walls[index], -turn)
    targets = np.column_stack([sums, walls]).astype(np.float32)
    return normalise_crops(crops), targets


def compute_loss(targets: Any, logits: Any) -> Any:
    """Return the mean loss of a batch: cross entropy of the sums and of the walls."""
    from keras import ops

    sums = ops.sparse_categorical_crossentropy(
        ops.cast(targets[:, 0], "int32"), logits[:, : MOST_SUM + 1], from_logits=True
    )
    walls = ops.binary_crossentropy(targets[:, 1:], logits[:, MOST_SUM + 1 :], from_logits=True)
    return ops.mean(sums) + _WALL_WEIGHT * ops.mean(walls)


def train(recipe: CageRecipe) -> Path:
    """Train, or go on training; return the file of the network.

    Raises:
        FileNotFoundError: if there are too few samples.
        RuntimeError: if the loss is no number any more.
    """
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    import keras

    files = sorted(recipe.samples.glob("cages-*[0-9].npz"))
    if len(files) <= _HELD_OUT:
        raise FileNotFoundError(f"{len(files)} shards in {recipe.samples}; draw more of them first")
    samples, held_out = _join(files[:-_HELD_OUT]), _join(files[-_HELD_OUT:])
    with_sum = np.flatnonzero(samples.sums)
    logger.info("%d cells, %d with sums", len(samples.sums), len(with_sum))
    keras.utils.set_random_seed(recipe.seed)
    network = build_cage_net()
    if recipe.init is not None:
        network.set_weights(keras.saving.load_model(recipe.init, compile=False).get_weights())
    rate = keras.optimizers.schedules.CosineDecay(
        0.0, max(recipe.steps - _WARM_UP, 1), 0.01, warmup_target=recipe.rate, warmup_steps=_WARM_UP
    )
    optimizer = keras.optimizers.Muon(rate, exclude_layers=list(OUTPUT_LAYERS), clipnorm=5.0)
    optimizer.build(network.trainable_variables)
    network.compile(optimizer, compute_loss, jit_compile=False)
    step = _load_checkpoint(recipe, network, optimizer)
    start = time.perf_counter()
    while step < recipe.steps:
        rng = np.random.default_rng([recipe.seed, step])
        loss = network.train_on_batch(*draw_batch(samples, with_sum, recipe.batch, rng))
        if not math.isfinite(loss):
            raise RuntimeError(f"the loss is {loss} at step {step}; lower --rate")
        step += 1
        if step % _TOLD_EVERY == 0:
            logger.info("%d  loss %.4f  %.0f s", step, loss, time.perf_counter() - start)
            network.reset_metrics()
        if step % recipe.save_every == 0 or step == recipe.steps:
            _save_checkpoint(recipe, network, optimizer, step)
            logger.info("held out: %s", score(network, held_out))
    return recipe.out.with_suffix(".keras")


def score(network: Any, samples: CageSamples) -> str:
    """Return in words how much of the samples a network reads right."""
    crops = normalise_crops(samples.crops)
    logits = np.concatenate(
        [
            np.asarray(network(crops[at : at + 512], training=False))
            for at in range(0, len(crops), 512)
        ]
    )
    seen = split_outputs(logits)
    right = seen.sums.argmax(axis=1) == samples.sums
    walls = ((seen.walls > 0.5) == samples.walls).mean()
    has_sum = samples.sums > 0
    return f"sums {right[has_sum].mean():.4f}, none {right[~has_sum].mean():.4f}, walls {walls:.5f}"


def export(trained: Path, samples: Path, folder: Path = WEIGHTS_DIR) -> float:
    """Write a trained network for both engines.

    Returns:
        The largest difference between the engines over crops of the samples.

    Raises:
        models.export.ParityError: if it is above `PARITY`.
    """
    import keras

    model: Any = keras.saving.load_model(trained, compile=False)
    inputs = normalise_crops(load_shard(sorted(samples.glob("cages-*[0-9].npz"))[0]).crops[:324])
    draft = folder / "cages.draft.keras"
    model.save(draft)
    try:
        tflite = folder / "cages.tflite"
        difference = export_litert(draft, tflite, inputs, is_half=True, most=PARITY)
        draft.replace(folder / "cages.keras")
    finally:
        draft.unlink(missing_ok=True)
    return difference


def _join(files: Sequence[Path]) -> CageSamples:
    shards = [load_shard(file) for file in files]
    return CageSamples(
        np.concatenate([shard.crops for shard in shards]),
        np.concatenate([shard.sums for shard in shards]),
        np.concatenate([shard.walls for shard in shards]),
    )


def _save_checkpoint(recipe: CageRecipe, network: Any, optimizer: Any, step: int) -> None:
    from keras import ops

    arrays = {f"weight{number}": one for number, one in enumerate(network.get_weights())}
    state = [ops.convert_to_numpy(variable) for variable in optimizer.variables]
    arrays |= {f"state{number}": one for number, one in enumerate(state)}
    checkpoint = recipe.out.with_suffix(".npz")
    unfinished = checkpoint.with_suffix(".part.npz")
    np.savez(unfinished, step=step, **arrays)
    part = recipe.out.with_suffix(".part.keras")
    network.save(part)
    part.replace(recipe.out.with_suffix(".keras"))
    unfinished.replace(checkpoint)


def _load_checkpoint(recipe: CageRecipe, network: Any, optimizer: Any) -> int:
    """Take over a checkpoint, if there is one; return the steps that it has behind it."""
    checkpoint = recipe.out.with_suffix(".npz")
    if not checkpoint.exists():
        return 0
    with np.load(checkpoint) as stored:
        network.set_weights([stored[f"weight{n}"] for n in range(len(network.get_weights()))])
        for number, variable in enumerate(optimizer.variables):
            variable.assign(stored[f"state{number}"])
        step = int(stored["step"])
    logger.info("going on from step %d", step)
    return step


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m training.cages.train_cages", description="Train the cage network."
    )
    parser.add_argument("--out", type=Path, required=True, help="name of the network's files")
    parser.add_argument("--init", type=Path, help="a .keras file whose weights it begins with")
    parser.add_argument("--samples", type=Path, default=CageRecipe.samples)
    parser.add_argument("--steps", type=int, default=CageRecipe.steps)
    parser.add_argument("--batch", type=int, default=CageRecipe.batch)
    parser.add_argument("--rate", type=float, default=CageRecipe.rate)
    parser.add_argument("--seed", type=int, default=CageRecipe.seed)
    parser.add_argument("--save-every", type=int, default=CageRecipe.save_every)
    parser.add_argument("--export", action="store_true", help="put it in its place")
    options = vars(parser.parse_args(arguments))
    is_export = options.pop("export")
    recipe = CageRecipe(**options)
    start_log(recipe.out)
    try:
        if is_export:
            difference = export(recipe.out.with_suffix(".keras"), recipe.samples)
            print(f"{WEIGHTS_DIR / 'cages.tflite'}: the engines differ by {difference:.1e}")
        else:
            print(train(recipe))
    except (FileNotFoundError, IndexError, ValueError) as error:
        print(error, file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
