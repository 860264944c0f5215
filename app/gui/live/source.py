"""The source of live pictures that is chosen, and what is wrong with it; video files and addresses
are played here by `Feed`.
"""

import logging
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QSettings, Signal, SignalInstance

from app.gui.live.frame_worker import GetPicture, emit_safely
from app.gui.live.live_bar import SourceKind
from app.gui.live.screen import LiveWord
from app.gui.session.file_opener import quiet_qt
from app.gui.window.status_line import StatusMessage
from vision.media.camera import Source, SourceError, open_source
from vision.media.video_frames import from_bgr

if TYPE_CHECKING:
    from app.gui.live.qt_camera import Cameras

MakeCameras = Callable[[Callable[[GetPicture], None]], "Cameras"]
"""Makes the cameras, given what takes their frames; raises ImportError where a part is missing."""

logger = logging.getLogger(__name__)

_LATE_SECONDS: Final = 0.25
"""From which on a file that cannot be decoded in time is played more slowly instead."""


class LiveSource(QObject):
    """Opens sources, one at a time, and knows what is wrong with them.

    Signals:
        ended: nothing comes any more; what came last stays.
        switched: what was shown is over; other pictures come from now on, or none.
        trouble_changed: `trouble` is another.
        listed: cameras came or went.
        chosen: another source was chosen; it is open if the page is.

    Attributes:
        cameras: the cameras, once they are wanted; None where a part of the system is missing.
        trouble: makes what to say of what is wrong, in the language of that moment; None where
            nothing is.
    """

    ended = Signal()
    switched = Signal()
    trouble_changed = Signal()
    listed = Signal()
    chosen = Signal()

    def __init__(
        self,
        put: Callable[[GetPicture], None],
        settings: QSettings,
        make_cameras: MakeCameras | None,
        parent: QObject,
    ) -> None:
        """Make it; nothing is opened yet. `put` takes frames, in any thread."""
        super().__init__(parent)
        self._put, self._settings = put, settings
        self._make_cameras = make_cameras or _make_system_cameras
        self.is_open = False
        """Whether the page is looked at, so that what is chosen is opened."""
        self.choice: tuple[SourceKind, bytes | str] | None = None
        """What is chosen: its kind, and its key, file or address."""
        self.cameras: Cameras | None = None
        self.feed: Feed | None = None
        self.trouble: Callable[[], StatusMessage] | None = None

    def names(self) -> list[tuple[bytes, str]]:
        """Return keys and names of the cameras that are there."""
        return [] if self.cameras is None else [(one.key, one.name) for one in self.cameras.names()]

    def begin(self) -> None:
        """Open what was chosen last, or else the first camera."""
        self.is_open = True
        self._find_cameras()
        if self.choice is not None:
            self.open_again()
        elif self.cameras is not None:
            self._open_favourite()
        else:
            self.trouble_changed.emit()

    def rest(self) -> None:
        """Let the source go; `begin` opens it again."""
        self.is_open = False
        self._close()

    def choose(self, kind: SourceKind, name: bytes | str) -> None:
        """Choose a source: a camera by its key, a file by its path, or an address."""
        if isinstance(name, bytes):
            self._settings.setValue("live/camera", name.hex())
        self.choice = kind, name
        if self.is_open:
            self.open_again()
        self.chosen.emit()

    def open_again(self) -> None:
        """Open what is chosen from its beginning."""
        self._close()
        if self.choice is None:
            return
        name = self.choice[1]
        if isinstance(name, str):
            feed = Feed(name, self._put, self)
            feed.ended.connect(self._end)
            feed.failed.connect(self._fail)
            self.feed = feed
            feed.start()
        elif self.cameras is not None:
            self.cameras.open(name)

    def pause(self, is_paused: bool) -> None:
        """Hold a file where it is, or go on."""
        if self.feed is not None:
            self.feed.pause(is_paused)

    def _close(self) -> None:
        if self.cameras is not None:
            self.cameras.close()
        if self.feed is not None:
            self.feed.stop()
            self.feed.deleteLater()
            self.feed = None
        self.trouble = None
        self.switched.emit()

    def _find_cameras(self) -> None:
        if self.cameras is None:
            try:
                cameras = self._make_cameras(self._put)
            except ImportError as error:
                reason = str(error)
                self.trouble = partial(LiveWord.MISSING_PART.say, reason)
                return
            cameras.setParent(self)
            cameras.changed.connect(self._list_cameras)
            cameras.trouble.connect(self._tell_trouble)
            cameras.recovered.connect(lambda: self._say(None))
            self.cameras = cameras
        self.listed.emit()

    def _list_cameras(self) -> None:
        self.listed.emit()
        if self.is_open and self.choice is None:
            self._open_favourite()

    def _open_favourite(self) -> None:
        """Open the camera that was chosen last, or else the first one."""
        keys = [key for key, _ in self.names()]
        kept = str(self._settings.value("live/camera", ""))
        favourite = next((key for key in keys if key.hex() == kept), keys[0] if keys else None)
        if favourite is None:
            self._say(LiveWord.NO_CAMERA)
        else:
            self.choose(SourceKind.CAMERA, favourite)

    def _tell_trouble(self, trouble: LiveWord) -> None:
        self.switched.emit()
        self._say(trouble)

    def _fail(self, feed: object, reason: str) -> None:
        if feed is not self.feed or self.choice is None:
            return
        if reason:
            self._say(LiveWord.FAILED, reason)
        else:
            is_file, name = self.choice[0] is SourceKind.FILE, str(self.choice[1])
            self._say(LiveWord.NO_VIDEO if is_file else LiveWord.NO_ANSWER, name)

    def _end(self, feed: object) -> None:
        # One that was left a moment ago may still have had this to tell.
        if feed is self.feed:
            self.ended.emit()
            self._say(LiveWord.ENDED)

    def _say(self, word: LiveWord | None, error: str = "") -> None:
        self.trouble = None if word is None else partial(word.say, error)
        self.trouble_changed.emit()


def _make_system_cameras(put: Callable[[GetPicture], None]) -> "Cameras":
    quiet_qt()
    from app.gui.live.qt_camera import Cameras

    return Cameras(put)


class Feed(QObject):
    """One source, played in a thread of its own.

    Opening an address takes as long as the network does, so `stop` does not wait for the thread:
    it ends by itself, and hands on nothing any more.

    Signals:
        ended: a file was played to its end, or an address sends no more; the feed itself.
        failed: the feed itself; why it broke off, and what to do; "" where nothing can be seen.
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
        """Make the feed; `start` begins. `put` takes frames, in the feed's thread."""
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
            logger.info("%s cannot be shown: %s", self.name, error)
            self._tell(self.failed, self, "")
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
            if not self._is_stopped.is_set():
                emit_safely(signal, *values)
