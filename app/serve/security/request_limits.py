"""How much one client may ask for: how often, and bodies of how many bytes and seconds.

One phone leaves room for others. Requests are counted by token buckets: each refills steadily and
holds a burst. A client is a session; all requests of a network address together have a limit, too.
Bodies are read whole before anything is worked on.
"""

import asyncio
import ipaddress
import math
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.serve.api.problems import Problem, has_body, header, refuse
from app.serve.server import read_address
from app.serve.tracker_pool import MAX_FRAME_BYTES

MOST_CLIENTS: Final = 4096
"""Of which a limit remembers anything; it forgets the one that has asked longest ago."""

_AT_ONCE_RETRY_SECONDS: Final = 1

_ROUNDING: Final = 1e-9
"""Who waits as long as was told must be let in, however the seconds add up."""


@dataclass(frozen=True)
class Rate:
    """How often something may be done.

    Attributes:
        per_second: steadily.
        burst: at once, after a pause.
        at_once: going on at the same time; None for any number.
    """

    per_second: float
    burst: int
    at_once: int | None = None


class Limiter:
    """One rate for each of many clients."""

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # left, and when
        self._going_on: Counter[str] = Counter()

    def take(self, client: str) -> int | None:
        """Begin something: return None, or, where it is too much, seconds to wait, at least 1.

        What was begun ends with `give_back`; what was not costs nothing.
        """
        now = self._clock()
        left, since = self._buckets.pop(client, (float(self._rate.burst), now))
        left = min(self._rate.burst, left + (now - since) * self._rate.per_second)
        at_once = self._rate.at_once
        is_full = at_once is not None and self._going_on[client] >= at_once
        is_allowed = left >= 1 - _ROUNDING and not is_full
        self._buckets[client] = (left - 1 if is_allowed else left, now)
        if len(self._buckets) > MOST_CLIENTS:
            self._buckets.popitem(last=False)
        if is_allowed:
            self._going_on[client] += 1
            return None
        if left >= 1 - _ROUNDING:
            return _AT_ONCE_RETRY_SECONDS
        return max(1, math.ceil((1 - left) / self._rate.per_second))

    def give_back(self, client: str) -> None:
        """Tell that something which `take` allowed has ended."""
        self._going_on[client] -= 1
        if self._going_on[client] <= 0:
            del self._going_on[client]


@dataclass(frozen=True)
class Rates:
    """What sessions may do, by kind of request.

    Attributes:
        anything: every request of an address, pages and their files among them.
        sign_in: tokens shown by an address, right or wrong.
        frame: a camera's pictures of a session.
    """

    anything: Rate = Rate(80.0, 400, at_once=64)
    sign_in: Rate = Rate(1.0, 30)
    photo: Rate = Rate(1.0, 10, at_once=2)
    small: Rate = Rate(8.0, 60, at_once=4)
    frame: Rate = Rate(40.0, 80, at_once=2)


class RateGuard:
    """Holds requests to limits."""

    def __init__(
        self, app: ASGIApp, limits_of: Callable[[Scope], Iterable[tuple[Limiter, str]]]
    ) -> None:
        """Stand before an application; of each request, tell the limits and who has them."""
        self._app, self._limits_of = app, limits_of

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run or refuse one request."""
        taken: list[tuple[Limiter, str]] = []
        try:
            for limiter, client in self._limits_of(scope):
                seconds = limiter.take(client)
                if seconds is not None:
                    await refuse(scope, receive, send, Problem.TOO_FAST, seconds)
                    return
                taken.append((limiter, client))
            await self._app(scope, receive, send)
        finally:
            for limiter, client in taken:
                limiter.give_back(client)


def address_of(scope: Scope) -> str:
    """Return the network address that a request comes from, of IPv6 the network of one customer.

    What a proxy says of its clients counts for nothing: any client could say it.
    """
    client = scope.get("client")
    if client is None:
        return "unknown"
    address = read_address(client[0])
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((int(address), 64), strict=False))
    return str(address or client[0])


PHOTO_PATH: Final = "/api/photos"
PICTURE_PATH: Final = "/api/pictures"
LIVE_PATH: Final = "/api/live"


@dataclass(frozen=True)
class BodyLimits:
    """What bodies may be; `seconds` is how long one may take to arrive."""

    photo_bytes: int = 25_000_000
    frame_bytes: int = MAX_FRAME_BYTES
    other_bytes: int = 65_536
    seconds: float = 60.0


class BodyGuard:
    """Hands on bodies that are complete, and refuses those that are too large or slow."""

    def __init__(self, app: ASGIApp, limits: BodyLimits) -> None:
        self._app = app
        self._limits = limits
        self._most = {
            PHOTO_PATH: limits.photo_bytes,
            PICTURE_PATH: limits.photo_bytes,
            LIVE_PATH: limits.frame_bytes,
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run or refuse one request."""
        if not has_body(scope):
            await self._app(scope, receive, send)
            return
        try:
            body = await self._read(scope, receive)
        except ClientDisconnect:  # nobody is there to be told
            return
        if isinstance(body, Problem):
            await refuse(scope, receive, send, body)
            return
        rest: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive_rest() -> Message:
            return rest.pop() if rest else await receive()

        await self._app(scope, receive_rest, send)

    async def _read(self, scope: Scope, receive: Receive) -> bytes | Problem:
        """Return a body, or why it is not taken."""
        most = self._most.get(scope["path"], self._limits.other_bytes)
        if header(scope, b"content-encoding") not in (None, b"identity"):
            return Problem.WRONG_TYPE  # unpacked, it could be of any size
        if int(header(scope, b"content-length") or 0) > most:
            return Problem.TOO_LARGE
        body = bytearray()
        try:
            async with asyncio.timeout(self._limits.seconds):
                async for chunk in Request(scope, receive).stream():
                    body += chunk
                    if len(body) > most:
                        return Problem.TOO_LARGE
        except TimeoutError:
            return Problem.TOO_SLOW
        return bytes(body)
