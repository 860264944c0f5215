"""Measure the phone page's server under load: answers, how long they take, and memory.

    python -m benchmarks.serve
    python -m benchmarks.serve --photos ../shared/data/photos/wichtounet --clients 50 --seconds 60
    python -m benchmarks.serve --clients 50 --seconds 60 --attackers 2

The command runs in a process of its own, as users run it, on the loopback. Each client is a phone
with an address and a session of its own; it sends one photo after the other, shrunk to 640×480,
and waits as long as the server says where it is refused. Linux alone has so many addresses. With
attackers, halves without and with them take turns, and what they cost the others is told. An
attacker asks for what takes longest and never waits as long as it is told.
"""

import argparse
import http.client
import io
import itertools
import json
import math
import statistics
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Final
from urllib.parse import parse_qs, urlsplit

import cv2
import numpy as np
from PIL import Image

from app.batch.inputs import InputLister, InputNames
from benchmarks.processes import memory_mb, workers_mb
from vision.media.images import ImageError, load_image

_REFUSED: Final = (429, 503)
MOST_TIMES_SLOWER: Final = 1.5
"""What attackers may cost the others, of their 95th percentile."""

_DEEP: Final = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4........."
"""No solution, which was once searched for during minutes (Norvig's essay)."""

_HARD: Final = "5..7.........3..7...8..5..36..1..4...8..2..9...9..8..1...4..3...6..9..4...2..6..9"
"""Takes 2,412 searches for techniques to rate, the most of 310 of the hardest puzzles known."""

_SCANS: Final = 1000
_SIDES_PX: Final = (4000, 3000)
_FEWEST: Final = 20
"""Answers of the others, with attackers and without, from which a percentile says anything."""

_CONNECTIONS: Final = 4
_PAUSE_SECONDS: Final = 0.05
_REST_SECONDS: Final = 3.0


@dataclass
class LoadTally:
    """What all clients met; each adds to it alone under its lock.

    Attributes:
        statuses: of all answers.
        seconds: that photos took which were accepted.
        waits: the same from the first try on, refusals and the wait after them included.
        faults: all but a photo's report and a polite refusal.
    """

    lock: threading.Lock = field(default_factory=threading.Lock)
    statuses: Counter[int] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)


class Client:
    """A phone: an address of the loopback, a session, and one connection."""

    def __init__(self, url: str, number: int, cookie: str = "") -> None:
        self._url, self._number = url, number
        place = urlsplit(url)
        assert place.hostname is not None
        source = (f"127.0.{10 + number // 250}.{1 + number % 250}", 0)
        self._link = http.client.HTTPConnection(
            place.hostname, place.port, timeout=60, source_address=source
        )
        self._cookie = cookie or self._sign_in(parse_qs(place.query)["token"][0])

    def again(self) -> "Client":
        """Return another connection of the same phone."""
        return Client(self._url, self._number, self._cookie)

    def post(self, path: str, body: bytes, content_type: str) -> tuple[int, str | None]:
        """Send something and return the status, and how long to wait, if that is said."""
        headers = {"Cookie": self._cookie, "Content-Type": content_type}
        try:
            self._link.request("POST", path, body, headers)
            answer = self._link.getresponse()
            answer.read()
        except (OSError, http.client.HTTPException):
            self._link.close()  # the next request opens it anew
            raise
        return answer.status, answer.headers["retry-after"]

    def solve(self, photo: bytes) -> tuple[int, str | None]:
        """Send a photo, as `post` does."""
        return self.post("/api/photos", photo, "image/jpeg")

    def _sign_in(self, token: str) -> str:
        self._link.request("GET", f"/?token={token}")
        answer = self._link.getresponse()
        answer.read()
        return str(answer.headers["set-cookie"]).partition(";")[0]


def send_photos(
    client: Client, number: int, photos: list[bytes], end: float, tally: LoadTally
) -> None:
    """Be one phone until the end: send one photo after the other, and wait where that is said."""
    turn = number
    first_try: float | None = None
    while time.monotonic() < end:
        turn += first_try is None
        begun = time.perf_counter()
        first_try = first_try or begun
        try:
            status, after = client.solve(photos[turn % len(photos)])
        except (OSError, http.client.HTTPException) as error:
            with tally.lock:
                tally.faults[type(error).__name__] += 1
            continue
        with tally.lock:
            tally.statuses[status] += 1
            if status == 200:
                now = time.perf_counter()
                tally.seconds.append(now - begun)
                tally.waits.append(now - first_try)
                first_try = None
            elif status not in _REFUSED or after is None:
                tally.faults[f"{status} without a time to wait"] += 1
        if status in _REFUSED:
            time.sleep(min(float(after or 1), max(0.0, end - time.monotonic())))


@dataclass(frozen=True)
class Attack:
    """What an attacker asks for, again and again."""

    name: str
    path: str
    body: bytes
    content_type: str


@dataclass(frozen=True)
class Span:
    """How much is measured.

    Attributes:
        others: clients that send photos.
        seconds: with attackers, and as many without.
        rounds: in which the two halves take turns.
    """

    others: int
    seconds: float
    rounds: int


@dataclass
class Half:
    """What came of a while with attackers, or without: of the others, and of the attackers."""

    tally: LoadTally
    attackers: Counter[int] = field(default_factory=Counter)


def make_attacks(kinds: Sequence[str]) -> list[Attack]:
    """Return the attacks of these kinds: `ratings`, `hard` or `scans`."""
    rate = partial(Attack, path="/api/ratings", content_type="application/json")
    makers = {
        "ratings": lambda: rate("ratings", body=json.dumps({"clues": _DEEP}).encode()),
        "hard": lambda: rate("hard", body=json.dumps({"clues": _HARD}).encode()),
        "scans": lambda: Attack("scans", "/api/photos", make_many_scans(_SCANS), "image/jpeg"),
    }
    return [makers[kind]() for kind in kinds]


def make_many_scans(scans: int) -> bytes:
    """Return a progressive JPEG of 12 megapixels whose last scan comes so many times.

    Decoders go through all blocks of the picture for each scan, though it holds hardly a byte.
    """
    width, height = _SIDES_PX
    file = io.BytesIO()
    flat = np.full((height, width), 200, np.uint8)
    Image.fromarray(flat).save(file, "JPEG", progressive=True, quality=85)
    data = file.getvalue()
    # A scan's table of codes stands right before it; after it comes the end alone.
    last = data.rindex(b"\xff\xc4", 0, data.rindex(b"\xff\xda"))
    return data[:last] + data[last:-2] * scans + data[-2:]


def compare(url: str, photos: list[bytes], attacks: Sequence[Attack], span: Span) -> int:
    """Print what attackers cost the others; return 1 where it is too much."""
    others = [Client(url, number) for number in range(span.others)]
    halves: dict[bool, list[Half]] = {False: [], True: []}
    print("round  attackers  answered/s  median s  95th s  95th s with retries  attackers' answers")
    for turn in range(span.rounds):
        for is_attacked in (False, True):
            at_it = attacks if is_attacked else ()
            half = _run_half(url, others, photos, at_it, span.seconds / span.rounds)
            halves[is_attacked].append(half)
            _print_half(turn, len(at_it), half, span.seconds / span.rounds)
            time.sleep(_REST_SECONDS)
    faults = sum((half.tally.faults for pair in halves.values() for half in pair), Counter[str]())
    print(f"faults: {dict(faults) or 'none'}")
    if any(sum(len(half.tally.seconds) for half in one) < _FEWEST for one in halves.values()):
        print("too few photos were accepted to say more")
        return 1
    answers = [[_ninety_fifth(half.tally.seconds) for half in one] for one in halves.values()]
    waits = [[_ninety_fifth(half.tally.waits) for half in one] for one in halves.values()]
    slower = _tell_ratio("an answer", *answers), _tell_ratio("an answer with retries", *waits)
    return 1 if faults or max(slower) > MOST_TIMES_SLOWER else 0


def _run_half(
    url: str,
    others: Sequence[Client],
    photos: list[bytes],
    attacks: Sequence[Attack],
    seconds: float,
) -> Half:
    half = Half(LoadTally())
    end = time.monotonic() + seconds
    threads = [
        threading.Thread(target=send_photos, args=(client.again(), number, photos, end, half.tally))
        for number, client in enumerate(others)
    ]
    for number, attack in enumerate(attacks):
        attackers = [Client(url, 200 + number)]
        attackers += [attackers[0].again() for _ in range(_CONNECTIONS - 1)]
        threads += [
            threading.Thread(target=_attack, args=(client, attack, end, half))
            for client in attackers
        ]
    _run_together(threads)
    return half


def _run_together(threads: Sequence[threading.Thread]) -> None:
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _attack(client: Client, attack: Attack, end: float, half: Half) -> None:
    while time.monotonic() < end:
        try:
            status, _ = client.post(attack.path, attack.body, attack.content_type)
        except (OSError, http.client.HTTPException):
            status = 0
        with half.tally.lock:
            half.attackers[status] += 1
        if status != 200:
            time.sleep(_PAUSE_SECONDS)


def _print_half(turn: int, attackers: int, half: Half, seconds: float) -> None:
    tally = half.tally
    middle = statistics.median(tally.seconds or [math.inf])
    told = ", ".join(f"{count} × {status}" for status, count in sorted(half.attackers.items()))
    print(
        f"{turn + 1:5}  {attackers:9}  {len(tally.seconds) / seconds:10.1f}"
        f"  {middle:8.2f}  {_ninety_fifth(tally.seconds):6.2f}"
        f"  {_ninety_fifth(tally.waits):19.2f}  {told}",
        flush=True,
    )


def _ninety_fifth(seconds: Sequence[float]) -> float:
    if len(seconds) < 2:
        return math.inf
    return statistics.quantiles(seconds, n=20, method="inclusive")[18]


def _tell_ratio(name: str, without: Sequence[float], under_attack: Sequence[float]) -> float:
    """Print how many times longer the others wait, by medians of the rounds; return it."""
    before, after = statistics.median(without), statistics.median(under_attack)
    print(
        f"95th percentile of {name}: {before:.2f} s without attackers, {after:.2f} s with:"
        f" {after / before:.2f} times, at most {MOST_TIMES_SLOWER} wanted"
    )
    return after / before


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
    photos = _shrink_photos(options.photos)
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
    return _print_tally(tally, options.seconds)


def _shrink_photos(source: str) -> list[bytes]:
    """Return photos as JPEGs that fit into 640×480, as the page sends them smaller than taken."""
    lister = InputLister(InputNames((source,), recursive=True), lambda _: False, print)
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
        _run_together([threading.Thread(target=client.solve, args=(photo,)) for client in clients])


def load(url: str, photos: list[bytes], clients: int, seconds: float, server: int) -> LoadTally:
    """Let clients send photos for so long, and print the server's memory meanwhile."""
    tally = LoadTally()
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
        others = ", ".join(f"{held:.0f}" for held, _ in workers_mb(server))
        seconds_spent = time.monotonic() - start
        print(f"after {seconds_spent:3.0f} s: {memory_mb(server)[0]:.0f}; {others}", flush=True)
    for thread in threads:
        thread.join()
    return tally


def _print_tally(tally: LoadTally, seconds: float) -> int:
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
