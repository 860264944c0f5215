"""Files of a batch that are written whole or not at all, and their removal."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from app.terminal.exits import UsageError
from vision.media.whole_files import open_whole


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


def remove_output(path: Path) -> None:
    """Remove an overlay that shows what is no longer so, if there is one.

    Raises:
        UsageError: if it cannot be removed.
    """
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise UsageError(f"{path} cannot be removed: {error.strerror or error}") from error
