"""Live pictures for a long time: what was shown is let go of again.

Run with -s, it prints what was measured:

    python -m pytest -s tests/app/gui/live/test_live_memory.py
"""

import itertools
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from filming import film
from puzzles import EASY_GRID, OTHER_GRID
from pytestqt.qtbot import QtBot
from window_rig import settings_in, wait_until

from app.gui.live.frame_worker import LiveWorker, ShownFrame
from app.gui.session.file_opener import quiet_qt

quiet_qt()
pytest.importorskip("PySide6.QtMultimedia", exc_type=ImportError)
from live_rig import FakeDevices, as_frame, show_page  # noqa: E402

FRAMES = 240
WARM = 130
PAINTED = 20
MOST_MB = 4.5


def held_mb() -> float:
    """Return how much memory this process holds, in megabytes."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096 / 1e6


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_hundreds_of_frames_leave_nothing_behind(
    qtbot: QtBot, tmp_path: Path, collecting_here: None
) -> None:
    """Two pages in turn, moving, with an empty desk between them."""
    devices = FakeDevices("Camera", pause_ms=4)
    shots = [film(page, shift) for page in (EASY_GRID, OTHER_GRID) for shift in range(0, 40, 2)]
    desk = np.full_like(shots[0], 110)
    turns = [image for image in shots[:20] for _ in range(5)] + [desk] * 20
    turns += [image for image in shots[20:] for _ in range(5)] + [desk] * 20
    film_of_all = itertools.cycle(turns)
    devices.picture = lambda: as_frame(next(film_of_all))
    page = show_page(qtbot, settings_in(tmp_path), LiveWorker(), devices)
    page.begin()
    solved = frames = 0
    work: list[float] = []
    last: ShownFrame | None = None

    def has_seen(wanted: int) -> bool:
        nonlocal solved, frames, last
        frame = page.screen_of_page.frame
        if frame is not None and frame is not last:
            frames += 1
            solved += frame.view.opacity > 0
            work.append(frame.work_seconds)
            last = frame
        return frames >= wanted

    wait_until(lambda: has_seen(WARM), timeout=1_800_000)
    before = held_mb()
    wait_until(lambda: has_seen(WARM + FRAMES), timeout=1_800_000)
    grown = held_mb() - before
    painting = float("inf")
    for _ in range(PAINTED):
        start = time.perf_counter()
        page.screen_of_page.grab()
        painting = min(painting, time.perf_counter() - start)
    page.shut_down()

    print(
        f"\n{FRAMES} frames, {solved} with a solution on them: {grown:+.1f} MB of {before:.0f} MB"
    )
    print(f"median of unpacking and following {1000 * np.median(work):.1f} ms, ", end="")
    print(f"shortest of painting {1000 * painting:.1f} ms")
    assert solved > WARM // 4
    assert grown < MOST_MB
