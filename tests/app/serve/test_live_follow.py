"""A phone's camera, frame by frame: verified digits on that very frame, and nothing else."""

import cv2
import numpy as np
import pytest
from arrays import Image8
from filming import film
from present import present

from app.live.frame_recognition import recognise
from app.recognition.pipeline import Pipeline
from app.serve.api.problems import Problem, ProblemError
from app.serve.tracker_pool import LiveFollower, LiveReply
from solver.grid import parse_grid
from training.pages.flat_board import make_puzzle


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
