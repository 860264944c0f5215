"""Phones' cameras, frame by frame: a JPEG goes in, what to draw on this very frame comes out.

What a stranger's frames do to OpenCV or a network they do to one process alone. A process that dies
or hangs costs its phone this live view, and nobody else anything.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from app.report.board_marks import list_symbols, write_cells
from app.terminal.child_process import ChildContext, ChildProcess, Talk, limit_memory

if TYPE_CHECKING:
    from app.live.frame_recognition import LiveAnswer, LiveRequest
    from app.recognition.pipeline import Pipeline
    from vision.geometry import Image8

logger = logging.getLogger(__name__)

MAX_FRAME_BYTES: Final = 1_000_000
"""A frame of 1280×720 takes 100 to 200 kB."""

_MAX_FRAME_PIXELS: Final = 1920 * 1088
_JPEG: Final = b"\xff\xd8\xff"


class _NewPhone(NamedTuple):
    """Another phone's frames come now: what was seen before is forgotten."""


class SentFrame(NamedTuple):
    """A frame to be followed; `seconds` is when it came, which must not decrease."""

    number: int
    jpeg: bytes
    seconds: float


class _RefusedFrame(NamedTuple):
    """The frame cannot be followed; the phone is not to be listened to any longer."""


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


class FrameError(ValueError):
    """What came is no frame that can be followed."""


class LiveFollower:
    """Follows the board that one phone films; there is neither network nor clock in here."""

    def __init__(self) -> None:
        from app.live.live_session import LiveSession  # the server itself does without

        self._session = LiveSession()
        self._last: bytes | None = None
        self._asked_about: bytes | None = None

    def step(self, jpeg: bytes, seconds: float, number: int) -> LiveReply:
        """Follow the board into the next frame; `seconds` is when it came, and must not decrease.

        Raises:
            FrameError: if it is no JPEG, too large, or damaged.
        """
        start = time.perf_counter()
        image = _decode(jpeg)
        self._last = jpeg
        view = self._session.advance(image, seconds)
        result = view.result
        is_drawn = view.opacity > 0 and bool(view.digits.any())
        solution = None
        if is_drawn:
            if result is None or result.solution is None:
                raise AssertionError("digits without a verified solution")
            solution = write_cells(result, result.solution)
        return LiveReply(
            frame=number,
            state=view.state.value,
            opacity=round(view.opacity, 3) if is_drawn else 0.0,
            digits=view.written,
            symbols=None if result is None else list_symbols(result),
            lattice=view.points(1),
            clues=None if result is None else write_cells(result, result.clues),
            solution=solution,
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
        request = self._session.take_request()
        if request is not None:
            self._asked_about = self._last
        return request

    def accept(self, answer: "LiveAnswer | None") -> None:
        """Take in what was read; None where reading failed."""
        if answer is None:
            self._session.give_up_request()
        else:
            self._session.accept(answer)


def _decode(jpeg: bytes) -> "Image8":
    from vision.media.images import ImageError, load_image

    if not jpeg.startswith(_JPEG):
        raise FrameError("a frame must be a JPEG")
    if len(jpeg) > MAX_FRAME_BYTES:
        raise FrameError(f"a frame may have {MAX_FRAME_BYTES} bytes, got {len(jpeg)}")
    try:
        return load_image(jpeg, _MAX_FRAME_PIXELS, name="the frame")
    except ImageError as error:
        raise FrameError(str(error)) from error


def _follow_frames(context: ChildContext) -> None:
    """Answer each `SentFrame` by a `LiveReply` or `_RefusedFrame` until the end."""
    limit_memory()
    connection = context.connection
    reader = _Reader()
    follower = LiveFollower()
    with contextlib.suppress(OSError, EOFError):
        while True:
            message = connection.recv()
            if isinstance(message, _NewPhone):
                reader.forget()
                follower = LiveFollower()
            else:
                connection.send(_answer(message, follower, reader))


def _answer(
    frame: SentFrame, follower: LiveFollower, reader: "_Reader"
) -> LiveReply | _RefusedFrame:
    reader.hand_over(follower)
    try:
        reply = follower.step(frame.jpeg, frame.seconds, frame.number)
    except FrameError as error:
        logger.info("a frame is refused: %s", error)
        return _RefusedFrame()
    if reader.is_free:
        request = follower.take_request()
        if request is not None:
            reader.start(request)
    return reply


class _Reader:
    """Reads boards on a thread of its own, where frames do not wait for it."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="read")
        self._pipeline: Future[Pipeline] = self._pool.submit(_load_pipeline)
        self._answer: Future[LiveAnswer] | None = None
        self._is_wanted = False

    @property
    def is_free(self) -> bool:
        return self._pipeline.done() and self._answer is None

    def start(self, request: "LiveRequest") -> None:
        from app.live.frame_recognition import recognise

        self._answer = self._pool.submit(recognise, self._pipeline.result(), request)
        self._is_wanted = True

    def hand_over(self, follower: LiveFollower) -> None:
        """Give a follower what was read since the last frame, if it is its own."""
        if self._answer is None or not self._answer.done():
            return
        error = self._answer.exception()
        if error is not None:
            logger.error("reading a frame failed", exc_info=error)
        if self._is_wanted:
            follower.accept(None if error is not None else self._answer.result())
        self._answer = None

    def forget(self) -> None:
        """Pass over the answer that is still to come."""
        self._is_wanted = False


def _load_pipeline() -> "Pipeline":
    from app.live.frame_recognition import load_live_pipeline
    from models import engine
    from vision.media import images

    # Following and reading have a thread each; other cores have processes of their own.
    images.limit_threads(1)
    engine.limit_threads(1)
    return load_live_pipeline()


_FIRST_FRAME_SECONDS: Final = 30.0
"""How long the first answer may take: the process must start and import what it needs."""


_FRAME_SECONDS: Final = 10.0
"""How long a further one may take; 0.01 s is usual."""


class LiveLostError(Exception):
    """The process is gone, or hangs: the phone may try again."""


class FrameRefusedError(Exception):
    """What the phone sent is no frame."""


class TrackerProcess:
    """Follows one phone's frames in a process of its own; used by one thread at a time."""

    def __init__(self, talk: Talk | None = None) -> None:
        """Begin it; `talk` is how much it says on stderr."""
        self._child = ChildProcess(_follow_frames, talk or Talk())
        self._has_answered = False

    def begin(self) -> None:
        """Forget what was seen: another phone's frames come now."""
        self._child.send(_NewPhone())

    def ask(self, frame: SentFrame) -> LiveReply:
        """Return what is to be drawn on a frame.

        Raises:
            LiveLostError: if no answer comes.
            FrameRefusedError: if it cannot be followed.
        """
        self._child.send(frame)
        patience = _FRAME_SECONDS if self._has_answered else _FIRST_FRAME_SECONDS
        if not self._child.poll(patience):
            raise LiveLostError(f"no answer in {patience:g} s")
        answer: LiveReply | _RefusedFrame | None = self._child.receive()
        if answer is None:
            raise LiveLostError(f"its process ended ({self._child.describe_exit()})")
        self._has_answered = True
        if isinstance(answer, _RefusedFrame):
            raise FrameRefusedError
        return answer

    def kill(self) -> None:
        """End it, whatever it does."""
        self._child.kill()


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
        """Do something in one of the pool's threads."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, do)

    def _end_idle(self) -> None:
        now = time.monotonic()
        for process, since in list(self._idle):
            if now - since >= _IDLE_SECONDS - 1:
                self._idle.remove((process, since))
                process.kill()


class TrackerLease:
    """What one phone has of the pool."""

    def __init__(self, pool: TrackerPool, process: TrackerProcess | None, address: str) -> None:
        """Made by `TrackerPool.enter`."""
        self.address = address
        self._pool = pool
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
        self._asking = asyncio.ensure_future(self._pool.work(lambda: self._ask(frame)))
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
        """Ask the process; runs in a thread of the pool."""
        try:
            if self._process is None:
                self._process = self._pool.start()
            if not self._is_begun:
                self._process.begin()
                self._is_begun = True
            return self._process.ask(frame)
        except LiveLostError as error:
            logger.warning("a live view is lost: %s", error)
            self._is_lost = True
            raise
