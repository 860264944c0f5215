"""What stands beside boards on a page: stories, pictures, advertisements, other puzzles, tables."""

from functools import lru_cache
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from training.pages.news import draw_seascape, pick_phrase, write_text
from training.pages.typesetting import TypeStyle, set_columns, set_line

Image8 = npt.NDArray[np.uint8]

_TYPE_PX: Final = 24
"""Size of the type that strips of text are set in before they are scaled."""
_STRIP_LINES: Final = 90
_LEADING: Final = 30
_STRIP_WIDTHS: Final = (300, 420, 600)
_FACES: Final = ("Newsreader-Regular", "LibreFranklin-Medium")


def fill_block(block: Image8, unit: int, rng: np.random.Generator) -> None:
    """Draw a story, a picture, an advertisement or another puzzle into a block, in place.

    Args:
        block: (H, W, 3) uint8 BGR, a part of a white page.
        unit: side of the page's boards together, in pixels; type is small beside it.
        rng: chooses.
    """
    height, width = block.shape[:2]
    kind = rng.random()
    if min(height, width) < 60 or kind < 0.55:
        _set_story(block, unit / rng.uniform(24, 40), rng)
    elif kind < 0.7:
        size = (max(width // 2, 80), max(height // 2, 80))
        picture = cv2.resize(draw_seascape(rng, *size), (width, height))
        block[...] = picture[:, :, None]
    elif kind < 0.82:
        _draw_advertisement(block, rng)
    elif kind < 0.93:
        draw_crossword(block, rng)
    else:
        draw_table(block, rng)


def _set_story(block: Image8, type_px: float, rng: np.random.Generator) -> None:
    """Set a story in type of about that size, in as many columns as that takes."""
    height, width = block.shape[:2]
    strip = _text_strip(int(rng.integers(len(_FACES))), int(rng.integers(len(_STRIP_WIDTHS))))
    scale = width / strip.shape[1]
    if _TYPE_PX * scale > 1.5 * type_px:
        half = width // 2 - round(0.4 * type_px)
        _set_story(block[:, :half], type_px, rng)
        _set_story(block[:, width - half :], type_px, rng)
        return
    y = 0
    if height > 6 * _LEADING * scale and rng.random() < 0.6:
        y = round(2.6 * _LEADING * scale)
        size = 1.6 * _TYPE_PX * scale
        line = Image.fromarray(np.full((y, width, 3), 255, np.uint8))
        style = TypeStyle("Newsreader-Bold", size, size)
        text = pick_phrase(rng, "headline")
        set_line(ImageDraw.Draw(line), (0, 0.75 * y), text, style, "ls")
        block[:y] = np.asarray(line)
    start = int(rng.integers(0, _STRIP_LINES // 2)) * _LEADING
    rows = min(round((height - y) / scale), strip.shape[0] - start)
    rows -= rows % _LEADING
    if rows <= 0:
        return
    small = cv2.resize(
        strip[start : start + rows],
        (width, max(round(rows * scale), 1)),
        interpolation=cv2.INTER_AREA,
    )[: height - y]
    block[y : y + len(small)] = small[:, :, None]


@lru_cache(maxsize=8)
def _text_strip(face: int, width: int) -> Image8:
    """Return one column of set text, (height, width) uint8 grey; the same for every page.

    Setting type takes most of a page's time, and no page is looked at for its stories.
    """
    rng = np.random.default_rng([face, width])
    size = (_STRIP_WIDTHS[width], _STRIP_LINES * _LEADING)
    column = Image.new("L", size, 255)
    text = write_text(rng, _STRIP_LINES * size[0] // 8)
    style = TypeStyle(_FACES[face], _TYPE_PX, _LEADING, indent=20)
    image = Image.new("RGB", size, (255, 255, 255))
    set_columns(ImageDraw.Draw(image), [(0, 0, size[0], size[1])], text, style)
    column.paste(image.convert("L"))
    return np.asarray(column, np.uint8)


def _draw_advertisement(block: Image8, rng: np.random.Generator) -> None:
    height, width = block.shape[:2]
    colour = tuple(int(value) for value in rng.integers(20, 256, 3))
    block[...] = colour
    ink = (255, 255, 255) if sum(colour) < 400 else (0, 0, 0)
    edge = max(min(width, height) // 30, 2)
    if rng.random() < 0.5:
        cv2.rectangle(block, (edge, edge), (width - edge, height - edge), ink, max(edge // 3, 1))
    radius = min(width, height) // 5
    cv2.circle(block, (width // 2, height // 3), radius, ink, -1, cv2.LINE_AA)
    card = Image.fromarray(block)
    draw = ImageDraw.Draw(card)
    size = min(width / 9, height / 7)
    name = str(rng.choice(["Marlow & Finch", "Ash & Daughters", "Pell & Quince", "SALE 50 %"]))
    style = TypeStyle("LibreBodoni-Bold", size, size, ink=ink)
    set_line(draw, (width / 2, 0.72 * height), name, style, "ms")
    number = f"Tel. {int(rng.integers(10, 99))} {int(rng.integers(1000, 9999))}"
    style = TypeStyle("LibreFranklin-Medium", 0.6 * size, size, ink=ink)
    set_line(draw, (width / 2, 0.85 * height), number, style, "ms")
    block[...] = np.asarray(card)


def draw_crossword(block: Image8, rng: np.random.Generator, cells: int | None = None) -> None:
    """Draw an empty crossword as large as fits into a block, (H, W, 3) uint8, in place."""
    height, width = block.shape[:2]
    cells = cells or int(rng.integers(9, 16))
    side = (min(height, width) - 6) // cells
    if side < 5:
        return
    black = np.zeros((cells, cells), np.bool_)
    black[1::2, 1::2] = rng.random() < 0.7
    extra = rng.random((cells, cells)) < 0.12
    black |= extra | extra[::-1, ::-1]
    x0, y0 = (width - cells * side) // 2, (height - cells * side) // 2
    line = max(side // 22, 1)
    font = TypeStyle("LibreFranklin-Medium", 0.34 * side, side)
    picture = Image.fromarray(block)
    draw = ImageDraw.Draw(picture)
    number = 0
    for row, column in np.ndindex(cells, cells):
        x, y = x0 + column * side, y0 + row * side
        fill = (0, 0, 0) if black[row, column] else (255, 255, 255)
        draw.rectangle((x, y, x + side, y + side), fill=fill, outline=(0, 0, 0), width=line)
        if not black[row, column] and rng.random() < 0.35:
            number += 1
            set_line(draw, (x + 0.1 * side, y + 0.4 * side), str(number), font, "ls")
    block[...] = np.asarray(picture)


def draw_table(block: Image8, rng: np.random.Generator) -> None:
    """Draw a table of numbers into a block, (H, W, 3) uint8, in place."""
    height, width = block.shape[:2]
    rows, columns = int(rng.integers(5, 13)), int(rng.integers(4, 11))
    row_px, column_px = (height - 4) / rows, (width - 4) / columns
    size = min(0.6 * row_px, 0.4 * column_px)
    if size < 5:
        return
    picture = Image.fromarray(block)
    draw = ImageDraw.Draw(picture)
    style = TypeStyle("LibreFranklin-Medium", size, size)
    line = max(round(size / 14), 1)
    digits = int(rng.integers(1, 4))
    for row in range(rows + 1):
        y = 2 + row * row_px
        draw.line((2, y, width - 2, y), fill=(0, 0, 0), width=line)
    for column in range(columns + 1):
        x = 2 + column * column_px
        draw.line((x, 2, x, height - 2), fill=(0, 0, 0), width=line)
    for row, column in np.ndindex(rows, columns):
        if rng.random() < 0.85:
            place = (2 + (column + 0.5) * column_px, 2 + (row + 0.5) * row_px + 0.36 * size)
            set_line(draw, place, str(int(rng.integers(10**digits))), style, "ms")
    block[...] = np.asarray(picture)
