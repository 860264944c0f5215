"""OpenSudoku's XML: `<opensudoku>` with a `<game data="…">` a puzzle, in folders or not."""

import re
from collections.abc import Iterable, Iterator
from typing import Final
from xml.parsers import expat
from xml.sax.saxutils import quoteattr

from solver.grid import Grid, GridError, PuzzleLine, as_grid, format_grid, parse_grid

MAX_CHARACTERS: Final = 200_000_000
"""A file that is larger holds something else."""

MAX_ATTRIBUTE: Final = 100_000
"""A game that is longer holds something else."""

_SAVED: Final = re.compile(r"version: [1-9]\s+((?:[^|]*\|)+)\s*")


def read_opensudoku(lines: Iterable[str]) -> Iterator[PuzzleLine]:
    """Read the puzzles of an OpenSudoku file one at a time, with the line where each stands.

    Games are 81 digits or, as the app saves a begun one, its cells with notes: of those only the
    clues are taken. A document type is refused, because entities can blow up or name other files.

    Raises:
        GridError: if the text is no such XML.
    """
    found: list[PuzzleLine] = []
    is_root = True
    parser = expat.ParserCreate()

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal is_root
        if is_root and name != "opensudoku":
            raise GridError(f"the XML begins with <{name}>; an OpenSudoku file has <opensudoku>")
        is_root = False
        if name == "game":
            data = attributes.get("data") or attributes.get("cells_data") or ""
            found.append(_read_game(data, parser.CurrentLineNumber))

    def refuse(*_: object) -> None:
        raise GridError("the XML has a document type, which is refused; delete <!DOCTYPE …>")

    parser.StartElementHandler = start
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    length = 0
    try:
        for line in lines:
            length += len(line)
            if length > MAX_CHARACTERS:
                raise GridError(f"the XML is longer than {MAX_CHARACTERS:,} characters; split it")
            parser.Parse(line.removeprefix("\ufeff"), False)
            yield from found
            found.clear()
        parser.Parse("", True)
    except expat.ExpatError as error:
        raise GridError(
            f"the XML is damaged in line {error.lineno} ({expat.ErrorString(error.code)}); "
            "export the puzzles once more"
        ) from None


def write_opensudoku(grids: Iterable[Grid], title: str = "Sudoku Lens") -> Iterator[str]:
    """Yield the lines of an OpenSudoku file with the puzzles in one folder.

    Raises:
        GridError: for another size than 9×9, which the app does not have.
    """
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<opensudoku version="2">'
    yield f"  <name>{_escape(title)}</name>"
    yield f"  <folder name={quoteattr(title)}>"
    for grid in grids:
        if as_grid(grid).shape != (9, 9):
            raise GridError(f"OpenSudoku takes 9×9 puzzles, not {len(grid)}×{len(grid)}")
        yield f'    <game data="{format_grid(grid).replace(".", "0")}"/>'
    yield "  </folder>"
    yield "</opensudoku>"


def _read_game(data: str, line: int) -> PuzzleLine:
    try:
        if len(data) > MAX_ATTRIBUTE:
            raise GridError(f"the game has {len(data):,} characters; 81 digits are wanted")
        saved = _SAVED.fullmatch(data)
        return PuzzleLine(line, data, parse_grid(_clues_of(saved[1]) if saved else data), None)
    except GridError as error:
        return PuzzleLine(line, data[:200], None, error)


def _clues_of(cells: str) -> str:
    """Return the clues of a begun game; each cell ends with 0 where its digit cannot be changed.

    Between the digit and that flag stand notes and colours, more of them with each version.
    Version 2 has been seen with an empty field more, which the division by 81 takes in its stride.
    """
    fields = cells.split("|")[:-1]
    n_fields, rest = divmod(len(fields), 81)
    if rest or n_fields < 3:
        raise GridError(
            f"the saved game has {len(fields)} fields, which do not make 81 cells; export the "
            "puzzles once more"
        )
    pairs = zip(fields[::n_fields], fields[n_fields - 1 :: n_fields], strict=True)
    return "".join(digit if flag == "0" else "." for digit, flag in pairs)


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
