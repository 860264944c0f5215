"""What the live view costs: memory over a long run, and how fast a phone is answered.

    python -m benchmarks.live_load memory --minutes 60
    python -m benchmarks.live_load phone --seconds 10 --side 960

`memory` works on frames of a simulated camera. A page moves before it, leaves and returns, and
another takes its place; the same seconds are shown again and again, 30 frames for each, as fast as
they are worked on. The growth is counted from the end of the first minute, when everything has been
loaded.

`phone` sends frames of a rendered film by requests on loopback. One phone sends a frame and waits
for its answer, 30 a second at the most, as the page does. Told are answers a second, the
milliseconds between a frame and its answer, of which decoding and following take `work`, and after
how long the solution was there; the first time, the process behind it has to begin.
"""

import argparse
import gc
import json
import statistics
import sys
import time
import uuid
from collections.abc import Sequence
from http import HTTPStatus

import cv2
import numpy as np
import numpy.typing as npt

from app.live.frame_recognition import recognise, warm_up
from app.live.live_session import LiveSession
from app.live.live_view import draw_view
from app.recognition.pipeline import Pipeline
from benchmarks.processes import memory_mb, serving
from benchmarks.serve import Client
from solver.grid import format_grid
from training.pages.flat_board import make_puzzle, render_board
from vision.geometry import Image8

_RATE = 30
_LOOP_SECONDS = 8
_DELAY_FRAMES = 3
_FRAMES = 48


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; 1 when memory grew by 20 MB or more."""
    parser = argparse.ArgumentParser(description="Measure the live view.")
    subjects = parser.add_subparsers(dest="subject", required=True)
    memory = subjects.add_parser("memory", help="how much a long run takes")
    memory.add_argument("--minutes", type=float, default=60.0, help="of frames, default 60")
    phone = subjects.add_parser("phone", help="how fast it is answered")
    phone.add_argument("--seconds", type=float, default=10.0, help="of each view")
    phone.add_argument("--side", type=int, default=960, help="longest side of a frame, in pixels")
    options = parser.parse_args(arguments)
    if options.subject == "memory":
        return _measure_memory(options.minutes)
    return _measure_phone(options.seconds, options.side)


def _measure_memory(minutes: float) -> int:
    pipeline = Pipeline.load()
    warm_up(pipeline)
    loop, session = _make_loop(), LiveSession()
    waiting = None
    shown = 0
    start, begun = 0.0, time.perf_counter()
    total = round(minutes * 60 * _RATE)
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
            start = memory_mb()[0]
        if number % (600 * _RATE) == 0 and number:
            print(f"{number / _RATE / 60:.0f} min: {memory_mb()[0]:.1f} MB", file=sys.stderr)
    gc.collect()
    growth = memory_mb()[0] - start
    print(
        f"{total:,} frames ({minutes:g} minutes), a solution on {shown:,}: memory grew by "
        f"{growth:.1f} MB from {start:.0f} MB; {time.perf_counter() - begun:.0f} s"
    )
    return 1 if growth >= 20 else 0


def _make_loop() -> list[Image8]:
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


def _measure_phone(seconds: float, side: int) -> int:
    puzzle = make_puzzle(1, 30)
    film = _film(render_board(puzzle.clues, 700)[0], side)
    with serving("--workers", "1") as (url, _):
        for name in ("first view", "next view"):
            print(f"{name}: {_follow(Client(url, 0), film, seconds, format_grid(puzzle.solution))}")
    return 0


def _film(page: npt.NDArray[np.uint8], side: int) -> list[bytes]:
    """Return JPEG frames of a page before a camera that swings to and fro."""
    width, height, frames = side, side * 3 // 4, []
    flat = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * np.float32(page.shape[0])
    for number in range(_FRAMES):
        swing = 0.08 * np.sin(2 * np.pi * number / _FRAMES)
        seen = np.array([[0.2, 0.06], [0.8, 0.08], [0.78, 0.94], [0.22, 0.92]])
        seen[:, 0] += swing
        seen = (seen * [width, height]).astype(np.float32)
        camera = cv2.getPerspectiveTransform(flat, seen)
        frame = cv2.warpPerspective(page, camera, (width, height), borderValue=(110, 100, 90))
        frames.append(cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, 72])[1].tobytes())
    return frames


def _follow(phone: Client, film: list[bytes], seconds: float, solution: str) -> str:
    view = uuid.uuid4()
    taken: list[float] = []
    work: list[float] = []
    solved_after = None
    start = time.perf_counter()
    while (sent := time.perf_counter()) - start < seconds:
        number = len(taken) + 1
        frame = film[number % len(film)]
        answer = phone.send(f"/api/live?view={view}&frame={number}", frame)
        if answer.status == HTTPStatus.TOO_MANY_REQUESTS:
            raise SystemExit("frames came faster than a phone may send them")
        taken.append(time.perf_counter() - sent)
        reply = json.loads(answer.body)
        work.append(reply["seconds"])
        if reply["solution"] is not None:
            solved_after = solved_after or time.perf_counter() - start
            if reply["solution"] != solution:
                raise SystemExit("a wrong solution was shown")
        time.sleep(max(sent + 1 / _RATE - time.perf_counter(), 0.0))
    phone.send(f"/api/live?view={view}", method="DELETE")
    # The process behind a first view is just beginning; what follows is how it goes on.
    steady = sorted(taken[len(taken) // 4 :])
    median, most = statistics.median(steady), steady[int(0.95 * len(steady))]
    after = "never" if solved_after is None else f"{solved_after:.2f} s"
    return (
        f"{len(steady) / sum(steady):.1f} answers a second, {1e3 * median:.1f} ms each "
        f"(95 % within {1e3 * most:.1f} ms), of which work {1e3 * statistics.median(work):.1f} ms; "
        f"solved after {after}; {sum(map(len, film)) / len(film) / 1e3:.0f} kB a frame"
    )


if __name__ == "__main__":
    sys.exit(main())
