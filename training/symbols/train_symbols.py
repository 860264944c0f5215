"""Trains the symbol network on cells of boards of sides 10 to 25 that it draws and keeps.

    python -m training.symbols.train_symbols --out build/symbols/net --draw 64
    python -m training.symbols.train_symbols --out build/symbols/net
    python -m training.symbols.train_symbols --out build/symbols/net --export

The first command draws the samples, the last one puts the network in its place, models/weights,
for both engines. The same command again goes on from the last shard or checkpoint.

Three boards of four are set in typefaces of the folder build/faces and the folders in it. These are
306 typefaces of Debian's packages fonts-*: adf-*, agave, allerta, anonymous-pro, arapey,
averia-*-gwf, b612, bebas-neue, cardo, clear-sans, cmu, comic-neue, croscore, crosextra-*, dejavu-*,
dosis, fantasque-sans, fanwood, firacode, freefont-otf, gfs-artemisia, gfs-neohellenic, go,
goudybookletter, inconsolata, jetbrains-mono, junction, jura, karmilla, lato, league-*, liberation,
lindenhill, linuxlibertine, lmodern, manrope, mononoki, mplus, national-park, noto-core,
oldstandard, opendin, oxygen, paratype, play, prociono, quattrocento, roboto-*, routed-gothic,
sil-andika, sil-charis, sil-gentium, sora, texgyre, tiresias, tuffy, urw-base35, yanone-kaffeesatz
and yrsa-rasa. Of each family there are a regular and a bold one, and of some an italic one; none is
thin or a script.

Left out for measuring: Cabin, Cantarell, Comfortaa, Courier Prime, EB Garamond, GFS Didot, Hack,
Inter, Karla, Linux Libertine, Nimbus Sans Narrow, Open Sans, PT Serif, Quicksand and Vollkorn.
Courier Prime, Karla, Linux Libertine, Open Sans and PT Serif have siblings among those.
"""

import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Final

import numpy as np

from models.symbol_reader import CLASSES, EMPTY, NO_SYMBOL, build_symbol_net, class_of
from training.pages.flat_board import Colour, as_colour
from training.pages.printed_board import KindLook, choose_kind_look
from training.pages.shape import Shape, box_regions
from training.rendered.kind_photos import find_faces, set_typefaces
from training.rendered.large_digits import ALPHABETS, print_symbol, typefaces
from training.symbols.learn_cells import (
    CellSamples,
    CellTask,
    DrawnBoard,
    choose_level,
    draw_values,
    shoot_cells,
)

_SEED: Final = 2526
"""Sets these photos apart from all that are drawn elsewhere."""
_BOXES: Final = {10: (2, 5), 12: (3, 4), 16: (4, 4), 25: (5, 5)}
_SIDES: Final = (10, 12, 16, 16, 16, 25, 25)
"""A board of 25 has as many cells as six of 10, and symbols that no other has."""
_GIVEN: Final = (0.35, 0.75)
"""Share of the cells in which a symbol stands."""
_OTHER_FACE: Final = 0.3
"""Share of the boards in a typeface that rendered boards are not set in."""
_ANY_FACE: Final = 0.75
"""The same in one of a folder's typefaces, where there are some."""
_TINTED: Final = 0.2
"""Share of the boards whose boxes have coloured papers."""
_OTHER_FACES: Final = (
    *(f"DejaVuSans{style}" for style in ("-Oblique", "Mono-Bold", "Mono-Oblique")),
    *("DejaVuSerif-Italic", "DejaVuSerif-BoldItalic", "STIXGeneralItalic", "STIXGeneralBolIta"),
    *("cmtt10", "cmti10"),
)
"""Of those that come with matplotlib."""
_ALIKE_UPSIDE_DOWN: Final = frozenset(class_of(one) for one in "0158HIMNOSWX") | {class_of("11")}
"""Symbols that a half turn leaves as they are, or nearly, or that it makes another one."""
_ALIKE_ASIDE: Final = frozenset(class_of(one) for one in "01CHINOUX")
"""The same of a quarter turn."""
_SIX, _NINE = class_of("6"), class_of("9")


def draw_cells(seed: int, faces: Sequence[str] = ()) -> CellSamples:
    """Return the cells of a photo of a board whose symbols are drawn evenly, fitting or not.

    Args:
        seed: of the photo.
        faces: paths of typefaces besides those that are at hand.
    """
    rng = np.random.default_rng([_SEED, seed])
    level, medium = choose_level(rng)
    side = int(rng.choice(_SIDES))
    regions = box_regions(*_BOXES[side])
    look = _vary_look(choose_kind_look(Shape("classic", regions), medium, rng), side, rng)
    if faces and rng.random() < _ANY_FACE:
        look = set_typefaces(look, rng, faces)
    values = draw_values(side, _GIVEN, rng)
    # Colours of papers are printed for what has regions of its own.
    shape = Shape("jigsaw" if look.region_colours else "classic", regions)
    symbols = [
        print_symbol(value, look.alphabet) if value else "" for value in values.ravel().tolist()
    ]
    classes = np.array([class_of(symbol) for symbol in symbols], np.uint8)
    return shoot_cells(DrawnBoard(shape, values, look, classes), level, medium, NO_SYMBOL, rng)


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
    colours: tuple[Colour, ...] = ()
    if rng.random() < _TINTED and sum(paper) > 600:
        count = int(rng.integers(2, 5))
        colours = tuple(map(as_colour, rng.integers(165, 256, (count, 3))))
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


def tell_turned(told: int, turns: int) -> int | None:
    """Return the class of a cell after quarter turns; None if it may still be taken for itself."""
    if told in (EMPTY, NO_SYMBOL):
        return told
    if turns == 2 and told in (_SIX, _NINE):
        return _NINE if told == _SIX else _SIX
    alike = _ALIKE_UPSIDE_DOWN if turns == 2 else _ALIKE_ASIDE
    return None if told in alike else NO_SYMBOL


SYMBOL_TASK: Final = CellTask("symbols", CLASSES, build_symbol_net, tell_turned, astray_share=0.04)

main = SYMBOL_TASK.command(
    __spec__,
    "Train the symbol network.",
    lambda recipe: partial(draw_cells, faces=find_faces(recipe.faces)),
)
"""Runs the command line."""


if __name__ == "__main__":
    sys.exit(main())
