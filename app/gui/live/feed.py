"""Plays a video file, or shows what an address sends, as if it were a camera."""

import logging
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Signal, SignalInstance

from app.gui.live.follower import GetPicture
from vision.media.camera import Source, SourceError, open_source
from vision.media.video_frames import from_bgr

logger = logging.getLogger(__name__)

_LATE_SECONDS: Final = 0.25
"""From which on a file that cannot be decoded in time is played more slowly instead."""


class Feed(QObject):
    """One source, played in a thread of its own.

    Opening an address takes as long as the network does, so `stop` does not wait for the thread:
    it ends by itself, and hands on nothing any more.

    Signals:
        ended: a file was played to its end, or an address sends no more; the feed itself.
        failed: the feed itself; why there is nothing to be seen, and what to do.
    """

    ended = Signal(object)
    failed = Signal(object, str)

    def __init__(
        self,
        name: str,
        put: Callable[[GetPicture], None],
        parent: QObject | None = None,
        open_it: Callable[[str], Source] = open_source,
    ) -> None:
        """Make the feed; `start` begins.

        Args:
            name: a video file, or an address, as `vision.media.camera.open_source` takes it.
            put: takes frames, in the feed's thread.
            parent: owns the feed.
            open_it: opens the source.
        """
        super().__init__(parent)
        self.name = name
        self._put = put
        self._open = open_it
        self._is_stopped = threading.Event()
        # Held while something is handed on, so that nothing is under way any more after `stop`,
        # when the feed may be destroyed. The same thread may stop it from there.
        self._gate = threading.RLock()
        self._may_go_on = threading.Event()
        self._may_go_on.set()

    def start(self) -> None:
        """Begin to play."""
        threading.Thread(target=self._play, name="live feed", daemon=True).start()

    def pause(self, is_paused: bool) -> None:
        """Hold a file where it is, or go on. What an address sends meanwhile is missed."""
        if is_paused:
            self._may_go_on.clear()
        else:
            self._may_go_on.set()

    def stop(self) -> None:
        """Hand on nothing any more, and let the source go."""
        with self._gate:
            self._is_stopped.set()
        self._may_go_on.set()

    def _play(self) -> None:
        try:
            with self._open(self.name) as source:
                self._hand_on(source)
        except SourceError as error:
            self._tell(self.failed, self, str(error))
        except Exception:
            # One of the borders where anything may arrive: the window must live on.
            logger.exception("playing %s failed", self.name)
            self._tell(self.failed, self, self.tr("It broke off; try again, or choose another."))
        else:
            self._tell(self.ended, self)

    def _hand_on(self, source: Source) -> None:
        start: float | None = None
        for shot in source:
            if self._is_stopped.is_set():
                return
            if not source.is_live:
                now = time.monotonic()
                start = now - shot.seconds if start is None else start
                wait = start + shot.seconds - now
                if wait < -_LATE_SECONDS:
                    start -= wait
                elif wait > 0 and self._is_stopped.wait(wait):
                    return
                if not self._may_go_on.is_set():
                    start += self._rest()
                    if self._is_stopped.is_set():
                        return
            with self._gate:
                if self._is_stopped.is_set():
                    return
                self._put(partial(from_bgr, shot.image))

    def _rest(self) -> float:
        """Wait until it may go on; return for how long."""
        began = time.monotonic()
        self._may_go_on.wait()
        return time.monotonic() - began

    def _tell(self, signal: SignalInstance, *values: object) -> None:
        with self._gate:
            if self._is_stopped.is_set():
                return
            try:
                signal.emit(*values)
            except RuntimeError:
                logger.debug("the window closed while %s was played", self.name)
