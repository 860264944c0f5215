"""What of a board is shown, cell by cell."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from app.board.board_state import (
    BoardState,
    begin_puzzle,
    draft_of,
    find_doubts,
    number_places,
)
from app.board.board_values import BoardFace, CellFace, digits_of
from solver.formats_kinds import KindPuzzle
from solver.rules import Kind


def face_of(
    held: BoardState, *, is_dark: bool = False, are_conflicts_wanted: bool = True
) -> BoardFace:
    """Return what the board shows; in play, entries that break the rules are marked on wish."""
    doubts = find_doubts(held, are_conflicts_wanted=are_conflicts_wanted)
    solution = held.solution
    clues, entries = held.board.clues.ravel().tolist(), held.board.entries.ravel().tolist()
    n_cells = held.board.clues.size
    solved = [0] * n_cells if solution is None else solution.ravel().tolist()
    reading, pencil = held.board.reading, held.pencil
    seen = [0] * n_cells if reading is None else reading.entries.ravel().tolist()
    noted = [0] * n_cells
    if held.board.candidates is not None:
        noted = held.board.candidates.ravel().tolist()
    cells = []
    rules = held.board.rules
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
            CellFace(
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
    lattice = tuple(tuple((x, y) for x, y in line) for line in held.board.lattice.tolist())
    return BoardFace(
        tuple(cells),
        lattice,
        is_solved=solution is not None,
        is_dark=is_dark,
        regions=regions,
        marked=frozenset(chain(*rules.added_units)),
        cages=laid.groups if laid.sums else (),
        symbols=held.symbols,
    )


def face_of_puzzle(puzzle: KindPuzzle, symbols: Sequence[str]) -> BoardFace:
    """Return what a board shows where only clues stand on it, as of a lesson."""
    held = begin_puzzle(puzzle.clues, rules=puzzle.rules).board
    assert held is not None
    return replace(face_of(held), symbols=symbols)
