"""Measure the phone page's server under load: answers, how long they take, and memory.

    python -m benchmarks.serve
    python -m benchmarks.serve --photos ../shared/data/photos/wichtounet --clients 50 --seconds 60
    python -m benchmarks.serve --clients 30 --seconds 30 --attackers 2

The command runs in a process of its own, as users run it, on the loopback. Each client is a phone
with an address and a session of its own; it sends one photo after the other, shrunk to 640×480,
and waits as long as the server says where it is refused. Linux alone has so many addresses. With
attackers, rounds without and with them take turns, and what they cost the others is told. An
attacker asks for what takes longest and never waits as long as it is told.
"""

import argparse
import http.client
import io
import json
import math
import statistics
import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import cycle, islice
from typing import Final, NamedTuple
from urllib.parse import parse_qs, urlsplit

import cv2
import numpy as np
from PIL import Image

from app.batch.inputs import InputLister, InputNames
from benchmarks.processes import memory_mb, serving, workers_mb
from vision.media.images import ImageError, load_image

_REFUSED: Final = (429, 503)
MOST_TIMES_SLOWER: Final = 1.5
"""What attackers may cost the others, of their 95th percentile."""

_DEEP: Final = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4........."
"""No solution, which was once searched for during minutes (Norvig's essay)."""

_SCANS: Final = 1000
_SIDES_PX: Final = (4000, 3000)
_FEWEST: Final = 20
"""Answers, with attackers and without, from which a percentile says anything."""

_CONNECTIONS: Final = 4
_PAUSE_SECONDS: Final = 0.05
_REST_SECONDS: Final = 3.0
_SIDE_PX: Final = (640, 480)
_QUALITY: Final = 85
_MOST_PHOTOS: Final = 40


class Answer(NamedTuple):
    """What a server answers: its status, the seconds to wait where they are said, and the body."""

    status: int
    wait: str | None
    body: bytes


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
        self._headers = {"Origin": f"http://{place.netloc}"}
        self._headers["Cookie"] = cookie or self._sign_in(parse_qs(place.query)["token"][0])

    def again(self) -> "Client":
        """Return another connection of the same phone."""
        return Client(self._url, self._number, self._headers["Cookie"])

    def send(
        self, path: str, body: bytes = b"", content_type: str = "image/jpeg", method: str = "POST"
    ) -> Answer:
        """Send something and return what is answered.

        Raises:
            OSError, http.client.HTTPException: if the connection ends before.
        """
        try:
            self._link.request(method, path, body, self._headers | {"Content-Type": content_type})
            answer = self._link.getresponse()
            return Answer(answer.status, answer.headers["retry-after"], answer.read())
        except (OSError, http.client.HTTPException):
            self._link.close()  # the next request opens it anew
            raise

    def solve(self, photo: bytes) -> Answer:
        """Send a photo, as `send` does."""
        return self.send("/api/photos", photo)

    def _sign_in(self, token: str) -> str:
        self._link.request("GET", f"/?token={token}")
        answer = self._link.getresponse()
        answer.read()
        return str(answer.headers["set-cookie"]).partition(";")[0]


@dataclass
class LoadTally:
    """What all clients met in a round; each adds to it alone under its lock.

    Attributes:
        statuses: of all answers.
        seconds: that photos took which were accepted.
        waits: the same from the first try on, refusals and the wait after them included.
        faults: all but a photo's report and a polite refusal.
        attackers: statuses of the attackers' answers, 0 where there was none.
    """

    lock: threading.Lock = field(default_factory=threading.Lock)
    statuses: Counter[int] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)
    attackers: Counter[int] = field(default_factory=Counter)


class Attack(NamedTuple):
    """What an attacker asks for, again and again."""

    path: str
    body: bytes
    content_type: str


def make_attacks(count: int) -> list[Attack]:
    """Return attacks in turn: to rate what has no solution, and a JPEG of 1,000 scans."""
    rating = Attack("/api/ratings", json.dumps({"clues": _DEEP}).encode(), "application/json")
    scans = Attack("/api/photos", make_many_scans(_SCANS), "image/jpeg")
    return list(islice(cycle((rating, scans)), count))


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


def _send_photos(
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
            status, after, _ = client.solve(photos[turn % len(photos)])
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


def _attack(client: Client, attack: Attack, end: float, tally: LoadTally) -> None:
    while time.monotonic() < end:
        try:
            status = client.send(*attack).status
        except (OSError, http.client.HTTPException):
            status = 0
        with tally.lock:
            tally.attackers[status] += 1
        if status != 200:
            time.sleep(_PAUSE_SECONDS)


def _run_together(threads: Sequence[threading.Thread]) -> None:
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _run_round(
    clients: Sequence[Client],
    photos: list[bytes],
    attackers: Sequence[tuple[Client, Attack]],
    seconds: float,
) -> LoadTally:
    """Let all clients send photos for so long, and attackers what they attack with."""
    tally = LoadTally()
    end = time.monotonic() + seconds
    threads = [
        threading.Thread(target=_send_photos, args=(client.again(), number, photos, end, tally))
        for number, client in enumerate(clients)
    ]
    threads += [
        threading.Thread(target=_attack, args=(client.again(), attack, end, tally))
        for client, attack in attackers
        for _ in range(_CONNECTIONS)
    ]
    _run_together(threads)
    return tally


def _percentile(seconds: Sequence[float], percent: int) -> float:
    return float(np.percentile(seconds, percent)) if seconds else math.inf


def _print_round(number: int, attackers: int, tally: LoadTally, seconds: float, pid: int) -> None:
    held = ", ".join(f"{now:.0f}" for now, _ in [memory_mb(pid), *workers_mb(pid)])
    told = ", ".join(f"{count} × {status}" for status, count in sorted(tally.attackers.items()))
    print(
        f"{number:5}  {attackers:9}  {len(tally.seconds) / seconds:10.1f}"
        f"  {_percentile(tally.seconds, 50):8.2f}  {_percentile(tally.seconds, 95):6.2f}"
        f"  {_percentile(tally.waits, 95):19.2f}  {held}  {told}",
        flush=True,
    )


def _tell_ratio(name: str, without: Sequence[list[float]], attacked: Sequence[list[float]]) -> bool:
    """Print how many times longer the others wait, by medians of the rounds; is it too long?"""
    before, after = (
        statistics.median(_percentile(one, 95) for one in rounds) for rounds in (without, attacked)
    )
    print(
        f"95th percentile of {name}: {before:.2f} s without attackers, {after:.2f} s with:"
        f" {after / before:.2f} times, at most {MOST_TIMES_SLOWER} wanted"
    )
    return after / before > MOST_TIMES_SLOWER


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; 1 where something failed, or attackers cost the others much."""
    parser = argparse.ArgumentParser(description="Measure the phone page's server under load.")
    parser.add_argument("--photos", default="samples/newspaper.jpg", help="a photo or a folder")
    parser.add_argument("--clients", type=int, default=50, help="default 50")
    parser.add_argument("--seconds", type=float, default=60.0, help="default 60")
    parser.add_argument("--workers", type=int, default=2, help="of the server, default 2")
    parser.add_argument("--attackers", type=int, default=0, help="of the clients, default 0")
    parser.add_argument("--rounds", type=int, default=3, help="without and with, default 3")
    options = parser.parse_args(arguments)
    photos = _shrink_photos(options.photos)
    attacks = make_attacks(options.attackers)
    with serving("--workers", str(options.workers)) as (url, pid):
        clients = [Client(url, number) for number in range(options.clients - len(attacks))]
        for _ in range(3):  # no worker is still loading after that
            warmed = (threading.Thread(target=one.solve, args=(photos[0],)) for one in clients)
            _run_together(list(islice(warmed, options.workers)))
        attackers = [(Client(url, 200 + number), one) for number, one in enumerate(attacks)]
        rounds: dict[bool, list[LoadTally]] = {False: [], True: []}
        seconds = options.seconds / options.rounds
        print(
            "round  attackers  answered/s  median s  95th s  95th s with retries  "
            "MB of the server and its workers  attackers' answers"
        )
        for number in range(options.rounds):
            for is_attacked in (False, True) if attacks else (False,):
                present = attackers if is_attacked else []
                tally = _run_round(clients, photos, present, seconds)
                rounds[is_attacked].append(tally)
                _print_round(number + 1, len(present), tally, seconds, pid)
                time.sleep(_REST_SECONDS)
    return _judge(rounds[False], rounds[True])


def _judge(without: Sequence[LoadTally], attacked: Sequence[LoadTally]) -> int:
    """Print what all rounds came to, and return the exit code."""
    tallies = [*without, *attacked]
    statuses = sum((one.statuses for one in tallies), Counter[int]())
    faults = sum((one.faults for one in tallies), Counter[str]())
    print(f"answers: {', '.join(f'{n} × {status}' for status, n in sorted(statuses.items()))}")
    print(f"faults: {dict(faults) or 'none'}")
    if any(sum(len(one.seconds) for one in part) < _FEWEST for part in (without, attacked) if part):
        print("too few photos were accepted to say more")
        return 1
    print(f"longest: {max(max(one.seconds, default=0) for one in tallies):.2f} s")
    if not attacked:
        return 1 if faults else 0
    slower = [
        _tell_ratio("an answer", *([one.seconds for one in part] for part in (without, attacked))),
        _tell_ratio(
            "an answer with retries", *([one.waits for one in part] for part in (without, attacked))
        ),
    ]
    return 1 if faults or any(slower) else 0


def _shrink_photos(source: str) -> list[bytes]:
    """Return photos as JPEGs that fit into 640×480, as the page sends them smaller than taken."""
    lister = InputLister(InputNames((source,), recursive=True), lambda _: False, print)
    photos: list[bytes] = []
    for found in lister.files():
        if len(photos) == _MOST_PHOTOS:
            break
        with suppress(ImageError):
            image = load_image(found.path)
            scale = min(
                size / side for size, side in zip(_SIDE_PX, image.shape[1::-1], strict=True)
            )
            small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            encoded = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1]
            photos.append(encoded.tobytes())
    return photos


if __name__ == "__main__":
    sys.exit(main())
