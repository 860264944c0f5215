"""Where live pictures come from: a video file, a folder of pictures, a camera, or an address.

Files give every frame, one after the other. Cameras and addresses do not wait: of the frames that
came meanwhile, the newest is given and the others are dropped.
"""

import os
import re
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol, Self

import cv2
import numpy as np

from vision.geometry import Image8
from vision.media.images import ImageError, load_image

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
