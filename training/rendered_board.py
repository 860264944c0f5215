"""One board as it is printed, and as someone has written into it."""

from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from solver.grid import Grid
from training.render_board import BoardStyle, render_board
from training.render_puzzle import Puzzle
from training.rendered_digits import (
    INK_PX,
    SHAPE_PX,
    data_faces,
    glyph_shape,
    stroke_shape,
    typeface_shape,
    typefaces,
    written_glyphs,
)
from training.rendered_levels import Level
from vision.board import lattice_from_corners

Image8 = npt.NDArray[np.uint8]
Colour = tuple[int, int, int]

_PENS: Final[tuple[Colour, ...]] = (
    (130, 50, 25), (110, 40, 40), (40, 35, 35), (30, 30, 30), (45, 45, 170), (60, 110, 40),
)  # fmt: skip
"""BGR of ballpoints: blue, black, red, green."""
_PENCIL: Final[Colour] = (95, 95, 95)


class Mark(IntEnum):
    """What stands in a cell."""

    EMPTY = 0
    PRINTED = 1
    WRITTEN = 2
    CANDIDATES = 3
    CORRECTED = 4
    """An entry whose earlier digit is crossed out or overwritten."""


@dataclass(frozen=True)
class BoardLook:
    """How a board is printed; lengths in cells, colours BGR."""

    style: BoardStyle = field(default_factory=lambda: BoardStyle(margin=0.25))
    face: str | int = "LibreFranklin-Medium"
    """A typeface, or the number of one of the data folder's."""
    digit_ink: Colour = (20, 20, 20)
    clue_tint: Colour | None = None
    """Paper of the cells with clues."""
    digit_height: float = 0.56
    squeeze: float = 1.0


@dataclass(frozen=True)
class FlatBoard:
    """A board before it meets page and camera.

    Attributes:
        image: (H, H, 3) uint8 BGR.
        lattice: (10, 10, 2) float32 in pixels of `image`.
        clues: (9, 9) uint8, printed.
        entries: (9, 9) uint8, handwritten, mistakes of the writer included.
        marks: (9, 9) uint8 of `Mark`.
        solution: (9, 9) uint8 of the clues.
    """

    image: Image8
    lattice: npt.NDArray[np.float32]
    clues: Grid
    entries: Grid
    marks: npt.NDArray[np.uint8]
    solution: Grid


def choose_look(rng: np.random.Generator, medium: str) -> BoardLook:
    """Draw the look of a board as such a medium prints it."""
    is_screen = medium in ("screen", "screenshot")
    is_dark = is_screen and rng.random() < 0.35
    paper, ink = ((255, 255, 255), _dark(rng, 60))
    thin = float(rng.uniform(0.012, 0.035))
    thick = thin if rng.random() < 0.1 else thin * float(rng.uniform(1.7, 3.2))
    border = thick * float(rng.choice([1.0, 1.0, 1.0, 1.6, 2.5]))
    thin_ink = ink if rng.random() < 0.6 else _grey(rng, 60, 150)
    style = BoardStyle(paper, ink, thin_ink, thin, thick, border, margin=0.25)
    digit_ink = ink if rng.random() < 0.75 else _dark(rng, 110)
    tint = clue_tint = None
    if is_dark:
        level = int(rng.integers(12, 50))
        paper = (level + int(rng.integers(0, 12)), level, level)
        light = int(rng.integers(150, 250))
        style = replace(style, paper=paper, ink=(light,) * 3, thin_ink=_grey(rng, level + 45, 150))
        digit_ink = _pale(rng, 190)
        if rng.random() < 0.3:
            tint = (paper[0] + 16, paper[1] + 16, paper[2] + 16)
    else:
        kind = rng.random()
        coloured = 0.45 if medium in ("magazine", "screen", "screenshot") else 0.2
        if kind < coloured * 0.6:
            tint = _pale(rng, 190)
        elif kind < coloured:
            clue_tint = _pale(rng, 195)
    style = replace(style, box_tint=tint)
    face: str | int = typefaces()[int(rng.integers(len(typefaces())))]
    if data_faces() and rng.random() < 0.4:
        face = int(rng.integers(len(data_faces())))
    return BoardLook(
        style, face, digit_ink, clue_tint, float(rng.uniform(0.45, 0.7)), rng.uniform(0.9, 1.1)
    )


def draw_board(
    puzzle: Puzzle, px: int, look: BoardLook, level: Level, rng: np.random.Generator, is_paper: bool
) -> FlatBoard:
    """Print a board and let someone fill it in.

    Args:
        puzzle: clues and solution.
        px: distance between the outer lines, in pixels.
        look: how it is printed.
        level: how often people have written into it.
        rng: the writing.
        is_paper: pens write on paper only; a screen's candidates are printed.
    """
    blank, corners = render_board(np.zeros((9, 9), np.uint8), px, look.style)
    image = blank.astype(np.float32)
    lattice = lattice_from_corners(corners)
    cell, origin = px / 9, float(corners[0, 0])
    board = _Canvas(image, cell, origin)
    if look.clue_tint is not None:
        for row, column in np.argwhere(puzzle.clues):
            board.tint(int(row), int(column), look.clue_tint)
    shapes = _printed_shapes(look.face)
    for row, column in np.argwhere(puzzle.clues):
        shape = shapes[int(puzzle.clues[row, column])]
        board.stamp(shape, (column + 0.5, row + 0.5), look.digit_height, look.digit_ink,
                    squeeze=look.squeeze)  # fmt: skip
    entries = np.zeros((9, 9), np.uint8)
    marks = np.where(puzzle.clues > 0, Mark.PRINTED, Mark.EMPTY).astype(np.uint8)
    writer = _Writer(rng, is_paper, look)
    if is_paper and rng.random() < level.written:
        _write_entries(board, writer, puzzle, entries, marks, level.corrections)
    if rng.random() < level.candidates:
        _write_candidates(board, writer, puzzle, marks)
    drawn = np.clip(image + 0.5, 0, 255).astype(np.uint8)
    return FlatBoard(drawn, lattice, puzzle.clues, entries, marks, puzzle.solution)


@dataclass(frozen=True)
class _Canvas:
    """A board being drawn on, in places that count cells."""

    image: npt.NDArray[np.float32]
    cell: float
    origin: float

    def stamp(
        self,
        shape: Image8,
        place: tuple[float, float],
        height: float,
        colour: Colour,
        strength: float = 1.0,
        squeeze: float = 1.0,
        turn: float = 0.0,
    ) -> None:
        """Draw a shape with its middle at a place (x, y), so many cells high."""
        scale = height * self.cell / INK_PX
        half = SHAPE_PX * scale * max(squeeze, 1) / 2 + 2
        x, y = self.origin + place[0] * self.cell, self.origin + place[1] * self.cell
        left, top = int(x - half), int(y - half)
        side = int(2 * half) + 2
        limit = self.image.shape[0]
        if left < 0 or top < 0 or left + side > limit or top + side > limit:
            return
        small = shape
        if scale < 0.5:  # bilinear sampling alone would drop strokes
            small = np.asarray(cv2.GaussianBlur(shape, (0, 0), 0.4 / scale), np.uint8)
        cos, sin = np.cos(turn), np.sin(turn)
        linear = scale * np.array([[cos * squeeze, -sin], [sin * squeeze, cos]])
        middle = np.array([x - left, y - top]) - linear @ np.full(2, (SHAPE_PX - 1) / 2)
        drawn = cv2.warpAffine(small, np.column_stack([linear, middle]), (side, side))
        alpha = drawn.astype(np.float32)[:, :, None] * (strength / 255)
        patch = self.image[top : top + side, left : left + side]
        patch += (np.array(colour, np.float32) - patch) * alpha

    def tint(self, row: int, column: int, colour: Colour) -> None:
        """Colour the paper of a cell; lines stay as dark as they are."""
        low, high = (
            [round(self.origin + at * self.cell) for at in (row + step, column + step)]
            for step in (0, 1)
        )
        self.image[low[0] : high[0], low[1] : high[1]] *= np.array(colour, np.float32) / 255

    def line(
        self, start: tuple[float, float], end: tuple[float, float], width: float, colour: Colour
    ) -> None:
        """Draw a stroke between two places."""
        ends = [
            tuple(round((self.origin + at * self.cell) * 16) for at in place)
            for place in (start, end)
        ]
        thickness = max(round(width * self.cell), 1)
        cv2.line(self.image, ends[0], ends[1], colour, thickness, cv2.LINE_AA, 4)


class _Writer:
    """Somebody with a pen of one colour and a hand of its own."""

    def __init__(self, rng: np.random.Generator, is_paper: bool, look: BoardLook) -> None:
        self.rng = rng
        self.is_paper = is_paper
        self.look = look
        self._glyphs = written_glyphs() if rng.random() < 0.6 else None
        self._slant, self._pen_px = rng.normal(0.12, 0.12), rng.uniform(5, 9)
        self.has_pencil = rng.random() < 0.35
        self.pen = _PENCIL if self.has_pencil else _PENS[int(rng.integers(len(_PENS)))]
        self.strength = rng.uniform(0.6, 0.9) if self.has_pencil else rng.uniform(0.8, 1.0)
        self.height = rng.uniform(0.5, 0.75)

    def shape(self, digit: int) -> Image8:
        """Return a digit in this hand."""
        if self._glyphs is None:
            return stroke_shape(self.rng, digit, self._slant, self._pen_px)
        chosen = np.flatnonzero(self._glyphs.digits == digit)
        return glyph_shape(self._glyphs, int(chosen[self.rng.integers(len(chosen))]))

    def write(
        self, board: _Canvas, digit: int, place: tuple[float, float], size: float, strength: float
    ) -> None:
        """Write a digit about there."""
        x, y = self.rng.normal(0, 0.05, 2)
        board.stamp(
            self.shape(digit), (place[0] + x, place[1] + y), self.height * size, self.pen,
            self.strength * strength, self.rng.uniform(0.9, 1.1), self.rng.normal(0, 0.06),
        )  # fmt: skip


def _write_entries(
    board: _Canvas,
    writer: _Writer,
    puzzle: Puzzle,
    entries: Grid,
    marks: npt.NDArray[np.uint8],
    corrections: float,
) -> None:
    rng = writer.rng
    share = 1.0 if rng.random() < 0.3 else rng.uniform(0.08, 0.9)
    for row, column in np.argwhere(puzzle.clues == 0):
        if rng.random() >= share:
            continue
        digit = int(puzzle.solution[row, column])
        if rng.random() < 0.02:
            digit = int(rng.integers(1, 10))
        entries[row, column], marks[row, column] = digit, Mark.WRITTEN
        place = (column + 0.5, row + 0.5)
        if rng.random() >= corrections:
            writer.write(board, digit, place, 1, 1)
            continue
        marks[row, column] = Mark.CORRECTED
        wrong = digit % 9 + 1
        if rng.random() < 0.5:  # crossed out, with the right digit beside it
            writer.write(board, wrong, (place[0] - 0.22, place[1] + 0.12), 0.65, 1)
            for rise in (-0.2, 0.2):
                board.line((column + 0.1, row + 0.62 - rise), (column + 0.46, row + 0.62 + rise),
                           0.04, writer.pen)  # fmt: skip
            writer.write(board, digit, (place[0] + 0.22, place[1] - 0.1), 0.7, 1)
        else:
            writer.write(board, wrong, place, 0.95, 0.35)
            writer.write(board, digit, place, 1.1, 1)


def _write_candidates(
    board: _Canvas, writer: _Writer, puzzle: Puzzle, marks: npt.NDArray[np.uint8]
) -> None:
    rng = writer.rng
    share, is_table = rng.uniform(0.15, 0.9), not writer.is_paper or rng.random() < 0.5
    height = rng.uniform(0.2, 0.25) if is_table else rng.uniform(0.2, 0.3)
    colour = writer.look.digit_ink if not writer.is_paper else _PENCIL
    strength = rng.uniform(0.45, 0.85)
    shapes = _printed_shapes(writer.look.face)
    for row, column in np.argwhere(marks == Mark.EMPTY):
        if rng.random() >= share:
            continue
        marks[row, column] = Mark.CANDIDATES
        others = rng.permutation(9)[: rng.integers(1, 4)] + 1
        digits = sorted({int(puzzle.solution[row, column]), *(int(d) for d in others)})
        for index, digit in enumerate(digits):
            if is_table:
                x, y = 0.2 + 0.3 * ((digit - 1) % 3), 0.2 + 0.3 * ((digit - 1) // 3)
            else:
                x, y = 0.18 + 0.2 * index, 0.22
            shape = writer.shape(digit) if writer.is_paper else shapes[digit]
            place = (column + x, row + y)
            board.stamp(shape, place, height, colour, strength)


def _printed_shapes(face: str | int) -> dict[int, Image8]:
    """Return the nine shapes of a typeface, or of one of the data folder's."""
    if isinstance(face, str):
        return {digit: typeface_shape(face, digit) for digit in range(1, 10)}
    glyphs = data_faces()[face]
    return {digit: glyph_shape(glyphs, digit - 1) for digit in range(1, 10)}


def _dark(rng: np.random.Generator, most: int) -> Colour:
    """Return black, or a dark colour."""
    if rng.random() < 0.7:
        return (int(rng.integers(0, 40)),) * 3
    blue, green, red = (int(value) for value in rng.integers(0, most, 3))
    return (blue, green, red)


def _grey(rng: np.random.Generator, low: int, high: int) -> Colour:
    return (int(rng.integers(low, high)),) * 3


def _pale(rng: np.random.Generator, least: int) -> Colour:
    """Return light grey, or a pastel."""
    if rng.random() < 0.4:
        return _grey(rng, least, 240)
    blue, green, red = (int(value) for value in rng.integers(least, 256, 3))
    return (blue, green, red)
