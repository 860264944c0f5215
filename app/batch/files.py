"""Files that are written whole or not at all, and what runs that were killed leave of them."""

import contextlib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from app.exits import UsageError
from vision.whole_files import open_whole


@contextlib.contextmanager
def writing_whole(path: Path) -> Iterator[BinaryIO]:
    """Open a file to be written; it gets its name, and replaces what had it, at the block's end.

    Raises:
        UsageError: if that fails; the file that had the name stays.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open_whole(path) as file:
            yield file
    except OSError as error:
        reason = error.strerror or error
        raise UsageError(
            f"{path} cannot be written: {reason}; see to that, and run the same command to go on"
        ) from error


def copy_whole(source: Path, path: Path) -> bool:
    """Copy a file, and tell whether there was one.

    Raises:
        UsageError: if the copy cannot be written.
    """
    try:
        data = source.read_bytes()
    except OSError:
        return False
    with writing_whole(path) as file:
        file.write(data)
    return True


def remove_temporaries(path: Path) -> None:
    """Remove what was left by a process that was killed while it wrote this file.

    `vision.whole_files.open_whole` names such files.
    """
    ours = re.compile(re.escape(f".{path.name}.") + r"[0-9a-f]{8}\.tmp")
    with contextlib.suppress(OSError):
        for entry in list(os.scandir(path.parent)):
            if ours.fullmatch(entry.name):
                Path(entry.path).unlink(missing_ok=True)


def remove_output(path: Path) -> None:
    """Remove an overlay that shows what is no longer so, if there is one.

    Raises:
        UsageError: if it cannot be removed.
    """
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise UsageError(f"{path} cannot be removed: {error.strerror or error}") from error
