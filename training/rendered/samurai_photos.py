"""Realistic photos of samurais: two to five grids of 9×9 that share boxes, with the exact truth."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from solver.formats_kinds import KindPuzzle
from solver.generation.generate_kinds import KindOptions, generate_kind
from solver.rules import SAMURAI_GRIDS, Kind
from training.pages.printed_board import choose_kind_look, print_samurai
from training.pages.shape import Shape, box_regions
from training.rendered.levels import LEVELS
from training.rendered.page_layout import lay_out_boards
from training.rendered.rendered_photos import (
    choose_medium,
    choose_size,
    choose_surroundings,
    shoot_page,
)

Image8 = npt.NDArray[np.uint8]
Points = npt.NDArray[np.float32]
Grids = tuple[tuple[int, int], ...]

_FIVE: Final = 0.6
"""Share of samurais with five grids; newspapers print hardly any other."""

_CLUES_A_GRID: Final = (22, 31)
"""Clues for each grid; a usual samurai has 110 to 155."""

_SHARE: Final = (0.72, 0.95)
"""Side of the samurai, of the photo's shorter side: people fill the picture with it."""

_MOST_PX: Final = 2600
"""Side of the flat print."""


@dataclass(frozen=True, eq=False)
class SamuraiPhoto:
    """A photo and the samurai on it.

    Attributes:
        photo: (H, W, 3) uint8 BGR.
        lattices: of each grid (10, 10, 2) float32, crossings (x, y) in its pixels, the puzzle's
            own top left first; in the order of `grids`.
        grids: row and column of the first cell of each grid.
        puzzle: with its rules and its solution.
    """

    photo: Image8
    lattices: tuple[Points, ...]
    grids: Grids
    puzzle: KindPuzzle


def render_samurai_photo(level: int, seed: int, n_grids: int | None = None) -> SamuraiPhoto:
    """Print a samurai on a page or a screen and photograph it.

    Args:
        level: 1..5, as `training.rendered.levels.LEVELS` grades them.
        seed: chooses all else.
        n_grids: how many grids it has, 2 to 5; drawn when None.

    Raises:
        ValueError: if there is no such level or samurai.
    """
    if level not in LEVELS:
        raise ValueError(f"level must be one of {', '.join(map(str, LEVELS))}, got {level}")
    chosen = LEVELS[level]
    rng = np.random.default_rng([level, seed, 99])
    drawn = 5 if rng.random() < _FIVE else int(rng.integers(2, 5))
    grids = SAMURAI_GRIDS[n_grids or drawn]
    n_clues = int(len(grids) * rng.uniform(*_CLUES_A_GRID))
    options = KindOptions(Kind.SAMURAI, clues=n_clues, n_grids=len(grids))
    (puzzle,) = generate_kind(1, options, seed)
    width = puzzle.rules.width
    medium = choose_medium(chosen, rng)
    size = choose_size(chosen, len(grids), rng)
    share = max(rng.uniform(*_SHARE), 1.25 * width * chosen.least_cell_px / min(size))
    px = round(min(share * min(size) * 1.05, _MOST_PX))
    look = choose_kind_look(Shape("classic", box_regions(3, 3)), medium, rng)
    printed = print_samurai(grids, puzzle.clues, px, look)
    page = lay_out_boards(
        [printed.image],
        [np.zeros((2, 2, 2), np.float32)],
        1,
        float(rng.uniform(0.1, 0.4)),
        rng,
        choose_surroundings(medium, rng),
    )
    # The layout moved a lattice of zeros to where the image begins.
    start = page.lattices[0][0, 0]
    placed = tuple(np.asarray(lattice + start, np.float32) for lattice in printed.lattices)
    shot = shoot_page(replace(page, lattices=placed), medium, chosen, size, share, rng)
    return SamuraiPhoto(shot.photo, shot.lattices, grids, puzzle)
