"""From boards to what a session keeps of them, and back."""

import numpy as np

from app.board_state import (
    BoardState,
    PhotoState,
    hold_board,
    resume_photo,
    resume_puzzle,
)
from app.saved_session import SavedBoard, SavedDocument
from solver.grid import format_grid, parse_grid
from vision.board import lattice_from_corners


def save_board(held: BoardState) -> SavedBoard:
    """Return what is kept of a board: its digits, its place, and what a person did to it."""
    corners = [] if held.is_typed else held.board.corners.tolist()
    return SavedBoard(
        clues=format_grid(held.board.clues),
        entries=format_grid(held.board.entries),
        by_hand=tuple(sorted(held.by_hand)),
        revealed=tuple(sorted(held.revealed)),
        is_given=held.is_given,
        is_solved=held.solution is not None,
        corners=tuple((x, y) for x, y in corners),
    )


def resume_saved_puzzle(saved: SavedDocument) -> PhotoState:
    """Return the state of a puzzle without a photo as it was left."""
    (board,) = saved.boards
    return resume_puzzle(
        parse_grid(board.clues),
        parse_grid(board.entries),
        revealed=frozenset(board.revealed),
        by_hand=frozenset(board.by_hand),
        is_given=board.is_given,
    )


def resume_saved_photo(fresh: PhotoState, saved: SavedDocument) -> PhotoState:
    """Return the state of a photo that was read anew, with what was done to it before."""
    return resume_photo(fresh, [_hold(board) for board in saved.boards], saved.chosen)


def _hold(saved: SavedBoard) -> BoardState:
    lattice = lattice_from_corners(np.array(saved.corners, np.float32))
    return hold_board(
        lattice,
        parse_grid(saved.clues),
        parse_grid(saved.entries),
        by_hand=frozenset(saved.by_hand),
        revealed=frozenset(saved.revealed),
    )
