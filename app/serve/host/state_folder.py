"""Where this system keeps what the server wants to find again: certificate and phones."""

import os
import sys
from pathlib import Path


def state_folder() -> Path:
    """Return where this system keeps what programs want to find again, for this program."""
    home = Path.home()
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return (Path(local) if local else home / "AppData" / "Local") / "sudoku-lens"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "sudoku-lens"
    state = os.environ.get("XDG_STATE_HOME", "")
    # A relative path is to be ignored, says the XDG Base Directory Specification.
    base = Path(state) if Path(state).is_absolute() else home / ".local" / "state"
    return base / "sudoku-lens"


def is_private(path: Path) -> bool:
    """Tell whether a file was ours alone; one that others could write may be anybody's."""
    if not hasattr(os, "getuid"):
        return True
    status = path.lstat()
    return not path.is_symlink() and status.st_uid == os.getuid() and not status.st_mode & 0o077
