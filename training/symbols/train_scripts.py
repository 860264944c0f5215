"""Trains the network of other scripts on cells of boards in their digits that it draws and keeps.

    OPTIONS="--samples build/scripts --out build/scripts/net"
    python -m training.symbols.train_scripts $OPTIONS --draw 240
    python -m training.symbols.train_scripts $OPTIONS --steps 9000
    python -m training.symbols.train_scripts $OPTIONS --draw 340
    python -m training.symbols.train_scripts $OPTIONS --steps 12500 --rate 6e-3
    python -m training.symbols.train_scripts $OPTIONS --export

Samples are drawn in typefaces of the folder build/faces and the folders in it. For the first 240
shards these are Debian's packages fonts-*: arabeyes, farsiweb, freefarsi, freefont-ttf,
hosny-amiri, hosny-thabit, kacst, lemonada, noto-core, sil-annapurna, sil-lateef, sil-scheherazade,
aksharyogini2, deva-extra, gargi, lohit-deva, lohit-deva-marathi, lohit-deva-nepali, nakula,
samyak-deva and sarai: 91, 35 and 19 typefaces with Arabic, Persian and Devanagari digits.

For the others they are some of noto-extra, paktype and sil-alkalami, and of npm's @fontsource/*:
almarai, cairo, changa, ibm-plex-sans-arabic, lalezar, tajawal, vazirmatn, baloo-2, halant,
inknut-antiqua, kalam, martel and mukta: 38, 33 and 28. Without files that draw 1 to 9 instead.

Left out for measuring: KacstOne, Noto Sans, FreeSerif, Harmattan, Sahadeva and DejaVu Sans; and for
a second sample npm's alexandria, el-messiri, readex-pro, reem-kufi, biryani, karma and yantramanav.

The last command puts the network in its place, models/weights, for both engines. The same command
again goes on from the last shard or checkpoint.
"""

import sys
from functools import partial
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from models.script_reader import CLASSES, EMPTY, FIRST_OF, NO_DIGIT, build_script_net
from training.pages.printed_board import choose_kind_look
from training.pages.shape import Shape, box_regions
from training.rendered.kind_photos import set_script
from training.symbols.learn_cells import (
    CellSamples,
    CellTask,
    DrawnBoard,
    choose_level,
    draw_values,
    shoot_cells,
)
from vision.geometry import Image8

_SEED: Final = 6609
"""Sets these photos apart from all that are drawn elsewhere."""
_BOARDS: Final = ("arabic", "arabic", "persian", "persian", "devanagari", "devanagari", "", "")
"""Scripts of which a board is printed in one; none is that of the usual digits."""
_GIVEN: Final = (0.35, 0.8)
"""Share of the cells in which a digit stands."""

_SLANT: Final = 0.2
_TURN: Final = 0.04
"""Standard deviations of how far digits lean, shift by height, and of their turns in radians."""
_STRETCH: Final = 0.1
"""The same of the logarithm of their width and height."""
_WEIGHT: Final = 0.35
"""The same of how far strokes become a pixel thinner or bolder on each side."""
_CROSS: Final = cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))

_EASTERN, _DEVANAGARI = FIRST_OF["arabic"] - 1, FIRST_OF["devanagari"] - 1

_HALF_TURNED: Final = {_EASTERN + 7: _EASTERN + 8, _EASTERN + 8: _EASTERN + 7}
"""Digits that a half turn makes others."""

_ALIKE_UPSIDE_DOWN: Final = frozenset(
    (_EASTERN + 1, _EASTERN + 5, _DEVANAGARI + 3, _DEVANAGARI + 6)
)
"""Digits that it leaves as they are, or nearly, or that it makes another one in some typefaces."""

_ALIKE_ASIDE: Final = frozenset((_EASTERN + 5,))
"""The same of a quarter turn."""


def draw_script_cells(seed: int, faces: Path) -> CellSamples:
    """Return the cells of a photo of a board whose digits are drawn evenly, fitting or not.

    Args:
        seed: of the photo.
        faces: folder of typefaces that have digits of these scripts.

    Returns:
        Cells with classes of `models.script_reader`.

    Raises:
        FileNotFoundError: if there are none.
    """
    rng = np.random.default_rng([_SEED, seed])
    level, medium = choose_level(rng)
    script = _BOARDS[int(rng.integers(len(_BOARDS)))]
    shape = Shape("classic", box_regions(3, 3))
    look = set_script(choose_kind_look(shape, medium, rng), rng, script=script, faces=faces)
    values = draw_values(9, _GIVEN, rng)
    digits = values.ravel()
    of_filled = digits + FIRST_OF[script] - 1 if script else np.full_like(digits, NO_DIGIT)
    classes = np.where(digits > 0, of_filled, EMPTY).astype(np.uint8)
    return shoot_cells(DrawnBoard(shape, values, look, classes), level, medium, NO_DIGIT, rng)


def tell_script_turned(told: int, turns: int) -> int | None:
    """Return the class of a cell after quarter turns; None if it may still be taken for itself."""
    if told in (EMPTY, NO_DIGIT):
        return told
    if turns == 2 and told in _HALF_TURNED:
        return _HALF_TURNED[told]
    alike = _ALIKE_UPSIDE_DOWN if turns == 2 else _ALIKE_ASIDE
    return None if told in alike else NO_DIGIT


def reshape_digits(cells: Image8, rng: np.random.Generator) -> Image8:
    """Return cells, (k, 32, 32), whose digits lean and are as wide and bold as in other typefaces.

    Lines of the board change with them, so no more than photos do.
    """
    slants = rng.normal(0, _SLANT, len(cells))
    turns = rng.normal(0, _TURN, len(cells))
    scales = np.exp(rng.normal(0, _STRETCH, (len(cells), 2)))
    weights = np.clip(rng.normal(0, _WEIGHT, len(cells)), -1, 1)
    middle = (np.array(cells.shape[1:]) - 1) / 2
    reshaped = np.empty_like(cells)
    for place, cell in enumerate(cells):
        edit = cv2.dilate if weights[place] > 0 else cv2.erode
        share = float(abs(weights[place]))
        bold = cv2.addWeighted(cell, 1 - share, edit(cell, _CROSS), share, 0)
        matrix = np.array([[1, slants[place] - turns[place]], [turns[place], 1]])
        matrix *= scales[place][:, None]
        shift = middle - matrix @ middle
        moved, rim = np.column_stack([matrix, shift]), cv2.BORDER_REPLICATE
        cv2.warpAffine(bold, moved, cell.shape, reshaped[place], borderMode=rim)
    return reshaped


_SCRIPTS: Final = CellTask(
    "scripts",
    CLASSES,
    build_script_net,
    tell_script_turned,
    astray_share=0.25,
    smoothing=0.01,
    reshape=reshape_digits,
)

main = _SCRIPTS.command(
    __spec__,
    "Train the network of other scripts.",
    lambda recipe: partial(draw_script_cells, faces=recipe.faces),
)
"""Runs the command line."""


if __name__ == "__main__":
    sys.exit(main())
