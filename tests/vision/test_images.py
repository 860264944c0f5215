"""Pictures in and out: every kind that people have, and everything that can be wrong with one."""

import contextlib
import io
import logging
import os
import struct
import warnings
import zlib
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from arrays import Image8
from command_rig import run_python
from picture_rig import encode, jpeg_of_scans, jpeg_with, photo, png_header
from PIL import Image, ImageOps

from vision.media.images import MIN_SIDE_PX, ImageError, load_image, load_photo, save_image

_WIDTH, _HEIGHT = 120, 90
_IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0


def _scene(width: int = _WIDTH, height: int = _HEIGHT) -> Image.Image:
    """Draw a smooth picture without any symmetry, so that every turn of it differs."""
    y, x = np.mgrid[0:height, 0:width]
    red, green, blue = x * 255 / width, y * 255 / height, (x + 2 * y) * 255 / (width + 2 * height)
    return Image.fromarray(np.stack([red, green, blue], axis=-1).astype(np.uint8))


def _bgr(image: Image.Image) -> Image8:
    return np.asarray(image.convert("RGB"))[:, :, ::-1]


def _grey_scene() -> Image8:
    return np.asarray(_scene().convert("L"))


@pytest.mark.parametrize("kind", ["PNG", "BMP", "TIFF"])
def test_lossless_formats_come_back_exactly(kind: str) -> None:
    loaded = load_image(encode(_scene(), kind))

    np.testing.assert_array_equal(loaded, _bgr(_scene()))
    assert loaded.dtype == np.uint8
    assert loaded.flags.c_contiguous


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("JPEG", {"quality": 95}),
        ("JPEG", {"quality": 95, "progressive": True}),
        ("WEBP", {"quality": 95}),
        ("TIFF", {"compression": "tiff_lzw"}),
        ("TIFF", {"compression": "jpeg", "quality": 95}),
    ],
)
def test_other_formats_come_back_nearly_exactly(kind: str, options: dict[str, object]) -> None:
    loaded = load_image(encode(_scene(), kind, **options))

    assert np.abs(loaded.astype(int) - _bgr(_scene())).mean() < 3


def test_the_first_frame_of_a_gif_is_taken() -> None:
    first, second = Image.new("RGB", (80, 70), (200, 30, 40)), Image.new("RGB", (80, 70), "white")

    loaded = load_image(encode(first, "GIF", save_all=True, append_images=[second]))

    assert (loaded == (40, 30, 200)).all()


@pytest.mark.parametrize("kind", ["JPEG", "TIFF", "PNG", "WEBP", "HEIF"])
@pytest.mark.parametrize("orientation", range(1, 10), ids=lambda one: f"orientation {one}")
def test_every_exif_orientation_is_applied_once(kind: str, orientation: int) -> None:
    if kind == "HEIF":
        pytest.importorskip("pillow_heif").register_heif_opener()
    exif = Image.Exif()
    exif[0x0112] = orientation
    data = encode(_scene(), kind, exif=exif.tobytes())

    loaded = load_image(data)

    expected = _bgr(ImageOps.exif_transpose(Image.open(io.BytesIO(data))))
    assert loaded.shape == expected.shape
    assert np.abs(loaded.astype(int) - expected).max() <= 3


def test_a_broken_exif_block_does_not_lose_the_photo() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    data = bytearray(encode(_scene(), "JPEG", exif=exif))
    start = data.index(b"Exif\0\0")
    data[start + 10 : start + 20] = b"\xff" * 10

    loaded = load_image(bytes(data))

    assert loaded.shape == (_HEIGHT, _WIDTH, 3)


@pytest.mark.parametrize("mode", ["L", "P", "1", "CMYK"])
def test_every_opaque_mode_is_read(mode: str) -> None:
    image = _scene().convert(mode)

    loaded = load_image(encode(image, "TIFF"))

    np.testing.assert_array_equal(loaded, _bgr(image))


def test_a_cmyk_jpeg_is_not_inverted() -> None:
    loaded = load_image(encode(_scene().convert("CMYK"), "JPEG", quality=95))

    assert np.abs(loaded.astype(int) - _bgr(_scene())).mean() < 4


@pytest.mark.parametrize("mode", ["RGBA", "LA"])
def test_transparent_pixels_become_white(mode: str) -> None:
    image = _scene().convert(mode)
    alpha = Image.new("L", image.size, 255)
    alpha.paste(0, (0, 0, 60, _HEIGHT))
    image.putalpha(alpha)

    loaded = load_image(encode(image, "PNG"))

    assert (loaded[:, :60] == 255).all()
    np.testing.assert_array_equal(loaded[:, 60:], _bgr(image)[:, 60:])


def test_a_transparent_palette_entry_becomes_white() -> None:
    image = Image.new("P", (80, 70), 1)
    image.putpalette([0, 0, 0, 10, 200, 30])
    image.paste(0, (0, 0, 40, 70))

    loaded = load_image(encode(image, "PNG", transparency=0))

    assert (loaded[:, :40] == 255).all()
    assert (loaded[:, 40:] == (30, 200, 10)).all()


def test_sixteen_bits_are_brought_to_eight() -> None:
    deep = _grey_scene().astype(np.uint16) * 257

    for kind in (".png", ".tiff"):
        loaded = load_image(cv2.imencode(kind, deep)[1].tobytes())

        np.testing.assert_array_equal(loaded[:, :, 0], _grey_scene())
    in_colour = cv2.imencode(".png", _bgr(_scene()).astype(np.uint16) * 257)[1].tobytes()
    assert np.abs(load_image(in_colour).astype(int) - _bgr(_scene())).max() <= 1


@pytest.mark.parametrize("white", [1.0, 255.0, 65535.0])
def test_float_pictures_of_any_usual_range_are_read(white: float) -> None:
    values = _grey_scene().astype(np.float32) * (white / 255)

    loaded = load_image(encode(Image.fromarray(values), "TIFF"))

    assert np.abs(loaded[:, :, 0].astype(int) - _grey_scene()).max() <= 1


def test_the_content_decides_wherever_it_comes_from(tmp_path: Path) -> None:
    path = tmp_path / "größe 数.jpg"
    data = encode(_scene(), "PNG")
    path.write_bytes(data)

    for source in (path, str(path), data, io.BytesIO(data)):
        np.testing.assert_array_equal(load_image(source), _bgr(_scene()))


def test_a_picture_with_more_behind_its_end_is_read() -> None:
    thumbnail = encode(_scene(64, 64), "JPEG")

    loaded = load_image(encode(_scene(), "JPEG", quality=95) + b"\0" * 50 + thumbnail[:90])

    assert np.abs(loaded.astype(int) - _bgr(_scene())).mean() < 3


@pytest.mark.parametrize("kind", ["GIF", "PNG", "WEBP"])
def test_animated_stickers_are_read(kind: str) -> None:
    frames = [photo(120, 120).rotate(degrees) for degrees in range(0, 360, 6)]

    data = encode(frames[0], kind, save_all=True, append_images=frames[1:], duration=40)

    assert load_image(data).shape == (120, 120, 3)


def test_a_photo_with_depth_and_gain_maps_in_hundreds_of_segments_is_read() -> None:
    segment = b"\xff\xe1" + struct.pack(">H", 60_000) + b"http://ns.adobe.com/xmp/extension/\0"

    data = jpeg_with(segment.ljust(60_002, b"x") * 150)

    assert load_image(data).shape == (300, 400, 3)


def test_a_heic_of_many_tiles_as_phones_write_it_is_read() -> None:
    pytest.importorskip("pillow_heif").register_heif_opener()
    data = encode(photo(), "HEIF", quality=95, tile_size=64)
    assert b"grid" in data

    assert np.abs(load_image(data).astype(int) - _bgr(photo())).mean() < 12


def test_a_tiff_of_one_row_a_strip_is_read() -> None:
    image = Image.new("L", (100, 5_000), 90)

    assert load_image(encode(image, "TIFF", tiffinfo={278: 1})).shape == (5_000, 100, 3)


def test_a_jpeg_of_more_scans_than_any_program_writes_is_refused() -> None:
    assert load_image(jpeg_of_scans(80)).shape == (300, 400, 3)
    with pytest.raises(ImageError, match="it has more than 100 scans; copy or export it again"):
        load_image(jpeg_of_scans(1_000))


def test_a_photo_with_a_film_behind_its_end_is_read() -> None:
    film = np.random.default_rng(3).bytes(20_000_000)

    photo = load_photo(encode(_scene(), "JPEG", quality=95) + film)

    assert photo.warnings == ()
    assert np.abs(photo.pixels.astype(int) - _bgr(_scene())).mean() < 3


class EndlessStream:
    """Gives one kind of byte for ever, after some others."""

    def __init__(self, head: bytes, forever: bytes) -> None:
        self.given = 0
        self._head = head
        self._forever = forever

    def read(self, size: int, /) -> bytes:
        assert size >= 0, "an endless stream was to be read to its end"
        data, self._head = self._head[:size], self._head[size:]
        data += self._forever * (size - len(data))
        self.given += len(data)
        return data


def test_an_endless_stream_is_refused_by_its_first_bytes() -> None:
    stream = EndlessStream(b"", b"y")

    with pytest.raises(ImageError, match="stdin is not a picture; give a JPEG"):
        load_image(stream, name="stdin")

    assert stream.given == 32


def test_an_endless_picture_is_refused() -> None:
    stream = EndlessStream(b"\xff\xd8\xff\xe0", b"\0")

    with pytest.raises(ImageError, match=r"stdin is larger than 50 MB; make it smaller"):
        load_image(stream, max_bytes=50_000_000, name="stdin")

    assert stream.given < 100_000_000


@pytest.mark.skipif(_IS_ROOT or os.name == "nt", reason="permissions do not hold for this user")
def test_a_file_without_permission_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "secret.png"
    path.write_bytes(encode(_scene(), "PNG"))
    path.chmod(0)

    with pytest.raises(ImageError, match="permissions"):
        load_image(path)


@pytest.mark.parametrize(
    ("name", "content", "refusal"),
    [
        ("gone.jpg", None, "{name} does not exist; check the name"),
        ("photo\0.jpg", None, "{name} cannot be read: no file has such a name; check it"),
        (".", None, "{name} is a folder; give a picture file"),
        ("empty.jpg", b"", "{name} is empty; copy or take the photo again"),
        *(
            ("notes.jpg", content, "{name} is not a picture; give a JPEG, PNG, HEIC, WebP, TIFF")
            for content in (
                b"This is no photo.\n" * 20, b"%PDF-1.7\n", b"\0\0\0 ftypisom\0\0\2\0", b"B"
            )
        ),
    ],
)  # fmt: skip
def test_what_is_no_picture_is_refused_with_its_name(
    tmp_path: Path, name: str, content: bytes | None, refusal: str
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)

    with pytest.raises(ImageError) as refused:
        load_image(str(path))

    assert str(refused.value).startswith(refusal.format(name=path))


@pytest.mark.parametrize("kept", [0.02, 0.3, 0.6])
def test_a_jpeg_that_lacks_much_is_refused(kept: float) -> None:
    exif = Image.Exif()
    exif[0x010F] = "Camera"
    noise = np.random.default_rng(1).integers(0, 255, (200, 200, 3)).astype(np.uint8)
    data = encode(Image.fromarray(noise), "JPEG", exif=exif)

    with pytest.raises(ImageError, match="cut short"):
        load_image(data[: round(len(data) * kept)])


@pytest.mark.parametrize("mode", ["RGB", "L"])
@pytest.mark.parametrize("progressive", [False, True])
def test_a_jpeg_that_lacks_its_last_rows_is_loaded_with_a_warning(
    mode: str, progressive: bool
) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (480, 200, 3)).astype(np.uint8)
    data = encode(Image.fromarray(noise).convert(mode), "JPEG", progressive=progressive)

    cut, whole = load_photo(data[: len(data) * 9 // 10]), load_photo(data)

    assert len(cut.warnings) == 1
    assert "cut short" in cut.warnings[0]
    assert whole.warnings == ()
    assert cut.pixels.shape == whole.pixels.shape
    if not progressive:
        np.testing.assert_array_equal(cut.pixels[:300], whole.pixels[:300])
        assert (cut.pixels[-8:] == 128).all()  # no leftovers of memory


def test_the_other_pages_of_a_tiff_are_named(caplog: pytest.LogCaptureFixture) -> None:
    pages = [_scene(), _scene(90, 80), _scene(80, 90)]
    data = encode(pages[0], "TIFF", save_all=True, append_images=pages[1:])

    photo = load_photo(data)
    with caplog.at_level(logging.INFO):
        load_image(io.BytesIO(data), name="stdin")

    assert "stdin: only the first of 3 pages" in caplog.text
    assert photo.warnings == (
        "only the first of 3 pages is read; save the others as files of their own",
    )
    np.testing.assert_array_equal(photo.pixels, _bgr(_scene()))
    assert load_photo(encode(_scene(), "TIFF")).warnings == ()
    page = Image.new("1", (64, 64))
    many = encode(page, "TIFF", save_all=True, append_images=[page] * 1_500)
    assert load_photo(many).pages == 1_000  # they are counted so far


@pytest.mark.parametrize("big", [False, True])
def test_a_tiff_whose_later_pages_are_lost_is_read(big: bool) -> None:
    pages = [_scene(), _scene(90, 80)]
    data = bytearray(encode(pages[0], "TIFF", save_all=True, append_images=pages[1:], big_tiff=big))
    order, width = ("<Q", 8) if big else ("<I", 4)
    first = struct.unpack_from(order, data, width)[0]
    n_tags = struct.unpack_from("<Q" if big else "<H", data, first)[0]
    link = first + (8 + 20 * n_tags if big else 2 + 12 * n_tags)
    data[link : link + width] = b"\xf0" * width

    np.testing.assert_array_equal(load_image(bytes(data)), _bgr(_scene()))


@pytest.mark.parametrize("offset", [1 << 63, (1 << 64) - 1])
def test_a_big_tiff_that_points_nowhere_is_damaged(offset: int) -> None:
    data = b"II+\0\x08\0\0\0" + struct.pack("<Q", offset) + bytes(100)

    with pytest.raises(ImageError, match="cannot be decoded: damaged TIFF header; copy"):
        load_image(data)


@pytest.mark.parametrize("kind", ["PNG", "GIF", "BMP", "TIFF", "WEBP", "JPEG", "HEIF"])
def test_what_libraries_say_of_damage_is_not_told_to_people(kind: str) -> None:
    if kind == "HEIF":
        pytest.importorskip("pillow_heif").register_heif_opener()
    whole = encode(_scene(), kind)
    damaged = [whole[:n] for n in range(32, len(whole) // 2, 1 + len(whole) // 60)]

    texts = []
    for data in damaged:
        with pytest.raises(ImageError) as refused:
            load_image(data)
        texts.append(str(refused.value))

    assert not [text for text in texts if "<" in text or "io." in text]
    assert all("; copy or export it again" in text for text in texts), texts


def test_the_end_of_a_thumbnail_is_not_the_end_of_the_photo() -> None:
    thumbnail = encode(_scene(64, 64), "JPEG")
    whole = encode(_scene(), "JPEG")
    segment = b"\xff\xe2" + struct.pack(">H", len(thumbnail) + 2) + thumbnail
    data = whole[:2] + segment + whole[2:]

    assert load_photo(data).warnings == ()
    assert "cut short" in load_photo(data[:-40]).warnings[0]


def test_a_picture_of_too_few_or_too_many_pixels_is_refused_the_latter_before_decoding() -> None:
    with pytest.raises(ImageError, match=f"1×1 pixels, {MIN_SIDE_PX} a side"):
        load_image(encode(_scene(1, 1), "PNG"))
    with pytest.raises(ImageError, match="40000×40000 pixels, 100 megapixels are the most"):
        load_image(png_header(40_000, 40_000, 8, 2))


def test_the_limit_on_pixels_is_an_argument() -> None:
    data = encode(_scene(), "PNG")

    assert load_image(data, max_pixels=_WIDTH * _HEIGHT).shape == (_HEIGHT, _WIDTH, 3)
    with pytest.raises(ImageError, match="too large"):
        load_image(data, max_pixels=_WIDTH * _HEIGHT - 1)


@pytest.mark.parametrize(
    "options", [{}, {"lossless": True}, {"save_all": True, "append_images": [_scene()]}]
)
def test_a_webp_is_refused_by_its_header_alone(options: dict[str, object]) -> None:
    data = encode(_scene(), "WEBP", **options)

    assert load_image(data).shape == (_HEIGHT, _WIDTH, 3)
    with pytest.raises(ImageError, match=f"too large: {_WIDTH}×{_HEIGHT}"):
        load_image(data[:40], max_pixels=_WIDTH * _HEIGHT - 1)


def test_a_tile_larger_than_its_picture_counts_as_large() -> None:
    def tiled(side: int) -> bytes:
        packed = zlib.compress(b"\x7f" * 256 * 256)
        tags = [(256, 100), (257, 100), (258, 8), (259, 8), (262, 1), (277, 1)]
        tags += [(322, side), (323, side), (324, 8 + 2 + 12 * 10 + 4), (325, len(packed))]
        entries = b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in tags)
        return b"II*\0" + struct.pack("<IH", 8, len(tags)) + entries + bytes(4) + packed

    assert load_image(tiled(256)).shape == (100, 100, 3)
    with pytest.raises(ImageError, match="too large: 32000×32000"):
        load_image(tiled(32_000))


def _damaged_files() -> list[bytes]:
    noise = np.random.default_rng(2).integers(0, 255, (120, 120, 3)).astype(np.uint8)
    picture = Image.fromarray(noise)
    jpeg = encode(picture, "JPEG")
    lzw = encode(picture, "TIFF", compression="tiff_lzw")
    zipped = encode(picture, "TIFF", compression="tiff_adobe_deflate")
    png = encode(picture, "PNG")
    return [
        jpeg[:-2] + b"more than needed" + jpeg[-2:],
        jpeg[:3000] + b"\xff\xd3" + jpeg[3002:],
        lzw[:2000] + b"x" * 1000 + lzw[3000:],
        zipped[:2000] + b"x" * 1000 + zipped[3000:],
        lzw[: len(lzw) // 2],
        png[: len(png) // 2],
        png[:2000] + b"x" * 1000 + png[3000:],
        lzw.replace(struct.pack("<HH", 273, 4), struct.pack("<HH", 272, 4)),  # no StripOffsets
    ]


def test_damaged_files_leave_nothing_on_the_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for data in _damaged_files():
            with contextlib.suppress(ImageError):
                load_image(data)

    assert capfd.readouterr() == ("", "")
    assert caught == []


def test_a_decoders_warning_is_kept_for_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        load_image(_damaged_files()[0])

    assert "Corrupt JPEG data" in caplog.text


def test_loading_a_photo_does_not_import_the_heic_reader() -> None:
    program = (
        "import sys, vision.media.images as images\n"
        "images.load_image(sys.stdin.buffer.read())\n"
        "assert 'pillow_heif' not in sys.modules\n"
    )
    done = run_python("-c", program, input=encode(_scene(), "JPEG"), text=False)
    assert done.returncode == 0, done.stderr.decode()


@pytest.mark.parametrize("suffix", [".png", ".bmp", ".tif", ".TIFF"])
def test_what_is_saved_is_what_is_loaded(tmp_path: Path, suffix: str) -> None:
    image = np.ascontiguousarray(_bgr(_scene()))

    save_image(tmp_path / f"out{suffix}", image)

    np.testing.assert_array_equal(load_image(tmp_path / f"out{suffix}"), image)
    assert [path.name for path in tmp_path.iterdir()] == [f"out{suffix}"]
    save_image(tmp_path / f"grey{suffix}", _grey_scene())
    np.testing.assert_array_equal(load_image(tmp_path / f"grey{suffix}")[:, :, 2], _grey_scene())


@pytest.mark.parametrize("suffix", [".jpg", ".jpeg", ".webp"])
def test_lossy_formats_are_saved_well(tmp_path: Path, suffix: str) -> None:
    image = np.ascontiguousarray(_bgr(_scene()))

    save_image(str(tmp_path / f"out{suffix}"), image)

    assert np.abs(load_image(tmp_path / f"out{suffix}").astype(int) - image).mean() < 4


def test_a_format_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    for name in ("out.pdf", "out"):
        with pytest.raises(ImageError, match=r"use \.jpg"):
            save_image(tmp_path / name, _grey_scene())
    with pytest.raises(ImageError, match="does not fit"):
        save_image(tmp_path / "out.jpg", np.zeros((2, 70_000), np.uint8))


def _unwritable_targets() -> list[Callable[[Path], Path]]:
    def missing_folder(folder: Path) -> Path:
        return folder / "missing" / "out.png"

    def folder_that_is_a_file(folder: Path) -> Path:
        (folder / "file").write_text("old")
        return folder / "file" / "out.png"

    def name_of_a_folder(folder: Path) -> Path:
        (folder / "out.png").mkdir()
        return folder / "out.png"

    return [missing_folder, folder_that_is_a_file, name_of_a_folder]


@pytest.mark.parametrize("target", _unwritable_targets())
def test_an_unwritable_place_is_refused_and_left_clean(
    tmp_path: Path, target: Callable[[Path], Path]
) -> None:
    path = target(tmp_path)
    before = sorted(tmp_path.rglob("*"))

    with pytest.raises(ImageError, match=r"out\.png cannot be written: .*; choose another folder"):
        save_image(path, _grey_scene())

    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.skipif(_IS_ROOT or os.name == "nt", reason="permissions do not hold for this user")
def test_a_folder_without_permission_keeps_the_old_output(tmp_path: Path) -> None:
    path = tmp_path / "out.png"
    path.write_bytes(b"old")
    tmp_path.chmod(0o500)

    with pytest.raises(ImageError, match="cannot be written"):
        save_image(path, _grey_scene())

    assert path.read_bytes() == b"old"
    tmp_path.chmod(0o700)


@pytest.mark.skipif(os.name == "nt", reason="no limit on a file's size to set")
def test_a_full_disk_keeps_the_old_output(tmp_path: Path) -> None:
    path = tmp_path / "out.png"
    path.write_bytes(b"old")
    program = (
        "import resource, sys\n"
        "import numpy as np\n"
        "from vision.media.images import ImageError, save_image\n"
        "noise = np.random.default_rng(0).integers(0, 255, (200, 200, 3)).astype(np.uint8)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))\n"
        "try:\n"
        "    save_image(sys.argv[1], noise)\n"
        "except ImageError as error:\n"
        "    print(error)\n"
    )

    done = run_python("-c", program, path, check=True)

    assert "cannot be written" in done.stdout
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.png"]
