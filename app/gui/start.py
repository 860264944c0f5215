"""Opens the window: the first thing that is seen, before anything heavy is loaded."""

import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from app.exits import ExitCode, MissingError


def open_window(photos: Sequence[Path]) -> ExitCode:
    """Show the window until it is closed.

    Args:
        photos: what to open in it.

    Raises:
        MissingError: if Qt, one of its libraries or a screen is missing.
    """
    try:
        from PySide6.QtWidgets import QApplication
    except ImportError as error:
        raise MissingError(
            f"the window cannot be opened: {error}; run: sudoku-lens doctor"
        ) from error
    _check_screen()
    from PySide6.QtCore import QSettings

    QApplication.setOrganizationName("sudoku-lens")
    QApplication.setApplicationName("sudoku-lens")
    QApplication.setApplicationDisplayName("Sudoku Lens")
    QApplication.setDesktopFileName("sudoku-lens")
    app = QApplication(sys.argv[:1])
    from app.gui.window import Window

    # Python must get a turn to see Ctrl+C in the terminal.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    window = Window(QSettings())
    window.show()
    window.begin(photos)
    app.exec()
    return ExitCode.SOLVED


def _check_screen() -> None:
    """Raise where Qt would end the process because there is no screen to draw on."""
    if not sys.platform.startswith("linux") or os.environ.get("QT_QPA_PLATFORM"):
        return
    if not os.environ.get("DISPLAY") and not os.environ.get("WAYLAND_DISPLAY"):
        raise MissingError(
            "the window needs a screen, and there is none here (neither DISPLAY nor "
            "WAYLAND_DISPLAY is set); use sudoku-lens solve PHOTO on machines without one"
        )
