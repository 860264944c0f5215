"""Draws small photos of puzzles and of what looks like some, and keeps their frames to learn from.

    python -m training.lookalikes.lookalike_samples build/lookalikes --shards 48

A shard that is there already is not drawn again, so that the command goes on where it was stopped.
"""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from models.lookalike_reader import FIRST, FRAME_PX, NOTHING, SUDOKU, Lookalike
from training.pages.news import draw_seascape
from training.pages.printed_board import choose_kind_look, print_board
from training.pages.shape import BOXES, draw_grid, draw_shape
from training.rendered.levels import LEVELS
from training.rendered.page_layout import lay_out_boards
from training.rendered.photographed_decoys import DECOYS
from training.rendered.rendered_photos import choose_medium, choose_surroundings, shoot_page
from training.shard_runs import draw_command
from vision.board import lattice_from_corners
from vision.geometry import quad_area, quad_overlap
from vision.kinds.large_frames import cut_large_frames

Image8 = npt.NDArray[np.uint8]
Draw = Callable[[np.random.Generator], Image8]

_SHARD: Final = 25
"""Photos in a file."""
_SEED: Final = 78
"""Sets these photos apart from all that are drawn elsewhere."""
_LEVELS: Final = (1, 2, 3, 3, 3, 3, 4, 5)
_LONG_SIDE_PX: Final = (420, 1100)
_WITH_STORIES: Final = 0.3
"""Share of the photos whose page has something else around."""
_NAMED: Final = 0.58
_SUDOKUS: Final = 0.24
"""Shares of the photos that show a lookalike, and a Sudoku; the rest is neither."""
_SIDES: Final = (9, 9, 9, 9, 4, 6, 8, 10, 12, 16)
_SUDOKU_DECOYS: Final = frozenset({"empty_grid", "random_digits", "killer"})
"""Drawn as decoys; what makes them none cannot be seen."""
_ON: Final = 0.6
_OFF: Final = 0.45
"""Overlap with what was photographed, from which a frame shows it, and below which it does not."""


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
    medium = choose_medium(level, rng)
    label, image = _draw(rng, medium)
    height, width = image.shape[:2]
    edge = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    has_stories = rng.random() < _WITH_STORIES
    page = lay_out_boards(
        [image],
        [lattice_from_corners(edge)],
        1,
        float(rng.uniform(0.1, 0.5)) if has_stories else 0.12,
        rng,
        choose_surroundings(medium, rng) if has_stories else "nothing",
        titles=("No. {}", "Puzzle"),
    )
    long_side = round(float(np.exp(rng.uniform(*np.log(_LONG_SIDE_PX)))))
    shape = (long_side, round(long_side * rng.uniform(0.7, 0.95)))
    share = float(rng.uniform(0.55, 0.95))
    shot = shoot_page(page, medium, level, shape if rng.random() < 0.5 else shape[::-1], share, rng)
    lattice = shot.lattices[0]
    corners = np.stack([lattice[0, 0], lattice[0, -1], lattice[-1, -1], lattice[-1, 0]])
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
    kind = str(rng.choice(["classic", "classic", "jigsaw", "jigsaw", "diagonal", "windoku",
                           "killer", "killer"]))  # fmt: skip
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m training.lookalikes.lookalike_samples",
        description="Draw frames of puzzles and of what looks like some.",
    )
    return draw_command(parser, "lookalikes", draw_samples, _SHARD, arguments)


if __name__ == "__main__":
    sys.exit(main())
