"""The processes that follow phones' cameras, as the server sees them: a few seats, each with one.

A process that dies or hangs costs its phone this live view, and nobody else anything.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, Protocol

from app.serve.live.frame_messages import LiveReply, Missing, NewPhone, Refused, SentFrame
from app.serve.live.tracker_process import follow_frames
from app.workers.child_process import ChildProcess, Talk

logger = logging.getLogger(__name__)

FIRST_FRAME_SECONDS: Final = 30.0
"""How long the first answer may take: the process must start and import what it needs."""

FRAME_SECONDS: Final = 10.0
"""How long a further one may take; 0.01 s is usual."""

_IDLE_SECONDS: Final = 120.0
"""How long a process waits for the next phone; each holds some 200 MB."""


class LiveLostError(Exception):
    """The process is gone, hangs, or has no networks: the phone may try again."""


class FrameRefusedError(Exception):
    """What the phone sent is no frame."""


class Process(Protocol):
    """What follows one phone's frames; used by one thread at a time."""

    def begin(self) -> None:
        """Forget what was seen: another phone's frames come now."""

    def ask(self, frame: SentFrame) -> LiveReply:
        """Return what is to be drawn on a frame.

        Raises:
            LiveLostError: if no answer comes.
            FrameRefusedError: if it cannot be followed.
        """

    def kill(self) -> None:
        """End it, whatever it does."""


class LiveProcess:
    """A process of its own; see `Process`."""

    def __init__(self, talk: Talk | None = None) -> None:
        """Begin it; `talk` is how much it says on stderr."""
        self._child = ChildProcess(follow_frames, talk or Talk())
        self._has_answered = False

    def begin(self) -> None:
        """Forget what was seen: another phone's frames come now."""
        self._child.send(NewPhone())

    def ask(self, frame: SentFrame) -> LiveReply:
        """Return what is to be drawn on a frame."""
        self._child.send(frame)
        patience = FRAME_SECONDS if self._has_answered else FIRST_FRAME_SECONDS
        if not self._child.has_word(patience):
            raise LiveLostError(f"no answer in {patience:g} s")
        answer: LiveReply | Refused | Missing | None = self._child.receive()
        if answer is None:
            raise LiveLostError(f"its process ended ({self._child.name_death()})")
        if isinstance(answer, Missing):
            raise LiveLostError(answer.reason)
        self._has_answered = True
        if isinstance(answer, Refused):
            raise FrameRefusedError
        return answer

    def kill(self) -> None:
        """End it, whatever it does."""
        self._child.kill()


class LiveRoom:
    """A few seats for phones that film; everything but the processes' work is the loop's thread's.

    Attributes:
        seats: how many phones may film at once.
        start: begins a process.
    """

    def __init__(self, seats: int = 2, start: Callable[[], Process] = LiveProcess) -> None:
        """Make it; no process is begun before a phone comes.

        Args:
            seats: how many phones may film at once.
            start: begins a process.
        """
        self.seats = seats
        self.start = start
        self._taken: list[LiveSeat] = []
        self._idle: list[tuple[Process, float]] = []
        # A process ends with the thread that began it, so these threads must live as long.
        self._threads = ThreadPoolExecutor(max(seats, 1), thread_name_prefix="live")
        self._is_closed = False
        self._doing: set[asyncio.Future[None]] = set()

    @property
    def taken(self) -> int:
        """How many phones film now."""
        return len(self._taken)

    def enter(self, address: str) -> "LiveSeat | None":
        """Return a seat, which `leave` gives back, or None where all are taken.

        Of several seats one is always left to another address.

        Args:
            address: where the phone is.
        """
        if self._is_closed or len(self._taken) >= self.seats:
            return None
        if sum(seat.address == address for seat in self._taken) >= max(self.seats - 1, 1):
            return None
        process = self._idle.pop()[0] if self._idle else None
        seat = LiveSeat(self, process, address)
        self._taken.append(seat)
        return seat

    async def leave(self, seat: "LiveSeat") -> None:
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


class LiveSeat:
    """What one phone has of the room.

    Attributes:
        address: where the phone is.
    """

    def __init__(self, room: LiveRoom, process: Process | None, address: str) -> None:
        """Made by `LiveRoom.enter`."""
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

    async def rest(self) -> Process | None:
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
