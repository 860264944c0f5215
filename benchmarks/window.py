"""How soon the window appears and solves the sample page, what holds it up, and what is lost.

    export QT_QPA_PLATFORM=offscreen
    python -m benchmarks.window
    python -m benchmarks.window --photos 300
    python -m benchmarks.window --strokes 300
    python -m benchmarks.window --kills 20

Each first start is a process of its own, with settings of its own. Time counts from before Python
starts until the photo is painted for the first time. On a machine that others use, too, the
processor's seconds say more than the clock's.

With `--photos` a timer ticks every 5 ms while so many photos are opened in one window. What passes
between two ticks is how long a key or a click would have waited. It is measured twice: while
nothing is done, which tells what the machine's other users cost, and from the moment that a folder
is dropped until its last photo is worked through. The processor's seconds are those of the window's
own thread, so waiting for others is not in them.

A stroke of play counts from its key until everything is painted and handed to the disk. The window
shows a photo beside the clean board, and digits, notes and colours come in turn. Each killed window
is a process of its own, which plays as fast as it can until SIGKILL ends it; then what its next
start would read is compared with what it had painted.
"""

import argparse
import contextlib
import itertools
import json
import random
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from app.board.board_values import EntryMode
from app.board.saved_session import load_session

if TYPE_CHECKING:
    from app.gui.window.main_window import Window

_CHILD = "--child"
_PLAYER = "--player"
_TICK_MS = 5
_IDLE_SECONDS = 5.0
_MOST_MS = 50.0
_PUZZLES = 12
"""Different ones; all other photos are copies of these, and the history knows their puzzles."""
_CLUES = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Measure how soon the window appears and answers.")
    parser.add_argument("--runs", type=int, default=7, help="default 7")
    parser.add_argument("--photos", type=int, help="open so many instead, and tell the waits")
    parser.add_argument("--side", type=int, default=400, help="of a photo in pixels, default 400")
    parser.add_argument("--strokes", type=int, help="play so many instead")
    parser.add_argument("--kills", type=int, help="kill so many windows in play instead")
    parser.add_argument(_CHILD, nargs=2, metavar=("BEGUN", "FOLDER"), help=argparse.SUPPRESS)
    parser.add_argument(_PLAYER, type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.child:
        _open_once(float(options.child[0]), Path(options.child[1]))
    elif options.player:
        _play_without_end(options.player)
    elif options.photos is not None:
        with tempfile.TemporaryDirectory() as folder:
            photos = Path(folder) / "photos"
            _make_photos(photos, options.photos, options.side)
            _hold_up(photos, Path(folder))
    elif options.strokes is not None:
        _tell_strokes(options.strokes)
    elif options.kills is not None:
        chance = random.Random(1)
        killed = [kill_once(chance.uniform(0.05, 0.6)) for _ in range(options.kills)]
        most, painted = max(one.lost for one in killed), sum(one.painted for one in killed)
        print(f"{len(killed)} windows killed after {painted} strokes: at most {most} lost in each")
    else:
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

    application, window = _make_window(folder)
    from PySide6.QtCore import QTimer

    ticks: list[tuple[float, float]] = []
    waits: dict[str, list[tuple[float, float]]] = {}
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
                window.file_opener.open_files([photos])
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


class Killed(NamedTuple):
    """A window that was killed, and its strokes.

    Attributes:
        painted: before it was killed.
        lost: of these at the next start.
    """

    painted: int
    lost: int


def kill_once(seconds: float) -> Killed:
    """Kill a window that has been played for so long."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        command = [sys.executable, "-m", "benchmarks.window", _PLAYER, name]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            process.stdout.readline()  # the first stroke is painted
            time.sleep(seconds)
            process.send_signal(signal.SIGKILL)
            *_, last = ["1", *(line for line in process.stdout if line.endswith("\n"))]
        painted = int(last)
        (document,) = load_session(folder / "data" / "sessions" / "1").documents
        (board,) = document.boards
        rows = {row[0]: row for row in board.pencil}
        # As many strokes made these marks, as none was toggled twice.
        kept = sum(row[2].bit_count() for row in rows.values())
    return Killed(painted, max(painted - kept, 0))


def _play_without_end(folder: Path) -> None:
    """Make strokes that tell their own number, and print it once each is painted."""
    import numpy as np

    with _open_window(folder) as (window, settle):
        assert window.session is not None
        clues = np.array([int(sign) for sign in _CLUES.replace(".", "0")], np.uint8).reshape(9, 9)
        window.session.open_puzzle(clues, "mine", is_revealed=False, is_given=True)
        settle()
        empty = [cell for cell in range(81) if not clues.flat[cell]]
        for number in itertools.count(1):
            _note_number(window, empty, number)
            print(number, flush=True)


def _note_number(window: "Window", empty: Sequence[int], number: int) -> None:
    """Count by one stroke: each toggles a mark, in an order that tells how many there were."""
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication

    place, digit = divmod(number - 1, 9)
    window.editor.select(empty[place % len(empty)])
    modifier = Qt.KeyboardModifier.ControlModifier
    QTest.keyClick(window.clean, Qt.Key(int(Qt.Key.Key_1) + digit), modifier)
    QApplication.processEvents()


def _tell_strokes(count: int) -> None:
    import numpy as np
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication

    from app.gui.session.file_opener import sample_path

    with (
        tempfile.TemporaryDirectory() as name,
        _open_window(Path(name), sample_path()) as (window, settle),
    ):
        settle()
        window.actions_of_window.play.trigger()
        settle()
        document = window.document
        assert document is not None
        assert document.board is not None
        empty = np.flatnonzero(document.board.digits.ravel() == 0).tolist()
        kinds = {
            "digit": EntryMode.DIGIT,
            "centre mark": EntryMode.CENTRE,
            "colour": EntryMode.COLOUR,
        }
        times: dict[str, list[tuple[float, float]]] = {kind: [] for kind in kinds}
        for number in range(count):
            kind = list(kinds)[number % len(kinds)]
            # Notes are put where no digit stands.
            cells = empty[::2] if kind == "digit" else empty[1::2]
            window.editor.select(cells[number % len(cells)])
            window.editor.play.set_mode(kinds[kind])
            QApplication.processEvents()
            # Nobody types as fast as the disk is slow.
            time.sleep(0.03)
            key = Qt.Key(int(Qt.Key.Key_1) + number // 5 % 9)
            old, begun, used = document.state, time.perf_counter(), time.thread_time()
            QTest.keyClick(window.photo, key)
            QApplication.processEvents()
            took = time.perf_counter() - begun, time.thread_time() - used
            if document.state is not old:
                times[kind].append(took)
        for column, name in enumerate(("clock", "processor")):
            for kind, spent in times.items():
                ordered = sorted(1000 * one[column] for one in spent)
                least, median = ordered[0], statistics.median(ordered)
                most = ordered[int(0.95 * len(ordered))]
                print(
                    f"{kind}, {name}: least {least:.1f} ms, median {median:.1f} ms,"
                    f" 95 % within {most:.1f} ms of {len(ordered)}"
                )


def _make_window(folder: Path, **settings: object) -> tuple[Any, "Window"]:
    """Return the application and a window that has been opened before, which is not shown yet."""
    from app.gui.start import make_application

    application = make_application()
    from PySide6.QtCore import QSettings

    from app.gui.window.main_window import Window

    store = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    for name, value in {"opened/has_started": True, **settings}.items():
        store.setValue(name, value)
    return application, Window(store, data_folder=folder / "data")


@contextlib.contextmanager
def _open_window(folder: Path, *photos: Path) -> Iterator[tuple["Window", Callable[[], None]]]:
    """Open a window; yield it with what waits until nothing is worked on."""
    application, window = _make_window(folder, **{"window/view": "both"})

    def settle() -> None:
        while window.session is None or any(one.is_working for one in window.session.documents):
            application.processEvents()
            time.sleep(0.005)
        application.processEvents()

    window.resize(1180, 760)
    window.show()
    window.begin(photos)
    settle()
    try:
        yield window, settle
    finally:
        window.close()


if __name__ == "__main__":
    sys.exit(main())
