"""What a board shows, cell by cell, as the window draws it: plain values, no arrays, no Qt.

It is apart from `board_state`, so that the window can be drawn before anything heavy is loaded.
"""

import enum
from collections.abc import Sequence
from dataclasses import dataclass

Point = tuple[float, float]
"""x and y in pixels of the upright photo, pixel centres at integers."""


class Doubt(enum.Enum):
    """Why a cell is worth a look."""

    UNSURE = "unsure"
    """It was not read for sure."""

    OVERRULED = "overruled"
    """The rules overruled what was most likely read."""

    CONFLICT = "conflict"
    """Its digit stands a second time in one of its units."""


@dataclass(frozen=True)
class CellFace:
    """What one cell shows; digits are 0 where there is none.

    Attributes:
        clue: what is printed, or was set by hand.
        entry: what someone wrote, where it does not count as a clue.
        solution: the verified digit, where it is revealed and is not written rightly already.
        doubt: the gravest reason to look at it.
        is_by_hand: whether clue or entry was set in the window.
        is_written: whether the entry was written in play, so that no photo shows it.
        is_covered: whether what a photo shows there was changed in play, and counts no more.
        corner: digits that are noted in the corners, ascending.
        centre: digits that are noted in the middle, ascending.
        colour: its number 1..9, or 0.
        cage_sum: of the cage that begins in this cell, or 0.
        is_cell: whether it is one; the paper of a samurai has places that are none.
    """

    clue: int = 0
    entry: int = 0
    solution: int = 0
    doubt: Doubt | None = None
    is_by_hand: bool = False
    is_written: bool = False
    is_covered: bool = False
    corner: tuple[int, ...] = ()
    centre: tuple[int, ...] = ()
    colour: int = 0
    cage_sum: int = 0
    is_cell: bool = True

    @property
    def is_wrong(self) -> bool:
        """Whether the entry differs from the solution, which stands in its place."""
        return self.entry > 0 and self.solution > 0


SIGNS = "123456789ABCDEFGHIJKLMNOP"
"""What is written for each digit, from 1, where no print tells otherwise: those of `solver.signs`,
which would load NumPy."""


BOXES = tuple(cell // 27 * 3 + cell % 9 // 3 for cell in range(81))
"""The box of each cell of a board of 9×9."""


@dataclass(frozen=True)
class BoardFace:
    """What a board shows.

    Attributes:
        cells: n² of them, in reading order.
        lattice: n + 1 lines of n + 1 crossings, the puzzle's own top left first.
        is_solved: whether its verified solution is known.
        is_dark: whether its paper is dark, as on a screen in dark mode.
        regions: number of the box or region of each cell, -1 for none.
        marked: cells of diagonals and windows, which a clean board tints.
        cages: number of the cage of each cell of a killer, -1 for none; nothing for other kinds.
        symbols: what is written for each digit, from 1: as many as there are, or more.
    """

    cells: tuple[CellFace, ...]
    lattice: tuple[tuple[Point, ...], ...]
    is_solved: bool = False
    is_dark: bool = False
    regions: tuple[int, ...] = BOXES
    marked: frozenset[int] = frozenset()
    cages: tuple[int, ...] = ()
    symbols: Sequence[str] = SIGNS

    @property
    def side(self) -> int:
        """How many rows and columns there are, n."""
        return len(self.lattice) - 1

    def quad(self, cell: int) -> tuple[Point, Point, Point, Point]:
        """Return a cell's corners, clockwise from its top left."""
        row, column = divmod(cell, self.side)
        upper, lower = self.lattice[row], self.lattice[row + 1]
        return upper[column], upper[column + 1], lower[column + 1], lower[column]

    @property
    def has_gaps(self) -> bool:
        """Whether some places are no cells."""
        return -1 in self.regions

    @property
    def corners(self) -> tuple[Point, Point, Point, Point]:
        """The board's corners, clockwise from the puzzle's own top left."""
        first, last = self.lattice[0], self.lattice[-1]
        return first[0], first[-1], last[-1], last[0]


def changed_cells(old: BoardFace | None, new: BoardFace | None) -> tuple[int, ...] | None:
    """Return the cells that look different now; None where all of the board may."""
    if old is None or new is None or old.lattice != new.lattice:
        return None
    if (old.is_solved, old.is_dark) != (new.is_solved, new.is_dark):
        return None
    if (old.regions, old.marked, old.cages) != (new.regions, new.marked, new.cages):
        return None
    if old.symbols != new.symbols:
        return None
    pairs = zip(old.cells, new.cells, strict=True)
    return tuple(cell for cell, (before, now) in enumerate(pairs) if before != now)


BLANK_LATTICE = tuple(tuple((float(x), float(y)) for x in range(10)) for y in range(10))
BLANK_FACE = BoardFace((CellFace(),) * 81, BLANK_LATTICE)
"""An empty board, where nothing is known yet."""
