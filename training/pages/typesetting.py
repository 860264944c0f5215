"""Text on a flat page: the typefaces that come with the project, and small-town news without end.

Sentences are put together from phrases written for this project.
"""

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

import numpy as np
from PIL import ImageDraw, ImageFont

_MEASURING_PX: Final = 1000.0

_PROBED_PX: Final = 40
"""Size of glyphs that are compared."""

_UNKNOWN: Final = "\uffff"
"""A character that no typeface has."""

Box = tuple[float, float, float, float]
"""Left, top, right, bottom in pixels of the page."""

_FONT_FOLDER: Final = Path(__file__).parents[1] / "fonts"
_PHRASES: Final = Path(__file__).with_name("phrases.txt")
"""A kind of phrase in brackets, then one a line; a word in braces stands for one of that kind."""


@dataclass(frozen=True)
class TypeStyle:
    """A typeface in use; lengths in pixels."""

    font: str
    size: float
    leading: float
    """Distance from one line to the next."""
    ink: tuple[int, int, int] = (0, 0, 0)
    """RGB, as Pillow takes it."""
    indent: float = 0.0
    """Of a paragraph's first line."""


def set_line(
    draw: ImageDraw.ImageDraw, place: tuple[float, float], text: str, style: TypeStyle, anchor: str
) -> None:
    """Set one line; `anchor` as Pillow names it, such as "ls" for left, on the baseline."""
    font = load_font(style.font, style.size)
    draw.text(place, text, fill=style.ink, font=font, anchor=anchor)


def _text_width(text: str, style: TypeStyle) -> float:
    """Return the width of text by the typeface's own measures, scaled.

    Widths at small sizes are rounded by hinting, which differs between releases of FreeType and
    would break lines elsewhere.
    """
    return float(load_font(style.font, _MEASURING_PX).getlength(text)) * style.size / _MEASURING_PX


def set_column(draw: ImageDraw.ImageDraw, box: Box, text: str, style: TypeStyle) -> None:
    """Set justified text into a column, until text or room runs out."""
    left, y, right, bottom = box
    for paragraph in text.split("\n"):
        lines = _break_lines(paragraph, right - left, style)
        for number, words in enumerate(lines):
            if y + style.leading > bottom:
                return
            start = left + (style.indent if number == 0 else 0.0)
            is_last = number == len(lines) - 1
            _set_justified(draw, (start, right), y + style.size, words, is_last, style)
            y += style.leading


def _set_justified(
    draw: ImageDraw.ImageDraw,
    span: tuple[float, float],
    baseline: float,
    words: list[str],
    is_last: bool,
    style: TypeStyle,
) -> None:
    widths = [_text_width(word, style) for word in words]
    gap = _text_width(" ", style)
    if not is_last and len(words) > 1:
        gap = (span[1] - span[0] - sum(widths)) / (len(words) - 1)
    x = span[0]
    for word, width in zip(words, widths, strict=True):
        set_line(draw, (x, baseline), word, style, "ls")
        x += width + gap


def _break_lines(paragraph: str, width: float, style: TypeStyle) -> list[list[str]]:
    """Break a paragraph into lines of words, each as long as fits; one word at least."""
    space = _text_width(" ", style)
    lines: list[list[str]] = [[]]
    used = style.indent
    for word in paragraph.split():
        length = _text_width(word, style)
        if lines[-1] and used + length > width:
            lines.append([])
            used = 0.0
        lines[-1].append(word)
        used += length + space
    return lines


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


@cache
def find_typefaces(folder: Path, symbols: str) -> tuple[str, ...]:
    """Return the typefaces of a folder that have a glyph for each symbol, as paths.

    Args:
        folder: of `.ttf` and `.otf` files, in folders of its own too.
        symbols: characters that must not look alike.
    """
    paths = sorted(path for path in folder.rglob("*") if path.suffix in (".ttf", ".otf"))
    return tuple(str(path) for path in paths if _has_glyphs(str(path), symbols))


def _has_glyphs(face: str, symbols: str) -> bool:
    """Tell whether a typeface has a glyph of its own, with ink, for each symbol."""
    try:
        font = load_font(face, _PROBED_PX)
    except OSError:  # no typeface
        return False
    missing = bytes(font.getmask(_UNKNOWN))
    glyphs = {bytes(font.getmask(symbol)) for symbol in symbols}
    return len(glyphs) == len(symbols) and missing not in glyphs and all(map(any, glyphs))


def write_text(rng: np.random.Generator, characters: int) -> str:
    """Return sentences of at least so many characters, in paragraphs parted by line breaks."""
    sentences: list[str] = []
    length = 0
    paragraph_left = int(rng.integers(2, 5))
    while length < characters:
        sentence = pick_phrase(rng, "sentence")
        paragraph_left -= 1
        end = "\n" if paragraph_left == 0 else " "
        paragraph_left = paragraph_left or int(rng.integers(2, 5))
        sentences.append(sentence + end)
        length += len(sentence) + 1
    return "".join(sentences).strip()


def pick_phrase(rng: np.random.Generator, kind: str) -> str:
    """Return a random phrase of a kind, such as "headline", with its blanks filled in."""
    choices = _load_phrases()[kind.removesuffix("_first")]
    phrase = choices[int(rng.integers(len(choices)))]
    phrase = re.sub(r"{(\w+)}", lambda blank: pick_phrase(rng, blank[1]), phrase)
    return phrase[0].upper() + phrase[1:] if kind.endswith(("_first", "sentence")) else phrase


@cache
def _load_phrases() -> dict[str, list[str]]:
    parts = re.split(r"\[(\w+)\]\n", _PHRASES.read_text(encoding="utf-8"))
    return {
        kind: text.strip().split("\n") for kind, text in zip(parts[1::2], parts[2::2], strict=True)
    }
