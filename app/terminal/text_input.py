"""Text from files and stdin, whatever encoding of Unicode it is in."""

import io
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, Final

from app.terminal.exits import InputError

Advance = Callable[[int], None]

_LINES_PER_ADVANCE: Final = 256
_HEAD_BYTES: Final = 4096
_UTF_16_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")

_LONGEST_LINE: Final = 1_000_000
"""Characters; a longer line is cut, so that none can fill the memory."""


def read_lines(path: Path | None, advance: Advance | None = None) -> Iterator[str]:
    """Yield the lines of a text file, or of stdin for None, as they come.

    Args:
        path: the file.
        advance: called now and then with how many more bytes of the file were read.

    Raises:
        InputError: if it cannot be read, or is not text.
    """
    try:
        if path is None:
            yield from _decode(open_stdin(), "stdin", "-")
            return
        with path.open("rb") as file:
            lines = _decode(file, str(path), str(path))
            if advance is not None:
                lines = _count_bytes(lines, file, advance)
            yield from lines
    except OSError as error:
        reason = error.strerror or error
        raise InputError(f"{path or 'stdin'} cannot be read: {reason}; check the name") from error


def open_stdin() -> BinaryIO:
    """Return stdin as bytes.

    Raises:
        InputError: if it is closed.
    """
    if sys.stdin is None:  # whatever its type says
        raise InputError("stdin is closed; name a file instead of -, or send one to stdin")
    return sys.stdin.buffer


def find_encoding(head: bytes) -> str | None:
    """Return the encoding of a text that begins like this, or None if it is no text.

    Args:
        head: the first bytes. Windows PowerShell writes UTF-16 with a byte order mark.
    """
    if head.startswith(_UTF_16_MARKS):
        return "utf-16"
    return None if b"\0" in head else "utf-8-sig"


def _count_bytes(lines: Iterator[str], file: BinaryIO, advance: Advance) -> Iterator[str]:
    told = 0
    for number, line in enumerate(lines):
        if number % _LINES_PER_ADVANCE == 0:
            position = file.tell()
            advance(position - told)
            told = position
        yield line


def _decode(file: BinaryIO, name: str, argument: str) -> Iterator[str]:
    assert isinstance(file, io.BufferedReader)
    encoding = find_encoding(file.peek(_HEAD_BYTES)[:_HEAD_BYTES])
    if encoding is None:
        raise InputError(f"{name} is not a text file; for a photo: sudoku-lens solve {argument}")
    text = io.TextIOWrapper(file, encoding=encoding, errors="replace")
    try:
        yield from iter(lambda: text.readline(_LONGEST_LINE), "")
    finally:
        text.detach()  # or stdin would be closed with it
