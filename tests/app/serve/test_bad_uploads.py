"""What must not harm the phone page's server: each is refused with its status, and it stays up."""

import contextlib
import io
import itertools
import struct
import sys
import threading
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

pytest.importorskip("uvicorn", reason="the extra serve is not installed")

from picture_rig import jpeg_of_scans
from serve_process import Served, read_reply, serving

if not sys.platform.startswith("linux"):
    pytest.skip("clients come from many addresses of Linux's loopback", allow_module_level=True)

NUMBERS = itertools.count()
BOMB_SIDE = 30_000  # 900 megapixels
PATHS = (
    "/page/../__init__.py",
    "/page/..%2fsettings.py",
    "/page/%2e%2e/__init__.py",
    "/page/..\\settings.py",
    "/page/%5c..%5csettings.py",
    "/page//etc/passwd",
    "//etc/passwd",
    "/page/",
    "/page",
    "/page/index.html%00.js",
    "/page/%c0%ae%c0%ae/__init__.py",
    "/%ff%fe",
    "/.git/config",
    "/app/serve/server.py",
    "/static/",
    "/api/../page/../../..",
    "/" + "a" * 8000,
    "/" + "%2e" * 2000,
    "http://127.0.0.1/etc/passwd",
    "/api/docs",
    "/docs",
    "/openapi.json",
)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kept")


@pytest.fixture(scope="module")
def server(kept: Path) -> Iterator[Served]:
    with serving("--keep", kept) as served:
        yield served


@pytest.fixture(autouse=True)
def stays_up(server: Served) -> Iterator[None]:
    """Every test ends with a server that still answers, which is the same process."""
    server.come_anew(next(NUMBERS))
    yield
    assert server.is_up()


def png(width: int, height: int, *chunks: tuple[bytes, bytes]) -> bytes:
    """Return a PNG of so many black pixels, one bit each, with further chunks before them."""
    row = b"\0" * (1 + (width + 7) // 8)
    packer = zlib.compressobj(9)
    packed = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    parts = [(b"IHDR", header), *chunks, (b"IDAT", packed), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(map(_chunk, parts))


def _chunk(part: tuple[bytes, bytes]) -> bytes:
    kind, data = part
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def encoded(kind: str, side: int = 200, **options: object) -> bytes:
    stream = io.BytesIO()
    Image.effect_noise((side, side), 90).convert("RGB").save(stream, kind, **options)
    return stream.getvalue()


def with_size(data: bytes, kind: str, side: int) -> bytes:
    """Return a picture whose header claims another size."""
    size = bytearray(data)
    if kind == "JPEG":
        start = data.index(b"\xff\xc0") + 5
        size[start : start + 4] = struct.pack(">HH", side, side)
    elif kind == "GIF":
        size[6:10] = struct.pack("<HH", side, side)
    elif kind == "BMP":
        size[18:26] = struct.pack("<ii", side, side)
    elif kind == "WEBP":  # lossless: 14 bits each, less one
        size[21:25] = struct.pack("<I", (side - 1) | (side - 1) << 14)
    return bytes(size)


def wait_until_kept(kept: Path, before: set[Path]) -> None:
    """Wait for a photo's report, which is written last; nobody else waits for the disk."""
    while not set(kept.glob("*.json")) - before:
        threading.Event().wait(0.05)


def test_a_photo_is_solved(server: Served, newspaper: Path) -> None:
    reply = server.solve(newspaper.read_bytes())

    assert reply.status == 200
    assert b'"outcome":"solved"' in reply.body


def test_pictures_that_are_cut_short_are_told_so(server: Served, newspaper: Path) -> None:
    whole = newspaper.read_bytes()

    replies = [server.solve(whole[: len(whole) * part // 5]) for part in (1, 2, 3)]

    assert [(one.status, one.code) for one in replies] == [(422, "bad_image")] * 3


def test_a_picture_that_lacks_little_is_tried_and_told_so(server: Served, newspaper: Path) -> None:
    whole = newspaper.read_bytes()

    replies = [server.solve(whole[: len(whole) * part // 10]) for part in (8, 9)]

    assert [one.status for one in replies] == [200, 200]
    assert all(b"cut short" in one.body for one in replies)


@pytest.mark.parametrize("scans", [1_000, 20_000])
def test_pictures_that_take_minutes_are_refused(server: Served, scans: int) -> None:
    reply = server.solve(jpeg_of_scans(scans))

    assert (reply.status, reply.code) == (422, "bad_image")


@pytest.mark.parametrize("kind", ["PNG", "WEBP", "GIF", "TIFF", "BMP", "HEIF"])
def test_pictures_of_all_kinds_that_are_cut_short_are_told_so(server: Served, kind: str) -> None:
    if kind == "HEIF":
        heif = pytest.importorskip("pillow_heif")
        heif.register_heif_opener()
    whole = encoded(kind)

    reply = server.solve(whole[: len(whole) // 2])

    assert (reply.status, reply.code) == (422, "bad_image")


def test_a_bomb_of_pixels_is_refused_by_its_header(server: Served) -> None:
    bomb = png(BOMB_SIDE, BOMB_SIDE)
    assert len(bomb) < 200_000

    reply = server.solve(bomb)

    assert (reply.status, reply.code) == (413, "too_many_pixels")


@pytest.mark.parametrize("kind", ["JPEG", "GIF", "BMP", "WEBP"])
def test_a_header_that_claims_too_much_costs_no_memory(server: Served, kind: str) -> None:
    options = {"lossless": True} if kind == "WEBP" else {}
    side = 16_000 if kind == "WEBP" else 60_000

    reply = server.solve(with_size(encoded(kind, **options), kind, side))

    assert (reply.status, reply.code) == (413, "too_many_pixels")


def test_a_frame_larger_than_its_header_says_is_no_way_around(server: Served) -> None:
    gif = bytearray(encoded("GIF"))
    frame = gif.index(b"\x2c", 13 + 768)
    gif[frame + 5 : frame + 9] = struct.pack("<HH", 60_000, 60_000)

    assert server.solve(bytes(gif)).code in ("bad_image", "too_many_pixels")


@pytest.mark.parametrize(
    ("name", "prefix"), [(b"zTXt", b"a\0\0"), (b"iCCP", b"a\0\0"), (b"iTXt", b"a\0\1\0\0\0")]
)
def test_what_is_packed_beside_the_pixels_is_no_way_around(
    server: Served, name: bytes, prefix: bytes
) -> None:
    packed = zlib.compress(b"\0" * 100_000_000, 9)

    reply = server.solve(png(200, 200, (name, prefix + packed)))

    assert reply.status in (200, 422)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\0" * 100_000,
        b"%PDF-1.7\n" + b"x" * 5000,
        b"PK\x03\x04" + b"\0" * 5000,
        b"\x1f\x8b\x08" + b"\0" * 5000,
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"<!doctype html><script>alert(1)</script>",
        b"\0\0\0\x18ftypmp42" + b"\0" * 5000,
        b"\xff\xd8\xff",
        b"\x89PNG\r\n\x1a\n",
        b"GIF89a",
        b"II*\0" + b"\xff" * 5000,
        b"RIFF\xff\xff\xff\xffWEBPVP8X" + b"\0" * 5000,
        b"\0\0\0\x18ftypheic" + b"\xff" * 5000,
    ],
    ids=lambda body: repr(body[:12]),
)
def test_what_is_no_picture_is_a_bad_one(server: Served, body: bytes) -> None:
    reply = server.solve(body)

    assert (reply.status, reply.code) in ((422, "bad_image"), (415, "wrong_type"))
    assert b"<" not in reply.body


def test_a_gigabyte_is_not_taken_in(server: Served) -> None:
    before = server.resident_mb()
    piece = b"100000\r\n" + b"\xff" * 0x100000 + b"\r\n"
    sent = 0
    with server.connect() as client:
        client.sendall(
            f"POST /api/photos HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
            f"Cookie: {server.cookie}\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
        )
        with contextlib.suppress(ConnectionError):
            while sent < 1_000_000_000:
                client.sendall(piece)
                sent += 0x100000
        reply = read_reply(client)

    assert sent < 500_000_000
    assert reply.status in (0, 413)  # one that keeps sending may miss it
    assert server.resident_mb() < before + 100


def test_a_gigabyte_that_is_announced_is_refused_at_once(server: Served) -> None:
    reply = server.ask("/api/photos", "POST", Content_Length=str(10**9), Expect="100-continue")

    assert (reply.status, reply.code) == (413, "too_large")


def test_a_slow_client_holds_up_nobody(server: Served, newspaper: Path) -> None:
    theirs = server.sign_in("127.0.0.3")
    with contextlib.ExitStack() as stack:
        slow = [stack.enter_context(server.connect("127.0.0.3")) for _ in range(60)]
        for client in slow:
            client.sendall(
                f"POST /api/photos HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
                f"Cookie: {theirs}\r\nContent-Length: 1000\r\n\r\nx".encode()
            )
        threading.Event().wait(0.2)

        assert server.solve(newspaper.read_bytes()).status == 200


@pytest.mark.parametrize("path", PATHS, ids=range(len(PATHS)))
def test_there_is_nothing_behind_paths(server: Served, path: str) -> None:
    known = server.ask(path)
    unknown = server.ask(path, Cookie="")
    written = server.ask(path, "POST", b"x")

    assert known.code == "not_found"
    assert unknown.code == "no_session"
    assert written.code == "not_found"


def test_names_that_a_client_sends_are_never_names_of_files(
    server: Served, newspaper: Path, kept: Path
) -> None:
    tricks = "../../../tmp/evil.jpg"
    before = set(kept.parent.rglob("*"))

    reply = server.solve(
        newspaper.read_bytes(),
        Content_Disposition=f'attachment; filename="{tricks}"',
        X_File_Name=tricks,
        Slug=tricks,
    )

    assert reply.status == 200
    wait_until_kept(kept, before)
    new = set(kept.parent.rglob("*")) - before
    assert {path.parent for path in new} == {kept}
    assert {path.suffix for path in new} == {".jpg", ".json"}
    assert not any("evil" in path.name or "evil" in path.read_text("latin-1") for path in new)


def test_nothing_is_kept_of_what_is_no_picture(server: Served, newspaper: Path, kept: Path) -> None:
    before = set(kept.iterdir())

    server.solve(b"\x7fELF" + b"\0" * 1000)
    server.solve(newspaper.read_bytes())

    wait_until_kept(kept, before)
    photo, _ = sorted(set(kept.iterdir()) - before, key=lambda path: path.suffix == ".json")
    assert photo.read_bytes() == newspaper.read_bytes()


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "X"])
def test_there_is_no_other_way_to_ask(server: Served, method: str) -> None:
    assert server.ask("/api/photos", method).code == "wrong_method"
    assert server.ask("/", method).code == "wrong_method"


def test_many_sessions_cost_nothing_and_push_out_no_other_address(server: Served) -> None:
    mine = server.cookie
    before = server.resident_mb()

    replies = [
        server.ask(f"/?token={server.token}", Cookie="", source="127.0.0.4") for _ in range(300)
    ]

    assert {one.status for one in replies} <= {303, 429}
    assert all(int(one.headers["retry-after"]) > 0 for one in replies if one.status == 429)
    assert server.ask(Cookie=mine).status == 200
    assert server.resident_mb() < before + 20


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b"[" * 30_000,
        b'{"clues":' + b"[" * 30_000 + b"]" * 30_000 + b"}",
        b'{"clues": NaN}',
        b'{"clues": 1e400}',
        b'{"clues": ' + b"9" * 30_000 + b"}",
        b'{"clues": "\\ud800"}',
        b'{"clues": "' + b"." * 80 + b'\\u0000"}',
        b'{"clues": "' + "１".encode() * 81 + b'"}',
        b'{"clues": "' + b"." * 81 + b'\\n"}',
        b'{"clues": "' + b"." * 81 + b'", "__proto__": {}}',
        b"\xff\xfe{\0}\0",
        b"\xef\xbb\xbf{}",
        b'{"clues": "' + b"." * 81 + b'", "entries": null}',
    ],
    ids=lambda body: repr(body[:20]),
)
@pytest.mark.parametrize("path", ["puzzles", "hints", "ratings", "exports"])
def test_json_that_makes_no_sense_is_refused(server: Served, path: str, body: bytes) -> None:
    reply = server.post(f"/api/{path}", body, "application/json")

    assert reply.status in (400, 415, 422)
    assert reply.code in ("bad_request", "wrong_type", "invalid")
