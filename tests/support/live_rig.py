"""A camera for tests of the live page: it films pages that this project rendered."""

from collections.abc import Callable
from itertools import count
from typing import cast

import cv2
import numpy as np
from arrays import Image8
from PySide6.QtCore import QObject, QSettings, QSize, QTimer, Signal
from PySide6.QtMultimedia import (
    QMediaCaptureSession,
    QVideoFrame,
    QVideoFrameFormat,
    QVideoFrameInput,
)
from pytestqt.qtbot import QtBot
from window_rig import wait_until

from app.gui.live.frame_worker import GetPicture, LiveWorker
from app.gui.live.page import LivePage
from app.gui.live.qt_camera import CameraName, Cameras, SystemDevices

Format = QVideoFrameFormat.PixelFormat

_numbers = count(1)


def as_frame(image: Image8, pixel_format: Format = Format.Format_NV12) -> QVideoFrame:
    """Return a picture, (H, W, 3) uint8 BGR, as a camera delivers it."""
    height, width = image.shape[:2]
    frame = QVideoFrame(QVideoFrameFormat(QSize(width, height), pixel_format))
    assert frame.map(QVideoFrame.MapMode.WriteOnly)
    whole = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2YUV_I420), np.uint8)
    y, (u, v) = whole[:height], whole[height:].reshape(2, height // 2, width // 2)
    if pixel_format == Format.Format_NV12:
        planes = [y, np.stack([u, v], axis=-1).reshape(height // 2, width)]
    elif pixel_format == Format.Format_YUV420P:
        planes = [y, u, v]
    elif pixel_format == Format.Format_YUYV:
        tall = np.repeat(np.stack([u, v], axis=-1), 2, axis=0).reshape(height, width)
        planes = [np.stack([y, tall], axis=-1).reshape(height, 2 * width)]
    elif pixel_format == Format.Format_RGBX8888:
        planes = [np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2RGBA), np.uint8)]
    elif pixel_format == Format.Format_P010:
        fine = whole.astype(np.uint16) << 8
        fine_u, fine_v = fine[height:].reshape(2, height // 2, width // 2)
        both = np.stack([fine_u, fine_v], axis=-1).reshape(height // 2, width)
        planes = [fine[:height].view(np.uint8), both.view(np.uint8)]
    else:
        planes = [np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2BGRA), np.uint8)]
    for at, plane in enumerate(planes):
        rows = plane.reshape(plane.shape[0], -1)
        stride = frame.bytesPerLine(at)
        memory = np.frombuffer(frame.bits(at), np.uint8)[: stride * rows.shape[0]]
        memory.reshape(rows.shape[0], stride)[:, : rows.shape[1]] = rows
    frame.unmap()
    # Frames that are all alike to Qt are told of only once.
    frame.setStartTime(next(_numbers) * 33_333)
    return frame


def fake_cameras(put: Callable[[GetPicture], None], devices: "FakeDevices") -> Cameras:
    """Return the cameras of devices that are the test's."""
    return Cameras(put, cast(SystemDevices, devices))


def show_page(
    qtbot: QtBot, settings: QSettings, worker: LiveWorker, devices: "FakeDevices | Exception"
) -> LivePage:
    """Show a live page before which devices lie, or that fails to find any; nothing is opened."""

    def make(put: Callable[[GetPicture], None]) -> Cameras:
        if isinstance(devices, Exception):
            raise devices
        return fake_cameras(put, devices)

    page = LivePage(settings, worker, make)
    qtbot.addWidget(page)
    page.resize(960, 640)
    page.show()
    qtbot.waitExposed(page)
    return page


def wait_for_words(page: LivePage, headline: str) -> None:
    """Wait until the live page says something."""
    wait_until(lambda: page.status.status.headline == headline)


class FakeDevices(QObject):
    """Cameras that can be plugged in, pulled out, and shown pictures."""

    changed = Signal()

    def __init__(self, *names: str, pause_ms: int = 15) -> None:
        super().__init__()
        self._pause_ms = pause_ms
        self.plugged = [CameraName(name.encode(), name) for name in names]
        self.is_allowed = True
        self.opened: list[bytes] = []
        self.fail: Callable[[], None] | None = None
        self.picture: Callable[[], QVideoFrame | None] = lambda: None
        self._input: QVideoFrameInput | None = None
        self._timer: QTimer | None = None

    @property
    def is_open(self) -> bool:
        """Whether a camera is switched on."""
        return self._timer is not None

    def show(self, image: Image8 | None, pixel_format: Format = Format.Format_NV12) -> None:
        """Hold something before the camera; None: it sends nothing."""
        self.picture = lambda: None if image is None else as_frame(image, pixel_format)

    def names(self) -> list[CameraName]:
        """Return the cameras that are there."""
        return list(self.plugged)

    def attach(self, key: bytes, session: QMediaCaptureSession, failed: Callable[[], None]) -> bool:
        """Switch a camera on."""
        if not any(one.key == key for one in self.plugged):
            return False
        self.opened.append(key)
        self.fail = failed
        self._input = QVideoFrameInput(session)
        session.setVideoFrameInput(self._input)
        self._timer = QTimer(session, interval=self._pause_ms)
        self._timer.timeout.connect(self._send)
        self._timer.start()
        return True

    def detach(self) -> None:
        """Switch the camera off."""
        assert self._timer is not None
        self._timer.stop()
        self._timer = self._input = None

    def ask(self, context: QObject, told: Callable[[bool], None]) -> None:
        """Ask for the permission."""
        told(self.is_allowed)

    def _send(self) -> None:
        frame = self.picture()
        if frame is not None and self._input is not None:
            self._input.sendVideoFrame(frame)
