"""Pictures in and out: any usual file becomes upright BGR pixels, and an overlay becomes a file
that is either written whole or not at all.
"""

import logging
from enum import Enum, auto
from pathlib import Path
from typing import Final, Protocol

import cv2

from vision.geometry import Image8
from vision.media.decoding import (
    PICTURE_FORMATS,
    DecodingError,
    Photo,
    decode_picture,
    picture_format,
)
from vision.media.whole_files import open_whole

logger = logging.getLogger(__name__)


MAX_PIXELS: Final = 100_000_000
"""Most pixels that `load_image` decodes unless told otherwise: 300 MB as BGR."""

MAX_BYTES: Final = 4 * MAX_PIXELS
"""Most bytes that are read: what so many pixels take uncompressed, with alpha."""

MIN_SIDE_PX: Final = 64
"""Shortest side of a picture that can hold a board: seven pixels a cell."""

JPEG_QUALITY: Final = 92

_HEAD_BYTES: Final = 32
_CHUNK_BYTES: Final = 16_000_000
_WRITERS: Final[dict[str, list[int]]] = {
    ".jpg": [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY],
    ".jpeg": [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY],
    ".png": [],
    ".webp": [cv2.IMWRITE_WEBP_QUALITY, JPEG_QUALITY],
    ".tif": [],
    ".tiff": [],
    ".bmp": [],
}


class ByteStream(Protocol):
    """Where bytes come from, such as an open file or `sys.stdin.buffer`."""

    def read(self, size: int, /) -> bytes:
        """Return up to so many bytes, none at the end."""


class ImageFault(Enum):
    """Why a picture cannot be read, for those who say it in other words."""

    EMPTY = auto()
    NO_PICTURE = auto()
    TOO_LARGE = auto()
    TOO_SMALL = auto()
    DAMAGED = auto()
    """Or of a kind that cannot be decoded here."""
    MISSING = auto()
    FORBIDDEN = auto()
    OTHER = auto()


class ImageError(ValueError):
    """A picture cannot be read or written; the text says why and what to do next.

    Attributes:
        fault: why it cannot be read.
    """

    def __init__(self, text: str, fault: ImageFault = ImageFault.OTHER) -> None:
        super().__init__(text)
        self.fault = fault


class TooManyPixelsError(ImageError):
    """A picture has more pixels than are taken; none was decoded."""


def limit_threads(most: int) -> None:
    """Let OpenCV use so many threads at most, for processes that share a machine with others."""
    cv2.setNumThreads(most)


def load_image(
    source: Path | str | bytes | ByteStream,
    max_pixels: int = MAX_PIXELS,
    *,
    max_bytes: int = MAX_BYTES,
    name: str = "the picture",
) -> Image8:
    """Return the pixels of a photo, as `load_photo` does; its warnings are only logged.

    Returns:
        (H, W, 3) uint8 BGR, C-contiguous.

    Raises:
        ImageError: as `load_photo` does.
    """
    photo = load_photo(source, max_pixels, max_bytes=max_bytes, name=name)
    called = source if isinstance(source, str | Path) else name
    for warning in photo.warnings:
        logger.info("%s: %s", called, warning)
    return photo.pixels


def load_photo(
    source: Path | str | bytes | ByteStream,
    max_pixels: int = MAX_PIXELS,
    *,
    max_bytes: int = MAX_BYTES,
    name: str = "the picture",
) -> Photo:
    """Return a photo upright, as a viewer shows it: turned by its EXIF orientation, alpha over
    white, the first frame of several, 16 bits brought to 8.

    A JPEG that lacks its last rows is loaded with a warning, and so is the first page of several.

    The whole picture is decoded always: a 12-megapixel JPEG takes 49 ms, and decoding it at half
    size would still take 32 ms (medians of 7, one core) and cost the finer digits.

    Args:
        source: path of a file, the file's bytes, or a stream of them.
        max_pixels: larger pictures are refused by their header, before any memory is taken.
        max_bytes: longer files and streams are refused.
        name: what messages call bytes and streams; a path has its own.

    Raises:
        ImageError: if it is no picture, damaged, too small, too large or not to be read.
    """
    if isinstance(source, str | Path):
        name = str(source)
    data = source if isinstance(source, bytes) else _read(source, name, max_bytes)
    if not data:
        raise ImageError(f"{name} is empty; copy or take the photo again", ImageFault.EMPTY)
    if picture_format(data[:_HEAD_BYTES]) is None:
        text = f"{name} is not a picture; give a {PICTURE_FORMATS} file"
        raise ImageError(text, ImageFault.NO_PICTURE)

    def check_size(width: int, height: int) -> None:
        if width * height > max_pixels:
            raise TooManyPixelsError(
                f"{name} is too large: {width}×{height} pixels, {max_pixels / 1e6:g} megapixels"
                " are the most; make it smaller or crop it to the board",
                ImageFault.TOO_LARGE,
            )
        if min(width, height) < MIN_SIDE_PX:
            raise ImageError(
                f"{name} is too small: {width}×{height} pixels, {MIN_SIDE_PX} a side are the"
                " least; take the photo closer or at a higher resolution",
                ImageFault.TOO_SMALL,
            )

    try:
        return decode_picture(data, check_size)
    except DecodingError as error:
        # The decoder's own words are for the log, not for people.
        logger.info("%s: %s (%r)", name, error, error.__cause__)
        text = f"{name} cannot be decoded: {error}; copy or export it again"
        raise ImageError(text, ImageFault.DAMAGED) from error
    except MemoryError as error:
        text = f"{name} does not fit into memory; make it smaller"
        raise ImageError(text, ImageFault.TOO_LARGE) from error


def save_image(path: Path | str, image: Image8) -> None:
    """Write a picture in the format of the path's suffix, whole or not at all.

    A file of that name is replaced in one step, so it stays intact if writing fails. No metadata
    is written: the pixels are upright.

    Args:
        path: ends in .jpg, .jpeg, .png, .webp, .tif, .tiff or .bmp.
        image: (H, W, 3) BGR or (H, W) grey, uint8.

    Raises:
        ImageError: if the suffix is unknown, the picture does not fit the format, or the folder
            cannot be written to.
    """
    path = Path(path)
    try:
        encoded = encode_image(image, path.suffix)
    except ImageError as error:
        raise ImageError(f"{path}: {error}") from error
    try:
        with open_whole(path) as file:
            file.write(encoded)
    except OSError as error:
        reason = error.strerror or str(error)
        raise ImageError(f"{path} cannot be written: {reason}; choose another folder") from error


def encode_image(image: Image8, suffix: str) -> bytes:
    """Return the bytes of a picture file, without metadata.

    Args:
        image: (H, W, 3) BGR or (H, W) grey, uint8.
        suffix: .jpg, .jpeg, .png, .webp, .tif, .tiff or .bmp.

    Raises:
        ImageError: if the suffix is unknown, or the picture does not fit the format.
    """
    suffix = suffix.lower()
    if suffix not in _WRITERS:
        raise ImageError(f"cannot write {suffix or 'no suffix'}; use {', '.join(_WRITERS)}")
    try:
        done, encoded = cv2.imencode(suffix, image, _WRITERS[suffix])
    except cv2.error:
        done = False
    if not done:
        raise ImageError(f"{image.shape} does not fit {suffix}; use .png instead")
    return encoded.tobytes()


def _read(source: Path | str | ByteStream, name: str, max_bytes: int) -> bytes:
    """Return the bytes of a file or a stream, only its first ones if they are no picture's."""
    try:
        if not isinstance(source, str | Path):
            return _read_stream(source, name, max_bytes)
        if not Path(source).is_dir():
            with Path(source).open("rb") as file:
                return _read_stream(file, name, max_bytes)
    except ImageError:  # it is a ValueError too
        raise
    except FileNotFoundError as error:
        raise ImageError(f"{name} does not exist; check the name", ImageFault.MISSING) from error
    except PermissionError as error:
        text = f"{name} may not be read; change its permissions"
        raise ImageError(text, ImageFault.FORBIDDEN) from error
    except OSError as error:
        reason = error.strerror or "it fails"
        raise ImageError(f"{name} cannot be read: {reason}; check the name") from error
    except ValueError as error:
        raise ImageError(f"{name} cannot be read: no file has such a name; check it") from error
    raise ImageError(f"{name} is a folder; give a picture file")


def _read_stream(stream: ByteStream, name: str, max_bytes: int) -> bytes:
    head = stream.read(_HEAD_BYTES)
    # A film, a database or an endless pipe is not read to its end only to be refused.
    if picture_format(head) is None:
        return head
    chunks, length = [head], len(head)
    while chunk := stream.read(_CHUNK_BYTES):
        chunks.append(chunk)
        length += len(chunk)
        if length > max_bytes:
            text = f"{name} is larger than {max_bytes / 1e6:g} MB; make it smaller"
            raise ImageError(text, ImageFault.TOO_LARGE)
    return b"".join(chunks)
