"""The process behind one phone's camera: it follows the board, and reads it on a thread beside.

What a stranger's frames do to OpenCV or a network they do to this process alone.
"""

import contextlib
import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING

from app.serve.live.frame_messages import LiveReply, Missing, NewPhone, Refused, SentFrame
from app.workers.child_process import Household
from app.workers.memory_limit import limit_memory

if TYPE_CHECKING:
    from app.live.frame_recognition import LiveAnswer, LiveRequest
    from app.recognition.pipeline import Pipeline
    from app.serve.live.phone_tracker import LiveFollower

logger = logging.getLogger(__name__)


def follow_frames(household: Household, load: "Callable[[], Pipeline] | None" = None) -> None:
    """Answer the frames that come through the connection until it is closed.

    Args:
        household: what the parent gives. It sends `NewPhone` or `SentFrame`; each `SentFrame` is
            answered by one `LiveReply`, `Refused` or `Missing`.
        load: makes the line; the one that ships when None.
    """
    limit_memory()
    connection = household.connection
    reader = _Reader(load or _load_pipeline)
    from app.serve.live.phone_tracker import LiveFollower

    follower = LiveFollower()
    with contextlib.suppress(OSError, EOFError):
        while True:
            message = connection.recv()
            if isinstance(message, NewPhone):
                reader.forget()
                follower = LiveFollower()
            else:
                connection.send(_answer(message, follower, reader))


def _answer(
    frame: SentFrame, follower: "LiveFollower", reader: "_Reader"
) -> LiveReply | Refused | Missing:
    from app.serve.live.phone_tracker import FrameError

    if reader.missing is not None:
        return Missing(reader.missing)
    reader.hand_over(follower)
    try:
        reply = follower.step(frame.jpeg, frame.seconds, frame.number)
    except FrameError as error:
        logger.info("a frame is refused: %s", error)
        return Refused()
    if reader.is_free:
        request = follower.take_request()
        if request is not None:
            reader.start(request)
    return reply


class _Reader:
    """Reads boards on a thread of its own, where frames do not wait for it."""

    def __init__(self, load: "Callable[[], Pipeline]") -> None:
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="read")
        self._pipeline: Future[Pipeline] = self._pool.submit(load)
        self._answer: Future[LiveAnswer] | None = None
        self._is_wanted = False

    @property
    def missing(self) -> str | None:
        """Why nothing can be read here, if so."""
        error = self._pipeline.exception() if self._pipeline.done() else None
        return None if error is None else str(error)

    @property
    def is_free(self) -> bool:
        """Whether a board can be read now."""
        return self._pipeline.done() and self._answer is None

    def start(self, request: "LiveRequest") -> None:
        """Begin to read."""
        from app.live.frame_recognition import recognise

        self._answer = self._pool.submit(recognise, self._pipeline.result(), request)
        self._is_wanted = True

    def hand_over(self, follower: "LiveFollower") -> None:
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
    from app.live.frame_recognition import LIVE_PIPELINE, warm_up
    from app.recognition.pipeline import Pipeline
    from models import engine
    from vision.media import images

    # Following and reading have a thread each; other cores have processes of their own.
    images.limit_threads(1)
    engine.limit_threads(1)
    pipeline = Pipeline.load(LIVE_PIPELINE)
    warm_up(pipeline)
    return pipeline
