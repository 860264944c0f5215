"""Trains the network of lookalikes on frames of puzzles that it draws and keeps.

    python -m training.boards.train_lookalikes --out build/lookalikes/all --draw 48
    python -m training.boards.train_lookalikes --out build/lookalikes/all
    python -m training.boards.train_lookalikes --out build/lookalikes/all --export

The first command draws the samples, the last one puts the network in its place, models/weights,
for both engines. The same command again goes on from the last shard or checkpoint.
"""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from models.lookalike_reader import (
    FIRST,
    FRAME_PX,
    NOTHING,
    OUTPUT_LAYERS,
    SUDOKU,
    Lookalike,
    build_lookalike_net,
    normalise_frames,
)
from training.pages.printed_board import choose_kind_look, print_board
from training.pages.shape import BOXES, draw_grid, draw_shape
from training.rendered.levels import LEVELS
from training.rendered.page_layout import draw_seascape, lay_out_boards
from training.rendered.photographed_decoys import DECOYS
from training.rendered.rendered_photos import choose_surroundings, pick, shoot_page
from training.shard_runs import ShardRecipe, run_network, smooth_entropy
from training.training_command import ShardTask
from vision.board import corners_from_lattice, lattice_from_corners
from vision.finder.ink_frames import cut_large_frames
from vision.geometry import Float32, Image8, quad_area, quad_overlap

Draw = Callable[[np.random.Generator], Image8]

_SEED: Final = 78
"""Sets these photos apart from all that are drawn elsewhere."""
_LEVELS: Final = (1, 2, 3, 3, 3, 3, 4, 5)
_LONG_SIDE_PX: Final = (420, 1100)
_WITH_STORIES: Final = 0.3
"""Share of the photos whose page has something else around."""
_NAMED: Final = 0.58
_SUDOKUS: Final = 0.24
"""Shares of the photos that show a lookalike, and a Sudoku; the rest is neither."""
_KINDS: Final = (
    "classic", "classic", "jigsaw", "jigsaw", "diagonal", "windoku", "killer", "killer",
)  # fmt: skip
_SIDES: Final = (9, 9, 9, 9, 4, 6, 8, 10, 12, 16)
_SUDOKU_DECOYS: Final = frozenset({"empty_grid", "random_digits", "killer"})
"""Drawn as decoys; what makes them none cannot be seen."""
_ON: Final = 0.6
_OFF: Final = 0.45
"""Overlap with what was photographed, from which a frame shows it, and below which it does not."""
_SHIFT: Final = 0.025
"""Of each corner, one standard deviation, in sides of the frame."""
_MOST_BLUR_PX: Final = 1.5
_MOST_NOISE: Final = 12.0
_MOST_SHADE: Final = 0.5
"""Of what is added to frames at most: standard deviations, in pixels and in grey levels, and the
light that is missing at one edge."""
_REDRAWN: Final = 0.2
"""Share of the frames whose ink is made thinner or thicker by a pixel."""
_SMOOTHED: Final = 0.05
"""Of a label, that is given to the others."""
_SURE: Final = 0.9
"""Likelihood from which a frame counts as named in the score."""


class LookalikeSamples(NamedTuple):
    """Frames, and what they show.

    Attributes:
        frames: (k, 192, 192) uint8.
        labels: (k,) uint8, numbers of the network's outputs.
    """

    frames: Image8
    labels: npt.NDArray[np.uint8]


def draw_samples(seed: int) -> LookalikeSamples:
    """Return the frames of a photo of which it is known what they show."""
    rng = np.random.default_rng([_SEED, seed])
    level = replace(LEVELS[int(rng.choice(_LEVELS))], least_cell_px=8)
    medium = pick(level.media, rng)
    label, image = _draw(rng, medium)
    height, width = image.shape[:2]
    edge = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    has_stories = rng.random() < _WITH_STORIES
    surround = float(rng.uniform(0.1, 0.5)) if has_stories else 0.12
    around = choose_surroundings(medium, rng) if has_stories else "nothing"
    lattices, titles = [lattice_from_corners(edge)], ("No. {}", "Puzzle")
    page = lay_out_boards([image], lattices, 1, surround, rng, around, titles)
    long_side = round(float(np.exp(rng.uniform(*np.log(_LONG_SIDE_PX)))))
    shape = (long_side, round(long_side * rng.uniform(0.7, 0.95)))
    share = float(rng.uniform(0.55, 0.95))
    shot = shoot_page(page, medium, level, shape if rng.random() < 0.5 else shape[::-1], share, rng)
    corners = corners_from_lattice(shot.lattices[0])
    frames, labels = [], []
    for frame in cut_large_frames(shot.photo, FRAME_PX):
        overlap = quad_overlap(frame.corners, corners)
        if overlap > _ON:
            labels.append(label)
        elif overlap < _OFF and abs(quad_area(frame.corners)) > abs(quad_area(corners)):
            labels.append(NOTHING)  # the edge of the paper
        else:
            continue  # something beside, of which nothing is known
        frames.append(frame.picture)
    return LookalikeSamples(
        np.array(frames, np.uint8).reshape(-1, FRAME_PX, FRAME_PX), np.array(labels, np.uint8)
    )


def _draw(rng: np.random.Generator, medium: str) -> tuple[int, Image8]:
    """Return what is photographed, and which of the network's outputs it is."""
    drawn = rng.random()
    if drawn < _NAMED:
        number = int(rng.integers(len(Lookalike)))
        return FIRST + number, DECOYS[list(Lookalike)[number].value](rng)
    if drawn < _NAMED + _SUDOKUS:
        return SUDOKU, _draw_sudoku(rng, medium)
    name = str(rng.choice(list(_OTHERS)))
    return SUDOKU if name in _SUDOKU_DECOYS else NOTHING, _OTHERS[name](rng)


def _draw_sudoku(rng: np.random.Generator, medium: str) -> Image8:
    kind = str(rng.choice(list(_KINDS)))
    side = int(rng.choice(_SIDES)) if kind in ("classic", "jigsaw") else 9
    shape = draw_shape(kind, side, rng)
    given = rng.uniform(0, 0.15) if kind == "killer" else rng.uniform(0.15, 0.95)
    clues = np.where(rng.random((side, side)) < given, draw_grid(shape, rng), 0).astype(np.uint8)
    totals = rng.integers(3, 30, len(shape.cages)).tolist()
    assert side in BOXES
    look = choose_kind_look(shape, medium, rng)
    return print_board(shape, clues, totals, int(rng.integers(400, 700)), look).image


def _seascape(rng: np.random.Generator) -> Image8:
    grey = draw_seascape(rng, 300, int(rng.integers(200, 400)))
    return np.repeat(grey[:, :, None], 3, axis=2)


_OTHERS: Final[Mapping[str, Draw]] = {
    "seascape": _seascape,
    **{name: draw for name, draw in DECOYS.items() if name not in set(Lookalike)},
}
"""What else is photographed: no puzzles, and Sudokus as decoys draw them."""


@dataclass(frozen=True)
class LookalikeRecipe(ShardRecipe):
    """Everything that decides how a run comes out."""

    samples: Path = Path("build/lookalikes")
    steps: int = 2000
    batch: int = 48
    rate: float = 4e-3
    save_every: int = 250


def draw_batch(
    samples: LookalikeSamples, batch: int, rng: np.random.Generator
) -> tuple[Float32, Float32]:
    """Return frames as the network takes them, (b, 192, 192, 1), and labels, (b,)."""
    chosen = rng.integers(len(samples.labels), size=batch)
    frames = np.stack([_distort(samples.frames[index], rng) for index in chosen.tolist()])
    return normalise_frames(frames), samples.labels[chosen].astype(np.float32)


def _distort(frame: npt.NDArray[np.uint8], rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """Return a frame as it would lie otherwise, in other light, before a worse camera."""
    turned = np.ascontiguousarray(np.rot90(frame, int(rng.integers(4))))
    if rng.random() < _REDRAWN:
        redraw = cv2.erode if rng.random() < 0.5 else cv2.dilate
        turned = np.asarray(redraw(turned, np.ones((2, 2), np.uint8)), np.uint8)
    edge = FRAME_PX * np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    moved = np.asarray(edge + rng.normal(0, _SHIFT * FRAME_PX, (4, 2)), np.float32)
    matrix = cv2.getPerspectiveTransform(edge, moved)
    size = (FRAME_PX, FRAME_PX)
    seen = cv2.warpPerspective(turned, matrix, size, borderMode=cv2.BORDER_REPLICATE)
    # Most frames stay nearly as clear as they are.
    blur_px, noise = _MOST_BLUR_PX * rng.random() ** 2, _MOST_NOISE * rng.random() ** 2
    if blur_px > 0.3:  # less changes nothing
        seen = cv2.GaussianBlur(seen, (0, 0), float(blur_px))
    shade = np.linspace(1 - _MOST_SHADE * rng.random() ** 2, 1, FRAME_PX)
    lit = seen * (shade if rng.random() < 0.5 else shade[:, None])
    noisy = lit + rng.normal(0, noise, seen.shape)
    return np.asarray(np.clip(np.rint(noisy), 0, 255), np.uint8)


def compute_loss(targets: Any, logits: Any) -> Any:
    """Return the mean cross entropy of a batch, with smoothed labels."""
    return smooth_entropy(targets, logits, _SMOOTHED, are_logits=True)


def score(network: Any, samples: LookalikeSamples) -> str:
    """Return in words how many of the lookalikes are named, and how many names are wrong."""
    logits = run_network(network, normalise_frames(samples.frames), together=64)
    likely = np.exp(logits - logits.max(axis=1, keepdims=True))
    likely /= likely.sum(axis=1, keepdims=True)
    told, labels = likely.argmax(axis=1), samples.labels
    is_named = (told >= FIRST) & (likely.max(axis=1) > _SURE)
    is_right = is_named & (told == labels)
    right, wrong = int(is_right.sum()), int((is_named & ~is_right).sum())
    count = int((labels >= FIRST).sum())
    return f"right {(told == labels).mean():.3f}, named {right} of {count}, wrong {wrong}"


_LOOKALIKES: Final = ShardTask(
    "lookalikes",
    LookalikeSamples,
    build_lookalike_net,
    compute_loss,
    OUTPUT_LAYERS,
    draw_batch,
    score,
    held_out=3,
    list_inputs=lambda shard: normalise_frames(shard["frames"]),
    photos=25,
)


main = _LOOKALIKES.command(
    __spec__, "Train the network of lookalikes.", LookalikeRecipe, lambda _: draw_samples
)
"""Runs the command line."""


if __name__ == "__main__":
    sys.exit(main())
