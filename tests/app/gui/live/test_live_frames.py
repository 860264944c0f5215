"""Qt's video frames give the pixels that Qt itself would show."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest
from filming import HEIGHT, WIDTH, film
from puzzles import EASY_GRID

from app.gui.session.document import from_qimage
from app.gui.session.file_opener import quiet_qt

quiet_qt()
pytest.importorskip("PySide6.QtMultimedia", exc_type=ImportError)
from live_rig import Format, as_frame  # noqa: E402
from PySide6.QtCore import QSize  # noqa: E402
from PySide6.QtMultimedia import QtVideo, QVideoFrame, QVideoFrameFormat  # noqa: E402

from app.gui.live.qt_camera import read_frame  # noqa: E402

# Without a graphics card Qt says so before it converts anything, as it is asked to here.
pytestmark = [
    pytest.mark.usefixtures("qapp"),
    pytest.mark.qt_log_ignore("No RHI backend", extend=True),
]
Direction = QVideoFrameFormat.Direction
TURNS = {
    QtVideo.Rotation.None_: 0,
    QtVideo.Rotation.Clockwise90: 1,
    QtVideo.Rotation.Clockwise180: 2,
    QtVideo.Rotation.Clockwise270: 3,
}


def pixels_of(frame: QVideoFrame) -> npt.NDArray[np.uint8]:
    picture = read_frame(frame)
    assert picture is not None
    assert picture.grey.shape == picture.colour.shape[:2]
    return picture.bgr


@pytest.mark.parametrize(
    "pixel_format",
    [
        Format.Format_NV12,
        Format.Format_YUYV,
        Format.Format_YUV420P,
        Format.Format_BGRX8888,
        Format.Format_RGBX8888,
        Format.Format_P010,
    ],
)
def test_a_frame_looks_as_it_does_to_qt(pixel_format: Format) -> None:
    frame = as_frame(film(EASY_GRID), pixel_format)

    pixels = pixels_of(frame)

    assert pixels.shape == (HEIGHT, WIDTH, 3)
    assert np.abs(pixels.astype(int) - from_qimage(frame.toImage())).mean() < 3


@pytest.mark.parametrize("rotation", list(TURNS))
@pytest.mark.parametrize("pixel_format", [Format.Format_NV12, Format.Format_P010])
def test_a_frame_that_was_held_sideways_stands_upright(
    rotation: QtVideo.Rotation, pixel_format: Format
) -> None:
    frame = as_frame(film(EASY_GRID), pixel_format)
    frame.setRotation(rotation)

    pixels = pixels_of(frame)

    assert np.abs(pixels.astype(int) - np.rot90(film(EASY_GRID), -TURNS[rotation])).mean() < 3


@pytest.mark.parametrize(
    ("change", "turns", "rows"),
    [
        (lambda shape: shape.setRotation(QtVideo.Rotation.Clockwise90), -1, 1),
        (lambda shape: shape.setMirrored(True), 0, 1),
        (lambda shape: shape.setScanLineDirection(Direction.BottomToTop), 0, -1),
    ],
    ids=["built in sideways", "films as a mirror does", "rows from the bottom"],
)
def test_however_a_camera_films_its_page_stands_upright_as_it_is_printed(
    change: Callable[[QVideoFrameFormat], None], turns: int, rows: int
) -> None:
    page = film(EASY_GRID)
    shape = QVideoFrameFormat(QSize(WIDTH, HEIGHT), Format.Format_BGRX8888)
    change(shape)
    frame = QVideoFrame(shape)
    assert frame.map(QVideoFrame.MapMode.WriteOnly)
    memory = np.frombuffer(frame.bits(0), np.uint8)[: 4 * WIDTH * HEIGHT]
    memory.reshape(HEIGHT, WIDTH, 4)[:, :, :3] = page[::rows]
    frame.unmap()

    assert np.array_equal(pixels_of(frame), np.rot90(page, turns))


def test_a_mirrored_frame_is_read_as_the_page_is_printed() -> None:
    frame = as_frame(film(EASY_GRID))
    frame.setMirrored(True)

    assert np.abs(pixels_of(frame).astype(int) - film(EASY_GRID)).mean() < 3


def test_a_frame_without_pixels_is_passed_over() -> None:
    assert read_frame(QVideoFrame()) is None
