"""Videos are whole or not there, however their writing ended."""

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from command_rig import room_for

from vision.media.camera import open_source
from vision.media.film import Film, FilmError


def _grey(level: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    return np.full((96, 128, 3), level, np.uint8)


def _levels(path: Path) -> list[int]:
    with open_source(str(path)) as source:
        return [round(float(shot.image.mean()) / 10) * 10 for shot in source]


def _write_until_interrupted(path: Path, frames: int) -> None:
    with Film(path, 10.0) as film:
        for number in range(frames):
            film.add(_grey(100), number / 10)
        raise KeyboardInterrupt


@pytest.mark.parametrize("name", ["film.mp4", "film.avi"])
def test_a_written_video_can_be_played(tmp_path: Path, name: str) -> None:
    with Film(tmp_path / name, 10.0) as film:
        for number in range(5):
            film.add(_grey(50 + 30 * number), number / 10)

    assert _levels(tmp_path / name) == [50, 80, 110, 140, 170]
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_picture_is_shown_until_the_next_ones_time(tmp_path: Path) -> None:
    with Film(tmp_path / "film.avi", 10.0) as film:
        film.add(_grey(50), 0.0)
        film.add(_grey(100), 0.3)
        film.add(_grey(150), 0.31)
        film.add(_grey(200), 0.4)

    assert _levels(tmp_path / "film.avi") == [50, 50, 50, 150, 200]


def test_an_interrupted_video_can_be_played(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        _write_until_interrupted(tmp_path / "film.mp4", 5)

    assert _levels(tmp_path / "film.mp4") == [100] * 5


def test_without_a_frame_no_file_is_left(tmp_path: Path) -> None:
    with Film(tmp_path / "film.mp4", 10.0):
        pass

    assert list(tmp_path.iterdir()) == []


def test_what_is_no_videos_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FilmError, match=r"film\.gif cannot be written"):
        Film(tmp_path / "film.gif", 10.0)


def test_a_folder_that_is_missing_is_told(tmp_path: Path) -> None:
    with (
        pytest.raises(FilmError, match="choose another"),
        Film(tmp_path / "no" / "film.mp4", 10.0) as film,
    ):
        film.add(_grey(1), 0.0)


def test_frames_of_another_size_are_fitted(tmp_path: Path) -> None:
    with Film(tmp_path / "film.avi", 10.0) as film:
        film.add(_grey(50), 0.0)
        film.add(np.full((48, 64, 3), 100, np.uint8), 0.1)

    capture = cv2.VideoCapture(str(tmp_path / "film.avi"))
    sizes = [capture.read()[1].shape for _ in range(2)]
    assert sizes == [(96, 128, 3)] * 2


@pytest.mark.parametrize("name", ["film.mp4", "film.avi", "film.mkv"])
def test_a_full_disk_leaves_the_file_that_was_there(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"an earlier film")

    with pytest.raises(FilmError, match="disk full"), room_for(100_000):
        _write_noise(path, 40)

    assert path.read_bytes() == b"an earlier film"
    assert list(tmp_path.iterdir()) == [path]


def _write_noise(path: Path, frames: int) -> None:
    generator = np.random.default_rng(0)
    with Film(path, 10.0) as film:
        for number in range(frames):
            film.add(generator.integers(0, 255, (240, 320, 3), np.uint8), number / 10)


def test_what_a_killed_process_has_left_goes_and_what_another_writes_stays(tmp_path: Path) -> None:
    (tmp_path / ".film-0123abcd.mp4").write_bytes(b"half")
    (tmp_path / ".other-0123abcd.mp4").write_bytes(b"of another video")
    with Film(tmp_path / "film.mp4", 10.0) as one:
        one.add(_grey(100), 0.0)
        with Film(tmp_path / "film.mp4", 10.0) as other:
            other.add(_grey(200), 0.0)

    assert _levels(tmp_path / "film.mp4") == [100]
    assert sorted(path.name for path in tmp_path.iterdir()) == [".other-0123abcd.mp4", "film.mp4"]
