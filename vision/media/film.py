"""Videos out: frames become a file that has its name only when it is whole and can be played."""

import re
import secrets
from pathlib import Path
from typing import BinaryIO, Final, Self

import cv2
import numpy as np

from vision.geometry import Image8
from vision.media.whole_files import hold_file, remove_leftovers

_CODECS: Final = {".mp4": "mp4v", ".m4v": "mp4v", ".mov": "mp4v", ".avi": "MJPG", ".mkv": "mp4v"}

FILM_SUFFIXES: Final = tuple(_CODECS)
"""What can be written."""

_MOST_REPEATED: Final = 300
"""Frames that one picture is shown for at most, however long the next one takes to come."""


class FilmError(Exception):
    """A video cannot be written; the message says what to do next."""


class Film:
    """A video that is being written; use it as a context.

    It is written under another name and renamed at the end of the block, whether that ended well,
    with Ctrl-C or in an error: what was written by then can be played. Without a single frame, or
    where the disk was full, no file is left, and one that had the name stays. What a process that
    was killed has left is removed by the next one that writes the same video.
    """

    def __init__(self, path: Path, rate: float) -> None:
        """Begin a video.

        Args:
            path: with one of `FILM_SUFFIXES`.
            rate: frames a second.

        Raises:
            FilmError: if no such video can be written.
        """
        if path.suffix.lower() not in _CODECS:
            known = ", ".join(FILM_SUFFIXES)
            raise FilmError(f"{path} cannot be written as a video; use {known}")
        self._path = path
        self._rate = rate
        self._partial = path.with_name(f".{path.stem}-{secrets.token_hex(4)}{path.suffix}")
        self._writer: cv2.VideoWriter | None = None
        self._hold: BinaryIO | None = None
        self._size = (0, 0)
        self._count = 0
        self._written = 0
        self._last: Image8 | None = None
        ours = re.compile(re.escape(f".{path.stem}-") + "[0-9a-f]{8}" + re.escape(path.suffix))
        remove_leftovers(path.parent, ours)

    def add(self, image: Image8, seconds: float) -> None:
        """Show a picture from this time on, (H, W, 3) uint8 BGR; all are of the first one's size.

        Frames come at the film's own rate: a picture is repeated until the next one's time, and
        left out where two fall on one frame.

        Raises:
            FilmError: if it cannot be written.
        """
        height, width = image.shape[:2]
        if self._writer is None:
            self._size = (width, height)
            self._writer = self._open()
        if (width, height) != self._size:
            image = np.asarray(cv2.resize(image, self._size), np.uint8)
        due = round(seconds * self._rate)
        if self._last is not None:
            for _ in range(min(due - self._count, _MOST_REPEATED)):
                self._write(self._last)
            self._count = max(self._count, due)
        self._last = image

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._writer is None:
            return
        try:
            if self._last is not None:
                self._write(self._last)
            self._writer.release()
            if not self._is_whole():
                raise OSError("not all of it was written")
            self._partial.replace(self._path)
        except OSError as failed:
            raise FilmError(
                f"{self._path} cannot be written: {failed.strerror or failed}; is the disk full?"
            ) from failed
        finally:
            if self._hold is not None:
                self._hold.close()
            self._partial.unlink(missing_ok=True)

    def _open(self) -> cv2.VideoWriter:
        codec = cv2.VideoWriter.fourcc(*_CODECS[self._path.suffix.lower()])
        writer = cv2.VideoWriter(str(self._partial), codec, self._rate, self._size)
        if not writer.isOpened():
            self._partial.unlink(missing_ok=True)
            raise FilmError(f"{self._path} cannot be written here; choose another name or folder")
        self._hold = self._partial.open("rb")
        hold_file(self._hold)
        return writer

    def _is_whole(self) -> bool:
        """Tell whether the file holds what was written: OpenCV says nothing where it could not."""
        film = cv2.VideoCapture(str(self._partial))
        try:
            # The number comes from length and rate, and may be rounded. It stands where a file is
            # ended, so one that was cut off has none.
            count = film.get(cv2.CAP_PROP_FRAME_COUNT)
            if count < max(0.9 * self._written - 1, 1):
                return False
            # Short files may have it although their last frames are missing.
            film.set(cv2.CAP_PROP_POS_FRAMES, max(min(count, self._written) - 2, 0))
            return film.read()[0]
        finally:
            film.release()

    def _write(self, image: Image8) -> None:
        assert self._writer is not None
        self._writer.write(image)
        self._written += 1
