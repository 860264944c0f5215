"""The camera that is open: its frames, and what is wrong where there are none.

Imports QtMultimedia, which needs libraries of the system: the live page imports this module when
it is opened, and says what is missing where that fails.
"""

import threading
from collections.abc import Callable
from enum import Enum, auto
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtMultimedia import QMediaCaptureSession, QVideoFrame, QVideoSink

from app.gui.live.devices import CameraName, Devices, SystemDevices
from app.gui.live.follower import GetPicture
from app.gui.live.frame_pixels import read_frame

_SILENCE_MS: Final = 4000
"""How long a camera may show nothing before that is said."""


class Trouble(Enum):
    """Why a camera shows nothing."""

    GONE = auto()
    """It was unplugged."""
    FORBIDDEN = auto()
    """The system lets this program use no camera."""
    SILENT = auto()
    """It is there, but sends nothing: perhaps another program has it."""


class Cameras(QObject):
    """Lists cameras, and hands on the frames of the one that is open.

    A camera that was unplugged is opened again as soon as it is back.

    Signals:
        changed: cameras came or went.
        trouble: a `Trouble` with the camera that should be open.
        recovered: it shows pictures again, or for the first time.
    """

    changed = Signal()
    trouble = Signal(object)
    recovered = Signal()
    _first_came = Signal(int)

    def __init__(
        self,
        put: Callable[[GetPicture], None],
        devices: Devices | None = None,
        parent: QObject | None = None,
    ) -> None:
        """Find the cameras; none is opened yet.

        Args:
            put: takes frames, in a thread of Qt's.
            devices: what there is to be opened; the system's when None.
            parent: owns the cameras.
        """
        super().__init__(parent)
        self._put = put
        self._wanted: bytes | None = None
        # Held while a frame is handed on, so that none is under way any more after `close`.
        self._gate = threading.Lock()
        self._is_attached = False
        self._is_showing = False
        self._opening = 0
        self._first_came.connect(self._recover, Qt.ConnectionType.QueuedConnection)
        self.session = QMediaCaptureSession(self)
        self.sink = QVideoSink(self)
        self.session.setVideoSink(self.sink)
        # Called in the thread that the frames come from: a queue would let them pile up.
        self.sink.videoFrameChanged.connect(self._take, Qt.ConnectionType.DirectConnection)
        self._silence = QTimer(self, interval=_SILENCE_MS)
        self._silence.timeout.connect(self._check_silence)
        self._count = self._counted = 0
        self._devices = devices or SystemDevices(self)
        if isinstance(self._devices, SystemDevices):
            self._devices.changed.connect(self.refresh)

    @property
    def wanted(self) -> bytes | None:
        """The key of the camera that is open, or will be when it is back."""
        return self._wanted

    def names(self) -> list[CameraName]:
        """Return the cameras that are there, the system's favourite first."""
        return self._devices.names()

    def open(self, key: bytes) -> None:
        """Show the pictures of a camera instead of what is shown now."""
        self.close()
        self._wanted = key
        self._devices.ask(self, self._open_if_allowed)

    def close(self) -> None:
        """Show nothing any more, and let the camera go."""
        self._wanted = None
        self._let_go()

    def refresh(self) -> None:
        """See which cameras came or went."""
        self.changed.emit()
        if self._wanted is None:
            return
        is_there = any(one.key == self._wanted for one in self.names())
        if self._is_attached and not is_there:
            self._let_go()
            self.trouble.emit(Trouble.GONE)
        elif not self._is_attached and is_there:
            self._attach()

    def _open_if_allowed(self, is_allowed: bool) -> None:
        if self._wanted is None:
            return
        if is_allowed:
            self._attach()
        else:
            self.trouble.emit(Trouble.FORBIDDEN)

    def _attach(self) -> None:
        assert self._wanted is not None
        if self._devices.attach(self._wanted, self.session, self._tell_silence):
            with self._gate:
                self._is_attached = True
                self._opening += 1
                self._counted = self._count
            self._silence.start()
        else:
            self.trouble.emit(Trouble.GONE)

    def _let_go(self) -> None:
        self._silence.stop()
        if self._is_attached:
            with self._gate:
                self._is_attached = self._is_showing = False
            self._devices.detach()

    def _take(self, frame: QVideoFrame) -> None:
        with self._gate:
            if not self._is_attached or not frame.isValid():
                return
            self._count += 1
            self._put(partial(read_frame, frame))
            is_first, self._is_showing = not self._is_showing, True
            opening = self._opening
        if is_first:
            self._first_came.emit(opening)

    def _recover(self, opening: int) -> None:
        # By now the camera may be unplugged again, and that is what people are to read.
        if self._is_showing and opening == self._opening:
            self.recovered.emit()

    def _check_silence(self) -> None:
        if self._count == self._counted:
            self._tell_silence()
        self._counted = self._count

    def _tell_silence(self) -> None:
        # A camera that is being unplugged tells of an error first, and is missed a moment later.
        if self._is_attached:
            self._is_showing = False
            self.trouble.emit(Trouble.SILENT)
