"""Opens what was typed as puzzles: a text, a link, a file in any format, or stdin."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from app.terminal.exits import InputError
from app.terminal.named_files import read_lines
from solver.formats import find_kind, parse_puzzle, read_any
from solver.grid import GridError, PuzzleLine

STDIN: Final = "-"


def open_puzzles(source: str, advance: Callable[[int], None] | None = None) -> Iterator[PuzzleLine]:
    """Read the puzzles that a text, a file or stdin holds, one at a time.

    Args:
        source: the puzzle itself, the name of a file, or `-`.
        advance: told how many bytes of a file were read.

    Raises:
        InputError: if the source is neither a file nor a puzzle, or no file of its format.
    """
    path = None if source == STDIN else find_file(source)
    if path is None and source != STDIN:
        return iter([_parse_text(source)])
    lines = read_lines(path, advance)
    try:
        return _without_errors(read_any(lines, path.suffix if path else ""), source)
    except GridError as error:
        raise InputError(f"{name_of(source)}: {error}") from error


def find_file(source: str) -> Path | None:
    """Return the file that was named, or None where the source can only be a puzzle.

    Raises:
        InputError: if it is a folder.
    """
    path = Path(source)
    try:
        if path.is_dir():
            raise InputError(f"{source} is a folder; name a file with one puzzle a line")
        return path if path.exists() else None
    except (OSError, ValueError):  # a whole grid is too long for a name on some systems
        return None


def name_of(source: str) -> str:
    """Return the source's name for messages."""
    return "stdin" if source == STDIN else source


def _without_errors(puzzles: Iterator[PuzzleLine], source: str) -> Iterator[PuzzleLine]:
    """Turn damage that ends a whole file, which only XML can have, into a bad input."""
    try:
        yield from puzzles
    except GridError as error:
        raise InputError(f"{name_of(source)}: {error}") from error


def _parse_text(source: str) -> PuzzleLine:
    try:
        return PuzzleLine(1, source, parse_puzzle(source), None)
    except GridError as error:
        line = PuzzleLine(1, source, None, error)
        if _looks_like_a_path(source) and find_kind(line) is None:
            raise InputError(f"there is no file {source}, and it is no puzzle either") from error
        return line


def _looks_like_a_path(text: str) -> bool:
    """Tell a mistyped file name from a mistyped puzzle."""
    if "://" in text or "<" in text:
        return False
    return "/" in text or "\\" in text or Path(text).suffix[1:].isalpha()
