"""Puzzles and patterns with the lines of a board that are no Sudoku, drawn flat."""

from collections.abc import Mapping

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from training.pages.shape import Cell, draw_cages
from training.pages.typesetting import TypeStyle, set_line

Image8 = npt.NDArray[np.uint8]

_FONT = "LibreFranklin-Medium"
_FACES = (_FONT, "LibreFranklin-Bold", "Newsreader-Regular", "Newsreader-Bold", "LibreBodoni-Bold")
_BLACK = (0, 0, 0)


def draw_kenken(rng: np.random.Generator, px: int) -> Image8:
    """Draw a KenKen: thick cages with a number and an operation, no boxes and no digits.

    Args:
        rng: chooses side and cages.
        px: side of the picture, (px, px, 3) uint8 BGR.
    """
    side = int(rng.integers(4, 10))
    picture, draw = _blank(px, px)
    cell, margin = (px - 16) / side, 8
    cages = draw_cages(side, rng)
    owner = {at: number for number, cage in enumerate(cages) for at in cage}
    style = TypeStyle(_FONT, 0.24 * cell, cell)
    for line in range(side + 1):
        at = margin + line * cell
        draw.line((margin, at, px - margin, at), fill=_BLACK, width=2)
        draw.line((at, margin, at, px - margin), fill=_BLACK, width=2)
    _draw_walls(draw, owner, cell, margin, 6)
    draw.rectangle((margin, margin, px - margin, px - margin), outline=_BLACK, width=6)
    for cage in cages:
        row, column = cage[0]
        text = str(int(rng.integers(1, 5 * side))) + str(rng.choice(["+", "−", "×", "÷"]))
        text = text if len(cage) > 1 else str(int(rng.integers(1, side + 1)))
        place = (margin + (column + 0.1) * cell, margin + (row + 0.33) * cell)
        set_line(draw, place, text, style, "ls")
    return _as_image(picture)


def draw_nonogram(rng: np.random.Generator, px: int) -> Image8:
    """Draw a nonogram: an empty or half filled grid with numbers above and beside it."""
    side = int(rng.choice([5, 10, 10, 15, 15, 20]))
    picture, draw = _blank(px, px)
    head = round(0.22 * px)
    cell = (px - head - 8) / side
    has_begun = rng.random() < 0.5
    style = TypeStyle(_FONT, 0.5 * cell, cell)
    for row, column in np.ndindex(side, side):
        if has_begun and rng.random() < 0.4:
            x, y = head + column * cell, head + row * cell
            draw.rectangle((x, y, x + cell, y + cell), fill=_BLACK)
    for line in range(side + 1):
        at, width = head + line * cell, 5 if line % 5 == 0 else 2
        draw.line((4, at, px - 8, at), fill=_BLACK, width=width)
        draw.line((at, 4, at, px - 8), fill=_BLACK, width=width)
    for line in range(side):
        at = head + (line + 0.5) * cell
        for number in range(int(rng.integers(1, 5))):
            away = head - (0.6 + 0.75 * number) * cell
            if away < 0.4 * cell:
                break
            text = str(int(rng.integers(1, 10)))
            set_line(draw, (away, at + 0.18 * cell), text, style, "ms")
            set_line(draw, (at, away + 0.18 * cell), text, style, "ms")
    return _as_image(picture)


def draw_suguru(rng: np.random.Generator, px: int) -> Image8:
    """Draw a Suguru: thick regions of one to five cells, and a digit in some cells.

    Args:
        rng: chooses side, regions and how they are printed.
        px: side of the picture, (px, px, 3) uint8 BGR.
    """
    side = int(rng.integers(5, 11))
    picture, draw = _blank(px, px)
    cell, margin = (px - 16) / side, 8
    regions = draw_cages(side, rng)
    owner = {at: number for number, region in enumerate(regions) for at in region}
    is_tinted = rng.random() < 0.25
    tints = rng.integers(190, 256, (len(regions), 3))
    thin = int(rng.integers(90, 190)) if rng.random() < 0.5 else 0
    given = rng.uniform(0.12, 0.4)
    width = int(rng.integers(5, 9))
    style = TypeStyle(str(rng.choice(_FACES)), rng.uniform(0.45, 0.65) * cell, cell)
    for (row, column), number in owner.items():
        x, y = margin + column * cell, margin + row * cell
        tint = tuple(int(value) for value in tints[number]) if is_tinted else None
        draw.rectangle((x, y, x + cell, y + cell), fill=tint, outline=(thin,) * 3, width=2)
        if rng.random() < given:
            text = str(int(rng.integers(1, len(regions[number]) + 1)))
            set_line(draw, (x + cell / 2, y + 0.7 * cell), text, style, "ms")
    _draw_walls(draw, owner, cell, margin, width)
    draw.rectangle((margin, margin, px - margin, px - margin), outline=_BLACK, width=width)
    return _as_image(picture)


def draw_tiles(rng: np.random.Generator, px: int) -> Image8:
    """Draw tiles of a wall or floor, square or oblong, with joints between them."""
    columns = int(rng.integers(4, 14))
    ratio = float(rng.choice([1.0, 1.0, 2.0]))
    width = px / columns
    height = width / ratio
    tone = rng.integers(90, 240, 3)
    joint = np.clip(tone + rng.choice([-70, 50]), 0, 255)
    image = np.full((px, px, 3), joint, np.float32)
    gap = max(rng.uniform(0.02, 0.07) * width, 1.5)
    is_shifted = rng.random() < 0.3
    for row in range(int(px / height) + 1):
        shift = width / 2 if is_shifted and row % 2 else 0.0
        for column in range(-1, columns + 1):
            left, top = column * width + shift + gap / 2, row * height + gap / 2
            colour = tone + rng.normal(0, 5, 3)
            right, bottom = left + width - gap, top + height - gap
            y, x = (slice(max(round(a), 0), max(round(b), 0)) for a, b in
                    ((top, bottom), (left, right)))  # fmt: skip
            image[y, x] = colour
    smooth = cv2.GaussianBlur(image, (0, 0), 1.2)
    return np.asarray(np.clip(smooth + 0.5, 0, 255), np.uint8)


def _draw_walls(
    draw: ImageDraw.ImageDraw, owner: Mapping[Cell, int], cell: float, margin: int, width: int
) -> None:
    """Draw thick lines between cells of different owners."""
    for (row, column), number in owner.items():
        x, y = margin + column * cell, margin + row * cell
        if owner.get((row, column + 1)) != number:
            draw.line((x + cell, y, x + cell, y + cell), fill=_BLACK, width=width)
        if owner.get((row + 1, column)) != number:
            draw.line((x, y + cell, x + cell, y + cell), fill=_BLACK, width=width)


def _blank(width: int, height: int) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    picture = Image.new("RGB", (width, height), (255, 255, 255))
    return picture, ImageDraw.Draw(picture)


def _as_image(picture: Image.Image) -> Image8:
    return np.ascontiguousarray(np.asarray(picture, np.uint8)[:, :, ::-1])
