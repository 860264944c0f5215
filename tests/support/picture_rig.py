"""Small pictures of every format, and hostile ones that would take minutes to decode."""

import io
import struct
import zlib
from collections.abc import Sequence

import numpy as np
from PIL import Image


def encode(image: Image.Image, kind: str, **options: object) -> bytes:
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def photo(width: int = 400, height: int = 300) -> Image.Image:
    """Return a picture with something in every block."""
    y, x = np.mgrid[0:height, 0:width]
    grain = np.random.default_rng(7).normal(0, 12, (height, width, 3))
    waves = np.stack([120 + 80 * np.sin(x / 31), 120 + 80 * np.cos(y / 23), x + y], axis=-1)
    return Image.fromarray(np.clip(waves + grain, 0, 255).astype(np.uint8))


def cut(data: bytes, share: float) -> bytes:
    return data[: round(len(data) * share)]


def with_jpeg_size(data: bytes, width: int, height: int) -> bytes:
    """Return a JPEG whose header claims another size."""
    start = next(data.index(mark) for mark in (b"\xff\xc0", b"\xff\xc2") if mark in data) + 5
    return data[:start] + struct.pack(">HH", height, width) + data[start + 4 :]


def jpeg_of_scans(n: int, width: int = 400, height: int = 300) -> bytes:
    """Return a progressive JPEG whose last scan stands there again and again."""
    data = encode(photo(width, height), "JPEG", progressive=True, subsampling=0)
    last = data.rindex(b"\xff\xda")
    return data[:-2] + data[last : last + 30] * n + data[-2:]


def jpeg_with(inserted: bytes) -> bytes:
    """Return a JPEG with something right after its start."""
    data = encode(photo(), "JPEG")
    return data[:2] + inserted + data[2:]


def png_chunk(name: bytes, body: bytes = b"") -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def png_with(inserted: bytes, *, is_behind: bool = False) -> bytes:
    """Return a PNG with chunks before or behind its pixels."""
    data = encode(photo(), "PNG")
    place = len(data) - 12 if is_behind else 33
    return data[:place] + inserted + data[place:]


def png_header(width: int, height: int, depth: int, colour: int) -> bytes:
    """Return a PNG whose header promises so much, and which has hardly any pixels."""
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    chunks = png_chunk(b"IHDR", header) + png_chunk(b"IDAT", zlib.compress(bytes(1000)))
    return b"\x89PNG\r\n\x1a\n" + chunks + png_chunk(b"IEND")


def gif_with(inserted: bytes) -> bytes:
    """Return a GIF with something before its picture."""
    data = encode(photo().quantize(16), "GIF")
    start = 13 + (3 << (data[10] & 7) + 1)
    return data[:start] + inserted + data[start:]


def packed_bmp(body: bytes, width: int = 100, height: int = 100) -> bytes:
    """Return a BMP of run lengths."""
    start = 14 + 40 + 1024
    sizes = struct.pack("<IiiHHIIiiII", 40, width, height, 1, 8, 1, len(body), 0, 0, 0, 0)
    head = b"BM" + struct.pack("<IHHI", start + len(body), 0, 0, start)
    return head + sizes + bytes(range(256)) * 4 + body


def tiff_of_strips(
    n: int, strip: bytes, *, size: tuple[int, int] = (100, 100), compression: int = 1, rows: int = 1
) -> bytes:
    """Return a grey TIFF of so many strips that are all the same bytes of the file."""
    tags = {256: size[0], 257: size[1], 258: 8, 259: compression, 262: 1, 277: 1, 278: rows}
    values = sorted([*tags, 273, 279])
    start = 8 + 2 + 12 * len(values) + 4
    arrays = {273: struct.pack("<I", start + 8 * n) * n, 279: struct.pack("<I", len(strip)) * n}
    entries = b""
    for tag in values:
        value = tags.get(tag, start if tag == 273 else start + 4 * n)
        entries += struct.pack("<HHII", tag, 4, 1 if tag in tags else n, value)
    head = b"II*\0" + struct.pack("<IH", 8, len(values)) + entries + bytes(4)
    return head + arrays[273] + arrays[279] + strip


def _box(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I4s", 8 + len(body), name) + body


def _full(name: bytes, body: bytes, version: int = 0) -> bytes:
    return _box(name, bytes([version, 0, 0, 0]) + body)


def heic_grid(
    coded: bytes, side: int, columns: int, rows: int, tiles: Sequence[int], *, n_items: int
) -> bytes:
    """Return a HEIC whose picture is a grid of tiles.

    Args:
        coded: a HEIC of one picture of `side` pixels, whose bytes each item gets for its own.
        side: of a tile.
        columns: of the grid.
        rows: of the grid.
        tiles: which item, 0 to n_items - 1, stands in each place.
        n_items: how many there are.
    """
    hevc, pixels = (_find(coded, name) for name in (b"hvcC", b"mdat"))
    items = range(2, 2 + n_items)
    infos = _full(b"infe", struct.pack(">HH", 1, 0) + b"grid\0", 2)
    infos += b"".join(_full(b"infe", struct.pack(">HH", one, 0) + b"hvc1\0", 2) for one in items)
    size = columns * side, rows * side
    properties = _box(b"hvcC", hevc) + _full(b"ispe", struct.pack(">II", side, side))
    properties += _full(b"ispe", struct.pack(">II", *size))
    owned = struct.pack(">IHBB", 1 + n_items, 1, 1, 3)
    owned += b"".join(struct.pack(">HBBB", one, 2, 0x81, 2) for one in items)
    refs = b"".join(struct.pack(">H", 2 + one) for one in tiles)
    dimg = _box(b"dimg", struct.pack(">HH", 1, len(tiles)) + refs)
    grid = bytes([0, 0, rows - 1, columns - 1]) + struct.pack(">HH", *size)
    kind = _box(b"ftyp", b"heic\0\0\0\0mif1heic")

    def meta(start: int) -> bytes:
        places = struct.pack(">HHHHII", 1, 1, 0, 1, 0, len(grid))
        for index, one in enumerate(items):
            place = start + index * len(pixels)
            places += struct.pack(">HHHHII", one, 0, 0, 1, place, len(pixels))
        inner = _full(b"hdlr", b"\0\0\0\0pict" + bytes(13)) + _full(b"pitm", b"\0\1")
        inner += _full(b"iloc", b"\x44\0" + struct.pack(">H", 1 + n_items) + places, 1)
        inner += _full(b"iinf", struct.pack(">H", 1 + n_items) + infos) + _full(b"iref", dimg)
        inner += _box(b"iprp", _box(b"ipco", properties) + _full(b"ipma", owned))
        return _full(b"meta", inner + _box(b"idat", grid))

    start = len(kind) + len(meta(0)) + 8
    return kind + meta(start) + _box(b"mdat", pixels * n_items)


def _find(data: bytes, name: bytes) -> bytes:
    """Return the content of the first box of that name."""
    start = data.index(name)
    return data[start + 4 : start - 4 + int.from_bytes(data[start - 4 : start])]
