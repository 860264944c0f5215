"""Works on live pictures beside the window's own thread: one thread follows the board from frame
to frame, a worker reads it. Of frames and of results only the newest is kept, so that nothing lags
behind however slow the computer is.
"""

import logging
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, SignalInstance

from app.gui.session.background import Worker
from app.live.frame_recognition import LiveAnswer, LiveRequest, load_live_pipeline, recognise
from app.live.live_session import LiveSession
from app.live.live_view import LiveView, view_board
from vision.media.video_frames import VideoPicture

if TYPE_CHECKING:
    from app.recognition.pipeline import Pipeline

GetPicture = Callable[[], VideoPicture | None]
"""Unpacks a frame; called in the thread that follows, for frames that are not passed over."""

logger = logging.getLogger(__name__)

_FROZEN_STEP: Final = 0.04
"""Seconds between two looks at what is frozen, while its digits still appear."""


@dataclass(frozen=True, eq=False)
class ShownFrame:
    """A frame, and what is to be seen on this very frame.

    Attributes:
        view: what is known of the board in it.
        source: number of the source it came from, as `begin_source` of the worker gave it.
        work_seconds: what unpacking and following took.
    """

    picture: VideoPicture
    view: LiveView
    source: int
    work_seconds: float


class Follower:
    """One session and the last frame that it was given.

    After a fault of ours, when it `is_broken`, frames are shown without anything.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, source: int = 0) -> None:
        self.source = source
        self.session = LiveSession()
        self.is_broken = False
        self._clock = clock
        self._last: ShownFrame | None = None
        self._is_asked = False
        self._asked_about: VideoPicture | None = None
        self._is_fading = False

    @property
    def is_moving(self) -> bool:
        """Whether the same frame may look otherwise a moment later."""
        if self._last is None:
            return False
        is_unread = not self.is_broken and self._asked_about is not self._last.picture
        return self._is_asked or self._is_fading or is_unread

    def ask(self, *, is_frozen: bool) -> LiveRequest | None:
        """Return what should be read, if anything.

        A frozen frame is read once: read again, it would be taken for a second witness.
        """
        if self.is_broken or self._last is None:
            return None
        if is_frozen and self._asked_about is self._last.picture:
            return None
        request = self.session.take_request()
        if request is not None:
            self._is_asked = True
            self._asked_about = self._last.picture
        return request

    def accept(self, answer: LiveAnswer | None) -> None:
        """Take in what was read; None where reading failed."""
        self._is_asked = False
        self.session.accept(answer)
        if answer is None:
            self.is_broken = True
        else:
            self._is_fading = True

    def step(self, get_picture: GetPicture) -> ShownFrame | None:
        """Follow the board into the next frame; None where the frame has no pixels."""
        start = time.perf_counter()
        picture = get_picture()
        if picture is None:
            return None
        seconds = self._clock()
        if self.is_broken:
            view = view_board(None, seconds, 0.0)
        else:
            view = self.session.advance(picture.grey, seconds)
        before = self._last
        self._is_fading = before is not None and before.view.opacity != view.opacity
        spent = time.perf_counter() - start
        self._last = ShownFrame(picture, view, self.source, spent)
        return self._last

    def step_again(self) -> ShownFrame | None:
        """Return the last frame as it looks by now."""
        last = self._last
        return None if last is None else self.step(lambda: last.picture)


class LiveWorker(QObject):
    """Turns frames into frames with views.

    `put` may be called by any thread; everything else belongs to the window's.

    Signals:
        stepped: there is a new frame to show; get it by `take`.
        crashed: the report of a fault of ours.

    Attributes:
        reader: reads boards; where it cannot load the networks, frames are shown even so.
    """

    stepped = Signal()
    crashed = Signal(str)

    def __init__(self, load: "Callable[[], Pipeline]" = load_live_pipeline) -> None:
        """Make the worker; `load` makes the pipeline in the thread that reads, once it starts."""
        super().__init__()
        self.reader = Worker(load, self)
        self.reader.ready.connect(partial(self._take_answer, None, None))
        self.reader.crashed.connect(self.crashed)
        self._wake = threading.Condition()
        self._follower = threading.Thread(target=self._follow, name="live follow", daemon=True)
        self._is_stopping = False
        self._is_frozen = False
        self._source = 0
        self._next: GetPicture | None = None
        self._step: ShownFrame | None = None
        self._is_reader_free = False
        self._answer: tuple[LiveSession | None, LiveAnswer | None] | None = None

    def start(self) -> None:
        """Begin to work, if that has not begun."""
        if self._follower.ident is None and not self._is_stopping:
            self._follower.start()
            self.reader.start()

    def stop(self) -> None:
        """End the threads after what they do now, and wait for them."""
        with self._wake:
            self._is_stopping = True
            self._wake.notify_all()
        if self._follower.ident is not None:
            self._follower.join()
        self.reader.stop()

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

    def take(self) -> ShownFrame | None:
        """Return the newest frame, once."""
        with self._wake:
            step, self._step = self._step, None
            return step

    # --- following

    def _follow(self) -> None:
        follower = Follower()
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
                follower = Follower(source=source)
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
                if is_first and not emit_safely(self.crashed, traceback.format_exc()):
                    return
                continue
            if not self._hand_on(step, request, follower):
                return

    def _hand_on(
        self, step: ShownFrame | None, request: LiveRequest | None, follower: "Follower"
    ) -> bool:
        if request is not None:
            self._read(follower.session, request)
        with self._wake:
            is_news = step is not None and self._step is None
            if step is not None and step.source == self._source:
                self._step = step
        return not is_news or emit_safely(self.stepped)

    # --- reading

    def _read(self, session: LiveSession, request: LiveRequest) -> None:
        with self._wake:
            self._is_reader_free = False
        self.reader.submit(
            lambda pipeline, _: recognise(pipeline, request),
            partial(self._take_answer, session),
            lambda _: self._take_answer(session, None),
        )

    def _take_answer(self, session: LiveSession | None, answer: object) -> None:
        """Hand an answer to the thread that follows; None where reading failed, or begins."""
        with self._wake:
            self._answer = session, answer if isinstance(answer, LiveAnswer) else None
            self._is_reader_free = True
            self._wake.notify_all()


def emit_safely(signal: SignalInstance, *values: object) -> bool:
    """Emit a signal; return False where its object is gone."""
    try:
        signal.emit(*values)
    except RuntimeError:
        return False
    return True
