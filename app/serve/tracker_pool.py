"""Phones' cameras, frame by frame: a JPEG goes in, what to draw on this very frame comes out.

What a stranger's frames do to OpenCV or a network they do to one process alone. A process that dies
or hangs costs its phone this live view, and nobody else anything.
"""

import asyncio
import logging
import math
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from app.serve.api.problems import Problem, ProblemError
from app.terminal.exit_codes import CommandError
from app.workers.child_process import Talk, Tell, Work, limit_memory
from app.workers.worker_pool import LostTaskError, NotDoneError, PoolOptions, WorkerPool

if TYPE_CHECKING:
    from app.live.frame_recognition import LiveAnswer, LiveRequest
    from app.recognition.pipeline import Pipeline
    from vision.geometry import Image8

logger = logging.getLogger(__name__)

MAX_FRAME_BYTES: Final = 1_000_000
"""A frame of 1280×720 takes 100 to 200 kB."""

_MAX_FRAME_PIXELS: Final = 1920 * 1088
_JPEG: Final = b"\xff\xd8\xff"


class SentFrame(NamedTuple):
    """A frame to be followed; `seconds` is when it came, which must not decrease."""

    number: int
    jpeg: bytes
    seconds: float


@dataclass(frozen=True)
class LiveReply:
    """What there is to draw on one frame; the phone gets it as JSON.

    Attributes:
        frame: the frame's number, counted by both sides from 1.
        state: one of `app.live.live_view.LiveState`.
        opacity: 0..1, of the digits; 0 where nothing is verified.
        digits: what to draw, a character a cell row by row, `.` for nothing.
        symbols: how the board prints each value; None where that is 1 to 9.
        lattice: the (n + 1)² crossings of the board's lines, [x, y] in pixels of the frame, the
            puzzle's own top left first; None where no board is followed.
        clues: what was read, None where nothing was.
        solution: verified, while it is drawn; else None.
        is_dark: whether the board's paper is dark.
    """

    frame: int
    state: str
    opacity: float
    digits: str
    symbols: list[str] | None
    lattice: list[list[list[float]]] | None
    clues: str | None
    solution: str | None
    is_dark: bool
    width: int
    height: int
    seconds: float


class LiveFollower:
    """Follows the board that one phone films; there is neither network nor clock in here."""

    def __init__(self) -> None:
        from app.live.live_session import LiveSession  # the server itself does without

        self.session = LiveSession()
        self._last: bytes | None = None
        self._asked_about: bytes | None = None

    def step(self, jpeg: bytes, seconds: float, number: int) -> LiveReply:
        """Follow the board into the next frame; `seconds` is when it came, and must not decrease.

        Raises:
            ProblemError: if it is no JPEG, too large, or damaged.
        """
        start = time.perf_counter()
        image = _decode(jpeg)
        self._last = jpeg
        view = self.session.advance(image, seconds)
        told = view.report(decimals=1)
        if not view.digits.any() or view.opacity <= 0:
            told |= {"opacity": 0.0, "solution": None}
        elif told["solution"] is None:
            raise AssertionError("digits without a verified solution")
        return LiveReply(
            frame=number,
            **told,
            is_dark=view.is_dark,
            width=image.shape[1],
            height=image.shape[0],
            seconds=round(time.perf_counter() - start, 4),
        )

    def take_request(self) -> "LiveRequest | None":
        """Return what should be read, if anything.

        A frame that comes again, because the phone froze it or its camera hangs, is read once.
        Read again, the same pixels would count as a second witness.
        """
        if self._last == self._asked_about:
            return None
        request = self.session.take_request()
        if request is not None:
            self._asked_about = self._last
        return request


def _decode(jpeg: bytes) -> "Image8":
    from vision.media.images import ImageError, load_image

    try:
        if not jpeg.startswith(_JPEG):
            raise ImageError("it is no JPEG")
        return load_image(jpeg, _MAX_FRAME_PIXELS, name="the frame")
    except ImageError as error:
        logger.info("a frame is refused: %s", error)
        raise ProblemError(Problem.BAD_IMAGE) from error


def load_follower() -> Work:
    """Return what answers each `SentFrame` by a `LiveReply` or a `Problem`.

    None tells that another phone's frames come: what was seen before is forgotten.
    """
    limit_memory()
    reader, follower = _Reader(), LiveFollower()

    def follow(frame: SentFrame | None, _: Tell) -> LiveReply | Problem | None:
        nonlocal follower
        if frame is None:
            follower = LiveFollower()
            return None
        reader.hand_over(follower)
        try:
            reply = follower.step(frame.jpeg, frame.seconds, frame.number)
        except ProblemError as error:
            return error.problem
        reader.begin(follower)
        return reply

    return follow


class _Reader:
    """Reads boards on a thread of its own, where frames do not wait for it."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="read")
        self._pipeline: Future[Pipeline] = self._pool.submit(_load_pipeline)
        self._answer: Future[LiveAnswer] | None = None
        self._follower: LiveFollower | None = None

    def begin(self, follower: LiveFollower) -> None:
        """Read what a follower wants to have read, unless something is being read."""
        if not self._pipeline.done() or self._answer is not None:
            return
        request = follower.take_request()
        if request is not None:
            from app.live.frame_recognition import recognise

            self._answer = self._pool.submit(recognise, self._pipeline.result(), request)
            self._follower = follower

    def hand_over(self, follower: LiveFollower) -> None:
        """Give a follower what was read since the last frame, if it is its own."""
        if self._answer is None or not self._answer.done():
            return
        error = self._answer.exception()
        if error is not None:
            logger.error("reading a frame failed", exc_info=error)
        if follower is self._follower:
            follower.session.accept(None if error is not None else self._answer.result())
        self._answer = None


def _load_pipeline() -> "Pipeline":
    from app.live.frame_recognition import load_live_pipeline
    from models import engine
    from vision.media import images

    # Following and reading have a thread each; other cores have processes of their own.
    images.limit_threads(1)
    engine.limit_threads(1)
    return load_live_pipeline()


_FRAME_SECONDS: Final = 10.0
"""How long a frame may take; 0.01 s is usual."""

_START_SECONDS: Final = 30.0
"""How long a process may take to start and import what it needs."""

_IDLE_SECONDS: Final = 120.0
"""How long a process waits for the next phone; each holds some 200 MB."""

SILENCE_SECONDS: Final = 15.0
"""How long a phone may ask nothing before its seat is free for another."""


def make_tracker(talk: Talk | None = None) -> WorkerPool:
    """Make what follows one phone's frames, in a process that is begun with the first of them."""
    options = PoolOptions(
        timeout=_FRAME_SECONDS,
        tries=1,
        most_start_seconds=_START_SECONDS,
        max_resident_bytes=math.inf,
        talk=talk or Talk(),
    )
    return WorkerPool(load_follower, options)


@dataclass(eq=False)
class _Seat:
    """What one view of a phone has of the pool."""

    address: str
    view: str
    tracker: WorkerPool
    asking: "asyncio.Future[LiveReply | Problem] | None" = None
    silence: asyncio.TimerHandle | None = None

    @property
    def is_asking(self) -> bool:
        return self.asking is not None and not self.asking.done()


class TrackerPool:
    """A few seats for phones that film; used in the thread of the event loop alone."""

    def __init__(
        self,
        seats: int,
        start: Callable[[], WorkerPool],
        silence_seconds: float = SILENCE_SECONDS,
    ) -> None:
        """Make it; no process is begun before a phone comes."""
        self._n_seats, self._start, self._silence_seconds = seats, start, silence_seconds
        self._seats: dict[str, _Seat] = {}
        self._idle: dict[WorkerPool, asyncio.TimerHandle] = {}
        self._is_closed = False

    @property
    def taken(self) -> int:
        """How many phones film now."""
        return len(self._seats)

    async def follow(
        self, client: str, address: str, view: str, jpeg: bytes, number: int
    ) -> LiveReply:
        """Return what is to be drawn on a frame.

        Args:
            client: stands for a phone, which has one seat at most.
            view: stands for one of its live views; a new one begins anew, and ends the one before.

        Raises:
            ProblemError: if no seat is free, if the frame is none, if the phone's last frame is
                still worked on, or if its process is lost; then the next frame begins anew.
        """
        if len(jpeg) > MAX_FRAME_BYTES:
            raise ProblemError(Problem.TOO_LARGE)
        seat = self._seats.get(client)
        if seat is not None and seat.is_asking:
            raise ProblemError(Problem.TOO_FAST)
        if seat is None or seat.view != view:
            self._leave(client)
            seat = self._seats[client] = self._enter(address, view)
        if seat.silence is not None:
            seat.silence.cancel()
        frame = SentFrame(number, jpeg, time.monotonic())
        try:
            seat.asking = asyncio.wrap_future(seat.tracker.submit(frame))
            answer = await asyncio.shield(seat.asking)  # which is done even if the phone goes
        except (LostTaskError, NotDoneError, CommandError) as error:
            if self._seats.get(client) is seat:
                self._leave(client)
            raise ProblemError(Problem.BUSY) from error
        finally:
            if self._seats.get(client) is seat:
                loop = asyncio.get_running_loop()
                seat.silence = loop.call_later(self._silence_seconds, self._leave, client)
        if isinstance(answer, Problem):
            raise ProblemError(answer)
        return answer

    def leave(self, client: str, view: str) -> None:
        """Take a phone's seat back, if that view has one."""
        seat = self._seats.get(client)
        if seat is not None and seat.view == view:
            self._leave(client)

    def close(self) -> None:
        """End every process, and let nobody in any more."""
        self._is_closed = True
        for tracker in [*self._idle, *(seat.tracker for seat in self._seats.values())]:
            tracker.stop()

    def _enter(self, address: str, view: str) -> _Seat:
        """Return a free seat; of several one is always left to another address."""
        own = sum(seat.address == address for seat in self._seats.values())
        is_full = len(self._seats) >= self._n_seats or own >= max(self._n_seats - 1, 1)
        if self._is_closed or is_full:
            raise ProblemError(Problem.BUSY)
        while self._idle:
            tracker, ending = self._idle.popitem()
            ending.cancel()
            if tracker.failure is None:
                break
            tracker.stop()
        else:
            tracker = self._start()
        tracker.submit(None)
        return _Seat(address, view, tracker)

    def _leave(self, client: str) -> None:
        seat = self._seats.pop(client, None)
        if seat is None:
            return
        if seat.silence is not None:
            seat.silence.cancel()
        if self._is_closed or seat.tracker.failure is not None:
            seat.tracker.stop()
            return
        loop = asyncio.get_running_loop()
        self._idle[seat.tracker] = loop.call_later(_IDLE_SECONDS, self._end_idle, seat.tracker)

    def _end_idle(self, tracker: WorkerPool) -> None:
        del self._idle[tracker]
        tracker.stop()
