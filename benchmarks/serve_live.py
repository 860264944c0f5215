"""How fast the live view answers a phone: frames of a rendered film over a WebSocket on loopback.

    python -m benchmarks.serve_live [--seconds 10] [--side 960]

One phone sends a frame and waits for its answer, as the page does. Told are answers a second, the
milliseconds between a frame and its answer, of which decoding and following take `work`, and after
how long the solution was there; the first time, the process behind it has to begin.
"""

import argparse
import json
import statistics
import time
from http.client import HTTPConnection

import cv2
import numpy as np
import numpy.typing as npt
from websockets.sync.client import connect

from app.serve.host.serve_settings import ServeSettings
from app.serve.host.server import PhoneServer, ServerOptions
from solver.grid import format_grid
from training.pages.flat_board import make_puzzle, render_board

_FRAMES = 48


def main() -> None:
    """Measure, and print a line for each of two views."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=10.0, help="of each view")
    parser.add_argument("--side", type=int, default=960, help="longest side of a frame, in pixels")
    options = parser.parse_args()
    puzzle = make_puzzle(1, 30)
    film = _film(render_board(puzzle.clues, 700)[0], options.side)
    server = PhoneServer(ServerOptions("127.0.0.1", 0, settings=ServeSettings(workers=1)))
    server.start()
    try:
        for name in ("first view", "next view"):
            print(
                f"{name}: {_measure(server, film, options.seconds, format_grid(puzzle.solution))}"
            )
    finally:
        server.stop()


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


def _measure(server: PhoneServer, film: list[bytes], seconds: float, solution: str) -> str:
    place, _, path = server.url.removeprefix("http://").partition("/")
    caller = HTTPConnection(place)
    caller.request("GET", f"/{path}")
    response = caller.getresponse()
    cookie = (response.headers["set-cookie"] or "").partition(";")[0]
    headers = {"Cookie": cookie, "Origin": f"http://{place}"}
    taken: list[float] = []
    work: list[float] = []
    solved_after = wrong = None
    with connect(f"ws://{place}/api/live", additional_headers=headers) as phone:
        start = time.perf_counter()
        while (sent := time.perf_counter()) - start < seconds:
            phone.send(film[len(taken) % len(film)])
            reply = json.loads(phone.recv())
            taken.append(time.perf_counter() - sent)
            work.append(reply["seconds"])
            if reply["solution"] is not None:
                solved_after = solved_after or time.perf_counter() - start
                wrong = wrong or reply["solution"] != solution
    if wrong:
        raise SystemExit("a wrong solution was shown")
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
    main()
