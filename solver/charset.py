"""How cells are written: the signs of digits and of empty cells, and the lines drawn around them.

Digits are 1-9 and then A, B, C… (G is 16, P is 25), capital or not. Also understood for the two
large sizes: letters alone (A is 1, P is 16, Y is 25), which shows by a letter beyond the last one
of the usual way; 0 for the last digit (0-9 A-F), which shows by another sign for the empty cells;
and numbers of two figures with blanks or commas between them.
"""

import re
from dataclasses import dataclass
from typing import Final, NamedTuple

from solver.layout import LAYOUTS, USUAL_BOXES

DIGIT_CHARS: Final = "123456789ABCDEFGHIJKLMNOP"
"""The sign of each digit, from 1."""

EMPTY_CHARS: Final = frozenset("0._*xX?·")

_FIGURES: Final = frozenset(DIGIT_CHARS[:9])
_LETTERS: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXY")
_DRAWN: Final = frozenset("|+=¦" + "".join(map(chr, range(0x2500, 0x25A0))))
_SKIPPED: Final = frozenset(",;[]\"'") | _DRAWN
_ESCAPES: Final = r"\x1b\[[0-9;]*m"
_RULE: Final = rf"[-\s{re.escape(''.join(sorted(_SKIPPED)))}]*"
_SIDE_OF: Final = {layout.n_cells: side for side, layout in LAYOUTS.items()}
_FEWEST_OF_LARGE: Final = 150
"""A text with fewer cells is taken for a 9×9 grid gone wrong, in which a letter is no cell."""


@dataclass(frozen=True, eq=False)
class Reading:
    """What a text holds: the cells of a grid, or what is wrong.

    Attributes:
        digits: as many as the grid has cells, 0 = empty; none where something is wrong.
        complaint: what is wrong and what to do, or nothing.
    """

    digits: list[int]
    complaint: str = ""


class _Cell(NamedTuple):
    sign: str
    line: int
    position: int


def read_chars(text: str) -> Reading:
    """Read the cells of a grid from any usual text form; see `solver.grid.parse_grid`."""
    readings = [_read_numbers(reading) or _read_cells(reading) for reading in _read_dashes(text)]
    return next((reading for reading in readings if not reading.complaint), readings[0])


def count_cells(row: str) -> int:
    """Count the cells in one line of a grid that is written in several."""
    if is_rule(row):
        return 0
    tokens = _split_numbers(row)
    if len(tokens) in LAYOUTS and any(map(_is_number, tokens)):
        return len(tokens)
    return sum(_is_cell(sign) or sign == "-" for sign in re.sub(_ESCAPES, "", row))


def is_row(text: str) -> bool:
    """Return whether the line can be a row of a grid, or a line drawn between rows."""
    signs = {sign for sign in re.sub(_ESCAPES, "", text).upper() if not sign.isspace()}
    n_cells = count_cells(text)
    if not signs <= _LETTERS | frozenset(DIGIT_CHARS) | EMPTY_CHARS | _SKIPPED | {"-"}:
        return False
    has_letters = bool(signs & _LETTERS - EMPTY_CHARS)
    return n_cells in (16, 25) or (n_cells <= 9 and not has_letters)


def is_rule(row: str) -> bool:
    """Return whether the line is drawn between rows, or, for want of a difference, all empty."""
    return re.fullmatch(_RULE, row) is not None


def _read_dashes(text: str) -> list[str]:
    """Return the text with its dashes replaced, as drawn lines or empty cells, likeliest first."""
    text = re.sub(_ESCAPES, "", text)
    if "-" not in text:
        return [text]
    as_lines = text.replace("-", " ")
    as_cells = text.replace("-", ".")
    as_both = "\n".join(row.replace("-", " " if is_rule(row) else ".") for row in text.split("\n"))
    if _DRAWN & set(text):
        return [as_lines, as_both, as_cells]
    return [as_both, as_cells, as_lines]


def _split_numbers(text: str) -> list[str]:
    return "".join(" " if sign in _SKIPPED else sign for sign in text).split()


def _is_number(token: str) -> bool:
    return len(token) == 2 and token.isascii() and token.isdigit()


def _read_numbers(text: str) -> Reading | None:
    """Return the digits of a text whose cells are numbers, some of two figures; else None."""
    tokens = _split_numbers(text)
    side = _SIDE_OF.get(len(tokens), 0)
    if side <= 9 or not any(map(_is_number, tokens)):
        return None
    digits = []
    for token in tokens:
        if set(token) <= EMPTY_CHARS:
            digits.append(0)
        elif len(token) <= 2 and token.isascii() and token.isdigit() and int(token) <= side:
            digits.append(int(token))
        else:
            return None
    return Reading(digits)


def _read_cells(text: str) -> Reading:
    """Read a text in which every cell is one sign and no dash is left."""
    cells: list[_Cell] = []
    strange: list[_Cell] = []
    for line, row in enumerate(text.split("\n"), start=1):
        for position, sign in enumerate(row, start=1):
            if _is_cell(sign):
                cells.append(_Cell(sign, line, position))
            elif not (sign in _SKIPPED or sign.isspace()):
                strange.append(_Cell(sign, line, position))
    side = _SIDE_OF.get(len(cells), 0)
    if len(cells) < _FEWEST_OF_LARGE:
        known = EMPTY_CHARS.union(DIGIT_CHARS[: min(side or 9, 9)])
        strange += [cell for cell in cells if cell.sign not in known]
    if strange:
        first = min(strange, key=lambda cell: (cell.line, cell.position))
        return _complain(first, side or _likely_side(len(cells)))
    if not side:
        return Reading([], _miscounted(len(cells)))
    if side > 9:
        return _read_large(cells, side)
    return Reading([0 if cell.sign in EMPTY_CHARS else int(cell.sign) for cell in cells])


def _read_large(cells: list[_Cell], side: int) -> Reading:
    """Read a grid with more than nine digits, in whichever way its signs show."""
    signs = [cell.sign.upper() for cell in cells]
    held = set(signs)
    last = DIGIT_CHARS[side - 1]
    empty = EMPTY_CHARS
    order = DIGIT_CHARS[:side]
    if not held & _FIGURES and any(sign > last for sign in held & _LETTERS - {"X"}):
        order = "".join(sorted(_LETTERS))[:side]
        empty = EMPTY_CHARS - set(order)
    elif "0" in held and last not in held and held & EMPTY_CHARS - {"0"}:
        order = DIGIT_CHARS[: side - 1] + "0"
        empty = EMPTY_CHARS - {"0"}
    digit_of = {sign: digit for digit, sign in enumerate(order, start=1)}
    digit_of |= dict.fromkeys(empty, 0)
    for cell, sign in zip(cells, signs, strict=True):
        if sign not in digit_of:
            return _complain(cell, side)
    return Reading([digit_of[sign] for sign in signs])


def _complain(cell: _Cell, side: int) -> Reading:
    line = f"in line {cell.line}, " if cell.line > 1 else "at "  # what is one line is often of many
    return Reading(
        [],
        f"{cell.sign!r} {line}position {cell.position} is no digit and no empty cell of a "
        f"{side}×{side} grid; {_advise(side)}",
    )


def _miscounted(n_cells: int) -> str:
    side = _likely_side(n_cells)
    sides = ", ".join(f"{other}×{other}" for other in USUAL_BOXES if other != side)
    return (
        f"a grid has {side**2} cells, but {n_cells} were found; write every cell, row by row: "
        f"{_advise(side)} (other grids are {sides})"
    )


def _likely_side(n_cells: int) -> int:
    return 9 if n_cells < _FEWEST_OF_LARGE else 16 if n_cells < 400 else 25


def _advise(side: int) -> str:
    digits = f"1-{DIGIT_CHARS[side - 1]}" if side <= 9 else f"1-9 and A-{DIGIT_CHARS[side - 1]}"
    return f"use {digits} for a clue and . for an empty cell"


def _is_cell(sign: str) -> bool:
    return sign in EMPTY_CHARS or sign in DIGIT_CHARS or sign.upper() in _LETTERS
