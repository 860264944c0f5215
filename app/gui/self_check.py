"""Opens the window by itself, solves the sample page in it, and closes it: for `doctor --window`,
and to try a bundle.
"""

import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.gui.start import make_application

_LONGEST_SECONDS: Final = 60.0
_LOOK_MS: Final = 10


@dataclass(frozen=True)
class WindowCheck:
    """What became of the window.

    Attributes:
        outcome: of the sample page, `outcome.Outcome`'s value, or what went wrong instead.
        shown_seconds: until the window was on the screen.
        solved_seconds: until the page was solved.
        cameras: the names of those that are connected.
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

    from app.gui.session.pipeline_worker import Worker
    from app.gui.translations.language import choose_language
    from app.gui.window.main_window import Window

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
