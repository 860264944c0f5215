"""What a board shows cell by cell, what a person notes on it, and the clock: plain values.

They are free of Qt and of NumPy, so that the window can be drawn before anything heavy is loaded.
"""

import enum
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

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
class CellView:
    """What one cell shows; digits are 0 where there is none.

    Attributes:
        entry: what someone wrote, where it does not count as a clue.
        solution: the verified digit, where it is revealed and is not written rightly already.
        doubt: the gravest reason to look at it.
        is_by_hand: whether clue or entry was set in the window.
        is_written: whether the entry was written in play, so that no photo shows it.
        is_covered: whether what a photo shows there was changed in play, and counts no more.
        is_noted: whether the photo shows the notes as they are.
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
    is_noted: bool = False
    corner: tuple[int, ...] = ()
    centre: tuple[int, ...] = ()
    colour: int = 0
    cage_sum: int = 0
    is_cell: bool = True

    @property
    def is_wrong(self) -> bool:
        """Whether the entry differs from the solution, which stands in its place."""
        return self.entry > 0 and self.solution > 0


DIGIT_CHARS = "123456789ABCDEFGHIJKLMNOP"
"""What is written for each digit, from 1, where no print tells otherwise: `solver.charset` has the
same, but would load NumPy."""

BOXES = tuple(cell // 27 * 3 + cell % 9 // 3 for cell in range(81))
"""The box of each cell of a board of 9×9."""


@dataclass(frozen=True)
class BoardViewModel:
    """What a board shows.

    Attributes:
        cells: n² of them, in reading order.
        lattice: n + 1 lines of n + 1 crossings, the puzzle's own top left first.
        regions: number of the box or region of each cell, -1 for none.
        marked: cells of diagonals and windows, which a clean board tints.
        cages: number of the cage of each cell of a killer, -1 for none; nothing for other kinds.
    """

    cells: tuple[CellView, ...]
    lattice: tuple[tuple[Point, ...], ...]
    is_solved: bool = False
    is_dark: bool = False
    regions: tuple[int, ...] = BOXES
    marked: frozenset[int] = frozenset()
    cages: tuple[int, ...] = ()
    symbols: Sequence[str] = DIGIT_CHARS

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


def changed_cells(old: BoardViewModel | None, new: BoardViewModel | None) -> tuple[int, ...] | None:
    """Return the cells that look different now; None where all of the board may."""
    if old is None or new is None or replace(old, cells=()) != replace(new, cells=()):
        return None
    pairs = zip(old.cells, new.cells, strict=True)
    return tuple(cell for cell, (before, now) in enumerate(pairs) if before != now)


_BLANK_LATTICE = tuple(tuple((float(x), float(y)) for x in range(10)) for y in range(10))
BLANK_FACE = BoardViewModel((CellView(),) * 81, _BLANK_LATTICE)
"""An empty board, where nothing is known yet."""

MOST_SIDE: Final = 25
"""Rows and columns of boards; a smaller one leaves the rest empty."""

_CELLS: Final = MOST_SIDE**2
_NONE: Final = (0,) * _CELLS
_DIGITS: Final = range(1, MOST_SIDE + 1)

COLOURS: Final = 9
"""How many colours a cell may have, numbered from 1."""

Row = tuple[int, int, int, int]
"""A cell with its corner marks and its centre marks as sums of 2**digit, and its colour."""


class EntryMode(enum.Enum):
    """What a digit that is typed means; the notes of a mode are the `Pencil`'s of its value."""

    DIGIT = "digit"
    """It stands in the cell."""
    CORNER = "corner"
    """It is noted in the cell's corners: where in a box, row or column it may stand."""
    CENTRE = "centre"
    """It is noted in the cell's middle: what may stand in this cell."""
    COLOUR = "colour"
    """It is the number of a colour."""


@dataclass(frozen=True)
class Pencil:
    """What is noted in the cells of a board, of which there may be 625.

    Attributes:
        corner: for each cell the digits in its corners, as a sum of 2**digit.
        centre: likewise the digits in its middle.
        colour: for each cell the number of its colour 1..9, or 0.
    """

    corner: tuple[int, ...] = _NONE
    centre: tuple[int, ...] = _NONE
    colour: tuple[int, ...] = _NONE

    @property
    def is_empty(self) -> bool:
        """Whether nothing is noted."""
        return not (any(self.corner) or any(self.centre) or any(self.colour))


EMPTY_PENCIL: Final = Pencil()


def toggle_note(pencil: Pencil, cells: Collection[int], mode: EntryMode, digit: int) -> Pencil:
    """Note a digit or a colour in cells, or take it away where all of them have it already."""
    old = _layer(pencil, mode)
    if mode is EntryMode.COLOUR:
        has_all = all(old[cell] == digit for cell in cells)
        return _change(pencil, mode, dict.fromkeys(cells, 0 if has_all else digit))
    bit = 1 << digit
    has_all = all(old[cell] & bit for cell in cells)
    new = {cell: old[cell] & ~bit if has_all else old[cell] | bit for cell in cells}
    return _change(pencil, mode, new)


def erase_notes(pencil: Pencil, cells: Collection[int], mode: EntryMode) -> Pencil:
    """Take away all that one mode noted in cells."""
    return _change(pencil, mode, dict.fromkeys(cells, 0))


def strike_digit(pencil: Pencil, cells: Collection[int], digit: int) -> Pencil:
    """Take the notes of a digit out of cells, from corners and middle."""
    bit = 1 << digit
    corner, centre = (
        tuple(held & ~bit if cell in cells else held for cell, held in enumerate(layer))
        for layer in (pencil.corner, pencil.centre)
    )
    return replace(pencil, corner=corner, centre=centre)


def has_notes(pencil: Pencil, cells: Iterable[int], mode: EntryMode) -> bool:
    """Tell whether one mode noted something in any of the cells."""
    layer = _layer(pencil, mode)
    return any(layer[cell] for cell in cells)


@lru_cache(maxsize=1024)
def digits_of(held: int) -> tuple[int, ...]:
    """Return the digits of a cell's notes, ascending."""
    return tuple(digit for digit in _DIGITS if held >> digit & 1)


def pencil_rows(pencil: Pencil) -> tuple[Row, ...]:
    """Return what is noted as numbers for a file: a row for each cell that has a note."""
    layers = zip(range(_CELLS), pencil.corner, pencil.centre, pencil.colour, strict=True)
    return tuple(row for row in layers if any(row[1:]))


def pencil_from_rows(told: Any, side: int = 9, n_digits: int | None = None) -> Pencil:
    """Return what is noted from the rows of a file; what makes no sense is left out.

    There are as many digits as rows and columns where None, and fewer in a samurai.
    """
    most = n_digits or side
    corner, centre, colours = [0] * _CELLS, [0] * _CELLS, [0] * _CELLS
    for row in told if isinstance(told, list | tuple) else ():
        if not isinstance(row, list | tuple) or len(row) != 4:
            continue
        if not all(isinstance(one, int) and not isinstance(one, bool) for one in row):
            continue
        cell, corners, centres, colour = row
        if not 0 <= cell < side**2:
            continue
        corner[cell], centre[cell] = (_only_digits(held, most) for held in (corners, centres))
        colours[cell] = colour if 0 <= colour <= COLOURS else 0
    return Pencil(tuple(corner), tuple(centre), tuple(colours))


def _only_digits(held: int, most: int) -> int:
    return sum(1 << digit for digit in digits_of(held) if digit <= most) if held > 0 else 0


def _layer(pencil: Pencil, mode: EntryMode) -> tuple[int, ...]:
    layer: tuple[int, ...] = getattr(pencil, mode.value)
    return layer


def _change(pencil: Pencil, mode: EntryMode, new: Mapping[int, int]) -> Pencil:
    """Return the pencil with new values of some cells in the mode's layer."""
    layer = tuple(new.get(cell, held) for cell, held in enumerate(_layer(pencil, mode)))
    return replace(pencil, **{mode.value: layer})


@dataclass(frozen=True)
class PlayClock:
    """A clock that runs, stands, or is paused by a person.

    Attributes:
        seconds: what it had counted when it was last started or stopped.
        since: when it was started, in seconds of any clock that only goes forward; None while it
            stands.
        has_begun: whether a stroke was made, before which nothing is counted.
    """

    seconds: float = 0.0
    since: float | None = None
    has_begun: bool = False
    is_paused: bool = False

    def elapsed(self, now: float) -> float:
        """Return the seconds that were played."""
        return self.seconds if self.since is None else self.seconds + max(now - self.since, 0.0)


def begin_clock(clock: PlayClock) -> PlayClock:
    """Let the time count from the first stroke on."""
    return clock if clock.has_begun else replace(clock, has_begun=True)


def pause_clock(clock: PlayClock, now: float, *, is_paused: bool) -> PlayClock:
    """Pause, or go on; whether it runs then, `run_clock` decides."""
    return replace(_stop_clock(clock, now), is_paused=is_paused)


def run_clock(clock: PlayClock, now: float, *, is_played: bool) -> PlayClock:
    """Let the clock run, if it may, while its board is being played, and stand else."""
    if not (is_played and clock.has_begun and not clock.is_paused):
        return _stop_clock(clock, now)
    return clock if clock.since is not None else replace(clock, since=now)


def _stop_clock(clock: PlayClock, now: float) -> PlayClock:
    return clock if clock.since is None else replace(clock, seconds=clock.elapsed(now), since=None)


def say_seconds(seconds: float) -> str:
    """Return a time as people write it: 4:05, or 1:02:09."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
