"""What is known of a photo's boards and what a person did to them, as values that never change.

Every function returns a new state; `app.board.timeline` walks over states. A corrected board is
*pending*: it has no solution until the line has run on from there and `settle` brings what came of
it, so that a solution is never shown for other digits than those it was proved for.

A board has n rows and columns; its cells are 0..n²-1 in reading order. On the paper of a samurai
some of these places are no cells, and stay empty.
"""

import enum
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from app.board.board_face import SIGNS, Doubt
from app.board.pencil import EMPTY_PENCIL, Pencil
from app.board.rule_draft import RuleDraft, find_draft_fault
from app.recognition.outcome import Outcome
from app.recognition.results import BoardResult, PhotoResult, show_likely_cages
from app.report.advice import UnsureCell, find_doubtful_sums, find_hazy
from solver.grid import Grid, find_conflicts
from solver.rules import Rules, admit_grid, box_rules, find_repeated
from vision.board import lattice_from_corners

Points = npt.NDArray[np.float32]

_CLASSIC_SIDE: Final = 9


class Pending(enum.Enum):
    """Where the line has to run on from."""

    SOLVE = "solve"
    """The clues were changed."""

    READ = "read"
    """The corners were moved."""


@dataclass(frozen=True, eq=False)
class BoardState:
    """One board.

    Attributes:
        board: what came of it; while pending, only its clues, entries and lattice count.
        by_hand: cells that a person set.
        revealed: cells whose solution may be seen, once there is one.
        pending: what must be done before the board has an outcome again; None for nothing.
        is_typed: whether all of it was typed, so that what is set by hand is nothing special.
        is_given: whether the clues stand fast, as those of a new puzzle do, so that what is typed
            beside them is an entry.
        pencil: what a person noted beside digits.
        is_kind_named: whether a person said of what kind the puzzle is, or where its regions or
            cages are.
        draft: regions or cages that a person began to lay and that do not fit yet; None for those
            of the board's rules.
    """

    board: BoardResult
    by_hand: frozenset[int] = frozenset()
    revealed: frozenset[int] = frozenset()
    pending: Pending | None = None
    is_typed: bool = False
    is_given: bool = False
    pencil: Pencil = EMPTY_PENCIL
    is_kind_named: bool = False
    draft: RuleDraft | None = None

    @property
    def side(self) -> int:
        """How many rows and columns it has, n."""
        return len(self.board.clues)

    @property
    def symbols(self) -> Sequence[str]:
        """What is written for each digit from 1: as its print has it, where that is known."""
        alphabet, rules = self.board.alphabet, self.board.rules
        n_digits = self.side if rules is None else rules.side
        return SIGNS[:n_digits] if alphabet is None else alphabet.symbols

    @property
    def cells(self) -> Sequence[int]:
        """The places that are cells, ascending."""
        rules = self.board.rules
        return range(self.board.clues.size) if rules is None else rules.cells

    @property
    def is_classic(self) -> bool:
        """Whether it is a 9×9 by the usual rules, which alone ratings know."""
        return self.board.rules is None and self.side == _CLASSIC_SIDE

    @property
    def rules(self) -> Rules | None:
        """Those of the puzzle; None for the usual ones of 9×9."""
        return None if self.is_classic else self.board.rules or usual_rules(self.side)

    @property
    def has_puzzle(self) -> bool:
        """Whether there is something to solve: clues, or cages with sums, by rules that fit."""
        if self.draft is not None:
            return False
        rules = self.board.rules
        return bool(self.board.clues.any()) or (rules is not None and bool(rules.cages))

    @property
    def is_open(self) -> bool:
        """Whether the whole solution may be seen."""
        return len(self.revealed) >= len(self.cells)

    @property
    def solution(self) -> Grid | None:
        """(n, n) uint8, verified for just these clues; None in every other case."""
        is_settled = self.pending is None and self.draft is None
        is_solved = is_settled and self.board.outcome is Outcome.SOLVED
        return self.board.solution if is_solved else None

    @property
    def digits(self) -> Grid:
        """(n, n) uint8, all that stands on the board: clues and entries."""
        board = self.board
        return np.where(board.entries > 0, board.entries, board.clues).astype(np.uint8)

    @property
    def shown(self) -> Grid:
        """(n, n) uint8, what a reader of the board sees: where it is revealed, the solution."""
        shown, solution = self.digits, self.solution
        if solution is not None:
            cells = list(self.revealed)
            shown.flat[cells] = solution.flat[cells]
        return shown

    @property
    def wrong_entries(self) -> tuple[int, ...]:
        """Cells, ascending, whose entry differs from the solution that is shown there."""
        is_wrong = (self.board.entries > 0) & (self.board.entries != self.shown)
        return tuple(np.flatnonzero(is_wrong).tolist())


@dataclass(frozen=True, eq=False)
class PhotoState:
    """The boards of a photo, best first, and which one is looked at; None where there is none."""

    boards: tuple[BoardState, ...] = ()
    chosen: int | None = None

    @property
    def board(self) -> BoardState | None:
        """The board that is looked at."""
        return None if self.chosen is None else self.boards[self.chosen]


def begin_photo(result: PhotoResult, *, is_revealed: bool) -> PhotoState:
    """Return the first state of a photo: its best board is looked at."""
    boards = tuple(
        BoardState(
            show_likely_cages(board),
            revealed=cells_of(board.clues) if is_revealed else frozenset(),
        )
        for board in result.boards
    )
    return PhotoState(boards, 0 if boards else None)


@lru_cache
def usual_rules(side: int) -> Rules:
    """Return the classic rules of a side, whose boxes are the usual ones.

    Raises:
        GridError: if no puzzle has this side.
    """
    return box_rules(side)


def cells_of(grid: npt.NDArray[np.integer]) -> frozenset[int]:
    """Return all cells of a grid, (n, n)."""
    return frozenset(range(grid.size))


def begin_puzzle(
    clues: npt.NDArray[np.integer],
    *,
    is_revealed: bool,
    is_given: bool = False,
    rules: Rules | None = None,
) -> PhotoState:
    """Return the first state of a puzzle without a photo, such as an empty board to type into.

    Args:
        clues: (n, n) integers 0..n.
        is_revealed: whether its solution is shown at once.
        is_given: whether the clues stand fast, and what is typed are entries.
        rules: of the puzzle; None for the classic ones.

    Raises:
        ValueError: if the clues are no grid.
    """
    revealed = cells_of(clues) if is_revealed else frozenset[int]()
    entries = np.zeros(clues.shape, np.uint8)
    return resume_puzzle(clues, entries, revealed=revealed, is_given=is_given, rules=rules)


def resume_puzzle(
    clues: npt.NDArray[np.integer],
    entries: npt.NDArray[np.integer],
    *,
    revealed: frozenset[int],
    by_hand: frozenset[int] = frozenset(),
    is_given: bool = False,
    pencil: Pencil = EMPTY_PENCIL,
    rules: Rules | None = None,
    is_kind_named: bool = False,
) -> PhotoState:
    """Return the first state of a puzzle without a photo, as it was left some time ago.

    Args:
        clues: (n, n) integers 0..n.
        entries: (n, n) integers 0..n; what stands in the cell of a clue is left out.
        revealed: cells whose solution may be seen.
        by_hand: cells that a person set.
        is_given: whether the clues stand fast.
        pencil: what was noted beside digits.
        rules: of the puzzle; None for the classic ones.
        is_kind_named: whether a person said so.

    Raises:
        ValueError: if the clues or the entries are no grid.
    """
    side = len(clues)
    corners = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
    lattice = lattice_from_corners(corners, side)
    held = hold_board(lattice, clues, entries, by_hand=by_hand, revealed=revealed, rules=rules)
    typed = replace(
        held,
        pending=Pending.SOLVE if held.has_puzzle else None,
        is_typed=True,
        is_given=is_given,
        pencil=pencil,
        is_kind_named=is_kind_named,
    )
    return PhotoState((typed,), 0)


def hold_board(
    lattice: Points,
    clues: npt.NDArray[np.integer],
    entries: npt.NDArray[np.integer],
    *,
    by_hand: frozenset[int],
    revealed: frozenset[int],
    rules: Rules | None = None,
) -> BoardState:
    """Return a board of which nothing is known but its place and what stands on it.

    Args:
        lattice: (n + 1, n + 1, 2) float32, in pixels of the photo.
        clues: (n, n) integers 0..n.
        entries: (n, n) integers 0..n; what stands in the cell of a clue is left out.
        by_hand: cells that a person set.
        revealed: cells whose solution may be seen.
        rules: of the puzzle; None for the classic ones.

    Raises:
        ValueError: if the clues or the entries are no grid.
    """

    known = rules or usual_rules(len(clues))
    board = _unread_board(lattice, admit_grid(known, clues), rules)
    written = np.where(board.clues > 0, 0, admit_grid(known, entries)).astype(np.uint8)
    return BoardState(replace(board, entries=written), by_hand, revealed)


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
    touched. Everything else is taken as printed, and the puzzle is solved anew. `set_kind`
    says otherwise. Where the clues are given they stay, and everything else is an entry.

    Returns:
        The same state where nothing changes.
    """
    held = state.board
    if held is None:
        return state
    if cell not in held.cells or digit > len(held.symbols):
        return state
    was = int(held.digits.flat[cell])
    if was == digit and (cell in held.by_hand or not _is_doubtful(held, cell)):
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
    """Lay the chosen board between other corners, to be read there; nothing set by hand stays.

    Args:
        state: where no board is chosen, one is added.
        corners: (4, 2) float, clockwise from any corner, in pixels of the photo.
    """
    held = state.board
    side = _CLASSIC_SIDE if held is None else held.side
    clues = np.zeros((side, side), np.uint8)
    # What the picture shows there is found out anew; until then the old rules are the likeliest.
    rules = None if held is None else held.board.rules
    board = _unread_board(lattice_from_corners(corners, side), clues, rules)
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
    return swap_board(state, held, replace(held, revealed=held.revealed | cells))


def reveal_board(state: PhotoState, number: int) -> PhotoState:
    """Let the whole solution of a board be seen, looked at or not, as far as there is one."""
    if not 0 <= number < len(state.boards):
        return state
    held = state.boards[number]
    return swap_board(state, held, replace(held, revealed=cells_of(held.board.clues)))


def hide(state: PhotoState) -> PhotoState:
    """Keep the solution of the chosen board back."""
    held = state.board
    if held is None or not held.revealed:
        return state
    return swap_board(state, held, replace(held, revealed=frozenset()))


def settle(state: PhotoState, held: BoardState, result: BoardResult) -> PhotoState:
    """Put in what the line made of a pending board.

    Args:
        state: may have changed since; then the same state is returned.
        held: the pending board that was sent down the line.
        result: what came of it. Of solved clues only the outcome is taken: what was read, and
            which cells the rules overruled, is still so.
    """
    if held.pending is None or all(board is not held for board in state.boards):
        return state
    if held.pending is Pending.SOLVE:
        old = held.board
        result = replace(
            result,
            lattice=old.lattice,
            entries=old.entries,
            confidence=old.confidence,
            corrected=old.corrected,
            reading=old.reading,
            quality=old.quality,
            kept_alphabet=old.kept_alphabet,
        )
    result = show_likely_cages(result)
    revealed = held.revealed
    if result.clues.size != held.board.clues.size:
        # What was read there has another side.
        revealed = cells_of(result.clues) if held.is_open else frozenset()
    return swap_board(state, held, replace(held, board=result, revealed=revealed, pending=None))


def find_doubts(held: BoardState, *, are_conflicts_wanted: bool = True) -> dict[int, Doubt]:
    """Return the cells that are worth a look, with the gravest reason each.

    What a person has set is not doubted, except where it breaks the rules. Of a board whose clues
    stand fast, no reading is doubted; its entries are held against the rules only on wish.
    """
    if held.draft is not None:
        fault = find_draft_fault(held.draft, held.board.rules or usual_rules(held.side))
        return {} if fault is None else dict.fromkeys(fault.cells, Doubt.UNSURE)
    if held.is_given:
        seen = held.shown if are_conflicts_wanted else held.board.clues
        return dict.fromkeys(_find_conflicts(held, seen), Doubt.CONFLICT)
    doubts: dict[int, Doubt] = {}
    is_by_line_alone = held.solution is not None and not held.by_hand
    if not is_by_line_alone:
        doubts |= {one.cell: Doubt.UNSURE for one in find_hazy(held.board)}
    if held.solution is None:
        doubts |= dict.fromkeys(find_doubtful_sums(held.board), Doubt.UNSURE)
    doubts |= dict.fromkeys(held.board.corrected, Doubt.OVERRULED)
    doubts = {cell: doubt for cell, doubt in doubts.items() if cell not in held.by_hand}
    return doubts | dict.fromkeys(_find_conflicts(held, held.shown), Doubt.CONFLICT)


def _find_conflicts(held: BoardState, grid: Grid) -> list[int]:
    """Return the cells whose digit stands twice where the board's rules allow it once."""
    if held.is_classic:
        repeated = find_conflicts(grid)
    else:
        repeated = find_repeated(held.board.rules or usual_rules(held.side), grid)
    return [int(cell) for cell in np.flatnonzero(repeated)]


def find_questions(held: BoardState) -> tuple[UnsureCell, ...]:
    """Return the cells whose digit a person should settle, with what may stand there."""
    if held.is_given:
        return ()
    doubts = find_doubts(held)
    return tuple(
        one
        for one in find_hazy(held.board)
        if doubts.get(one.cell) is Doubt.UNSURE
        or (held.solution is None and one.cell not in held.by_hand)
    )


def _is_doubtful(held: BoardState, cell: int) -> bool:
    return find_doubts(held).get(cell) in (Doubt.UNSURE, Doubt.OVERRULED)


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
        board, pending = _unread_board(board.lattice, clues, board.rules), None
        by_hand = frozenset()
    return swap_board(state, held, replace(held, board=board, by_hand=by_hand, pending=pending))


def swap_board(state: PhotoState, held: BoardState, new: BoardState) -> PhotoState:
    """Put a board in the place of another one of the same photo."""
    boards = tuple(new if board is held else board for board in state.boards)
    return replace(state, boards=boards)


def _unread_board(lattice: Points, clues: Grid, rules: Rules | None = None) -> BoardResult:
    return BoardResult(
        outcome=Outcome.AMBIGUOUS,
        lattice=lattice,
        clues=clues,
        entries=np.zeros(clues.shape, np.uint8),
        solution=None,
        confidence=1.0,
        corrected=(),
        solver=None,
        reading=None,
        rules=rules,
    )
