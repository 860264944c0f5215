"""What the networks of single cells share: drawn boards cut into samples, batches, training."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from models.digits import normalise_cells
from training.pages.printed_board import KindLook, print_board
from training.pages.shape import Shape
from training.rendered.levels import LEVELS, Level
from training.rendered.page_layout import lay_out_boards
from training.rendered.rendered_photos import pick, shoot_page
from training.shard_runs import ShardRecipe, run_network, smooth_entropy
from training.training_command import ShardTask
from vision.board import cut_cells, move_lattice, rectify
from vision.digit_size import cut_digits, find_digits
from vision.geometry import Float32, Image8, Points

EMPTY: Final = 0
"""Class of cells in which nothing stands; the last class of a task is none of the others."""

_LEVELS: Final = (1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5)
_CELL_PX: Final = (17.0, 52.0)
"""Side of a cell in a photo; larger ones would be shrunk."""
_JITTER: Final = 0.035
"""Cells by which a lattice lies aside, one standard deviation."""
_ASTRAY: Final = 0.06
"""Share of the boards that are cut a third of a cell aside or more, too."""
_DENOISED: Final = 0.2
"""Share of the boards that are cut from a denoised picture."""
_WARM_UP: Final = 200
"""Steps in which the rate rises."""
_EMPTY_SHARE: Final = 0.2
"""Of the examples, that are empty cells."""
_TURNED: Final = 0.2
"""Share of the symbols that lie on a side or upside down."""
_OUTPUT_LAYER: Final = "probabilities"


class CellSamples(NamedTuple):
    """Cells, and what stands in them.

    Attributes:
        cells: (k, 32, 32) uint8.
        classes: (k,) uint8, as the task numbers them.
    """

    cells: Image8
    classes: npt.NDArray[np.uint8]


class DrawnBoard(NamedTuple):
    """A board to be printed, of side n.

    Attributes:
        shape: of it.
        values: (n, n) uint8, 0 is empty.
        look: how it is printed.
        classes: (n²,) uint8, what stands in its cells.
    """

    shape: Shape
    values: npt.NDArray[np.uint8]
    look: KindLook
    classes: npt.NDArray[np.uint8]


def choose_level(rng: np.random.Generator) -> tuple[Level, str]:
    """Return how hard a photo is, and what is photographed."""
    level = LEVELS[int(rng.choice(_LEVELS))]
    return level, pick(level.media, rng)


def draw_values(side: int, given: tuple[float, float], rng: np.random.Generator) -> Image8:
    """Return values that are drawn evenly, (side, side), fitting or not; 0 is empty.

    Args:
        side: of the board.
        given: least and greatest share of the cells that are filled.
        rng: chooses them.
    """
    values = rng.integers(1, side + 1, (side, side)).astype(np.uint8)
    values[rng.random((side, side)) >= rng.uniform(*given)] = 0
    return values


def shoot_cells(
    board: DrawnBoard, level: Level, medium: str, astray: int, rng: np.random.Generator
) -> CellSamples:
    """Print a board, photograph it and cut its cells, those of some boards also far aside.

    Args:
        board: to be printed.
        level: of the photo.
        medium: that is photographed.
        astray: class of cells that are cut far aside.
        rng: chooses all else.
    """
    side = board.shape.side
    cell_px = float(np.exp(rng.uniform(*np.log(_CELL_PX))))
    short_side = round(side * cell_px / 0.9)
    size = (round(1.15 * short_side), short_side)
    printed = print_board(board.shape, board.values, (), round(1.05 * side * cell_px), board.look)
    page = lay_out_boards([printed.image], [printed.lattices[0]], 1, 0.12, rng, "nothing")
    shot = shoot_page(page, medium, replace(level, least_cell_px=16), size, 0.9, rng)
    photo, lattice, classes = shot.photo, shot.lattices[0], board.classes
    parts = [(_cut(photo, lattice, _JITTER, rng), classes)]
    if rng.random() < _ASTRAY:
        aside = move_lattice(lattice, *_stray(rng))
        parts.append((_cut(photo, aside, 0, rng), np.full_like(classes, astray)))
    cells, told = (np.concatenate(part) for part in zip(*parts, strict=True))
    return CellSamples(cells, told)


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
    placed = find_digits(cells)
    return cells if placed.is_usual else cut_digits(photo, moved, placed, is_denoised=is_denoised)


@dataclass(frozen=True)
class CellRecipe(ShardRecipe):
    """Everything that decides how a run comes out.

    Attributes:
        faces: folder of typefaces in which boards are set, and the folders in it.
    """

    samples: Path = Path("build/symbols")
    faces: Path = Path("build/faces")
    steps: int = 9000
    batch: int = 256
    rate: float = 3e-3


class CellTask(NamedTuple):
    """What a network of cells learns; class 0 is empty, and the last is none of the others.

    Attributes:
        name: of the shards and of the weights.
        classes: how many there are.
        build: returns the network, untrained.
        tell_turned: takes a class and quarter turns, and returns the class that a cell has then;
            None where it may still be taken for itself.
        astray_share: of the examples, that are none of the classes.
        smoothing: share of an answer that is spread over all classes, so that none is ever out of
            the question.
        reshape: takes cells, (k, 32, 32), and returns what else typefaces make of them.
    """

    name: str
    classes: int
    build: Callable[[], Any]
    tell_turned: Callable[[int, int], int | None]
    astray_share: float
    smoothing: float = 0.03
    reshape: Callable[[Image8, np.random.Generator], Image8] | None = None

    def command(
        self,
        module: ModuleSpec | None,
        description: str,
        draw: Callable[[CellRecipe], Callable[[int], CellSamples]],
    ) -> Callable[..., int]:
        """Return the command that draws, trains and exports; see `training_command`.

        Args:
            module: of the command.
            description: of the command.
            draw: returns what draws the samples of a photo by its seed.
        """

        def loss(classes: Any, told: Any) -> Any:  # Keras keeps functions, but no partial ones
            return smooth_entropy(classes, told, self.smoothing)

        task = ShardTask(
            self.name,
            lambda **arrays: CellPool(CellSamples(**arrays), self),
            self.build,
            loss,
            [_OUTPUT_LAYER],
            CellPool.draw_batch,
            _score,
            held_out=2,
            list_inputs=lambda shard: normalise_cells(shard["cells"][:512]),
            photos=20,
            warm_up=_WARM_UP,
        )
        return task.command(module, description, CellRecipe, draw)


class CellPool:
    """Cells from which batches are drawn, symbols that are rare as often as others."""

    def __init__(self, samples: CellSamples, task: CellTask) -> None:
        """Sort the cells by class."""
        self.samples, self.task = samples, task
        members = [np.flatnonzero(samples.classes == one) for one in range(task.classes)]
        self._empty, self._astray = members[EMPTY], members[-1]
        self._known = [one for one in members[EMPTY + 1 : -1] if len(one)]
        self._filled = np.concatenate(self._known)

    def draw_batch(self, batch: int, rng: np.random.Generator) -> tuple[Float32, Float32]:
        """Return cells as the network takes them, (b, 32, 32, 1), and their classes, (b,)."""
        n_empty, n_astray = round(_EMPTY_SHARE * batch), round(self.task.astray_share * batch)
        n_even = (batch - n_empty - n_astray) // 2
        kinds = rng.integers(len(self._known), size=n_even)
        chosen = [
            rng.choice(self._empty, n_empty) if len(self._empty) else self._empty,
            rng.choice(self._astray, n_astray) if len(self._astray) else self._astray,
            np.array([rng.choice(self._known[kind]) for kind in kinds]),
        ]
        chosen.append(rng.choice(self._filled, batch - sum(map(len, chosen))))
        index = np.concatenate(chosen)
        cells, classes = self.samples.cells[index], self.samples.classes[index].copy()
        turns = np.where(rng.random(batch) < _TURNED, rng.integers(1, 4, batch), 0)
        for place in np.flatnonzero(turns).tolist():
            told = self.task.tell_turned(int(classes[place]), int(turns[place]))
            if told is not None:
                cells[place], classes[place] = np.rot90(cells[place], turns[place]), told
        if self.task.reshape is not None:
            cells = self.task.reshape(cells, rng)
        return normalise_cells(vary(cells, rng)), classes.astype(np.float32)


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


def _score(network: Any, pool: CellPool) -> str:
    """Return in words how much of the samples a network reads right."""
    samples, astray = pool.samples, pool.task.classes - 1
    right = run_network(network, normalise_cells(samples.cells)).argmax(axis=1) == samples.classes
    kinds = {
        "empty": samples.classes == EMPTY,
        "symbols": (samples.classes > EMPTY) & (samples.classes < astray),
        "astray": samples.classes == astray,
    }
    return ", ".join(
        f"{name} {right[kind].mean():.4f}" for name, kind in kinds.items() if kind.any()
    )
