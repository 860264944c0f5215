"""A flat page around boards: titles, and blocks of all kinds or a program's keys.

Everything is ink on white; paper, screen and light come later.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from training.pages.typesetting import TypeStyle, set_line
from training.rendered.blocks import fill_block

Image8 = npt.NDArray[np.uint8]
Points = npt.NDArray[np.float32]

TITLES: Final = ("Sudoku {}", "No. {}  easy", "{}", "SUDOKU  ***")

Surroundings = Literal["stories", "nothing", "app"]


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
    box: tuple[int, int, int, int]


def pad_alike(images: list[Image8]) -> list[Image8]:
    """Give pictures one size; their paper goes on."""
    height, width = (max(image.shape[axis] for image in images) for axis in (0, 1))
    return [
        np.asarray(
            cv2.copyMakeBorder(
                image, 0, height - image.shape[0], 0, width - image.shape[1],
                cv2.BORDER_CONSTANT, value=tuple(int(v) for v in image[0, 0]),
            ),
            np.uint8,
        )
        for image in images
    ]  # fmt: skip


def lay_out_boards(
    images: Sequence[Image8],
    lattices: Sequence[Points],
    columns: int,
    surround: float,
    rng: np.random.Generator,
    surroundings: Surroundings = "stories",
    titles: Sequence[str] = TITLES,
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
    paper = tuple(int(value) for value in np.median(images[0][:2].reshape(-1, 3), axis=0))
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


def _draw_keys(
    page: Image8, box: tuple[int, int, int, int], gap: int, rng: np.random.Generator
) -> None:
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


def _fill_around(
    page: Image8, box: tuple[int, int, int, int], gap: int, rng: np.random.Generator
) -> None:
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


def _fill_area(
    page: Image8, area: tuple[int, int, int, int], unit: int, gap: int, rng: np.random.Generator
) -> None:
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
        fill_block(page[top:bottom, left:right], unit, rng)
