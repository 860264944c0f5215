"""Realistic photos of other boards than the classic ones of side 9, and in digits of other scripts.

The exact truth comes with each.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from models.script_reader import SCRIPTS
from models.symbol_reader import FIGURES, LETTERS
from solver.formats_kinds import KindPuzzle
from solver.generation.generate_kinds import KindOptions, generate_kind
from solver.rules import SAMURAI_GRIDS, Kind
from training.pages.printed_board import KindLook, choose_kind_look, print_board, print_samurai
from training.pages.shape import Shape, box_regions
from training.pages.typesetting import find_typefaces
from training.rendered.levels import LEVELS, Level, find_level
from training.rendered.page_layout import lay_out_boards, pad_alike
from training.rendered.rendered_photos import (
    choose_size,
    choose_surroundings,
    pick,
    shoot_page,
)
from vision.geometry import Image8, Points

KINDS: Final = (Kind.JIGSAW, Kind.DIAGONAL, Kind.WINDOKU, Kind.KILLER)
"""That are drawn here with side 9."""

CLUES: Final = {
    4: (4, 9), 6: (10, 17), 8: (20, 29), 9: (22, 32), 10: (32, 44), 12: (48, 66), 16: (100, 126)
}  # fmt: skip
"""For each side that is drawn, how many clues newspapers print, the last excluded; killers have
none."""

_FIRST_SIDE: Final = 3
"""Numbers of random generators from which sides have their own."""

_SUM_SHARE: Final = 0.5
"""Height of a killer's sums, at most, in digits of other boards. What blurs is measured in cells
elsewhere, as digits alone must be legible there."""

_LEAST_LONG_SIDE_PX: Final = 1200
"""Of a killer's photo."""


_BOARDS: Final = (
    *((Kind.CLASSIC, side) for side in (9, 9, 6, 8)),
    *((kind, 9) for kind in (Kind.JIGSAW, Kind.DIAGONAL, Kind.WINDOKU)),
)
"""Of which a page has two to four."""

_MOST_BOARDS: Final = 4

Restyle = Callable[[KindLook, np.random.Generator], KindLook]


_FIVE: Final = 0.6
"""Share of samurais with five grids; newspapers print hardly any other."""

_CLUES_A_GRID: Final = (22, 31)
"""Clues for each grid; a usual samurai has 110 to 155."""

_SHARE: Final = (0.72, 0.95)
"""Side of the samurai, of the photo's shorter side: people fill the picture with it."""

_MOST_PX: Final = 2600
"""Side of the flat print."""


@dataclass(frozen=True, eq=False)
class KindPhoto:
    """A photo and the puzzles on it.

    Attributes:
        photo: (H, W, 3) uint8 BGR.
        lattices: of each board, or of each grid of a samurai, (n + 1, n + 1, 2) float32, crossings
            (x, y) in its pixels, the puzzle's top left first.
        puzzles: with their rules and solutions; a samurai is one.
    """

    photo: Image8
    lattices: tuple[Points, ...]
    puzzles: tuple[KindPuzzle, ...]

    @property
    def lattice(self) -> Points:
        """Of the first board."""
        return self.lattices[0]

    @property
    def puzzle(self) -> KindPuzzle:
        """The first one."""
        return self.puzzles[0]


def render_kind_photo(
    kind: Kind, level: int, seed: int, side: int = 9, restyle: Restyle | None = None
) -> KindPhoto:
    """Print a puzzle of a kind on a page or a screen and photograph it.

    Args:
        kind: one of `KINDS`, or classic for another side than 9 and where it is restyled.
            Windokus have side 9 alone, killers 9 at most.
        level: 1..5, as `training.rendered.levels.LEVELS` grades them.
        seed: chooses all else.
        side: one of `CLUES`.
        restyle: changes how the board is printed.

    Raises:
        ValueError: if there is no such level, or the kind is not drawn here.
    """
    is_classic = kind is Kind.CLASSIC and (side != 9 or restyle is not None)
    is_kind = kind in KINDS and (side == 9 or kind is not Kind.WINDOKU)
    is_drawn = side in CLUES and (is_classic or is_kind)
    if not is_drawn or level not in LEVELS:
        raise ValueError(f"no photo of kind {kind}, side {side} and level {level} can be drawn")
    chosen = LEVELS[level] if kind is not Kind.KILLER else bring_nearer(LEVELS[level])
    number = _FIRST_SIDE + side if kind is Kind.CLASSIC else KINDS.index(kind)
    own = () if kind is Kind.CLASSIC or side == 9 else (side,)
    rng = np.random.default_rng([level, seed, number, *own])
    clues = None if kind is Kind.KILLER else int(rng.integers(*CLUES[side]))
    options = KindOptions(kind, side=side, clues=clues)
    (puzzle,) = generate_kind(1, options, seed)
    medium = pick(chosen.media, rng)
    size = choose_size(chosen, 1, rng)
    share = max(rng.uniform(*chosen.share), 1.25 * side * chosen.least_cell_px / min(size))
    px = int(np.clip(share * min(size) * 1.05, 200, 1300))
    shape = shape_of(puzzle)
    sums = [cage.total for cage in puzzle.rules.cages]
    look = choose_kind_look(shape, medium, rng)
    if restyle is not None:
        look = restyle(look, rng)
    printed = print_board(shape, puzzle.clues, sums, px, look)
    surround, around = float(rng.uniform(0.2, 1.0)), choose_surroundings(medium, rng)
    page = lay_out_boards([printed.image], [printed.lattices[0]], 1, surround, rng, around)
    shot = shoot_page(page, medium, chosen, size, share, rng)
    return KindPhoto(shot.photo, shot.lattices, (puzzle,))


def render_mixed_photo(level: int, seed: int) -> KindPhoto:
    """Print puzzles of several kinds on a page or a screen and photograph it.

    Args:
        level: 1..5, as `training.rendered.levels.LEVELS` grades them.
        seed: chooses all else.

    Raises:
        ValueError: if there is no such level.
    """
    chosen = find_level(level)
    rng = np.random.default_rng([level, seed, len(_BOARDS)])
    count = int(rng.integers(2, _MOST_BOARDS + 1))
    medium = pick(chosen.media, rng)
    size = choose_size(chosen, count, rng)
    puzzles, images, lattices = [], [], []
    for number in range(count):
        kind, side = _BOARDS[int(rng.integers(len(_BOARDS)))]
        options = KindOptions(kind, side=side, clues=int(rng.integers(*CLUES[side])))
        (puzzle,) = generate_kind(1, options, _MOST_BOARDS * seed + number)
        shape = shape_of(puzzle)
        look = choose_kind_look(shape, medium, rng)
        printed = print_board(shape, puzzle.clues, (), 600, look)
        puzzles.append(puzzle)
        images.append(printed.image)
        lattices.append(printed.lattices[0])
    surround, around = float(rng.uniform(0.1, 0.5)), choose_surroundings(medium, rng)
    page = lay_out_boards(pad_alike(images), lattices, min(count, 2), surround, rng, around)
    share = max(rng.uniform(*chosen.share), 22.0 * chosen.least_cell_px / min(size))
    shot = shoot_page(page, medium, chosen, size, min(share, 0.95), rng)
    return KindPhoto(shot.photo, shot.lattices, tuple(puzzles))


def bring_nearer(level: Level) -> Level:
    """Return a level whose photos show sums as other photos show digits."""
    sharpest, softest = level.focus_cells
    shortest, longest = level.motion_cells
    return replace(
        level,
        long_side_px=(max(level.long_side_px[0], _LEAST_LONG_SIDE_PX), level.long_side_px[1]),
        least_cell_px=level.least_cell_px / _SUM_SHARE,
        focus_cells=(_SUM_SHARE * sharpest, _SUM_SHARE * softest),
        motion_cells=(_SUM_SHARE * shortest, _SUM_SHARE * longest),
    )


def shape_of(puzzle: KindPuzzle) -> Shape:
    """Return how the lines of a puzzle are printed."""
    rules = puzzle.rules
    regions = np.zeros(rules.side**2, np.uint8)
    for number, cells in enumerate(rules.regions):
        regions[list(cells)] = number
    cages = tuple(tuple(divmod(cell, rules.side) for cell in cage.cells) for cage in rules.cages)
    windows = None
    if rules.kind is Kind.WINDOKU:
        windows = np.zeros((rules.side, rules.side), np.bool_)
        for cells in rules.added_units:
            windows.flat[list(cells)] = True
    return Shape(rules.kind.value, regions.reshape(rules.side, rules.side), cages, windows)


def render_samurai_photo(level: int, seed: int, n_grids: int | None = None) -> KindPhoto:
    """Print a samurai on a page or a screen and photograph it.

    Args:
        level: 1..5, as `training.rendered.levels.LEVELS` grades them.
        seed: chooses all else.
        n_grids: how many grids it has, 2 to 5; drawn when None.

    Raises:
        ValueError: if there is no such level or samurai.
    """
    chosen = find_level(level)
    rng = np.random.default_rng([level, seed, 99])
    drawn = 5 if rng.random() < _FIVE else int(rng.integers(2, 5))
    grids = SAMURAI_GRIDS[n_grids or drawn]
    n_clues = int(len(grids) * rng.uniform(*_CLUES_A_GRID))
    options = KindOptions(Kind.SAMURAI, clues=n_clues, n_grids=len(grids))
    (puzzle,) = generate_kind(1, options, seed)
    width = puzzle.rules.width
    medium = pick(chosen.media, rng)
    size = choose_size(chosen, len(grids), rng)
    share = max(rng.uniform(*_SHARE), 1.25 * width * chosen.least_cell_px / min(size))
    px = round(min(share * min(size) * 1.05, _MOST_PX))
    look = choose_kind_look(Shape("classic", box_regions(3, 3)), medium, rng)
    printed = print_samurai(grids, puzzle.clues, px, look)
    surround, around = float(rng.uniform(0.1, 0.4)), choose_surroundings(medium, rng)
    nowhere = np.zeros((2, 2, 2), np.float32)
    page = lay_out_boards([printed.image], [nowhere], 1, surround, rng, around)
    # The layout moved a lattice of zeros to where the image begins.
    start = page.lattices[0][0, 0]
    placed = tuple(np.asarray(lattice + start, np.float32) for lattice in printed.lattices)
    shot = shoot_page(replace(page, lattices=placed), medium, chosen, size, share, rng)
    return KindPhoto(shot.photo, shot.lattices, (puzzle,))


_UNFIT: Final = frozenset({"KacstTitleL", "NotoSansIndicSiyaqNumbers", "mry_KacstQurn"})
"""Outlines without ink, and digits that are none of a newspaper."""

_OTHER_FORMS: Final = frozenset({"Lemonada"})
"""Families whose Persian 6 is the Arabic 4."""


def set_script(look: KindLook, rng: np.random.Generator, *, script: str, faces: Path) -> KindLook:
    """Return a look with the digits of a script, in sizes that newspapers have.

    Args:
        look: of a board up to side 9.
        rng: chooses typeface and size.
        script: one of `models.script_reader.SCRIPTS`, or none.
        faces: folder of typefaces.

    Raises:
        FileNotFoundError: if none of them has the digits.
    """
    if not script:
        return look
    found = find_script_faces(faces, script)
    base = replace(
        look.base,
        face=found[int(rng.integers(len(found)))],
        digit_height=float(rng.uniform(0.38, 0.72)),
        squeeze=float(rng.uniform(0.9, 1.15)),
    )
    return replace(look, base=base, alphabet=script)


def set_typefaces(look: KindLook, rng: np.random.Generator, faces: Sequence[str]) -> KindLook:
    """Return a look whose symbols and sums are set in two typefaces, of which paths are given."""
    symbols, sums = (faces[int(at)] for at in rng.integers(len(faces), size=2))
    return replace(look, base=replace(look.base, face=symbols), sum_face=sums)


def find_faces(folder: Path) -> tuple[str, ...]:
    """Return the typefaces of a folder that have all figures and capitals, as paths.

    Args:
        folder: of `.ttf` and `.otf` files, in folders of its own too.

    Raises:
        FileNotFoundError: if there is none.
    """
    found = find_typefaces(folder, "".join(FIGURES + LETTERS))
    if not found:
        raise FileNotFoundError(f"no typeface in {folder} has figures and capitals; put one there")
    return found


@cache
def find_script_faces(folder: Path, script: str) -> tuple[str, ...]:
    """Return the typefaces of a folder that have the nine digits of a script, as paths.

    Args:
        folder: of `.ttf` and `.otf` files, in folders of its own too.
        script: one of `models.script_reader.SCRIPTS`.

    Raises:
        FileNotFoundError: if there is none.
    """
    left_out = _UNFIT | _OTHER_FORMS if script == "persian" else _UNFIT
    found = [
        face
        for face in find_typefaces(folder, SCRIPTS[script])
        if Path(face).stem.split("-")[0] not in left_out
    ]
    if not found:
        raise FileNotFoundError(f"no typeface in {folder} has {script} digits; put one there")
    return tuple(found)
