"""Puzzles of all kinds as text: cells, regions and cages; and their drawing for a terminal.

One line holds a puzzle: the cells alone, where the kind is known from elsewhere, or a JSON object
with the names of the report: kind, clues, and where they apply regions and cages.
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import Any, Final

import numpy as np

from solver.charset import DIGIT_CHARS, EMPTY_CHARS
from solver.grid import Grid, GridError, Integers
from solver.layout import LAYOUTS, USUAL_BOXES, Layout
from solver.rules import (
    Cage,
    Kind,
    Rules,
    admit_grid,
    box_rules,
    jigsaw_rules,
    killer_rules,
    samurai_rules,
)

NO_CELL: Final = "-"
"""The sign of a place without a cell, in samurais."""

_REGION_NAMES: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_SKIPPED: Final = frozenset("|+,;")
_NAMES: Final = frozenset({"kind", "side", "clues", "regions", "cages", "solution"})


@dataclass(frozen=True, eq=False)
class KindPuzzle:
    """A puzzle with its rules.

    Attributes:
        rules: of the puzzle.
        clues: (width, width) uint8, 0 = empty or no cell.
        solution: (width, width) uint8, the only one, or None where it is not known.
    """

    rules: Rules
    clues: Grid
    solution: Grid | None = None

    @property
    def has_shape_alone(self) -> bool:
        """Whether the shape of the grid tells all rules, so that every solver knows them."""
        return self.rules.is_classic and self.rules.side in LAYOUTS


def parse_kind_puzzle(
    text: str,
    kind: Kind | None = None,
    regions: str | None = None,
    cages: str | list[Any] | None = None,
    boxes: Layout | None = None,
) -> KindPuzzle:
    """Read a puzzle of any kind: a JSON object, or cells whose rules the arguments tell.

    Args:
        text: the cells, width² of them; blanks, commas and ``| +`` are skipped. A JSON object tells
            the rules itself, and they must agree with the arguments that are given.
        kind: None for what the text tells, or classic.
        regions: n² characters that name the region of each cell.
        cages: ``[[sum, [cell, …]], …]``, or its JSON, cells from 0 in reading order.
        boxes: other than the usual ones of the side.

    Raises:
        GridError: if it is no such puzzle; the text says what to do.
    """
    told: dict[str, Any] = {}
    if text.lstrip().startswith("{"):
        told = _read_object(text)
        if kind not in (None, Kind(told["kind"])):
            raise GridError(f"the puzzle is a {told['kind']}, not a {kind}; leave the kind out")
        if regions is not None or cages is not None:
            raise GridError("the puzzle tells its regions and cages itself; leave them out")
        kind, regions, cages = Kind(told["kind"]), told.get("regions"), told.get("cages")
        text = told["clues"]
    signs = _list_signs(text)
    rules = _build_rules(signs, kind or Kind.CLASSIC, regions, cages, boxes)
    if told.get("side", rules.side) != rules.side:
        raise GridError(f"the side is {told['side']}, but the cells make {rules.side}; correct one")
    return KindPuzzle(rules, _read_clues(signs, rules))


def read_cells(text: str, rules: Rules) -> Grid:
    """Return the clues of a puzzle whose rules are known, (width, width) uint8.

    Args:
        text: the cells, as `parse_kind_puzzle` takes them.
        rules: of the puzzle.

    Raises:
        GridError: if they are not as many as the rules have places, or a sign is no digit.
    """
    signs = _list_signs(text)
    if len(signs) != rules.width**2:
        raise GridError(f"the puzzle has {len(signs)} cells; write {rules.width**2}, row by row")
    return _read_clues(signs, rules)


def parse_boxes(text: str) -> Layout:
    """Read how many rows and columns a box has, such as ``3x2``.

    Raises:
        GridError: if they are not two whole numbers that make a grid.
    """
    found = re.fullmatch(r"([1-9]\d?)\s*[x×]\s*([1-9]\d?)", text.strip().lower())
    boxes = Layout(int(found[1]), int(found[2])) if found else None
    if boxes is None or boxes.side not in USUAL_BOXES or 1 in (boxes.box_rows, boxes.box_columns):
        raise GridError(f"{text!r} tells no boxes; write rows x columns of one, such as 3x2")
    return boxes


def format_kind_puzzle(puzzle: KindPuzzle) -> str:
    """Return the JSON object that holds a puzzle, with its solution if known, on one line."""
    fields = format_kind_fields(puzzle)
    if puzzle.solution is not None:
        fields["solution"] = format_cells(puzzle.rules, puzzle.solution)
    return json.dumps(fields)


def format_kind_fields(puzzle: KindPuzzle) -> dict[str, object]:
    """Return the kind, side, clues, regions and cages of a puzzle, by the names of the report."""
    rules = puzzle.rules
    is_told = rules.kind is Kind.JIGSAW or not rules.has_usual_boxes
    cages = [[cage.total, list(cage.cells)] for cage in rules.cages]
    return {
        "kind": rules.kind.value,
        "side": rules.side,
        "clues": format_cells(rules, puzzle.clues),
        "regions": format_regions(rules) if is_told else None,
        "cages": cages or None,
    }


def format_cells(rules: Rules, grid: Integers) -> str:
    """Return width² characters: digits, ``.`` for empty cells, ``-`` where there is no cell."""
    return "".join(sign or NO_CELL for sign in _list_symbols(rules, grid, DIGIT_CHARS))


def format_regions(rules: Rules) -> str:
    """Return width² characters that name the region of each cell; not for samurais."""
    names = [NO_CELL] * rules.width**2
    for name, region in zip(_REGION_NAMES, rules.regions, strict=False):
        for cell in region:
            names[cell] = name
    return "".join(names)


def read_regions(text: str) -> list[list[int]]:
    """Return the cells of each region, in the order in which they begin.

    Args:
        text: n² characters, equal ones for the cells of a region; blanks are skipped.

    Raises:
        GridError: if they are not n regions of n cells, for some n.
    """
    names = "".join(text.split())
    side = isqrt(len(names))
    regions: dict[str, list[int]] = {}
    for cell, name in enumerate(names):
        regions.setdefault(name, []).append(cell)
    if side**2 != len(names) or len(regions) != side:
        raise GridError(
            f"the regions are {len(names)} characters with {len(regions)} names; write n² "
            "characters, row by row, and the same character for all cells of a region"
        )
    for name, cells in regions.items():
        if len(cells) != side:
            raise GridError(f"the region {name} has {len(cells)} cells; give it {side}")
    return list(regions.values())


def read_cages(text: str | list[Any]) -> list[Cage]:
    """Return the cages that JSON tells: ``[[sum, [cell, …]], …]``.

    Raises:
        GridError: if it is no such list.
    """
    try:
        entries = json.loads(text) if isinstance(text, str) else text
        cages = [Cage(_whole(total), tuple(sorted(map(_whole, cells)))) for total, cells in entries]
    except (ValueError, TypeError, RecursionError):
        raise GridError(
            "the cages cannot be read; write [[sum, [cell, …]], …] with cells from 0, row by row"
        ) from None
    return cages


def draw_kind(
    rules: Rules,
    grid: Integers,
    clues: Integers | None = None,
    symbols: Sequence[str] = DIGIT_CHARS,
) -> str:
    """Draw a grid with its regions in full lines and its cages, with their sums, in dotted ones.

    Args:
        rules: of the puzzle.
        grid: (width, width) integers.
        clues: where given, the cells that hold a clue are set in bold, for a terminal only.
        symbols: what is written for each digit, from 1 on.
    """
    width = rules.width
    widest = max(map(len, symbols[: rules.side]))
    signs = [symbol.rjust(widest) for symbol in _list_symbols(rules, grid, symbols)]
    region_of = _number(width, rules.regions)
    cage_of = _number(width, [cage.cells for cage in rules.cages])
    sums = {cage.cells[0]: str(cage.total) for cage in rules.cages}
    bold = set() if clues is None else set(np.flatnonzero(clues).tolist())
    lines = []
    for row in range(width + 1):
        above = "".join(
            f"{'+' if _meet(region_of, row, column) else ' '}"
            + sums.get(row * width + column, "").ljust(
                widest + 2, _border(region_of, cage_of, (row - 1, column), (row, column), "-. ")
            )
            for column in range(width)
        )
        lines.append(above + ("+" if _meet(region_of, row, width) else " "))
        if row == width:
            break
        cells = ""
        for column in range(width + 1):
            cells += _border(region_of, cage_of, (row, column - 1), (row, column), "|: ")
            if column < width:
                cell = row * width + column
                sign = f"\x1b[1m{signs[cell]}\x1b[0m" if cell in bold else signs[cell]
                cells += f" {sign} "
        lines.append(cells)
    return "\n".join(line.rstrip() for line in lines)


def _list_symbols(rules: Rules, grid: Integers, symbols: Sequence[str]) -> list[str]:
    """Return what is written in each place; nothing where there is no cell."""
    written = [""] * rules.width**2
    digits = admit_grid(rules, grid).ravel().tolist()
    for cell in rules.cells:
        written[cell] = symbols[digits[cell] - 1] if digits[cell] else "."
    return written


def _read_object(text: str) -> dict[str, Any]:
    """Return the fields of a puzzle that is written as a JSON object, of the right types."""
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError):
        raise GridError("the puzzle begins with { but is no JSON; copy the whole line") from None
    unknown = sorted(fields.keys() - _NAMES)
    if unknown:
        raise GridError(f"the puzzle has rules that are not known: {', '.join(unknown)}")
    fields = {name: value for name, value in fields.items() if value is not None}
    fields.setdefault("kind", Kind.CLASSIC.value)
    if fields["kind"] not in list(Kind):
        raise GridError(f"the kind must be one of {', '.join(Kind)}, got {fields['kind']!r}")
    for name in ("clues", "regions"):
        if not isinstance(fields.get(name, ""), str):
            raise GridError(f"{name} must be a text with a character for each cell")
    if "clues" not in fields:
        raise GridError("the puzzle has no clues; write them as a text, . for an empty cell")
    return fields


def _build_rules(
    signs: Sequence[str],
    kind: Kind,
    regions: str | None,
    cages: str | list[Any] | None,
    boxes: Layout | None,
) -> Rules:
    side = isqrt(len(signs))
    if side**2 != len(signs):
        raise GridError(f"{len(signs)} cells make no square grid; write every cell, row by row")
    if kind is not Kind.JIGSAW and regions is not None:
        boxes = _find_boxes(read_regions(regions), side)
    if (cages is not None) != (kind is Kind.KILLER):
        raise GridError("a killer has cages, and no other kind does; give both or neither")
    if kind is Kind.SAMURAI:
        return samurai_rules(_find_grids(signs, side))
    if kind is Kind.KILLER:
        return killer_rules(read_cages(cages or []), side, boxes)
    if kind is not Kind.JIGSAW:
        return box_rules(side, kind, boxes)
    if regions is None:
        raise GridError(f"a jigsaw has regions; give {side**2} characters that name them")
    rules = jigsaw_rules(read_regions(regions))
    if rules.side != side:
        raise GridError(f"there are {side**2} cells, but {rules.side**2} characters of regions")
    return rules


def _find_boxes(regions: Iterable[Sequence[int]], side: int) -> Layout:
    """Return the boxes that regions are, where the kind is no jigsaw."""
    wanted = sorted(map(list, regions))
    for rows in range(2, side // 2 + 1):
        if side % rows == 0 and Layout(rows, side // rows).boxes.tolist() == wanted:
            return Layout(rows, side // rows)
    raise GridError("the regions are no boxes; say that the kind is jigsaw")


def _find_grids(signs: Sequence[str], width: int) -> list[tuple[int, int]]:
    """Return where the grids of a samurai begin: wherever 9×9 cells stand, box by box."""
    is_cell = np.array([sign != NO_CELL for sign in signs]).reshape(width, width)
    steps = range(0, max(width - 8, 0), 3)
    grids = [
        (row, column)
        for row in steps
        for column in steps
        if is_cell[row : row + 9, column : column + 9].all()
    ]
    covered = np.zeros_like(is_cell)
    for row, column in grids:
        covered[row : row + 9, column : column + 9] = True
    if (covered != is_cell).any() or len(grids) < 2:
        raise GridError(
            "the cells of a samurai are two to five grids of 9×9; write all places row by row, "
            "441 for five grids, and - where there is no cell"
        )
    return grids


def _list_signs(text: str) -> list[str]:
    return [sign for sign in text if not sign.isspace() and sign not in _SKIPPED]


def _read_clues(signs: Sequence[str], rules: Rules) -> Grid:
    digit_of = {sign: digit for digit, sign in enumerate(DIGIT_CHARS[: rules.side], start=1)}
    digit_of |= dict.fromkeys(EMPTY_CHARS, 0)
    cells = set(rules.cells)
    clues = np.zeros(rules.width**2, np.uint8)
    for place, sign in enumerate(signs):
        digit = digit_of.get(sign.upper(), None)
        if place not in cells or (sign == NO_CELL and rules.kind is not Kind.SAMURAI):
            digit = 0
        if digit is None:
            row, column = divmod(place, rules.width)
            raise GridError(
                f"{sign!r} at row {row + 1}, column {column + 1} is no digit; use "
                f"1-{DIGIT_CHARS[rules.side - 1]} for a clue and . for an empty cell"
            )
        clues[place] = digit
    return clues.reshape(rules.width, rules.width)


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{value!r} is no whole number")
    return value


def _number(width: int, sets: Iterable[Iterable[int]]) -> Integers:
    """Return (width + 2, width + 2): for each place the number of its set, -1 beyond and for none.

    The paper has an edge of one place around it.
    """
    numbers = np.full((width + 2, width + 2), -1, np.int16)
    for number, cells in enumerate(sets):
        for cell in cells:
            numbers[cell // width + 1, cell % width + 1] = number
    return numbers


def _border(
    region_of: Integers, cage_of: Integers, one: tuple[int, int], other: tuple[int, int], signs: str
) -> str:
    """Return what is drawn between two places: a full line, a dotted one, or nothing."""
    first, second = ((row + 1, column + 1) for row, column in (one, other))
    if region_of[first] != region_of[second]:
        return signs[0]
    return signs[1] if cage_of[first] != cage_of[second] else signs[2]


def _meet(region_of: Integers, row: int, column: int) -> bool:
    """Return whether the corner before a place is one of a region, or lies on its line."""
    return len(np.unique(region_of[row : row + 2, column : column + 2])) > 1
