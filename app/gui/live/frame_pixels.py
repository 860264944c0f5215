"""Takes the pixels out of Qt's video frames, without the detour over a picture of Qt.

Imports QtMultimedia, so it is itself imported only once a camera is wanted.
"""

from typing import Final

import numpy as np
from PySide6.QtGui import QImage
from PySide6.QtMultimedia import QVideoFrame, QVideoFrameFormat

from vision.media.video_frames import (
    Layout,
    Plane,
    VideoPicture,
    from_bgra,
    turn_picture,
    unpack_frame,
)

_Format = QVideoFrameFormat.PixelFormat

_LAYOUTS: Final = {
    _Format.Format_NV12: Layout.NV12,
    _Format.Format_NV21: Layout.NV21,
    _Format.Format_YUV420P: Layout.I420,
    _Format.Format_YV12: Layout.YV12,
    _Format.Format_YUV422P: Layout.I422,
    _Format.Format_YUYV: Layout.YUYV,
    _Format.Format_UYVY: Layout.UYVY,
    _Format.Format_Y8: Layout.GREY,
    _Format.Format_BGRA8888: Layout.BGRX,
    _Format.Format_BGRX8888: Layout.BGRX,
    _Format.Format_RGBA8888: Layout.RGBX,
    _Format.Format_RGBX8888: Layout.RGBX,
    _Format.Format_ARGB8888: Layout.XRGB,
    _Format.Format_XRGB8888: Layout.XRGB,
    _Format.Format_ABGR8888: Layout.XBGR,
    _Format.Format_XBGR8888: Layout.XBGR,
}


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
    return from_bgra(rows[:, : 4 * image.width()].reshape(image.height(), -1, 4).copy())
