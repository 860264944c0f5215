"""What is known of a photo's boards and what a person did to them, as values that never change.

`app.board.board_edits` changes states, `app.board.timeline` walks over them. A corrected board is
*pending*: it has no solution until the pipeline has run on from there and `settle` brings what came
of it, so that a solution is never shown for other digits than those it was proved for. Regions or
cages that a person lays are a *draft* as long as no puzzle has them.

A board has n rows and columns; its cells are 0..n²-1 in reading order. On the paper of a samurai
some of these places are no cells, and stay empty.
"""

import enum
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from app.board.board_values import DIGIT_CHARS, EMPTY_PENCIL, Doubt, Pencil
from app.recognition.outcome import Outcome
from app.recognition.results import BoardResult, PhotoResult, show_likely_cages
from app.report.advice import UnsureCell, find_doubtful_sums, find_low_confidence_cells
from solver.grid import Grid
from solver.rules import (
    CLASSIC_RULES,
    Kind,
    Rules,
    admit_grid,
    box_rules,
    find_repeated,
    is_connected,
)
from vision.board import lattice_from_corners
from vision.geometry import Points

NO_CAGE: Final = -1


class DraftFaultKind(enum.Enum):
    """Why no puzzle has such regions or cages; the values stand in the page's words, too."""

    SIZE = "size"
    """A region has not as many cells as the board has rows."""

    PIECES = "pieces"
    """A region falls into pieces."""

    CAGE_SIZE = "cage_size"
    """A cage has more cells than there are digits."""

    NO_SUM = "no_sum"
    """A cage has no sum yet."""

    SUM = "sum"
    """No different digits have the sum of a cage."""


@dataclass(frozen=True)
class DraftFault:
    """What does not fit yet, in a region or cage, of cells ascending.

    `least` and `most` are the smallest and the largest sum that so many different digits have.
    """

    kind: DraftFaultKind
    cells: tuple[int, ...]
    least: int = 0
    most: int = 0


@dataclass(frozen=True)
class RuleDraft:
    """To which region or cage each cell belongs, by its number, `NO_CAGE` for none.

    `sums` has those of the cages, 0 where none is known; for regions it is empty.
    """

    groups: tuple[int, ...]
    sums: tuple[int, ...] = ()

    def cells_of(self, group: int) -> tuple[int, ...]:
        """Return the cells of a region or cage, ascending."""
        return tuple(cell for cell, one in enumerate(self.groups) if one == group)

    def give(self, cells: Collection[int], group: int) -> "RuleDraft":
        """Return the draft with cells in a region or cage, and in no other."""
        given = set(cells)
        groups = (group if cell in given else one for cell, one in enumerate(self.groups))
        return replace(self, groups=tuple(groups))


def draft_of(rules: Rules) -> RuleDraft:
    """Return the cages of a killer, else the regions, as a draft."""
    cages = rules.cages
    laid = [cage.cells for cage in cages] if rules.kind is Kind.KILLER else rules.regions
    return RuleDraft(number_places(laid, rules.width**2), tuple(cage.total for cage in cages))


def number_places(groups: Iterable[Sequence[int]], n_places: int) -> tuple[int, ...]:
    """Return the number of the group that each place lies in, `NO_CAGE` for none."""
    number_of = {cell: number for number, cells in enumerate(groups) for cell in cells}
    return tuple(number_of.get(place, NO_CAGE) for place in range(n_places))


def find_draft_fault(draft: RuleDraft, rules: Rules) -> DraftFault | None:
    """Return the first thing that does not fit, None where a puzzle may have such rules."""
    side = rules.side
    for group in sorted(set(draft.groups) - {NO_CAGE}):
        cells = draft.cells_of(group)
        if rules.kind is not Kind.KILLER:
            if len(cells) != side:
                return DraftFault(DraftFaultKind.SIZE, cells)
            if not is_connected(cells, side):
                return DraftFault(DraftFaultKind.PIECES, cells)
            continue
        count, total = len(cells), draft.sums[group]
        least, most = count * (count + 1) // 2, count * (2 * side + 1 - count) // 2
        if count > side:
            return DraftFault(DraftFaultKind.CAGE_SIZE, cells)
        if not total:
            return DraftFault(DraftFaultKind.NO_SUM, cells, least, most)
        if not least <= total <= most:
            return DraftFault(DraftFaultKind.SUM, cells, least, most)
    return None


class Pending(enum.Enum):
    """Where the pipeline has to run on from."""

    SOLVE = "solve"
    """The clues were changed."""

    READ = "read"
    """The corners were moved."""


@dataclass(frozen=True, eq=False)
class BoardState:
    """One board.

    Attributes:
        board: what came of it; while pending, only its clues, entries and lattice count.
        revealed: cells whose solution may be seen, once there is one.
        pending: what must be done before the board has an outcome again; None for nothing.
        is_typed: whether all of it was typed, so that what is set by hand is nothing special.
        is_given: whether the clues stand fast, as those of a new puzzle do, so that what is typed
            beside them is an entry.
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
        alphabet = self.board.alphabet
        return DIGIT_CHARS[: self.board.rules.side] if alphabet is None else alphabet.symbols

    @property
    def cells(self) -> Sequence[int]:
        """The places that are cells, ascending."""
        return self.board.rules.cells

    @property
    def is_classic(self) -> bool:
        """Whether it is a 9×9 by the usual rules, which alone ratings know."""
        return self.board.rules == CLASSIC_RULES

    @property
    def has_puzzle(self) -> bool:
        """Whether there is something to solve: clues, or cages with sums, by rules that fit."""
        return self.draft is None and bool(self.board.clues.any() or self.board.rules.cages)

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
            pencil=take_notes(board),
            revealed=cells_of(board.clues) if is_revealed else frozenset(),
        )
        for board in result.boards
    )
    return PhotoState(boards, 0 if boards else None)


def take_notes(board: BoardResult) -> Pencil:
    """Return the candidates that a photo shows as a person's own."""
    if board.candidates is None:
        return EMPTY_PENCIL
    noted = board.candidates.ravel().tolist()
    return Pencil(centre=(*noted, *EMPTY_PENCIL.centre[len(noted) :]))


def cells_of(grid: npt.NDArray[np.integer]) -> frozenset[int]:
    """Return all cells of a grid, (n, n)."""
    return frozenset(range(grid.size))


def begin_puzzle(
    clues: npt.NDArray[np.integer],
    entries: npt.NDArray[np.integer] | None = None,
    *,
    revealed: frozenset[int] = frozenset(),
    is_given: bool = False,
    pencil: Pencil = EMPTY_PENCIL,
    rules: Rules | None = None,
) -> PhotoState:
    """Return the first state of a puzzle without a photo, empty or as it was left some time ago.

    Args:
        clues: (n, n) integers 0..n.
        entries: likewise; what stands in the cell of a clue is left out.
        is_given: whether the clues stand fast, and what is typed are entries.
        rules: of the puzzle; None for those of its side with the usual boxes.

    Raises:
        ValueError: if the clues or the entries are no grid.
    """
    rules = rules or box_rules(len(clues))
    written = np.zeros(clues.shape, np.uint8) if entries is None else entries
    held = hold_board(None, clues, written, rules)
    return open_typed(replace(held, revealed=revealed, is_given=is_given, pencil=pencil))


def open_typed(held: BoardState) -> PhotoState:
    """Return the first state of a board without a photo."""
    pending = Pending.SOLVE if held.has_puzzle and held.draft is None else None
    return PhotoState((replace(held, pending=pending, is_typed=True),), 0)


def hold_board(
    lattice: Points | None,
    clues: npt.NDArray[np.integer],
    entries: npt.NDArray[np.integer],
    rules: Rules,
) -> BoardState:
    """Return a board of which nothing is known but its place and what stands on it.

    Args:
        lattice: (n + 1, n + 1, 2) float32, in pixels of the photo; None where there is none.
        entries: (n, n) integers 0..n, as clues; what stands in the cell of a clue is left out.

    Raises:
        ValueError: if the clues or the entries are no grid.
    """
    if lattice is None:
        side = len(clues)
        corners = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
        lattice = lattice_from_corners(corners, side)
    board = unread_board(lattice, admit_grid(rules, clues), rules)
    written = np.where(board.clues > 0, 0, admit_grid(rules, entries)).astype(np.uint8)
    return BoardState(replace(board, entries=written))


def find_doubts(held: BoardState, *, are_conflicts_wanted: bool = True) -> dict[int, Doubt]:
    """Return the cells that are worth a look, with the gravest reason each.

    What a person has set is not doubted, except where it breaks the rules. Of a board whose clues
    stand fast, no reading is doubted; its entries are held against the rules only on wish.
    """
    if held.draft is not None:
        fault = find_draft_fault(held.draft, held.board.rules)
        return {} if fault is None else dict.fromkeys(fault.cells, Doubt.UNSURE)
    if held.is_given:
        seen = held.shown if are_conflicts_wanted else held.board.clues
        return dict.fromkeys(_find_conflicts(held, seen), Doubt.CONFLICT)
    doubts: dict[int, Doubt] = {}
    is_read_alone = held.solution is not None and not held.by_hand
    if not is_read_alone:
        doubts |= {one.cell: Doubt.UNSURE for one in find_low_confidence_cells(held.board)}
    if held.solution is None:
        doubts |= dict.fromkeys(find_doubtful_sums(held.board), Doubt.UNSURE)
    doubts |= dict.fromkeys(held.board.corrected, Doubt.OVERRULED)
    doubts = {cell: doubt for cell, doubt in doubts.items() if cell not in held.by_hand}
    return doubts | dict.fromkeys(_find_conflicts(held, held.shown), Doubt.CONFLICT)


def _find_conflicts(held: BoardState, grid: Grid) -> list[int]:
    """Return the cells whose digit stands twice where the board's rules allow it once."""
    repeated = find_repeated(held.board.rules, grid)
    return [int(cell) for cell in np.flatnonzero(repeated)]


def find_questions(held: BoardState) -> tuple[UnsureCell, ...]:
    """Return the cells whose digit a person should settle, with what may stand there."""
    if held.is_given:
        return ()
    doubts = find_doubts(held)
    return tuple(
        one
        for one in find_low_confidence_cells(held.board)
        if doubts.get(one.cell) is Doubt.UNSURE
        or (held.solution is None and one.cell not in held.by_hand)
    )


def swap_board(state: PhotoState, held: BoardState, new: BoardState) -> PhotoState:
    """Put a board in the place of another one of the same photo."""
    boards = tuple(new if board is held else board for board in state.boards)
    return replace(state, boards=boards)


def unread_board(lattice: Points, clues: Grid, rules: Rules) -> BoardResult:
    """Return a board that is nowhere read, with clues (n, n) on a lattice (n + 1, n + 1, 2)."""
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
