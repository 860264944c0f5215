"""The token by which programs come in: in a file of its own, so that it lasts."""

import os
import re
import secrets
import stat
from pathlib import Path
from typing import Final

from app.terminal.exits import UsageError
from vision.media.whole_files import open_whole

LEAST_SIGNS: Final = 32
"""Fewer could be guessed, where a person has made them up."""

_MOST_BYTES: Final = 4096
_MADE_BYTES: Final = 32
_TOKEN: Final = re.compile(rf"[A-Za-z0-9._~+/-]{{{LEAST_SIGNS},}}=*")
"""What can stand after `Bearer` (RFC 6750, 2.1)."""


def load_token(path: Path) -> str:
    """Return the token of a file; where there is none, one is made that only its owner can read.

    Raises:
        UsageError: if the file cannot be read or made, if others can read it, or if it holds none.
    """
    try:
        if not path.exists():
            with open_whole(path, mode=0o600) as made:
                made.write(f"{secrets.token_urlsafe(_MADE_BYTES)}\n".encode())
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            text = file.read(_MOST_BYTES)
    except OSError as error:
        reason = error.strerror or error
        raise UsageError(
            f"cannot use {path}: {reason}; name another file with --token-file"
        ) from error
    if os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise UsageError(f"others can read {path}; run: chmod 600 {path}")
    token = text.decode("latin-1").strip()
    if not _TOKEN.fullmatch(token):
        raise UsageError(
            f"{path} holds no token of {LEAST_SIGNS} signs or more; delete it, and the next start "
            "makes one"
        )
    return token
