"""What people draw by hand: whole boards, entries and corrections, and what is no digit."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise
from typing import Final, Literal

import cv2
import numpy as np
import numpy.typing as npt

from solver.grid import Grid
from training.pages.flat_board import Colour, Puzzle, as_colour
from training.pages.shape import BOXES
from training.rendered.large_digits import (
    INK_PX,
    SHAPE_PX,
    Glyphs,
    glyph_shape,
    stroke_shape,
    written_glyphs,
)
from training.rendered.page_layout import FlatPage
from vision.geometry import Floats, Image8

PENS: Final[tuple[Colour, ...]] = (
    (130, 50, 25), (110, 40, 40), (40, 35, 35), (30, 30, 30), (45, 45, 170), (60, 110, 40),
)  # fmt: skip
"""BGR of ballpoints: blue, black, red, green."""
PENCIL: Final[Colour] = (95, 95, 95)
"""BGR of its strokes."""
Dirt = Literal["candidates", "crossed", "scribble", "stroke", "dots"]
DIRT: Final[tuple[Dirt, ...]] = ("candidates", "crossed", "scribble", "stroke", "dots")
"""What may stand in a cell that is no digit of its own."""

_RULED: Final = {"blank": 0.35, "lined": 0.25, "squared": 0.4}
"""How often paper is ruled so."""
_RULING_INKS: Final[tuple[Colour, ...]] = (
    (200, 175, 140), (185, 185, 185), (190, 160, 190), (180, 200, 150),
)  # fmt: skip
"""BGR of a sheet's lines: blue, grey, violet, green."""
_MARGIN_INK: Final[Colour] = (150, 150, 235)
_GUIDED: Final = 0.75
"""Share of the squared sheets whose lines the board follows."""
_FREEHAND: Final = 0.5
"""Share of the boards that are drawn without a ruler."""
_WAVES: Final = 6
"""Of which the wobble of a line is made."""
_STEPS: Final = 5
"""Straight pieces of a drawn line for each cell."""
_BOXED: Final = {"heavy": 0.45, "retraced": 0.25, "coloured": 0.15, "plain": 0.15}
"""How often lines between boxes differ so from others."""
_OTHER_PENS: Final[tuple[Colour, ...]] = ((45, 45, 170), (130, 50, 25))
"""BGR of red and blue, for lines between boxes."""


class Mark(IntEnum):
    """What stands in a cell."""

    EMPTY = 0
    PRINTED = 1
    WRITTEN = 2
    CANDIDATES = 3
    CORRECTED = 4
    """An entry whose earlier digit is crossed out or overwritten."""


@dataclass(frozen=True)
class Canvas:
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
        rows, columns = self.image.shape[:2]
        if left < 0 or top < 0 or left + side > columns or top + side > rows:
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

    def done(self) -> Image8:
        """Return the picture as it is now, (H, W, 3) uint8."""
        return np.asarray(np.clip(self.image + 0.5, 0, 255), np.uint8)

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


class Writer:
    """Somebody with a pen of one colour and a hand of its own."""

    def __init__(
        self, rng: np.random.Generator, is_paper: bool, glyphs: Glyphs | None = None
    ) -> None:
        """Choose pen and hand.

        Args:
            rng: chooses.
            is_paper: pens write on paper only.
            glyphs: digits that are copied; drawn when None.
        """
        self.rng = rng
        self.is_paper = is_paper
        drawn = written_glyphs() if rng.random() < 0.6 else None
        self._glyphs = drawn if glyphs is None else glyphs
        self._slant, self._pen_px = rng.normal(0.12, 0.12), rng.uniform(5, 9)
        self.has_pencil = rng.random() < 0.35
        self.pen = PENCIL if self.has_pencil else PENS[int(rng.integers(len(PENS)))]
        self.strength = rng.uniform(0.6, 0.9) if self.has_pencil else rng.uniform(0.8, 1.0)
        self.height = rng.uniform(0.5, 0.75)

    def shape(self, digit: int) -> Image8:
        """Return a digit in this hand."""
        if self._glyphs is None:
            return stroke_shape(self.rng, digit, self._slant, self._pen_px)
        chosen = np.flatnonzero(self._glyphs.digits == digit)
        return glyph_shape(self._glyphs, int(chosen[self.rng.integers(len(chosen))]))

    def write(
        self, board: Canvas, digit: int, place: tuple[float, float], size: float, strength: float
    ) -> None:
        """Write a digit about there."""
        x, y = self.rng.normal(0, 0.05, 2)
        board.stamp(
            self.shape(digit), (place[0] + x, place[1] + y), self.height * size, self.pen,
            self.strength * strength, self.rng.uniform(0.9, 1.1), self.rng.normal(0, 0.06),
        )  # fmt: skip


def write_entries(
    board: Canvas,
    writer: Writer,
    puzzle: Puzzle,
    entries: Grid,
    marks: npt.NDArray[np.uint8],
    corrections: float,
) -> None:
    """Fill in all empty cells or some, with a mistake here and there.

    Args:
        board: drawn on.
        writer: of the digits.
        puzzle: clues and solution.
        entries: (9, 9) uint8, changed in place.
        marks: (9, 9) uint8 of `Mark`, changed in place.
        corrections: share of the entries that are crossed out or overwritten.
    """
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


def soil_cell(
    board: Canvas, writer: Writer, place: tuple[float, float], kinds: Sequence[Dirt] = DIRT
) -> None:
    """Leave something in a cell that is no digit of its own.

    Args:
        board: drawn on.
        writer: whose pen it is.
        place: (x, y) of the cell's middle, in cells.
        kinds: of which one is chosen.
    """
    rng = writer.rng
    x, y = place
    kind = rng.choice(list(kinds))
    if kind == "candidates":
        _jot_candidates(board, writer, place)
    elif kind == "crossed":
        writer.write(board, int(rng.integers(1, 10)), place, 1, 1)
        for _ in range(int(rng.integers(2, 5))):
            (left, right), (start, end) = rng.uniform(0.25, 0.4, 2), rng.uniform(-0.3, 0.3, 2)
            _draw_stroke(board, writer, (x - left, y + start), (x + right, y + end))
    elif kind == "scribble":
        at = np.array(place) + rng.normal(0, 0.08, 2)
        reach = rng.uniform(0.12, 0.4)
        points = at + rng.uniform(-reach, reach, (int(rng.integers(8, 20)), 2))
        for start, end in pairwise(points.tolist()):
            _draw_stroke(board, writer, tuple(start), tuple(end))
    elif kind == "stroke":
        # Lying rather than upright, or it were a one.
        turn, half = rng.uniform(-0.6, 0.6), rng.uniform(0.03, 0.3)
        along = half * np.array([np.cos(turn), np.sin(turn)])
        at = np.array(place) + rng.normal(0, 0.1, 2)
        _draw_stroke(board, writer, tuple(at - along), tuple(at + along))
    else:
        for _ in range(int(rng.integers(1, 5))):
            at = np.array(place) + rng.normal(0, 0.12, 2)
            _draw_stroke(board, writer, tuple(at), tuple(at + rng.normal(0, 0.02, 2)))


def _jot_candidates(board: Canvas, writer: Writer, place: tuple[float, float]) -> None:
    rng = writer.rng
    digits = np.sort(rng.permutation(9)[: rng.integers(2, 5)] + 1).tolist()
    is_table, height = rng.random() < 0.5, rng.uniform(0.2, 0.3)
    for index, digit in enumerate(digits):
        if is_table:
            x, y = 0.3 * ((digit - 1) % 3) - 0.3, 0.3 * ((digit - 1) // 3) - 0.3
        else:
            x, y = 0.2 * (index - (len(digits) - 1) / 2), rng.normal(0, 0.03)
        shape = writer.shape(digit)
        board.stamp(shape, (place[0] + x, place[1] + y), height, writer.pen, writer.strength)


def _draw_stroke(
    board: Canvas, writer: Writer, start: tuple[float, float], end: tuple[float, float]
) -> None:
    board.line(start, end, writer.rng.uniform(0.02, 0.07), writer.pen)


@dataclass(frozen=True)
class _Hand:
    """How somebody draws lines; lengths in cells.

    Attributes:
        wobble: how far a line leaves the straight one.
        aside: standard deviation of where its ends lie across it.
        beyond: the same along it.
        width: of the pen.
    """

    wobble: float
    aside: float
    beyond: float
    width: float


def sketch_board(
    digits: Grid, px: int, writer: Writer, is_soiled: npt.NDArray[np.bool_] | None = None
) -> FlatPage:
    """Draw a board on a sheet of paper, and write digits into it.

    Args:
        digits: (n, n) uint8, 0 = empty; n is a key of `training.pages.shape.BOXES`.
        px: side of the board, about, in pixels.
        writer: of lines and digits.
        is_soiled: (n, n) bool, cells with something that is no digit; None for none.

    Returns:
        The whole sheet; the crossings of its lattice are those of the drawn lines.
    """
    rng, side = writer.rng, len(digits)
    cell = px / side
    room = rng.uniform(0.12, 0.8, (2, 2)) * px
    size, paper = np.ceil(px + room.sum(axis=0)).astype(int), rng.uniform(225, 255)
    canvas = Canvas(np.full((*size, 3), paper + rng.normal(0, 3, 3), np.float32), cell, 0.0)
    top, left = room[0].tolist()
    start = left / cell, top / cell
    is_squared = _rule_paper(canvas, start, rng)
    lattice = _draw_lines(canvas, start, side, writer, is_guided=is_squared)
    middles = (lattice[1:, 1:] + lattice[:-1, :-1]) / 2
    for row, column in np.argwhere(digits):
        writer.write(canvas, int(digits[row, column]), tuple(middles[row, column].tolist()), 1, 1)
    for row, column in np.argwhere(np.zeros_like(digits) if is_soiled is None else is_soiled):
        soil_cell(canvas, writer, tuple(middles[row, column].tolist()))
    box = round(left), round(top), round(left + px), round(top + px)
    return FlatPage(canvas.done(), (np.asarray(lattice * cell, np.float32),), box)


def _rule_paper(canvas: Canvas, start: tuple[float, float], rng: np.random.Generator) -> bool:
    """Print lines or squares on a sheet, and tell whether squares guide who draws.

    Args:
        canvas: in cells of the board.
        start: (x, y) where the board begins.
        rng: chooses.
    """
    ruling = rng.choice(list(_RULED), p=list(_RULED.values()))
    if ruling == "blank":
        return False
    height, width = (size / canvas.cell for size in canvas.image.shape[:2])
    ink = _fade(_RULING_INKS[int(rng.integers(len(_RULING_INKS)))], rng.uniform(0, 0.5), canvas)
    pen = float(rng.uniform(0.008, 0.022))
    is_guided = ruling == "squared" and rng.random() < _GUIDED
    step = 1 / int(rng.integers(1, 4)) if is_guided else float(rng.uniform(0.35, 1.4))
    x, y = start if is_guided else rng.uniform(0, step, 2).tolist()
    for at in np.arange(y % step, height, step).tolist():
        canvas.line((0, at), (width, at), pen, ink)
    if ruling == "squared":
        for at in np.arange(x % step, width, step).tolist():
            canvas.line((at, 0), (at, height), pen, ink)
    elif rng.random() < 0.5:
        at = float(rng.uniform(0.05, 0.3) * width)
        canvas.line((at, 0), (at, height), pen, _MARGIN_INK)
    return is_guided


def _draw_lines(
    canvas: Canvas, start: tuple[float, float], side: int, writer: Writer, *, is_guided: bool
) -> Floats:
    """Draw the lines of a board, and return where they cross, (n + 1, n + 1, 2) in cells."""
    rng = writer.rng
    hand = _choose_hand(rng, is_guided=is_guided)
    pen = writer.pen if rng.random() < 0.6 else PENS[int(rng.integers(len(PENS)))]
    ink = _fade(pen, rng.uniform(0, 0.25), canvas)
    box_lines = rng.choice(list(_BOXED), p=list(_BOXED.values()))
    of_boxes = _OTHER_PENS[int(rng.integers(2))] if box_lines == "coloured" else ink
    heavier = float(rng.uniform(1.7, 2.6)) if box_lines == "heavy" else 1.0
    steps = np.linspace(0, side, _STEPS * side + 1)

    def draw(axis: int, across: Floats, width: float, colour: Colour) -> None:
        along = steps.copy()
        along[[0, -1]] += np.abs(rng.normal(0, hand.beyond, 2)) * (-1, 1)
        way = (along, across) if axis == 0 else (across, along)
        for (x, y), (next_x, next_y) in pairwise((np.stack(way, axis=1) + start).tolist()):
            canvas.line((x, y), (next_x, next_y), width, colour)

    crossings = np.empty((side + 1, side + 1, 2))
    for axis, per_box in enumerate(BOXES[side]):
        # Lying lines come first, each box so many rows high; then the upright ones.
        for number in range(side + 1):
            is_box = number % per_box == 0
            width = hand.width * (heavier if is_box else 1.0)
            across = number + _wobble(hand, steps, rng)
            draw(axis, across, width, of_boxes if is_box else ink)
            if is_box and box_lines == "retraced":
                again = across + rng.normal(0, hand.width) + _wobble(hand, steps, rng) / 2
                draw(axis, again, width, ink)
            np.moveaxis(crossings, axis, 0)[number, :, 1 - axis] = across[::_STEPS]
    return crossings + start


def _choose_hand(rng: np.random.Generator, *, is_guided: bool) -> _Hand:
    wobble, aside = 0.006, 0.015
    if rng.random() < _FREEHAND:
        wobble, aside = rng.uniform(0.02, 0.07), rng.uniform(0.02, 0.06)
    if is_guided:
        wobble, aside = wobble / 2, aside / 2
    return _Hand(wobble, aside, float(rng.uniform(0, 0.08)), float(rng.uniform(0.022, 0.05)))


def _wobble(hand: _Hand, along: Floats, rng: np.random.Generator) -> Floats:
    """Return how far a drawn line lies from the straight one, in cells."""
    share = along / along[-1]
    wave = np.arange(1, _WAVES + 1)[:, None]
    phases, heights = rng.uniform(0, 2 * np.pi, (_WAVES, 1)), rng.normal(0, 1, (_WAVES, 1))
    waves = (heights * np.sin(np.pi * wave * share + phases) / (wave + 0.5)).sum(axis=0)
    begin, end = rng.normal(0, hand.aside, 2)
    return np.asarray(hand.wobble * waves + begin + (end - begin) * share)


def _fade(ink: Colour, share: float, canvas: Canvas) -> Colour:
    """Return an ink with a share of the paper's colour in it."""
    return as_colour((1 - share) * np.array(ink) + share * canvas.image[0, 0])
