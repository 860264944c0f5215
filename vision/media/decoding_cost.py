"""What a picture file costs to decode, told from its headers before anything is decoded.

A few bytes can ask for minutes of work, as a JPEG of a thousand scans does, or a grid whose tiles
are all the same huge one. What is let through takes about two seconds of a processor at most. The
figures were measured with Pillow 13.0, OpenCV 5.0 and pillow-heif 1.8 on one of two busy cores of a
server; an idle core is faster.
"""

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from vision.media.tiff_heif_headers import read_items, read_page

FREE_BYTES: Final = 25_000_000
"""Longer files may take longer in proportion."""

_MOST_SECONDS: Final = 2.0


class CostlyError(Exception):
    """A picture would take too long to decode."""


@dataclass(frozen=True)
class CostLimits:
    """Counts that no ordinary file comes near; files beyond are refused.

    Attributes:
        scans: of a JPEG; cameras and editors write 1 to 12, optimizers some more.
        jpeg_segments: before and between the scans; a photo with depth and gain maps has hundreds.
        junk_bytes: between a JPEG's segments, where none belong.
        table_bytes: in a JPEG's segments that are not metadata: 0.5 kB are usual.
        chunks: of a PNG in all; libpng writes one for every 8 kB.
        side_chunks: of a PNG beside its pixels and frames.
        packed_chunks: of these those that are unpacked: up to 1 MB each, which takes 2 ms.
        gif_blocks: before a GIF's first picture: 25 MB in full ones.
        strips: or tiles, of a TIFF: 5 µs each.
        strip_scans: of JPEG data in a TIFF: one, or one for each channel.
        overlap: bytes that all strips, tiles or items have, for each byte of the file.
    """

    scans: int = 100
    jpeg_segments: int = 5_000
    junk_bytes: int = 100_000
    table_bytes: int = 1_000_000
    chunks: int = 200_000
    side_chunks: int = 1_000
    packed_chunks: int = 100
    gif_blocks: int = 100_000
    strips: int = 100_000
    strip_scans: int = 4
    overlap: float = 2.0


LIMITS: Final = CostLimits()

_USUAL_NS: Final = {
    "JPEG": (10.0, 8.0),
    "PNG": (6.0, 12.0),
    "WEBP": (35.0, 50.0),
    "GIF": (10.0, 5.0),
    "TIFF": (18.0, 5.0),
    "BMP": (7.0, 1.0),
    "HEIF": (22.0, 100.0),
    "AVIF": (24.0, 100.0),
}
"""For each pixel and each byte. They fit flat, grainy and noisy pictures of 12 to 98 megapixels,
within a third."""

_PNG_CHANNEL_NS: Final = 5.0
_MODE_NS: Final = {"RGBA": 8.0, "LA": 8.0, "PA": 8.0, "CMYK": 6.0, "I": 20.0, "F": 20.0}
"""To bring the pixels of a Pillow mode to BGR, beyond what three channels take."""

_BLOCK_NS: Final = 50.0
"""For each of a progressive JPEG's blocks of 8×8 values, in each scan that has it."""

_PROGRESSIVE_BYTE_NS: Final = 27.0
_STRIP_NS: Final = 5_000.0
_RLE_PIXEL_NS: Final = 180.0
_RLE_BYTE_NS: Final = 350.0

# Entropy-coded data ends at a marker that is neither a stuffed zero nor a restart.
_AFTER_SCAN: Final = re.compile(rb"\xff[\x01-\xcf\xd8-\xfe]")
_MARKER: Final = re.compile(rb"\xff+([^\xff\x00])", re.DOTALL)
_FRAMES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_PROGRESSIVE: Final = frozenset({0xC2, 0xC6, 0xCA, 0xCE})
_PACKED_CHUNKS: Final = frozenset({b"iCCP", b"zTXt", b"iTXt"})
_PIXEL_CHUNKS: Final = frozenset({b"IDAT", b"fdAT", b"fcTL"})
_CHANNELS: Final = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
_JPEG_COMPRESSIONS: Final = (6, 7)


@dataclass(frozen=True)
class Structure:
    """What a file's headers say.

    Attributes:
        is_whole: whether a JPEG's end is there; True for other formats, whose decoders tell.
        pages: of a TIFF; 1 for other formats.
        nanoseconds: what decoding takes beside what pixels and bytes usually do.
        pixel_ns: for each pixel, beside what its format usually takes.
        coded_pixels: that are decoded, where these may be more than the picture has.
    """

    is_whole: bool = True
    pages: int = 1
    nanoseconds: float = 0.0
    pixel_ns: float = 0.0
    coded_pixels: int = 0


def read_structure(kind: str, data: bytes) -> Structure:
    """Read the headers of a picture file.

    Args:
        kind: as `vision.media.decoding.picture_format` names it.
        data: the whole file.

    Raises:
        CostlyError: if there is more in it than any ordinary file has.
        ValueError: if they are damaged.
    """
    if kind == "JPEG":
        return _read_jpeg(data)
    if kind == "PNG":
        return _read_png(data)
    if kind == "GIF":
        return _read_gif(data)
    if kind == "BMP":
        return _read_bmp(data)
    if kind == "TIFF":
        return _read_tiff(data)
    if kind in ("HEIF", "AVIF"):
        return _read_heif(data)
    return Structure()


def check_cost(
    kind: str, mode: str, size: tuple[int, int], n_bytes: int, structure: Structure
) -> None:
    """Make sure that a picture is decoded in a bounded time.

    Args:
        kind: as `vision.media.decoding.picture_format` names it.
        mode: Pillow's.
        size: width and height in pixels.
        n_bytes: of the file.
        structure: what its headers say.

    Raises:
        CostlyError: if not.
    """
    pixels = max(size[0] * size[1], structure.coded_pixels)
    pixel_ns, byte_ns = _USUAL_NS[kind]
    pixel_ns += _MODE_NS.get(mode.partition(";")[0], 0.0) + structure.pixel_ns
    seconds = (pixels * pixel_ns + n_bytes * byte_ns + structure.nanoseconds) / 1e9
    if seconds > _MOST_SECONDS * max(1.0, n_bytes / FREE_BYTES):
        amount = f"{pixels / 1e6:.0f} megapixels in {n_bytes / 1e6:.1f} MB of {kind}"
        raise CostlyError(f"{amount} take too long to decode")


def _refuse_more(n: int, most: int, things: str) -> None:
    if n > most:
        raise CostlyError(f"it has more than {most:,} {things}")


def _read_jpeg(data: bytes) -> Structure:
    """Follow the markers one by one: thumbnails have scans and ends of their own, and phones append
    further pictures and films after the end.
    """
    position, segments, junk, table_bytes, scans = 2, 0, 0, 0, 0
    frame: _Frame | None = None
    nanoseconds = 0.0
    is_whole = False
    while marker := _MARKER.search(data, position):
        kind = marker[1][0]
        junk += marker.end() - 2 - position
        _refuse_more(junk, LIMITS.junk_bytes, "bytes between its segments")
        position = marker.end()
        if kind == 0xD9:
            is_whole = True
            break
        if kind == 0x01 or 0xD0 <= kind <= 0xD8:
            continue
        length = int.from_bytes(data[position : position + 2])
        body = data[position + 2 : position + length]
        position += max(2, length)
        segments += 1
        _refuse_more(segments, LIMITS.jpeg_segments, "segments")
        if not (0xE0 <= kind <= 0xEF or kind == 0xFE):
            table_bytes += length
            _refuse_more(table_bytes, LIMITS.table_bytes, "bytes of tables")
        if kind in _FRAMES:
            frame = _Frame.read(body) or frame
            if kind in _PROGRESSIVE:
                nanoseconds += len(data) * _PROGRESSIVE_BYTE_NS
        elif kind == 0xDA:
            scans += 1
            _refuse_more(scans, LIMITS.scans, "scans")
            if frame is not None:
                nanoseconds += _BLOCK_NS * frame.count_blocks(body)
            end = _AFTER_SCAN.search(data, position)
            if end is None:
                break
            position = end.start()
    # One scan of all channels is what the usual cost of a pixel holds.
    return Structure(is_whole, nanoseconds=nanoseconds if scans > 1 else 0.0)


@dataclass(frozen=True)
class _Frame:
    """A JPEG's frame header: its size, and the sampling (h, v) of each channel."""

    width: int
    height: int
    sampling: dict[int, tuple[int, int]]

    @classmethod
    def read(cls, body: bytes) -> "_Frame | None":
        if len(body) < 6:
            return None
        height, width, n = struct.unpack(">HHB", body[1:6])
        channels = [body[start : start + 3] for start in range(6, 6 + 3 * n, 3)]
        sampling = {
            one[0]: (max(1, one[1] >> 4), max(1, one[1] & 15)) for one in channels if len(one) == 3
        }
        return cls(width, height, sampling)

    def count_blocks(self, scan: bytes) -> int:
        """Return how many blocks the scan with this header goes over."""
        named = scan[1 : 1 + 2 * scan[0] : 2] if scan else b""
        widest = max((h for h, _ in self.sampling.values()), default=1)
        tallest = max((v for _, v in self.sampling.values()), default=1)
        across, down = -(-self.width // (8 * widest)), -(-self.height // (8 * tallest))
        sampled = [self.sampling[channel] for channel in named if channel in self.sampling]
        return sum(across * h * down * v for h, v in sampled)


def _png_chunks(data: bytes) -> Iterator[bytes]:
    position = 8
    while position + 8 <= len(data):
        name = data[position + 4 : position + 8]
        yield name
        if name == b"IEND":
            return
        position += 12 + int.from_bytes(data[position : position + 4])


def _read_png(data: bytes) -> Structure:
    side_chunks = packed_chunks = 0
    for n_chunks, name in enumerate(_png_chunks(data), start=1):
        side_chunks += name not in _PIXEL_CHUNKS
        packed_chunks += name in _PACKED_CHUNKS
        _refuse_more(n_chunks, LIMITS.chunks, "chunks")
        _refuse_more(side_chunks, LIMITS.side_chunks, "chunks beside its pixels")
        _refuse_more(packed_chunks, LIMITS.packed_chunks, "chunks of packed text and profiles")
    depth, colour = data[24:26] if len(data) > 25 else (8, 2)
    bytes_a_pixel = _CHANNELS.get(colour, 3) * depth / 8
    return Structure(
        pixel_ns=_PNG_CHANNEL_NS * (bytes_a_pixel if depth < 16 else bytes_a_pixel / 1.5)
    )


def _read_gif(data: bytes) -> Structure:
    """Go over what stands before the first picture; what comes after it is never read."""
    if len(data) < 13:
        return Structure()
    position = 13 + (3 << (data[10] & 7) + 1 if data[10] & 0x80 else 0)
    blocks = 0
    while position < len(data) and data[position] not in b",;":
        is_extension = data[position] == 0x21
        blocks += 1
        position += 2 if is_extension else 1
        while is_extension and position < len(data):
            length = data[position]
            position += 1 + length
            blocks += 1
            _refuse_more(blocks, LIMITS.gif_blocks, "blocks before its picture")
            if not length:
                break
        _refuse_more(blocks, LIMITS.gif_blocks, "blocks before its picture")
    return Structure()


def _read_bmp(data: bytes) -> Structure:
    is_packed = len(data) >= 34 and int.from_bytes(data[30:34], "little") in (1, 2)
    if not is_packed:
        return Structure()
    return Structure(nanoseconds=_RLE_BYTE_NS * len(data), pixel_ns=_RLE_PIXEL_NS)


def _read_tiff(data: bytes) -> Structure:
    page = read_page(data)
    _refuse_more(page.n_strips, LIMITS.strips, "strips or tiles")
    offsets, counts = page.strips(data)
    if sum(counts) > LIMITS.overlap * len(data):
        raise CostlyError("its strips or tiles overlap")
    if page.compression in _JPEG_COMPRESSIONS:
        for offset, count in set(zip(offsets, counts, strict=False)):
            # The two bytes that begin a scan are not part of one.
            n_scans = data[offset : offset + count].count(b"\xff\xda")
            _refuse_more(n_scans, LIMITS.strip_scans, "scans in one of its strips or tiles")
    return Structure(pages=page.n_pages, nanoseconds=_STRIP_NS * page.n_strips)


def _read_heif(data: bytes) -> Structure:
    coded = read_items(data)
    if coded.repeats or coded.n_bytes > LIMITS.overlap * len(data):
        raise CostlyError("its tiles overlap")
    return Structure(coded_pixels=coded.pixels)
