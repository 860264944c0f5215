"""Small photos of pages with boards of every side and kind, for the detector to learn from.

A scene is drawn at the size that the detector sees, so that many can be had: nobody reads its
digits. Beside a board stands what newspapers print there: a headline in a common frame, and small
solutions.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from training.pages.flat_board import make_puzzle
from training.pages.printed_board import choose_kind_look, print_board, print_samurai
from training.pages.shape import (
    BOXES,
    SAMURAI_PLACES,
    draw_grid,
    draw_samurai_clues,
    draw_shape,
    sum_cages,
)
from training.photo_labels import scale_points
from training.rendered.filled_board import choose_look, draw_board
from training.rendered.levels import LEVELS, Level
from training.rendered.page_layout import FlatPage, lay_out_boards, pad_alike, paper_of
from training.rendered.photographed_decoys import DECOYS
from training.rendered.rendered_photos import (
    MANY_BOARDS,
    choose_surroundings,
    pick,
    shoot_page,
)
from training.rendered.writing import Writer, sketch_board
from vision.geometry import Image8, Points

_HEADLINES: Final = ("su do ku", "SUDOKU", "Number Place", "Puzzle", "sudoku 4/9", "The Daily 9")

_FONTS: Final = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX)

_SMALLEST: Final = 0.3
"""Side of the smallest solution, in sides of its board."""


def dress_board(
    image: Image8, lattices: tuple[Points, ...], rng: np.random.Generator
) -> tuple[Image8, tuple[Points, ...]]:
    """Print solutions, a headline and a frame around a board.

    Args:
        image: (H, W, 3) uint8 BGR of the board.
        lattices: its own, in pixels of `image`.
        rng: chooses what is printed.

    Returns:
        A larger image, and the lattices in it; those of solutions follow the board's own.
    """
    if rng.random() < 0.6:
        image, lattices = _print_solutions(image, lattices, rng)
    if rng.random() < 0.7:
        image, lattices = _print_frame(image, lattices, rng)
    return image, lattices


def _print_solutions(
    image: Image8, lattices: tuple[Points, ...], rng: np.random.Generator
) -> tuple[Image8, tuple[Points, ...]]:
    """Print small boards that are filled in below a board, or to its right."""
    is_below = rng.random() < 0.6
    side = image.shape[1] if is_below else image.shape[0]
    px = round(side * rng.uniform(_SMALLEST, 0.48))
    gap = round(side * rng.uniform(0.0, 0.06))
    look = choose_look(rng, "newspaper")
    smalls = []
    for _ in range(int(rng.integers(1, 3))):
        full = make_puzzle(int(rng.integers(1 << 31)), 81)
        smalls.append(draw_board(full, px, look, LEVELS[1], rng, is_paper=False))
    height, width = smalls[0].image.shape[:2]
    paper = paper_of(image)
    room = (gap + height, 0) if is_below else (0, gap + width)
    page = cv2.copyMakeBorder(image, 0, room[0], 0, room[1], cv2.BORDER_CONSTANT, value=paper)
    # Some solutions stand to the left or the top, others to the right or the bottom.
    slack = max(side - len(smalls) * (width if is_below else height), 0)
    start = round(rng.choice([0.0, 1.0]) * slack)
    found = list(lattices)
    for index, small in enumerate(smalls):
        along = start + index * (width if is_below else height)
        x, y = (along, image.shape[0] + gap) if is_below else (image.shape[1] + gap, along)
        part = page[y : y + height, x : x + width]
        part[:] = small.image[: part.shape[0], : part.shape[1]]
        if part.shape == small.image.shape:
            found.append(np.asarray(small.lattice + np.array([x, y], np.float32), np.float32))
    return np.asarray(page, np.uint8), tuple(found)


def _print_frame(
    image: Image8, lattices: tuple[Points, ...], rng: np.random.Generator
) -> tuple[Image8, tuple[Points, ...]]:
    """Print a headline over a board, and lines or a strip of small print around both."""
    side = image.shape[1]
    top = round(side * rng.uniform(0.08, 0.35))
    bottom, left, right = (round(side * rng.uniform(0.01, 0.1)) for _ in range(3))
    paper = paper_of(image)
    page = cv2.copyMakeBorder(image, top, bottom, left, right, cv2.BORDER_CONSTANT, value=paper)
    ink = (20, 20, 20) if min(paper) > 120 else (230, 230, 230)
    words = str(rng.choice(list(_HEADLINES)))
    font = int(rng.choice(list(_FONTS)))
    (width, _), _ = cv2.getTextSize(words, font, 1.0, 2)
    scale = min(rng.uniform(0.4, 0.95) * side / width, 0.6 * top / 22)
    thickness = max(round(scale * rng.uniform(1, 4)), 1)
    at = (left + round(rng.uniform(0, 0.1) * side), round(0.75 * top))
    cv2.putText(page, words, at, font, scale, ink, thickness, cv2.LINE_AA)
    if rng.random() < 0.3:  # bars that go on where lines of the board end
        for column in range(1, 3):
            x = left + round(column / 3 * side)
            cv2.line(page, (x, round(0.2 * top)), (x, round(0.9 * top)), ink, thickness)
    height, length = page.shape[:2]
    if rng.random() < 0.75:
        wide = max(round(side * rng.uniform(0.003, 0.02)), 1)
        cv2.rectangle(page, (wide, wide), (length - 1 - wide, height - 1 - wide), ink, wide)
    if rng.random() < 0.25:
        page = _print_strip(np.asarray(page, np.uint8), ink, paper)
    shift = (page.shape[1] - length) // 2
    offset = np.array([left + shift, top + shift], np.float32)
    return np.asarray(page, np.uint8), tuple(lattice + offset for lattice in lattices)


def _print_strip(page: Image8, ink: tuple[int, ...], paper: tuple[int, ...]) -> Image8:
    """Print a line of capitals along all four edges, as advertisements have it."""
    wide = max(round(0.035 * page.shape[1]), 8)
    framed = cv2.copyMakeBorder(page, wide, wide, wide, wide, cv2.BORDER_CONSTANT, value=ink)
    words = "THINK OF A NUMBER - " * 12
    scale = 0.5 * wide / 22
    height, length = framed.shape[:2]
    row = np.full((wide, max(height, length), 3), ink, np.uint8)
    at = (2, round(0.75 * wide))
    cv2.putText(row, words, at, cv2.FONT_HERSHEY_SIMPLEX, scale, paper, 1, cv2.LINE_AA)
    framed[:wide], framed[-wide:] = row[:, :length], row[:, :length]
    framed[:, :wide] = np.rot90(row[:, :height])
    framed[:, -wide:] = np.rot90(row[:, :height], -1)
    return np.asarray(framed, np.uint8)


LONG_SIDE_PX: Final = 448
"""Of a scene; the detector sees less of it, cut and turned anew each time."""

_SUPERSAMPLING: Final = 1.6
"""Pixels of the flat page for each of the photo."""

_LEAST_BOARD_PX: Final = 56
"""Side of the smallest board in a scene."""

_NO_BOARDS: Final = ("killer", "random_digits", "empty_grid")
"""Decoys of the product that are boards for the detector: their digits decide."""

_DECOYS: Final = tuple(name for name in DECOYS if name not in _NO_BOARDS)

_KINDS: Final = {"classic": 4, "jigsaw": 4, "killer": 4, "diagonal": 2, "windoku": 2, "samurai": 3}
"""Weights of what is not a classic 9×9 board."""

_PLAIN: Final = tuple(side for side in BOXES if side != 9)
"""Sides of boards that have boxes and nothing else, where those of 9 are drawn as classics."""

_BARE: Final = 0.1
"""Share of the pages on paper with nothing around the boards."""

_DRESSED: Final = 0.5
"""Share of the pages whose boards have solutions, headlines or frames around them."""

_PAGES: Final = {"classic": 30, "kinds": 28, "screenshots": 16, "sketches": 12, "decoys": 14}
"""Weights of what is seen: pages, screenshots that one board fills, and boards drawn by hand."""

_USUAL: Final = 0.8
"""Share of the boards by hand that have 9 cells in a row."""

_SKETCHED: Final = (4, 6, 8)
"""Sides of the others."""

_RIM: Final = 0.08
"""Widest rim around the board of a screenshot, in sides of the board."""


@dataclass(frozen=True, eq=False)
class Scene:
    """A small photo and the boards in it.

    Attributes:
        photo: (H, W) uint8 grey, at most `LONG_SIDE_PX` long.
        lattices: of each board (n + 1, n + 1, 2) float32, crossings (x, y) in pixels; [0, 0] is
            the printed board's top left. None on a page of decoys.
        kinds: of each board.
    """

    photo: Image8
    lattices: tuple[Points, ...]
    kinds: tuple[str, ...]


def draw_scene(seed: int) -> Scene:
    """Return a scene; the same seed gives the same one where the same typefaces are at hand."""
    rng = np.random.default_rng([448, seed])
    level = LEVELS[int(rng.integers(1, 6))]
    medium = pick(level.media, rng)
    short_side = round(LONG_SIDE_PX / float(rng.choice([1, 4 / 3, 4 / 3, 1.5, 16 / 9])))
    size = (LONG_SIDE_PX, short_side) if rng.random() < 0.4 else (short_side, LONG_SIDE_PX)
    shown = pick(_PAGES, rng)
    if shown == "screenshots":
        return _draw_screenshot(rng)
    if shown == "sketches":
        medium = "print"
    page, kinds = _PAGE_DRAWERS[shown](rng, medium, min(size), level)
    left, top, right, bottom = page.box
    share = float(rng.uniform(0.4, 0.95) if rng.random() < 0.85 else rng.uniform(0.15, 0.4))
    # The smallest board must stay large enough to be seen.
    extent = max(right - left, bottom - top)
    sides = [float(np.linalg.norm(lattice[0, -1] - lattice[0, 0])) for lattice in page.lattices]
    # Solutions beside a board may be too small.
    smallest = min((side for side in sides if side > 0.6 * max(sides)), default=extent)
    share = min(max(share, _LEAST_BOARD_PX / min(size) * extent / smallest), 0.96)
    small = replace(level, least_cell_px=1.5)
    shot = shoot_page(page, medium, small, size, share, rng)
    grey = cv2.cvtColor(shot.photo, cv2.COLOR_BGR2GRAY)
    return Scene(np.asarray(grey, np.uint8), shot.lattices, kinds)


def _draw_screenshot(rng: np.random.Generator) -> Scene:
    """Draw a board that fills a picture of no camera, as programs and web pages show it."""
    kind = pick(_KINDS | {"classic": 10}, rng)
    px = round(_SUPERSAMPLING * LONG_SIDE_PX)
    image, lattices = _print_kind(kind, px, rng, "screenshot", list(BOXES))
    points = np.concatenate([lattice.reshape(-1, 2) for lattice in lattices])
    least, most = points.min(axis=0), points.max(axis=0)
    rim = rng.uniform(0.0, _RIM, (2, 2)) * (most - least)
    left, top = np.floor(np.maximum(least - rim[0] - 2, 0)).astype(int)
    right, bottom = np.ceil(most + rim[1] + 3).astype(int)
    image, lattices = image[top:bottom, left:right], tuple(at - (left, top) for at in lattices)
    scale = LONG_SIDE_PX / max(image.shape[:2])
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)
    found = tuple(scale_points(at, scale) for at in lattices)
    return Scene(grey, found, (kind,) * len(found))


def _draw_classics(
    rng: np.random.Generator, medium: str, short_side: int, level: Level
) -> tuple[FlatPage, tuple[str, ...]]:
    count, columns, px = _draw_count(rng, short_side)
    look = choose_look(rng, medium)
    is_paper = medium not in ("screen", "screenshot")
    boards = []
    for _ in range(count):
        puzzle = make_puzzle(int(rng.integers(1 << 31)), int(rng.integers(23, 37)))
        boards.append(draw_board(puzzle, px, look, level, rng, is_paper))
    images = [board.image for board in boards]
    found: list[tuple[Points, ...]] = [(board.lattice,) for board in boards]
    return _lay_out(images, found, ["classic"] * count, columns, medium, rng)


def _draw_kinds(
    rng: np.random.Generator, medium: str, short_side: int, level: Level
) -> tuple[FlatPage, tuple[str, ...]]:
    kind = pick(_KINDS, rng)
    count, columns, px = _draw_count(rng, short_side, is_single=kind == "samurai")
    images, lattices, kinds = [], [], []
    for _ in range(count):
        image, found = _print_kind(kind, px, rng, medium)
        images.append(image)
        lattices.append(found)
        kinds.append(kind)
        if rng.random() < 0.5:  # a page may mix kinds
            kind = pick({name: w for name, w in _KINDS.items() if name != "samurai"}, rng)
    return _lay_out(images, lattices, kinds, columns, medium, rng)


def _draw_sketch(
    rng: np.random.Generator, medium: str, short_side: int, level: Level
) -> tuple[FlatPage, tuple[str, ...]]:
    """Draw a sheet of paper with a board by hand."""
    side = 9 if rng.random() < _USUAL else int(rng.choice(_SKETCHED))
    shape = draw_shape("classic", side, rng)
    digits = np.where(rng.random((side, side)) < rng.uniform(0.2, 1), draw_grid(shape, rng), 0)
    page = sketch_board(digits.astype(np.uint8), _flat_px(short_side, 1, 1), Writer(rng, True))
    return page, ("sketch",)


def _lay_out(
    images: list[Image8],
    lattices: list[tuple[Points, ...]],
    kinds: list[str],
    columns: int,
    medium: str,
    rng: np.random.Generator,
) -> tuple[FlatPage, tuple[str, ...]]:
    """Set boards into a page, some of them with what newspapers print around them."""
    if rng.random() < _DRESSED:
        for at, board in enumerate(zip(images, lattices, strict=True)):
            images[at], lattices[at] = dress_board(*board, rng)
    page = _set_page(images, columns, medium, rng)
    placed, names = [], []
    for corner, found, name in zip(page.lattices, lattices, kinds, strict=True):
        placed += [np.asarray(lattice + corner[0, 0], np.float32) for lattice in found]
        names += [name] * len(found)
    return replace(page, lattices=tuple(placed)), tuple(names)


def _set_page(
    images: list[Image8], columns: int, medium: str, rng: np.random.Generator
) -> FlatPage:
    """Set images into a page; each has a lattice of zeros, which is moved to where it begins."""
    corners = [np.zeros((2, 2, 2), np.float32)] * len(images)
    surround = float(rng.uniform(0.15, 1.2))
    surroundings = choose_surroundings(medium, rng, bare=_BARE)
    return lay_out_boards(pad_alike(images), corners, columns, surround, rng, surroundings)


def _print_kind(
    kind: str, px: int, rng: np.random.Generator, medium: str, plain_sides: Sequence[int] = _PLAIN
) -> tuple[Image8, tuple[Points, ...]]:
    if kind == "samurai":
        shape = draw_shape("classic", 9, rng)
        boards = int(rng.integers(2, 6))
        look = choose_kind_look(shape, medium, rng)
        places = SAMURAI_PLACES[:boards]
        clues = draw_samurai_clues(places, rng.uniform(0.25, 0.5), rng)
        printed = print_samurai(places, clues, round(1.6 * px), look)
        return printed.image, printed.lattices
    sides = plain_sides if kind == "classic" else [9, 9, 9, 9, 6, 8, 12]
    side = 9 if kind == "windoku" else int(rng.choice(sides))
    shape = draw_shape(kind, side, rng)
    grid = draw_grid(shape, rng)
    given = rng.uniform(0.0, 0.15) if kind == "killer" else rng.uniform(0.25, 0.55)
    clues = np.where(rng.random((side, side)) < given, grid, 0).astype(np.uint8)
    look = choose_kind_look(shape, medium, rng)
    printed = print_board(shape, clues, sum_cages(shape, grid), px, look)
    return printed.image, printed.lattices


def _draw_decoys(
    rng: np.random.Generator, medium: str, short_side: int, level: Level
) -> tuple[FlatPage, tuple[str, ...]]:
    count = int(rng.choice([1, 1, 2, 4]))
    columns = min(count, 2)
    px = _flat_px(short_side, count, columns)
    images = []
    for _ in range(count):
        image = DECOYS[_DECOYS[int(rng.integers(len(_DECOYS)))]](rng)
        scale = px / max(image.shape[:2])
        small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        images.append(np.asarray(small, np.uint8))
    page = _set_page(images, columns, medium, rng)
    return replace(page, lattices=()), ()


_PAGE_DRAWERS: Final = {
    "classic": _draw_classics,
    "kinds": _draw_kinds,
    "sketches": _draw_sketch,
    "decoys": _draw_decoys,
}


def _draw_count(
    rng: np.random.Generator, short_side: int, *, is_single: bool = False
) -> tuple[int, int, int]:
    """Return how many boards a page has, in how many columns, and the pixels of each."""
    count = 1 if rng.random() < 0.65 or is_single else int(rng.choice(list(MANY_BOARDS)))
    columns = int(rng.choice(MANY_BOARDS[count])) if count > 1 else 1
    return count, columns, _flat_px(short_side, count, columns)


def _flat_px(short_side: int, count: int, columns: int) -> int:
    rows = -(-count // columns)
    return max(round(_SUPERSAMPLING * 0.8 * short_side / max(rows, columns)), 150)
