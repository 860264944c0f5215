"""A board that a person solves: strokes of play, as values that never change."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from app.board.board_state import BoardState, PhotoState, swap_board, usual_rules
from app.board.corrections import set_digit
from app.board.play_values import EntryMode, erase_notes, has_notes, strike_digit, toggle_note

_ERASED_NEXT: Final = (EntryMode.DIGIT, EntryMode.CENTRE, EntryMode.CORNER, EntryMode.COLOUR)
"""What erasing takes away, one after the other, where the mode itself wrote nothing."""


def begin_play(state: PhotoState) -> PhotoState:
    """Let the chosen board be solved by a person.

    Its clues stand fast from now on, its solution is kept back, and what is written by hand on a
    photo are the first entries.
    """
    held = state.board
    if held is None or is_played(held) or not held.has_puzzle:
        return state
    return swap_board(state, held, replace(held, is_given=True, revealed=frozenset()))


def end_play(state: PhotoState) -> PhotoState:
    """Let the clues of the chosen board be corrected again; entries and notes stay."""
    held = state.board
    if held is None or not held.is_given:
        return state
    return swap_board(state, held, replace(held, is_given=False))


def is_played(held: BoardState) -> bool:
    """Tell whether a person is at a board, whose solution is kept back therefore."""
    return held.is_given and not held.is_open


def make_stroke(
    state: PhotoState, cells: Collection[int], mode: EntryMode, digit: int
) -> PhotoState:
    """Write a digit or a note into cells of the chosen board, which is being played.

    Args:
        state: of the photo.
        cells: of the board; clues among them stay.
        mode: what the digit means. Notes that all cells have are taken away, and notes of digits
            are only put where no digit stands. A digit that is written takes its notes out of the
            cells that see it.
        digit: 1..n, or the number of a colour.

    Returns:
        The same state where nothing changes.
    """
    held = state.board
    if held is None or not held.is_given:
        return state
    if mode is EntryMode.DIGIT:
        return _strike_notes(state, _set_digits(state, cells, digit), digit)
    cells = set(held.cells).intersection(cells)
    if mode is not EntryMode.COLOUR:
        digits = held.digits
        cells = [cell for cell in cells if not digits.flat[cell]]
    if not cells:
        return state
    return swap_board(
        state, held, replace(held, pencil=toggle_note(held.pencil, cells, mode, digit))
    )


def note_centres(state: PhotoState, notes: Sequence[int]) -> PhotoState:
    """Note digits in the middle of the chosen board's cells, a sum of 2**digit for each."""
    held = state.board
    if held is None:
        return state
    centre = (*notes, *held.pencil.centre[len(notes) :])
    return swap_board(state, held, replace(held, pencil=replace(held.pencil, centre=centre)))


def erase(state: PhotoState, cells: Collection[int], mode: EntryMode) -> PhotoState:
    """Take away what the mode wrote in cells, or where that is nothing, what another one did."""
    held = state.board
    if held is None or not held.is_given:
        return state
    for one in (mode, *_ERASED_NEXT):
        if one is EntryMode.DIGIT:
            if any(held.board.entries.flat[cell] for cell in cells):
                return _set_digits(state, cells, 0)
        elif has_notes(held.pencil, cells, one):
            return swap_board(
                state, held, replace(held, pencil=erase_notes(held.pencil, cells, one))
            )
    return state


def is_finished(held: BoardState) -> bool:
    """Tell whether a person solved a board, with single cells revealed at most."""
    solution = held.solution
    if solution is None or not is_played(held):
        return False
    return not held.wrong_entries and bool(np.array_equal(held.shown, solution))


def _set_digits(state: PhotoState, cells: Collection[int], digit: int) -> PhotoState:
    for cell in cells:
        state = set_digit(state, cell, digit)
    return state


def _strike_notes(old: PhotoState, new: PhotoState, digit: int) -> PhotoState:
    """Take a digit's notes out of the cells that see where it was newly written."""
    if new is old or old.board is None or new.board is None:
        return new
    held = new.board
    written = np.flatnonzero(held.board.entries.ravel() != old.board.board.entries.ravel())
    rules = held.board.rules
    near = (rules or usual_rules(held.side)).peers
    seeing = {other for cell in written.tolist() for other in near[cell]}
    for cage in () if rules is None else rules.cages:
        inside = set(cage.cells)
        for cell in inside.intersection(written.tolist()):
            seeing |= inside - {cell}
    return swap_board(new, held, replace(held, pencil=strike_digit(held.pencil, seeing, digit)))
