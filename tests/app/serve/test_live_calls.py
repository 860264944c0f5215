"""The live view by requests: one frame of a view at a time, and seats that come free by silence."""

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, cast

import pytest

pytest.importorskip("fastapi", reason="the extra serve is not installed")

from app.serve.api.live_routes import SILENCE_SECONDS, LiveCalls
from app.serve.api.problems import Problem, ProblemError
from app.serve.host.tracker_pool import (
    MAX_FRAME_BYTES,
    FrameRefusedError,
    LiveLostError,
    LiveProcess,
    LiveReply,
    LiveRoom,
    SentFrame,
)

GOOD = b"\xff\xd8\xff frame"


class FakeProcess:
    """Answers frames by what they say."""

    def __init__(self) -> None:
        self.may_answer = threading.Event()
        self.may_answer.set()
        self.begun = 0

    def begin(self) -> None:
        """Note that a phone came."""
        self.begun += 1

    def ask(self, frame: SentFrame) -> LiveReply:
        """Answer, once that is allowed."""
        assert self.may_answer.wait(20)
        if frame.jpeg == b"bad":
            raise FrameRefusedError
        if frame.jpeg == b"death":
            raise LiveLostError("it has died")
        return LiveReply(
            frame.number, "searching", 0.0, "." * 81, None, None, None, None, False, 640, 480, 0.01
        )

    def kill(self) -> None:
        """End."""


class Rig:
    """A room with one seat, or more."""

    def __init__(self, silence_seconds: float = SILENCE_SECONDS, seats: int = 1) -> None:
        self.begun: list[FakeProcess] = []
        self.room = LiveRoom(seats, self._start)
        self.calls = LiveCalls(self.room, silence_seconds)

    def _start(self) -> LiveProcess:
        self.begun.append(FakeProcess())
        return cast(LiveProcess, self.begun[-1])


def _run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


async def _refusal(doing: Coroutine[Any, Any, LiveReply]) -> Problem:
    with pytest.raises(ProblemError) as caught:
        await doing
    return caught.value.problem


def test_frames_of_a_view_are_answered_by_their_numbers() -> None:
    async def work() -> None:
        rig = Rig()
        numbers = [
            (await rig.calls.follow("a", "10.0.0.a", "1", GOOD, number)).frame
            for number in (1, 2, 9)
        ]
        await rig.calls.leave("a", "1")

        assert numbers == [1, 2, 9]
        assert len(rig.begun) == 1
        assert rig.room.taken == 0

    _run(work())


def test_one_of_several_seats_is_left_to_another_address() -> None:
    async def work() -> None:
        rig = Rig(seats=2)
        await rig.calls.follow("a", "10.0.0.1", "1", GOOD, 1)
        assert await _refusal(rig.calls.follow("b", "10.0.0.1", "1", GOOD, 1)) is Problem.BUSY

        assert (await rig.calls.follow("c", "10.0.0.2", "1", GOOD, 1)).frame == 1
        for client in "ac":
            await rig.calls.leave(client, "1")

    _run(work())


def test_a_second_view_waits_until_the_first_has_left() -> None:
    async def work() -> None:
        rig = Rig()
        await rig.calls.follow("a", "10.0.0.a", "1", GOOD, 1)
        assert await _refusal(rig.calls.follow("b", "10.0.0.b", "1", GOOD, 1)) is Problem.BUSY

        await rig.calls.leave("a", "1")

        assert (await rig.calls.follow("b", "10.0.0.b", "1", GOOD, 1)).frame == 1
        assert rig.begun[0].begun == 2
        await rig.calls.leave("b", "1")

    _run(work())


def test_a_phone_whose_page_was_loaded_anew_has_its_seat_at_once() -> None:
    async def work() -> None:
        rig = Rig()
        await rig.calls.follow("a", "10.0.0.a", "1", GOOD, 1)

        assert (await rig.calls.follow("a", "10.0.0.a", "2", GOOD, 1)).frame == 1

        assert rig.begun[0].begun == 2  # what was seen before is forgotten
        await rig.calls.leave("a", "1")  # of a page that is long gone
        assert rig.room.taken == 1
        await rig.calls.leave("a", "2")
        assert rig.room.taken == 0

    _run(work())


def test_a_view_that_falls_silent_has_left() -> None:
    async def work() -> None:
        rig = Rig(silence_seconds=0.1)
        await rig.calls.follow("a", "10.0.0.a", "1", GOOD, 1)

        async with asyncio.timeout(60):
            while rig.room.taken:
                await asyncio.sleep(0.01)

        assert (await rig.calls.follow("b", "10.0.0.b", "1", GOOD, 1)).frame == 1
        await rig.calls.leave("b", "1")

    _run(work())


def test_a_view_that_goes_on_keeps_its_seat() -> None:
    async def work() -> None:
        rig = Rig(silence_seconds=2.0)
        for number in range(1, 10):
            await rig.calls.follow("a", "10.0.0.a", "1", GOOD, number)
            await asyncio.sleep(0.3)

        assert rig.room.taken == 1
        assert rig.begun[0].begun == 1
        await rig.calls.leave("a", "1")

    _run(work())


def test_one_frame_of_a_view_is_in_hand_at_a_time() -> None:
    async def work() -> None:
        rig = Rig()
        await rig.calls.follow("a", "10.0.0.a", "1", GOOD, 1)
        rig.begun[0].may_answer.clear()
        first = asyncio.ensure_future(rig.calls.follow("a", "10.0.0.a", "1", GOOD, 2))
        await asyncio.sleep(0)

        assert await _refusal(rig.calls.follow("a", "10.0.0.a", "1", GOOD, 3)) is Problem.TOO_FAST
        rig.begun[0].may_answer.set()
        assert (await first).frame == 2
        await rig.calls.leave("a", "1")

    _run(work())


@pytest.mark.parametrize(
    ("jpeg", "problem"),
    [
        (b"bad", Problem.BAD_IMAGE),
        (b"death", Problem.BUSY),
        (bytes(MAX_FRAME_BYTES + 1), Problem.TOO_LARGE),
    ],
)
def test_what_is_refused_is_named_and_the_next_frame_is_followed(
    jpeg: bytes, problem: Problem
) -> None:
    async def work() -> None:
        rig = Rig()

        assert await _refusal(rig.calls.follow("a", "10.0.0.a", "1", jpeg, 1)) is problem

        assert (await rig.calls.follow("a", "10.0.0.a", "1", GOOD, 2)).frame == 2
        assert len(rig.begun) == (2 if problem is Problem.BUSY else 1)
        await rig.calls.leave("a", "1")

    _run(work())
