"""Clients of the phone page's server under load: each a phone with an address of its own.

For `benchmarks.serve` and `benchmarks.serve_attackers`. Linux alone has so many addresses.
"""

import http.client
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import parse_qs, urlsplit

REFUSED: Final = (429, 503)


@dataclass
class Tally:
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


def send_photos(client: Client, number: int, photos: list[bytes], end: float, tally: Tally) -> None:
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
            elif status not in REFUSED or after is None:
                tally.faults[f"{status} without a time to wait"] += 1
        if status in REFUSED:
            time.sleep(min(float(after or 1), max(0.0, end - time.monotonic())))
