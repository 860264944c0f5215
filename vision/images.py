"""Pictures in and out: any usual file becomes upright BGR pixels, and an overlay becomes a file
that is either written whole or not at all.
"""

import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.decoding import PICTURE_FORMATS, DecodingError, decode_picture, picture_format

Image8 = npt.NDArray[np.uint8]

MAX_PIXELS: Final = 100_000_000
"""Most pixels that `load_image` decodes unless told otherwise: 300 MB as BGR."""

MIN_SIDE_PX: Final = 64
"""Shortest side of a picture that can hold a board: seven pixels a cell."""

JPEG_QUALITY: Final = 92

_HEAD_BYTES: Final = 32
_WRITERS: Final[dict[str, list[int]]] = {
    ".jpg": [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY],
    ".jpeg": [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY],
    ".png": [],
    ".webp": [cv2.IMWRITE_WEBP_QUALITY, JPEG_QUALITY],
    ".tif": [],
    ".tiff": [],
    ".bmp": [],
}


class ImageError(ValueError):
    """A picture cannot be read or written; the text says why and what to do next."""


def load_image(source: Path | str | bytes, max_pixels: int = MAX_PIXELS) -> Image8:
    """Return a photo upright, as a viewer shows it: turned by its EXIF orientation, alpha over
    white, the first frame of several, 16 bits brought to 8.

    The whole picture is decoded always: a 12-megapixel JPEG takes 49 ms, and decoding it at half
    size would still take 32 ms (medians of 7, one core) and cost the finer digits.

    Args:
        source: path of a file, or the file's bytes.
        max_pixels: larger pictures are refused by their header, before any memory is taken.

    Returns:
        (H, W, 3) uint8 BGR, C-contiguous.

    Raises:
        ImageError: if it is no picture, damaged, too small, too large or not to be read.
    """
    name, data = ("the picture", source) if isinstance(source, bytes) else _read_file(Path(source))
    if not data:
        raise ImageError(f"{name} is empty; copy or take the photo again")
    if picture_format(data[:_HEAD_BYTES]) is None:
        raise ImageError(f"{name} is not a picture; give a {PICTURE_FORMATS} file")

    def check_size(width: int, height: int) -> None:
        if width * height > max_pixels:
            raise ImageError(
                f"{name} is too large: {width}×{height} pixels, {max_pixels / 1e6:g} megapixels"
                " are the most; make it smaller or crop it to the board"
            )
        if min(width, height) < MIN_SIDE_PX:
            raise ImageError(
                f"{name} is too small: {width}×{height} pixels, {MIN_SIDE_PX} a side are the"
                " least; take the photo closer or at a higher resolution"
            )

    return _decode(name, data, check_size)


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
    suffix = path.suffix.lower()
    if suffix not in _WRITERS:
        raise ImageError(f"{path}: cannot write {suffix or 'no suffix'}; use {', '.join(_WRITERS)}")
    try:
        done, encoded = cv2.imencode(suffix, image, _WRITERS[suffix])
    except cv2.error:
        done = False
    if not done:
        raise ImageError(f"{path}: {image.shape} does not fit {suffix}; use .png instead")
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        try:
            # Opened by name, not through tempfile: the result gets the user's usual permissions.
            with temporary.open("xb") as file:
                file.write(encoded.tobytes())
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    except OSError as error:
        reason = error.strerror or str(error)
        raise ImageError(f"{path} cannot be written: {reason}; choose another folder") from error


def _read_file(path: Path) -> tuple[str, bytes]:
    """Return the file's name and bytes, only its first ones if they are no picture's."""
    name = str(path)
    try:
        if path.is_dir():
            raise ImageError(f"{name} is a folder; give a picture file")
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
            # A film or a database is not read to its end only to be refused.
            return name, head if picture_format(head) is None else head + file.read()
    except FileNotFoundError as error:
        raise ImageError(f"{name} does not exist; check the name") from error
    except PermissionError as error:
        raise ImageError(f"{name} may not be read; change its permissions") from error
    except (OSError, ValueError) as error:
        raise ImageError(f"{name} cannot be read: {error}; check the name") from error


def _decode(name: str, data: bytes, check_size: Callable[[int, int], None]) -> Image8:
    try:
        return decode_picture(data, check_size)
    except DecodingError as error:
        raise ImageError(f"{name} cannot be decoded: {error}; copy or export it again") from error
    except MemoryError as error:
        raise ImageError(f"{name} does not fit into memory; make it smaller") from error
