"""Files that a command names: texts read in any encoding, outputs checked before any work begins.

No two pictures get the same name.
"""

import io
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

from app.terminal.console import Advance
from app.terminal.exit_codes import InputError, MissingError, UsageError

STDIN: Final = "-"
STDOUT: Final = "-"

PICTURE_SUFFIXES: Final = frozenset({".jpg", ".jpeg", ".png", ".webp", ".tif", ".tiff", ".bmp"})
"""What can be written, as `vision.media.images.save_image` lists it, which is slow to import."""

_FILE_SUFFIX: Final = re.compile(r"\.[a-z][a-z0-9]+", re.IGNORECASE)
"""Ends what is meant as a file's name and not as a folder's, such as 2026.11 or photos.d."""

_MOST_STEM_BYTES: Final = 200
"""Of 255 that a name usually may have; endings, numbers and a temporary name need the rest."""


def name_of(source: str) -> str:
    """Return the name for messages of what was typed, a file or stdin."""
    return "stdin" if source == STDIN else source


def plan_outputs(names: Sequence[str], output: str | None) -> list[Path | None]:
    """Decide where each photo's overlay goes.

    Args:
        names: photos as typed; `-` is stdin.
        output: what `-o` says: a picture's name, a folder, `-` for stdout, or None for no pictures.

    Returns:
        One path a photo, all different and none of them an input, or None where no file is written.

    Raises:
        UsageError: if the output can never be written, or would replace a photo.
    """
    if output is None:
        return [None] * len(names)
    if not output:
        raise UsageError("the output after -o is empty; name a file or a folder")
    if output != STDOUT and _is_folder(output):
        path, inputs = Path(output), _inputs_of(names)
        check_folder(path)
        stems = distinct_stems(names)
        return [
            _free_name(path, stem, name, inputs) for stem, name in zip(stems, names, strict=True)
        ]
    if len(names) > 1:
        raise UsageError(f"-o {output} is one picture for {len(names)} photos; name a folder")
    if output == STDOUT:
        return [None]
    path = Path(output)
    if _is_any(path, _inputs_of(names)):
        raise UsageError(f"-o {output} would replace the photo itself; choose another name")
    check_folder(path.parent)
    return [path]


def check_folder(folder: Path) -> None:
    """Make sure that a folder exists or can be made, and may be written to; nothing is changed.

    Raises:
        UsageError: if not; the message says which part is in the way.
    """
    existing = folder
    try:
        while not existing.exists() and existing != existing.parent:
            existing = existing.parent
    except OSError as error:
        raise UsageError(f"cannot write to {folder}: {error.strerror}; choose another") from error
    if not existing.is_dir():
        raise UsageError(f"cannot write to {folder}: {existing} is not a folder; choose another")
    if not os.access(existing, os.W_OK | os.X_OK):
        raise UsageError(f"cannot write to {folder}: no permission for {existing}; choose another")


def check_weights(path: Path | None, engine: str) -> None:
    """Refuse weights that are not there, or that the chosen engine cannot run.

    Raises:
        UsageError: if they are no network, or none for this engine.
        MissingError: if they are not there.
    """
    if path is None:
        return
    if path.suffix not in (".tflite", ".keras"):
        raise UsageError(f"--weights {path} is no network; give a .tflite or .keras file")
    if engine == "keras" and path.suffix != ".keras":
        raise UsageError(
            f"--engine keras cannot run {path}; give a .keras file, or leave --engine out"
        )
    if not path.is_file():
        raise MissingError(
            f"{path} {'is a folder' if path.is_dir() else 'does not exist'}; check the name"
        )


def make_folder(folder: Path) -> None:
    """Make a folder and those above it where they are missing.

    Raises:
        UsageError: if that fails.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot make the folder {folder}: {error.strerror or error}") from error


@contextmanager
def naming_output(path: Path) -> Iterator[None]:
    """Say which file or folder cannot be written: the error itself may not.

    Raises:
        UsageError: if so.
    """
    try:
        yield
    except OSError as error:
        reason = error.strerror or error
        raise UsageError(
            f"{path} cannot be written: {reason}; make room, or name another"
        ) from error


def distinct_stems(names: Iterable[str]) -> list[str]:
    """Return a file name without ending for each photo, all different even where case is not.

    They are short enough for endings such as `-solved.jpg`.
    """
    taken: set[str] = set()
    stems = []
    for name in names:
        stem = "stdin" if name == STDIN else Path(name).stem or "photo"
        stem = cut_stem(stem, _MOST_STEM_BYTES)
        free, number = stem, 1
        while free.lower() in taken:
            number += 1
            free = f"{stem}-{number}"
        taken.add(free.lower())
        stems.append(free)
    return stems


def cut_stem(stem: str, most_bytes: int) -> str:
    """Return a name without ending, or as much of its beginning as has so many bytes."""
    while len(os.fsencode(stem)) > most_bytes:
        stem = stem[:-1]
    return stem


def _inputs_of(names: Sequence[str]) -> list[Path]:
    return [Path(name) for name in names if name != STDIN]


def _is_folder(output: str) -> bool:
    """Tell whether a folder is meant, and not a picture."""
    path = Path(output)
    try:
        if path.is_dir() or output.endswith(("/", os.sep)):
            return True
        path.exists()  # tells of a name that cannot be
    except OSError as error:
        raise UsageError(f"cannot write {output}: {error.strerror}; choose another name") from error
    if path.suffix.lower() in PICTURE_SUFFIXES:
        return False
    if _FILE_SUFFIX.fullmatch(path.suffix):
        *known, last = sorted(PICTURE_SUFFIXES)
        raise UsageError(
            f"cannot write {output} as {path.suffix.lower()}; end it with {', '.join(known)} or "
            f"{last}, or with / for a folder"
        )
    return True


def _free_name(folder: Path, stem: str, name: str, inputs: Sequence[Path]) -> Path:
    suffix = Path(name).suffix.lower()
    ending = suffix if suffix in PICTURE_SUFFIXES else ".jpg"
    path, number = folder / f"{stem}-solved{ending}", 1
    while _is_any(path, inputs):
        number += 1
        path = folder / f"{stem}-solved-{number}{ending}"
    return path


def _is_any(path: Path, inputs: Sequence[Path]) -> bool:
    """Tell whether a path leads to one of the inputs, by whatever name."""
    return any(_identity(path) == _identity(one) or _is_same_file(path, one) for one in inputs)


def _identity(path: Path) -> str:
    return os.path.normcase(path.absolute().resolve())


def _is_same_file(one: Path, other: Path) -> bool:
    """Tell whether two paths lead to one file, which also holds where the case is ignored."""
    try:
        return one.samefile(other)
    except OSError:  # one of them does not exist
        return False


_LINES_PER_ADVANCE: Final = 256
_HEAD_BYTES: Final = 4096
_UTF_16_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")

_LONGEST_LINE: Final = 1_000_000
"""Characters; a longer line is cut, so that none can fill the memory."""


def read_lines(path: Path | None, advance: Advance | None = None) -> Iterator[str]:
    """Yield the lines of a text file, or of stdin for None, as they come.

    Args:
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
    """Return the encoding of a text that begins with these bytes, or None if it is no text.

    Windows PowerShell writes UTF-16 with a byte order mark.
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
