"""How soon the window appears and solves the sample page, and how long photos hold it up.

    QT_QPA_PLATFORM=offscreen python -m benchmarks.window
    QT_QPA_PLATFORM=offscreen python -m benchmarks.window --photos 300

Each run is a process of its own, with settings of its own, as on the very first start. Time counts
from before Python starts until the photo is painted for the first time. On a machine that others
use, too, the processor's seconds say more than the clock's.

With `--photos` a timer ticks every 5 ms while so many photos are opened in one window. What passes
between two ticks is how long a key or a click would have waited. It is measured twice: while
nothing is done, which tells what the machine's other users cost, and from the moment that a folder
is dropped until its last photo is worked through. The processor's seconds are those of the window's
own thread, so waiting for others is not in them.
"""

import argparse
import itertools
import json
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

_CHILD = "--child"
_TICK_MS = 5
_IDLE_SECONDS = 5.0
_MOST_MS = 50.0
_PUZZLES = 12
"""Different ones; all other photos are copies of these, and the history knows their puzzles."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Measure how soon the window appears and answers.")
    parser.add_argument("--runs", type=int, default=7, help="default 7")
    parser.add_argument("--photos", type=int, help="open so many instead, and tell the waits")
    parser.add_argument("--side", type=int, default=400, help="of a photo in pixels, default 400")
    parser.add_argument(_CHILD, nargs=2, metavar=("BEGUN", "FOLDER"), help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.child:
        _open_once(float(options.child[0]), Path(options.child[1]))
        return 0
    if options.photos is not None:
        with tempfile.TemporaryDirectory() as folder:
            photos = Path(folder) / "photos"
            _make_photos(photos, options.photos, options.side)
            _hold_up(photos, Path(folder))
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


def _make_photos(folder: Path, count: int, side: int) -> None:
    from solver.generation.generate import generate_puzzles
    from training.pages.flat_board import render_board
    from vision.media.images import save_image

    folder.mkdir()
    puzzles = generate_puzzles(min(count, _PUZZLES)).puzzles
    for number in range(count):
        path = folder / f"{number:04}.png"
        if number < len(puzzles):
            save_image(path, render_board(puzzles[number], px=side)[0])
        else:
            shutil.copy(folder / f"{number % len(puzzles):04}.png", path)


def _hold_up(photos: Path, folder: Path) -> None:
    import numpy as np  # here, as a first start shall not pay for it

    from app.gui.start import make_application

    application = make_application()
    from PySide6.QtCore import QSettings, QTimer

    from app.gui.window.main_window import Window

    ticks: list[tuple[float, float]] = []
    waits: dict[str, list[tuple[float, float]]] = {}
    store = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    store.setValue("opened/has_started", True)
    window = Window(store, data_folder=folder / "data")
    count = len(list(photos.iterdir()))

    def keep(name: str) -> None:
        waits[name] = [(b[0] - a[0], b[1] - a[1]) for a, b in itertools.pairwise(ticks)]
        ticks.clear()

    def tick() -> None:
        session = window.session
        if session is None:
            return
        ticks.append((time.perf_counter(), time.thread_time()))
        if "idle" not in waits:
            if ticks[-1][0] - ticks[0][0] > _IDLE_SECONDS:
                keep("idle")
                window.intake.open_files([photos])
        elif len(session.documents) == count and not any(
            one.is_working for one in session.documents
        ):
            keep("loading")
            timer.stop()
            window.close()

    timer = QTimer()
    timer.timeout.connect(tick)
    timer.start(_TICK_MS)
    window.show()
    window.begin()
    application.exec()
    for name, found in waits.items():
        clock, processor = 1000 * np.array(found).T
        print(
            f"{name}: {len(found)} ticks in {clock.sum() / 1000:.1f} s; longest wait "
            f"{clock.max():.0f} ms by the clock ({(clock > _MOST_MS).sum()} above "
            f"{_MOST_MS:.0f} ms), {processor.max():.0f} ms of the processor "
            f"({(processor > _MOST_MS).sum()} above)"
        )


if __name__ == "__main__":
    sys.exit(main())
