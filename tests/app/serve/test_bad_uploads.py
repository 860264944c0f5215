"""What must not harm the phone page's server: each is refused with its status, and it stays up."""

import contextlib
import io
import itertools
import struct
import sys
import threading
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PIL import Image

pytest.importorskip("uvicorn", reason="the extra serve is not installed")

from picture_rig import jpeg_of_scans, png_chunk
from serve_process import Served, read_reply, serving

if not sys.platform.startswith("linux"):
    pytest.skip("clients come from many addresses of Linux's loopback", allow_module_level=True)

NUMBERS = itertools.count()
PATHS = (
    "/page/..%2fsettings.py",
    "/page/..\\settings.py",
    "//etc/passwd",
    "/page/index.html%00.js",
    "/page/%c0%ae%c0%ae/__init__.py",
    "/%ff%fe",
    "/" + "a" * 8000,
    "http://127.0.0.1/etc/passwd",
    "/api/docs",
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


def png(width: int, height: int, *chunks: bytes) -> bytes:
    """Return a PNG of so many black pixels, one bit each, with further chunks before them."""
    row = b"\0" * (1 + (width + 7) // 8)
    packer = zlib.compressobj(9)
    packed = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    parts = (png_chunk(b"IHDR", header), *chunks, png_chunk(b"IDAT", packed), png_chunk(b"IEND"))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def wait_until_kept(kept: Path, before: set[Path]) -> None:
    """Wait for a photo's report, which is written last; nobody else waits for the disk."""
    while not set(kept.glob("*.json")) - before:
        threading.Event().wait(0.05)


def noise(kind: str) -> bytearray:
    stream = io.BytesIO()
    Image.effect_noise((200, 200), 90).save(stream, kind)
    return bytearray(stream.getvalue())


def claim_too_much() -> bytes:
    """Return a JPEG whose header claims another size."""
    data = noise("JPEG")
    start = data.index(b"\xff\xc0") + 5
    data[start : start + 4] = struct.pack(">HH", 60_000, 60_000)
    return bytes(data)


def hold_a_larger_frame() -> bytes:
    """Return a GIF with a frame that is larger than its header says."""
    data = noise("GIF")
    frame = data.index(b"\x2c", 13 + 768)
    data[frame + 5 : frame + 9] = struct.pack("<HH", 60_000, 60_000)
    return bytes(data)


def pack_beside_the_pixels() -> bytes:
    return png(200, 200, png_chunk(b"zTXt", b"a\0\0" + zlib.compress(b"\0" * 100_000_000, 9)))


@pytest.mark.parametrize(
    ("make", "codes"),
    [
        pytest.param(bytes, {"bad_image"}, id="nothing"),
        pytest.param(lambda: b"<svg xmlns='http://www.w3.org/2000/svg'/>", {"bad_image"}, id="SVG"),
        pytest.param(lambda: jpeg_of_scans(1_000), {"bad_image"}, id="minutes of work"),
        pytest.param(lambda: png(30_000, 30_000), {"too_many_pixels"}, id="900 megapixels"),
        pytest.param(claim_too_much, {"too_many_pixels"}, id="a false header"),
        pytest.param(hold_a_larger_frame, {"bad_image", "too_many_pixels"}, id="a false frame"),
        pytest.param(pack_beside_the_pixels, {"", "bad_image"}, id="much beside the pixels"),
    ],
)
def test_what_is_no_picture_or_costs_too_much_is_refused(
    server: Served, make: Callable[[], bytes], codes: set[str]
) -> None:
    reply = server.solve(make())

    assert ("" if reply.status == 200 else reply.code) in codes


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
    ("kind", "body", "refused"),
    [
        ("application/json", b"{", (400, "bad_request")),
        ("text/plain", b"{}", (415, "wrong_type")),
        ("application/x-www-form-urlencoded", b"{}", (415, "wrong_type")),
    ],
)
def test_what_is_no_json_is_told_so(
    server: Served, kind: str, body: bytes, refused: tuple[int, str]
) -> None:
    reply = server.post("/api/puzzles", body, kind)

    assert (reply.status, reply.code) == refused


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[" * 30_000,
        b'{"clues": NaN}',
        b'{"clues": ' + b"9" * 30_000 + b"}",
        b'{"clues": "\\ud800"}',
        b'{"clues": "' + "１".encode() * 81 + b'"}',
        b'{"clues": "' + b"." * 81 + b'\\n"}',
        b'{"clues": "' + b"." * 81 + b'", "__proto__": {}}',
        b"\xff\xfe{\0}\0",
    ],
    ids=lambda body: repr(body[:20]),
)
def test_json_that_makes_no_sense_is_refused(server: Served, body: bytes) -> None:
    reply = server.post("/api/puzzles", body, "application/json")

    assert reply.status in (400, 422)
    assert reply.code in ("bad_request", "invalid")
