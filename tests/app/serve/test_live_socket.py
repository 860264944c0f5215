"""The live view of a server that runs: who is let in, what is refused, and that nothing is left."""

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from typing import Any

import cv2
import numpy as np
import pytest
from planted_work import children_of

pytest.importorskip("fastapi", reason="the extra serve is not installed")
pytest.importorskip("websockets", reason="the extra serve is not installed")

from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from app.serve.api.live_routes import Close
from app.serve.server import PhoneServer, ServerOptions, ServeSettings
from solver.grid import format_grid
from training.pages.flat_board import make_puzzle, render_board

PUZZLE = make_puzzle(1, 30)
PAGE = cv2.copyMakeBorder(
    render_board(PUZZLE.clues, 380)[0], 20, 20, 60, 60, cv2.BORDER_CONSTANT, value=(90, 100, 110)
)


def _frame(number: int) -> bytes:
    """Return a JPEG of the page, which a hand never holds quite still."""
    return cv2.imencode(".jpg", np.roll(PAGE, number % 3, axis=1))[1].tobytes()


@pytest.fixture(scope="module")
def server() -> Iterator[PhoneServer]:
    one = PhoneServer(ServerOptions("127.0.0.1", 0, settings=ServeSettings(workers=1)))
    one.start()
    yield one
    one.stop()


@contextmanager
def _filming(
    server: PhoneServer, origin: str | None = None, *, has_cookie: bool = True
) -> Iterator[ClientConnection]:
    place, _, path = server.url.removeprefix("http://").partition("/")
    headers = {"Origin": f"http://{place}" if origin is None else origin}
    if has_cookie:
        asking = HTTPConnection(place, timeout=20)
        asking.request("GET", f"/{path}")
        cookie = asking.getresponse().headers["set-cookie"] or ""
        headers["Cookie"] = cookie.partition(";")[0]
    with connect(f"ws://{place}/api/live", additional_headers=headers, open_timeout=20) as phone:
        yield phone


def _follow_until_solved(phone: ClientConnection) -> str:
    for number in range(1, 1000):
        phone.send(_frame(number))
        reply = json.loads(phone.recv(60))
        assert reply["frame"] == number
        if reply["solution"] is not None:
            return str(reply["solution"])
        time.sleep(0.02)
    raise AssertionError("it was never solved")


def test_a_phone_that_films_a_page_gets_its_solution(server: PhoneServer) -> None:
    with _filming(server) as phone:
        assert _follow_until_solved(phone) == format_grid(PUZZLE.solution)


@pytest.mark.parametrize(
    ("wishes", "status"),
    [({"has_cookie": False}, 401), ({"origin": "http://elsewhere.example"}, 403)],
)
def test_nobody_films_without_the_cookie_or_from_a_page_elsewhere(
    server: PhoneServer, wishes: dict[str, Any], status: int
) -> None:
    with pytest.raises(InvalidStatus) as caught, _filming(server, **wishes):
        pass

    assert caught.value.response.status_code == status


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ("a text", Close.UNSUPPORTED),
        (b"no picture", Close.BAD_FRAME),
        (_frame(0)[:400], Close.BAD_FRAME),
        (b"\xff\xd8\xff" + bytes(1_200_000), Close.TOO_LARGE),
    ],
)
def test_what_is_no_frame_ends_the_view(
    server: PhoneServer, message: str | bytes, code: Close
) -> None:
    with _filming(server) as phone:
        phone.send(message)
        with pytest.raises(ConnectionClosed):
            phone.recv(60)

        assert phone.protocol.close_code == code


@pytest.mark.slow
def test_a_server_that_ends_while_a_phone_films_leaves_nothing() -> None:
    server = PhoneServer(ServerOptions("127.0.0.1", 0, settings=ServeSettings(workers=1)))
    before = set(children_of(os.getpid()))
    server.start()

    with _filming(server) as phone:
        phone.send(_frame(1))
        phone.recv(60)
        assert len(set(children_of(os.getpid())) - before) == 2
        server.stop()
        with pytest.raises(ConnectionClosed):
            phone.recv(60)

    assert set(children_of(os.getpid())) == before


def test_where_there_is_no_live_view_nobody_films() -> None:
    settings = ServeSettings(workers=1, is_live=False)
    server = PhoneServer(ServerOptions("127.0.0.1", 0, settings=settings))
    server.start()

    try:
        with pytest.raises(InvalidStatus) as caught, _filming(server):
            pass
    finally:
        server.stop()

    assert caught.value.response.status_code == 403
