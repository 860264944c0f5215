"""Measure the phone page's server under load: answers, how long they take, and memory.

    python -m benchmarks.serve
    python -m benchmarks.serve --photos ../shared/data/photos/wichtounet --clients 50 --seconds 60
    python -m benchmarks.serve --clients 50 --seconds 60 --attackers 2

The command runs in a process of its own, as users run it, on the loopback. Each client is a phone
with an address and a session of its own; it sends one photo after the other, shrunk to 640×480,
and waits as long as the server says where it is refused. With attackers, halves without and with
them take turns, and what they cost the others is told.
"""

import argparse
import itertools
import os
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import cv2

from app.batch.files.inputs import Lister, Naming
from benchmarks.serve_clients import Client, Span, Tally, compare, make_attacks, send_photos
from vision.media.images import ImageError, load_image

_SIDE_PX: Final = (640, 480)
_QUALITY: Final = 85
_MOST_PHOTOS: Final = 40
_LOOKS: Final = 6


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Measure the phone page's server under load.")
    parser.add_argument("--photos", default="samples/newspaper.jpg", help="a photo or a folder")
    parser.add_argument("--clients", type=int, default=50, help="default 50")
    parser.add_argument("--seconds", type=float, default=60.0, help="default 60")
    parser.add_argument("--workers", type=int, default=2, help="of the server, default 2")
    parser.add_argument("--attackers", type=int, default=0, help="of the clients, default 0")
    parser.add_argument(
        "--attack",
        action="append",
        choices=("ratings", "hard", "scans"),
        help="what they ask for in turn: ratings of what has no solution, ratings of the hardest, "
        "a JPEG of 1,000 scans; ratings and scans if left out",
    )
    parser.add_argument("--rounds", type=int, default=3, help="of both halves, default 3")
    options = parser.parse_args(arguments)
    photos = shrink_photos(options.photos)
    command = [sys.executable, "-m", "app", "serve", "--host", "127.0.0.1", "--port", "0", "-q"]
    command += ["--workers", str(options.workers)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            url = server.stdout.readline().strip()
            warm_up(url, photos[0], options.workers)
            if options.attackers:
                kinds = itertools.cycle(options.attack or ("ratings", "scans"))
                attacks = make_attacks(list(itertools.islice(kinds, options.attackers)))
                return compare(
                    url,
                    photos,
                    attacks,
                    Span(options.clients - len(attacks), options.seconds, options.rounds),
                )
            tally = load(url, photos, options.clients, options.seconds, server.pid)
        finally:
            server.terminate()
    return print_tally(tally, options.seconds)


def shrink_photos(source: str) -> list[bytes]:
    """Return photos as JPEGs that fit into 640×480, as the page sends them smaller than taken."""
    lister = Lister(Naming((source,), recursive=True), lambda _: False, print)
    photos = []
    for found in lister.files():
        with suppress(ImageError):
            image = load_image(found.path)
            scale = min(
                size / side for size, side in zip(_SIDE_PX, image.shape[1::-1], strict=True)
            )
            small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            encoded = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1]
            photos.append(encoded.tobytes())
        if len(photos) == _MOST_PHOTOS:
            break
    return photos


def warm_up(url: str, photo: bytes, workers: int) -> None:
    """Let every worker have had a photo, so that none is still loading."""
    clients = [Client(url, 200 + number) for number in range(workers)]
    for _ in range(3):
        threads = [threading.Thread(target=client.solve, args=(photo,)) for client in clients]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


def load(url: str, photos: list[bytes], clients: int, seconds: float, server: int) -> Tally:
    """Let clients send photos for so long, and print the server's memory meanwhile."""
    tally = Tally()
    end = time.monotonic() + seconds
    threads = [
        threading.Thread(target=send_photos, args=(Client(url, number), number, photos, end, tally))
        for number in range(clients)
    ]
    print("memory of the server, and of each process that works for it, in MB:")
    for thread in threads:
        thread.start()
    start = time.monotonic()
    for look in range(_LOOKS + 1):
        time.sleep(max(0.0, start + look * seconds / _LOOKS - time.monotonic()))
        own, others = memory_mb(server)
        listed = ", ".join(f"{held:.0f}" for held in others)
        print(f"after {time.monotonic() - start:3.0f} s: {own:.0f}; {listed}", flush=True)
    for thread in threads:
        thread.join()
    return tally


def memory_mb(server: int) -> tuple[float, list[float]]:
    """Return what the server's process holds, and each of its children that solve photos."""
    own, others = 0.0, []
    page = os.sysconf("SC_PAGE_SIZE")
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError, IndexError):
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            held = int((folder / "statm").read_text().split()[1]) * page / 1e6
            if int(folder.name) == server:
                own = held
            elif parent == server and b"spawn_main" in (folder / "cmdline").read_bytes():
                others.append(held)
    return own, sorted(others)


def print_tally(tally: Tally, seconds: float) -> int:
    """Print what came of it, and return 1 where anything but a polite refusal went wrong."""
    told = ", ".join(f"{count} × {status}" for status, count in sorted(tally.statuses.items()))
    print(f"answers: {told or 'none'}")
    print(f"faults: {dict(tally.faults) or 'none'}")
    if len(tally.seconds) < 20:
        print("too few photos were accepted to say more")
        return 1
    cuts = statistics.quantiles(tally.seconds, n=20)
    print(
        f"accepted: {len(tally.seconds) / seconds:.1f} a second; median {cuts[9]:.2f} s,"
        f" 95th percentile {cuts[18]:.2f} s, longest {max(tally.seconds):.2f} s"
    )
    return 1 if tally.faults else 0


if __name__ == "__main__":
    sys.exit(main())
