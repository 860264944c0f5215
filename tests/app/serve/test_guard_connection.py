"""Guards of the phone page on a real socket: clients that are slow, rude, or too many."""

import asyncio
import contextlib
import logging
import socket
import ssl
import threading
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="the extra serve is not installed")

import uvicorn
from serve_guard_rig import RULES, TOKEN, Echo
from serve_process import Reply, read_reply
from starlette.types import Receive, Scope, Send

from app.serve.security.certificate import load_certificate
from app.serve.security.connection_guard import guarded_config, make_context
from app.serve.security.guard_chain import guarded
from app.serve.security.request_limits import BodyLimits

BODIES = BodyLimits(photo_bytes=100_000, other_bytes=1000, seconds=60.0)


@dataclass
class Door:
    """A server that runs, and how to knock."""

    port: int
    server: uvicorn.Server
    echo: Echo

    def connect(self, source: str = "127.0.0.1") -> socket.socket:
        """Open a connection from an address of this machine."""
        client = socket.create_connection(("127.0.0.1", self.port), 30, (source, 0))
        client.settimeout(30)
        return client

    def ask(self, *lines: str, source: str = "127.0.0.1", body: bytes = b"") -> Reply:
        """Send a request and return the answer, once the server closes."""
        with self.connect(source) as client:
            client.sendall(self.head(*lines) + body)
            return read_reply(client)

    def head(self, *lines: str) -> bytes:
        first, *rest = lines
        host = f"Host: localhost:{self.port}"
        return "\r\n".join([first, host, "Connection: close", *rest, "", ""]).encode("latin-1")

    def cookie(self) -> str:
        """Show the token and return the line that a phone sends from then on."""
        told = self.ask(f"GET /?token={TOKEN} HTTP/1.1")
        return f"Cookie: {told.headers['set-cookie'].partition(';')[0]}"

    def is_up(self, source: str = "127.0.0.1") -> bool:
        return self.ask("GET /api/health HTTP/1.1", source=source).status == 200


def ask_and_stay(door: Door, *lines: str, body: bytes = b"") -> Reply:
    """Ask without offering to close, and return the answer, once the server closes."""
    head = door.head(*lines).replace(b"Connection: close", b"Connection: keep-alive")
    with door.connect() as client:
        client.sendall(head + body)
        return read_reply(client)


async def begin_and_end(receive: Receive, send: Send) -> None:
    for stage in ("startup", "shutdown"):
        await receive()
        await send({"type": f"lifespan.{stage}.complete"})


@contextlib.contextmanager
def running(
    certificate: Path | None = None, bodies: BodyLimits = BODIES, idle_seconds: int = 60
) -> Iterator[Door]:
    """A guarded server in a thread, of twelve connections; it is patient unless told otherwise."""
    echo = Echo()

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        is_request = scope["type"] != "lifespan"
        await (echo(scope, receive, send) if is_request else begin_and_end(receive, send))

    listening = socket.create_server(("127.0.0.1", 0))
    encryption = None if certificate is None else make_context(certificate)
    application = guarded(serve, replace(RULES, bodies=bodies))
    limits = {"most_connections": 12, "idle_seconds": idle_seconds}
    server = uvicorn.Server(guarded_config(application, encryption, **limits))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listening])))
    thread.start()
    try:
        yield Door(listening.getsockname()[1], server, echo)
    finally:
        server.should_exit = True
        thread.join()


@pytest.fixture
def door() -> Iterator[Door]:
    with running() as one:
        yield one


def wait_until(is_so: Callable[[], bool]) -> None:
    for _ in range(3000):
        if is_so():
            return
        threading.Event().wait(0.02)
    raise AssertionError("it never came about")


def test_a_person_comes_in(door: Door) -> None:
    told = door.ask("POST /api/photos HTTP/1.1", door.cookie(), "Content-Length: 3", body=b"abc")

    assert told.status == 200
    assert door.echo.bodies == [b"abc"]
    assert "server" not in told.headers


@pytest.mark.parametrize(
    "sent", [b"", b"G", b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n"], ids=len
)
def test_a_connection_that_does_nothing_is_closed(sent: bytes) -> None:
    with running(idle_seconds=1) as door:
        with door.connect() as client:
            client.sendall(sent)

            told = read_reply(client)

        assert (told.status == 200) is (len(sent) > 1)
        wait_until(lambda: not door.server.server_state.connections)


def test_a_body_that_trickles_is_refused() -> None:
    with running(bodies=replace(BODIES, seconds=0.5)) as door:
        cookie = door.cookie()
        with door.connect() as client:
            client.sendall(door.head("POST /api/photos HTTP/1.1", cookie, "Content-Length: 1000"))
            with contextlib.suppress(OSError):
                for _ in range(100):
                    client.sendall(b"x")
                    threading.Event().wait(0.05)
            told = read_reply(client)

        assert (told.status, told.code) == (408, "too_slow")
        assert door.echo.bodies == []
        assert door.is_up()


def test_who_sends_a_little_too_much_hears_why(door: Door) -> None:
    told = door.ask(
        "POST /api/photos HTTP/1.1", door.cookie(), "Content-Length: 5000000", body=b"x" * 5_000_000
    )

    assert (told.status, told.code) == (413, "too_large")


@pytest.mark.parametrize(
    "sent",
    [
        b"\x16\x03\x01\x02\x00\x01\x00",  # a browser that tries HTTPS
        b"GET / HTTP/1.1\r\n\r\n",  # no host
        b"\r\n" * 20_000,
    ],
)
def test_what_is_no_http_is_a_bad_request(door: Door, sent: bytes) -> None:
    with door.connect() as client:
        client.sendall(sent)
        told = read_reply(client)

    assert told.status in (0, 400)
    assert b"Traceback" not in told.body
    assert door.is_up()


def test_a_length_and_chunks_together_are_a_bad_request_and_end_the_connection(door: Door) -> None:
    lines = ["POST /api/photos HTTP/1.1", "Content-Length: 5", "Transfer-Encoding: chunked"]

    told = ask_and_stay(door, *lines, door.cookie(), body=b"0\r\n\r\n")

    assert told.status == 400
    assert door.echo.scopes == []
    assert door.is_up()


@pytest.mark.parametrize("line_bytes", [100, 89_000], ids=["many lines", "one line"])
def test_a_head_too_large_is_a_bad_request_even_if_it_is_whole(door: Door, line_bytes: int) -> None:
    lines = ["GET /api/session HTTP/1.1", f"Origin: http://localhost:{door.port}"]
    lines += [f"X-{number}: {'x' * line_bytes}" for number in range(90_000 // (line_bytes + 10))]

    told = ask_and_stay(door, *lines, door.cookie())

    assert told.status == 400
    assert door.echo.scopes == []
    assert door.is_up()


def test_where_too_many_are_connected_who_comes_next_is_told_so(door: Door) -> None:
    with contextlib.ExitStack() as stack:
        for _ in range(12):
            stack.enter_context(door.connect())

        assert door.ask("GET /api/health HTTP/1.1").status == 503
    wait_until(door.is_up)


def test_nobody_can_fill_the_log(door: Door, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        door.ask("GET /api/live HTTP/1.1", "Upgrade: h2c")
        door.ask("nonsense")
        for version in ("13", "99", "x"):
            with door.connect() as client:
                client.sendall(
                    b"GET /api/live HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
                    b"Upgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                    + f"Sec-WebSocket-Version: {version}\r\n\r\n".encode()
                )
                assert client.recv(65536)[9:10] == b"4"
        with door.connect() as client:
            client.sendall(door.head("POST /api/photos HTTP/1.1", "Transfer-Encoding: chunked"))
            assert client.recv(65536).startswith(b"HTTP/1.1 401 ")
            client.sendall(b"no chunk\r\n")  # in the midst of the answer
            with contextlib.suppress(ConnectionError):
                while client.recv(65536):
                    pass
        assert door.is_up()

    assert caplog.records == []


@pytest.mark.parametrize(
    ("version", "ciphers", "is_taken"),
    [
        (ssl.TLSVersion.TLSv1_3, "DEFAULT", True),
        (ssl.TLSVersion.TLSv1_2, "ECDHE+AESGCM", True),
        (ssl.TLSVersion.TLSv1_2, "ECDHE+AES:!AESGCM:!AESCCM", False),
        (ssl.TLSVersion.TLSv1_1, "DEFAULT:@SECLEVEL=0", False),
    ],
)
def test_only_encryption_without_known_weakness_is_spoken(
    tmp_path: Path, version: ssl.TLSVersion, ciphers: str, is_taken: bool
) -> None:
    certificate = load_certificate(["localhost"], tmp_path)
    context = ssl.create_default_context(cafile=certificate.path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # old versions are deprecated, which is the point
        context.minimum_version = context.maximum_version = version
    context.set_ciphers(ciphers)

    with running(certificate.path) as door, door.connect() as client:
        outcome = (
            contextlib.nullcontext() if is_taken else pytest.raises((ssl.SSLError, ConnectionError))
        )
        with outcome, context.wrap_socket(client, server_hostname="localhost") as secure:
            secure.sendall(door.head("GET /api/health HTTP/1.1"))
            assert read_reply(secure).status == 200


def test_a_client_that_keeps_sending_is_told_of_the_end(caplog: pytest.LogCaptureFixture) -> None:
    with contextlib.ExitStack() as stack:
        with caplog.at_level(logging.WARNING), running() as door:
            head = door.head("POST /api/photos HTTP/1.1", door.cookie(), "Content-Length: 9")
            client = stack.enter_context(door.connect())
            client.sendall(head + b"x")
            wait_until(lambda: len(door.server.server_state.tasks) > 0)
        told = read_reply(client)

    assert told.status == 503
    assert told.headers["retry-after"] == "1"
    assert caplog.records == []
