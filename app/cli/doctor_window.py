"""What `sudoku-lens doctor` finds out about the window: Qt, the screen, the camera, and with
`--window` whether it opens and solves a page.
"""

import ctypes
import os
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from app.cli.doctor import QT_LIBRARIES, Finding
from app.terminal.exits import MissingError

X11_LIBRARIES: Final = (
    # on bare Debian 12, beside those of `QT_LIBRARIES`
    "libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libxcb-image0 libxcb-render-util0 libxcb-shape0 "
    "libxcb-xkb1 libxkbcommon-x11-0"
)
_INSTALL: Final = "on Debian and Ubuntu run: sudo apt-get install -y --no-install-recommends"

Load = Callable[[str], object]


def examine_window(load: Load) -> Iterator[Finding]:
    """Yield what is found of all that the window needs.

    Args:
        load: imports a module by name.
    """
    # Qt tells on stderr about every library for videos that is not there.
    os.environ.setdefault("QT_LOGGING_RULES", "qt.multimedia.*=false")
    qt = check_module(
        load, "Qt, for the window", "PySide6.QtWidgets", "pyside6-essentials", QT_LIBRARIES
    )
    yield qt
    if not qt.is_good or qt.is_optional:
        return
    if sys.platform.startswith("linux"):
        yield check_screen(load)
    yield check_module(
        load, "Qt, for the camera", "PySide6.QtMultimedia", "pyside6-addons", "libpulse0"
    )


def check_module(
    load: Load, subject: str, module: str, distribution: str, libraries: str
) -> Finding:
    """Load a part of Qt, whose package brings everything but some system libraries."""
    try:
        load(module)
        return Finding(subject, True, version(distribution))
    except PackageNotFoundError:
        return Finding(subject, True, "of unknown version")
    except ModuleNotFoundError as error:
        if not _is_installed(distribution):
            found = "optional, not installed; every command but the window works without it"
            advice = f"to have it, run: pip install {distribution}"
            return Finding(subject, True, found, advice, is_optional=True)
        return Finding(subject, False, str(error), f"run: pip install {distribution}")
    except ImportError as error:
        return Finding(subject, False, str(error), f"{_INSTALL} {libraries}")


def _is_installed(distribution: str) -> bool:
    try:
        version(distribution)
    except PackageNotFoundError:
        return False
    return True


def check_screen(load: Load, open_library: Callable[[str], object] = ctypes.CDLL) -> Finding:
    """Tell whether Qt can draw on an X11 screen; a fault only where there is such a screen.

    Args:
        load: imports a module by name.
        open_library: opens a shared library, or raises OSError naming what it lacks.
    """
    subject = "Qt, for X11 screens"
    has_x11 = bool(os.environ.get("DISPLAY"))
    told = f"DISPLAY is {os.environ['DISPLAY']}" if has_x11 else "no such screen here"
    package = getattr(load("PySide6"), "__file__", None)
    if package is None:
        return Finding(subject, True, told)
    for folder in ("Qt/plugins", "plugins"):
        plugin = Path(package).parent / folder / "platforms" / "libqxcb.so"
        if plugin.exists():
            try:
                open_library(str(plugin))
            except OSError as error:
                advice = f"{_INSTALL} {X11_LIBRARIES}"
                if has_x11:
                    return Finding(subject, False, f"{error}; {told}", advice)
                found = f"optional, as there is {told}; not installed: {error}"
                return Finding(subject, True, found, advice, is_optional=True)
    return Finding(subject, True, told)


def check_opening() -> Finding:
    """Open the window, solve the sample page in it, and close it again."""
    subject = "open the window and solve the sample page in it"
    try:
        from app.gui.self_check import solve_in_window

        checked = solve_in_window()
    except (ImportError, MissingError) as error:
        return Finding(subject, False, str(error), "see the lines above")
    found = (
        f"{checked.outcome}; the window came after {checked.shown_seconds:.2f} s, "
        f"the solution after {checked.solved_seconds:.2f} s; "
        f"cameras: {', '.join(checked.cameras) or 'none'}"
    )
    if not checked.plays_videos:
        found += "; Qt finds no part of it that plays videos"
    is_good = checked.outcome == "solved" and checked.plays_videos
    return Finding(subject, is_good, found, "report it with these lines")
