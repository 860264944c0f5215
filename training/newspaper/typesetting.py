"""Setting type: justified columns, headlines and single lines on a flat page."""

from dataclasses import dataclass
from typing import Final

from PIL import ImageDraw

from training.newspaper.typefaces import load_font

_MEASURING_PX: Final = 1000.0

Box = tuple[float, float, float, float]
"""Left, top, right, bottom in pixels of the page."""


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


def text_width(text: str, style: TypeStyle) -> float:
    """Return the width of text by the typeface's own measures, scaled.

    Widths at small sizes are rounded by hinting, which differs between releases of FreeType and
    would break lines elsewhere.
    """
    return float(load_font(style.font, _MEASURING_PX).getlength(text)) * style.size / _MEASURING_PX


def set_ragged(draw: ImageDraw.ImageDraw, box: Box, text: str, style: TypeStyle) -> float:
    """Set text flush left with a ragged right edge, and return where the next line would stand."""
    y = box[1]
    for paragraph in text.split("\n"):
        for line in _break_lines(paragraph, box[2] - box[0], style):
            if y + style.leading > box[3]:
                return y
            set_line(draw, (box[0], y + style.size), " ".join(line), style, "ls")
            y += style.leading
    return y


def set_columns(draw: ImageDraw.ImageDraw, boxes: list[Box], text: str, style: TypeStyle) -> None:
    """Set justified text into columns one after the other, until text or room runs out."""
    lines = [
        (line, number == 0, number == len(broken) - 1)
        for paragraph in text.split("\n")
        for broken in [_break_lines(paragraph, boxes[0][2] - boxes[0][0], style)]
        for number, line in enumerate(broken)
    ]
    for left, top, right, bottom in boxes:
        y = top
        while lines and y + style.leading <= bottom:
            words, is_first, is_last = lines.pop(0)
            start = left + (style.indent if is_first else 0.0)
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
    font = load_font(style.font, style.size)
    natural = text_width(" ", style)
    spare = span[1] - span[0] - sum(text_width(word, style) for word in words)
    gaps = len(words) - 1
    gap = natural if is_last or gaps == 0 else spare / gaps
    x = span[0]
    for word in words:
        draw.text((x, baseline), word, fill=style.ink, font=font, anchor="ls")
        x += text_width(word, style) + gap


def _break_lines(paragraph: str, width: float, style: TypeStyle) -> list[list[str]]:
    """Break a paragraph into lines of words, each as long as fits; one word at least."""
    space = text_width(" ", style)
    lines: list[list[str]] = [[]]
    used = style.indent
    for word in paragraph.split():
        length = text_width(word, style)
        if lines[-1] and used + length > width:
            lines.append([])
            used = 0.0
        lines[-1].append(word)
        used += length + space
    return lines
