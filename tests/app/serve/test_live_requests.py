"""The live view of a server that runs: who is let in, what is refused, and that nothing is left."""

import json
import os
import time
import uuid
from http.client import HTTPConnection

import cv2
import numpy as np
import pytest
from planted_work import children_of

pytest.importorskip("fastapi", reason="the extra serve is not installed")

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


class Phone:
    """A phone that has scanned the code, and films."""

    def __init__(self, server: PhoneServer) -> None:
        place, _, path = server.url.removeprefix("http://").partition("/")
        self._connection = HTTPConnection(place, timeout=60)
        self._connection.request("GET", f"/{path}")
        response = self._connection.getresponse()
        response.read()
        self._cookie = (response.headers["set-cookie"] or "").partition(";")[0]
        self._view = uuid.uuid4()

    def send(self, number: int, jpeg: bytes) -> tuple[int, dict[str, object]]:
        """Send a frame; return the status and the answer."""
        headers = {"Cookie": self._cookie, "Content-Type": "image/jpeg"}
        address = f"/api/live?view={self._view}&frame={number}"
        self._connection.request("POST", address, jpeg, headers)
        response = self._connection.getresponse()
        return response.status, json.loads(response.read())


def _serve(*, is_live: bool = True) -> PhoneServer:
    settings = ServeSettings(workers=1, is_live=is_live)
    server = PhoneServer(ServerOptions("127.0.0.1", 0, settings=settings))
    server.start()
    return server


@pytest.mark.slow
def test_a_phone_that_films_a_page_gets_its_solution_and_a_server_that_ends_leaves_nothing() -> (
    None
):
    before = set(children_of(os.getpid()))
    server = _serve()
    phone = Phone(server)

    solution = None
    for number in range(1, 1000):
        status, reply = phone.send(number, _frame(number))
        assert (status, reply["frame"]) == (200, number)
        if (solution := reply["solution"]) is not None:
            break
        time.sleep(0.03)
    refused, problem = phone.send(1000, b"no picture")
    assert len(set(children_of(os.getpid())) - before) == 2
    server.stop()

    assert solution == format_grid(PUZZLE.solution)
    assert (refused, problem["code"]) == (422, "bad_image")
    assert set(children_of(os.getpid())) == before


def test_where_there_is_no_live_view_nobody_films() -> None:
    server = _serve(is_live=False)

    try:
        status, problem = Phone(server).send(1, _frame(1))
    finally:
        server.stop()

    assert (status, problem["code"]) == (404, "not_found")
