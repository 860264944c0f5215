"""`sudoku-lens serve` in a process of its own, and requests to it that no library would send."""

import contextlib
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

PROJECT: Final = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Reply:
    """What came back; status 0 where nothing did."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def code(self) -> str:
        """Of a problem; it must be one, told as such and telling nothing else."""
        assert self.headers["content-type"] == "application/problem+json"
        problem: dict[str, Any] = json.loads(self.body)
        assert set(problem) == {"type", "title", "status", "detail", "code"}
        assert problem["status"] == self.status
        code: str = problem["code"]
        return code


@dataclass
class Served:
    """A server that runs; who asks it does so from `source`, an address of the loopback."""

    process: "subprocess.Popen[str]"
    port: int
    token: str
    cookie: str = ""
    source: str = "127.0.0.1"

    def connect(self, source: str | None = None) -> socket.socket:
        """Open a connection, from another address of the loopback if one is named."""
        here = (source or self.source, 0)
        client = socket.create_connection(("127.0.0.1", self.port), 60, here)
        client.settimeout(60)
        return client

    def ask(
        self,
        target: str = "/api/session",
        method: str = "GET",
        body: bytes | None = None,
        source: str | None = None,
        **headers: str,
    ) -> Reply:
        """Send a request as it stands and read the whole answer; `_` in names of headers is `-`.

        The cookie goes along once there is one; a header that is empty is left out.
        """
        fields = {"Host": f"127.0.0.1:{self.port}", "Connection": "close", "Cookie": self.cookie}
        if body is not None:
            fields["Content-Length"] = str(len(body))
        fields.update({name.replace("_", "-"): value for name, value in headers.items()})
        lines = [f"{method} {target} HTTP/1.1", *(f"{k}: {v}" for k, v in fields.items() if v)]
        with self.connect(source) as client:
            with contextlib.suppress(ConnectionError):  # it may answer before it has read all
                client.sendall("\r\n".join([*lines, "", ""]).encode() + (body or b""))
            return read_reply(client)

    def post(self, target: str, body: bytes, content_type: str, **headers: str) -> Reply:
        """Send a body of a type."""
        return self.ask(target, "POST", body, Content_Type=content_type, **headers)

    def solve(self, picture: bytes, **headers: str) -> Reply:
        """Send a photo."""
        return self.post("/api/photos", picture, "application/octet-stream", **headers)

    def come_anew(self, number: int) -> None:
        """Be a phone that has never been here, so with the full measure of requests."""
        self.source = f"127.0.{1 + number // 250}.{1 + number % 250}"
        self.cookie = self.sign_in()

    def sign_in(self, source: str | None = None) -> str:
        """Show the token and return the cookie that a new phone gets."""
        reply = self.ask(f"/?token={self.token}", source=source, Cookie="")
        assert reply.status == 303
        return reply.headers["set-cookie"].partition(";")[0]

    def is_up(self) -> bool:
        """Tell whether the very process that was begun still answers."""
        return self.process.poll() is None and self.ask("/api/health").status == 200

    def resident_mb(self) -> float:
        """Return what the server's own process holds, without its workers."""
        with Path(f"/proc/{self.process.pid}/statm").open() as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def read_reply(client: socket.socket) -> Reply:
    """Read until the other side closes."""
    got = bytearray()
    with contextlib.suppress(ConnectionError):
        while piece := client.recv(65536):
            got += piece
    head, _, body = bytes(got).partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    pairs = (line.partition(": ") for line in lines)
    headers = {name.lower(): value for name, _, value in pairs}
    return Reply(int(first.split()[1]) if first else 0, headers, body)


@contextlib.contextmanager
def serving(*arguments: str | Path) -> Iterator[Served]:
    """Run the command on a free port of the loopback, with one worker, and end it."""
    command = [sys.executable, "-m", "app", "serve", "--host", "127.0.0.1", "--port", "0", "-q"]
    process = subprocess.Popen(
        [*command, "--workers", "1", *map(str, arguments)],
        cwd=PROJECT,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        url = urlsplit(process.stdout.readline().strip())
        assert url.port is not None, "the server has not started"
        served = Served(process, url.port, parse_qs(url.query)["token"][0])
        served.cookie = served.sign_in()
        yield served
    finally:
        process.terminate()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()
