"""Draws photos of boards of sides 10, 12, 16 and 25 and keeps their cells, to learn symbols from.

    python -m training.symbols.symbol_cells build/symbols --shards 64

A shard that is there already is not drawn again, so that the command goes on where it was stopped.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from models.symbol_reader import NO_SYMBOL, class_of
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
from training.shard_runs import draw_command
from vision.board import cut_cells, cut_middles, move_lattice, rectify
from vision.digit_size import choose_zoom

Image8 = npt.NDArray[np.uint8]
Points = npt.NDArray[np.float32]

_SHARD: Final = 20
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
    parts = [(cut_nudged(shot.photo, shot.lattices[0], _NUDGE, rng), classes)]
    if rng.random() < _ASTRAY:
        aside = move_lattice(shot.lattices[0], *stray(rng))
        parts.append((cut_nudged(shot.photo, aside, 0, rng), np.full_like(classes, NO_SYMBOL)))
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


def stray(rng: np.random.Generator) -> list[float]:
    """Return cells to the right and down, of which one at least is a third of a cell or more."""
    far = rng.uniform(0.33, 0.67)
    aside = [far, rng.uniform(0, 0.67)]
    return aside if rng.random() < 0.5 else aside[::-1]


def cut_nudged(photo: Image8, lattice: Points, nudge: float, rng: np.random.Generator) -> Image8:
    """Cut the cells as they are cut to be read, from a lattice that lies a little aside."""
    moved = move_lattice(lattice, *rng.normal(0, nudge, 2).tolist())
    is_denoised = bool(rng.random() < _DENOISED)
    cells = cut_cells(rectify(photo, moved, is_denoised=is_denoised))
    zoom = choose_zoom(cells)
    return cells if zoom == 1 else cut_middles(photo, moved, zoom, is_denoised=is_denoised)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m training.symbols.symbol_cells", description="Draw cells of large boards."
    )
    return draw_command(parser, "symbols", draw_cells, _SHARD, arguments)


if __name__ == "__main__":
    sys.exit(main())
