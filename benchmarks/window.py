"""How soon the window appears, and how soon the sample page is solved in it.

    QT_QPA_PLATFORM=offscreen python -m benchmarks.window

Each run is a process of its own, with settings of its own, as on the very first start. Time counts
from before Python starts until the photo is painted for the first time. On a machine that others
use, too, the processor's seconds say more than the clock's.
"""

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

_CHILD = "--child"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Measure how soon the window appears.")
    parser.add_argument("--runs", type=int, default=7, help="default 7")
    parser.add_argument(_CHILD, nargs=2, metavar=("BEGUN", "FOLDER"), help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.child:
        _open_once(float(options.child[0]), Path(options.child[1]))
        return 0
    runs = [_run_once() for _ in range(options.runs)]
    for name in runs[0]:
        values = sorted(run[name] for run in runs)
        least, median = values[0], statistics.median(values)
        print(f"{name}: least {least:.2f} s, median {median:.2f} s of {len(values)}")
    return 0


def _run_once() -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "benchmarks.window", _CHILD, str(time.time()), folder]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    told: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return told


def _open_once(begun: float, folder: Path) -> None:
    import app.cli.command_line  # noqa: F401, as the command does
    from app.gui.start import make_application

    application = make_application()
    from PySide6.QtCore import QEvent, QObject, QSettings, QTimer

    from app.gui.window.main_window import Window

    told: dict[str, float] = {}

    class Watch(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
            if event.type() == QEvent.Type.Paint and not told:
                # The picture is on the screen once the event has been handled.
                QTimer.singleShot(0, note_paint)
            return False

    def note_paint() -> None:
        if not told:
            used = resource.getrusage(resource.RUSAGE_SELF)
            told["window, clock"] = time.time() - begun
            told["window, processor"] = used.ru_utime + used.ru_stime

    def look() -> None:
        document = window.document
        if document is not None and document.outcome is not None:
            told["sample solved, clock"] = time.time() - begun
            window.close()

    store = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    window = Window(store, data_folder=folder)
    watch = Watch()
    window.photo.viewport().installEventFilter(watch)
    timer = QTimer()
    timer.timeout.connect(look)
    timer.start(5)
    window.show()
    window.begin()
    application.exec()
    print(json.dumps(told))


if __name__ == "__main__":
    sys.exit(main())
