"""The vocabulary of a grid: its units, its text forms, and the check of a solution.

A **grid** is a (9, 9) uint8 array of digits 1..9 with 0 for an empty cell; a **cell** is its index
0..80 in reading order. Nothing here solves anything: `check_solution` knows the rules only, so
that it can judge every solver.
"""

import enum
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

Grid = npt.NDArray[np.uint8]
"""(9, 9) uint8, digits 1..9, 0 = empty."""

_CELLS: Final = np.arange(81).reshape(9, 9)

ROWS: Final = _CELLS
"""(9, 9) int: the cells of each row."""

COLUMNS: Final = _CELLS.T
"""(9, 9) int: the cells of each column."""

BOXES: Final = _CELLS.reshape(3, 3, 3, 3).swapaxes(1, 2).reshape(9, 9)
"""(9, 9) int: the cells of each box, boxes and cells in reading order."""

UNITS: Final = np.concatenate([ROWS, COLUMNS, BOXES])
"""(27, 9) int: the cells of each unit: rows, then columns, then boxes."""

_IS_IN_UNIT = (UNITS[:, :, None] == np.arange(81)).any(axis=1)
PEERS: Final = np.nonzero((_IS_IN_UNIT.T @ _IS_IN_UNIT) & ~np.eye(81, dtype=np.bool_))[1].reshape(
    81, 20
)
"""(81, 20) int: the cells that share a unit with each cell, ascending."""

_DIGITS: Final = frozenset("123456789")
_EMPTY: Final = frozenset("0._*xX?·")
_DRAWN: Final = frozenset("|+=¦" + "".join(map(chr, range(0x2500, 0x25A0))))
_SKIPPED: Final = frozenset(",;[]\"'") | _DRAWN
_ESCAPES: Final = re.compile(r"\x1b\[[0-9;]*m")
_RULE: Final = re.compile(r"[-+|=\s]*")
_COLUMN_ENDS: Final = re.compile(r"[,;\s]")
_BIT: Final = np.array([0, *(1 << digit for digit in range(9))], np.uint16)


class GridError(ValueError):
    """A text that is not a grid; its message says what was found and what to do."""


class Fault(enum.Flag):
    """What is wrong with a solution; the empty flag, which is false, means nothing is."""

    NONE = 0
    OUT_OF_RANGE = enum.auto()
    EMPTY_CELL = enum.auto()
    ROW = enum.auto()
    COLUMN = enum.auto()
    BOX = enum.auto()
    CLUE_CHANGED = enum.auto()


@dataclass(frozen=True)
class PuzzleLine:
    """One puzzle of a text file: either its grid or the reason why there is none.

    Attributes:
        number: line in the file where the puzzle begins, from 1.
        text: what stands there.
        grid: (9, 9) uint8, or None for a bad line.
        error: what is wrong with a bad line, or None.
    """

    number: int
    text: str
    grid: Grid | None
    error: GridError | None


def parse_grid(text: str) -> Grid:
    """Read a grid from any usual text form.

    Digits 1-9 are clues and ``0 . _ * x X ?`` are empty cells, on one line or many. Blanks,
    commas, brackets and lines drawn around boxes (``| - +`` or Unicode box drawing) are skipped.
    A ``-`` is a drawn line where other drawing characters are present, else an empty cell.

    Returns:
        (9, 9) uint8.

    Raises:
        GridError: for a character that is none of these, or another number of cells than 81.
    """
    readings = [_read_cells(reading) for reading in _dash_readings(_ESCAPES.sub("", text))]
    for cells in readings:
        if len(cells) == 81:
            return np.array(cells, np.uint8).reshape(9, 9)
    advice = "write every cell, row by row: 1-9 for a clue and . for an empty cell"
    raise GridError(f"a grid has 81 cells, but {len(readings[0])} were found; {advice}")


def format_grid(grid: npt.NDArray[np.integer]) -> str:
    """Return the grid's 81 cells on one line, with ``.`` for an empty cell."""
    return "".join(map(str, as_grid(grid).ravel().tolist())).replace("0", ".")


def draw_grid(grid: npt.NDArray[np.integer], clues: npt.NDArray[np.integer] | None = None) -> str:
    """Draw the grid with lines around its boxes, in ASCII, for a terminal.

    Args:
        grid: (9, 9) integers 0..9.
        clues: (9, 9) integers 0..9; where given, the cells that hold a clue are set in bold by
            ANSI escape sequences, which only a terminal should be sent.
    """
    signs = np.array(list(format_grid(grid)), dtype=object).reshape(9, 9)
    if clues is not None:
        signs[as_grid(clues) > 0] = "\x1b[1m" + signs[clues > 0] + "\x1b[0m"
    rule = "+-------+-------+-------+"
    lines = [rule]
    for row in range(9):
        boxes = (" ".join(signs[row, left : left + 3]) for left in (0, 3, 6))
        lines.append(f"| {' | '.join(boxes)} |")
        if row % 3 == 2:
            lines.append(rule)
    return "\n".join(lines)


def as_grid(values: npt.NDArray[np.integer]) -> Grid:
    """Return the values as a (9, 9) uint8 grid, without a copy where they are one already.

    Raises:
        ValueError: for another shape, for a type that is not an integer, or for digits
            outside 0..9.
    """
    if values.shape != (9, 9):
        raise ValueError(f"a grid must be (9, 9), got {values.shape}")
    if not np.issubdtype(values.dtype, np.integer):
        raise ValueError(f"a grid must hold integers, got {values.dtype}")
    if values.min() < 0 or values.max() > 9:
        raise ValueError(f"digits must be 0..9, got {values.min()}..{values.max()}")
    return values.astype(np.uint8, copy=False)


def check_solution(clues: npt.NDArray[np.integer], solution: npt.NDArray[np.integer]) -> Fault:
    """Return what is wrong with a solution: the empty flag when it obeys the rules and the clues.

    Args:
        clues: (9, 9) integers, 0 = empty.
        solution: (9, 9) integers, any values.

    Raises:
        ValueError: if either is not (9, 9).
    """
    if clues.shape != (9, 9) or solution.shape != (9, 9):
        raise ValueError(f"grids must be (9, 9), got {clues.shape} and {solution.shape}")
    faults = Fault.NONE
    if ((clues > 0) & (clues != solution)).any():
        faults |= Fault.CLUE_CHANGED
    if solution.min() < 1 or solution.max() > 9:
        in_range = (solution >= 0) & (solution <= 9)
        if not in_range.all():
            faults |= Fault.OUT_OF_RANGE
        solution = np.where(in_range, solution, 0)
        if (solution[in_range] == 0).any():
            faults |= Fault.EMPTY_CELL
    in_units = solution.ravel()[UNITS]
    held = np.bitwise_or.reduce(_BIT[in_units], axis=1)
    if not (held == 511).all():
        repeats = np.bitwise_count(held) < (in_units > 0).sum(axis=1)
        kinds = (Fault.ROW, Fault.COLUMN, Fault.BOX)
        for kind, of_kind in zip(kinds, repeats.reshape(3, 9), strict=True):
            if of_kind.any():
                faults |= kind
    return faults


def find_conflicts(grid: npt.NDArray[np.integer]) -> npt.NDArray[np.bool_]:
    """Mark the cells whose digit stands a second time in one of their units.

    Returns:
        (9, 9) bool.
    """
    digits = as_grid(grid).ravel()
    in_units = digits[UNITS]
    same = in_units[:, :, None] == in_units[:, None, :]
    repeated = (same.sum(axis=2) > 1) & (in_units > 0)
    conflicts = np.zeros(81, np.bool_)
    conflicts[UNITS[repeated]] = True
    return conflicts.reshape(9, 9)


def read_puzzles(lines: Iterable[str]) -> Iterator[PuzzleLine]:
    """Read the puzzles of a text file one at a time; a bad line becomes an item, not an exception.

    A puzzle is a line of 81 cells, whose further columns (after a comma, a semicolon or a blank)
    are ignored, or several lines of up to nine cells each, drawn or plain, as in ``.sdk`` files.
    Blank lines, ``#`` comments, a header like ``puzzle,solution`` and sections other than
    ``[Puzzle]`` are skipped.
    """
    begun: list[str] = []
    begin = 0
    for number, text in _content(lines):
        first_column = _COLUMN_ENDS.split(text, maxsplit=1)[0]
        if not _is_part_of_grid(text) or len(first_column) >= 81:
            if _has_cells(begun):
                yield _parse_item(begin, "\n".join(begun))
            begun = []
            # A grid with blanks between its cells has no first column worth the name.
            yield _parse_item(number, first_column if len(first_column) > 27 else text)
            continue
        begin = begin if _has_cells(begun) else number
        begun.append(text)
        found = len(_read_cells(_dash_readings("\n".join(begun))[0]))
        if found >= 81:
            yield _parse_item(begin, "\n".join(begun))
            begun = []
    if _has_cells(begun):
        yield _parse_item(begin, "\n".join(begun))


def _content(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield the lines that can hold cells, stripped, with their numbers from 1."""
    is_first, is_puzzle = True, True
    for number, line in enumerate(lines, start=1):
        text = line.removeprefix("\ufeff").strip()
        if not text or text.startswith("#"):
            continue
        if text.startswith("[") and text.strip("[]").isalpha():
            is_puzzle = text.lower() == "[puzzle]"
            continue
        name = _COLUMN_ENDS.split(text, maxsplit=1)[0].replace("_", "")
        is_header = is_first and name.isalpha() and not set(name) <= _EMPTY
        is_first = False
        if is_puzzle and not is_header:
            yield number, text


def _parse_item(number: int, text: str) -> PuzzleLine:
    try:
        return PuzzleLine(number, text, parse_grid(text), None)
    except GridError as error:
        return PuzzleLine(number, text, None, error)


def _is_part_of_grid(text: str) -> bool:
    """Return whether the line can be a row of a grid, or a line drawn between rows."""
    cells = sum(sign in _DIGITS or sign in _EMPTY for sign in text)
    signs = {sign for sign in text if not sign.isspace()}
    return cells <= 9 and signs <= _DIGITS | _EMPTY | _SKIPPED | {"-"}


def _has_cells(rows: list[str]) -> bool:
    return any(not _RULE.fullmatch(row) or len(row) == 9 for row in rows)


def _dash_readings(text: str) -> list[str]:
    """Return the text with its dashes replaced, as drawn lines or empty cells, likeliest first."""
    if "-" not in text:
        return [text]
    as_lines = text.replace("-", " ")
    as_cells = text.replace("-", ".")
    as_both = "\n".join(
        row.replace("-", " " if _RULE.fullmatch(row) else ".") for row in text.split("\n")
    )
    if _DRAWN & set(text):
        return [as_lines, as_both, as_cells]
    return [as_both, as_cells, as_lines]


def _read_cells(text: str) -> list[int]:
    """Return the digits and empty cells of a text without dashes."""
    cells = []
    for line, row in enumerate(text.split("\n"), start=1):
        for position, sign in enumerate(row, start=1):
            if sign in _DIGITS:
                cells.append(int(sign))
            elif sign in _EMPTY:
                cells.append(0)
            elif not (sign in _SKIPPED or sign.isspace()):
                raise GridError(
                    f"{sign!r} in line {line}, position {position} is no digit and no empty cell; "
                    "use 1-9 for a clue and . for an empty cell"
                )
    return cells
