"""Trains the network of candidates on cells of boards that it draws and keeps.

    OPTIONS="--samples build/candidates --out build/candidates/net"
    python -m training.digits.train_candidates $OPTIONS --draw 72
    python -m training.digits.train_candidates $OPTIONS --steps 9000
    python -m training.digits.train_candidates $OPTIONS --export

The first command draws the samples, the last one puts the network in its place, models/weights,
for both engines. The same command again goes on from the last shard or checkpoint.
"""

import logging
import sys
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from models.candidate_reader import (
    CANDIDATES,
    CELL_PX,
    CROP_PX,
    DENSE_LAYERS,
    DIGIT,
    N_DIGITS,
    N_MAPS,
    N_PLACES,
    NOTHING,
    PLACE_PX,
    build_candidate_net,
    find_marks,
    normalise_crops,
)
from training.distillation import PLACES, Bends, Chances, Distillation, DistilledRecipe, bend
from training.pages.flat_board import make_puzzle
from training.rendered.filled_board import FlatBoard, choose_look, draw_board
from training.rendered.large_digits import using_training_hands
from training.rendered.levels import LEVELS
from training.rendered.page_layout import lay_out_boards
from training.rendered.rendered_photos import pick, shoot_page
from training.rendered.writing import Canvas, Dirt, Mark, Writer, soil_cell
from training.shard_runs import load_shards, run_network, split_shards
from training.training_command import Drawing, export_trained, training_command
from vision.board import cut_windows, move_lattice
from vision.geometry import Float32

logger = logging.getLogger(__name__)


_NAME: Final = "candidates"
_SHARES: Final = (0.16, 0.1)
"""Of the examples, that are empty or dirty, and that hold a digit."""
_SMOOTHING: Final = 0.01
_WIDER: Final = 2
"""Times as wide as the network are its teachers."""


class CandidateCells(NamedTuple):
    """Cells, and what stands in them.

    Attributes:
        crops: (k, 68, 68) uint8.
        contents: (k,) uint8, as `models.candidate_reader` numbers them.
        places: (k, 9, 2) float16, x and y in the crop where the middle of each digit stands, in
            pixels; NaN where it is not noted.
    """

    crops: npt.NDArray[np.uint8]
    contents: npt.NDArray[np.uint8]
    places: npt.NDArray[np.float16]


@dataclass(frozen=True)
class _CandidateRecipe(DistilledRecipe):
    """Everything that decides how a run comes out; see `DistilledRecipe`."""

    samples: Path = Path("build/candidates")
    steps: int = 9_000
    batch: int = 128
    rate: float = 3e-3


_BENDS: Final = Bends(turn=0.06, slant=0.1, stretch=0.08, shift_px=1.5, bend_px=0.9, points=7)
"""Each digit of a cell becomes another."""
_GAIN: Final = 0.12
"""Standard deviation of the logarithm of the ink's strength."""
_FADED: Final = 0.1
"""Share of the cells whose ink is much fainter."""
_NOISE: Final = 0.2
"""Most noise, in shares of the ink's contrast, one standard deviation."""

CELL_CHANCES: Final = Chances(normals=PLACES + 1 + _BENDS.chances, uniforms=5)


def move_places(places: Float32, normals: Float32) -> Float32:
    """Return where places in cells lie after `vary_cells`, bends aside.

    Args:
        places: (k, n, 2), x and y in pixels.
        normals: of the cells.
    """
    turn, slant, wide, tall, x, y = normals[:, :PLACES].T
    cos, sin = np.cos(_BENDS.turn * turn), np.sin(_BENDS.turn * turn)
    wide, tall = np.exp(_BENDS.stretch * wide), np.exp(_BENDS.stretch * tall)
    slant = _BENDS.slant * slant
    linear = np.array([[cos * wide, (cos * slant - sin) * tall],
                       [sin * wide, (sin * slant + cos) * tall]])  # fmt: skip
    back = np.linalg.inv(linear.transpose(2, 0, 1))
    shift = _BENDS.shift_px * np.stack([x, y], axis=1)[:, None]
    # A place counts pixels' edges, the picture their middles.
    moved = (places - CROP_PX / 2 - shift) @ back.transpose(0, 2, 1) + CROP_PX / 2
    return np.asarray(moved, np.float32)


def vary_cells(inks: Any, normals: Any, uniforms: Any) -> Any:
    """Return cells as other hands would have noted in them, and other photos shown them.

    Args:
        inks: (b, 68, 68) uint8 of Keras, as `keep_ink` keeps them.
        normals: (b, …) as `CELL_CHANCES` draws them.
        uniforms: (b, …) likewise.

    Returns:
        (b, 68, 68, 1) float32 in -1..1.5, paper 0 and ink 1.
    """
    from keras import ops

    ink = ops.cast(inks, "float32") / _SCALE - 1
    places, points = normals[:, :PLACES], normals[:, PLACES + 1 :]
    ink = bend(ink, places, points, _BENDS, _weigh_points(), is_padded=False)
    sharpness, faded, strength, noise, phase = (
        uniforms[:, n, None, None] for n in range(CELL_CHANCES.uniforms)
    )
    soft = ops.average_pool(ink[..., None], 3, 1, "same")[..., 0]
    ink = ink + (soft - ink) * ops.maximum(2.6 * sharpness - 1.6, ops.minimum(2 * sharpness - 1, 0))
    gain = ops.exp(_GAIN * normals[:, PLACES, None, None])
    faint = ops.cast(faded < _FADED, "float32") * (1 - 0.25 - 0.75 * strength)
    ink = ink * gain * (1 - faint) + _NOISE * noise**3 * _draw_noise(phase)
    return ops.clip(ink, -1, 1.5)[..., None]


_SCALE: Final = 102.0
"""Steps in which ink is kept, from one of paper's to ink's level."""


def keep_ink(normalised: Float32) -> npt.NDArray[np.uint8]:
    """Return normalised cells, (k, 68, 68, 1) in -1..1.5, in bytes, (k, 68, 68)."""
    return np.asarray(np.rint((normalised[..., 0] + 1) * _SCALE), np.uint8)


def _draw_noise(phase: Any) -> Any:
    """Return noise of standard deviation 1, (b, 68, 68), another one for each phase."""
    from keras import ops

    right = np.arange(CROP_PX, dtype=np.float32)[None, None]
    down = np.transpose(right, (0, 2, 1))
    noise = 0
    for x, y in ((12.9898, 78.233), (39.3468, 11.135), (73.156, 52.235)):
        wave = 43758.5453 * ops.sin(6283.0 * phase + (x * right + y * down))
        noise = wave - ops.floor(wave) - 0.5 + noise
    return 2.0 * noise


def _weigh_points() -> Float32:
    """Return how much each row of a cell has of each point, linearly, (68, 7) float32."""
    at = np.linspace(0, _BENDS.points - 1, CROP_PX)
    shares = np.maximum(1 - np.abs(at[:, None] - np.arange(_BENDS.points)), 0)
    return np.asarray(shares, np.float32)


def _draw_batch(
    inks: npt.NDArray[np.uint8], samples: CandidateCells, batch: int, rng: np.random.Generator
) -> tuple[list[Any], Float32]:
    """Return what the graph varies: cells and chances; and what the loss takes.

    Args:
        inks: (k, 68, 68) of the samples.
        samples: from which is drawn.
        batch: how many.
        rng: chance.
    """
    n_nothing, n_digits = (round(share * batch) for share in _SHARES)
    counts = (n_nothing, n_digits, batch - n_nothing - n_digits)
    pools = (np.flatnonzero(samples.contents == content) for content in range(len(counts)))
    index = np.concatenate(list(map(rng.choice, pools, counts)))
    normals, uniforms = CELL_CHANCES.draw(rng, batch)
    places = move_places(samples.places[index].astype(np.float32), normals)
    return [inks[index], normals, uniforms], _wanted(samples.contents[index], places)


def _wanted(contents: npt.NDArray[np.uint8], places: Float32) -> Float32:
    """Return (b, 301) float32: what the cells hold, the digits noted, what each place has.

    A place is −1 where it does not matter what is said of it: around a digit's middle.
    """
    is_noted = ~np.isnan(places[..., 0])
    maps = np.zeros((len(places), N_PLACES, N_PLACES), np.float32)
    cells, digits = np.nonzero(is_noted)
    middles = np.clip(places[cells, digits] // PLACE_PX, 0, N_PLACES - 1).astype(np.intp)
    for step in np.ndindex(3, 3):
        x, y = np.clip(middles + np.subtract(step, 1), 0, N_PLACES - 1).T
        maps[cells, y, x] = -1
    maps[cells, middles[:, 1], middles[:, 0]] = digits + 1
    holds = contents[:, None] == np.arange(3)
    parts = [holds, is_noted, maps.reshape(len(places), -1)]
    return np.concatenate(parts, axis=1).astype(np.float32)


def _compute_taught_loss(wanted: Any, told: Any, taught: Any) -> Any:
    """Return the loss, and how far the network is from what it is taught."""
    from keras import ops

    is_open = 1 - wanted[:, DIGIT]
    maps = ops.clip(ops.reshape(told[:, :-3], (-1, N_PLACES**2, N_MAPS)), 1e-6, 1)
    right = ops.reshape(taught[:, :-3], (-1, N_PLACES**2, N_MAPS))
    of_places = -ops.sum(right * ops.log(maps), axis=(1, 2)) * is_open
    n_digits = ops.maximum(ops.sum(wanted[:, 3 : 3 + N_DIGITS]), 1)
    of_contents = ops.mean(ops.categorical_crossentropy(taught[:, -3:], told[:, -3:]))
    return _compute_loss(wanted, told) + 2 * ops.sum(of_places) / n_digits + of_contents


def _compute_loss(wanted: Any, told: Any) -> Any:
    """Return the mean cross entropies of contents, digits noted, and places, added up.

    Digits and places count where no digit of the cell's own stands.
    """
    from keras import ops

    contents, digits = wanted[:, :3], wanted[:, 3 : 3 + N_DIGITS]
    is_open = 1 - contents[:, DIGIT]
    maps = ops.clip(ops.reshape(told[:, :-3], (-1, N_PLACES**2, N_MAPS)), 1e-6, 1 - 1e-6)
    doubts = ops.sum(ops.log(1 - maps[:, :, 1:]), axis=1)
    is_noted = (1 - _SMOOTHING) * digits + _SMOOTHING / 2
    of_digits = -is_noted * ops.log(1.00001 - ops.exp(doubts)) - (1 - is_noted) * doubts
    places = wanted[:, 3 + N_DIGITS :]
    is_asked = ops.cast(places >= 0, "float32") * is_open[:, None]
    right = ops.one_hot(ops.cast(ops.maximum(places, 0), "int32"), N_MAPS)
    of_places = -ops.sum(right * ops.log(maps), axis=2) * is_asked
    n_digits = ops.maximum(ops.sum(digits), 1)
    smooth = (1 - _SMOOTHING) * contents + _SMOOTHING / 3
    of_contents = ops.mean(ops.categorical_crossentropy(smooth, told[:, -3:]))
    of_open = ops.sum(ops.sum(of_digits, axis=1) * is_open) / n_digits
    return of_contents + of_open + ops.sum(of_places) / n_digits


def _score(samples: CandidateCells, network: Any) -> str:
    """Return in words how much of the samples a network reads right."""
    seen = find_marks(run_network(network, normalise_crops(samples.crops)))
    digits = np.eye(N_MAPS, dtype=np.bool_)[seen.marks.argmax(axis=2)].any(axis=1)[:, 1:]
    is_exact = (digits == ~np.isnan(samples.places[..., 0])).all(axis=1)
    is_right = seen.contents.argmax(axis=1) == samples.contents
    is_noted = samples.contents == CANDIDATES
    names = enumerate(("nothing", "digits", "candidates"))
    parts = [f"{name} {is_right[samples.contents == one].mean():.4f}" for one, name in names]
    return f"{', '.join(parts)}; exactly {is_exact[is_noted].mean():.4f}"


_CANDIDATES: Final = Distillation(
    _NAME,
    _WIDER,
    DENSE_LAYERS,
    build_candidate_net,
    CELL_CHANCES,
    vary_cells,
    _compute_loss,
    _compute_taught_loss,
)


SHARD_PHOTOS: Final = 20
"""Photos in a file."""
_SEED: Final = 5652
"""Sets these photos apart from all that are drawn elsewhere."""
_LEVELS: Final = (1, 1, 2, 2, 2, 3, 3, 4)
_CELL_PX: Final = (22.0, 64.0)
"""Side of a cell in a photo."""
_TALLEST: Final = 0.45
"""Height of candidates by hand at most, in cells: some write large."""
_CLUES: Final = (20, 32)
"""Of a puzzle: the fewest, and one more than the most that are asked for."""
_JITTER: Final = 0.03
"""Cells by which a lattice lies aside, one standard deviation."""
_LEAST_CONTRAST: Final = 0.12
"""Of candidates that are learnt from, in shares of the paper's brightness."""
_SOILED: Final = 0.08
"""Share of the empty cells with dirt in them."""
_DIRT: Final[tuple[Dirt, ...]] = ("crossed", "scribble", "stroke", "dots")
_HELD_OUT: Final = 2
"""Shards that are not learnt from; the last ones."""


def draw_candidate_cells(seed: int) -> CandidateCells:
    """Return the cells of a photo of a board with clues, candidates, entries and dirt."""
    rng = np.random.default_rng([_SEED, seed])
    level = LEVELS[int(rng.choice(_LEVELS))]
    level = replace(
        level,
        least_cell_px=20,
        written=0.2,
        candidates=1.0,
        tallest_candidate=_TALLEST,
        corrections=0.06,
    )
    medium = pick(level.media, rng)
    cell_px = float(np.exp(rng.uniform(*np.log(_CELL_PX))))
    short_side = round(9 * cell_px / 0.9)
    size = (round(1.15 * short_side), short_side)
    puzzle = make_puzzle(int(rng.integers(1 << 31)), int(rng.integers(*_CLUES)))
    is_paper = medium not in ("screen", "screenshot")
    px = round(1.05 * 9 * cell_px)
    with using_training_hands():
        look = choose_look(rng, medium)
        board = draw_board(puzzle, px, look, level, rng, is_paper)
        image = _soil(board, Writer(rng, is_paper), px)
    page = lay_out_boards([image], [board.lattice], 1, 0.12, rng, "nothing")
    shot = shoot_page(page, medium, level, size, 0.9, rng)
    nudge = rng.normal(0, _JITTER, 2)
    lattice = move_lattice(shot.lattices[0], *nudge.tolist())
    crops = cut_windows(shot.photo, np.asarray(lattice, np.float32), CELL_PX, CROP_PX)
    marks = board.marks.ravel()
    contents = np.full(marks.shape, NOTHING, np.uint8)
    contents[(marks == Mark.PRINTED) | (marks == Mark.WRITTEN)] = DIGIT
    contents[marks == Mark.CANDIDATES] = CANDIDATES
    # What is crossed out may look like anything, and candidates that nobody sees teach nothing.
    is_known = (marks != Mark.CORRECTED) & ((contents != CANDIDATES) | _has_contrast(crops))
    places = (CROP_PX - CELL_PX) / 2 + (board.noted.reshape(-1, N_DIGITS, 2) - nudge) * CELL_PX
    return CandidateCells(crops[is_known], contents[is_known], places[is_known].astype(np.float16))


def _has_contrast(crops: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
    inner = crops[:, 8:-8, 8:-8].reshape(len(crops), -1)
    dark, paper, light = np.percentile(inner, (1, 50, 99), axis=1)
    return np.asarray(np.maximum(paper - dark, light - paper) > _LEAST_CONTRAST * paper)


def _soil(board: FlatBoard, writer: Writer, px: int) -> npt.NDArray[np.uint8]:
    """Return the picture of a board with dirt in some of its empty cells."""
    canvas = Canvas(board.image.astype(np.float32), px / 9, float(board.lattice[0, 0, 0]))
    for row, column in np.argwhere(board.marks == Mark.EMPTY):
        if writer.rng.random() < _SOILED:
            soil_cell(canvas, writer, (column + 0.5, row + 0.5), _DIRT)
    return canvas.done()


def train(recipe: _CandidateRecipe) -> Path:
    """Train, or go on training; return the file of the network.

    Raises:
        FileNotFoundError: if there are too few samples.
        RuntimeError: if the loss is no number any more.
    """
    parts = split_shards(recipe.samples, _NAME, _HELD_OUT)
    learnt, unseen = (CandidateCells(**load_shards(files)) for files in parts)
    counts = np.bincount(learnt.contents)
    logger.info("cells to learn from, nothing, digits, candidates: %s", counts)
    parts_of = (learnt.crops[start : start + 4096] for start in range(0, len(learnt.crops), 4096))
    inks = np.concatenate([keep_ink(normalise_crops(part)) for part in parts_of])
    draw = partial(_draw_batch, inks, learnt, recipe.batch)
    return _CANDIDATES.train(recipe, draw, partial(_score, unseen))


main = training_command(
    __spec__,
    "Train the network of candidates.",
    _CandidateRecipe,
    train,
    partial(export_trained, _NAME, lambda shard: normalise_crops(shard["crops"][:512])),
    lambda _: Drawing(_NAME, draw_candidate_cells, SHARD_PHOTOS),
)
"""Runs the command line."""


if __name__ == "__main__":
    sys.exit(main())
