"""Bytes of a picture file to pixels: OpenCV for ordinary JPEG, where speed counts, and Pillow,
which knows every mode, for the rest. Nothing of their warnings reaches the terminal.

How long decoding takes is not limited here: who takes files of strangers decodes them in a process
that may be ended.
"""

import contextlib
import io
import logging
import os
import re
import struct
import tempfile
import threading
import warnings
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, Final

import cv2
import numpy as np
from PIL import Image

from vision.geometry import Image8

logger = logging.getLogger(__name__)


PICTURE_FORMATS: Final = "JPEG, PNG, HEIC, WebP, TIFF, BMP or GIF"

_SIGNATURES: Final = {
    "JPEG": rb"\xff\xd8\xff",
    "PNG": rb"\x89PNG\r\n\x1a\n",
    "TIFF": rb"II[*+]\0|MM\0[*+]",
    "GIF": rb"GIF8[79]a",
    "BMP": rb"BM",
    "WEBP": rb"RIFF....WEBP",
    "AVIF": rb"....ftyp(....)*avif",
    "HEIF": rb"....ftyp(....)*(hei[cxms]|hev[cx]|mif1|msf1)",
}
"""What files begin with, as regular expressions; the first that fits counts."""

_ORIENTATION: Final = 0x0112
_FLIPS: Final = {2: 1, 3: -1, 4: 0, 6: 1, 7: -1, 8: 0}
"""How OpenCV flips what has this EXIF orientation, transposed first from 5 on."""

_TILE_WIDTH: Final = 0x0142
_TILE_LENGTH: Final = 0x0143
_MOST_MISSING: Final = 1 / 3
"""Of the rows of a JPEG that is cut short; what has lost more is refused. Of 60 photos that lost a
tenth of their bytes, none lacks more than 0.29 of its rows."""

_FILLING: Final = 128
"""Grey level of what libjpeg puts in place of data that is missing, if there is an end at least."""

_JPEG_END: Final = b"\xff\xd9"
_SCAN: Final = b"\xff\xda"
_MARKER: Final = re.compile(rb"\xff+([^\xff\0])", re.DOTALL)

_MOST_SCANS: Final = 100
"""Of a JPEG: cameras and editors write 1 to 12, optimizers some more. Each goes over all pixels, so
that 0.1 MB of them take minutes."""

_MOST_PAGES: Final = 1000
"""Of a TIFF; further ones are not counted."""

# What Pillow's readers have been seen to raise on damaged files, beside their own OSError.
_DAMAGE: Final = (
    *(OSError, EOFError, SyntaxError, ValueError, TypeError, AttributeError, AssertionError),
    *(LookupError, ArithmeticError, RuntimeError, struct.error, zlib.error),
)

# libjpeg's own warnings, then what libtiff's codecs begin their lines with.
_LIBRARY_CHATTER: Final = re.compile(
    rb"JPEG|Inconsistent progression|Invalid SOS|Unknown Adobe|Unsupported marker|JFIF|libpng"
    rb"|^\w*(TIFF|ZIP|LZW|Fax|LogLuv|PixarLog|ThunderDecode|PackBits|LERC|ZSTD)\w*: |tempfile\.tif"
    rb"|^More samples per pixel|^MissingRequired: |^Apparently should be "
)
_STRIP_ROWS: Final = 64
_DECODING: Final = threading.RLock()


class DecodingError(Exception):
    """The bytes are damaged, or of a kind that cannot be decoded."""


@dataclass(frozen=True, eq=False)
class Photo:
    """A photo that was loaded.

    Attributes:
        pixels: (H, W, 3) uint8 BGR, C-contiguous, upright as a viewer shows it.
        is_whole: whether the file has its end; a part of the picture may be grey or blurred if not.
        pages: in the file, of which this is the first.
    """

    pixels: Image8
    is_whole: bool = True
    pages: int = 1

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is not as it should be, each a sentence with what to do; mostly none."""
        told = []
        if not self.is_whole:
            told.append("the file is cut short, and its last part is missing; copy the photo again")
        if self.pages > 1:
            told.append(
                f"only the first of {self.pages} pages is read; "
                "save the others as files of their own"
            )
        return tuple(told)


def picture_format(head: bytes) -> str | None:
    """Return the format that the first 32 bytes of a file announce, None if no picture's."""
    fitting = (kind for kind, form in _SIGNATURES.items() if re.match(form, head, re.DOTALL))
    return next(fitting, None)


def decode_picture(data: bytes, check_size: Callable[[int, int], None]) -> Photo:
    """Return the upright pixels of a picture file.

    Args:
        data: a whole file that `picture_format` knows.
        check_size: called with width and height, as stored, before anything is decoded; what it
            raises goes through.

    Raises:
        DecodingError: if the data is damaged, or needs a codec that is missing.
    """
    kind = picture_format(data[:32])
    if kind is None:
        raise DecodingError("its format is unknown")
    if kind == "WEBP":
        size = _webp_size(data)
        if size is not None:  # otherwise the decoder says what is wrong
            check_size(*size)
    is_whole = kind != "JPEG" or _has_end(data)
    with _quiet(), contextlib.ExitStack() as opening:
        with _telling_damage(f"{kind} header", is_whole):
            opened = opening.enter_context(_open(data, kind))
        check_size(*opened.size)
        if kind == "TIFF":
            check_size(*_largest_of_tiff(opened))
        with _telling_damage(f"{kind} data", is_whole):
            if kind == "JPEG" and opened.mode in ("L", "RGB"):
                pixels = _decode_jpeg(data if is_whole else data + _JPEG_END)
            else:
                opened.load()
                pixels = _pixels(opened)
            orientation = _orientation(opened)
        pages = _count_pages(data) if kind == "TIFF" else 1
    if not is_whole and _measure_missing(pixels) > _MOST_MISSING:
        raise DecodingError("it is cut short")
    if 5 <= orientation <= 8:
        pixels = np.asarray(cv2.transpose(pixels), np.uint8)
    if orientation in _FLIPS:
        pixels = np.asarray(cv2.flip(pixels, _FLIPS[orientation]), np.uint8)
    return Photo(np.ascontiguousarray(pixels), is_whole, pages)


@contextlib.contextmanager
def _telling_damage(part: str, is_whole: bool) -> Iterator[None]:
    """Name what is damaged; the decoder's own words are the error's cause."""
    try:
        yield
    except _DAMAGE as error:
        raise DecodingError(f"damaged {part}" if is_whole else "it is cut short") from error


def _has_end(data: bytes) -> bool:
    """Tell whether a JPEG has its end, and refuse one of too many scans.

    Both are looked for from behind its headers on, where thumbnails have their own, and nothing
    behind its end, where phones append films.
    """
    place = 2
    while (marker := _MARKER.match(data, place)) and not marker[0].endswith(_SCAN):
        place = marker.end() + int.from_bytes(data[marker.end() : marker.end() + 2])
    end = data.find(_JPEG_END, place)
    if data.count(_SCAN, place, end if end >= 0 else None) > _MOST_SCANS:
        raise DecodingError(f"it has more than {_MOST_SCANS} scans")
    return end >= 0


def _measure_missing(pixels: Image8) -> float:
    """Return which share of the rows of a JPEG is filling, counted from the last one."""
    n = 0
    while n < len(pixels) and (pixels[-1 - n] == _FILLING).all():
        n += 1
    return n / len(pixels)


def _open(data: bytes, kind: str) -> Image.Image:
    """Read a picture's header; its pixels wait."""
    if kind == "HEIF":
        try:
            import pillow_heif
        except ImportError as error:
            raise DecodingError("HEIC needs the package pillow-heif") from error
        pillow_heif.register_heif_opener()
    elif kind == "AVIF":
        Image.init()
        if kind not in Image.OPEN:
            raise DecodingError("AVIF needs Pillow 11.3 or newer")
    return Image.open(io.BytesIO(data), formats=(kind,))


def _webp_size(data: bytes) -> tuple[int, int] | None:
    """Return what a WebP's header says (RFC 9649): Pillow takes memory for it as it opens a file.

    None where the header is none.
    """
    kind, head = data[12:16], data[20:30]
    if len(head) < 10:
        return None
    if kind == b"VP8X":
        return 1 + int.from_bytes(head[4:7], "little"), 1 + int.from_bytes(head[7:10], "little")
    if kind == b"VP8L":
        bits = int.from_bytes(head[1:5], "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if kind == b"VP8 ":
        width, height = struct.unpack("<HH", head[6:10])
        return width & 0x3FFF, height & 0x3FFF
    return None


def _largest_of_tiff(image: Image.Image) -> tuple[int, int]:
    """Return the width and height that decoding takes memory for: a tile may exceed the picture."""
    tags = getattr(image, "tag_v2", {})
    tile = [tags.get(tag) for tag in (_TILE_WIDTH, _TILE_LENGTH)]
    width, height = (
        max(side, of_tile) if isinstance(of_tile, int) else side
        for side, of_tile in zip(image.size, tile, strict=True)
    )
    return width, height


def _count_pages(data: bytes) -> int:
    """Return how many pages of a TIFF follow each other until one is damaged."""
    pages = 1
    with contextlib.suppress(*_DAMAGE), Image.open(io.BytesIO(data), formats=("TIFF",)) as tiff:
        while pages < _MOST_PAGES:
            tiff.seek(pages)
            pages += 1
    return pages


def _decode_jpeg(data: bytes) -> Image8:
    flags = cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION
    try:
        pixels = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    except cv2.error as error:
        raise OSError(error.err) from error
    # The stub promises an array, but the bindings return None for what cannot be decoded.
    if not isinstance(pixels, np.ndarray):
        raise OSError("no pixels")
    return np.asarray(pixels, np.uint8)


def _pixels(image: Image.Image) -> Image8:
    """Bring the pixels of any mode to BGR."""
    if image.mode[0] in "IF":
        return np.asarray(cv2.cvtColor(_eight_bits(image), cv2.COLOR_GRAY2BGR), np.uint8)
    width, height = image.size
    pixels = np.empty((height, width, 3), np.uint8)
    # By strips: each conversion of the whole picture would hold four more bytes a pixel.
    for top in range(0, height, _STRIP_ROWS):
        strip = image.crop((0, top, width, min(top + _STRIP_ROWS, height)))
        rgb = np.asarray(_opaque(strip))
        pixels[top : top + strip.height] = cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR)
    return pixels


def _opaque(image: Image.Image) -> Image.Image:
    """Return the picture as RGB, over white where it is transparent."""
    if not image.has_transparency_data:
        return image.convert("RGB")
    layer = image.convert("RGBA")
    paper = Image.new("RGB", layer.size, "white")
    paper.paste(layer, mask=layer.getchannel("A"))
    return paper


def _eight_bits(image: Image.Image) -> Image8:
    """Bring 16- or 32-bit grey, or floats, to 0..255.

    White is the full range where the mode names it; otherwise it is the first of 1 (floats),
    255 and 65535 that no value exceeds, or the brightest value.
    """
    values = np.nan_to_num(np.asarray(image, np.float32), posinf=0.0)
    if image.mode.startswith("I;16"):
        white = 65535.0
    else:
        brightest = float(values.max())
        usual = (1.0, 255.0, 65535.0) if image.mode == "F" else (255.0, 65535.0)
        white = next((level for level in usual if brightest <= level), brightest)
    scaled: Image8 = np.clip(values * (255 / white) + 0.5, 0, 255).astype(np.uint8)
    return scaled


def _orientation(image: Image.Image) -> int:
    """Return the EXIF orientation that is still to be applied, 1 where metadata are broken."""
    with contextlib.suppress(*_DAMAGE):
        return int(image.getexif().get(_ORIENTATION, 1))
    return 1


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep decoders from writing to the terminal, and Pillow from its own limit on pixels."""
    with _DECODING, warnings.catch_warnings(), _stderr_to_log():
        warnings.simplefilter("ignore")
        limit = Image.MAX_IMAGE_PIXELS
        Image.MAX_IMAGE_PIXELS = None
        try:
            yield
        finally:
            Image.MAX_IMAGE_PIXELS = limit


@contextlib.contextmanager
def _stderr_to_log() -> Iterator[None]:
    """Log what libjpeg and libtiff write to file descriptor 2 meanwhile."""
    with contextlib.ExitStack() as ending:
        # No stderr, as in a windowed program, or no place for the file: go on without.
        with contextlib.suppress(OSError):
            kept = ending.enter_context(tempfile.TemporaryFile())
            terminal = os.dup(2)
            ending.callback(_end_capture, kept, terminal)
            os.dup2(kept.fileno(), 2)
        yield


def _end_capture(kept: IO[bytes], terminal: int) -> None:
    os.dup2(terminal, 2)
    os.close(terminal)
    kept.seek(0)
    for line in kept:
        if _LIBRARY_CHATTER.search(line):
            logger.info("decoder says: %s", line.decode(errors="replace").strip())
        else:  # of another thread
            os.write(2, line)
