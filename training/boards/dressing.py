"""What newspapers print close to a board: a headline in a common frame, and small solutions."""

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from training.newspaper.printed_puzzle import make_puzzle
from training.rendered.filled_board import choose_look, draw_board
from training.rendered.levels import LEVELS

Image8 = npt.NDArray[np.uint8]
Points = npt.NDArray[np.float32]

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
    paper = _paper_of(image)
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
    paper = _paper_of(image)
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
    else:
        shift = 0
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
    cv2.putText(
        row, words, (2, round(0.75 * wide)), cv2.FONT_HERSHEY_SIMPLEX, scale, paper, 1, cv2.LINE_AA
    )
    framed[:wide], framed[-wide:] = row[:, :length], row[:, :length]
    framed[:, :wide] = np.rot90(row[:, :height])
    framed[:, -wide:] = np.rot90(row[:, :height], -1)
    return np.asarray(framed, np.uint8)


def _paper_of(image: Image8) -> tuple[int, ...]:
    return tuple(int(value) for value in np.median(image[:2].reshape(-1, 3), axis=0))
