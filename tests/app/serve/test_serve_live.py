"""The live view: over a WebSocket the newest frame wins, by requests one is in hand, and seats come
free by leaving or by silence.
"""

import asyncio
import functools
import multiprocessing
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, ParamSpec, cast

import cv2
import numpy as np
import pytest
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.types import Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from app.serve.api.live_routes import SILENCE_SECONDS, Close, LiveCalls, serve_live
from app.serve.api.problems import Problem, ProblemError
from app.serve.tracker_pool import (
    MAX_FRAME_BYTES,
    FrameRefusedError,
    LiveLostError,
    LiveReply,
    SentFrame,
    TrackerPool,
    TrackerProcess,
)
from solver.grid import parse_grid
from training.pages.flat_board import make_puzzle, render_board

GOOD = b"\xff\xd8\xff frame"


class FakeProcess:
    """Answers frames by what they say, and keeps what it was asked."""

    def __init__(self) -> None:
        self.begun = 0
        self.frames: list[bytes] = []
        self.is_killed = False
        self.may_answer = threading.Event()
        self.may_answer.set()

    def begin(self) -> None:
        """Note that a phone came."""
        self.begun += 1

    def ask(self, frame: SentFrame) -> LiveReply:
        """Answer, once that is allowed."""
        self.frames.append(frame.jpeg)
        assert self.may_answer.wait(20)
        if frame.jpeg == b"bad":
            raise FrameRefusedError
        if frame.jpeg == b"death":
            raise LiveLostError("it has died")
        return LiveReply(
            frame.number, "searching", 0.0, "." * 81, None, None, None, None, False, 640, 480, 0.01
        )

    def kill(self) -> None:
        """Note that it was ended."""
        self.is_killed = True


class Rig:
    """A server with a room, and the processes that were begun."""

    def __init__(self, seats: int = 1, silence_seconds: float = SILENCE_SECONDS) -> None:
        self.begun: list[FakeProcess] = []
        self.room = TrackerPool(seats, self._start)
        self.calls = LiveCalls(self.room, silence_seconds)
        self.heard = 0
        """Messages that phones have sent; to connect and to leave is one each."""
        self.application = Starlette(routes=[WebSocketRoute("/api/live", _Live(self))])

    def _start(self) -> TrackerProcess:
        self.begun.append(FakeProcess())
        return cast(TrackerProcess, self.begun[-1])


_P = ParamSpec("_P")


def in_a_loop(test: Callable[_P, Coroutine[Any, Any, None]]) -> Callable[_P, None]:
    """Let a test that waits be run."""

    @functools.wraps(test)
    def run(*arguments: _P.args, **named: _P.kwargs) -> None:
        asyncio.run(test(*arguments, **named))

    return run


@contextmanager
def _connecting(rig: Rig) -> Iterator[Callable[[], WebSocketTestSession]]:
    with TestClient(rig.application) as client:
        yield lambda: client.websocket_connect("/api/live")


def _closing_code(phone: WebSocketTestSession) -> int:
    with pytest.raises(WebSocketDisconnect) as caught:
        phone.receive_json()
    return caught.value.code


class _Live:
    """Serves the live view, and counts what phones send."""

    def __init__(self, rig: Rig) -> None:
        self._rig = rig

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def hear() -> Message:
            message = await receive()
            self._rig.heard += 1
            return message

        await serve_live(WebSocket(scope, hear, send), self._rig.room)


def _wait_until(is_so: Callable[[], bool]) -> None:
    for _ in range(6000):
        if is_so():
            return
        time.sleep(0.01)
    raise AssertionError("it never came about")


def test_each_frame_is_answered_by_its_number() -> None:
    rig = Rig(1)

    with _connecting(rig) as connect, connect() as phone:
        numbers = []
        for _ in range(3):
            phone.send_bytes(GOOD)
            numbers.append(phone.receive_json()["frame"])

    assert numbers == [1, 2, 3]
    assert rig.room.taken == 0


def test_of_frames_that_come_too_fast_the_newest_is_followed() -> None:
    rig = Rig(1)

    with _connecting(rig) as connect, connect() as phone:
        phone.send_bytes(GOOD)
        phone.receive_json()
        process = rig.begun[0]
        process.may_answer.clear()
        phone.send_bytes(GOOD + b"2")
        _wait_until(lambda: len(process.frames) == 2)
        for number in range(3, 8):
            phone.send_bytes(GOOD + str(number).encode())
        _wait_until(lambda: rig.heard == 8)
        process.may_answer.set()
        answered = [phone.receive_json()["frame"] for _ in range(2)]

    assert answered == [2, 7]
    assert process.frames == [GOOD, GOOD + b"2", GOOD + b"7"]


def test_a_phone_beyond_the_seats_is_told_so_and_may_come_later() -> None:
    rig = Rig(1)

    with _connecting(rig) as connect:
        with connect() as first:
            first.send_bytes(GOOD)
            first.receive_json()
            with connect() as second:
                assert _closing_code(second) == Close.BUSY
        _wait_until(lambda: rig.room.taken == 0)
        with connect() as third:
            third.send_bytes(GOOD)
            assert third.receive_json()["frame"] == 1

    # The process that served the first phone serves the third, which begins anew.
    assert len(rig.begun) == 1
    assert rig.begun[0].begun == 2


@pytest.mark.parametrize(
    ("send", "code"),
    [
        (lambda phone: phone.send_text("frame"), Close.UNSUPPORTED),
        (lambda phone: phone.send_bytes(bytes(MAX_FRAME_BYTES + 1)), Close.TOO_LARGE),
        (lambda phone: phone.send_bytes(b"bad"), Close.BAD_FRAME),
        (lambda phone: phone.send_bytes(b"death"), Close.LOST),
    ],
)
def test_what_ends_a_live_view_frees_its_seat(
    send: Callable[[WebSocketTestSession], None], code: Close
) -> None:
    rig = Rig(1)

    with _connecting(rig) as connect:
        with connect() as phone:
            send(phone)
            assert _closing_code(phone) == code
        _wait_until(lambda: rig.room.taken == 0)
        with connect() as next_one:
            next_one.send_bytes(GOOD)
            assert next_one.receive_json()["frame"] == 1

    if code == Close.LOST:
        assert [process.is_killed for process in rig.begun] == [True, False]


def test_a_phone_that_goes_while_a_frame_is_in_hand_leaves_the_seat_in_order() -> None:
    rig = Rig(1)

    with _connecting(rig) as connect:
        with connect() as phone:
            phone.send_bytes(GOOD)
            phone.receive_json()
            rig.begun[0].may_answer.clear()
            phone.send_bytes(GOOD)
            _wait_until(lambda: len(rig.begun[0].frames) == 2)
            phone.close()
            _wait_until(lambda: rig.heard == 4)
            assert rig.room.taken == 1  # its process still has the frame
            rig.begun[0].may_answer.set()
        _wait_until(lambda: rig.room.taken == 0)

    assert not rig.begun[0].is_killed


def test_a_room_that_is_closed_has_ended_its_processes_and_lets_nobody_in() -> None:
    rig = Rig(2)

    with _connecting(rig) as connect:
        with connect() as phone:
            phone.send_bytes(GOOD)
            phone.receive_json()
        _wait_until(lambda: rig.room.taken == 0)
        rig.room.close()

        with connect() as late:
            assert _closing_code(late) == Close.BUSY

    assert all(process.is_killed for process in rig.begun)


def _let_pass(seconds: float) -> None:
    """Let the clock of the loop go on at once."""
    loop: Any = asyncio.get_running_loop()
    later = loop.time() - time.monotonic() + seconds
    loop.time = lambda: time.monotonic() + later


async def _refusal(doing: Coroutine[Any, Any, LiveReply]) -> Problem:
    with pytest.raises(ProblemError) as caught:
        await doing
    return caught.value.problem


@in_a_loop
async def test_frames_of_a_view_are_answered_by_their_numbers() -> None:
    rig = Rig()
    numbers = [
        (await rig.calls.follow("a", "10.0.0.a", "1", GOOD, number)).frame for number in (1, 2, 9)
    ]
    await rig.calls.leave("a", "1")

    assert numbers == [1, 2, 9]
    assert len(rig.begun) == 1
    assert rig.room.taken == 0


@in_a_loop
async def test_one_of_several_seats_is_left_to_another_address() -> None:
    rig = Rig(seats=2)
    await rig.calls.follow("a", "10.0.0.1", "1", GOOD, 1)
    assert await _refusal(rig.calls.follow("b", "10.0.0.1", "1", GOOD, 1)) is Problem.BUSY

    assert (await rig.calls.follow("c", "10.0.0.2", "1", GOOD, 1)).frame == 1
    for client in "ac":
        await rig.calls.leave(client, "1")


@in_a_loop
async def test_a_second_view_waits_until_the_first_has_left() -> None:
    rig = Rig()
    await rig.calls.follow("a", "10.0.0.a", "1", GOOD, 1)
    assert await _refusal(rig.calls.follow("b", "10.0.0.b", "1", GOOD, 1)) is Problem.BUSY

    await rig.calls.leave("a", "1")

    assert (await rig.calls.follow("b", "10.0.0.b", "1", GOOD, 1)).frame == 1
    assert rig.begun[0].begun == 2
    await rig.calls.leave("b", "1")


@in_a_loop
async def test_a_phone_whose_page_was_loaded_anew_has_its_seat_at_once() -> None:
    rig = Rig()
    await rig.calls.follow("a", "10.0.0.a", "1", GOOD, 1)

    assert (await rig.calls.follow("a", "10.0.0.a", "2", GOOD, 1)).frame == 1

    assert rig.begun[0].begun == 2  # what was seen before is forgotten
    await rig.calls.leave("a", "1")  # of a page that is long gone
    assert rig.room.taken == 1
    await rig.calls.leave("a", "2")
    assert rig.room.taken == 0


@in_a_loop
async def test_a_view_that_falls_silent_has_left() -> None:
    rig = Rig(silence_seconds=60)
    await rig.calls.follow("a", "10.0.0.a", "1", GOOD, 1)

    _let_pass(61)
    while rig.room.taken:
        await asyncio.sleep(0.01)

    assert (await rig.calls.follow("b", "10.0.0.b", "1", GOOD, 1)).frame == 1
    await rig.calls.leave("b", "1")


@in_a_loop
async def test_a_view_that_goes_on_keeps_its_seat() -> None:
    rig = Rig(silence_seconds=600)
    for number in range(1, 10):
        await rig.calls.follow("a", "10.0.0.a", "1", GOOD, number)
        _let_pass(300)
        await asyncio.sleep(0.01)

    assert rig.room.taken == 1
    assert rig.begun[0].begun == 1
    await rig.calls.leave("a", "1")


@in_a_loop
async def test_one_frame_of_a_view_is_in_hand_at_a_time() -> None:
    rig = Rig()
    await rig.calls.follow("a", "10.0.0.a", "1", GOOD, 1)
    rig.begun[0].may_answer.clear()
    first = asyncio.ensure_future(rig.calls.follow("a", "10.0.0.a", "1", GOOD, 2))
    await asyncio.sleep(0)

    assert await _refusal(rig.calls.follow("a", "10.0.0.a", "1", GOOD, 3)) is Problem.TOO_FAST
    rig.begun[0].may_answer.set()
    assert (await first).frame == 2
    await rig.calls.leave("a", "1")


@pytest.mark.parametrize(
    ("jpeg", "problem"),
    [
        (b"bad", Problem.BAD_IMAGE),
        (b"death", Problem.BUSY),
        (bytes(MAX_FRAME_BYTES + 1), Problem.TOO_LARGE),
    ],
)
@in_a_loop
async def test_what_is_refused_is_named_and_the_next_frame_is_followed(
    jpeg: bytes, problem: Problem
) -> None:
    rig = Rig()

    assert await _refusal(rig.calls.follow("a", "10.0.0.a", "1", jpeg, 1)) is problem

    assert (await rig.calls.follow("a", "10.0.0.a", "1", GOOD, 2)).frame == 2
    assert len(rig.begun) == (2 if problem is Problem.BUSY else 1)
    await rig.calls.leave("a", "1")


def test_a_real_process_follows_and_reads_and_its_death_is_noticed() -> None:
    puzzle = make_puzzle(1, 30)
    board, _ = render_board(puzzle.clues, px=380)
    page = cv2.copyMakeBorder(board, 30, 30, 60, 60, cv2.BORDER_CONSTANT, value=(90, 100, 110))
    process = TrackerProcess()

    try:
        process.begin()
        drawn = None
        for number in range(1, 600):
            # The camera moves a little, as it does in a hand.
            frame = np.roll(page, number % 3, axis=1)
            jpeg = cv2.imencode(".jpg", frame)[1].tobytes()
            reply = process.ask(SentFrame(number, jpeg, time.monotonic()))
            assert reply.frame == number
            if reply.solution is not None:
                drawn = reply.solution
                break
            time.sleep(0.02)

        with pytest.raises(FrameRefusedError):
            process.ask(SentFrame(601, b"no frame", time.monotonic()))
        for child in multiprocessing.active_children():
            child.kill()
            child.join()
        with pytest.raises(LiveLostError):
            process.ask(SentFrame(602, jpeg, time.monotonic()))
    finally:
        process.kill()

    assert drawn is not None
    assert np.array_equal(parse_grid(drawn), puzzle.solution)
