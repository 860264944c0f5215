"""The cameras that there are, and the one that is open: its frames, or what is wrong.

Imports QtMultimedia, which needs libraries of the system: the live page imports this module when
it is opened, and says what is missing where that fails.
"""

import threading
from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

import numpy as np
from PySide6.QtCore import (
    QCameraPermission,
    QCoreApplication,
    QMetaObject,
    QObject,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QImage
from PySide6.QtMultimedia import (
    QCamera,
    QCameraDevice,
    QMediaCaptureSession,
    QMediaDevices,
    QVideoFrame,
    QVideoFrameFormat,
    QVideoSink,
)

from app.gui.live.frame_worker import GetPicture
from app.gui.live.screen import LiveWord
from vision.media.video_frames import (
    Layout,
    Plane,
    VideoPicture,
    from_bgra,
    turn_picture,
    unpack_frame,
)

_SIZE: Final = (1280, 720)
"""Pixels that are enough to read a page from, and few enough to be followed at full rate."""

_RATE: Final = 24.0
"""Frames a second from which on more pixels count for more."""

_LAYOUTS: Final = {
    QVideoFrameFormat.PixelFormat.Format_NV12: Layout.NV12,
    QVideoFrameFormat.PixelFormat.Format_YUV420P: Layout.I420,
    QVideoFrameFormat.PixelFormat.Format_YUV422P: Layout.I422,
    QVideoFrameFormat.PixelFormat.Format_YUYV: Layout.YUYV,
}
"""Of most cameras; of others Qt makes pictures, which takes 2 ms more at 1280×720."""

_SILENCE_MS: Final = 4000
"""How long a camera may show nothing before that is said."""


class CameraName(NamedTuple):
    """A camera, as lists show it."""

    key: bytes
    name: str


class SystemDevices(QObject):
    """The cameras that Qt knows.

    Signals:
        changed: some came or went.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._camera: QCamera | None = None
        self._watch = QMediaDevices(self)
        self._watch.videoInputsChanged.connect(self.changed)

    def names(self) -> list[CameraName]:
        """Return the cameras, the system's favourite first."""
        found = sorted(QMediaDevices.videoInputs(), key=lambda device: not device.isDefault())
        return [CameraName(_key(device), device.description()) for device in found]

    def attach(self, key: bytes, session: QMediaCaptureSession, failed: Callable[[], None]) -> bool:
        """Let a camera send its pictures to a session; return False where it is not there."""
        devices = [one for one in QMediaDevices.videoInputs() if _key(one) == key]
        if not devices:
            return False
        camera = QCamera(devices[0], self)
        formats = devices[0].videoFormats()
        if formats:
            best = max(
                formats,
                key=lambda one: rank_format(
                    one.resolution().width(),
                    one.resolution().height(),
                    one.maxFrameRate(),
                    is_packed=one.pixelFormat() == QVideoFrameFormat.PixelFormat.Format_Jpeg,
                ),
            )
            camera.setCameraFormat(best)
        camera.errorOccurred.connect(failed)
        session.setCamera(camera)
        call_without_python(camera, "start")
        self._camera = camera
        return True

    def detach(self) -> None:
        """Let the camera go."""
        camera, self._camera = self._camera, None
        if camera is not None:
            call_without_python(camera, "stop")
            session = camera.captureSession()
            if session is not None:
                session.setCamera(None)  # type: ignore[arg-type]  # takes the camera out
            camera.deleteLater()

    def ask(self, context: QObject, told: Callable[[bool], None]) -> None:
        """Ask for the permission to use cameras, where the system wants to be asked."""
        app = QCoreApplication.instance()
        if app is None:
            return
        granted, undetermined = Qt.PermissionStatus.Granted, Qt.PermissionStatus.Undetermined
        status = app.checkPermission(QCameraPermission())
        if status != undetermined:
            told(status == granted)
            return

        def answer(permission: QCameraPermission) -> None:
            told(app.checkPermission(permission) == granted)

        app.requestPermission(QCameraPermission(), context, answer)


def call_without_python(target: QObject, slot: str) -> None:
    """Call a slot of Qt's while other threads may run Python.

    Stopping a camera waits, on some systems, for the thread that its frames come from. That thread
    may just wait for Python, to hand on a frame, and PySide6 keeps Python while `QCamera.stop`
    runs: both would wait for ever.
    """
    QMetaObject.invokeMethod(target, slot, Qt.ConnectionType.DirectConnection)


def rank_format(width: int, height: int, rate: float, *, is_packed: bool) -> tuple[float, ...]:
    """Return how well a format of a camera suits, to be compared: the largest is best.

    `rate` is in frames a second; what `is_packed` must be unpacked first.
    """
    wanted = _SIZE[0] * _SIZE[1]
    pixels = width * height
    # Fewer pixels than wanted cost more than more of them.
    fitting = wanted / pixels if pixels > wanted else (pixels / wanted) ** 2 if pixels else 0.0
    return (min(rate, _RATE), fitting, float(not is_packed), rate)


def _key(device: QCameraDevice) -> bytes:
    return bytes(device.id().data())


def read_frame(frame: QVideoFrame) -> VideoPicture | None:
    """Return a frame's pixels, upright, or None where it has none.

    Whether the frame is meant to be shown as in a mirror is passed over: digits are read as they
    stand on the page.
    """
    layout = _LAYOUTS.get(frame.pixelFormat())
    picture = None if layout is None else _unpack(frame, layout)
    if picture is None:
        # Formats of few cameras, such as pictures that are compressed one by one: Qt knows them
        # all, and turns what comes of them as their format says.
        converted = _convert(frame)
        if converted is None:
            return None
        return turn_picture(converted, frame.rotation().value // 90, is_upside_down=False)
    shape = frame.surfaceFormat()
    is_upside_down = shape.scanLineDirection() == QVideoFrameFormat.Direction.BottomToTop
    # A format is turned by how the camera is built in, a frame by how it was held.
    turns = (shape.rotation().value + frame.rotation().value) // 90
    return turn_picture(picture, turns, is_upside_down=is_upside_down)


def _unpack(frame: QVideoFrame, layout: Layout) -> VideoPicture | None:
    if not frame.map(QVideoFrame.MapMode.ReadOnly):
        return None
    try:
        planes = [
            Plane(np.frombuffer(frame.bits(at), np.uint8), frame.bytesPerLine(at))
            for at in range(frame.planeCount())
        ]
        full = QVideoFrameFormat.ColorRange.ColorRange_Full
        is_full_range = frame.surfaceFormat().colorRange() == full
        size = frame.size()
        return unpack_frame(
            layout, planes, size.width(), size.height(), is_full_range=is_full_range
        )
    except ValueError:
        return None  # laid out otherwise than its format says
    finally:
        frame.unmap()


def _convert(frame: QVideoFrame) -> VideoPicture | None:
    image = frame.toImage().convertToFormat(QImage.Format.Format_RGB32)
    if image.isNull():
        return None
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1)
    pixels = rows[:, : 4 * image.width()].reshape(image.height(), -1, 4)
    if frame.surfaceFormat().isMirrored():  # as Qt shows it
        pixels = pixels[:, ::-1]
    return from_bgra(pixels.copy())


class Cameras(QObject):
    """Lists cameras, and hands on the frames of the one that is open.

    A camera that was unplugged is opened again as soon as it is back.

    Signals:
        changed: cameras came or went.
        trouble: a `LiveWord` on the camera that should be open.
        recovered: it shows pictures again, or for the first time.
    """

    changed = Signal()
    trouble = Signal(object)
    recovered = Signal()
    _first_came = Signal(int)

    def __init__(
        self, put: Callable[[GetPicture], None], devices: SystemDevices | None = None
    ) -> None:
        """Find the cameras; none is opened yet. `put` takes frames, in a thread of Qt's."""
        super().__init__()
        self._put = put
        self.wanted: bytes | None = None
        """The key of the camera that is open, or will be when it is back."""
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
        self._devices.changed.connect(self.refresh)

    def names(self) -> list[CameraName]:
        """Return the cameras that are there, the system's favourite first."""
        return self._devices.names()

    def open(self, key: bytes) -> None:
        """Show the pictures of a camera instead of what is shown now."""
        self.close()
        self.wanted = key
        self._devices.ask(self, self._open_if_allowed)

    def close(self) -> None:
        """Show nothing any more, and let the camera go."""
        self.wanted = None
        self._let_go()

    def refresh(self) -> None:
        """See which cameras came or went."""
        self.changed.emit()
        if self.wanted is None:
            return
        is_there = any(one.key == self.wanted for one in self.names())
        if self._is_attached and not is_there:
            self._let_go()
            self.trouble.emit(LiveWord.UNPLUGGED)
        elif not self._is_attached and is_there:
            self._attach()

    def _open_if_allowed(self, is_allowed: bool) -> None:
        if self.wanted is None:
            return
        if is_allowed:
            self._attach()
        else:
            self.trouble.emit(LiveWord.FORBIDDEN)

    def _attach(self) -> None:
        assert self.wanted is not None
        if self._devices.attach(self.wanted, self.session, self._tell_silence):
            with self._gate:
                self._is_attached = True
                self._opening += 1
                self._counted = self._count
            self._silence.start()
        else:
            self.trouble.emit(LiveWord.UNPLUGGED)

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
            self.trouble.emit(LiveWord.SILENT)
