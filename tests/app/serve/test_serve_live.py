"""The live view: one frame of a phone is in hand, and seats come free by leaving or by silence."""

import asyncio
import functools
import multiprocessing
import threading
import time
from collections.abc import Callable, Coroutine
from typing import Any, ParamSpec, cast

import cv2
import numpy as np
import pytest

from app.serve.api.problems import Problem, ProblemError
from app.serve.tracker_pool import (
    MAX_FRAME_BYTES,
    SILENCE_SECONDS,
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
            raise ProblemError(Problem.BAD_IMAGE)
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
        self.pool = TrackerPool(seats, self._start, silence_seconds)

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
        (await rig.pool.follow("a", "10.0.0.a", "1", GOOD, number)).frame for number in (1, 2, 9)
    ]
    await rig.pool.leave("a", "1")

    assert numbers == [1, 2, 9]
    assert len(rig.begun) == 1
    assert rig.pool.taken == 0


@in_a_loop
async def test_one_of_several_seats_is_left_to_another_address() -> None:
    rig = Rig(seats=2)
    await rig.pool.follow("a", "10.0.0.1", "1", GOOD, 1)
    assert await _refusal(rig.pool.follow("b", "10.0.0.1", "1", GOOD, 1)) is Problem.BUSY

    assert (await rig.pool.follow("c", "10.0.0.2", "1", GOOD, 1)).frame == 1
    for client in "ac":
        await rig.pool.leave(client, "1")


@in_a_loop
async def test_a_second_view_waits_until_the_first_has_left() -> None:
    rig = Rig()
    await rig.pool.follow("a", "10.0.0.a", "1", GOOD, 1)
    assert await _refusal(rig.pool.follow("b", "10.0.0.b", "1", GOOD, 1)) is Problem.BUSY

    await rig.pool.leave("a", "1")

    assert (await rig.pool.follow("b", "10.0.0.b", "1", GOOD, 1)).frame == 1
    assert rig.begun[0].begun == 2
    await rig.pool.leave("b", "1")


@in_a_loop
async def test_two_frames_of_a_new_view_sent_together_have_one_seat_and_one_process() -> None:
    rig = Rig(seats=4)
    await rig.pool.follow("a", "10.0.0.1", "1", GOOD, 1)

    told = await asyncio.gather(
        *(rig.pool.follow("a", "10.0.0.1", "2", GOOD, number) for number in (1, 2)),
        return_exceptions=True,
    )

    assert isinstance(told[0], LiveReply)
    assert isinstance(told[1], ProblemError)
    assert told[1].problem is Problem.TOO_FAST
    assert rig.pool.taken == 1
    assert len(rig.begun) == 1
    await rig.pool.leave("a", "2")


@in_a_loop
async def test_a_phone_whose_page_was_loaded_anew_has_its_seat_at_once() -> None:
    rig = Rig()
    await rig.pool.follow("a", "10.0.0.a", "1", GOOD, 1)

    assert (await rig.pool.follow("a", "10.0.0.a", "2", GOOD, 1)).frame == 1

    assert rig.begun[0].begun == 2  # what was seen before is forgotten
    await rig.pool.leave("a", "1")  # of a page that is long gone
    assert rig.pool.taken == 1
    await rig.pool.leave("a", "2")
    assert rig.pool.taken == 0


@in_a_loop
async def test_a_view_that_falls_silent_has_left() -> None:
    rig = Rig(silence_seconds=60)
    await rig.pool.follow("a", "10.0.0.a", "1", GOOD, 1)

    _let_pass(61)
    while rig.pool.taken:
        await asyncio.sleep(0.01)

    assert (await rig.pool.follow("b", "10.0.0.b", "1", GOOD, 1)).frame == 1
    await rig.pool.leave("b", "1")


@in_a_loop
async def test_a_view_that_goes_on_keeps_its_seat() -> None:
    rig = Rig(silence_seconds=600)
    for number in range(1, 10):
        await rig.pool.follow("a", "10.0.0.a", "1", GOOD, number)
        _let_pass(300)
        await asyncio.sleep(0.01)

    assert rig.pool.taken == 1
    assert rig.begun[0].begun == 1
    await rig.pool.leave("a", "1")


@in_a_loop
async def test_one_frame_of_a_view_is_in_hand_at_a_time() -> None:
    rig = Rig()
    await rig.pool.follow("a", "10.0.0.a", "1", GOOD, 1)
    rig.begun[0].may_answer.clear()
    first = asyncio.ensure_future(rig.pool.follow("a", "10.0.0.a", "1", GOOD, 2))
    await asyncio.sleep(0)

    assert await _refusal(rig.pool.follow("a", "10.0.0.a", "1", GOOD, 3)) is Problem.TOO_FAST
    rig.begun[0].may_answer.set()
    assert (await first).frame == 2
    await rig.pool.leave("a", "1")


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

    assert await _refusal(rig.pool.follow("a", "10.0.0.a", "1", jpeg, 1)) is problem

    assert (await rig.pool.follow("a", "10.0.0.a", "1", GOOD, 2)).frame == 2
    assert len(rig.begun) == (2 if problem is Problem.BUSY else 1)
    await rig.pool.leave("a", "1")


@in_a_loop
async def test_a_room_that_is_closed_has_ended_its_processes_and_lets_nobody_in() -> None:
    rig = Rig(seats=2)
    await rig.pool.follow("a", "10.0.0.a", "1", GOOD, 1)
    await rig.pool.leave("a", "1")

    rig.pool.close()

    assert await _refusal(rig.pool.follow("b", "10.0.0.b", "1", GOOD, 1)) is Problem.BUSY
    assert all(process.is_killed for process in rig.begun)


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

        with pytest.raises(ProblemError):
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
