"""What a person does to a board, as values that never change.

Digits, corners, kind, regions and cages are corrected, and strokes of play made. A board whose
regions or cages do not fit yet has a *draft*, and no solution. Once they fit, it is solved anew by
the rules that they make.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from app.board.board_state import (
    NO_CAGE,
    BoardState,
    Pending,
    PhotoState,
    RuleDraft,
    cells_of,
    draft_of,
    find_doubts,
    find_draft_fault,
    swap_board,
    unread_board,
)
from app.board.board_values import (
    Doubt,
    EntryMode,
    erase_notes,
    has_notes,
    strike_digit,
    toggle_note,
)
from app.recognition.outcome import Outcome
from solver.grid import Grid
from solver.rules import CLASSIC_RULES, Cage, Kind, Rules, box_rules, jigsaw_rules
from vision.board import lattice_from_corners
from vision.geometry import Points


def choose_board(state: PhotoState, chosen: int) -> PhotoState:
    """Look at another board.

    Raises:
        IndexError: if there is no such board.
    """
    if not 0 <= chosen < len(state.boards):
        raise IndexError(f"there are {len(state.boards)} boards, none is number {chosen}")
    return state if chosen == state.chosen else replace(state, chosen=chosen)


def choose_none(state: PhotoState) -> PhotoState:
    """Look at no board, so that `move_corners` places another one."""
    return state if state.chosen is None else replace(state, chosen=None)


def set_digit(state: PhotoState, cell: int, digit: int) -> PhotoState:
    """Say what stands in a cell of the chosen board; 0 says that it is empty.

    What was read as written by hand stays an entry and is corrected as one, so the solution is not
    touched. Everything else is taken as printed, and the puzzle is solved anew. `set_kind` says
    otherwise. Where the clues are given they stay, and everything else is an entry.
    """
    held = state.board
    if held is None or cell not in held.cells or digit > len(held.symbols):
        return state
    if int(held.digits.flat[cell]) == digit:
        is_doubtful = find_doubts(held).get(cell) in (Doubt.UNSURE, Doubt.OVERRULED)
        if cell in held.by_hand or not is_doubtful:
            return state
    clues, entries = held.board.clues.copy(), held.board.entries.copy()
    if held.is_given and clues.flat[cell]:
        return state
    if entries.flat[cell] or held.is_given:
        entries.flat[cell] = digit
        pending = held.pending
    else:
        clues.flat[cell] = digit
        pending = held.pending or Pending.SOLVE
    return _with_digits(state, held, cell, clues, entries, pending)


def set_kind(state: PhotoState, cell: int, *, is_printed: bool) -> PhotoState:
    """Say whether a digit of the chosen board is printed, a clue, or written, an entry."""
    held = state.board
    if held is None:
        return state
    clues, entries = held.board.clues.copy(), held.board.entries.copy()
    source, target = (entries, clues) if is_printed else (clues, entries)
    if not source.flat[cell]:
        return state
    target.flat[cell], source.flat[cell] = source.flat[cell], 0
    return _with_digits(state, held, cell, clues, entries, held.pending or Pending.SOLVE)


def move_corners(state: PhotoState, corners: Points) -> PhotoState:
    """Lay the chosen board, or a new one, between other corners, to be read there.

    Nothing set by hand stays. Corners are (4, 2) float, clockwise, in pixels of the photo.
    """
    held = state.board
    # What the picture shows there is found out anew; until then the old rules are the likeliest.
    side, rules = 9, CLASSIC_RULES
    if held is not None and held.board.is_told:
        side, rules = held.side, held.board.rules
    clues = np.zeros((side, side), np.uint8)
    board = unread_board(lattice_from_corners(corners, side), clues, rules)
    revealed = cells_of(clues) if held is None else held.revealed
    placed = BoardState(board, revealed=revealed, pending=Pending.READ)
    if held is None:
        return PhotoState((*state.boards, placed), len(state.boards))
    return swap_board(state, held, placed)


def reveal(state: PhotoState, cells: frozenset[int]) -> PhotoState:
    """Let the solution of some cells of the chosen board be seen."""
    held = state.board
    if held is None or cells <= held.revealed:
        return state
    return _edit(state, held, revealed=held.revealed | cells)


def reveal_board(state: PhotoState, number: int) -> PhotoState:
    """Let the whole solution of a board be seen, looked at or not, as far as there is one."""
    if not 0 <= number < len(state.boards):
        return state
    held = state.boards[number]
    return _edit(state, held, revealed=cells_of(held.board.clues))


def hide(state: PhotoState) -> PhotoState:
    """Keep the solution of the chosen board back."""
    held = state.board
    if held is None or not held.revealed:
        return state
    return _edit(state, held, revealed=frozenset())


def _with_digits(
    state: PhotoState,
    held: BoardState,
    cell: int,
    clues: Grid,
    entries: Grid,
    pending: Pending | None,
) -> PhotoState:
    board = replace(held.board, clues=clues, entries=entries)
    by_hand = held.by_hand | {cell}
    if held.draft is not None:
        pending = None  # there are no rules to solve by
    is_empty = not replace(held, board=board).has_puzzle
    if pending is Pending.SOLVE and is_empty and board.reading is None:
        board, pending = unread_board(board.lattice, clues, board.rules), None
        by_hand = frozenset()
    return _edit(state, held, board=board, by_hand=by_hand, pending=pending)


def _edit(state: PhotoState, held: BoardState, **changes: Any) -> PhotoState:
    return swap_board(state, held, replace(held, **changes))


def can_correct_rules(held: BoardState | None) -> bool:
    """Tell whether kind, regions and cages of a board can be corrected.

    Not while it is played or read, and not those of a samurai, whose grids are as they lie.
    """
    if held is None or held.is_given or held.pending is Pending.READ:
        return False
    return held.board.kind is not Kind.SAMURAI


def list_kinds(side: int) -> tuple[Kind, ...]:
    """Return the kinds that a board of a side may be of."""
    kinds = [Kind.CLASSIC, Kind.JIGSAW, Kind.DIAGONAL, Kind.KILLER]
    return tuple([*kinds, Kind.WINDOKU] if side in (9, 16, 25) else kinds)


def name_kind(state: PhotoState, kind: Kind) -> PhotoState:
    """Say of what kind the chosen board is, and have it solved anew by the rules of that.

    A jigsaw begins with the boxes for regions, and a killer without cages.

    Raises:
        GridError: for a kind that the board's side has not.
    """
    held = state.board
    if held is None or kind is held.board.kind or not can_correct_rules(held):
        return state
    if kind is Kind.JIGSAW:
        rules = jigsaw_rules(box_rules(held.side).regions)
    elif kind is Kind.KILLER:
        rules = replace(box_rules(held.side), kind=kind)
    else:
        rules = box_rules(held.side, kind)
    return _solve_by(state, held, rules)


def join_cells(state: PhotoState, first: int, cells: Collection[int]) -> PhotoState:
    """Put cells of the chosen board into the region or cage of a first one.

    A first cell in no cage begins one, whose sum is not known yet.
    """
    draft = _draft(state)
    if draft is None:
        return state
    group = draft.groups[first]
    if group == NO_CAGE:
        return begin_cage(state, {*cells, first})
    return _lay(state, draft.give(cells, group))


def begin_cage(state: PhotoState, cells: Collection[int]) -> PhotoState:
    """Let cells of the chosen board, a killer, be a cage of their own, whose sum is not known."""
    draft = _draft(state, Kind.KILLER)
    if draft is None:
        return state
    begun = replace(draft, sums=(*draft.sums, 0)).give(cells, len(draft.sums))
    return _lay(state, begun)


def leave_cages(state: PhotoState, cells: Collection[int]) -> PhotoState:
    """Take cells of the chosen board, a killer, out of their cages."""
    draft = _draft(state, Kind.KILLER)
    if draft is None:
        return state
    return _lay(state, draft.give(cells, NO_CAGE))


def set_sum(state: PhotoState, cell: int, total: int) -> PhotoState:
    """Say which sum the cage of a cell has."""
    draft = _draft(state)
    if draft is None or not draft.sums or draft.groups[cell] == NO_CAGE:
        return state
    sums = list(draft.sums)
    sums[draft.groups[cell]] = total
    return _lay(state, replace(draft, sums=tuple(sums)))


def sum_at(held: BoardState, cell: int) -> int | None:
    """Return the sum of the cage that a cell lies in, 0 where it is not known; None for no cage."""
    if held.board.kind is not Kind.KILLER:
        return None
    draft = held.draft or draft_of(held.board.rules)
    group = draft.groups[cell]
    return None if group == NO_CAGE else draft.sums[group]


def _draft(state: PhotoState, *kinds: Kind) -> RuleDraft | None:
    """Return how the chosen board's regions or cages lie; None where nobody may move them."""
    held = state.board
    if held is None or not can_correct_rules(held):
        return None
    if held.board.kind not in (kinds or (Kind.JIGSAW, Kind.KILLER)):
        return None
    return held.draft or draft_of(held.board.rules)


def _lay(state: PhotoState, draft: RuleDraft) -> PhotoState:
    held = state.board
    if held is None or draft == _draft(state):
        return state
    if find_draft_fault(draft, held.board.rules) is None:
        return _solve_by(state, held, _rules_of_draft(draft, held.board.rules))
    board = replace(held.board, outcome=Outcome.UNREADABLE, solution=None)
    return _edit(state, held, board=board, draft=draft, pending=None, is_kind_named=True)


def _solve_by(state: PhotoState, held: BoardState, rules: Rules) -> PhotoState:
    board = replace(held.board, rules=rules, outcome=Outcome.AMBIGUOUS, solution=None)
    new = replace(held, board=board, draft=None, is_kind_named=True)
    return swap_board(state, held, replace(new, pending=Pending.SOLVE if new.has_puzzle else None))


def _rules_of_draft(draft: RuleDraft, rules: Rules) -> Rules:
    """Return the rules that a draft without fault makes of those that the board had before."""
    groups = sorted(set(draft.groups) - {NO_CAGE})
    laid = [draft.cells_of(group) for group in groups]
    if rules.kind is not Kind.KILLER:
        return jigsaw_rules(laid)
    sums = [draft.sums[group] for group in groups]
    cages = sorted((Cage(*one) for one in zip(sums, laid, strict=True)), key=lambda one: one.cells)
    return replace(rules, cages=tuple(cages))


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
    return _edit(state, held, is_given=True, revealed=frozenset())


def end_play(state: PhotoState) -> PhotoState:
    """Let the clues of the chosen board be corrected again; entries and notes stay."""
    held = state.board
    if held is None or not held.is_given:
        return state
    return _edit(state, held, is_given=False)


def is_played(held: BoardState) -> bool:
    """Tell whether a person is at a board, whose solution is kept back therefore."""
    return held.is_given and not held.is_open


def make_stroke(
    state: PhotoState, cells: Collection[int], mode: EntryMode, digit: int
) -> PhotoState:
    """Write a digit 1..n, a note of one, or a colour into cells of the board that is being played.

    Clues stay. Notes that all cells have are taken away, and notes of digits are only put where no
    digit stands. A digit that is written takes its notes out of the cells that see it.
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
    return _edit(state, held, pencil=toggle_note(held.pencil, cells, mode, digit))


def note_centres(state: PhotoState, notes: Sequence[int]) -> PhotoState:
    """Note digits in the middle of the chosen board's cells, a sum of 2**digit for each."""
    held = state.board
    if held is None:
        return state
    centre = (*notes, *held.pencil.centre[len(notes) :])
    return _edit(state, held, pencil=replace(held.pencil, centre=centre))


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
            return _edit(state, held, pencil=erase_notes(held.pencil, cells, one))
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
    seeing = {other for cell in written.tolist() for other in rules.peers[cell]}
    for cage in rules.cages:
        inside = set(cage.cells)
        for cell in inside.intersection(written.tolist()):
            seeing |= inside - {cell}
    return _edit(new, held, pencil=strike_digit(held.pencil, seeing, digit))
