"""Trains the network of other scripts on cells of boards in their digits that it draws and keeps.

    OPTIONS="--samples build/scripts --out build/scripts/net"
    python -m training.symbols.train_scripts $OPTIONS --draw 240
    python -m training.symbols.train_scripts $OPTIONS --steps 9000
    python -m training.symbols.train_scripts $OPTIONS --export

The first command draws the samples, in typefaces of the folder build/faces and the folders in it.
The last one puts the network in its place, models/weights, for both engines. The same command again
goes on from the last shard or checkpoint.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from models.script_reader import CLASSES, EMPTY, FIRST_OF, NO_DIGIT, build_script_net
from training.pages.printed_board import choose_kind_look, print_board
from training.pages.shape import Shape, box_regions
from training.rendered.levels import LEVELS
from training.rendered.page_layout import lay_out_boards
from training.rendered.rendered_photos import choose_medium, shoot_page
from training.rendered.script_faces import set_script
from training.shard_runs import Drawing, run_command
from training.symbols.train_symbols import (
    SHARD_PHOTOS,
    CellTask,
    SymbolCells,
    SymbolRecipe,
    cut_samples,
    export,
    train,
)

FACES: Final = Path("build/faces")
"""Folder of typefaces that have digits of these scripts."""

_SEED: Final = 6609
"""Sets these photos apart from all that are drawn elsewhere."""
_LEVELS: Final = (1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5)
_BOARDS: Final = ("arabic", "arabic", "persian", "persian", "devanagari", "devanagari", "", "")
"""Scripts of which a board is printed in one; none is that of the usual digits."""
_CELL_PX: Final = (17.0, 52.0)
"""Side of a cell in a photo; larger ones would be shrunk."""
_GIVEN: Final = (0.35, 0.8)
"""Share of the cells in which a digit stands."""

_EASTERN, _DEVANAGARI = FIRST_OF["arabic"] - 1, FIRST_OF["devanagari"] - 1

_HALF_TURNED: Final = {_EASTERN + 7: _EASTERN + 8, _EASTERN + 8: _EASTERN + 7}
"""Digits that a half turn makes others."""

_ALIKE_UPSIDE_DOWN: Final = frozenset(
    (_EASTERN + 1, _EASTERN + 5, _DEVANAGARI + 3, _DEVANAGARI + 6)
)
"""Digits that it leaves as they are, or nearly, or that it makes another one in some typefaces."""

_ALIKE_ASIDE: Final = frozenset((_EASTERN + 5,))
"""The same of a quarter turn."""


def draw_script_cells(seed: int) -> SymbolCells:
    """Return the cells of a photo of a board whose digits are drawn evenly, fitting or not.

    Classes are those of `models.script_reader`.
    """
    rng = np.random.default_rng([_SEED, seed])
    level = LEVELS[int(rng.choice(_LEVELS))]
    medium = choose_medium(level, rng)
    script = _BOARDS[int(rng.integers(len(_BOARDS)))]
    shape = Shape("classic", box_regions(3, 3))
    look = set_script(choose_kind_look(shape, medium, rng), rng, script=script, faces=FACES)
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
    return cut_samples(shot.photo, shot.lattices[0], classes, NO_DIGIT, rng)


def tell_script_turned(told: int, turns: int) -> int | None:
    """Return the class of a cell after quarter turns; None if it may still be taken for itself."""
    if told in (EMPTY, NO_DIGIT):
        return told
    if turns == 2 and told in _HALF_TURNED:
        return _HALF_TURNED[told]
    alike = _ALIKE_UPSIDE_DOWN if turns == 2 else _ALIKE_ASIDE
    return None if told in alike else NO_DIGIT


_SCRIPTS: Final = CellTask(
    "scripts", CLASSES, build_script_net, tell_script_turned, astray_share=0.25, slant=0.2
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m training.symbols.train_scripts",
        description="Train the network of other scripts.",
    )
    drawing = Drawing(_SCRIPTS.name, draw_script_cells, SHARD_PHOTOS)
    learn, put = partial(train, _SCRIPTS), partial(export, _SCRIPTS)
    return run_command(parser, SymbolRecipe, learn, put, arguments, drawing)


if __name__ == "__main__":
    sys.exit(main())
