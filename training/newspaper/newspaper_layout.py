"""A newspaper page laid out flat: stories, a picture, an advertisement, a crossword and a Sudoku.

Lengths are pixels of the flat page, 7 a millimetre of a tabloid page. The page is drawn in ink on
white; paper and light come later.
"""

from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from training.newspaper.flat_board import BoardStyle, render_board
from training.newspaper.news_words import pick_phrase, pick_phrases, write_text
from training.newspaper.press_picture import draw_seascape
from training.newspaper.typesetting import (
    Box,
    TypeStyle,
    set_columns,
    set_line,
    set_ragged,
    text_width,
)

Image8 = npt.NDArray[np.uint8]

PAGE_WIDTH: Final = 2000
PAGE_HEIGHT: Final = 2800

_MARGIN: Final = 105
_GUTTER: Final = 38
_COLUMNS: Final = 4
_COLUMN: Final = (PAGE_WIDTH - 2 * _MARGIN - (_COLUMNS - 1) * _GUTTER) / _COLUMNS

_BODY: Final = TypeStyle("Newsreader-Regular", 25, 30, indent=24)
_CAPTION: Final = TypeStyle("Newsreader-Italic", 22, 27)
_LABEL: Final = TypeStyle("LibreFranklin-Medium", 21, 27)
_HEADLINE_FONT: Final = "Newsreader-Bold"
_WHITE: Final = (255, 255, 255)
_BLACK: Final = (0, 0, 0)


@dataclass(frozen=True)
class PageStyle:
    """What a page shows and how its board is printed."""

    board: BoardStyle = field(
        default_factory=lambda: BoardStyle(
            thin_width=0.022, thick_width=0.055, border_width=0.07, ink=(0, 0, 0), margin=0.3
        )
    )
    board_px: int = 752
    """Side of the board, at most the width of two columns less its margin."""
    spot_ink: tuple[int, int, int] = (24, 68, 140)
    """RGB of the second ink: bars and advertisement."""
    has_crossword: bool = True


@dataclass(frozen=True)
class FlatPage:
    """A page before it meets paper and camera."""

    image: Image8
    """(`PAGE_HEIGHT`, `PAGE_WIDTH`, 3) uint8 BGR, ink on white."""
    corners: npt.NDArray[np.float32]
    """(4, 2) float32: the board's corners (x, y), clockwise from the top left."""


def lay_out_page(
    clues: npt.NDArray[np.uint8], rng: np.random.Generator, style: PageStyle
) -> FlatPage:
    """Draw a page around a puzzle.

    Args:
        clues: (9, 9) uint8, 0 = empty.
        rng: chooses stories, picture and crossword.
        style: what the page shows.
    """
    page = Image.new("RGB", (PAGE_WIDTH, PAGE_HEIGHT), _WHITE)
    draw = ImageDraw.Draw(page)
    _draw_masthead(draw, rng, style)
    headlines = pick_phrases(rng, "headline", 4)
    _draw_lead_story(page, draw, rng, headlines[0])
    _draw_briefs(draw, rng, (_left(3), 330, _right(3), 1120))
    _draw_rule(draw, 1150, 3)
    corners = _draw_sudoku(page, draw, rng, clues, style)
    band: Box = (_left(2), 1180, _right(3), 2130)
    if style.has_crossword:
        _draw_crossword(draw, rng, band)
    else:
        _draw_story(draw, rng, headlines[3], band, columns=2)
    _draw_rule(draw, 2160, 3)
    _draw_story(draw, rng, headlines[1], (_left(0), 2190, _right(2), 2690), columns=3)
    _draw_advertisement(draw, rng, (_left(3), 2196, _right(3), 2690), style)
    image = np.ascontiguousarray(np.asarray(page)[:, :, ::-1], dtype=np.uint8)
    return FlatPage(image, corners)


def _left(column: int) -> float:
    return _MARGIN + column * (_COLUMN + _GUTTER)


def _right(column: int) -> float:
    return _left(column) + _COLUMN


def _draw_rule(draw: ImageDraw.ImageDraw, y: float, width: int) -> None:
    draw.rectangle((_MARGIN, y, PAGE_WIDTH - _MARGIN, y + width - 1), fill=_BLACK)


def _draw_masthead(draw: ImageDraw.ImageDraw, rng: np.random.Generator, style: PageStyle) -> None:
    day = f"Saturday, {int(rng.integers(1, 29))} March"
    set_line(draw, (_MARGIN, 110), str(int(rng.integers(8, 40)) * 2), _with_size(_LABEL, 34), "ls")
    set_line(draw, (PAGE_WIDTH / 2, 110), "The Harbour Courier", _with_size(_LABEL, 27), "ms")
    set_line(draw, (PAGE_WIDTH - _MARGIN, 110), day, _with_size(_LABEL, 27), "rs")
    _draw_rule(draw, 128, 6)
    title = TypeStyle("LibreBodoni-Bold", 128, 128, ink=style.spot_ink)
    set_line(draw, (_MARGIN, 268), "Pastimes & Puzzles", title, "ls")
    _draw_rule(draw, 300, 2)


def _draw_lead_story(
    page: Image.Image, draw: ImageDraw.ImageDraw, rng: np.random.Generator, headline: str
) -> None:
    top = _set_headline(draw, (_left(0), 326, _right(2), 430), headline, 96)
    picture = draw_seascape(rng, round(_right(2) - _left(1)), 440)
    place = (round(_left(1)), round(top) + 16)
    page.paste(Image.fromarray(picture).convert("RGB"), place)
    below = place[1] + picture.shape[0]
    caption: Box = (_left(1), below + 4, _right(2), below + 40)
    set_ragged(draw, caption, pick_phrase(rng, "caption"), _CAPTION)
    boxes: list[Box] = [(_left(0), place[1] - 6, _right(0), 1130)]
    boxes += [(_left(column), below + 52, _right(column), 1130) for column in (1, 2)]
    set_columns(draw, boxes, write_text(rng, 4000), _BODY)


def _draw_story(
    draw: ImageDraw.ImageDraw, rng: np.random.Generator, headline: str, box: Box, columns: int
) -> None:
    top = _set_headline(draw, box, headline, 74) + 18
    width = (box[2] - box[0] - (columns - 1) * _GUTTER) / columns
    boxes: list[Box] = []
    for column in range(columns):
        left = box[0] + column * (width + _GUTTER)
        boxes.append((left, top, left + width, box[3]))
    set_columns(draw, boxes, write_text(rng, 5000), _BODY)


def _set_headline(draw: ImageDraw.ImageDraw, box: Box, text: str, size: float) -> float:
    """Set a headline as large as its line allows, and return where what follows may begin."""
    style = _fitted(TypeStyle(_HEADLINE_FONT, size, size), text, box[2] - box[0])
    set_line(draw, (box[0], box[1] + style.size), text, style, "ls")
    return box[1] + 1.25 * style.size


def _draw_briefs(draw: ImageDraw.ImageDraw, rng: np.random.Generator, box: Box) -> None:
    left, y, right, bottom = box
    draw.rectangle((left - _GUTTER / 2 - 1, y, left - _GUTTER / 2, bottom), fill=_BLACK)
    for title in pick_phrases(rng, "brief", 4):
        set_line(draw, (left, y + 34), title, TypeStyle("LibreFranklin-Bold", 30, 34), "ls")
        end = min(y + 46 + 5 * _BODY.leading, bottom)
        set_columns(draw, [(left, y + 46, right, end)], write_text(rng, 100), _BODY)
        y = end + 10
        if y + 60 < bottom:
            draw.rectangle((left, y, right, y + 1), fill=_BLACK)


def _draw_sudoku(
    page: Image.Image,
    draw: ImageDraw.ImageDraw,
    rng: np.random.Generator,
    clues: npt.NDArray[np.uint8],
    style: PageStyle,
) -> npt.NDArray[np.float32]:
    left, right = _left(0), _right(1)
    draw.rectangle((left, 1184, right, 1240), fill=style.spot_ink)
    title = TypeStyle("LibreFranklin-Bold", 38, 44, ink=_WHITE)
    set_line(draw, (left + 20, 1226), "Sudoku", title, "ls")
    number = f"No. {int(rng.integers(1000, 4000)):,}  ·  moderate"
    set_line(draw, (right - 20, 1226), number, TypeStyle(_LABEL.font, 28, 34, ink=_WHITE), "rs")
    rubric = (
        "Fill the grid so that every row, every column and every box of three by three holds "
        "each of the digits 1 to 9 once."
    )
    set_ragged(draw, (left, 1252, right, 1320), rubric, _LABEL)
    image, corners = render_board(clues, style.board_px, style.board)
    place = (round((left + right - image.shape[1]) / 2), 1312)
    page.paste(Image.fromarray(np.ascontiguousarray(image[:, :, ::-1])), place)
    return np.asarray(corners + np.array(place, np.float32), np.float32)


def _draw_crossword(draw: ImageDraw.ImageDraw, rng: np.random.Generator, box: Box) -> None:
    left, top, right, _ = box
    draw.rectangle((left, top + 4, right, top + 60), outline=_BLACK, width=3)
    title = TypeStyle("LibreFranklin-Bold", 38, 44)
    set_line(draw, (left + 20, top + 46), "Quick crossword", title, "ls")
    side, cells = 44, 13
    start = (round((left + right) / 2 - side * cells / 2), round(top + 84))
    is_black = _crossword_pattern(rng, cells)
    number = 0
    for row, column in np.ndindex(cells, cells):
        x, y = start[0] + column * side, start[1] + row * side
        fill = _BLACK if is_black[row, column] else _WHITE
        draw.rectangle((x, y, x + side, y + side), fill=fill, outline=_BLACK, width=2)
        if not is_black[row, column] and _starts_word(is_black, row, column):
            number += 1
            set_line(draw, (x + 5, y + 17), str(number), _with_size(_LABEL, 15), "ls")
    clues = pick_phrases(rng, "across", 12)
    middle = (left + right) / 2
    y = start[1] + side * cells + 22
    for name, x, chosen in (("Across", left, clues[:6]), ("Down", middle, clues[6:])):
        set_line(draw, (x, y + 26), name, TypeStyle("LibreFranklin-Bold", 26, 30), "ls")
        text = "\n".join(f"{3 * index + 1}  {clue}" for index, clue in enumerate(chosen))
        set_ragged(draw, (x, y + 34, x + _COLUMN, y + 260), text, _with_size(_BODY, 24))


def _crossword_pattern(rng: np.random.Generator, cells: int) -> npt.NDArray[np.bool_]:
    """Return a lattice of black cells that looks the same upside down."""
    is_black = np.zeros((cells, cells), np.bool_)
    is_black[1::2, 1::2] = True
    extra = rng.random((cells, cells)) < 0.07
    extra[::2, ::2] = False
    is_black |= extra
    return np.asarray(is_black | is_black[::-1, ::-1])


def _starts_word(is_black: npt.NDArray[np.bool_], row: int, column: int) -> bool:
    padded = np.pad(is_black, 1, constant_values=True)
    around = padded[row : row + 3, column : column + 3]
    across = around[1, 0] and not around[1, 2]
    down = around[0, 1] and not around[2, 1]
    return bool(across or down)


def _draw_advertisement(
    draw: ImageDraw.ImageDraw, rng: np.random.Generator, box: Box, style: PageStyle
) -> None:
    left, top, right, bottom = box
    middle = (left + right) / 2
    draw.rectangle(box, fill=style.spot_ink)
    draw.rectangle((left + 10, top + 10, right - 10, bottom - 10), outline=_WHITE, width=3)
    names = ("Marlow & Finch", "Ash & Daughters", "Pell & Quince")
    name = names[int(rng.integers(len(names)))]
    style_of_name = _fitted(TypeStyle("LibreBodoni-Bold", 54, 60, ink=_WHITE), name, _COLUMN - 64)
    set_line(draw, (middle, top + 92), name, style_of_name, "ms")
    face = (middle - 82, top + 122, middle + 82, top + 286)
    draw.ellipse(face, fill=_WHITE)
    for hand, length in ((rng.random(), 42.0), (rng.random(), 66.0)):
        angle = 2 * np.pi * hand
        tip = (middle + length * np.sin(angle), top + 204 - length * np.cos(angle))
        draw.line((middle, top + 204, *tip), fill=style.spot_ink, width=9)
    plain = TypeStyle("LibreFranklin-Medium", 29, 38, ink=_WHITE)
    lines = ("Clocks and watches", "repaired while you wait", "14 Quay Street · Tue to Sat")
    for index, line in enumerate(lines):
        set_line(draw, (middle, top + 346 + index * 46), line, plain, "ms")


def _fitted(style: TypeStyle, text: str, width: float) -> TypeStyle:
    """Return the style, smaller if the text is wider than that."""
    natural = text_width(text, style)
    return style if natural <= width else _with_size(style, style.size * width / natural)


def _with_size(style: TypeStyle, size: float) -> TypeStyle:
    return TypeStyle(style.font, size, size * style.leading / style.size, style.ink)
