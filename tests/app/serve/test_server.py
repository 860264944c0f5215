"""The server as a window uses it: begun and ended, and where phones find it."""

import http.client
import io
import ipaddress
import json
import os
import queue
import socket
import threading
import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from command_rig import PROJECT, SUPPORT, run_python
from planted_work import children_of

pytest.importorskip("fastapi", reason="the extra serve is not installed")
pytest.importorskip("segno", reason="the extra serve is not installed")

from app.recognition.outcome import Outcome
from app.recognition.results import PhotoResult
from app.serve.api.problems import Problem
from app.serve.server import (
    PhoneServer,
    ServeSettings,
    draw_code,
    find_lan_address,
    is_loopback,
    is_of_this_computer,
    is_public,
    make_url,
    own_names,
)
from app.terminal.exit_codes import UsageError
from app.workers.child_process import Talk

LOOPBACK = "127.0.0.1"
SETTINGS = ServeSettings(LOOPBACK, 0, workers=1, is_live=False)


class Phone:
    """A browser that has scanned the code."""

    def __init__(self, server: PhoneServer) -> None:
        self._place, _, path = server.url.removeprefix("http://").partition("/")
        response, _ = self.ask("GET", f"/{path}")
        self._cookie = (response.headers["set-cookie"] or "").partition(";")[0]

    def ask(
        self, method: str, path: str, body: bytes | None = None, kind: str = "image/*"
    ) -> tuple[http.client.HTTPResponse, bytes]:
        connection = http.client.HTTPConnection(self._place, timeout=60)
        cookie = getattr(self, "_cookie", "")
        connection.request(method, path, body, {"Cookie": cookie, "Content-Type": kind})
        response = connection.getresponse()
        data = response.read()
        connection.close()
        return response, data


@pytest.fixture
def server() -> Iterator[PhoneServer]:
    one = PhoneServer(SETTINGS)
    yield one
    one.stop()


@pytest.mark.slow
def test_a_photo_is_solved_told_of_and_kept(newspaper: Path, tmp_path: Path) -> None:
    told: queue.Queue[tuple[bytes, PhotoResult]] = queue.Queue()
    options = replace(SETTINGS, keep=tmp_path)
    server = PhoneServer(options, lambda data, result: told.put((data, result)))
    server.start()
    try:
        phone = Phone(server)
        response, answer = phone.ask("POST", "/api/photos", newspaper.read_bytes())
        session = json.loads(phone.ask("GET", "/api/session")[1])
        data, told_of = told.get(timeout=60)
    finally:
        server.stop()

    report = json.loads(answer)
    assert response.status == 200
    assert report["outcome"] == "solved"
    assert (data, told_of.outcome) == (newspaper.read_bytes(), Outcome.SOLVED)
    assert told.empty()
    assert session["keeps"]
    line, photo = sorted(tmp_path.iterdir(), key=lambda path: path.suffix == ".jpg")
    assert photo.read_bytes() == newspaper.read_bytes()
    assert report.pop("kept") is True
    assert json.loads(line.read_text()) == {"file": photo.name, **report}
    assert line.stem == photo.stem


@pytest.mark.slow
def test_the_process_behind_a_camera_says_as_much_as_is_wanted() -> None:
    # A process of its own has a stderr that no other test's capture can take away meanwhile.
    script = "import test_server; test_server.send_no_frame()"
    done = run_python("-c", script, paths=(PROJECT, SUPPORT, Path(__file__).parent), check=True)

    assert done.stdout.strip() == str(Problem.BAD_IMAGE.status)
    assert "a frame is refused" in done.stderr


def send_no_frame() -> None:
    """Send the live view what is no picture, and print the status of the answer."""
    settings = replace(SETTINGS, is_live=True, talk=Talk(1))
    server = PhoneServer(settings)
    server.start()
    try:
        frame = f"/api/live?view={uuid.uuid4()}&frame=1"
        response, _ = Phone(server).ask("POST", frame, b"no frame", "image/jpeg")
    finally:
        server.stop()
    print(response.status)


def test_nothing_is_left_when_it_ends(server: PhoneServer) -> None:
    before = set(threading.enumerate())
    server.start()
    assert len(children_of(os.getpid())) == 1

    server.stop()

    assert children_of(os.getpid()) == []
    assert {thread for thread in threading.enumerate() if thread.name != "MainThread"} <= before
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(server.url.split("/")[2].split(":"), timeout=5).close()  # type: ignore[arg-type]


def test_it_can_be_begun_and_ended_from_another_thread(server: PhoneServer) -> None:
    beginning = threading.Thread(target=server.start)
    beginning.start()
    beginning.join()

    response, data = Phone(server).ask("GET", "/api/health")

    assert response.status == 200
    assert json.loads(data)["status"] == "ok"
    server.check()
    ending = threading.Thread(target=server.stop)
    ending.start()
    ending.join()


def test_each_server_has_a_secret_of_its_own() -> None:
    first, second = PhoneServer(ServeSettings()), PhoneServer(ServeSettings())

    assert first.settings.token != second.settings.token
    assert len(first.settings.token) >= 32
    assert first.settings.token in first.url
    assert first.settings.token not in first.place


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_where_all_addresses_are_listened_on_one_that_phones_reach_is_told(host: str) -> None:
    assert host not in PhoneServer(replace(SETTINGS, host=host)).place


@pytest.mark.parametrize("host", ["198.51.100.7", "no-such-name.invalid", "a\udcffé..b"])
def test_an_address_of_another_computer_is_refused(host: str) -> None:
    with pytest.raises(UsageError, match=f"{host} is no address of this computer"):
        PhoneServer(replace(SETTINGS, host=host)).start()


def test_a_name_that_was_given_is_answered_to(server: PhoneServer) -> None:
    named = PhoneServer(replace(SETTINGS, names=("sudoku.home",)))
    named.start()
    try:
        port = int(named.place.rstrip("/").rpartition(":")[2])
        statuses = [ask_as(host, port) for host in ("sudoku.home", LOOPBACK, "evil.example")]
    finally:
        named.stop()

    assert statuses == [200, 200, 421]
    assert named.place == f"http://sudoku.home:{port}/"
    assert not named.is_local_only


def ask_as(host: str, port: int) -> int:
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=30)
    connection.request("GET", "/api/health", headers={"Host": f"{host}:{port}"})
    status = connection.getresponse().status
    connection.close()
    return status


@pytest.mark.parametrize(
    ("parts", "url"),
    [
        (("http", "192.168.1.20", 8765, None), "http://192.168.1.20:8765/"),
        (("http", "192.168.1.20", 8765, "abc"), "http://192.168.1.20:8765/?token=abc"),
        (("http", "192.168.1.20", 80, None), "http://192.168.1.20/"),
        (("https", "sudoku.home", 443, None), "https://sudoku.home/"),
        (("https", "sudoku.home", 80, None), "https://sudoku.home:80/"),
        (("http", "fd00::1", 8765, None), "http://[fd00::1]:8765/"),
    ],
)
def test_an_address_is_written_as_browsers_take_it(
    parts: tuple[str, str, int, str | None], url: str
) -> None:
    assert make_url(*parts) == url


def test_the_address_found_is_one_of_this_computer_that_others_may_reach() -> None:
    found = find_lan_address()

    if found is None:
        pytest.skip("this computer is in no network")
    assert not ipaddress.ip_address(found).is_loopback
    assert found in own_names()
    assert is_of_this_computer(found)


@pytest.mark.parametrize(
    ("address", "is_own"),
    [
        ("127.0.0.1", True),
        ("127.1.2.3", True),
        ("::1", True),
        ("::ffff:127.0.0.1", True),
        ("192.0.2.50", False),
        ("2001:db8::1", False),
        ("fe80::1%nowhere", False),
        ("testclient", False),
    ],
)
def test_a_client_of_this_computer_is_told_from_others(address: str, *, is_own: bool) -> None:
    assert is_of_this_computer(address) is is_own


def test_this_computer_is_always_known_by_its_own_names() -> None:
    assert {"localhost", "127.0.0.1", "::1"} <= own_names()


@pytest.mark.parametrize(
    ("host", "loopback", "public"),
    [
        ("127.0.0.1", True, False),
        ("localhost", True, False),
        ("::1", True, False),
        ("0.0.0.0", False, False),
        ("::", False, False),
        ("192.168.1.20", False, False),
        ("8.8.8.8", False, True),
        ("sudoku.home", False, False),
    ],
)
def test_who_can_reach_an_address_is_known(host: str, loopback: bool, public: bool) -> None:
    assert (is_loopback(host), is_public(host)) == (loopback, public)


class Screen(io.StringIO):
    """A terminal with an encoding."""

    def __init__(self, encoding: str) -> None:
        super().__init__()
        self._encoding = encoding

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding


def test_the_code_is_drawn_white_on_black_with_its_quiet_zone() -> None:
    screen = Screen("utf-8")

    draw_code("http://192.168.1.20:8765/?token=" + "a" * 32, screen)

    lines = screen.getvalue().splitlines()
    cells = [line.removeprefix("\x1b[97;40m").removesuffix("\x1b[0m") for line in lines]
    assert all(len(line) == len(cells[0]) == 2 * len(cells) - 1 for line in cells)
    assert set(cells[0] + cells[1]) == {"█"}
    assert all(line.startswith("████") and line.endswith("████") for line in cells[:-1])


def test_no_code_is_drawn_where_the_terminal_lacks_the_signs() -> None:
    screen = Screen("ascii")

    draw_code("http://192.168.1.20:8765/", screen)

    assert screen.getvalue() == ""
