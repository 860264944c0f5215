"""Import and export: every way of writing puzzles that is read, and those that are written.

OpenSudoku's XML is among them: `<opensudoku>` with a `<game data="…">` a puzzle, in folders or not.
"""

import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from enum import StrEnum
from typing import Final
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from solver.formats_kinds import KindPuzzle, format_kind_puzzle, parse_kind_puzzle
from solver.formats_links import (
    f_puzzles_link,
    is_link,
    parse_link,
    sudoku_pad_link,
    sudoku_wiki_link,
)
from solver.grid import (
    Grid,
    GridError,
    PuzzleLine,
    as_grid,
    format_grid,
    parse_grid,
    read_line,
    read_puzzles,
)
from solver.layout import layout_of
from solver.rules import Kind, box_rules

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
            line = read_line(parser.CurrentLineNumber, data, _parse_game)
            found.append(line if line.error is None else replace(line, text=data[:200]))

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
    yield f"  <name>{escape(title)}</name>"
    yield f"  <folder name={quoteattr(title)}>"
    for grid in grids:
        if as_grid(grid).shape != (9, 9):
            raise GridError(f"OpenSudoku takes 9×9 puzzles, not {len(grid)}×{len(grid)}")
        yield f'    <game data="{format_grid(grid).replace(".", "0")}"/>'
    yield "  </folder>"
    yield "</opensudoku>"


def _parse_game(data: str) -> Grid:
    if len(data) > MAX_ATTRIBUTE:
        raise GridError(f"the game has {len(data):,} characters; 81 digits are wanted")
    saved = _SAVED.fullmatch(data)
    return parse_grid(_clues_of(saved[1]) if saved else data)


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


_SS_FRAME: Final = re.compile(r"\s*\*-{9,}\*\s*")
_SDK_SECTION: Final = re.compile(r"\s*\[(\w+)\]\s*")
_XML: Final = frozenset({".opensudoku", ".xml"})


class Format(StrEnum):
    """The formats that puzzles can be written in, by the names that users type."""

    LINE = "line"
    SDM = "sdm"
    SDK = "sdk"
    SS = "ss"
    OPENSUDOKU = "opensudoku"
    F_PUZZLES = "fpuzzles"
    SUDOKU_PAD = "sudokupad"
    SUDOKU_WIKI = "sudokuwiki"


KIND_FORMATS: Final = frozenset({Format.LINE, Format.F_PUZZLES, Format.SUDOKU_PAD})
"""Those that hold puzzles of every kind."""


def parse_puzzle(text: str) -> Grid:
    """Read one classic puzzle in any format that a person might paste.

    Returns:
        (side, side) uint8.

    Raises:
        GridError: if there is none, or more than one.
    """
    if is_link(text):
        return _parse_told(text)
    lines = text.splitlines()
    if "<" in text or any(_SDK_SECTION.fullmatch(line) or _is_frame(line) for line in lines):
        puzzles = list(itertools.islice(read_any(lines), 2))
        if len(puzzles) != 1:
            found = "several puzzles" if puzzles else "no puzzle"
            raise GridError(f"the text holds {found}; give one")
        grid, error = puzzles[0].grid, puzzles[0].error
        if error is not None or grid is None:
            raise error or GridError("the text holds no puzzle")
        return grid
    return parse_grid(text)


def tells_rules(text: str) -> bool:
    """Return whether a text is a link or a JSON object, which stand on a line of their own."""
    return is_link(text) or text.lstrip("\ufeff \t").startswith("{")


def parse_any_kind(text: str) -> KindPuzzle:
    """Read one puzzle of any kind and side in any format that a person might paste.

    Raises:
        GridError: if there is none, or more than one.
    """
    if is_link(text):
        return parse_link(text)
    if text.lstrip().startswith("{"):
        return parse_kind_puzzle(text)
    try:
        clues = parse_puzzle(text)
    except GridError as error:
        try:
            return parse_kind_puzzle(text)
        except GridError:
            raise error from None
    return KindPuzzle(box_rules(len(clues)), clues)


def find_kind(line: PuzzleLine) -> KindPuzzle | None:
    """Return the puzzle of a line that tells its rules where no classic grid can; else None."""
    if line.grid is not None or not tells_rules(line.text):
        return None
    try:
        return parse_any_kind(line.text)
    except GridError:
        return None


def read_any(lines: Iterable[str], suffix: str = "") -> Iterator[PuzzleLine]:
    """Read puzzles in any format one at a time; a bad one becomes an item, not an exception.

    The content decides, and the suffix where the content leaves a doubt: in ``.sdm`` files each
    line is a puzzle; in ``.sdk`` files the section ``[State]`` counts where there is no
    ``[Puzzle]``. Links and JSON objects may stand among other lines; see `find_kind`.

    Args:
        lines: of the text, with or without line ends.
        suffix: of the file that they come from, such as ``.sdk``; nothing where there is none.

    Raises:
        GridError: if the whole text is damaged XML, or XML of another kind.
    """
    suffix = suffix.lower()
    begun, first = _skip_blank(iter(lines))
    if first.lstrip("\ufeff \t").startswith("<"):
        return read_opensudoku(begun)
    if suffix in _XML:
        raise GridError(f"a {suffix} file begins with <; this one holds something else")
    if suffix == ".sdk":
        return _read_sdk(begun)
    if suffix == ".sdm":
        return _read_sdm(begun)
    return _read_mixed(begun)


def write_any(grids: Iterable[Grid], form: Format, title: str = "") -> Iterator[str]:
    """Yield the lines of a text that holds the puzzles, without line ends.

    Several puzzles as ``sdk`` or ``ss``, whose programs keep one a file, are set apart by an
    empty line; `read_any` reads them all.

    Raises:
        GridError: for a size that the format does not have.
    """
    if form is Format.OPENSUDOKU:
        yield from write_opensudoku(grids, title or "Sudoku Lens")
        return
    for number, grid in enumerate(grids):
        if number and form in (Format.SDK, Format.SS):
            yield ""
        yield from format_puzzle(grid, form, title)


def format_puzzle(grid: Grid, form: Format, title: str = "") -> list[str]:
    """Return the lines that hold one puzzle.

    Raises:
        GridError: for a size that the format does not have.
    """
    match form:
        case Format.LINE:
            return [format_grid(grid)]
        case Format.SDM:
            _want_nine(grid, "an .sdm file")
            return [format_grid(grid).replace(".", "0")]
        case Format.SDK:
            _want_nine(grid, "an .sdk file")
            return [*([f"#D{title}"] if title else []), "[Puzzle]", *_rows(grid)]
        case Format.SS:
            _want_nine(grid, "an .ss file")
            return _draw_ss(grid)
        case Format.OPENSUDOKU:
            return list(write_opensudoku([grid], title or "Sudoku Lens"))
        case Format.F_PUZZLES | Format.SUDOKU_PAD:
            return [format_kind(KindPuzzle(box_rules(len(grid)), grid), form, title)]
        case Format.SUDOKU_WIKI:
            return [sudoku_wiki_link(grid)]


def format_kind(puzzle: KindPuzzle, form: Format, title: str = "") -> str:
    """Return the line that holds a puzzle of any kind: its JSON object, or a link.

    Raises:
        GridError: for a format that knows the classic rules alone, and a samurai in a link.
    """
    match form:
        case Format.LINE:
            return format_kind_puzzle(puzzle)
        case Format.F_PUZZLES:
            return f_puzzles_link(puzzle, title)
        case Format.SUDOKU_PAD:
            return sudoku_pad_link(puzzle, title)
        case _:
            kind = puzzle.rules.kind
            able = [Format.LINE] if kind is Kind.SAMURAI else sorted(KIND_FORMATS)
            raise GridError(
                f"{form.value} holds classic puzzles of the usual sides, not a {kind.value} of "
                f"side {puzzle.rules.side}; take {', '.join(able)}"
            )


def _rows(grid: Grid) -> list[str]:
    side = layout_of(grid).side
    signs = format_grid(grid)
    return [signs[start : start + side] for start in range(0, side * side, side)]


def _draw_ss(grid: Grid) -> list[str]:
    rows = [f"|{row[:3]}|{row[3:6]}|{row[6:]}|" for row in _rows(grid)]
    rule = "|---+---+---|"
    frame = "*-----------*"
    return [frame, *rows[:3], rule, *rows[3:6], rule, *rows[6:], frame]


def _want_nine(grid: Grid, what: str) -> None:
    if layout_of(grid).side != 9:
        raise GridError(f"{what} holds 9×9 puzzles, not {len(grid)}×{len(grid)}; choose line")


def _parse_told(text: str) -> Grid:
    """Return the clues of a link that holds a classic puzzle; JSON objects are for `find_kind`."""
    puzzle = parse_any_kind(text)
    if not is_link(text) or not puzzle.has_shape_alone:
        rules = puzzle.rules
        raise GridError(
            f"the line holds a {rules.kind.value} puzzle of side {rules.side} with rules of its "
            "own; only classic puzzles can be read here"
        )
    return puzzle.clues


def _skip_blank(lines: Iterator[str]) -> tuple[Iterator[str], str]:
    """Return the lines once more, and the first that is not blank."""
    seen: list[str] = []
    for line in lines:
        seen.append(line)
        if line.strip("\ufeff \t\r\n"):
            break
    return itertools.chain(seen, lines), seen[-1] if seen else ""


def _read_mixed(lines: Iterable[str]) -> Iterator[PuzzleLine]:
    """Read lines, drawn grids, links and JSON objects, in any order."""
    numbered = enumerate(lines, start=1)
    for are_told, group in itertools.groupby(numbered, key=lambda item: tells_rules(item[1])):
        if are_told:
            for number, line in group:
                yield read_line(number, line.strip("\ufeff \t\r\n"), _parse_told)
            continue
        number, line = next(group)
        # Only what is left of the group is used here, once.
        rest = itertools.chain([line], (text for _, text in group))  # noqa: B031
        yield from _renumber(read_puzzles(map(_without_frame, rest)), number - 1)


def _read_sdm(lines: Iterable[str]) -> Iterator[PuzzleLine]:
    """Read a collection; a line that is too short is a bad puzzle, not the row of one."""
    for number, line in enumerate(lines, start=1):
        text = line.strip("\ufeff \t\r\n")
        if not text or text.startswith("#"):
            continue
        yield read_line(number, text, _parse_told if tells_rules(text) else parse_grid)


def _read_sdk(lines: Iterable[str]) -> Iterator[PuzzleLine]:
    """Read SadMan's files, whose section [State] is the puzzle if there is no other."""
    text = [line.strip("\ufeff \t\r\n") for line in itertools.islice(lines, 100_000)]
    sections = {match[1].lower() for line in text if (match := _SDK_SECTION.fullmatch(line))}
    if "state" in sections and "puzzle" not in sections:
        text = ["[Puzzle]" if line.lower() == "[state]" else line for line in text]
    return _read_mixed(text)


def _renumber(puzzles: Iterator[PuzzleLine], offset: int) -> Iterator[PuzzleLine]:
    if not offset:
        return puzzles
    return (replace(puzzle, number=puzzle.number + offset) for puzzle in puzzles)


def _is_frame(line: str) -> bool:
    return _SS_FRAME.fullmatch(line) is not None


def _without_frame(line: str) -> str:
    """Drop the frame of Simple Sudoku, whose asterisks would pass for empty cells."""
    return "" if _is_frame(line) else line
