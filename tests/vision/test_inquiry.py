"""What the finder asks the digits of places, and what it makes of the answers."""

from collections.abc import Mapping

import numpy as np
import pytest

from vision.board import lattice_from_corners
from vision.classic_finder.candidate import BoardCandidate
from vision.classic_finder.inquiry import Answer, Inquiry
from vision.classic_finder.lattice import LatticeFit
from vision.classic_finder.windows import View


def fit_at(left: float, score: float) -> LatticeFit:
    """Return a lattice of 90×90 pixels."""
    corners = np.array([[left, 0], [left + 90, 0], [left + 90, 90], [left, 90]], np.float32)
    return LatticeFit(lattice_from_corners(corners), score, is_inverted=False)


class Oracle:
    """Answers by where a place begins, and remembers what was asked."""

    def __init__(self, answers: Mapping[int, Answer]) -> None:
        self._answers = answers
        self.asked: list[tuple[int, bool]] = []

    def __call__(self, candidate: BoardCandidate, looks_hard: bool) -> Answer:
        left = round(float(candidate.lattice[0, 0, 0]))
        self.asked.append((left, looks_hard))
        return self._answers.get(left, Answer.OPEN)


def test_a_doubtful_place_that_its_digits_confirm_is_sure() -> None:
    oracle = Oracle({0: Answer.BOARD})

    fits = Inquiry(oracle).confirm([fit_at(0, 0.8), fit_at(200, 0.75)])

    assert [fit.score for fit in fits] == [1, 0.75]
    assert oracle.asked == [(0, False)]


def test_a_clear_place_is_looked_at_hard_and_keeps_its_score() -> None:
    oracle = Oracle({0: Answer.BOARD})

    fits = Inquiry(oracle).confirm([fit_at(0, 0.95)])

    assert [fit.score for fit in fits] == [0.95]
    assert oracle.asked == [(0, True)]


def test_where_a_clear_place_is_denied_the_next_clear_one_is_asked() -> None:
    oracle = Oracle({0: Answer.NO_BOARD})
    inquiry = Inquiry(oracle)

    fits = inquiry.confirm([fit_at(0, 0.99), fit_at(200, 0.95)])

    assert oracle.asked == [(0, True), (200, True)]
    assert [fit.is_denied for fit in fits] == [True, False]
    assert [fit.score for fit in fits] == [0.99, 0.95]
    assert [fit.is_convincing for fit in fits] == [False, True]


@pytest.mark.parametrize("is_last", [False, True])
def test_where_a_clear_place_is_denied_a_doubtful_one_is_first_to_be_improved(
    is_last: bool,
) -> None:
    """It may begin a line late, and then its digits may tell a solution that is not the board's."""
    oracle = Oracle({0: Answer.NO_BOARD, 200: Answer.BOARD})

    fits = Inquiry(oracle).confirm([fit_at(0, 0.99), fit_at(200, 0.9)], is_last=is_last)

    assert oracle.asked == [(0, True)]
    assert [fit.score for fit in fits] == [0.99, 0.9]


def test_a_doubtful_place_is_not_denied() -> None:
    inquiry = Inquiry(Oracle({0: Answer.NO_BOARD}))

    fits = inquiry.confirm([fit_at(0, 0.9)])

    assert not fits[0].is_denied
    assert list(inquiry.denied) == []


@pytest.mark.parametrize("score", [0.8, 0.95])
def test_contradictions_are_remembered_and_denied_by_nobody(score: float) -> None:
    inquiry = Inquiry(Oracle({0: Answer.CONTRADICTION}))

    fits = inquiry.confirm([fit_at(0, score)])
    fits = inquiry.confirm(fits, is_last=True)

    assert [float(fit.lattice[0, 0, 0]) for fit in inquiry.contradictory] == [0]
    assert not fits[0].is_denied
    assert fits[0].score == score


def test_nothing_is_asked_twice() -> None:
    oracle = Oracle({})
    inquiry = Inquiry(oracle)

    for _ in range(2):
        inquiry.confirm([fit_at(0, 0.85)])
        inquiry.confirm([fit_at(0, 0.85)], is_last=True)

    assert oracle.asked == [(0, False), (0, True)]


def test_what_lies_where_a_place_was_denied_is_denied_in_every_picture() -> None:
    oracle = Oracle({0: Answer.NO_BOARD})
    inquiry = Inquiry(oracle)
    inquiry.confirm([fit_at(0, 0.99)])
    view = View(np.zeros((10, 10), np.uint8), 2.0, (-50, 0))
    in_view = [fit_at(1, 0.97).placed(2, 100), fit_at(200, 0.97).placed(2, 100)]

    fits = inquiry.confirm(in_view, view)

    assert [fit.is_denied for fit in fits] == [True, False]
    assert [left for left, _ in oracle.asked] == [0, 200]
    assert [fit.is_denied for fit in inquiry.mark([fit_at(1, 0.6), fit_at(10, 0.6)])] == [
        True,
        False,
    ]


def test_what_can_be_no_puzzle_is_told_beside_a_board_and_once() -> None:
    asked: list[int] = []

    def note(candidate: BoardCandidate) -> bool:
        left = round(float(candidate.lattice[0, 0, 0]))
        asked.append(left)
        return left == 200

    inquiry = Inquiry(Oracle({0: Answer.BOARD}), note)
    view = View(np.zeros((10, 10), np.uint8), 2.0, (-50, 0))
    places = [fit_at(left, 0.85).placed(2, 100) for left in (200, 300)]
    assert [inquiry.shows_no_puzzle(place, view) for place in places] == [False, False]
    inquiry.confirm([fit_at(0, 0.99)])

    for _ in range(2):
        assert [inquiry.shows_no_puzzle(place, view) for place in places] == [True, False]
    assert asked == [200, 300]


def test_without_anybody_to_ask_lines_alone_decide() -> None:
    fits = [fit_at(0, 0.99), fit_at(200, 0.8)]

    assert Inquiry(None).confirm(fits, is_last=True) == fits


class Others:
    """Says whether other boards are all that a photo shows, and counts how often it is asked."""

    def __init__(self, is_all: bool) -> None:
        self._is_all = is_all
        self.times_asked = 0

    def __call__(self) -> bool:
        self.times_asked += 1
        return self._is_all


@pytest.mark.parametrize("is_all", [True, False])
def test_other_boards_are_looked_for_once_where_the_first_stages_show_none(is_all: bool) -> None:
    others = Others(is_all)
    inquiry = Inquiry(Oracle({}), shows_others=others)

    asked = []
    for score in (0.6, 0.75, 0.9):
        inquiry.confirm([fit_at(0, score)])
        asked.append(others.times_asked)

    assert asked == [0, 1, 1]
    assert inquiry.is_over is is_all


def test_beside_a_board_others_need_not_be_looked_for() -> None:
    others = Others(is_all=True)
    inquiry = Inquiry(Oracle({0: Answer.BOARD}), shows_others=others)

    inquiry.confirm([fit_at(0, 0.95)])

    assert others.times_asked == 0
    assert not inquiry.is_over
