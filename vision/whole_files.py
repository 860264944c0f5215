"""Files that are written whole or not at all, and what killed processes leave of them."""

import contextlib
import os
import re
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO


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
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise


def remove_temporaries(path: Path) -> None:
    """Remove what was left by a process that was killed while it wrote this file.

    `open_whole` names such files.
    """
    ours = re.compile(re.escape(f".{path.name}.") + r"[0-9a-f]{8}\.tmp")
    with contextlib.suppress(OSError):
        for entry in list(os.scandir(path.parent)):
            if ours.fullmatch(entry.name):
                Path(entry.path).unlink(missing_ok=True)
