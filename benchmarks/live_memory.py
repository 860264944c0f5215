"""How much memory a long run of the live view takes: frames of a simulated camera, looped.

    python -m benchmarks.live_memory --minutes 60
    python -m benchmarks.live_memory --minutes 5

A page moves before the camera, leaves and returns, and another takes its place; the same seconds
are shown again and again, 30 frames for each, as fast as they are worked on. The growth is counted
from the end of the first minute, when everything has been loaded.
"""

import argparse
import gc
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from app.live.frame_recognition import recognise, warm_up
from app.live.live_session import LiveSession
from app.live.live_view import draw_view
from app.recognition.pipeline import Pipeline
from training.pages.flat_board import make_puzzle, render_board

Image8 = npt.NDArray[np.uint8]

_RATE = 30
_LOOP_SECONDS = 8
_DELAY_FRAMES = 3


def make_loop() -> list[Image8]:
    """Return the frames of one loop, (720, 1280, 3) uint8 BGR each."""
    pages = [render_board(make_puzzle(seed, 30).clues, 440)[0] for seed in (1, 2)]
    frames = []
    for number in range(_RATE * _LOOP_SECONDS):
        seconds = number / _RATE
        page = pages[0] if seconds < 5 else pages[1]
        away = 1200 * max(0.0, np.sin(np.pi * (seconds - 2.5))) if 2.5 < seconds < 3.5 else 0.0
        x, y = 380 + 20 * np.sin(seconds) + away, 100 + 15 * np.cos(1.7 * seconds)
        camera = np.array([[1, 0.02, x], [-0.02, 1, y]], np.float64)
        frame = cv2.warpAffine(page, camera, (1280, 720), borderValue=(80, 90, 100))
        frames.append(np.asarray(frame, np.uint8))
    return frames


def resident_megabytes() -> float:
    """Return the memory of this process that is not swapped out, where Linux tells it."""
    status = Path("/proc/self/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; 1 when memory grew by 20 MB or more."""
    parser = argparse.ArgumentParser(description="Measure the memory of a long live view.")
    parser.add_argument("--minutes", type=float, default=60.0, help="of frames, default 60")
    options = parser.parse_args(arguments)
    pipeline = Pipeline.load()
    warm_up(pipeline)
    loop, session = make_loop(), LiveSession()
    waiting = None
    shown = 0
    start, begun = 0.0, time.perf_counter()
    total = round(options.minutes * 60 * _RATE)
    for number in range(total):
        if waiting is not None and number >= waiting[0]:
            session.accept(waiting[1])
            waiting = None
        frame = loop[number % len(loop)]
        view = session.advance(frame, number / _RATE)
        shown += view.opacity > 0
        draw_view(frame, view)
        request = session.take_request()
        if request is not None:
            waiting = number + _DELAY_FRAMES, recognise(pipeline, request)
        if number == min(60 * _RATE, total // 2):
            gc.collect()
            start = resident_megabytes()
        if number % (600 * _RATE) == 0 and number:
            print(f"{number / _RATE / 60:.0f} min: {resident_megabytes():.1f} MB", file=sys.stderr)
    gc.collect()
    growth = resident_megabytes() - start
    print(
        f"{total:,} frames ({options.minutes:g} minutes), a solution on {shown:,}: memory grew by "
        f"{growth:.1f} MB from {start:.0f} MB; {time.perf_counter() - begun:.0f} s"
    )
    return 1 if growth >= 20 else 0


if __name__ == "__main__":
    sys.exit(main())
