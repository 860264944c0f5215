"""Puzzles inside links: f-puzzles and SudokuPad, with rules of their own, and SudokuWiki.

The facts about f-puzzles' JSON are those of its exports: a grid of cells with value, given and
region, and beside it one list or switch for each constraint. Its links are packed by LZ-string:
LZW over the UTF-16 code units of a text, with codes that grow by a bit at a time, written six bits
a sign of Base64. Format: pieroxy, lz-string (https://pieroxy.net/blog/pages/lz-string/).
"""

import json
import re
from typing import Any, Final
from urllib.parse import quote, unquote

from solver.charset import DIGIT_CHARS
from solver.formats_kinds import KindPuzzle, parse_kind_puzzle
from solver.grid import Grid, GridError, as_grid, format_grid, parse_grid
from solver.layout import USUAL_BOXES
from solver.rules import Kind, box_rules

MAX_LENGTH: Final = 1_000_000
"""UTF-16 code units that a text may have; a short link can hold far more than any puzzle."""

_SIGNS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_VALUE_OF: Final = {sign: value for value, sign in enumerate(_SIGNS)}
_NEW_8_BIT: Final = 0
_NEW_16_BIT: Final = 1
_END: Final = 2
_FIRST_FREE: Final = 3
_NOTHING: Final = -1


class _CodeWidth:
    """How many bits the next code has; one more each time that as many codes are in use."""

    def __init__(self, bits: int) -> None:
        self.bits = bits
        self._left = 1 << (bits - 1)

    def count(self) -> None:
        self._left -= 1
        if self._left == 0:
            self._left = 1 << self.bits
            self.bits += 1


def compress_to_base64(text: str) -> str:
    """Compress a text as lz-string's ``compressToBase64`` does, sign for sign."""
    codes: dict[tuple[int, int], int] = {}  # (code of a phrase, unit) → code of both together
    unwritten: dict[int, int] = {}  # code → unit that the reader does not know yet
    width = _CodeWidth(2)
    bits: list[str] = []

    def put(value: int, n_bits: int) -> None:
        bits.append(f"{value:0{n_bits}b}"[::-1])

    def put_code(code: int) -> None:
        unit = unwritten.pop(code, None)
        if unit is None:
            put(code, width.bits)
        else:
            is_wide = unit > 255
            put(_NEW_16_BIT if is_wide else _NEW_8_BIT, width.bits)
            put(unit, 16 if is_wide else 8)
            width.count()
        width.count()

    phrase = _NOTHING
    for unit in _to_units(text):
        if (_NOTHING, unit) not in codes:
            code = codes[_NOTHING, unit] = len(codes) + _FIRST_FREE
            unwritten[code] = unit
        if (phrase, unit) not in codes:
            put_code(phrase)
            codes[phrase, unit] = len(codes) + _FIRST_FREE
            phrase = _NOTHING
        phrase = codes[phrase, unit]
    if phrase != _NOTHING:
        put_code(phrase)
    put(_END, width.bits)
    return _to_base64("".join(bits))


def decompress_from_base64(text: str) -> str:
    """Return the text that was compressed.

    Raises:
        ValueError: if the text is not what lz-string writes, or holds more than `MAX_LENGTH`.
    """
    try:
        bits = "".join(f"{_VALUE_OF[sign]:06b}" for sign in text.rstrip("="))
    except KeyError as error:
        raise ValueError(f"{error.args[0]!r} is no sign of Base64") from None
    position = 0

    def take(n_bits: int) -> int:
        """Return the next number, which was written from its lowest bit on."""
        nonlocal position
        position += n_bits
        if position > len(bits):
            raise ValueError("the compressed text ends too early")
        return int(bits[position - n_bits : position][::-1], 2)

    phrases: list[tuple[int, ...]] = [()] * _FIRST_FREE
    width = _CodeWidth(2)
    units: list[int] = []
    last: tuple[int, ...] = ()
    while (code := take(width.bits)) != _END:
        if code in (_NEW_8_BIT, _NEW_16_BIT):
            phrase: tuple[int, ...] = (take(8 if code == _NEW_8_BIT else 16),)
            phrases.append(phrase)
            width.count()
        elif code < len(phrases):
            phrase = phrases[code]
        elif code == len(phrases) and last:
            phrase = (*last, last[0])
        else:
            raise ValueError(f"code {code} stands before its phrase")
        if last:
            phrases.append((*last, phrase[0]))
        width.count()
        units.extend(phrase)
        last = phrase
        if len(units) > MAX_LENGTH:
            raise ValueError(f"the text is longer than {MAX_LENGTH:,} characters")
    return b"".join(unit.to_bytes(2, "little") for unit in units).decode("utf-16-le", "replace")


def _to_units(text: str) -> list[int]:
    data = text.encode("utf-16-le", "surrogatepass")
    return [low | high << 8 for low, high in zip(data[::2], data[1::2], strict=True)]


def _to_base64(bits: str) -> str:
    # There is always a bit to spare after the last code, even if that takes another sign.
    padded = bits + "0" * (6 - len(bits) % 6)
    signs = [_SIGNS[int(padded[start : start + 6], 2)] for start in range(0, len(padded), 6)]
    return "".join(signs) + "=" * (-len(signs) % 4)


_F_PUZZLES: Final = "https://www.f-puzzles.com/?load="
_SUDOKU_PAD: Final = "https://sudokupad.app/?puzzleid=fpuzzles"
_SUDOKU_WIKI: Final = "https://www.sudokuwiki.org/sudoku.htm?bd="

_LINK: Final = re.compile(r"\s*(https?://|www\.|[\w.-]+\.[a-z]{2,6}/)", re.IGNORECASE)
_F_PUZZLES_DATA: Final = re.compile(
    r"[?&]load=([^&#\s]+)|[/=]fpuz(?:zles)?((?:N4I|%4E)[^&#\s?]+)", re.IGNORECASE
)
_NUMBER: Final = re.compile(r"sudokupad\.app/|crackingthecryptic\.com/", re.IGNORECASE)
_CELL: Final = re.compile(r"R(\d{1,2})C(\d{1,2})", re.IGNORECASE)
_F_PUZZLES_ID: Final = re.compile(r"f-puzzles\.com/?\?id=", re.IGNORECASE)
_SUDOKU_WIKI_DATA: Final = re.compile(r"[?&]bd=([^&#\s]*)", re.IGNORECASE)

_DIAGONALS: Final = ("diagonal+", "diagonal-")
_KNOWN: Final = frozenset({*_DIAGONALS, "killercage", "extraregion"})
"""The constraints that are read."""

_WITHOUT_RULES: Final = frozenset(
    {"size", "title", "author", "ruleset", "grid", "solution", "successMessage"}
    | {"highlightConflicts", "disabledlogic", "truecandidatesoptions"}
)
"""The parts of f-puzzles' JSON that are descriptions and settings; drawings may stand for rules."""


def is_link(text: str) -> bool:
    """Return whether the text begins as an address in the web does."""
    return _LINK.match(text) is not None


def parse_link(text: str) -> KindPuzzle:
    """Read the clues and the rules out of a link; nothing is fetched.

    Raises:
        GridError: if the link holds no puzzle, or one with constraints that are not known.
    """
    found = _F_PUZZLES_DATA.search(text)
    if found:
        return parse_f_puzzles(found[1] or found[2])
    if _F_PUZZLES_ID.search(text) or _NUMBER.search(text):
        raise GridError(
            "this link has only a name that its site knows, or a form that is not read; open the "
            f"puzzle in f-puzzles, choose Export, and take the long link, {_F_PUZZLES}…"
        )
    found = _SUDOKU_WIKI_DATA.search(text)
    if found:
        return KindPuzzle(box_rules(9), _parse_sudoku_wiki(unquote(found[1])))
    raise GridError(
        "no puzzle is written in this link; links like "
        f"{_F_PUZZLES}…, {_SUDOKU_PAD}… and {_SUDOKU_WIKI}… can be read"
    )


def f_puzzles_link(puzzle: KindPuzzle, title: str = "") -> str:
    """Return the link that opens the puzzle on f-puzzles.com.

    Raises:
        GridError: for a samurai, which the site does not have.
    """
    return _F_PUZZLES + _compress(puzzle, title)


def sudoku_pad_link(puzzle: KindPuzzle, title: str = "") -> str:
    """Return the link that opens the puzzle on sudokupad.app, which takes f-puzzles' data.

    Raises:
        GridError: for a samurai, which the format does not have.
    """
    return _SUDOKU_PAD + quote(_compress(puzzle, title), safe="")


def sudoku_wiki_link(grid: Grid) -> str:
    """Return the link that opens the puzzle in SudokuWiki's solver.

    Raises:
        GridError: for another size than 9×9, which that solver does not have.
    """
    if as_grid(grid).shape != (9, 9):
        raise GridError(f"SudokuWiki takes 9×9 puzzles, not {len(grid)}×{len(grid)}")
    return _SUDOKU_WIKI + format_grid(grid).replace(".", "0")


def parse_f_puzzles(data: str) -> KindPuzzle:
    """Read the compressed part of an f-puzzles link; the given digits are the clues.

    Raises:
        GridError: if it cannot be read, or has constraints that are not known.
    """
    # A plus sign in an address is often turned into a blank on the way.
    data = unquote(data).replace(" ", "+")
    try:
        puzzle = json.loads(decompress_from_base64(data))
    except (ValueError, RecursionError):
        raise GridError(
            "the f-puzzles link is damaged or cut short; copy the whole link once more"
        ) from None
    if not isinstance(puzzle, dict) or not isinstance(puzzle.get("grid"), list):
        raise GridError("the f-puzzles link holds no grid; export the puzzle once more")
    rules = sorted(name for name in puzzle.keys() - _WITHOUT_RULES - _KNOWN if puzzle[name])
    if rules:
        raise GridError(
            f"the f-puzzles link has constraints that are not known: {', '.join(rules)}; only "
            "regions, both diagonals, windows and killer cages can be read"
        )
    cells = _list_cells(puzzle["grid"])
    side = len(puzzle["grid"])
    marks = _read_marks(puzzle, side)
    regions = _read_regions(cells, side)
    if regions is None:
        told: dict[str, Any] = {"kind": Kind.CLASSIC.value}
    elif _are_boxes(regions, side):
        told = {"kind": Kind.CLASSIC.value, "regions": regions}
    else:
        told = {"kind": Kind.JIGSAW.value, "regions": regions}
        marks = {Kind.JIGSAW: {}, **marks}
    if len(marks) > 1:
        raise GridError(
            f"the puzzle of the link is {' and '.join(marks)} at once; only puzzles of one of "
            "these kinds can be read"
        )
    for kind, parts in marks.items():
        told |= {"kind": kind.value, **parts}
    return parse_kind_puzzle(json.dumps({**told, "clues": _read_digits(cells, side)}))


def _compress(puzzle: KindPuzzle, title: str) -> str:
    rules = puzzle.rules
    if rules.kind is Kind.SAMURAI:
        raise GridError(
            "links of f-puzzles and SudokuPad hold one grid, and no samurai; write it as text"
        )
    cells: list[dict[str, Any]] = [
        {"value": digit, "given": True} if digit else {} for digit in puzzle.clues.ravel().tolist()
    ]
    if not rules.has_usual_boxes:
        for number, region in enumerate(rules.regions):
            for cell in region:
                cells[cell]["region"] = number
    side = rules.side
    told: dict[str, Any] = {
        "size": side,
        "grid": [cells[start : start + side] for start in range(0, side**2, side)],
    }
    if rules.kind is Kind.DIAGONAL:
        told |= dict.fromkeys(_DIAGONALS, True)
    elif rules.kind is Kind.WINDOKU:
        told["extraregion"] = [{"cells": _name_cells(unit, side)} for unit in rules.added_units]
    if rules.cages:
        told["killercage"] = [
            {"cells": _name_cells(cage.cells, side), "value": str(cage.total)}
            for cage in rules.cages
        ]
    if title:
        told["title"] = title
    return compress_to_base64(json.dumps(told, separators=(",", ":")))


def _list_cells(rows: list[Any]) -> list[dict[str, Any]]:
    side = len(rows)
    if side not in USUAL_BOXES or not all(
        isinstance(row, list) and len(row) == side for row in rows
    ):
        sizes = ", ".join(f"{size}×{size}" for size in USUAL_BOXES)
        raise GridError(f"the f-puzzles grid has a size that no grid has; take one of {sizes}")
    return [cell if isinstance(cell, dict) else {} for row in rows for cell in row]


def _read_digits(cells: list[dict[str, Any]], side: int) -> str:
    digits = [cell.get("value") or 0 if cell.get("given") else 0 for cell in cells]
    if not all(isinstance(digit, int) and 0 <= digit <= side for digit in digits):
        raise GridError(f"the f-puzzles grid has digits beyond 1-{side}; export it once more")
    return "".join(f".{DIGIT_CHARS}"[digit] for digit in digits)


def _read_regions(cells: list[dict[str, Any]], side: int) -> str | None:
    """Return a character a cell that names its region; None for the usual boxes."""
    box_of = (USUAL_BOXES[side].units_of_cell[:, 2] - 2 * side).tolist()
    regions = [cell.get("region", box) for cell, box in zip(cells, box_of, strict=True)]
    if not all(isinstance(region, int) and 0 <= region < side for region in regions):
        raise GridError("the f-puzzles grid has cells in no region; give every cell one")
    return None if regions == box_of else "".join(DIGIT_CHARS[region] for region in regions)


def _are_boxes(regions: str, side: int) -> bool:
    """Return whether the regions are boxes, if only others than the usual ones."""
    try:
        parse_kind_puzzle("." * side**2, regions=regions)
    except GridError:
        return False
    return True


def _read_marks(puzzle: dict[str, Any], side: int) -> dict[Kind, dict[str, Any]]:
    """Return the kinds that the constraints make, each with the fields that it adds."""
    marks: dict[Kind, dict[str, Any]] = {}
    drawn = [name for name in _DIAGONALS if puzzle.get(name)]
    if len(drawn) == 1:
        raise GridError(f"the puzzle of the link has {drawn[0]} alone; only both can be read")
    if drawn:
        marks[Kind.DIAGONAL] = {}
    if puzzle.get("extraregion"):
        added = [
            _read_names(entry, "extraregion", side) for entry in _entries(puzzle, "extraregion")
        ]
        if not _are_windows(added, side):
            raise GridError(
                "the puzzle of the link has extra regions (extraregion) that are no windows of a "
                "windoku; only those can be read"
            )
        marks[Kind.WINDOKU] = {}
    if puzzle.get("killercage"):
        cages = []
        for entry in _entries(puzzle, "killercage"):
            value = str(entry.get("value") or "")
            if not value.isascii() or not value.isdecimal():
                raise GridError(
                    f"the puzzle of the link has a killer cage with {value or 'nothing'!r} for a "
                    "sum; only cages with sums can be read"
                )
            cages.append([int(value[:9]), _read_names(entry, "killercage", side)])
        marks[Kind.KILLER] = {"cages": cages}
    return marks


def _are_windows(added: list[list[int]], side: int) -> bool:
    try:
        windows = box_rules(side, Kind.WINDOKU).added_units
    except GridError:
        return False
    return sorted(map(sorted, added)) == sorted(map(list, windows))


def _entries(puzzle: dict[str, Any], name: str) -> list[dict[str, Any]]:
    entries = puzzle[name]
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise GridError(f"the f-puzzles link has a damaged {name}; export the puzzle once more")
    return entries


def _read_names(entry: dict[str, Any], name: str, side: int) -> list[int]:
    """Return the cells of a constraint, which are named like R1C6."""
    names = entry.get("cells")
    found = [_CELL.fullmatch(str(cell)) for cell in names] if isinstance(names, list) else [None]
    cells = []
    for match in found:
        row, column = (int(match[1]) - 1, int(match[2]) - 1) if match else (-1, -1)
        if not 0 <= row < side or not 0 <= column < side:
            raise GridError(
                f"the f-puzzles link has a {name} with cells that the grid does not have; export "
                "the puzzle once more"
            )
        cells.append(row * side + column)
    return cells


def _name_cells(cells: tuple[int, ...], side: int) -> list[str]:
    return [f"R{cell // side + 1}C{cell % side + 1}" for cell in cells]


def _parse_sudoku_wiki(board: str) -> Grid:
    if re.fullmatch(r"[0-9.]{81}", board):
        return parse_grid(board)
    raise GridError(
        f"the part bd= of the SudokuWiki link has {len(board)} characters instead of 81 digits; "
        "on the site choose the short link, without candidates"
    )
