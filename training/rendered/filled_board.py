"""One board as it is printed, and as someone has written into it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from models.grids import legal_candidates
from solver.grid import Grid
from training.pages.flat_board import BoardStyle, Colour, Puzzle, as_colour, draw_grey, render_board
from training.rendered.large_digits import data_faces, face_shapes, typefaces
from training.rendered.levels import Level
from training.rendered.writing import PENCIL, Canvas, Mark, Writer, soil_cell, write_entries
from vision.board import lattice_from_corners
from vision.geometry import Image8, Points

Places = npt.NDArray[np.float32]
"""(9, 9, 9, 2): row and column of a cell, digit − 1, then x and y in the cell, 0..1; NaN where
the digit is not noted."""

Layout = Literal["grid", "top", "middle", "corners"]

_LAYOUTS: Final[tuple[Layout, ...]] = ("grid", "top", "middle", "corners")
_TYPED_SHARES: Final = (0.5, 0.1, 0.25, 0.15)
"""How often a program sets candidates so."""
_WRITTEN_SHARES: Final = (0.3, 0.4, 0.1, 0.2)
_COUNTS: Final = (0.08, 0.34, 0.28, 0.16, 0.08, 0.04, 0.02)
"""How often so many candidates stand in a cell, from one."""
_CAREFUL: Final = 0.8
"""Share of the boards on which nothing is noted that the clues rule out."""
_UNSORTED: Final = 0.2
"""Share of those who write by hand that note digits as they find them, in no order."""
_CORNERS: Final = (
    (0.2, 0.22), (0.8, 0.22), (0.2, 0.78), (0.8, 0.78),
    (0.5, 0.22), (0.5, 0.78), (0.2, 0.5), (0.8, 0.5), (0.5, 0.5),
)  # fmt: skip
"""Places (x, y) in the order in which they are taken, in cells."""
_TALLEST_OF_NINE: Final = 1.16
"""Height of digits in a grid of nine, in steps from one row to the next."""
_TALLEST_IN_CORNER: Final = 0.36
_TALLEST_ALONE: Final = 0.3
"""Of a digit alone in the middle of a cell: a larger one were an entry."""
_BLUE: Final[Colour] = (190, 110, 50)
_WIDEST_ROW: Final = 0.84
"""Of a cell."""


@dataclass(frozen=True)
class CandidateStyle:
    """How somebody notes candidates; lengths in cells.

    Attributes:
        layout: where they stand.
        height: of a digit.
        step: from one digit of a row to the next, in heights.
        spread: between the columns of a grid.
        shake: standard deviation of a digit's place.
        colour: BGR.
        strength: of the ink, 0..1.
        shapes: by digit; None where they are written by hand.
        is_sorted: the digits of a cell ascend; a grid of nine has a place for each anyway.
    """

    layout: Layout
    height: float
    step: float
    spread: float
    shake: float
    colour: Colour
    strength: float
    shapes: Mapping[int, Image8] | None
    is_sorted: bool = True


def choose_candidate_style(
    writer: Writer, shapes: Mapping[int, Image8], ink: Colour, tallest: float
) -> CandidateStyle:
    """Draw how candidates are noted on a board.

    Args:
        writer: pencils them on paper; a screen sets them.
        shapes: of the screen's digits.
        ink: of these.
        tallest: height of those by hand at most, in cells.
    """
    rng = writer.rng
    order = rng.spawn(1)[0]  # other chances stay as they are
    is_typed = not writer.is_paper or rng.random() < 0.1
    layout = str(rng.choice(_LAYOUTS, p=_TYPED_SHARES if is_typed else _WRITTEN_SHARES))
    if is_typed:
        height = rng.uniform(0.16, 0.27)
        colour = ink if rng.random() < 0.6 else _BLUE
        strength, shake, step = rng.uniform(0.4, 1.0), 0.0, rng.uniform(0.72, 1.0)
    else:
        height = rng.uniform(0.19, tallest)
        colour = PENCIL if rng.random() < 0.7 else writer.pen
        strength, shake, step = rng.uniform(0.55, 1.0), 0.02, rng.uniform(0.7, 1.0)
    return CandidateStyle(
        layout=next(one for one in _LAYOUTS if one == layout),
        height=height,
        step=step,
        spread=rng.uniform(0.26, 0.32),
        shake=shake,
        colour=colour,
        strength=strength,
        shapes=shapes if is_typed else None,
        is_sorted=is_typed or order.random() >= _UNSORTED,
    )


def write_candidates(
    board: Canvas,
    writer: Writer,
    puzzle: Puzzle,
    marks: npt.NDArray[np.uint8],
    style: CandidateStyle,
) -> Places:
    """Put candidates into some of the empty cells, the right digit among them.

    Args:
        board: drawn on.
        writer: whose hand it is.
        puzzle: clues and solution.
        marks: (9, 9) uint8 of `Mark`, changed in place.
        style: how they are noted.

    Returns:
        What is noted in each cell, and where.
    """
    rng = writer.rng
    is_careful = rng.random() < _CAREFUL
    allowed = np.ones((9, 9, 9), np.bool_)
    if is_careful:
        allowed = legal_candidates(puzzle.clues.reshape(1, 81)).reshape(9, 9, 9)
    noted = np.full((9, 9, 9, 2), np.nan, np.float32)
    share = rng.uniform(0.15, 0.9)
    order = rng.spawn(1)[0]
    for row, column in np.argwhere(marks == Mark.EMPTY):
        if rng.random() >= share:
            continue
        right = int(puzzle.solution[row, column])
        digits = choose_candidates(rng, right, np.flatnonzero(allowed[row, column]) + 1)
        if not style.is_sorted:
            digits = order.permutation(digits).tolist()
        places = draw_candidates(board, writer, (int(row), int(column)), digits, style)
        marks[row, column] = Mark.CANDIDATES
        noted[row, column, np.array(digits) - 1] = places
    return noted


def choose_candidates(
    rng: np.random.Generator, right: int, allowed: npt.NDArray[np.integer[Any]]
) -> list[int]:
    """Return one to seven digits, ascending, the right one and some that are allowed."""
    count = 1 + int(rng.choice(len(_COUNTS), p=_COUNTS))
    others = [one for one in rng.permutation(allowed).tolist() if one != right]
    return sorted([right, *others[: count - 1]])


def pack_candidates(noted: Places) -> npt.NDArray[np.uint16]:
    """Return what is noted as (9, 9) uint16, bit d − 1 for digit d."""
    is_noted = ~np.isnan(noted[..., 0])
    return np.asarray((is_noted << np.arange(9)).sum(axis=2), np.uint16)


def draw_candidates(
    board: Canvas,
    writer: Writer,
    cell: tuple[int, int],
    digits: Sequence[int],
    style: CandidateStyle,
) -> list[tuple[float, float]]:
    """Note digits in a cell; return where, (x, y) in the cell."""
    rng = writer.rng
    height, aims = _set_out(digits, style)
    places = []
    for digit, aim in zip(digits, aims, strict=True):
        shape = writer.shape(digit) if style.shapes is None else style.shapes[digit]
        x, y = aim + rng.normal(0, style.shake, 2) if style.shake else aim
        board.stamp(shape, (cell[1] + x, cell[0] + y), height, style.colour, style.strength)
        places.append((float(x), float(y)))
    return places


def _set_out(
    digits: Sequence[int], style: CandidateStyle
) -> tuple[float, list[tuple[float, float]]]:
    """Return the height of digits, and where the middle of each stands in its cell."""
    height = style.height
    if style.layout == "grid":
        places = [((digit - 1) % 3 - 1, (digit - 1) // 3 - 1) for digit in digits]
        height = min(height, _TALLEST_OF_NINE * style.spread)
        return height, [(0.5 + style.spread * x, 0.5 + style.spread * y) for x, y in places]
    if style.layout == "corners":
        return min(height, _TALLEST_IN_CORNER), list(_CORNERS[: len(digits)])
    rows = 1 if len(digits) <= 4 else 2
    if style.layout == "middle":
        rows = 1
        if len(digits) == 1:
            height = min(height, _TALLEST_ALONE)
    columns = -(-len(digits) // rows)
    height = min(height, _WIDEST_ROW / (columns * style.step))
    step = height * style.step
    left = 0.5 - step * (columns - 1) / 2 if style.layout == "middle" else 0.1 + step / 2
    top = 0.5 if style.layout == "middle" else 0.1 + height / 2
    return height, [
        (left + step * (index % columns), top + 1.15 * height * (index // columns))
        for index in range(len(digits))
    ]


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
        noted: candidates, and where they stand.
        solution: (9, 9) uint8 of the clues.
    """

    image: Image8
    lattice: npt.NDArray[np.float32]
    clues: Grid
    entries: Grid
    marks: npt.NDArray[np.uint8]
    noted: Places
    solution: Grid


def choose_look(rng: np.random.Generator, medium: str) -> BoardLook:
    """Draw the look of a board as such a medium prints it."""
    is_screen = medium in ("screen", "screenshot")
    is_dark = is_screen and rng.random() < 0.35
    paper, ink = ((255, 255, 255), _dark(rng, 60))
    thin = float(rng.uniform(0.012, 0.035))
    thick = thin if rng.random() < 0.1 else thin * float(rng.uniform(1.7, 3.2))
    border = thick * float(rng.choice([1.0, 1.0, 1.0, 1.6, 2.5]))
    thin_ink = ink if rng.random() < 0.6 else draw_grey(rng, 60, 150)
    style = BoardStyle(paper, ink, thin_ink, thin, thick, border, margin=0.25)
    digit_ink = ink if rng.random() < 0.75 else _dark(rng, 110)
    tint = clue_tint = None
    if is_dark:
        level = int(rng.integers(12, 50))
        paper = (level + int(rng.integers(0, 12)), level, level)
        light = int(rng.integers(150, 250))
        style = replace(
            style, paper=paper, ink=(light,) * 3, thin_ink=draw_grey(rng, level + 45, 150)
        )
        digit_ink = _pale(rng, 190)
        if rng.random() < 0.3:
            tint = as_colour(value + 16 for value in paper)
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
    board, lattice = _print_empty(px, look.style)
    if look.clue_tint is not None:
        for row, column in np.argwhere(puzzle.clues):
            _tint(board, int(row), int(column), look.clue_tint)
    shapes = face_shapes(look.face)
    for row, column in np.argwhere(puzzle.clues):
        shape = shapes[int(puzzle.clues[row, column])]
        board.stamp(shape, (column + 0.5, row + 0.5), look.digit_height, look.digit_ink,
                    squeeze=look.squeeze)  # fmt: skip
    entries = np.zeros((9, 9), np.uint8)
    marks = np.where(puzzle.clues > 0, Mark.PRINTED, Mark.EMPTY).astype(np.uint8)
    writer = Writer(rng, is_paper)
    if is_paper and rng.random() < level.written:
        write_entries(board, writer, puzzle, entries, marks, level.corrections)
    noted = np.full((9, 9, 9, 2), np.nan, np.float32)
    if rng.random() < level.candidates:
        style = choose_candidate_style(writer, shapes, look.digit_ink, level.tallest_candidate)
        noted = write_candidates(board, writer, puzzle, marks, style)
    return FlatBoard(board.done(), lattice, puzzle.clues, entries, marks, noted, puzzle.solution)


def write_board(
    digits: Grid,
    px: int,
    style: BoardStyle,
    writer: Writer,
    is_soiled: npt.NDArray[np.bool_] | None = None,
) -> tuple[Image8, npt.NDArray[np.float32]]:
    """Print an empty board and let someone write digits into it.

    Args:
        digits: (9, 9) uint8, 0 = empty.
        px: distance between the outer lines, in pixels.
        style: how the board is printed.
        writer: of the digits.
        is_soiled: (9, 9) bool, cells with something that is no digit; None for none.

    Returns:
        The board, (H, H, 3) uint8 BGR, and its lattice, (10, 10, 2) float32.
    """
    board, lattice = _print_empty(px, style)
    for row, column in np.argwhere(digits):
        writer.write(board, int(digits[row, column]), (column + 0.5, row + 0.5), 1, 1)
    for row, column in np.argwhere(np.zeros_like(digits) if is_soiled is None else is_soiled):
        soil_cell(board, writer, (column + 0.5, row + 0.5))
    return board.done(), lattice


def _tint(board: Canvas, row: int, column: int, colour: Colour) -> None:
    """Colour the paper of a cell; lines stay as dark as they are."""
    (top, left), (bottom, right) = (
        [round(board.origin + at * board.cell) for at in (row + step, column + step)]
        for step in (0, 1)
    )
    board.image[top:bottom, left:right] *= np.array(colour, np.float32) / 255


def _print_empty(px: int, style: BoardStyle) -> tuple[Canvas, Points]:
    blank, corners = render_board(np.zeros((9, 9), np.uint8), px, style)
    canvas = Canvas(blank.astype(np.float32), px / 9, float(corners[0, 0]))
    return canvas, lattice_from_corners(corners)


def _dark(rng: np.random.Generator, most: int) -> Colour:
    """Return black, or a dark colour."""
    return draw_grey(rng, 0, 40) if rng.random() < 0.7 else as_colour(rng.integers(0, most, 3))


def _pale(rng: np.random.Generator, least: int) -> Colour:
    """Return light grey, or a pastel."""
    if rng.random() < 0.4:
        return draw_grey(rng, least, 240)
    return as_colour(rng.integers(least, 256, 3))
