"""What looks like a board and is none: how it is drawn, and photos of it as of boards."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from PIL import Image, ImageDraw

from training.pages.flat_board import make_puzzle, render_board
from training.pages.shape import Cell, draw_cages
from training.pages.typesetting import TypeStyle, set_line
from training.rendered.filled_board import choose_look, draw_board
from training.rendered.levels import LEVELS, find_level
from training.rendered.page_layout import FlatPage, draw_crossword, draw_table, lay_out_boards
from training.rendered.rendered_photos import RenderedPhoto, photograph_page
from vision.geometry import Image8

_PX: Final = 700
_LONG_SIDE_PX: Final = (800, 1800)
"""Of a photo, at least, and more than at most."""
_FONT: Final = "LibreFranklin-Medium"
_FACES: Final = (
    _FONT, "LibreFranklin-Bold", "Newsreader-Regular", "Newsreader-Bold", "LibreBodoni-Bold",
)  # fmt: skip
_BLACK: Final = (0, 0, 0)
_WHITE: Final = (255, 255, 255)


def render_decoy(kind: str, seed: int, level: int = 3) -> RenderedPhoto:
    """Photograph something that is no board: the photo's `boards` are empty.

    Args:
        kind: a key of `DECOYS`.
        seed: chooses all else.
        level: 1..5, as for `training.rendered.rendered_photos.render_photo`.

    Raises:
        ValueError: if there is no such kind or level.
    """
    if kind not in DECOYS:
        raise ValueError(f"kind must be one of {', '.join(DECOYS)}, got {kind!r}")
    chosen = find_level(level)
    rng = np.random.default_rng([level, seed, sum(kind.encode())])
    image = DECOYS[kind](rng)
    height, width = image.shape[:2]
    # A lattice that nobody asks for: the layout places what it belongs to.
    nowhere = np.zeros((10, 10, 2), np.float32)
    is_object = kind in ("window", "keyboard", "chess_board", "tiles")
    page = FlatPage(image, (), (0, 0, width, height))
    if not is_object:
        surround = rng.uniform(0.2, 1.0)
        laid_out = lay_out_boards([image], [nowhere], 1, surround, rng, titles=("No. {}", "Puzzle"))
        page = replace(laid_out, lattices=())
    long_side = int(rng.integers(*_LONG_SIDE_PX))
    size = (long_side, long_side * 3 // 4) if width > height else (long_side * 3 // 4, long_side)
    medium = "print" if is_object else str(rng.choice(["newspaper", "magazine", "book", "print"]))
    return photograph_page(page, [], medium, chosen, size, rng.uniform(0.5, 0.9), rng, turn=None)


def _blank(width: int, height: int) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    picture = Image.new("RGB", (width, height), _WHITE)
    return picture, ImageDraw.Draw(picture)


def _done(picture: Image.Image) -> Image8:
    return np.ascontiguousarray(np.asarray(picture, np.uint8)[:, :, ::-1])


def _crossword(rng: np.random.Generator) -> Image8:
    block = np.full((_PX, _PX, 3), 255, np.uint8)
    draw_crossword(block, rng)
    return block


def _table(rng: np.random.Generator) -> Image8:
    block = np.full((_PX, round(_PX * rng.uniform(0.8, 1.4)), 3), 255, np.uint8)
    draw_table(block, rng)
    return block


def _kakuro(rng: np.random.Generator) -> Image8:
    """Draw a kakuro: black cells with sums under and over a slash, white ones with some digits."""
    picture, draw = _blank(_PX, _PX)
    cells = int(rng.integers(8, 12))
    side = (_PX - 8) / cells
    small, large = (TypeStyle(_FONT, share * side, side, ink) for share, ink in
                    ((0.28, _WHITE), (0.6, _BLACK)))  # fmt: skip
    filled = rng.uniform(0, 0.6)
    for row, column in np.ndindex(cells, cells):
        x, y = 4 + column * side, 4 + row * side
        is_black = row == 0 or column == 0 or rng.random() < 0.28
        fill = _BLACK if is_black else _WHITE
        draw.rectangle((x, y, x + side, y + side), fill=fill, outline=_BLACK, width=2)
        if is_black and rng.random() < 0.7:
            draw.line((x, y, x + side, y + side), fill=_WHITE, width=2)
            for dx, dy in ((0.7, 0.4), (0.3, 0.85)):
                set_line(draw, (x + dx * side, y + dy * side), str(int(rng.integers(3, 40))),
                         small, "ms")  # fmt: skip
        elif not is_black and rng.random() < filled:
            place = (x + side / 2, y + 0.7 * side)
            set_line(draw, place, str(int(rng.integers(1, 10))), large, "ms")
    return _done(picture)


def _chess_board(rng: np.random.Generator) -> Image8:
    """Draw eight by eight fields of two colours, with pieces as discs on crowns."""
    picture, draw = _blank(_PX, _PX)
    side = _PX / 8
    tones = [tuple(int(v) for v in rng.integers(low, low + 80, 3)) for low in (30, 170)]
    for row, column in np.ndindex(8, 8):
        x, y = column * side, row * side
        draw.rectangle((x, y, x + side, y + side), fill=tones[(row + column + 1) % 2])
        if rng.random() < 0.3:
            ink = _WHITE if rng.random() < 0.5 else (20, 20, 20)
            draw.ellipse((x + 0.25 * side, y + 0.15 * side, x + 0.75 * side, y + 0.65 * side),
                         fill=ink, outline=(90, 90, 90), width=2)  # fmt: skip
            draw.polygon([(x + 0.2 * side, y + 0.9 * side), (x + 0.8 * side, y + 0.9 * side),
                          (x + 0.5 * side, y + 0.4 * side)], fill=ink)  # fmt: skip
    return _done(picture)


def _window(rng: np.random.Generator) -> Image8:
    """Draw panes between bars before a sky, and the wall around."""
    columns, rows = (int(value) for value in rng.choice([2, 3, 3, 4, 6, 9], 2))
    height, width = _PX, round(_PX * rng.uniform(0.7, 1.3))
    grey = int(rng.integers(110, 220))
    wall = (grey, grey - int(rng.integers(0, 25)), grey - int(rng.integers(0, 40)))
    picture = Image.new("RGB", (width, height), wall)
    draw = ImageDraw.Draw(picture)
    bar = round(rng.uniform(0.01, 0.03) * _PX)
    frame = _WHITE if rng.random() < 0.6 else (60, 40, 30)
    edge = 40
    draw.rectangle((edge, edge, width - edge, height - edge), fill=frame)
    pane = ((width - 2 * edge - bar) / columns, (height - 2 * edge - bar) / rows)
    for row, column in np.ndindex(rows, columns):
        x, y = edge + bar + column * pane[0], edge + bar + row * pane[1]
        sky = 200 - int(120 * row / rows * rng.uniform(0.8, 1.2))
        colour = (sky - 30, sky, min(sky + 40, 255))
        draw.rectangle((x, y, x + pane[0] - bar, y + pane[1] - bar), fill=colour)
    return np.asarray(cv2.GaussianBlur(_done(picture), (0, 0), 1.5), np.uint8)


def _keyboard(rng: np.random.Generator) -> Image8:
    """Draw rows of keys with letters and digits."""
    keys = ["1234567890-=", "QWERTYUIOP[]", "ASDFGHJKL;'#", "ZXCVBNM,./<>"]
    if rng.random() < 0.4:  # the block of digits of a telephone or a calculator
        keys = ["789/", "456*", "123-", "0.=+"]
    side = 60 if len(keys[0]) > 4 else 150
    width, height = side * len(keys[0]) + 40, side * len(keys) + 40
    is_dark = rng.random() < 0.6
    body, key, ink = ((30, 30, 30), (60, 60, 60), _WHITE) if is_dark else (
        (200, 200, 205), (245, 245, 245), _BLACK)  # fmt: skip
    picture = Image.new("RGB", (width, height), body)
    draw = ImageDraw.Draw(picture)
    style = TypeStyle(_FONT, 0.4 * side, side, ink)
    for row, text in enumerate(keys):
        for column, letter in enumerate(text):
            x, y = 20 + column * side, 20 + row * side
            box = (x + 3, y + 3, x + side - 3, y + side - 3)
            draw.rounded_rectangle(box, radius=side // 8, fill=key)
            set_line(draw, (x + side / 2, y + 0.62 * side), letter, style, "ms")
    return _done(picture)


def _empty_grid(rng: np.random.Generator) -> Image8:
    """Draw a board without a digit."""
    look = choose_look(rng, "newspaper")
    image, _ = render_board(np.zeros((9, 9), np.uint8), _PX, look.style)
    return image


def _calendar(rng: np.random.Generator) -> Image8:
    """Draw a month: seven columns of days, with lines or without."""
    rows = 7
    picture, draw = _blank(_PX, round(_PX * 0.85))
    side = ((_PX - 8) / 7, (_PX * 0.85 - 8) / rows)
    first, has_lines = int(rng.integers(0, 7)), rng.random() < 0.75
    size = 0.45 * min(side) * rng.uniform(0.6, 1.3)
    style = TypeStyle("LibreFranklin-Bold", size, size)
    for row, column in np.ndindex(rows, 7):
        x, y = 4 + column * side[0], 4 + row * side[1]
        if has_lines:
            draw.rectangle((x, y, x + side[0], y + side[1]), outline=_BLACK, width=2)
        day = (row - 1) * 7 + column - first + 1
        text = "MTWTFSS"[column] if row == 0 else str(day) if 1 <= day <= 31 else ""
        set_line(draw, (x + side[0] / 2, y + 0.65 * side[1]), text, style, "ms")
    return _done(picture)


def _killer(rng: np.random.Generator) -> Image8:
    """Draw a killer Sudoku: cages with sums in small print, and no clue or a few."""
    puzzle = make_puzzle(int(rng.integers(1 << 31)))
    few = type(puzzle)(np.where(rng.random((9, 9)) < 0.1, puzzle.clues, 0), puzzle.solution)
    board = draw_board(few, _PX, choose_look(rng, "print"), LEVELS[1], rng, is_paper=False)
    picture = Image.fromarray(np.ascontiguousarray(board.image[:, :, ::-1]))
    draw = ImageDraw.Draw(picture)
    cell, origin = _PX / 9, float(board.lattice[0, 0, 0])
    style = TypeStyle(_FONT, 0.22 * cell, cell)
    for row in range(9):
        column = 0
        while column < 9:
            span = min(int(rng.integers(1, 4)), 9 - column)
            x, y = origin + column * cell, origin + row * cell
            _draw_cage(draw, (x, y, x + span * cell, y + cell), cell)
            total = str(int(rng.integers(3, 10 + 8 * span)))
            set_line(draw, (x + 0.12 * cell, y + 0.32 * cell), total, style, "ls")
            column += span
    return _done(picture)


def _draw_cage(
    draw: ImageDraw.ImageDraw, box: tuple[float, float, float, float], cell: float
) -> None:
    """Draw a dashed frame a little inside a box."""
    inset, dash = 0.08 * cell, 0.09 * cell
    left, top, right, bottom = (box[0] + inset, box[1] + inset, box[2] - inset, box[3] - inset)
    for at in np.arange(left, right, 2 * dash):
        for y in (top, bottom):
            draw.line((at, y, min(at + dash, right), y), fill=(90, 90, 90), width=2)
    for at in np.arange(top, bottom, 2 * dash):
        for x in (left, right):
            draw.line((x, at, x, min(at + dash, bottom)), fill=(90, 90, 90), width=2)


def _random_digits(rng: np.random.Generator) -> Image8:
    """Draw a board whose digits follow no rule."""
    grid = np.where(rng.random((9, 9)) < rng.uniform(0.3, 0.6), rng.integers(1, 10, (9, 9)), 0)
    image, _ = render_board(grid.astype(np.uint8), _PX, choose_look(rng, "newspaper").style)
    return image


def draw_kenken(rng: np.random.Generator, px: int = _PX) -> Image8:
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
    return _done(picture)


def _nonogram(rng: np.random.Generator) -> Image8:
    """Draw a nonogram: an empty or half filled grid with numbers above and beside it."""
    side = int(rng.choice([5, 10, 10, 15, 15, 20]))
    picture, draw = _blank(_PX, _PX)
    head = round(0.22 * _PX)
    cell = (_PX - head - 8) / side
    has_begun = rng.random() < 0.5
    style = TypeStyle(_FONT, 0.5 * cell, cell)
    for row, column in np.ndindex(side, side):
        if has_begun and rng.random() < 0.4:
            x, y = head + column * cell, head + row * cell
            draw.rectangle((x, y, x + cell, y + cell), fill=_BLACK)
    for line in range(side + 1):
        at, width = head + line * cell, 5 if line % 5 == 0 else 2
        draw.line((4, at, _PX - 8, at), fill=_BLACK, width=width)
        draw.line((at, 4, at, _PX - 8), fill=_BLACK, width=width)
    for line in range(side):
        at = head + (line + 0.5) * cell
        for number in range(int(rng.integers(1, 5))):
            away = head - (0.6 + 0.75 * number) * cell
            if away < 0.4 * cell:
                break
            text = str(int(rng.integers(1, 10)))
            set_line(draw, (away, at + 0.18 * cell), text, style, "ms")
            set_line(draw, (at, away + 0.18 * cell), text, style, "ms")
    return _done(picture)


def _suguru(rng: np.random.Generator) -> Image8:
    """Draw a Suguru: thick regions of one to five cells, and a digit in some cells."""
    side = int(rng.integers(5, 11))
    picture, draw = _blank(_PX, _PX)
    cell, margin = (_PX - 16) / side, 8
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
    draw.rectangle((margin, margin, _PX - margin, _PX - margin), outline=_BLACK, width=width)
    return _done(picture)


def _tiles(rng: np.random.Generator) -> Image8:
    """Draw tiles of a wall or floor, square or oblong, with joints between them."""
    columns = int(rng.integers(4, 14))
    ratio = float(rng.choice([1.0, 1.0, 2.0]))
    width = _PX / columns
    height = width / ratio
    tone = rng.integers(90, 240, 3)
    joint = np.clip(tone + rng.choice([-70, 50]), 0, 255)
    image = np.full((_PX, _PX, 3), joint, np.float32)
    gap = max(rng.uniform(0.02, 0.07) * width, 1.5)
    is_shifted = rng.random() < 0.3
    for row in range(int(_PX / height) + 1):
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


_DRAWERS: Final = (
    _crossword, _table, _kakuro, _chess_board, _window, _keyboard, _empty_grid, _calendar, _killer,
    _random_digits, draw_kenken, _nonogram, _suguru, _tiles,
)  # fmt: skip

DECOYS: Final[Mapping[str, Callable[[np.random.Generator], Image8]]] = {
    draw.__name__.removeprefix("draw").removeprefix("_"): draw for draw in _DRAWERS
}
"""How each kind is drawn, by name: takes a generator, returns (H, W, 3) uint8 BGR."""
