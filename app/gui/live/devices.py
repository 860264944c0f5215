"""The cameras that there are: the system's as Qt knows them, and what takes their place in tests.

Imports QtMultimedia, as `app.gui.live.qt_camera` does, which imports this module.
"""

from collections.abc import Callable
from typing import Final, NamedTuple, Protocol

from PySide6.QtCore import QCameraPermission, QCoreApplication, QMetaObject, QObject, Qt, Signal
from PySide6.QtMultimedia import (
    QCamera,
    QCameraDevice,
    QMediaCaptureSession,
    QMediaDevices,
    QVideoFrameFormat,
)

_SIZE: Final = (1280, 720)
"""Pixels that are enough to read a page from, and few enough to be followed at full rate."""

_RATE: Final = 24.0
"""Frames a second from which on more pixels count for more."""


class CameraName(NamedTuple):
    """A camera, as lists show it."""

    key: bytes
    name: str


class Devices(Protocol):
    """What there is to be opened: the system's cameras, or a test's."""

    def names(self) -> list[CameraName]:
        """Return the cameras that are there."""
        ...

    def attach(self, key: bytes, session: QMediaCaptureSession, failed: Callable[[], None]) -> bool:
        """Let a camera send its pictures to a session; return False where it is not there."""
        ...

    def detach(self) -> None:
        """Let the camera go."""
        ...

    def ask(self, context: QObject, told: Callable[[bool], None]) -> None:
        """Ask for the permission to use cameras."""
        ...


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

    Args:
        width: of its pictures.
        height: of its pictures.
        rate: most frames a second.
        is_packed: whether every picture must be unpacked first.
    """
    wanted = _SIZE[0] * _SIZE[1]
    pixels = width * height
    # Fewer pixels than wanted cost more than more of them.
    fitting = wanted / pixels if pixels > wanted else (pixels / wanted) ** 2 if pixels else 0.0
    return (min(rate, _RATE), fitting, float(not is_packed), rate)


def _key(device: QCameraDevice) -> bytes:
    return bytes(device.id().data())
