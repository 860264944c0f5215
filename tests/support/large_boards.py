"""Boards of large sides and other scripts as they are printed, with their solutions."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from app.board.board_values import BoardViewModel, CellView
from solver.grid import Grid
from training.pages.flat_board import BoardStyle
from training.pages.printed_board import KindLook, print_board
from training.pages.shape import draw_grid, draw_shape
from training.rendered.filled_board import BoardLook
from vision.board import turn_lattice


def blank_face(side: int) -> BoardViewModel:
    """Return an empty board whose boxes are not known."""
    lattice = tuple(tuple((float(x), float(y)) for x in range(side + 1)) for y in range(side + 1))
    return BoardViewModel((CellView(),) * side**2, lattice, regions=(0,) * side**2)


class LargeBoard(NamedTuple):
    """A picture of a board, and the truth about it.

    Attributes:
        image: (H, H, 3) uint8 BGR.
        lattice: (n + 1, n + 1, 2) float32, the puzzle's top left first.
        clues: (n, n) uint8.
        solution: (n, n) uint8.
    """

    image: npt.NDArray[np.uint8]
    lattice: npt.NDArray[np.float32]
    clues: Grid
    solution: Grid


def print_large(
    side: int,
    alphabet: str,
    hidden: int | None = None,
    turn: int = 0,
    missing: float = 0.2,
    face: str = "LibreFranklin-Medium",
) -> LargeBoard:
    """Print a board whose cells are mostly given.

    Args:
        side: of the board.
        alphabet: as `training.pages.printed_board.KindLook` takes it.
        hidden: a value that no clue has.
        turn: quarter turns anticlockwise that the picture is turned by.
        missing: share of the cells that are empty.
        face: typeface.
    """
    rng = np.random.default_rng(side)
    shape = draw_shape("classic", side, rng)
    solution = draw_grid(shape, rng)
    is_given = rng.random((side, side)) >= missing
    if hidden is not None:
        is_given &= solution != hidden
    clues = np.where(is_given, solution, 0).astype(np.uint8)
    style = BoardStyle(thin_width=0.02, thick_width=0.06, border_width=0.06, margin=0.5)
    look = KindLook(BoardLook(style, face=face), region_width=0.06, alphabet=alphabet)
    printed = print_board(shape, clues, (), 30 * side, look)
    image, lattice = printed.image, printed.lattices[0]
    for _ in range(turn):
        # Anticlockwise, x becomes the distance from the lower edge.
        lattice = np.stack([lattice[..., 1], len(image) - 1 - lattice[..., 0]], axis=-1)
        image = np.ascontiguousarray(np.rot90(image))
    return LargeBoard(image, lattice.astype(np.float32), clues, solution)


def lie_otherwise(board: LargeBoard, turn: int) -> npt.NDArray[np.float32]:
    """Return the lattice of a board as a finder may see it, with another corner first."""
    return turn_lattice(board.lattice, turn)
