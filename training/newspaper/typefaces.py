"""The bundled typefaces that rendered boards and pages are set in."""

from functools import lru_cache
from pathlib import Path
from typing import Final

from PIL import ImageFont

_FONT_FOLDER: Final = Path(__file__).parents[1] / "fonts"


def font_names() -> list[str]:
    """Return the names that `load_font` knows without a path."""
    return sorted(path.stem for path in _FONT_FOLDER.glob("*.ttf"))


@lru_cache(maxsize=256)
def load_font(name: str, size_px: float) -> ImageFont.FreeTypeFont:
    """Return a bundled typeface by name, or any other by the path of its file.

    The basic layout is asked for so that text comes out the same whether or not Pillow
    finds a shaping library.

    Args:
        name: such as "Newsreader-Bold", or a path that ends in .ttf or .otf.
        size_px: em size in pixels.

    Raises:
        ValueError: if there is no such typeface.
    """
    path = Path(name) if name.endswith((".ttf", ".otf")) else _FONT_FOLDER / f"{name}.ttf"
    if not path.is_file():
        raise ValueError(f"no font {name!r}; bundled are {', '.join(font_names())}")
    return ImageFont.truetype(path, size_px, layout_engine=ImageFont.Layout.BASIC)
