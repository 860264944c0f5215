"""Draws small photos of killers and keeps the crops of their cells, to learn from.

    python -m training.cages.cage_samples build/cages --shards 70

A shard that is there already is not drawn again, so that the command goes on where it was stopped.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from models.cage_reader import CAGE_CELL_PX, CAGE_CROP_PX, MOST_SUM, SIDES
from training.pages.printed_board import choose_kind_look, print_board
from training.pages.shape import Shape, draw_grid, draw_shape
from training.rendered.kind_photos import bring_nearer
from training.rendered.levels import LEVELS
from training.rendered.page_layout import lay_out_boards
from training.rendered.rendered_photos import choose_medium, shoot_page
from training.shard_runs import draw_command
from vision.board import cut_windows, move_lattice

Image8 = npt.NDArray[np.uint8]

_SHARD: Final = 25
"""Photos in a file."""
_SEED: Final = 77
"""Sets these photos apart from all that are drawn elsewhere."""
_LEVELS: Final = (1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 5)
_SIDE_PX: Final = (340, 800)
"""Shorter side of a photo; larger ones would be shrunk to the crops' size."""
_OTHERS: Final = 0.12
"""Share of the boards that are no killers: digits alone, thick lines, diagonals."""
_WITH_CLUES: Final = 0.25
"""Share of the killers that have some digits."""
_NUDGE: Final = 0.03
"""Cells by which a lattice lies aside, one standard deviation."""


class CageSamples(NamedTuple):
    """Crops of cells, and what they show.

    Attributes:
        crops: (k, 72, 72) uint8.
        sums: (k,) uint8, 0 where none stands.
        walls: (k, 4) uint8, 1 where a cage's line runs along the side.
    """

    crops: Image8
    sums: npt.NDArray[np.uint8]
    walls: npt.NDArray[np.uint8]


def draw_samples(seed: int) -> CageSamples:
    """Return the cells of a photo; its sums are drawn evenly from 1 to 45, fitting or not."""
    rng = np.random.default_rng([_SEED, seed])
    level = bring_nearer(LEVELS[int(rng.choice(_LEVELS))])
    medium = choose_medium(level, rng)
    is_other = rng.random() < _OTHERS
    kind = str(rng.choice(["classic", "jigsaw", "diagonal"])) if is_other else "killer"
    shape = draw_shape(kind, 9, rng)
    given = rng.uniform(0.25, 0.5) if is_other else rng.uniform(0, 0.3)
    has_clues = is_other or rng.random() < _WITH_CLUES
    clues = np.where(rng.random((9, 9)) < (given if has_clues else 0), draw_grid(shape, rng), 0)
    totals = rng.integers(1, MOST_SUM + 1, len(shape.cages)).tolist()
    short_side = round(float(np.exp(rng.uniform(*np.log(_SIDE_PX)))))
    size = (round(1.15 * short_side), short_side)
    px = round(0.95 * short_side)
    look = choose_kind_look(shape, medium, rng)
    printed = print_board(shape, clues.astype(np.uint8), totals, px, look)
    page = lay_out_boards([printed.image], [printed.lattices[0]], 1, 0.12, rng, "nothing")
    shot = shoot_page(page, medium, replace(level, least_cell_px=16), size, 0.9, rng)
    lattice = move_lattice(shot.lattices[0], *rng.normal(0, _NUDGE, 2).tolist())
    crops = cut_windows(shot.photo, lattice, CAGE_CELL_PX, CAGE_CROP_PX)
    sums, walls = describe_cells(shape, totals)
    return CageSamples(crops, sums, walls)


def describe_cells(
    shape: Shape, totals: Sequence[int]
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    """Return the sum that stands in each cell, (n²,), and its walls, (n², 4)."""
    side = shape.side
    sums = np.zeros((side, side), np.uint8)
    owner = np.full((side + 2, side + 2), -1)
    for number, (cage, total) in enumerate(zip(shape.cages, totals, strict=True)):
        sums[cage[0]] = total
        for row, column in cage:
            owner[row + 1, column + 1] = number
    inner = owner[1:-1, 1:-1]
    beside = (owner[1:-1, :-2], owner[:-2, 1:-1], owner[1:-1, 2:], owner[2:, 1:-1])
    assert len(beside) == len(SIDES)
    walls = np.stack([(inner >= 0) & (inner != other) for other in beside], axis=-1)
    return sums.ravel(), walls.reshape(-1, len(SIDES)).astype(np.uint8)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m training.cages.cage_samples", description="Draw cells of killers."
    )
    return draw_command(parser, "cages", draw_samples, _SHARD, arguments)


if __name__ == "__main__":
    sys.exit(main())
