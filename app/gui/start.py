"""Opens the window, before anything heavy is loaded; `solve_in_window` tries it by itself, for
`doctor --window` and for bundles.
"""

import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from app.terminal.console import say
from app.terminal.exit_codes import ExitCode, MissingError, end_without_python

if TYPE_CHECKING:
    from PySide6.QtGui import QIcon
    from PySide6.QtWidgets import QApplication

_SWITCH_SECONDS: Final = 0.0005
"""How long a thread keeps Python to itself while others wait. With the usual 5 ms the window would
wait as long each time that Qt calls it, as for every cell it paints."""

ICONS: Final = Path(__file__).with_name("icon")
_LONGEST_SECONDS: Final = 60.0
_LOOK_MS: Final = 10


def open_window(photos: Sequence[Path]) -> ExitCode:
    """Show the window until it is closed.

    Raises:
        MissingError: if Qt, one of its libraries or a screen is missing.
    """
    app = make_application()
    from PySide6.QtCore import QSettings

    from app.gui.window.main_window import Window
    from app.gui.window.preferences import SETTING, SYSTEM, choose_language

    settings = QSettings()
    choose_language(app, str(settings.value(SETTING, SYSTEM)))
    # What ends a command ends the window, too: Qt's loop gives Python no turn to notice it.
    end_without_python()
    window = Window(settings)
    window.show()
    window.begin(photos)
    app.exec()
    return ExitCode.SOLVED


def make_application() -> "QApplication":
    """Return the application, under the name by which its settings are kept.

    Raises:
        MissingError: if Qt, one of its libraries or a screen is missing.
    """
    _check_screen()
    try:
        from PySide6.QtWidgets import QApplication
    except ImportError as error:
        raise MissingError(
            f"the window cannot be opened: {error}; run: sudoku-lens doctor"
        ) from error
    sys.setswitchinterval(_SWITCH_SECONDS)
    QApplication.setOrganizationName("sudoku-lens")
    QApplication.setApplicationName("sudoku-lens")
    QApplication.setApplicationDisplayName("Sudoku Lens")
    QApplication.setDesktopFileName("sudoku-lens")
    with _ending_where_qt_would_abort():
        application = QApplication(sys.argv[:1])
    application.setWindowIcon(_icon())
    return application


def _icon() -> "QIcon":
    """Return the program's icon; Qt reads the size that it needs when it needs it."""
    from PySide6.QtGui import QIcon

    icon = QIcon()
    for path in sorted(ICONS.glob("sudoku-lens-*.png")):
        icon.addFile(str(path))
    return icon


def _check_screen() -> None:
    """Raise where there surely is no screen to draw on."""
    if not sys.platform.startswith("linux") or os.environ.get("QT_QPA_PLATFORM"):
        return
    if not os.environ.get("DISPLAY") and not os.environ.get("WAYLAND_DISPLAY"):
        raise MissingError(
            "the window needs a screen, and there is none here (neither DISPLAY nor "
            "WAYLAND_DISPLAY is set); use sudoku-lens solve PHOTO on machines without one"
        )


@contextmanager
def _ending_where_qt_would_abort() -> Iterator[None]:
    """End the process with a sentence and a code where Qt would end it with a signal.

    Qt aborts where it cannot reach the screen, or where a library of its platform plugin is
    missing; before that it tells the reason.
    """
    from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

    told: list[str] = []

    def note(kind: QtMsgType, _: QMessageLogContext, text: str) -> None:
        if kind != QtMsgType.QtFatalMsg:
            told.append(text.strip())
            return
        reason = told[0] if told else text.strip().splitlines()[0]
        say(f"the window cannot be opened: {reason.rstrip('.')}; run: sudoku-lens doctor")
        os._exit(ExitCode.MISSING)

    qInstallMessageHandler(note)
    try:
        yield
    finally:
        qInstallMessageHandler(None)


@dataclass(frozen=True)
class WindowCheck:
    """What became of the window.

    Attributes:
        outcome: of the sample page, `outcome.Outcome`'s value, or what went wrong instead.
        shown_seconds: until the window was on the screen.
        solved_seconds: until the page was solved.
        plays_videos: whether Qt has found its part for cameras and videos.
    """

    outcome: str
    shown_seconds: float
    solved_seconds: float
    cameras: tuple[str, ...]
    plays_videos: bool


def solve_in_window() -> WindowCheck:
    """Open the window as on the very first start, with settings that are thrown away.

    Raises:
        MissingError: if Qt, one of its libraries or a screen is missing.
    """
    start = time.perf_counter()
    application = make_application()
    from PySide6.QtCore import QSettings, QTimer

    from app.gui.session.background import Worker
    from app.gui.window.main_window import Window
    from app.gui.window.preferences import choose_language

    faults: list[str] = []
    shown = 0.0

    def look() -> None:
        nonlocal shown
        if not shown and window.isVisible():
            shown = time.perf_counter() - start
        document = window.document
        is_done = document is not None and document.outcome is not None
        if is_done or faults or time.perf_counter() - start > _LONGEST_SECONDS:
            application.exit()

    with tempfile.TemporaryDirectory() as folder:
        settings = QSettings(f"{folder}/settings.ini", QSettings.Format.IniFormat)
        choose_language(application)
        worker = Worker()
        worker.crashed.connect(lambda report: faults.append(str(report).splitlines()[-1]))
        worker.load_failed.connect(lambda error: faults.append(str(error)))
        window = Window(settings, worker, Path(folder))
        window.show()
        window.begin()
        timer = QTimer()
        timer.timeout.connect(look)
        timer.start(_LOOK_MS)
        application.exec()
        solved = time.perf_counter() - start
        timer.stop()
        document = window.document
        cameras, plays_videos = _live_sources()
        window.close()
    if faults:
        outcome = faults[0]
    elif document is None or document.outcome is None:
        outcome = "nothing happened"
    else:
        outcome = document.outcome.value
    return WindowCheck(outcome, shown, solved, cameras, plays_videos)


def _live_sources() -> tuple[tuple[str, ...], bool]:
    """Return the names of the cameras, and whether videos can be played."""
    try:
        from PySide6.QtMultimedia import QMediaDevices, QMediaFormat
    except ImportError:
        return (), False
    names = tuple(device.description() for device in QMediaDevices.videoInputs())
    formats = QMediaFormat().supportedFileFormats(QMediaFormat.ConversionMode.Decode)
    return names, bool(formats)
