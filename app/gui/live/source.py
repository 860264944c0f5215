"""The one source that is open on the live page: a camera, a video file or an address."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSettings, Signal

from app.gui.live.feed import Feed
from app.gui.live.follower import GetPicture
from app.gui.live.messages import LiveWords
from app.gui.live.source_choice import SourceKind
from app.gui.session.opening import quiet_qt
from app.gui.window.status_line import StatusMessage

if TYPE_CHECKING:
    from app.gui.live.qt_camera import Cameras

MakeCameras = Callable[[Callable[[GetPicture], None]], "Cameras"]
"""Makes the cameras, given what takes their frames; raises ImportError where a part is missing."""


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
        feed: what plays a file or an address now.
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
        """Make it; nothing is opened yet.

        Args:
            put: takes frames, in any thread.
            settings: where the choice of the camera is kept.
            make_cameras: makes the cameras when they are wanted; the system's when None.
            parent: owns it.
        """
        super().__init__(parent)
        self._put, self._settings = put, settings
        self._make_cameras = make_cameras or _make_system_cameras
        self._words = LiveWords(self)
        self._is_open = False
        self._choice: tuple[SourceKind, bytes | str] | None = None
        self.cameras: Cameras | None = None
        self.feed: Feed | None = None
        self.trouble: Callable[[], StatusMessage] | None = None

    @property
    def choice(self) -> tuple[SourceKind, bytes | str] | None:
        """What is chosen: its kind, and its key, file or address."""
        return self._choice

    def names(self) -> list[tuple[bytes, str]]:
        """Return keys and names of the cameras that are there."""
        return [] if self.cameras is None else [(one.key, one.name) for one in self.cameras.names()]

    def begin(self) -> None:
        """Open what was chosen last, or else the first camera."""
        self._is_open = True
        self._find_cameras()
        if self._choice is not None:
            self.open_again()
        elif self.cameras is not None:
            self._open_favourite()
        else:
            self.trouble_changed.emit()

    def rest(self) -> None:
        """Let the source go; `begin` opens it again."""
        self._is_open = False
        self._close()

    def choose(self, kind: SourceKind, name: bytes | str) -> None:
        """Choose a source: a camera by its key, a file by its path, or an address."""
        if isinstance(name, bytes):
            self._settings.setValue("live/camera", name.hex())
        self._choice = kind, name
        if self._is_open:
            self.open_again()
        self.chosen.emit()

    def open_again(self) -> None:
        """Open what is chosen from its beginning."""
        self._close()
        if self._choice is None:
            return
        name = self._choice[1]
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
                self.trouble = lambda: self._words.missing_part(reason)
                return
            cameras.setParent(self)
            cameras.changed.connect(self._list_cameras)
            cameras.trouble.connect(self._tell_trouble)
            cameras.recovered.connect(self._recover)
            self.cameras = cameras
        self.listed.emit()

    def _list_cameras(self) -> None:
        self.listed.emit()
        if self._is_open and self._choice is None:
            self._open_favourite()

    def _open_favourite(self) -> None:
        """Open the camera that was chosen last, or else the first one."""
        keys = [key for key, _ in self.names()]
        kept = str(self._settings.value("live/camera", ""))
        favourite = next((key for key in keys if key.hex() == kept), keys[0] if keys else None)
        if favourite is None:
            self._say(self._words.no_camera)
        else:
            self.choose(SourceKind.CAMERA, favourite)

    def _tell_trouble(self, trouble: object) -> None:
        from app.gui.live.qt_camera import Trouble

        self.switched.emit()
        words = {
            Trouble.GONE: self._words.unplugged,
            Trouble.FORBIDDEN: self._words.forbidden,
            Trouble.SILENT: self._words.silent,
        }
        self._say(words[Trouble(trouble)])

    def _recover(self) -> None:
        self._say(None)

    def _fail(self, feed: object, reason: str) -> None:
        if feed is self.feed:
            self._say(lambda: self._words.failed(reason))

    def _end(self, feed: object) -> None:
        # One that was left a moment ago may still have had this to tell.
        if feed is self.feed:
            self.ended.emit()
            self._say(self._words.ended)

    def _say(self, words: Callable[[], StatusMessage] | None) -> None:
        self.trouble = words
        self.trouble_changed.emit()


def name_of(choice: tuple[SourceKind, bytes | str]) -> bytes | str:
    """Return what a list calls a source: files by their last part alone."""
    kind, name = choice
    return Path(name).name if kind is SourceKind.FILE and isinstance(name, str) else name


def _make_system_cameras(put: Callable[[GetPicture], None]) -> "Cameras":
    quiet_qt()
    from app.gui.live.qt_camera import Cameras

    return Cameras(put)
