"""The processes that follow phones' cameras: a few seats, each with one."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from app.serve.tracker_process import (
    LiveLostError,
    LiveReply,
    SentFrame,
    TrackerProcess,
)

logger = logging.getLogger(__name__)

_IDLE_SECONDS: Final = 120.0
"""How long a process waits for the next phone; each holds some 200 MB."""


class TrackerPool:
    """A few seats for phones that film; only what the processes do leaves the loop's thread."""

    def __init__(
        self, seats: int = 2, start: Callable[[], TrackerProcess] = TrackerProcess
    ) -> None:
        """Make it; no process is begun before a phone comes."""
        self.seats = seats
        self.start = start
        self._taken: list[TrackerLease] = []
        self._idle: list[tuple[TrackerProcess, float]] = []
        # A process ends with the thread that began it, so these threads must live as long.
        self._threads = ThreadPoolExecutor(max(seats, 1), thread_name_prefix="live")
        self._is_closed = False
        self._doing: set[asyncio.Future[None]] = set()

    @property
    def taken(self) -> int:
        """How many phones film now."""
        return len(self._taken)

    def enter(self, address: str) -> "TrackerLease | None":
        """Return a seat, which `leave` gives back, or None where all are taken.

        Of several seats one is always left to another address.
        """
        if self._is_closed or len(self._taken) >= self.seats:
            return None
        if sum(seat.address == address for seat in self._taken) >= max(self.seats - 1, 1):
            return None
        process = self._idle.pop()[0] if self._idle else None
        seat = TrackerLease(self, process, address)
        self._taken.append(seat)
        return seat

    async def leave(self, seat: "TrackerLease") -> None:
        """Take a seat back, once what it asked last is answered."""
        try:
            process = await seat.rest()
        finally:
            self._taken.remove(seat)
        if process is None:
            return
        if self._is_closed:
            process.kill()
            return
        self._idle.append((process, time.monotonic()))
        asyncio.get_running_loop().call_later(_IDLE_SECONDS, self._end_idle)

    def close(self) -> None:
        """End every process, and let nobody in any more."""
        self._is_closed = True
        # What is asked now is answered first: a pipe is not closed under a thread that reads it.
        self._threads.shutdown(wait=True, cancel_futures=True)
        for process, _ in self._idle:
            process.kill()
        self._idle.clear()
        for seat in self._taken:
            seat.end()

    def keep(self, doing: "asyncio.Future[None]") -> None:
        """Keep what is done while nobody waits for it: the loop alone would let it vanish."""
        self._doing.add(doing)
        doing.add_done_callback(self._doing.discard)

    async def work(self, do: Callable[[], LiveReply]) -> LiveReply:
        """Do something in one of the room's threads."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, do)

    def _end_idle(self) -> None:
        now = time.monotonic()
        for process, since in list(self._idle):
            if now - since >= _IDLE_SECONDS - 1:
                self._idle.remove((process, since))
                process.kill()


class TrackerLease:
    """What one phone has of the room."""

    def __init__(self, room: TrackerPool, process: TrackerProcess | None, address: str) -> None:
        """Made by `TrackerPool.enter`."""
        self.address = address
        self._room = room
        self._process = process
        self._is_begun = self._is_lost = False
        self._asking: asyncio.Future[LiveReply] | None = None

    async def follow(self, jpeg: bytes, number: int) -> LiveReply:
        """Return what is to be drawn on a frame; one at a time.

        Raises:
            LiveLostError: if no answer comes; the seat is of no more use.
            FrameRefusedError: if it is no frame.
        """
        frame = SentFrame(number, jpeg, time.monotonic())
        # Where the phone goes meanwhile, the process must be left in order: see `rest`.
        self._asking = asyncio.ensure_future(self._room.work(lambda: self._ask(frame)))
        return await asyncio.shield(self._asking)

    async def rest(self) -> TrackerProcess | None:
        """Wait for what was asked last; return the process if it may serve another phone."""
        if self._asking is not None:
            with contextlib.suppress(Exception):
                await self._asking
        if self._is_lost:
            self.end()
        return self._process

    def end(self) -> None:
        """End its process, whatever it does."""
        if self._process is not None:
            self._process.kill()
            self._process = None

    def _ask(self, frame: SentFrame) -> LiveReply:
        """Ask the process; runs in a thread of the room."""
        try:
            if self._process is None:
                self._process = self._room.start()
            if not self._is_begun:
                self._process.begin()
                self._is_begun = True
            return self._process.ask(frame)
        except LiveLostError as error:
            logger.warning("a live view is lost: %s", error)
            self._is_lost = True
            raise
