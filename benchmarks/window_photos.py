"""How long the window is held up while hundreds of photos are opened in it.

    QT_QPA_PLATFORM=offscreen python -m benchmarks.window_photos

A timer ticks every 5 ms. What passes between two ticks is how long a key or a click would have
waited. It is measured twice: while nothing is done, which tells what the machine's other users
cost, and from the moment that a folder is dropped until its last photo is worked through. The
processor's seconds are those of the window's own thread, so waiting for others is not in them.
"""

import argparse
import itertools
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

_TICK_MS = 5
_IDLE_SECONDS = 5.0
_MOST_MS = 50.0
_PUZZLES = 12
"""Different ones; all other photos are copies of these, and the history knows their puzzles."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Measure how long many photos hold the window up.")
    parser.add_argument("--photos", type=int, default=300, help="default 300")
    parser.add_argument("--side", type=int, default=400, help="of a photo in pixels, default 400")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        photos = Path(folder) / "photos"
        _make_photos(photos, options.photos, options.side)
        _measure(photos, Path(folder))
    return 0


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


def _measure(photos: Path, folder: Path) -> None:
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
