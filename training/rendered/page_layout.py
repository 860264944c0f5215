"""A flat page around boards: titles, stories, pictures, other puzzles, or a program's keys.

Everything is ink on white; paper, screen and light come later.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

import cv2
import numpy as np
from PIL import Image, ImageDraw

from training.pages.flat_board import Colour, as_colour
from training.pages.typesetting import TypeStyle, pick_phrase, set_column, set_line, write_text
from vision.geometry import Float32, Image8, Points

Surroundings = Literal["stories", "nothing", "app"]
Area = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels of the page."""

_TYPE_PX: Final = 24
"""Size of the type that strips of text are set in before they are scaled."""
_STRIP_LINES: Final = 90
_LEADING: Final = 30
_STRIP_WIDTHS: Final = (300, 420, 600)
_FACES: Final = ("Newsreader-Regular", "LibreFranklin-Medium")
_DOT_PX: Final = 5.2
"""Of the halftone screen of a press picture."""
_TITLES: Final = ("Sudoku {}", "No. {}  easy", "{}", "SUDOKU  ***")


def _fill_block(block: Image8, unit: int, rng: np.random.Generator) -> None:
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
        block[...] = cv2.resize(draw_seascape(rng, *size), (width, height))[:, :, None]
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
    shape = (width, max(round(rows * scale), 1))
    small = cv2.resize(strip[start : start + rows], shape, interpolation=cv2.INTER_AREA)[
        : height - y
    ]
    block[y : y + len(small)] = small[:, :, None]


@lru_cache(maxsize=8)
def _text_strip(face: int, width: int) -> Image8:
    """Return one column of set text, (height, width) uint8 grey; the same for every page.

    Setting type takes most of a page's time, and no page is looked at for its stories.
    """
    rng = np.random.default_rng([face, width])
    size = (_STRIP_WIDTHS[width], _STRIP_LINES * _LEADING)
    text = write_text(rng, _STRIP_LINES * size[0] // 8)
    style = TypeStyle(_FACES[face], _TYPE_PX, _LEADING, indent=20)
    image = Image.new("RGB", size, (255, 255, 255))
    set_column(ImageDraw.Draw(image), (0, 0, *size), text, style)
    return np.asarray(image.convert("L"), np.uint8)


def _draw_advertisement(block: Image8, rng: np.random.Generator) -> None:
    height, width = block.shape[:2]
    colour = as_colour(rng.integers(20, 256, 3))
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


def draw_crossword(block: Image8, rng: np.random.Generator) -> None:
    """Draw an empty crossword as large as fits into a block, (H, W, 3) uint8, in place."""
    height, width = block.shape[:2]
    cells = int(rng.integers(9, 16))
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
    for y in (2 + row * row_px for row in range(rows + 1)):
        draw.line((2, y, width - 2, y), fill=(0, 0, 0), width=line)
    for x in (2 + column * column_px for column in range(columns + 1)):
        draw.line((x, 2, x, height - 2), fill=(0, 0, 0), width=line)
    for row, column in np.ndindex(rows, columns):
        if rng.random() < 0.85:
            place = (2 + (column + 0.5) * column_px, 2 + (row + 0.5) * row_px + 0.36 * size)
            set_line(draw, place, str(int(rng.integers(10**digits))), style, "ms")
    block[...] = np.asarray(picture)


@dataclass(frozen=True)
class FlatPage:
    """A page before it meets paper and camera.

    Attributes:
        image: (H, W, 3) uint8 BGR, ink on white.
        lattices: of each board, (n + 1, n + 1, 2) float32 in pixels of the page.
        box: left, top, right and bottom of all boards together.
    """

    image: Image8
    lattices: tuple[Points, ...]
    box: Area


def paper_of(image: Image8) -> Colour:
    """Return the paper of a board's picture, as its upper rim has it."""
    return as_colour(np.median(image[:2].reshape(-1, 3), axis=0))


def pad_alike(images: list[Image8]) -> list[Image8]:
    """Give pictures one size; their paper goes on."""
    height, width = (max(image.shape[axis] for image in images) for axis in (0, 1))
    padded = []
    for image in images:
        below, beside = height - image.shape[0], width - image.shape[1]
        paper = image[0, 0].tolist()
        page = cv2.copyMakeBorder(image, 0, below, 0, beside, cv2.BORDER_CONSTANT, value=paper)
        padded.append(np.asarray(page, np.uint8))
    return padded


def lay_out_boards(
    images: Sequence[Image8],
    lattices: Sequence[Points],
    columns: int,
    surround: float,
    rng: np.random.Generator,
    surroundings: Surroundings = "stories",
    titles: Sequence[str] = _TITLES,
) -> FlatPage:
    """Set boards of one size into a page in rows and columns, and fill the page around them.

    Args:
        images: (H, W, 3) uint8 BGR, all of one shape.
        lattices: (n + 1, n + 1, 2) float32 in pixels of each image.
        columns: boards side by side.
        surround: room on each side, in widths of the boards together.
        rng: chooses what stands around.
        surroundings: what stands around.
        titles: of boards; some have none, and `{}` becomes a number.
    """
    paper = paper_of(images[0])
    height, width = images[0].shape[:2]
    rows = -(-len(images) // columns)
    gap = round(width * rng.uniform(0.02, 0.12))
    heading = round(width * rng.uniform(0.06, 0.12))
    inner_width = columns * width + (columns - 1) * gap
    inner_height = rows * (height + heading) + (rows - 1) * gap
    room = round(surround * max(inner_width, inner_height))
    left, top = (round(room * rng.uniform(0.4, 1.4)) for _ in range(2))
    size = (inner_width + 2 * room + 2 * gap, inner_height + 2 * room + 2 * gap)
    left, top = min(left, 2 * room) + gap, min(top, 2 * room) + gap
    page = np.full((size[1], size[0], 3), paper if surroundings == "app" else 255, np.uint8)
    moved = []
    for index, (image, lattice) in enumerate(zip(images, lattices, strict=True)):
        x = left + index % columns * (width + gap)
        y = top + index // columns * (height + heading + gap) + heading
        page[y : y + height, x : x + width] = image
        _set_heading(page, (x, y - heading, width, heading), titles, rng)
        moved.append(np.asarray(lattice + np.array([x, y], np.float32), np.float32))
    box = (left, top, left + inner_width, top + inner_height)
    if surroundings == "stories":
        _fill_around(page, box, gap, rng)
    elif surroundings == "app":
        _draw_keys(page, box, gap, rng)
    return FlatPage(page, tuple(moved), box)


def _set_heading(
    page: Image8, box: tuple[int, int, int, int], titles: Sequence[str], rng: np.random.Generator
) -> None:
    """Print a title over a board, or a bar with one, or nothing."""
    x, y, width, height = box
    kind = rng.random()
    if kind < 0.2 or not titles:
        return
    size = 0.55 * height
    text = str(rng.choice(list(titles))).format(int(rng.integers(1, 4000)))
    strip = Image.fromarray(np.ascontiguousarray(page[y : y + height, x : x + width, ::-1]))
    draw = ImageDraw.Draw(strip)
    ink = (0, 0, 0) if page[y, x].mean() > 120 else (230, 230, 230)
    if kind > 0.8:
        draw.rectangle((0, 0, width, round(0.8 * height)), fill=(20, 60, 130))
        ink = (255, 255, 255)
    place = (0.06 * width, 0.6 * height)
    set_line(draw, place, text, TypeStyle("LibreFranklin-Bold", size, size, ink), "ls")
    page[y : y + height, x : x + width] = np.asarray(strip)[:, :, ::-1]


def _draw_keys(page: Image8, box: Area, gap: int, rng: np.random.Generator) -> None:
    """Draw what programs have under and over their board: a row of digits, buttons, a clock."""
    left, top, right, bottom = box
    picture = Image.fromarray(np.ascontiguousarray(page[:, :, ::-1]))
    draw = ImageDraw.Draw(picture)
    is_dark = page[0, 0].mean() < 120
    ink, key = ((220, 220, 220), (70, 70, 76)) if is_dark else ((40, 70, 160), (228, 233, 242))
    side = (right - left) / 9
    has_keys = rng.random() < 0.7
    style = TypeStyle("LibreFranklin-Medium", 0.55 * side, side, ink)
    for index in range(9):
        x, y = left + index * side, bottom + gap + 0.4 * side
        box_of_key = (x + 0.08 * side, y, x + 0.92 * side, y + 1.25 * side)
        if has_keys:
            draw.rounded_rectangle(box_of_key, radius=0.12 * side, fill=key)
        set_line(draw, (x + side / 2, y + 0.85 * side), str(index + 1), style, "ms")
    small = TypeStyle("LibreFranklin-Medium", 0.32 * side, side, ink)
    for index, name in enumerate(("Undo", "Erase", "Notes", "Hint")):
        place = (left + (index + 0.5) * (right - left) / 4, bottom + gap + 2.6 * side)
        set_line(draw, place, name, small, "ms")
    clock = f"{int(rng.integers(0, 60)):02d}:{int(rng.integers(0, 60)):02d}"
    set_line(draw, (right, top - 0.3 * side), clock, small, "rs")
    page[...] = np.asarray(picture)[:, :, ::-1]


def _fill_around(page: Image8, box: Area, gap: int, rng: np.random.Generator) -> None:
    """Fill the page's four sides around a box with blocks."""
    height, width = page.shape[:2]
    left, top, right, bottom = box
    edge = max(gap, 8)
    if rng.random() < 0.5:  # bands above and below go over the whole width
        areas = [
            (edge, edge, width - edge, top - edge),
            (edge, bottom + edge, width - edge, height - edge),
            (edge, top, left - edge, bottom),
            (right + edge, top, width - edge, bottom),
        ]
    else:
        areas = [
            (edge, edge, left - edge, height - edge),
            (right + edge, edge, width - edge, height - edge),
            (left, edge, right, top - edge),
            (left, bottom + edge, right, height - edge),
        ]
    unit = max(right - left, bottom - top)
    for area in areas:
        _fill_area(page, area, unit, edge, rng)


def _fill_area(page: Image8, area: Area, unit: int, gap: int, rng: np.random.Generator) -> None:
    """Split an area until its parts are of a block's size, and fill those."""
    left, top, right, bottom = area
    width, height = right - left, bottom - top
    if width < 0.05 * unit or height < 0.03 * unit:
        return
    most = unit * rng.uniform(0.45, 0.9)
    if width > most and width >= height:
        cut = left + round(width * rng.uniform(0.35, 0.65))
        _fill_area(page, (left, top, cut - gap // 2, bottom), unit, gap, rng)
        _fill_area(page, (cut + gap // 2, top, right, bottom), unit, gap, rng)
    elif height > most * 1.3:
        cut = top + round(height * rng.uniform(0.35, 0.65))
        _fill_area(page, (left, top, right, cut - gap // 2), unit, gap, rng)
        _fill_area(page, (left, cut + gap // 2, right, bottom), unit, gap, rng)
    else:
        _fill_block(page[top:bottom, left:right], unit, rng)


def draw_seascape(rng: np.random.Generator, width: int, height: int) -> Image8:
    """Return (height, width) uint8 grey, 255 = bare paper, with a halftone screen at 45 degrees."""
    y = np.linspace(0, 1, height, dtype=np.float32)[:, None]
    sky = 0.92 - 0.3 * (1 - y) + 0.13 * _clouds(rng, width, height)
    horizon = 0.62
    sea = 0.45 + 0.25 * (y - horizon) + 0.16 * _clouds(rng, width, height, flat=9)
    picture = np.where(y < horizon, sky, sea).astype(np.float32)
    _fill_hills(picture, rng, horizon)
    _draw_lighthouse(picture, round(width * rng.uniform(0.25, 0.75)), round(height * horizon))
    return _screen(np.clip(picture, 0.03, 0.97))


def _clouds(rng: np.random.Generator, width: int, height: int, flat: float = 2.5) -> Float32:
    """Return smooth noise of several scales around 0, stretched sideways."""
    total = np.zeros((height, width), np.float32)
    for octave in range(1, 6):
        rows, columns = max(round(3 * octave * flat / 2), 2), 3 * octave
        coarse = rng.normal(0, 1 / octave, (rows, columns)).astype(np.float32)
        total += cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    return np.asarray(total / 2, np.float32)


def _fill_hills(picture: Float32, rng: np.random.Generator, horizon: float) -> None:
    height, width = picture.shape
    x = np.linspace(0, 1, width, dtype=np.float32)
    for shade, size in ((0.55, 0.16), (0.3, 0.09)):
        phase = rng.uniform(0, 6, 3)
        ridge = sum(np.sin(x * (3 + 5 * i) + phase[i]) / (i + 1.5) for i in range(3))
        top = (horizon - size * np.clip(0.5 + 0.6 * ridge, 0.05, None)) * height
        rows = np.arange(height, dtype=np.float32)[:, None]
        inside = (rows > top[None, :]) & (rows < horizon * height + 4)
        picture[inside] = shade + 0.05 * rng.standard_normal(int(inside.sum()))


def _draw_lighthouse(picture: Float32, x: int, base: int) -> None:
    tall = round(base * 0.78)
    for band in range(6):
        top, bottom = base - tall * (band + 1) // 6, base - tall * band // 6
        wide, narrow = (round(26 - 2.6 * step) for step in (band, band + 1))
        quad = [(x - wide, bottom), (x + wide, bottom), (x + narrow, top), (x - narrow, top)]
        shade = 0.12 if band % 2 else 0.95
        cv2.fillConvexPoly(picture, np.array(quad, np.int32), shade, cv2.LINE_AA)
    lamp = base - tall
    cv2.rectangle(picture, (x - 16, lamp - 8), (x + 16, lamp), 0.05, -1)
    cv2.rectangle(picture, (x - 9, lamp - 30), (x + 9, lamp - 8), 0.85, -1)
    cv2.ellipse(picture, (x, lamp - 30), (13, 12), 0, 180, 360, 0.05, -1, cv2.LINE_AA)


def _screen(picture: Float32) -> Image8:
    """Turn tones into dots of ink, as an offset press prints them."""
    height, width = picture.shape
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    step = np.float32(np.pi / _DOT_PX * np.sqrt(0.5))
    dots = (np.cos((x + y) * step * 2) + np.cos((x - y) * step * 2)) / 4 + 0.5
    # A narrow ramp instead of a hard threshold keeps the dots' edges soft.
    ink = np.clip((dots - picture) * 5 + 0.5, 0, 1)
    return np.asarray(255 - 255 * ink, np.uint8)
