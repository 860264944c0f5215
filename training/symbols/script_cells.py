"""Draws photos of boards in Arabic, Persian and Devanagari digits and keeps their cells.

    python -m training.symbols.script_cells build/scripts --faces FOLDER --shards 40

FOLDER holds typefaces of these scripts. Two boards of seven have the usual digits, which are none
of these. A shard that is there already is not drawn again.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from models.script_reader import EMPTY, FIRST_OF, NO_DIGIT
from training.pages.printed_board import choose_kind_look, print_board
from training.pages.shape import Shape, box_regions
from training.rendered.levels import LEVELS
from training.rendered.page_layout import lay_out_boards
from training.rendered.rendered_photos import choose_medium, shoot_page
from training.rendered.script_faces import set_script
from training.shard_runs import draw_command
from training.symbols.symbol_cells import SymbolCells, cut_nudged, stray
from vision.board import move_lattice

_SHARD: Final = 20
"""Photos in a file."""
_SEED: Final = 6609
"""Sets these photos apart from all that are drawn elsewhere."""
_LEVELS: Final = (1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5)
_SCRIPTS: Final = ("arabic", "persian", "persian", "devanagari", "devanagari", "", "")
"""Of which a board is printed in one; none is that of the usual digits."""
_CELL_PX: Final = (17.0, 52.0)
"""Side of a cell in a photo; larger ones would be shrunk."""
_GIVEN: Final = (0.35, 0.8)
"""Share of the cells in which a digit stands."""
_NUDGE: Final = 0.035
"""Cells by which a lattice lies aside, one standard deviation."""
_ASTRAY: Final = 0.08
"""Share of the boards that are cut a third of a cell aside or more, too."""


def draw_cells(faces: Path, seed: int) -> SymbolCells:
    """Return the cells of a photo of a board whose digits are drawn evenly, fitting or not.

    Classes are those of `models.script_reader`.

    Args:
        faces: folder of typefaces.
        seed: chooses all else.
    """
    rng = np.random.default_rng([_SEED, seed])
    level = LEVELS[int(rng.choice(_LEVELS))]
    medium = choose_medium(level, rng)
    script = _SCRIPTS[int(rng.integers(len(_SCRIPTS)))]
    shape = Shape("classic", box_regions(3, 3))
    look = set_script(choose_kind_look(shape, medium, rng), rng, script=script, faces=faces)
    values = rng.integers(1, 10, (9, 9)).astype(np.uint8)
    values[rng.random((9, 9)) >= rng.uniform(*_GIVEN)] = 0
    cell_px = float(np.exp(rng.uniform(*np.log(_CELL_PX))))
    short_side = round(9 * cell_px / 0.9)
    size = (round(1.15 * short_side), short_side)
    printed = print_board(shape, values, (), round(1.05 * 9 * cell_px), look)
    page = lay_out_boards([printed.image], [printed.lattices[0]], 1, 0.12, rng, "nothing")
    shot = shoot_page(page, medium, replace(level, least_cell_px=16), size, 0.9, rng)
    digits = values.ravel()
    first = FIRST_OF[script] if script else 0
    of_filled = digits + first - 1 if script else np.full_like(digits, NO_DIGIT)
    classes = np.where(digits > 0, of_filled, EMPTY).astype(np.uint8)
    parts = [(cut_nudged(shot.photo, shot.lattices[0], _NUDGE, rng), classes)]
    if rng.random() < _ASTRAY:
        aside = move_lattice(shot.lattices[0], *stray(rng))
        parts.append((cut_nudged(shot.photo, aside, 0, rng), np.full_like(classes, NO_DIGIT)))
    cells, told = (np.concatenate(part) for part in zip(*parts, strict=True))
    return SymbolCells(cells, told)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m training.symbols.script_cells", description="Draw cells of other scripts."
    )
    parser.add_argument("--faces", type=Path, required=True, help="folder of typefaces")
    given = sys.argv[1:] if arguments is None else list(arguments)
    faces = parser.parse_known_args(given)[0].faces
    return draw_command(parser, "scripts", partial(draw_cells, faces), _SHARD, given)


if __name__ == "__main__":
    sys.exit(main())
