"""Frames come in order from files, and the newest first from cameras."""

import threading
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.media.camera import SourceError, open_source, watch_capture


def _grey(level: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    return np.full((96, 128, 3), level, np.uint8)


def _write_video(path: Path, levels: range) -> None:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 25.0, (128, 96))
    for level in levels:
        writer.write(_grey(level))
    writer.release()


class _FakeCamera:
    """Shows a frame whenever it is told to."""

    def __init__(self, frames: int) -> None:
        self.left = frames
        self.may_read = threading.Semaphore(1)
        self.is_released = False

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return True

    def read(self) -> tuple[bool, Any]:
        self.may_read.acquire()
        if not self.left:
            return False, None
        self.left -= 1
        return True, _grey(self.left)

    def get(self, what: int, /) -> float:
        return 0.0

    def release(self) -> None:
        self.is_released = True


def test_a_video_gives_every_frame_and_its_time(tmp_path: Path) -> None:
    _write_video(tmp_path / "film.avi", range(20, 220, 20))

    with open_source(str(tmp_path / "film.avi")) as source:
        shots = list(source)

    assert (source.rate, source.count, source.is_live) == (25.0, 10, False)
    assert [round(float(shot.image.mean()) / 20) for shot in shots] == list(range(1, 11))
    assert [shot.seconds for shot in shots] == pytest.approx([n / 25 for n in range(10)], abs=0.005)


def test_a_folder_gives_its_pictures_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    for number in (10, 2, 1):
        cv2.imwrite(str(tmp_path / f"frame{number}.png"), _grey(number * 10))

    with open_source(str(tmp_path)) as source:
        levels = [int(shot.image[0, 0, 0]) for shot in source]

    assert levels == [10, 20, 100]


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("gone.mp4", None, "does not exist"),
        ("notes.mp4", b"these are notes", "no video that can be played"),
        ("99", None, "there is no camera 99"),
    ],
)
def test_what_cannot_be_opened_is_told(
    tmp_path: Path, name: str, content: bytes | None, told: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    source = name if name.isdecimal() else str(tmp_path / name)

    with pytest.raises(SourceError, match=told):
        open_source(source)


def test_an_address_that_does_not_answer_is_told() -> None:
    with pytest.raises(SourceError, match="check the address"):
        open_source("http://127.0.0.1:9/nothing.mjpg")


def test_a_folder_without_pictures_is_told(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="holds no pictures"):
        open_source(str(tmp_path))


def test_of_the_frames_that_came_meanwhile_a_camera_gives_the_newest() -> None:
    camera = _FakeCamera(5)
    times = iter(range(100))

    with watch_capture(camera, "nothing", lambda: float(next(times))) as source:
        shots = iter(source)
        first = next(shots)
        for _ in range(5):
            camera.may_read.release()
        later = list(shots)

    assert int(first.image[0, 0, 0]) == 4
    assert int(later[-1].image[0, 0, 0]) == 0
    assert [shot.seconds for shot in later] == sorted({shot.seconds for shot in later})
    assert camera.is_released


def test_a_camera_that_shows_nothing_is_told() -> None:
    camera = _FakeCamera(0)

    with pytest.raises(SourceError, match="it is dark"):
        watch_capture(camera, "it is dark")

    assert camera.is_released
