"""The live view of phones: seats, one frame in hand at a time, and what is drawn on it."""

import asyncio
import functools
import multiprocessing
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, ParamSpec, cast

import cv2
import numpy as np
import pytest
from arrays import Image8
from filming import film
from present import present

from app.live.frame_recognition import recognise
from app.recognition.pipeline import Pipeline
from app.serve.api.problems import Problem, ProblemError
from app.serve.tracker_pool import (
    MAX_FRAME_BYTES,
    SILENCE_SECONDS,
    LiveFollower,
    LiveReply,
    SentFrame,
    TrackerPool,
    make_tracker,
)
from app.workers.worker_pool import LostTaskError, WorkerPool
from solver.grid import parse_grid
from training.pages.flat_board import make_puzzle, render_board

GOOD = b"\xff\xd8\xff frame"


class FakeTracker:
    """Answers frames by what they say, and keeps what it was asked."""

    def __init__(self) -> None:
        self.begun = 0
        self.failure = None
        self.is_stopped = self.is_slow = False
        self.asked: Future[Any] = Future()

    def submit(self, frame: SentFrame | None) -> Future[Any]:
        """Answer, unless it is slow."""
        self.asked = Future()
        if frame is None:
            self.begun += 1
        elif not self.is_slow:
            self.answer(frame)
        return self.asked

    def answer(self, frame: SentFrame) -> None:
        """Answer the frame that was asked about last."""
        if frame.jpeg == b"bad":
            self.asked.set_result(Problem.BAD_IMAGE)
        elif frame.jpeg == b"death":
            self.asked.set_exception(LostTaskError("it has died", 0.1, was_told=False))
        else:
            unknown = (None, None, None, None)
            reply = ("searching", 0.0, "." * 81, *unknown, False, 640, 480, 0.01)
            self.asked.set_result(LiveReply(frame.number, *reply))

    def stop(self) -> None:
        """Note that it was ended."""
        self.is_stopped = True


class Rig:
    """A room, and the trackers that were begun."""

    def __init__(self, seats: int = 1, silence_seconds: float = SILENCE_SECONDS) -> None:
        self.begun: list[FakeTracker] = []
        self.pool = TrackerPool(seats, self._start, silence_seconds)

    async def follow(
        self, client: str, number: int = 1, view: str = "1", address: str = "", jpeg: bytes = GOOD
    ) -> LiveReply:
        """Show a client's frame, by default of a first view at an address of its own."""
        return await self.pool.follow(client, address or f"10.0.0.{client}", view, jpeg, number)

    def _start(self) -> WorkerPool:
        self.begun.append(FakeTracker())
        return cast(WorkerPool, self.begun[-1])


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
    numbers = [(await rig.follow("a", number)).frame for number in (1, 2, 9)]
    rig.pool.leave("a", "1")

    assert numbers == [1, 2, 9]
    assert len(rig.begun) == 1
    assert rig.pool.taken == 0


@in_a_loop
async def test_one_of_several_seats_is_left_to_another_address() -> None:
    rig = Rig(seats=2)
    await rig.follow("a", address="10.0.0.1")
    assert await _refusal(rig.follow("b", address="10.0.0.1")) is Problem.BUSY

    assert (await rig.follow("c", address="10.0.0.2")).frame == 1


@in_a_loop
async def test_a_second_view_waits_until_the_first_has_left() -> None:
    rig = Rig()
    await rig.follow("a")
    assert await _refusal(rig.follow("b")) is Problem.BUSY

    rig.pool.leave("a", "1")

    assert (await rig.follow("b")).frame == 1
    assert rig.begun[0].begun == 2


@in_a_loop
async def test_two_frames_of_a_new_view_sent_together_have_one_seat_and_one_process() -> None:
    rig = Rig(seats=4)
    await rig.follow("a")

    told = await asyncio.gather(
        *(rig.follow("a", number, view="2") for number in (1, 2)),
        return_exceptions=True,
    )

    assert isinstance(told[0], LiveReply)
    assert isinstance(told[1], ProblemError)
    assert told[1].problem is Problem.TOO_FAST
    assert rig.pool.taken == 1
    assert len(rig.begun) == 1


@in_a_loop
async def test_a_phone_whose_page_was_loaded_anew_has_its_seat_at_once() -> None:
    rig = Rig()
    await rig.follow("a")

    assert (await rig.follow("a", view="2")).frame == 1

    assert rig.begun[0].begun == 2  # what was seen before is forgotten
    rig.pool.leave("a", "1")  # of a page that is long gone
    assert rig.pool.taken == 1
    rig.pool.leave("a", "2")
    assert rig.pool.taken == 0


@in_a_loop
async def test_a_view_that_falls_silent_has_left() -> None:
    rig = Rig(silence_seconds=60)
    await rig.follow("a")

    _let_pass(61)
    while rig.pool.taken:
        await asyncio.sleep(0.01)

    assert (await rig.follow("b")).frame == 1


@in_a_loop
async def test_a_view_that_goes_on_keeps_its_seat() -> None:
    rig = Rig(silence_seconds=600)
    for number in range(1, 10):
        await rig.follow("a", number)
        _let_pass(300)
        await asyncio.sleep(0.01)

    assert rig.pool.taken == 1
    assert rig.begun[0].begun == 1


@in_a_loop
async def test_one_frame_of_a_view_is_in_hand_at_a_time() -> None:
    rig = Rig()
    await rig.follow("a")
    rig.begun[0].is_slow = True
    first = asyncio.ensure_future(rig.follow("a", 2))
    await asyncio.sleep(0)

    assert await _refusal(rig.follow("a", 3)) is Problem.TOO_FAST
    rig.begun[0].answer(SentFrame(2, GOOD, 0.0))
    assert (await first).frame == 2


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

    assert await _refusal(rig.follow("a", jpeg=jpeg)) is problem

    assert (await rig.follow("a", 2)).frame == 2
    assert rig.begun[0].begun == (2 if problem is Problem.BUSY else 1)


@in_a_loop
async def test_a_room_that_is_closed_has_ended_its_processes_and_lets_nobody_in() -> None:
    rig = Rig(seats=2)
    await rig.follow("a")
    rig.pool.leave("a", "1")

    rig.pool.close()

    assert await _refusal(rig.follow("b")) is Problem.BUSY
    assert all(tracker.is_stopped for tracker in rig.begun)


def test_a_real_process_follows_and_reads_and_is_replaced_where_it_dies() -> None:
    puzzle = make_puzzle(1, 30)
    board, _ = render_board(puzzle.clues, px=380)
    page = cv2.copyMakeBorder(board, 30, 30, 60, 60, cv2.BORDER_CONSTANT, value=(90, 100, 110))
    tracker = make_tracker()

    def ask(number: int, jpeg: bytes) -> Any:
        return tracker.submit(SentFrame(number, jpeg, time.monotonic())).result(60)

    try:
        drawn = None
        for number in range(1, 600):
            # The camera moves a little, as it does in a hand.
            frame = np.roll(page, number % 3, axis=1)
            jpeg = cv2.imencode(".jpg", frame)[1].tobytes()
            reply = ask(number, jpeg)
            assert reply.frame == number
            if reply.solution is not None:
                drawn = reply.solution
                break
            time.sleep(0.02)

        assert ask(601, b"no frame") is Problem.BAD_IMAGE
        assert ask(602, jpeg).lattice is not None
        tracker.submit(None)
        assert ask(603, jpeg).lattice is None  # another phone's, of which nothing was seen yet
        for child in multiprocessing.active_children():
            child.kill()
            child.join()
        assert ask(604, jpeg).lattice is None  # by another process
    finally:
        tracker.stop()

    assert drawn is not None
    assert np.array_equal(parse_grid(drawn), puzzle.solution)


def _encode(image: Image8, quality: int = 80) -> bytes:
    done, jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert done
    return jpeg.tobytes()


def _play(follower: LiveFollower, pipeline: Pipeline, frames: list[bytes]) -> list[LiveReply]:
    replies = []
    for number, jpeg in enumerate(frames):
        replies.append(follower.step(jpeg, number / 15, number + 1))
        request = follower.take_request()
        if request is not None:
            follower.session.accept(recognise(pipeline, request))
    return replies


def test_the_solution_is_drawn_where_the_board_lies_in_that_frame(pipeline: Pipeline) -> None:
    puzzle = make_puzzle(1, 30)
    shifts = [2.0 * number for number in range(10)]

    replies = _play(LiveFollower(), pipeline, [_encode(film(puzzle.clues, one)) for one in shifts])

    last = replies[-1]
    assert [reply.frame for reply in replies] == list(range(1, 11))
    assert (last.width, last.height) == (640, 480)
    assert (last.state, last.opacity) == ("solved", 1.0)
    assert np.array_equal(parse_grid(present(last.solution)), puzzle.solution)
    assert np.array_equal(parse_grid(last.digits), np.where(puzzle.clues > 0, 0, puzzle.solution))
    lattice = np.array(last.lattice)
    assert lattice.shape == (10, 10, 2)
    moved = lattice[0, 0] - np.array(next(one.lattice for one in replies if one.lattice))[0, 0]
    assert moved.min() > 4


def test_nothing_is_drawn_of_what_is_not_proved_yet(pipeline: Pipeline) -> None:
    follower = LiveFollower()
    frames = [_encode(film(make_puzzle(2, 30).clues, shift)) for shift in range(4)]

    for number, jpeg in enumerate(frames):
        reply = follower.step(jpeg, number / 15, number + 1)

        assert reply.opacity == 0.0
        assert reply.solution is None
        assert set(reply.digits) == {"."}


def test_two_solutions_are_none(pipeline: Pipeline) -> None:
    clues = make_puzzle(3, 30).clues
    clues.ravel()[np.flatnonzero(clues)[:14]] = 0

    replies = _play(LiveFollower(), pipeline, [_encode(film(clues, shift)) for shift in range(8)])

    assert {reply.solution for reply in replies} == {None}
    assert {reply.digits for reply in replies} == {"." * 81}


def test_a_frame_that_comes_twice_is_read_once(pipeline: Pipeline) -> None:
    follower, jpeg = LiveFollower(), _encode(film(make_puzzle(4, 30).clues))
    follower.step(jpeg, 0.0, 1)
    first = present(follower.take_request())
    follower.session.accept(recognise(pipeline, first))

    for number in range(2, 40):
        follower.step(jpeg, number / 15, number)

        assert follower.take_request() is None


def test_where_reading_fails_the_board_is_read_again() -> None:
    follower, clues = LiveFollower(), make_puzzle(5, 30).clues
    follower.step(_encode(film(clues)), 0.0, 1)
    assert follower.take_request() is not None

    follower.session.accept(None)
    follower.step(_encode(film(clues, 1.0)), 1.0, 2)

    assert follower.take_request() is not None


@pytest.mark.parametrize(
    "jpeg",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"\xff\xd8\xff" + bytes(100), id="no picture behind the first bytes"),
        pytest.param(_encode(np.zeros((480, 640, 3), np.uint8))[:300], id="cut off"),
        pytest.param(_encode(np.zeros((1200, 1920, 3), np.uint8)), id="too many pixels"),
        pytest.param(_encode(np.zeros((40, 640, 3), np.uint8)), id="too low"),
        pytest.param(
            cv2.imencode(".png", np.zeros((64, 64, 3), np.uint8))[1].tobytes(), id="a PNG"
        ),
    ],
)
def test_what_is_no_frame_is_refused(jpeg: bytes) -> None:
    with pytest.raises(ProblemError) as error:
        LiveFollower().step(jpeg, 0.0, 1)

    assert error.value.problem is Problem.BAD_IMAGE
