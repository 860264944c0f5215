"""Kind, regions and cages of a board, corrected by hand, as values that never change.

A board whose regions or cages do not fit yet has a *draft*, and no solution. Once they fit, it is
solved anew by the rules that they make.
"""

from collections.abc import Collection
from dataclasses import replace

from app.board.board_state import BoardState, Pending, PhotoState, swap_board, usual_rules
from app.board.rule_draft import NO_CAGE, RuleDraft, draft_of, find_draft_fault, rules_of_draft
from app.recognition.outcome import Outcome
from solver.rules import Kind, Rules, box_rules, jigsaw_rules


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
    side = held.side
    rules: Rules | None
    if kind is Kind.JIGSAW:
        rules = jigsaw_rules(usual_rules(side).regions)
    elif kind is Kind.KILLER:
        rules = replace(usual_rules(side), kind=kind)
    else:
        rules = None if kind is Kind.CLASSIC else box_rules(side, kind)
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
    held, draft = state.board, _draft(state)
    if held is None or draft is None or held.board.kind is not Kind.KILLER:
        return state
    begun = replace(draft, sums=(*draft.sums, 0)).give(cells, len(draft.sums))
    return _lay(state, begun)


def leave_cages(state: PhotoState, cells: Collection[int]) -> PhotoState:
    """Take cells of the chosen board, a killer, out of their cages."""
    held, draft = state.board, _draft(state)
    if held is None or draft is None or held.board.kind is not Kind.KILLER:
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
    if held.board.kind is not Kind.KILLER or held.board.rules is None:
        return None
    draft = held.draft or draft_of(held.board.rules)
    group = draft.groups[cell]
    return None if group == NO_CAGE else draft.sums[group]


def _draft(state: PhotoState) -> RuleDraft | None:
    """Return how the chosen board's regions or cages lie; None where nobody may move them."""
    held = state.board
    if held is None or not can_correct_rules(held):
        return None
    if held.board.kind not in (Kind.JIGSAW, Kind.KILLER) or held.board.rules is None:
        return None
    return held.draft or draft_of(held.board.rules)


def _lay(state: PhotoState, draft: RuleDraft) -> PhotoState:
    held = state.board
    assert held is not None  # it has a draft
    rules = held.board.rules
    assert rules is not None
    if draft == (held.draft or draft_of(rules)):
        return state
    if find_draft_fault(draft, rules) is None:
        return _solve_by(state, held, rules_of_draft(draft, rules))
    board = replace(held.board, outcome=Outcome.UNREADABLE, solution=None)
    return swap_board(
        state, held, replace(held, board=board, draft=draft, pending=None, is_kind_named=True)
    )


def _solve_by(state: PhotoState, held: BoardState, rules: Rules | None) -> PhotoState:
    board = replace(held.board, rules=rules, outcome=Outcome.AMBIGUOUS, solution=None)
    new = replace(held, board=board, draft=None, is_kind_named=True)
    return swap_board(state, held, replace(new, pending=Pending.SOLVE if new.has_puzzle else None))
