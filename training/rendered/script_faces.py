"""Boards in Arabic, Persian and Devanagari digits, in typefaces that have them."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from models.script_reader import SCRIPTS
from training.pages.printed_board import KindLook
from training.pages.typesetting import load_font

_PROBED_PX: Final = 40
"""Size of glyphs that are compared."""
_UNKNOWN: Final = "\uffff"
"""A character that no typeface has."""

_UNFIT: Final = frozenset({"KacstTitleL", "NotoSansIndicSiyaqNumbers", "mry_KacstQurn"})
"""Outlines without ink, and digits that are none of a newspaper."""

_OTHER_FORMS: Final = frozenset({"Lemonada"})
"""Families whose Persian 6 is the Arabic 4."""


def set_script(
    look: KindLook,
    rng: np.random.Generator,
    *,
    script: str,
    faces: Path,
) -> KindLook:
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


@cache
def find_script_faces(folder: Path, script: str) -> tuple[str, ...]:
    """Return the typefaces of a folder that have the nine digits of a script, as paths.

    Args:
        folder: of `.ttf` and `.otf` files, in folders of its own too.
        script: one of `models.script_reader.SCRIPTS`.

    Raises:
        FileNotFoundError: if there is none.
    """
    found = []
    for path in sorted(path for path in folder.rglob("*") if path.suffix in (".ttf", ".otf")):
        family = path.stem.split("-")[0]
        is_unfit = family in _UNFIT or (script == "persian" and family in _OTHER_FORMS)
        if is_unfit:
            continue
        if _has_digits(str(path), SCRIPTS[script]):
            found.append(str(path))
    if not found:
        raise FileNotFoundError(f"no typeface in {folder} has {script} digits; put one there")
    return tuple(found)


def _has_digits(face: str, digits: str) -> bool:
    """Tell whether a typeface has a glyph of its own, with ink, for each digit."""
    try:
        font = load_font(face, _PROBED_PX)
    except OSError:  # no typeface
        return False
    missing = bytes(font.getmask(_UNKNOWN))
    glyphs = {bytes(font.getmask(digit)) for digit in digits}
    return len(glyphs) == len(digits) and missing not in glyphs and all(map(any, glyphs))
