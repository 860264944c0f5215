"""Boards that somebody drew on blank, lined or squared paper, and wrote digits into."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from solver.grid import Grid
from training.pages.flat_board import Colour, as_colour
from training.pages.shape import BOXES
from training.rendered.page_layout import FlatPage
from training.rendered.writing import PENS, Canvas, Writer, soil_cell
from vision.geometry import Floats

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
    sheet = np.empty((*np.ceil(px + room.sum(axis=0)).astype(int), 3), np.float32)
    sheet[:] = rng.uniform(225, 255) + rng.normal(0, 3, 3)
    canvas = Canvas(sheet, cell, 0.0)
    top, left = room[0].tolist()
    start = left / cell, top / cell
    is_squared = _rule_paper(canvas, start, rng)
    lattice = _draw_lines(canvas, start, side, writer, is_guided=is_squared)
    middles = (lattice[1:, 1:] + lattice[:-1, :-1]) / 2
    for row, column in np.argwhere(digits):
        x, y = middles[row, column].tolist()
        writer.write(canvas, int(digits[row, column]), (x, y), 1, 1)
    for row, column in np.argwhere(np.zeros_like(digits) if is_soiled is None else is_soiled):
        x, y = middles[row, column].tolist()
        soil_cell(canvas, writer, (x, y))
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
    is_free = rng.random() < _FREEHAND
    wobble = rng.uniform(0.02, 0.07) if is_free else 0.006
    aside = rng.uniform(0.02, 0.06) if is_free else 0.015
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
