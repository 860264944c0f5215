"""Works on live pictures beside the window's own thread: one thread follows the board from frame
to frame, another one reads it. Of frames and of results only the newest is kept, so that nothing
lags behind however slow the computer is.
"""

import logging
import threading
import time
import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, SignalInstance

from app.gui.live.follower import Follower, GetPicture, ShownFrame
from app.live.frame_recognition import LIVE_PIPELINE, LiveAnswer, LiveRequest, recognise, warm_up
from app.live.live_session import LiveSession

if TYPE_CHECKING:
    from app.recognition.pipeline import Pipeline

logger = logging.getLogger(__name__)

_FROZEN_STEP: Final = 0.04
"""Seconds between two looks at what is frozen, while its digits still appear."""


class LiveWorker(QObject):
    """Turns frames into frames with views.

    `put` may be called by any thread; everything else belongs to the window's.

    Signals:
        stepped: there is a new frame to show; get it by `take`.
        ready: the networks are loaded; boards are read from now on.
        load_failed: they cannot be loaded; the error says what to do. Frames are shown even so.
        crashed: the report of a fault of ours.
    """

    stepped = Signal()
    ready = Signal()
    load_failed = Signal(object)
    crashed = Signal(str)

    def __init__(
        self,
        load: "Callable[[], Pipeline] | None" = None,
        clock: Callable[[], float] = time.monotonic,
        parent: QObject | None = None,
    ) -> None:
        """Make the worker; `start` begins.

        Args:
            load: makes the line, in the thread that reads; the one that ships when None.
            clock: seconds, for the times of frames.
            parent: owns the worker.
        """
        super().__init__(parent)
        self._load = load or _load_pipeline
        self._clock = clock
        self._wake = threading.Condition()
        self._threads: list[threading.Thread] = []
        self._is_stopping = False
        self._is_frozen = False
        self._source = 0
        self._next: GetPicture | None = None
        self._step: ShownFrame | None = None
        self._is_reader_free = False
        self._request: tuple[LiveSession, LiveRequest] | None = None
        self._answer: tuple[LiveSession, LiveAnswer | None] | None = None

    def start(self) -> None:
        """Begin to work, if that has not begun."""
        if self._threads or self._is_stopping:
            return
        for name, work in (("follow", self._follow), ("read", self._read)):
            thread = threading.Thread(target=work, name=f"live {name}", daemon=True)
            self._threads.append(thread)
            thread.start()

    def stop(self) -> None:
        """End the threads after what they do now, and wait for them."""
        with self._wake:
            self._is_stopping = True
            self._wake.notify_all()
        for thread in self._threads:
            thread.join()
        self._threads.clear()

    def begin_source(self) -> int:
        """Forget what was seen: other pictures come now. Returns the number of their source."""
        with self._wake:
            self._source += 1
            self._next = self._step = None
            self._is_frozen = False
            self._wake.notify_all()
            return self._source

    def put(self, get_picture: GetPicture) -> None:
        """Hand in the newest frame; one that still waits is dropped."""
        with self._wake:
            if not self._is_frozen and not self._is_stopping:
                self._next = get_picture
                self._wake.notify_all()

    def freeze(self, is_frozen: bool) -> None:
        """Stay with the last frame, or go on."""
        with self._wake:
            self._is_frozen = is_frozen
            if is_frozen:
                self._next = None
            self._wake.notify_all()

    @property
    def has_news(self) -> bool:
        """Whether there is a frame that was not taken yet."""
        return self._step is not None

    def take(self) -> ShownFrame | None:
        """Return the newest frame, once."""
        with self._wake:
            step, self._step = self._step, None
            return step

    # --- following

    def _follow(self) -> None:
        follower = Follower(self._clock)
        while True:
            with self._wake:
                is_idle = self._next is None and self._answer is None
                if is_idle and not self._is_stopping and self._source == follower.source:
                    is_moving = self._is_frozen and follower.is_moving
                    self._wake.wait(_FROZEN_STEP if is_moving else None)
                if self._is_stopping:
                    return
                get_picture, self._next = self._next, None
                answer, self._answer = self._answer, None
                source, is_frozen = self._source, self._is_frozen
                may_ask = self._is_reader_free
            if source != follower.source:
                follower = Follower(self._clock, source)
            if answer is not None and answer[0] is follower.session:
                follower.accept(answer[1])
            try:
                if get_picture is not None:
                    step = follower.step(get_picture)
                elif is_frozen and follower.is_moving:
                    step = follower.step_again()
                else:
                    continue
                request = None
                if may_ask and step is not None:
                    request = follower.ask(is_frozen=is_frozen)
            except Exception:
                # One of the borders where anything may arrive: the window must live on.
                logger.exception("following a live picture failed")
                is_first, follower.is_broken = not follower.is_broken, True
                if is_first and not _tell(self.crashed, traceback.format_exc()):
                    return
                continue
            if not self._hand_on(step, request, follower):
                return

    def _hand_on(
        self, step: ShownFrame | None, request: LiveRequest | None, follower: "Follower"
    ) -> bool:
        with self._wake:
            if request is not None:
                self._request = follower.session, request
                self._is_reader_free = False
                self._wake.notify_all()
            is_news = step is not None and self._step is None
            if step is not None and step.source == self._source:
                self._step = step
        return not is_news or _tell(self.stepped)

    # --- reading

    def _read(self) -> None:
        try:
            pipeline = self._load()
            warm_up(pipeline)
        except Exception as error:
            if not _is_missing(error):
                logger.exception("the line cannot be loaded")
                _tell(self.crashed, traceback.format_exc())
            _tell(self.load_failed, error)
            return
        with self._wake:
            self._is_reader_free = True
        if not _tell(self.ready):
            return
        while (asked := self._next_request()) is not None:
            session, request = asked
            answer = None
            try:
                answer = recognise(pipeline, request)
            except Exception:
                logger.exception("reading a live picture failed")
                if not _tell(self.crashed, traceback.format_exc()):
                    return
            with self._wake:
                self._answer = session, answer
                self._is_reader_free = True
                self._wake.notify_all()

    def _next_request(self) -> tuple[LiveSession, LiveRequest] | None:
        with self._wake:
            self._wake.wait_for(lambda: self._request is not None or self._is_stopping)
            asked, self._request = self._request, None
            return None if self._is_stopping else asked


def _tell(signal: SignalInstance, *values: object) -> bool:
    """Emit a signal; return False where its object is gone."""
    try:
        signal.emit(*values)
    except RuntimeError:
        return False
    return True


def _load_pipeline() -> "Pipeline":
    from app.recognition.pipeline import Pipeline

    return Pipeline.load(LIVE_PIPELINE)


def _is_missing(error: Exception) -> bool:
    """Tell whether a part of the installation is missing, which is no fault of ours."""
    from models.engine import EngineError

    return isinstance(error, EngineError | ImportError)
