"""Files that would take minutes to decode are refused by their headers; ordinary ones are not."""

import struct
import time
import zlib
from collections.abc import Callable

import pytest
from picture_rig import (
    encode,
    gif_with,
    heic_grid,
    jpeg_of_scans,
    jpeg_with,
    packed_bmp,
    photo,
    png_chunk,
    png_header,
    png_with,
    tiff_of_strips,
    with_jpeg_size,
)
from PIL import Image

from vision.media.decoding_cost import CostlyError, check_cost, read_structure
from vision.media.images import ImageError, ImageFault, load_image


def _coded_tile(side: int) -> bytes:
    heif = pytest.importorskip("pillow_heif")
    heif.register_heif_opener()
    return encode(photo(side, side), "HEIF", quality=50)


def _packed_megabyte() -> bytes:
    return b"a\0\0" + zlib.compress(bytes(1_000_000), 9)


def _tiff_of_progressive_strips() -> bytes:
    strip = encode(photo(400, 48).convert("L"), "JPEG", progressive=True)
    last = strip.rindex(b"\xff\xda")
    strip = strip[:-2] + strip[last:-2] * 60 + strip[-2:]
    return tiff_of_strips(2, strip, size=(400, 96), compression=7, rows=48)


_COSTLY: dict[str, tuple[Callable[[], bytes], str]] = {
    "jpeg of 1,000 scans": (lambda: jpeg_of_scans(1_000), "more than 100 scans"),
    "jpeg of 20,000 scans": (lambda: jpeg_of_scans(20_000), "more than 100 scans"),
    "jpeg of scans that are long": (
        lambda: with_jpeg_size(jpeg_of_scans(80), 9_900, 9_900),
        "98 megapixels in .* take too long to decode",
    ),
    "jpeg of comments": (
        lambda: jpeg_with(b"\xff\xfe\0\2" * 1_000_000),
        "more than 5,000 segments",
    ),
    "jpeg of filling": (lambda: jpeg_with(b"\xff" * 10_000_000), "bytes between its segments"),
    "jpeg of nothing": (lambda: jpeg_with(b"\xff\xfe\0\2" + bytes(9_000_000)), "between its segm"),
    "jpeg of tables": (
        lambda: jpeg_with((b"\xff\xdb\xff\xde" + (b"\0" + b"\1" * 64) * 1_008) * 300),
        "bytes of tables",
    ),
    "png of texts": (lambda: png_with(png_chunk(b"tEXt", b"a\0") * 300_000), "beside its pixels"),
    "png of unknown chunks": (
        lambda: png_with(png_chunk(b"abCd") * 300_000, is_behind=True),
        "beside its pixels",
    ),
    "png of empty pixels": (lambda: png_with(png_chunk(b"IDAT") * 900_000), "200,000 chunks"),
    "png of packed profiles": (
        lambda: png_with(png_chunk(b"iCCP", _packed_megabyte()) * 900),
        "100 chunks of packed",
    ),
    "png of 98 megapixels in 16 bits": (
        lambda: png_header(9_900, 9_900, 16, 6),
        "98 megapixels in 0.* MB of PNG take too long",
    ),
    "gif of one-byte comments": (
        lambda: gif_with(b"!\xfe" + b"\1x" * 9_000_000 + b"\0"),
        "100,000 blocks before its picture",
    ),
    "gif of empty comments": (lambda: gif_with(b"!\xfe\0" * 3_000_000), "blocks before its pict"),
    "gif of zeros": (lambda: gif_with(bytes(9_000_000)), "100,000 blocks before its picture"),
    "bmp of empty runs": (
        lambda: packed_bmp(b"\1\1" * 9_000_000),
        "megapixels in .* take too long",
    ),
    "tiff of a million strips": (lambda: tiff_of_strips(1_000_000, bytes(100)), "100,000 strips"),
    "tiff of strips that overlap": (
        lambda: tiff_of_strips(60_000, bytes(900_000), size=(100, 60_000), compression=5),
        "its strips or tiles overlap",
    ),
    "tiff of progressive strips": (_tiff_of_progressive_strips, "4 scans in one of its strips"),
    "heic of one tile again and again": (
        lambda: heic_grid(_coded_tile(512), 512, 16, 12, [0] * 192, n_items=1),
        "its tiles overlap",
    ),
}


@pytest.fixture(scope="module")
def ordinary_seconds() -> float:
    """Processor time that an ordinary photo takes."""
    data = encode(photo(1000, 750).resize((4000, 3000)), "JPEG")
    start = time.process_time()
    load_image(data)
    return time.process_time() - start


@pytest.mark.parametrize("name", _COSTLY)
def test_a_costly_file_is_refused_at_once_with_the_reason_and_what_to_do(
    name: str, ordinary_seconds: float
) -> None:
    make, reason = _COSTLY[name]
    data = make()

    start = time.process_time()
    with pytest.raises(ImageError, match=f"{reason}.*; (copy or export it again|make it smaller)"):
        load_image(data)

    assert time.process_time() - start < 20 * ordinary_seconds


def test_a_webp_of_100_megapixels_is_too_large() -> None:
    with pytest.raises(CostlyError, match=r"100 megapixels in 3\.0 MB of WEBP"):
        check_cost("WEBP", "RGB", (10_000, 10_000), 3_000_000, read_structure("WEBP", b""))


def test_too_many_pixels_to_decode_are_called_that() -> None:
    with pytest.raises(ImageError) as refused:
        load_image(png_header(9_900, 9_900, 16, 6))

    assert refused.value.fault is ImageFault.TOO_LARGE
    assert "make it smaller or save it as JPEG" in str(refused.value)


def _is_let_through(
    kind: str, size: tuple[int, int], n_bytes: int, data: bytes = b"", mode: str = "RGB"
) -> bool:
    try:
        check_cost(kind, mode, size, n_bytes, read_structure(kind, data))
    except CostlyError:
        return False
    return True


@pytest.mark.parametrize(("width", "height"), [(4000, 3000), (8160, 6144)])
@pytest.mark.parametrize("subsampling", [0, 2])
def test_progressive_jpegs_of_cameras_are_let_through(
    width: int, height: int, subsampling: int
) -> None:
    data = encode(photo(), "JPEG", progressive=True, subsampling=subsampling)
    data = with_jpeg_size(data, width, height)

    assert _is_let_through("JPEG", (width, height), width * height // 4, data)


@pytest.mark.parametrize(
    ("kind", "megabytes"), [("PNG", 70), ("WEBP", 4), ("HEIF", 8), ("AVIF", 8), ("TIFF", 150)]
)
def test_photos_of_48_megapixels_are_let_through(kind: str, megabytes: int) -> None:
    header = png_header(8064, 6048, 8, 2) if kind == "PNG" else b""
    structure = read_structure("PNG" if header else "WEBP", header)

    check_cost(kind, "RGB", (8064, 6048), megabytes * 1_000_000, structure)


@pytest.mark.parametrize(("columns", "rows"), [(8, 6), (16, 12)])
def test_a_heic_of_many_tiles_as_phones_write_it_is_read(columns: int, rows: int) -> None:
    tiles = range(columns * rows)
    data = heic_grid(_coded_tile(128), 128, columns, rows, tiles, n_items=columns * rows)

    assert load_image(data).shape == (128 * rows, 128 * columns, 3)


@pytest.mark.parametrize("kind", ["GIF", "PNG", "WEBP"])
def test_animated_stickers_are_read(kind: str) -> None:
    frames = [photo(120, 120).rotate(degrees) for degrees in range(0, 360, 6)]

    data = encode(frames[0], kind, save_all=True, append_images=frames[1:], duration=40)

    assert load_image(data).shape == (120, 120, 3)


def test_a_photo_with_depth_and_gain_maps_in_hundreds_of_segments_is_read() -> None:
    segment = b"\xff\xe1" + struct.pack(">H", 60_000) + b"http://ns.adobe.com/xmp/extension/\0"

    data = jpeg_with(segment.ljust(60_002, b"x") * 150)

    assert load_image(data).shape == (300, 400, 3)


def test_a_tiff_of_one_row_a_strip_is_read() -> None:
    image = Image.new("L", (100, 5_000), 90)

    assert load_image(encode(image, "TIFF", tiffinfo={278: 1})).shape == (5_000, 100, 3)
