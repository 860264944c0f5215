"""Boards in other forms: what one shows, cell by cell, and what a session keeps of it."""

import contextlib
import json
import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Final

import numpy as np

from app.board.board_state import (
    NO_CAGE,
    BoardState,
    Pending,
    PhotoState,
    RuleDraft,
    begin_puzzle,
    draft_of,
    find_doubts,
    hold_board,
    number_places,
    open_typed,
)
from app.board.board_values import BoardViewModel, CellView, PlayClock, digits_of, pencil_rows
from app.board.saved_session import SavedBoard, SavedDocument
from models.symbol_reader import Alphabet, list_alphabets
from solver.formats_kinds import (
    KindPuzzle,
    format_cells,
    format_kind_fields,
    parse_kind_puzzle,
    read_cells,
)
from solver.grid import GridError
from solver.rules import CLASSIC_RULES, Kind, Rules, box_rules
from vision.board import lattice_from_corners
from vision.geometry import Points

_MOST_MOVED: Final = 0.02
"""How far the corners of a board may lie from where it was before, of its width or height; a later
version may find them a little better."""


def face_of(
    held: BoardState, *, is_dark: bool = False, are_conflicts_wanted: bool = True
) -> BoardViewModel:
    """Return what the board shows; in play, entries that break the rules are marked on wish."""
    doubts = find_doubts(held, are_conflicts_wanted=are_conflicts_wanted)
    board, pencil, rules = held.board, held.pencil, held.board.rules
    read = None if board.reading is None else board.reading.entries
    n_cells = board.clues.size
    clues, entries, solved, seen, noted = (
        [0] * n_cells if grid is None else grid.ravel().tolist()
        for grid in (board.clues, board.entries, held.solution, read, board.candidates)
    )
    cells = []
    laid = held.draft or draft_of(rules)
    firsts = {group: cell for cell, group in reversed(list(enumerate(laid.groups)))}
    sums = {firsts[group]: total for group, total in enumerate(laid.sums) if group in firsts}
    has_cages = rules.kind is Kind.KILLER
    regions = number_places(rules.regions, n_cells) if has_cages else laid.groups
    for cell in range(n_cells):
        # What is rightly written needs no second digit.
        is_done = clues[cell] > 0 or entries[cell] == solved[cell]
        is_shown = cell in held.revealed and not is_done
        is_other = held.is_given and entries[cell] != seen[cell]
        is_alike = noted[cell] == pencil.centre[cell] and not pencil.corner[cell]
        is_changed = noted[cell] > 0 and not (is_alike and entries[cell] == 0)
        cells.append(
            CellView(
                clue=clues[cell],
                entry=entries[cell],
                solution=solved[cell] if is_shown else 0,
                doubt=doubts.get(cell),
                is_by_hand=cell in held.by_hand and not held.is_typed and not is_other,
                is_written=is_other and entries[cell] > 0,
                is_covered=not clues[cell]
                and ((is_other and seen[cell] > 0) or (held.is_given and is_changed)),
                is_noted=noted[cell] > 0 and not is_changed,
                corner=digits_of(pencil.corner[cell]),
                centre=digits_of(pencil.centre[cell]),
                colour=pencil.colour[cell],
                cage_sum=sums.get(cell, 0),
                is_cell=regions[cell] >= 0,
            )
        )
    lattice = tuple(tuple((x, y) for x, y in line) for line in board.lattice.tolist())
    return BoardViewModel(
        tuple(cells),
        lattice,
        is_solved=held.solution is not None,
        is_dark=is_dark,
        regions=regions,
        marked=frozenset(chain(*rules.added_units)),
        cages=laid.groups if laid.sums else (),
        symbols=held.symbols,
    )


def face_of_puzzle(puzzle: KindPuzzle, symbols: Sequence[str]) -> BoardViewModel:
    """Return what a board shows where only clues stand on it, as of a lesson."""
    held = begin_puzzle(puzzle.clues, rules=puzzle.rules).board
    assert held is not None
    return replace(face_of(held), symbols=symbols)


def save_board(held: BoardState) -> SavedBoard:
    """Return what is kept of a board: its digits, its place, and what a person did to it."""
    alphabet, rules = held.board.alphabet, held.board.rules
    corners = [] if held.is_typed else held.board.corners.tolist()
    return SavedBoard(
        clues=format_cells(rules, held.board.clues),
        entries=format_cells(rules, held.board.entries),
        by_hand=tuple(sorted(held.by_hand)),
        revealed=tuple(sorted(held.revealed)),
        is_given=held.is_given,
        is_solved=held.solution is not None,
        corners=tuple((x, y) for x, y in corners),
        pencil=pencil_rows(held.pencil),
        rules=_write_rules(rules),
        is_kind_named=held.is_kind_named,
        alphabet="" if alphabet is None else alphabet.name,
        groups=() if held.draft is None else held.draft.groups,
        sums=() if held.draft is None else held.draft.sums,
    )


def read_rules(saved: SavedBoard) -> Rules:
    """Return the rules that are kept of a board; the usual ones of its side where none are.

    Raises:
        GridError: if its side has none.
    """
    if saved.rules:
        with contextlib.suppress(GridError, ValueError, TypeError):
            told = json.dumps({**json.loads(saved.rules), "clues": saved.clues})
            return parse_kind_puzzle(told).rules
    return box_rules(math.isqrt(len(saved.clues)))


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
    return open_typed(hold_saved(board))


def resume_saved_photo(fresh: PhotoState, saved: SavedDocument) -> PhotoState:
    """Return the state of a photo that was read anew, with what was done to it before."""
    if not saved.boards:
        return fresh
    boards = tuple(_resume_board(hold_saved(board), fresh.boards) for board in saved.boards)
    return PhotoState(boards, saved.chosen)


def hold_saved(saved: SavedBoard) -> BoardState:
    """Return a board as it was left.

    Raises:
        ValueError: if its digits are none of its rules.
    """
    rules = read_rules(saved)
    clues, entries = (read_cells(text, rules) for text in (saved.clues, saved.entries))
    corners = np.array(saved.corners, np.float32)
    lattice = lattice_from_corners(corners, len(clues)) if saved.corners else None
    held = hold_board(lattice, clues, entries, rules)
    return replace(
        held,
        board=replace(held.board, kept_alphabet=_read_alphabet(saved)),
        by_hand=frozenset(saved.by_hand),
        revealed=frozenset(saved.revealed),
        is_given=saved.is_given,
        pencil=saved.notes,
        is_kind_named=saved.is_kind_named,
        draft=_read_draft(saved),
    )


def _read_draft(saved: SavedBoard) -> RuleDraft | None:
    draft, rules = RuleDraft(saved.groups, saved.sums), read_rules(saved)
    is_killer = rules.kind is Kind.KILLER
    count = len(draft.sums) if is_killer else math.isqrt(len(saved.clues))
    is_whole = len(draft.groups) == len(saved.clues) and max(draft.groups) < count
    return draft if is_whole and (is_killer or NO_CAGE not in draft.groups) else None


def _read_alphabet(saved: SavedBoard) -> Alphabet | None:
    if not saved.alphabet:
        return None
    try:
        known = list_alphabets(math.isqrt(len(saved.clues)))
    except ValueError:  # boards of this side print figures alone
        return None
    return next((one for one in known if one.name == saved.alphabet), None)


def _write_rules(rules: Rules) -> str:
    """Return rules as JSON without the clues, which tell where a samurai has cells.

    Those of classic puzzles of 9×9 are "".
    """
    if rules == CLASSIC_RULES:
        return ""
    fields = format_kind_fields(KindPuzzle(rules, np.zeros((rules.width,) * 2, np.uint8)))
    return json.dumps({name: value for name, value in fields.items() if name != "clues"})


def _is_near(before: Points, corners: Points) -> bool:
    return bool(np.abs(before - corners).max() <= _MOST_MOVED * np.ptp(corners, axis=0).max())


def _resume_board(left: BoardState, fresh: Sequence[BoardState]) -> BoardState:
    """Return a board as it was left, with what was read of it now where it lies there still."""
    for held in fresh:
        if left.side != held.side or not _is_near(left.board.corners, held.board.corners):
            continue
        # What was kept before notes were read has none.
        pencil = held.pencil if left.pencil.is_empty else left.pencil
        if not (left.by_hand or left.is_given or left.is_kind_named):
            return replace(held, revealed=left.revealed, pencil=pencil)
        clues, entries = left.board.clues, left.board.entries
        rules = left.board.rules if left.is_kind_named else held.board.rules
        is_same = np.array_equal(clues, held.board.clues) and rules == held.board.rules
        # What was set by hand has the meaning that it had then.
        kept = left.board.kept_alphabet
        board = replace(held.board, clues=clues, entries=entries, rules=rules, kept_alphabet=kept)
        if left.draft is not None:
            unsolved = replace(board, outcome=left.board.outcome, solution=None)
            return replace(left, board=unsolved, pencil=pencil)
        pending = None if is_same else Pending.SOLVE
        return replace(left, board=board, pending=pending, pencil=pencil)
    if left.draft is not None:
        return left
    # It was placed by hand.
    is_known = bool(left.by_hand) or left.is_given or left.is_kind_named
    pending = Pending.SOLVE if is_known and left.has_puzzle else Pending.READ
    return replace(left, pending=pending)
