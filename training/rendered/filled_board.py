"""One board as it is printed, and as someone has written into it."""

from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from solver.grid import Grid
from training.pages.flat_board import BoardStyle, Puzzle, render_board
from training.rendered.candidates import Places, choose_candidate_style, write_candidates
from training.rendered.large_digits import data_faces, face_shapes, typefaces
from training.rendered.levels import Level
from training.rendered.writing import (
    Canvas,
    Mark,
    Writer,
    soil_cell,
    write_entries,
)
from vision.board import lattice_from_corners

Image8 = npt.NDArray[np.uint8]
Colour = tuple[int, int, int]


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
    board = Canvas(image, cell, origin)
    if look.clue_tint is not None:
        for row, column in np.argwhere(puzzle.clues):
            board.tint(int(row), int(column), look.clue_tint)
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
        style = choose_candidate_style(writer, shapes, look.digit_ink)
        noted = write_candidates(board, writer, puzzle, marks, style)
    drawn = np.clip(image + 0.5, 0, 255).astype(np.uint8)
    return FlatBoard(drawn, lattice, puzzle.clues, entries, marks, noted, puzzle.solution)


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
    blank, corners = render_board(np.zeros((9, 9), np.uint8), px, style)
    image = blank.astype(np.float32)
    board = Canvas(image, px / 9, float(corners[0, 0]))
    for row, column in np.argwhere(digits):
        writer.write(board, int(digits[row, column]), (column + 0.5, row + 0.5), 1, 1)
    for row, column in np.argwhere(np.zeros_like(digits) if is_soiled is None else is_soiled):
        soil_cell(board, writer, (column + 0.5, row + 0.5))
    return np.clip(image + 0.5, 0, 255).astype(np.uint8), lattice_from_corners(corners)


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
