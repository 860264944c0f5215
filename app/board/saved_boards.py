"""From boards to what a session keeps of them, and back."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from app.board.board_state import (
    BoardState,
    Pending,
    PhotoState,
    hold_board,
    resume_puzzle,
)
from app.board.pencil import pencil_from_rows, pencil_rows
from app.board.play_clock import PlayClock
from app.board.saved_session import SavedBoard, SavedDocument
from solver.grid import format_grid, parse_grid
from vision.board import lattice_from_corners

_MOST_MOVED: Final = 0.02
"""How far the corners of a board may lie from where it was before, of its width or height; a later
version may find them a little better."""


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
        pencil=pencil_rows(held.pencil),
    )


def resume_clocks(saved: SavedDocument) -> dict[int, PlayClock]:
    """Return the clocks of the boards that were played, by their numbers."""
    return {
        number: PlayClock(board.seconds, has_begun=True, is_paused=board.is_paused)
        for number, board in enumerate(saved.boards)
        if board.seconds > 0
    }


def resume_saved_puzzle(saved: SavedDocument) -> PhotoState:
    """Return the state of a puzzle without a photo as it was left."""
    (board,) = saved.boards
    return resume_puzzle(
        parse_grid(board.clues),
        parse_grid(board.entries),
        revealed=frozenset(board.revealed),
        by_hand=frozenset(board.by_hand),
        is_given=board.is_given,
        pencil=pencil_from_rows(board.pencil),
    )


def resume_saved_photo(fresh: PhotoState, saved: SavedDocument) -> PhotoState:
    """Return the state of a photo that was read anew, with what was done to it before.

    Args:
        fresh: what the line made of the photo now.
        saved: as it was left; where it had no boards, the photo stays as it is read now.
    """
    if not saved.boards:
        return fresh
    boards = tuple(_resume_board(_hold(board), fresh.boards) for board in saved.boards)
    return PhotoState(boards, saved.chosen)


def _hold(saved: SavedBoard) -> BoardState:
    lattice = lattice_from_corners(np.array(saved.corners, np.float32))
    held = hold_board(
        lattice,
        parse_grid(saved.clues),
        parse_grid(saved.entries),
        by_hand=frozenset(saved.by_hand),
        revealed=frozenset(saved.revealed),
    )
    return replace(held, is_given=saved.is_given, pencil=pencil_from_rows(saved.pencil))


def _resume_board(left: BoardState, fresh: Sequence[BoardState]) -> BoardState:
    """Return a board as it was left, with what was read of it now where it lies there still."""
    for held in fresh:
        reach = np.abs(left.board.corners - held.board.corners).max()
        if reach > _MOST_MOVED * np.ptp(held.board.corners):
            continue
        if not left.by_hand and not left.is_given:
            return replace(held, revealed=left.revealed, pencil=left.pencil)
        is_same = np.array_equal(left.board.clues, held.board.clues)
        board = replace(held.board, clues=left.board.clues, entries=left.board.entries)
        return replace(left, board=board, pending=None if is_same else Pending.SOLVE)
    # It was placed by hand.
    is_known = bool(left.by_hand) or left.is_given
    pending = Pending.SOLVE if is_known and left.board.clues.any() else Pending.READ
    return replace(left, pending=pending)
