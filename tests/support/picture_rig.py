"""Small pictures of every format, and hostile ones."""

import io
import struct
import zlib

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


def png_header(width: int, height: int, depth: int, colour: int) -> bytes:
    """Return a PNG whose header promises so much, and which has hardly any pixels."""
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    chunks = png_chunk(b"IHDR", header) + png_chunk(b"IDAT", zlib.compress(bytes(1000)))
    return b"\x89PNG\r\n\x1a\n" + chunks + png_chunk(b"IEND")
