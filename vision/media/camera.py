"""Where live pictures come from, and where they go: videos, folders, cameras and addresses.

Files give every frame, one after the other. Cameras and addresses do not wait: of the frames that
came meanwhile, the newest is given and the others are dropped. A video that is written has its name
only when it is whole and can be played.
"""

import os
import re
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final, Protocol, Self

import cv2
import numpy as np

from vision.geometry import Image8
from vision.media.images import ImageError, load_image
from vision.media.whole_files import hold_file, remove_leftovers

Clock = Callable[[], float]

IsStopping = Callable[[], bool]
"""Tells whether nobody wants a further frame."""

DEFAULT_RATE: Final = 30.0
"""Frames a second of folders, and of sources that do not tell theirs."""

_MOST_RATE: Final = 1000.0
_PATIENCE_MS: Final = 10_000
"""How long an address may take to answer, in milliseconds."""

_LOOK_SECONDS: Final = 0.2
"""How long to wait for a frame at most before asking whether anybody still wants one."""

_ADDRESS: Final = re.compile(r"^(rtsp|rtsps|rtmp|http|https|udp|tcp|srt)://", re.IGNORECASE)
PICTURE_SUFFIXES: Final = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"})
"""Of the files in a folder that are taken for frames."""


class Capture(Protocol):
    """What frames are read from: what is used of `cv2.VideoCapture`."""

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        """Whether there is anything to read."""

    def read(self) -> tuple[bool, Any]:
        """Wait for the next frame and return whether there was one, and it."""

    def get(self, what: int, /) -> float:
        """Return one of OpenCV's `CAP_PROP_…`."""

    def release(self) -> None:
        """Let the camera go."""


class SourceError(Exception):
    """A source cannot be opened, or breaks off; the message says what to do next."""


@dataclass(frozen=True, eq=False)
class Shot:
    """One frame: (H, W, 3) uint8 BGR, and when it was taken, in seconds from the first one."""

    image: Image8
    seconds: float


@dataclass(frozen=True, eq=False)
class Source:
    """An open source of frames; use it as a context, and iterate over it once.

    Attributes:
        shots: its frames.
        close: lets it go.
        rate: frames a second, as the source tells it.
        count: how many frames there will be, or None where nobody knows.
        is_live: whether frames that nobody takes are dropped.
    """

    shots: Iterator[Shot]
    close: Callable[[], None]
    rate: float
    count: int | None
    is_live: bool

    def __iter__(self) -> Iterator[Shot]:
        return self.shots

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_source(name: str, is_stopping: IsStopping = lambda: False) -> Source:
    """Open a source of frames.

    Args:
        name: a video file, a folder of pictures, the number of a camera (0 is the first), or an
            address such as `rtsp://…` or `http://…`.
        is_stopping: asked while a camera or an address shows nothing; ends its frames.

    Raises:
        SourceError: if there is no such source, or it shows no picture.
    """
    _keep_quiet()
    if name.isdecimal():
        capture = cv2.VideoCapture(int(name))
        failure = f"there is no camera {name}, or another program has it; try 0 or 1"
        return watch_capture(capture, failure, is_stopping=is_stopping)
    if _ADDRESS.match(name):
        patience = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, _PATIENCE_MS]
        patience += [cv2.CAP_PROP_READ_TIMEOUT_MSEC, _PATIENCE_MS]
        capture = cv2.VideoCapture(name, cv2.CAP_FFMPEG, patience)
        failure = f"nothing was received from {name}; check the address and the network"
        return watch_capture(capture, failure, is_stopping=is_stopping)
    path = Path(name)
    if path.is_dir():
        return _open_folder(path)
    if not path.is_file():
        raise SourceError(f"{name} does not exist; name a video, a folder, a camera or an address")
    return _open_file(path)


def _keep_quiet() -> None:
    """Keep OpenCV and FFmpeg from writing to the terminal: what fails is told by its own error."""
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)


def _open_folder(folder: Path) -> Source:
    paths = [path for path in folder.iterdir() if path.suffix.lower() in PICTURE_SUFFIXES]
    paths.sort(key=_natural)
    if not paths:
        raise SourceError(f"{folder} holds no pictures; name a folder of frames, or a video")

    def shots() -> Iterator[Shot]:
        for number, path in enumerate(paths):
            try:
                yield Shot(load_image(path), number / DEFAULT_RATE)
            except ImageError as error:
                raise SourceError(str(error)) from error

    return Source(shots(), lambda: None, DEFAULT_RATE, len(paths), is_live=False)


def _natural(path: Path) -> list[tuple[int, str]]:
    """Order names as people do: 2 before 10."""
    parts = re.findall(r"\d+|\D+", path.name.lower())
    return [(int(part), "") if part.isdecimal() else (0, part) for part in parts]


def _open_file(path: Path) -> Source:
    capture = cv2.VideoCapture(str(path))
    shown, image = capture.read() if capture.isOpened() else (False, None)
    if not shown or image is None:
        capture.release()
        raise SourceError(f"{path} is no video that can be played; name another, such as an .mp4")
    rate = _rate_of(capture)
    count = int(capture.get(cv2.CAP_PROP_FRAME_COUNT))
    first = np.asarray(image, np.uint8)

    def shots() -> Iterator[Shot]:
        seconds = 0.0
        yield Shot(first, seconds)
        while True:
            shown, image = capture.read()
            if not shown:
                return
            # Files of phones have frames of different lengths; some files tell no times.
            told = capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
            seconds = told if told > seconds else seconds + 1 / rate
            yield Shot(np.asarray(image, np.uint8), seconds)

    return Source(shots(), capture.release, rate, count if count > 0 else None, is_live=False)


def watch_capture(
    capture: Capture,
    failure: str,
    clock: Clock = time.monotonic,
    is_stopping: IsStopping = lambda: False,
) -> Source:
    """Return a live source of what a camera shows; the newest frame wins.

    Args:
        capture: an opened camera or address, which is released at the end.
        failure: what to say where it shows nothing.
        clock: what the frames' times are taken from, in seconds.
        is_stopping: asked while nothing is shown; ends the frames.

    Raises:
        SourceError: if it shows nothing.
    """
    if not capture.isOpened():
        capture.release()
        raise SourceError(failure)
    newest = _Newest(capture, clock, is_stopping)
    first = newest.take()
    if first is None:
        newest.close()
        raise SourceError(failure)

    def shots() -> Iterator[Shot]:
        yield first
        while (shot := newest.take()) is not None:
            yield shot

    return Source(shots(), newest.close, _rate_of(capture), None, is_live=True)


def _rate_of(capture: Capture) -> float:
    rate = float(capture.get(cv2.CAP_PROP_FPS))
    return rate if 1 <= rate <= _MOST_RATE else DEFAULT_RATE


class _Newest:
    """Reads a camera on a thread of its own and keeps the newest frame only."""

    def __init__(self, capture: Capture, clock: Clock, is_stopping: IsStopping) -> None:
        self._capture = capture
        self._clock = clock
        self._is_stopping = is_stopping
        self._changed = threading.Condition()
        self._shot: Shot | None = None
        self._has_ended = False
        self._thread = threading.Thread(target=self._read, name="camera", daemon=True)
        self._thread.start()

    def take(self) -> Shot | None:
        """Wait for a frame that was not taken yet, and return it; None after the last one."""
        with self._changed:
            while not self._changed.wait_for(self._has_news, _LOOK_SECONDS):
                if self._is_stopping():
                    return None
            shot, self._shot = self._shot, None
            return shot

    def close(self) -> None:
        """Stop reading and let the camera go."""
        with self._changed:
            self._has_ended = True
        self._thread.join(timeout=_PATIENCE_MS / 1000)
        self._capture.release()

    def _has_news(self) -> bool:
        return self._shot is not None or self._has_ended

    def _read(self) -> None:
        start: float | None = None
        while True:
            shown, image = self._capture.read()
            now = self._clock()
            start = now if start is None else start
            with self._changed:
                if not shown or self._has_ended:
                    self._has_ended = True
                    self._changed.notify_all()
                    return
                self._shot = Shot(np.asarray(image, np.uint8), now - start)
                self._changed.notify_all()


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
