"""How the values of a board are written, and what is marked on it; free of Qt and of pictures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:  # the window is drawn before NumPy is loaded
    from app.recognition.results import BoardResult
    from solver.grid import Grid


class Mark(Enum):
    """How a cell is tinted; one that is looked at first stands over those that explain it."""

    UNIT = auto()
    """Lies in the row, column or box to look at."""
    PATTERN = auto()
    """Is one of the cells that make the pattern."""
    TARGET = auto()
    """Is where something happens: a digit is put or struck, or is asked for."""
    GOOD = auto()
    """Holds the right digit."""
    BAD = auto()
    """Holds a wrong digit, or one that another contradicts."""
    UNSURE = auto()
    """May have been misread."""


class NoteKind(Enum):
    """How a small digit is drawn."""

    CANDIDATE = auto()
    """Still possible; nothing more."""
    REASON = auto()
    """Still possible, and part of why a step holds."""
    REMOVED = auto()
    """Struck by the step."""
    PLACED = auto()
    """The one that the step puts."""


@dataclass(frozen=True)
class Note:
    """A small digit 1..n at its place in a cell, in reading order."""

    cell: int
    digit: int
    kind: NoteKind = NoteKind.CANDIDATE


@dataclass(frozen=True)
class Highlight:
    """What is marked on a board.

    Attributes:
        marks: cell 0..80 to its tint; cells that are not named have none.
        notes: small digits, ordered by cell and digit; never two for the same place, and none in
            a cell of `digits`.
        digits: cell 0..80 to a digit 1..9 that is written large where the board itself shows
            none: what a step puts, or how far a walk has come.
    """

    marks: Mapping[int, Mark] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    digits: Mapping[int, int] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is marked."""
        return not self.marks and not self.notes and not self.digits


def changed_marks(old: Highlight, new: Highlight) -> tuple[int, ...]:
    """Return the cells that are marked otherwise now, ascending."""
    known, wanted = (
        {(note.cell, note.digit): note.kind for note in shown.notes} for shown in (old, new)
    )
    cells = {cell for cell, _ in known.keys() ^ wanted.keys()}
    cells |= {
        cell
        for cell, digit in known.keys() & wanted
        if known[cell, digit] is not wanted[cell, digit]
    }
    for before, now in ((old.marks, new.marks), (old.digits, new.digits)):
        cells |= {cell for cell in {*before, *now} if before.get(cell) != now.get(cell)}
    return tuple(sorted(cells))


def lay_over(below: Highlight, above: Highlight) -> Highlight:
    """Return both highlights as one, in which the upper hides the lower where they meet."""
    digits = {**below.digits, **above.digits}
    notes = {(note.cell, note.digit): note for note in (*below.notes, *above.notes)}
    shown = tuple(notes[place] for place in sorted(notes) if place[0] not in digits)
    return Highlight({**below.marks, **above.marks}, shown, digits)


_USUAL_SIDE: Final = 9

NUMBERS: Final = tuple(map(str, range(1, 26)))
"""Of boards that print numbers."""


def symbols_of(board: "BoardResult") -> tuple[str, ...]:
    """Return what stands for each value of a board, from 1 on.

    A board whose print is not known, such as one given by hand, has numbers.
    """
    if board.alphabet is not None:
        return board.alphabet.symbols
    return NUMBERS[: board.rules.side]


def list_symbols(board: "BoardResult") -> list[str] | None:
    """Return what is printed for each value, or None where that is 1 to 9 and no more."""
    symbols = symbols_of(board)
    return list(symbols) if len(symbols) > _USUAL_SIDE else None


def find_struck(notes: Sequence[int], standing: "Grid", solution: "Grid") -> tuple[int, ...]:
    """Return the empty cells, ascending, whose noted candidates lack the right digit.

    Args:
        notes: for each cell the digits that are noted, as a sum of 2**digit; 0 for none, and for
            cells that are left out.
        standing: (n, n) uint8, clues and entries, 0 = empty.
        solution: (n, n) uint8.
    """
    cells = zip(notes, standing.ravel().tolist(), solution.ravel().tolist(), strict=False)
    return tuple(
        cell
        for cell, (noted, digit, right) in enumerate(cells)
        if noted and not digit and not noted >> right & 1
    )
