"""Puzzles as texts: opened as they were typed, and written in every format.

A source is a text, a link, a file in any format, or stdin. Where the rules are told, by an option
or with the puzzle, it may be of any kind.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from io import BufferedReader
from pathlib import Path
from typing import Final

from app.terminal.exit_codes import InputError, UsageError
from app.terminal.named_files import STDIN, name_of, open_stdin, read_lines
from solver.charset import DIGIT_CHARS, EMPTY_CHARS
from solver.formats import (
    Format,
    find_kind,
    format_kind,
    parse_any_kind,
    parse_puzzle,
    read_any,
    tells_rules,
    write_any,
)
from solver.formats_kinds import (
    KindPuzzle,
    format_cells,
    format_kind_puzzle,
    parse_boxes,
    parse_kind_puzzle,
)
from solver.formats_links import is_link
from solver.grid import GridError, PuzzleLine, read_line
from solver.layout import LAYOUTS, USUAL_BOXES
from solver.rules import Kind, box_rules

_HEAD_BYTES: Final = 256


def find_file(source: str) -> Path | None:
    """Return the file that was named, or None for stdin, and where it can only be a puzzle.

    Raises:
        InputError: if it is a folder.
    """
    if source == STDIN:
        return None
    path = Path(source)
    try:
        if path.is_dir():
            raise InputError(f"{source} is a folder; name a file with one puzzle a line")
        return path if path.exists() else None
    except (OSError, ValueError):  # a whole grid is too long for a name on some systems
        return None


def _parse_text(source: str) -> PuzzleLine:
    line = read_line(1, source, parse_puzzle)
    if line.error and _looks_like_a_path(source) and find_kind(line) is None:
        raise InputError(f"there is no file {source}, and it is no puzzle either") from line.error
    return line


def refuse_missing_file(source: str) -> None:
    """Refuse a text that is the name of a file rather than a puzzle.

    Raises:
        InputError: if it is.
    """
    _parse_text(source)


def _looks_like_a_path(text: str) -> bool:
    """Tell a mistyped file name from a mistyped puzzle."""
    if "://" in text or "<" in text:
        return False
    return "/" in text or "\\" in text or Path(text).suffix[1:].isalpha()


@dataclass(frozen=True)
class KindWishes:
    """What the command line tells about the rules of the puzzles.

    A character names the region of each cell; cages are JSON, and a box is such as 3x2.
    """

    kind: str | None = None
    regions: str | None = None
    cages: str | None = None
    box: str | None = None

    @property
    def is_any(self) -> bool:
        """Whether anything is told."""
        return any(wish is not None for wish in (self.kind, self.regions, self.cages, self.box))


_NO_WISHES: Final = KindWishes()


@dataclass(frozen=True, eq=False)
class ReadPuzzle:
    """One puzzle of a source, from its line on: either it and its rules, or why there is none.

    Attributes:
        is_told: whether its rules are told beside its cells, so that answers tell them, too.
    """

    number: int
    puzzle: KindPuzzle | None
    error: GridError | None
    is_told: bool = True


def open_puzzles(
    source: str, wishes: KindWishes = _NO_WISHES, advance: Callable[[int], None] | None = None
) -> Iterator[ReadPuzzle]:
    """Read the puzzles that a text, a file or stdin holds, one at a time.

    `advance` is told how many bytes of a file were read.

    Raises:
        InputError: if the source is neither a file nor a puzzle, or no file of its format.
        UsageError: if the boxes that were wished for are none.
    """
    if gives_rules(source, wishes):
        yield from _read_kinds(source, wishes)
        return
    path = find_file(source)
    try:
        if path is None and source != STDIN:
            yield _take_line(_parse_text(source))
        else:
            lines = read_lines(path, advance)
            yield from map(_take_line, read_any(lines, path.suffix if path else ""))
    except GridError as error:
        raise InputError(f"{name_of(source)}: {error}") from error


def _take_line(line: PuzzleLine) -> ReadPuzzle:
    """Return the puzzle of a line; one whose link holds its own rules is told."""
    if line.grid is None:
        return ReadPuzzle(line.number, find_kind(line), line.error)
    return ReadPuzzle(
        line.number, KindPuzzle(box_rules(len(line.grid)), line.grid), None, is_told=False
    )


def gives_rules(source: str, wishes: KindWishes) -> bool:
    """Return whether the rules are told: by an option, a JSON object, or a side that needs them."""
    if wishes.is_any:
        return True
    if source == STDIN:
        stdin = open_stdin()
        return isinstance(stdin, BufferedReader) and _begins_object(stdin.peek(_HEAD_BYTES))
    path = find_file(source)
    if path is None:
        signs = set(source.upper().split()[0]) if len(source.split()) == 1 else set()
        is_cells = bool(signs) and signs <= EMPTY_CHARS | set(DIGIT_CHARS)
        other_sizes = {side**2 for side in USUAL_BOXES.keys() - LAYOUTS.keys()}
        return source.lstrip().startswith("{") or (is_cells and len(source.strip()) in other_sizes)
    try:
        with path.open("rb") as file:
            return _begins_object(file.read(_HEAD_BYTES))
    except OSError:
        return False  # whoever reads the file tells what is wrong with it


def _read_kinds(source: str, wishes: KindWishes) -> Iterator[ReadPuzzle]:
    """Read puzzles whose rules are told: one a line, or a text that is a single one."""
    kind = None if wishes.kind is None else Kind(wishes.kind)
    try:
        boxes = None if wishes.box is None else parse_boxes(wishes.box)
    except GridError as error:
        raise UsageError(str(error)) from error
    n_puzzles = 0
    for number, text in _split(source):
        n_puzzles += 1
        try:
            if wishes.is_any and is_link(text):
                raise GridError("a link tells its rules itself; leave --kind and the like out")
            if wishes.is_any:
                puzzle = parse_kind_puzzle(text, kind, wishes.regions, wishes.cages, boxes)
            else:
                puzzle = parse_any_kind(text)
            yield ReadPuzzle(number, puzzle, None)
        except GridError as error:
            yield ReadPuzzle(number, None, error)
    if not n_puzzles:
        raise InputError(f"{name_of(source)} holds no puzzle; write one a line")


def _begins_object(head: bytes) -> bool:
    return head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{")


def _split(source: str) -> Iterator[tuple[int, str]]:
    """Yield the texts of puzzles, and the lines where they begin."""
    path = find_file(source)
    if path is None and source != STDIN:
        yield 1, source
        return
    lines = [
        (number, text)
        for number, line in enumerate(read_lines(path), start=1)
        if (text := line.strip("\ufeff \t\r\n")) and not text.startswith("#")
    ]
    # Some may be bad ones, which must not take the others with them.
    if 2 * sum(_is_whole(text) for _, text in lines) >= len(lines):
        yield from lines
    else:
        yield lines[0][0], "\n".join(text for _, text in lines)


def _is_whole(text: str) -> bool:
    """Return whether a line looks like a puzzle, and not like a row or a part of one."""
    if tells_rules(text):
        return not text.startswith("{") or text.endswith("}")
    return len(text) in {side**2 for side in USUAL_BOXES} | {15**2, 21**2}


SUFFIXES: Final = {
    Format.LINE: ".txt",
    Format.SDM: ".sdm",
    Format.SDK: ".sdk",
    Format.SS: ".ss",
    Format.OPENSUDOKU: ".opensudoku",
    Format.F_PUZZLES: ".txt",
    Format.SUDOKU_PAD: ".txt",
    Format.SUDOKU_WIKI: ".txt",
}
"""Of files of each format."""

LINKS: Final = frozenset({Format.F_PUZZLES, Format.SUDOKU_PAD, Format.SUDOKU_WIKI})
"""Formats that are an address on the web; people paste them rather than keep them as files."""

_MOST_SIDE: Final = 25
"""Rows and columns that can be shown; five grids one below the other would have 33."""

_LONGEST_STEM: Final = 60
_UNSAFE: Final = re.compile(r'[\x00-\x1f<>:"/\\|?*]+')
_RESERVED: Final = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")
"""Names that Windows keeps for devices."""


class Content(Enum):
    """What a file holds, as its suggested name says it."""

    PUZZLE = "puzzle"
    SOLUTION = "solution"
    PICTURE = "solved"


def write_text(puzzle: KindPuzzle) -> str:
    """Return a puzzle as text: its cells, or JSON with its rules where they are its own."""
    if puzzle.rules.is_classic:
        return format_cells(puzzle.rules, puzzle.clues)
    return format_kind_puzzle(puzzle)


def read_text(text: str) -> KindPuzzle:
    """Return a puzzle in any format.

    Raises:
        GridError: if it is no puzzle.
    """
    puzzle = parse_any_kind(text)
    if len(puzzle.clues) > _MOST_SIDE:
        raise GridError(f"puzzles of up to {_MOST_SIDE}×{_MOST_SIDE} places can be opened here")
    return puzzle


def read_texts(text: str) -> Iterator[KindPuzzle]:
    """Yield the only puzzle of a text as `read_text` does, or those of a collection.

    Raises:
        GridError: if it holds no puzzle.
    """
    try:
        yield read_text(text)
    except GridError as error:
        # A line of dashes is no puzzle, though it can be read as an empty one.
        found = (
            line for line in read_any(text.splitlines()) if line.grid is None or line.grid.any()
        )
        puzzles = _list_shown(_take_line(line).puzzle for line in found)
        first = next(puzzles, None)
        if first is None:
            raise error from None
        yield first
        yield from puzzles


def read_file(path: Path) -> Iterator[KindPuzzle]:
    """Yield the puzzles of a file in any format as `read_text` does; bad ones are left out.

    Raises:
        InputError: if the file cannot be read, or is none of its format.
    """
    return _list_shown(one.puzzle for one in open_puzzles(str(path.absolute())))


_MOST_BAD: Final = 200
"""Lines that hold no puzzle, after which a text has none."""


def _list_shown(puzzles: Iterable[KindPuzzle | None]) -> Iterator[KindPuzzle]:
    """Yield the puzzles that are good ones and can be shown; none of what is mere prose."""
    n_good = 0
    for number, puzzle in enumerate(puzzles):
        if puzzle is not None and len(puzzle.clues) <= _MOST_SIDE:
            n_good += 1
            yield puzzle
        if number > _MOST_BAD and not n_good:
            return


def write_puzzle(puzzle: KindPuzzle, form: Format, title: str = "") -> str:
    """Return the text of a file, or the link, that holds one puzzle in a format.

    Raises:
        GridError: for a kind or a size that the format does not have.
    """
    if puzzle.has_shape_alone:
        lines = list(write_any([puzzle.clues], form, title))
    else:
        lines = [format_kind(puzzle, form, title)]
    return lines[0] if form in LINKS else "".join(f"{line}\n" for line in lines)


def suggest_name(source: str, content: Content, suffix: str) -> str:
    """Return a file name that every system takes, after the photo that the puzzle is from."""
    stem = _UNSAFE.sub("-", Path(source.replace("\\", "/")).stem).strip(" .-")[:_LONGEST_STEM]
    if not stem or _RESERVED.fullmatch(stem):
        stem = "sudoku"
    return f"{stem}-{content.value}{suffix}"
