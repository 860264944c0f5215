"""How long a stroke of play takes in the window, and what is lost where the window is killed.

    QT_QPA_PLATFORM=offscreen python -m benchmarks.play [--strokes 300] [--kills 20]

A stroke counts from its key until everything is painted and handed to the disk. The window shows a
photo beside the clean board, and digits, notes and colours come in turn. Each killed window is a
process of its own, which plays as fast as it can until SIGKILL ends it; then what its next start
would read is compared with what it had painted.
"""

import argparse
import contextlib
import itertools
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from app.board.board_values import EntryMode
from app.board.saved_session import load_session

if TYPE_CHECKING:
    from app.gui.window.main_window import Window

_CHILD = "--child"
_CLUES = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Measure strokes of play, and kill windows.")
    parser.add_argument("--strokes", type=int, default=300, help="default 300")
    parser.add_argument("--kills", type=int, default=20, help="default 20")
    parser.add_argument(_CHILD, type=Path, metavar="FOLDER", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.child:
        _play_without_end(options.child)
        return 0
    if options.strokes:
        _tell_strokes(options.strokes)
    chance = random.Random(1)
    killed = [kill_once(chance.uniform(0.05, 0.6)) for _ in range(options.kills)]
    if killed:
        most, painted = max(one.lost for one in killed), sum(one.painted for one in killed)
        print(f"{len(killed)} windows killed after {painted} strokes: at most {most} lost in each")
    return 0


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
        command = [sys.executable, "-m", "benchmarks.play", _CHILD, name]
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
        clock: dict[str, list[float]] = {kind: [] for kind in kinds}
        processor: dict[str, list[float]] = {kind: [] for kind in kinds}
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
                clock[kind].append(1000 * took[0])
                processor[kind].append(1000 * took[1])
        for name, times in (("clock", clock), ("processor", processor)):
            for kind, values in times.items():
                ordered = sorted(values)
                least, median = ordered[0], statistics.median(ordered)
                most = ordered[int(0.95 * len(ordered))]
                print(
                    f"{kind}, {name}: least {least:.1f} ms, median {median:.1f} ms,"
                    f" 95 % within {most:.1f} ms of {len(ordered)}"
                )


@contextlib.contextmanager
def _open_window(folder: Path, *photos: Path) -> Iterator[tuple["Window", Callable[[], None]]]:
    """Open a window; yield it with what waits until nothing is worked on."""
    from app.gui.start import make_application

    application = make_application()
    from PySide6.QtCore import QSettings

    from app.gui.window.main_window import Window

    store = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    for name, value in {"opened/has_started": True, "window/view": "both"}.items():
        store.setValue(name, value)
    window = Window(store, data_folder=folder / "data")

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
