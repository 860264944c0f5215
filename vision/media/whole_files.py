"""Files that are written whole or not at all, and what killed processes leave of them."""

import contextlib
import os
import re
import secrets
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

_ENDING: Final = r"[0-9a-f]{8}\.tmp"


@contextlib.contextmanager
def open_whole(path: Path, mode: int = 0o666) -> Iterator[BinaryIO]:
    """Open a file to be written; it gets its name, and replaces what had it, at the block's end.

    Until then it stands in the same folder as `.NAME.xxxxxxxx.tmp`, with hexadecimal digits. Only a
    process that is killed meanwhile leaves that behind.

    Args:
        path: in a folder that is there.
        mode: permission bits, from which the user's umask takes away its own.

    Raises:
        OSError: if that fails; the file that had the name stays.
    """
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        # Opened by name, not through tempfile: the result gets the user's usual permissions.
        with open(temporary, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            hold_file(file)
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise


def remove_temporaries(path: Path) -> None:
    """Remove what was left by a process that was killed while it wrote this file."""
    remove_leftovers(path.parent, re.compile(re.escape(f".{path.name}.") + _ENDING))


def remove_all_temporaries(folder: Path) -> None:
    """Remove what was left by processes that were killed while they wrote any file of a folder."""
    remove_leftovers(folder, re.compile(r"\..+\." + _ENDING))


def remove_leftovers(folder: Path, names: re.Pattern[str]) -> None:
    """Remove the files of a folder with such names, save those that a process still holds."""
    with contextlib.suppress(OSError):
        for entry in list(os.scandir(folder)):
            if names.fullmatch(entry.name) and not _is_held(entry.path):
                Path(entry.path).unlink(missing_ok=True)


def hold_file(file: BinaryIO) -> None:
    """Hold an open file until it is closed, or its process ends, so that others can tell.

    Windows needs no more for that than that it is open, as it cannot be removed then.
    """
    if sys.platform != "win32":
        import fcntl

        with contextlib.suppress(OSError):  # of file systems that cannot
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)


def _is_held(path: str) -> bool:
    if sys.platform != "win32":
        import fcntl

        with Path(path).open("rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                return True
    return False
