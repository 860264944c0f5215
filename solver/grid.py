"""The vocabulary of a grid: its text forms, and the check of a solution against the rules.

A **grid** is a (side, side) uint8 array of digits 1..side with 0 for an empty cell; a **cell** is
its index in reading order. The side is 9 unless another is named; `solver.layout` has the others.
Nothing here solves anything: `check_solution` knows the rules only, so that it can judge every
solver.
"""

import enum
import itertools
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import isqrt
from typing import Any, Final

import numpy as np

from solver.charset import DIGIT_CHARS, EMPTY_CHARS, count_cells, is_row, is_rule, read_chars
from solver.layout import LAYOUTS, layout_of

Grid = np.ndarray[tuple[Any, ...], np.dtype[np.uint8]]
"""(side, side) uint8, digits 1..side, 0 = empty."""

Integers = np.ndarray[tuple[Any, ...], np.dtype[np.integer[Any]]]
"""An array of any integer type."""

Floats = np.ndarray[tuple[Any, ...], np.dtype[np.floating[Any]]]
"""An array of any float type."""

Booleans = np.ndarray[tuple[Any, ...], np.dtype[np.bool_]]

UNITS: Final = LAYOUTS[9].units
"""(27, 9) int: the cells of each unit: rows, then columns, then boxes."""

PEERS: Final = LAYOUTS[9].peers
"""(81, 20) int: the cells that share a unit with each cell, ascending."""

FEWEST_CLUES: Final = 17
"""No puzzle with fewer has a single solution: McGuire, Tugemann, Civario, "There is no 16-Clue
Sudoku", Experimental Mathematics 23 (2014)."""

_EMPTY_AS_ZERO: Final = str.maketrans(dict.fromkeys([*EMPTY_CHARS, "-"], "0"))
_SIGN_CODES: Final = np.frombuffer(f".{DIGIT_CHARS}".encode(), np.uint8)
_BIT: Final = np.array([0, *(1 << digit for digit in range(26))], np.uint32)
"""The bit of each digit; the last is that of whatever is larger than any."""

_COLUMN_ENDS: Final = r"[,;\s]"


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
    UNIT = enum.auto()
    """Of rules other than the classic: a unit of any form repeats a digit."""
    CAGE_DIGIT = enum.auto()
    """A cage repeats a digit."""
    CAGE_SUM = enum.auto()
    NO_CELL = enum.auto()
    """A digit stands where the puzzle has no cell."""


@dataclass(frozen=True, eq=False)
class PuzzleLine:
    """One puzzle of a text file: either its grid or the reason why there is none.

    Attributes:
        number: line in the file where the puzzle begins, from 1.
        text: what stands there.
        grid: (side, side) uint8, or None for a bad line.
        error: what is wrong with a bad line, or None.
    """

    number: int
    text: str
    grid: Grid | None
    error: GridError | None


def parse_grid(text: str) -> Grid:
    """Read a grid of any size from any usual text form.

    Digits 1-9 are clues and ``0 . _ * x X ?`` are empty cells, on one line or many. Blanks,
    commas, brackets and lines drawn around boxes (``| - +`` or Unicode box drawing) are skipped.
    A ``-`` is a drawn line where other drawing characters are present, else an empty cell.
    The number of cells tells the size; `solver.charset` says how more than nine digits are written.

    Returns:
        (side, side) uint8.

    Raises:
        GridError: for a character that is none of these, or a number of cells that no grid has.
    """
    line = text.strip()
    if len(line) == 81:
        line = line.translate(_EMPTY_AS_ZERO)
        if line.isascii() and line.isdigit():
            return (np.frombuffer(line.encode(), np.uint8) - ord("0")).reshape(9, 9)
    reading = read_chars(text)
    if reading.complaint:
        raise GridError(reading.complaint)
    side = isqrt(len(reading.digits))
    return np.array(reading.digits, np.uint8).reshape(side, side)


def read_line(number: int, text: str, parse: Callable[[str], Grid] = parse_grid) -> PuzzleLine:
    """Return the puzzle that a line's text holds, or what is wrong with it."""
    try:
        return PuzzleLine(number, text, parse(text), None)
    except GridError as error:
        return PuzzleLine(number, text, None, error)


def format_grid(grid: Integers) -> str:
    """Return the grid's cells on one line: 1-9, then A, B, C…, and ``.`` for an empty cell."""
    return _SIGN_CODES[as_grid(grid)].tobytes().decode()


def draw_grid(grid: Integers, clues: Integers | None = None) -> str:
    """Draw the grid with lines around its boxes, in ASCII, for a terminal.

    Args:
        grid: (side, side) integers 0..side.
        clues: (side, side) integers 0..side; where given, the cells that hold a clue are set in
            bold by ANSI escape sequences, which only a terminal should be sent.
    """
    layout = layout_of(grid)
    signs = np.array([".", *DIGIT_CHARS], dtype=object)[as_grid(grid)]
    if clues is not None:
        signs[as_grid(clues) > 0] = "\x1b[1m" + signs[clues > 0] + "\x1b[0m"
    width = layout.box_columns
    rule = "+".join(["", *["-" * (2 * width + 1)] * layout.box_rows, ""])
    lines = [rule]
    for row in range(layout.side):
        boxes = (" ".join(signs[row, left : left + width]) for left in range(0, layout.side, width))
        lines.append(f"| {' | '.join(boxes)} |")
        if (row + 1) % layout.box_rows == 0:
            lines.append(rule)
    return "\n".join(lines)


def as_grid(values: Integers) -> Grid:
    """Return the values as a (side, side) uint8 grid, without a copy where they are one already.

    Raises:
        ValueError: for another shape, for a type that is not an integer, or for digits
            outside 0..side.
    """
    side = layout_of(values).side
    if values.dtype.kind not in "ui":
        raise ValueError(f"a grid must hold integers, got {values.dtype}")
    is_negative = values.dtype.kind == "i" and values.min() < 0
    if is_negative or values.max() > side:
        raise ValueError(f"digits must be 0..{side}, got {values.min()}..{values.max()}")
    return values.astype(np.uint8, copy=False)


def check_solution(clues: Integers, solution: Integers) -> Fault:
    """Return what is wrong with a solution: the empty flag when it obeys the rules and the clues.

    Args:
        clues: (side, side) integers, 0 = empty.
        solution: (side, side) integers, any values.

    Raises:
        ValueError: if no grid has the shape of one of them, or if they differ in shape.
    """
    layout = layout_of(solution)
    side = layout.side
    if clues.shape != solution.shape:
        raise ValueError(f"clues are {clues.shape}, but the solution is {solution.shape}")
    all_digits = (1 << side) - 1
    is_clue_changed = ((clues != solution) & (clues > 0)).any()
    held = np.bitwise_or.reduce(_BIT.take(solution.ravel()[layout.units], mode="clip"), axis=1)
    # A unit that holds every digit has no room for anything else.
    if not is_clue_changed and (held == all_digits).all():
        return Fault.NONE
    faults = Fault.CLUE_CHANGED if is_clue_changed else Fault.NONE
    in_range = (solution >= 0) & (solution <= side)
    if not in_range.all():
        faults |= Fault.OUT_OF_RANGE
    if (solution == 0).any():
        faults |= Fault.EMPTY_CELL
    in_units = np.where(in_range, solution, 0).ravel()[layout.units]
    held = np.bitwise_or.reduce(_BIT[in_units], axis=1)
    repeats = np.bitwise_count(held) < (in_units > 0).sum(axis=1)
    kinds = (Fault.ROW, Fault.COLUMN, Fault.BOX)
    for kind, of_kind in zip(kinds, repeats.reshape(3, side), strict=True):
        if of_kind.any():
            faults |= kind
    return faults


def find_conflicts(grid: Integers) -> Booleans:
    """Mark the cells whose digit stands a second time in one of their units.

    Returns:
        (side, side) bool.
    """
    units = layout_of(grid).units
    digits = as_grid(grid).ravel()
    in_units = digits[units]
    same = in_units[:, :, None] == in_units[:, None, :]
    repeated = (same.sum(axis=2) > 1) & (in_units > 0)
    conflicts = np.zeros(digits.shape, np.bool_)
    conflicts[units[repeated]] = True
    return conflicts.reshape(grid.shape)


def read_puzzles(lines: Iterable[str]) -> Iterator[PuzzleLine]:
    """Read the puzzles of a text file one at a time; a bad line becomes an item, not an exception.

    A puzzle is a line of cells, whose further columns (after a comma, a semicolon or a blank) are
    ignored, or several lines, drawn or plain, as in ``.sdk`` files. Sixteen lines of sixteen cells
    are one large puzzle where most of them hold a sign beyond 4, else a small one each. Blank
    lines, ``#`` comments, a header like ``puzzle,solution`` and sections other than ``[Puzzle]``
    are skipped.
    """
    begun: list[tuple[int, str]] = []
    found = wanted = 0
    for number, text in _content(lines):
        first_column = re.split(_COLUMN_ENDS, text, maxsplit=1)[0]
        n_cells = count_cells(text)
        is_small = len(first_column) == 16 and n_cells > 16
        if is_small or len(first_column) >= 81 or not is_row(text):
            yield from _parse_rows(begun)
            begun, found = [], 0
            # A grid with blanks between its cells has no first column worth the name.
            whole = first_column if len(first_column) == 16 or len(first_column) > 25 else text
            yield read_line(number, whole)
            continue
        begun.append((number, text))
        wanted = wanted if found else (n_cells**2 if n_cells in LAYOUTS else 81)
        found += n_cells
        if found >= wanted:
            yield from _parse_rows(begun)
            begun, found = [], 0
    yield from _parse_rows(begun)


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
        name = re.split(_COLUMN_ENDS, text, maxsplit=1)[0].replace("_", "")
        is_header = is_first and name.isalpha() and len(name) < 16 and not set(name) <= EMPTY_CHARS
        is_first = False
        if is_puzzle and not is_header:
            yield number, text


def _parse_rows(begun: list[tuple[int, str]]) -> Iterator[PuzzleLine]:
    """Yield what stands in consecutive lines: one puzzle, several of sixteen cells, or none."""
    rows = list(itertools.dropwhile(lambda row: not _has_cells(row[1]), begun))
    if not rows:
        return
    is_each_a_grid = all(count_cells(text) == 16 for _, text in rows)
    items = [read_line(number, text) for number, text in rows] if is_each_a_grid else []
    if sum(item.grid is not None for item in items) * 2 > len(rows):
        yield from items
    else:
        yield read_line(rows[0][0], "\n".join(text for _, text in rows))


def _has_cells(row: str) -> bool:
    return not is_rule(row) or (set(row) == {"-"} and len(row) in LAYOUTS)
