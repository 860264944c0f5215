"""Trains the symbol network on cells of boards of sides 10 to 25 that it draws and keeps.

    python -m training.symbols.train_symbols --out build/symbols/net --draw 64
    python -m training.symbols.train_symbols --out build/symbols/net
    python -m training.symbols.train_symbols --out build/symbols/net --export

The first command draws the samples, the last one puts the network in its place, models/weights,
for both engines. The same command again goes on from the last shard or checkpoint.
"""

import argparse
import logging
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
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
from training.pages.printed_board import (
    ALPHABETS,
    KindLook,
    choose_kind_look,
    print_board,
    print_symbol,
)
from training.pages.shape import Shape, box_regions
from training.rendered.large_digits import typefaces
from training.rendered.levels import LEVELS
from training.rendered.page_layout import lay_out_boards
from training.rendered.rendered_photos import choose_medium, shoot_page
from training.shard_runs import (
    Drawing,
    ShardRecipe,
    load_shards,
    make_optimizer,
    put_in_place,
    run_command,
    run_steps,
    smooth_entropy,
    split_shards,
)
from vision.board import cut_cells, cut_middles, move_lattice, rectify
from vision.digit_size import choose_zoom

logger = logging.getLogger(__name__)

Points = npt.NDArray[np.float32]
Image8 = npt.NDArray[np.uint8]
Float32 = npt.NDArray[np.float32]

SHARD_PHOTOS: Final = 20
"""Photos in a file."""
_SEED: Final = 2526
"""Sets these photos apart from all that are drawn elsewhere."""
_LEVELS: Final = (1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5)
_BOXES: Final = {10: (2, 5), 12: (3, 4), 16: (4, 4), 25: (5, 5)}
_SIDES: Final = (10, 12, 16, 16, 16, 25, 25)
"""A board of 25 has as many cells as six of 10, and symbols that no other has."""
_CELL_PX: Final = (17.0, 52.0)
"""Side of a cell in a photo; larger ones would be shrunk."""
_GIVEN: Final = (0.35, 0.75)
"""Share of the cells in which a symbol stands."""
_NUDGE: Final = 0.035
"""Cells by which a lattice lies aside, one standard deviation."""
_ASTRAY: Final = 0.06
"""Share of the boards that are cut a third of a cell aside or more, too."""
_DENOISED: Final = 0.2
"""Share of the boards that are cut from a denoised picture."""
_OTHER_FACE: Final = 0.3
"""Share of the boards in a typeface that rendered boards are not set in."""
_TINTED: Final = 0.2
"""Share of the boards whose boxes have coloured papers."""
_OTHER_FACES: Final = (
    "DejaVuSans-Oblique",
    "DejaVuSansMono-Bold",
    "DejaVuSansMono-Oblique",
    "DejaVuSerif-Italic",
    "DejaVuSerif-BoldItalic",
    "STIXGeneralItalic",
    "STIXGeneralBolIta",
    "cmtt10",
    "cmti10",
)
"""Of those that come with matplotlib."""
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


class SymbolCells(NamedTuple):
    """Cells, and what stands in them.

    Attributes:
        cells: (k, 32, 32) uint8.
        classes: (k,) uint8, as `models.symbol_reader` numbers them.
    """

    cells: Image8
    classes: npt.NDArray[np.uint8]


def draw_cells(seed: int) -> SymbolCells:
    """Return the cells of a photo of a board whose symbols are drawn evenly, fitting or not."""
    rng = np.random.default_rng([_SEED, seed])
    level = LEVELS[int(rng.choice(_LEVELS))]
    medium = choose_medium(level, rng)
    side = int(rng.choice(_SIDES))
    regions = box_regions(*_BOXES[side])
    look = _vary_look(choose_kind_look(Shape("classic", regions), medium, rng), side, rng)
    values = rng.integers(1, side + 1, (side, side)).astype(np.uint8)
    values[rng.random((side, side)) >= rng.uniform(*_GIVEN)] = 0
    cell_px = float(np.exp(rng.uniform(*np.log(_CELL_PX))))
    short_side = round(side * cell_px / 0.9)
    size = (round(1.15 * short_side), short_side)
    # Colours of papers are printed for what has regions of its own.
    shape = Shape("jigsaw" if look.region_colours else "classic", regions)
    printed = print_board(shape, values, (), round(1.05 * side * cell_px), look)
    page = lay_out_boards([printed.image], [printed.lattices[0]], 1, 0.12, rng, "nothing")
    shot = shoot_page(page, medium, replace(level, least_cell_px=16), size, 0.9, rng)
    symbols = [
        print_symbol(value, look.alphabet) if value else "" for value in values.ravel().tolist()
    ]
    classes = np.array([class_of(symbol) for symbol in symbols], np.uint8)
    return cut_samples(shot.photo, shot.lattices[0], classes, NO_SYMBOL, rng)


def cut_samples(
    photo: Image8,
    lattice: Points,
    classes: npt.NDArray[np.uint8],
    astray: int,
    rng: np.random.Generator,
) -> SymbolCells:
    """Return the cells of a board, of some boards also from a lattice far aside.

    Args:
        photo: (H, W, 3) BGR uint8.
        lattice: (n + 1, n + 1, 2) float32 in its pixels.
        classes: (n²,) uint8 of its cells.
        astray: class of cells that are cut far aside.
        rng: chooses how.
    """
    parts = [(_cut(photo, lattice, _NUDGE, rng), classes)]
    if rng.random() < _ASTRAY:
        aside = move_lattice(lattice, *_stray(rng))
        parts.append((_cut(photo, aside, 0, rng), np.full_like(classes, astray)))
    cells, told = (np.concatenate(part) for part in zip(*parts, strict=True))
    return SymbolCells(cells, told)


def _vary_look(look: KindLook, side: int, rng: np.random.Generator) -> KindLook:
    """Return a look with more typefaces, sizes and papers than rendered boards have."""
    base = replace(
        look.base,
        digit_height=float(rng.uniform(0.38, 0.72)),
        squeeze=float(rng.uniform(0.8, 1.15)),
    )
    if rng.random() < _OTHER_FACE:
        faces = _other_faces()
        base = replace(base, face=faces[int(rng.integers(len(faces)))])
    # Figures and letters have no order above 16 that hexadecimal numbers know.
    alphabets = [one for one in ALPHABETS if side <= 16 or one != "hexadecimal"]
    paper = base.style.paper
    colours: tuple[tuple[int, int, int], ...] = ()
    if rng.random() < _TINTED and sum(paper) > 600:
        count = int(rng.integers(2, 5))
        colours = tuple((int(b), int(g), int(r)) for b, g, r in rng.integers(165, 256, (count, 3)))
    return replace(
        look,
        base=base,
        region_colours=colours,
        alphabet=alphabets[int(rng.integers(len(alphabets)))],
    )


@lru_cache(maxsize=1)
def _other_faces() -> tuple[str, ...]:
    """Return typefaces as `training.pages.typesetting.load_font` takes them."""
    folders = [Path(face).parent for face in typefaces() if face.endswith(".ttf")]
    found = [folders[0] / f"{name}.ttf" for name in _OTHER_FACES] if folders else []
    return ("Newsreader-Italic", *(str(path) for path in found if path.is_file()))


def _stray(rng: np.random.Generator) -> list[float]:
    """Return cells to the right and down, of which one at least is a third of a cell or more."""
    far = rng.uniform(0.33, 0.67)
    aside = [far, rng.uniform(0, 0.67)]
    return aside if rng.random() < 0.5 else aside[::-1]


def _cut(photo: Image8, lattice: Points, nudge: float, rng: np.random.Generator) -> Image8:
    """Cut the cells as they are cut to be read, from a lattice that lies a little aside."""
    moved = move_lattice(lattice, *rng.normal(0, nudge, 2).tolist())
    is_denoised = bool(rng.random() < _DENOISED)
    cells = cut_cells(rectify(photo, moved, is_denoised=is_denoised))
    zoom = choose_zoom(cells)
    return cells if zoom == 1 else cut_middles(photo, moved, zoom, is_denoised=is_denoised)


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
            cells = _lean(cells, rng.normal(0, self._task.slant, len(cells)))
        return normalise_cells(vary(cells, rng)), classes.astype(np.float32)


def tell_turned(told: int, turns: int) -> int | None:
    """Return the class of a cell after quarter turns; None if it may still be taken for itself."""
    if told in (EMPTY, NO_SYMBOL):
        return told
    if turns == 2 and told in (_SIX, _NINE):
        return _NINE if told == _SIX else _SIX
    alike = _ALIKE_UPSIDE_DOWN if turns == 2 else _ALIKE_ASIDE
    return None if told in alike else NO_SYMBOL


def _lean(cells: Image8, slants: npt.NDArray[np.float64]) -> Image8:
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
    shards = split_shards(samples, task.name, 0)[0]
    inputs = normalise_cells(load_shards(shards[:1])["cells"][:512])
    return put_in_place(trained, task.name, inputs, folder, PARITY)


SYMBOL_TASK: Final = CellTask("symbols", CLASSES, build_symbol_net, tell_turned, astray_share=0.04)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m training.symbols.train_symbols", description="Train the symbol network."
    )
    drawing = Drawing(SYMBOL_TASK.name, draw_cells, SHARD_PHOTOS)
    learn, put = partial(train, SYMBOL_TASK), partial(export, SYMBOL_TASK)
    return run_command(parser, SymbolRecipe, learn, put, arguments, drawing)


if __name__ == "__main__":
    sys.exit(main())
