"""Trains the symbol network on kept cells, with checkpoints from which it goes on.

    python -m training.symbols.symbol_cells build/symbols --shards 64
    python -m training.symbols.train_symbols --out build/symbols/net
    python -m training.symbols.train_symbols --out build/symbols/net --export

The last command puts the network in its place, models/weights, for both engines. The same command
again goes on from the last checkpoint.
"""

import argparse
import logging
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from models.digits import normalise_cells
from models.engine import WEIGHTS_DIR
from models.symbol_reader import (
    CLASSES,
    EMPTY,
    NO_SYMBOL,
    OUTPUT_LAYER,
    build_symbol_net,
    class_of,
)
from training.shard_runs import (
    ShardRecipe,
    load_shards,
    make_optimizer,
    put_in_place,
    run_command,
    run_steps,
    smooth_entropy,
    split_shards,
)
from training.symbols.symbol_cells import SymbolCells

logger = logging.getLogger(__name__)

Image8 = npt.NDArray[np.uint8]
Float32 = npt.NDArray[np.float32]

PARITY: Final = 5e-3
"""Largest difference of any probability that 16-bit weights may make."""

_WARM_UP: Final = 200
"""Steps in which the rate rises."""
_SMOOTHING: Final = 0.03
"""Share of an answer that is spread over all classes, so that none is ever out of the question."""
_EMPTY_SHARE: Final = 0.2
"""Of the examples, that are empty cells."""
_TURNED: Final = 0.2
"""Share of the symbols that lie on a side or upside down."""
_HELD_OUT: Final = 2
"""Shards that are not learnt from; the last ones."""
_TOLD_EVERY: Final = 200

_ALIKE_UPSIDE_DOWN: Final = frozenset(class_of(one) for one in "0158HIMNOSWX") | {class_of("11")}
"""Symbols that a half turn leaves as they are, or nearly, or that it makes another one."""
_ALIKE_ASIDE: Final = frozenset(class_of(one) for one in "01CHINOUX")
"""The same of a quarter turn."""
_SIX, _NINE = class_of("6"), class_of("9")


@dataclass(frozen=True)
class SymbolRecipe(ShardRecipe):
    """Everything that decides how a run comes out.

    Attributes:
        threads: of the processor.
    """

    samples: Path = Path("build/symbols")
    steps: int = 9000
    batch: int = 256
    rate: float = 3e-3
    threads: int = 2


class CellTask(NamedTuple):
    """What a network of cells learns; class 0 is empty, and the last is none of the others.

    Attributes:
        name: of the shards and of the weights.
        classes: how many there are.
        build: returns the network, untrained.
        tell_turned: takes a class and quarter turns, and returns the class that a cell has then;
            None where it may still be taken for itself.
        astray_share: of the examples, that are none of the classes.
        slant: standard deviation of how far examples lean, shift by height.
    """

    name: str
    classes: int
    build: Callable[[], Any]
    tell_turned: Callable[[int, int], int | None]
    astray_share: float
    slant: float = 0.0


class CellPool:
    """Cells from which batches are drawn, symbols that are rare as often as others."""

    def __init__(self, samples: SymbolCells, task: CellTask) -> None:
        """Sort the cells by class."""
        self._samples, self._task = samples, task
        members = [np.flatnonzero(samples.classes == one) for one in range(task.classes)]
        self._empty, self._astray = members[EMPTY], members[-1]
        self._known = [one for one in members[EMPTY + 1 : -1] if len(one)]
        self._filled = np.concatenate(self._known)

    def draw_batch(self, batch: int, rng: np.random.Generator) -> tuple[Float32, Float32]:
        """Return cells as the network takes them, (b, 32, 32, 1), and their classes, (b,)."""
        n_empty, n_astray = round(_EMPTY_SHARE * batch), round(self._task.astray_share * batch)
        n_even = (batch - n_empty - n_astray) // 2
        kinds = rng.integers(len(self._known), size=n_even)
        chosen = [
            rng.choice(self._empty, n_empty) if len(self._empty) else self._empty,
            rng.choice(self._astray, n_astray) if len(self._astray) else self._astray,
            np.array([rng.choice(self._known[kind]) for kind in kinds]),
        ]
        chosen.append(rng.choice(self._filled, batch - sum(map(len, chosen))))
        index = np.concatenate(chosen)
        cells, classes = self._samples.cells[index], self._samples.classes[index].copy()
        turns = np.where(rng.random(batch) < _TURNED, rng.integers(1, 4, batch), 0)
        for place in np.flatnonzero(turns).tolist():
            told = self._task.tell_turned(int(classes[place]), int(turns[place]))
            if told is not None:
                cells[place], classes[place] = np.rot90(cells[place], turns[place]), told
        if self._task.slant:
            cells = lean(cells, rng.normal(0, self._task.slant, len(cells)))
        return normalise_cells(vary(cells, rng)), classes.astype(np.float32)


def tell_turned(told: int, turns: int) -> int | None:
    """Return the class of a cell after quarter turns; None if it may still be taken for itself."""
    if told in (EMPTY, NO_SYMBOL):
        return told
    if turns == 2 and told in (_SIX, _NINE):
        return _NINE if told == _SIX else _SIX
    alike = _ALIKE_UPSIDE_DOWN if turns == 2 else _ALIKE_ASIDE
    return None if told in alike else NO_SYMBOL


def lean(cells: Image8, slants: npt.NDArray[np.float64]) -> Image8:
    """Return cells, (k, s, s), whose content leans by (k,) shifts by height, as italics do."""
    leaning = np.empty_like(cells)
    size = cells.shape[1:]
    for place, slant in enumerate(slants.tolist()):
        matrix = np.array([[1, slant, -slant * (size[0] - 1) / 2], [0, 1, 0]])
        cv2.warpAffine(cells[place], matrix, size, leaning[place], borderMode=cv2.BORDER_REPLICATE)
    return leaning


def vary(cells: Image8, rng: np.random.Generator) -> Image8:
    """Return cells with other contrast, noise and polarity, some of them moved by a pixel."""
    shape = (len(cells), 1, 1)
    picture = cells.astype(np.float32)
    moved = rng.random(len(cells)) < 0.3
    for place in np.flatnonzero(moved).tolist():
        picture[place] = np.roll(picture[place], rng.integers(-1, 2, 2), axis=(0, 1))
    middle = picture.mean(axis=(1, 2), keepdims=True)
    picture = middle + (picture - middle) * rng.uniform(0.5, 1.1, shape)
    strength = rng.uniform(0, 1, shape) ** 3 * 9
    picture += strength * rng.standard_normal(picture.shape, np.float32)
    picture = np.where(rng.random(shape) < 0.05, 255 - picture, picture)
    return np.asarray(np.clip(picture, 0, 255), np.uint8)


def compute_loss(classes: Any, probabilities: Any) -> Any:
    """Return the mean cross entropy of a batch, with a share that asks for every class."""
    return smooth_entropy(classes, probabilities, _SMOOTHING)


def train(task: CellTask, recipe: SymbolRecipe) -> Path:
    """Train, or go on training; return the file of the network.

    Raises:
        FileNotFoundError: if there are too few samples.
        RuntimeError: if the loss is no number any more.
    """
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    os.environ["TF_NUM_INTRAOP_THREADS"] = str(recipe.threads)
    import keras

    parts = split_shards(recipe.samples, task.name, _HELD_OUT)
    samples, unseen = (SymbolCells(**load_shards(files)) for files in parts)
    logger.info("%d cells", len(samples.classes))
    pool = CellPool(samples, task)
    keras.utils.set_random_seed(recipe.seed)
    network = task.build()
    optimizer = make_optimizer(recipe, network, _WARM_UP, [OUTPUT_LAYER])
    network.compile(optimizer, compute_loss, jit_compile=False)
    return run_steps(
        recipe,
        network,
        partial(pool.draw_batch, recipe.batch),
        partial(score, network, unseen, task.classes - 1),
        _TOLD_EVERY,
    )


def score(network: Any, samples: SymbolCells, astray: int) -> str:
    """Return in words how much of the samples a network reads right."""
    cells = normalise_cells(samples.cells)
    told = np.concatenate(
        [
            np.asarray(network(cells[at : at + 512], training=False)).argmax(axis=1)
            for at in range(0, len(cells), 512)
        ]
    )
    right = told == samples.classes
    kinds = {
        "empty": samples.classes == EMPTY,
        "symbols": (samples.classes > EMPTY) & (samples.classes < astray),
        "astray": samples.classes == astray,
    }
    return ", ".join(
        f"{name} {right[kind].mean():.4f}" for name, kind in kinds.items() if kind.any()
    )


def export(task: CellTask, trained: Path, samples: Path, folder: Path = WEIGHTS_DIR) -> float:
    """Write a trained network for both engines.

    Returns:
        The largest difference between the engines over cells of the samples.

    Raises:
        models.export.ParityError: if it is above `PARITY`.
    """
    inputs = normalise_cells(load_shards(split_shards(samples, task.name, 0)[0][:1])["cells"][:512])
    return put_in_place(trained, task.name, inputs, folder, PARITY)


SYMBOL_TASK: Final = CellTask("symbols", CLASSES, build_symbol_net, tell_turned, astray_share=0.04)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m training.symbols.train_symbols", description="Train the symbol network."
    )
    learn, put = partial(train, SYMBOL_TASK), partial(export, SYMBOL_TASK)
    return run_command(parser, SymbolRecipe, learn, put, arguments)


if __name__ == "__main__":
    sys.exit(main())
