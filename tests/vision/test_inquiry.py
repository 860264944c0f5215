"""What the finder asks the digits of places, and what it makes of the answers."""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import pytest
from puzzles import EASY_GRID

from training.pages.flat_board import render_board
from vision.board import lattice_from_corners, move_lattice
from vision.classic_finder.inquiry import Answer, Inquiry, find_other_starts
from vision.classic_finder.lattice import BoardCandidate, LatticeFit
from vision.classic_finder.windows import View
from vision.finder.snap import build_pyramid
from vision.geometry import Points, quad_overlap


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
    for score in (0.6, 0.75, 0.6, 0.8, 0.9, 0.9):
        inquiry.confirm([fit_at(0, score)])
        asked.append(others.times_asked)

    assert asked[0] == 0
    assert asked[-1] == 1
    assert inquiry.is_over is is_all


def test_beside_a_board_others_need_not_be_looked_for() -> None:
    others = Others(is_all=True)
    inquiry = Inquiry(Oracle({0: Answer.BOARD}), shows_others=others)

    inquiry.confirm([fit_at(0, 0.95)])

    assert others.times_asked == 0
    assert not inquiry.is_over


def draw_row(boards: int, gap: float) -> tuple[npt.NDArray[np.uint8], list[Points]]:
    """Return a grey page with boards in a row, `gap` cells apart, and their corners."""
    photo, corners = render_board(EASY_GRID)
    left, top = (int(edge) for edge in np.floor(corners.min(axis=0)) - 3)
    right, bottom = (int(edge) for edge in np.ceil(corners.max(axis=0)) + 4)
    board = photo[top:bottom, left:right, 0]
    cell = float(corners[1, 0] - corners[0, 0]) / 9
    step, margin = round((9 + gap) * cell), round(2 * cell)
    page = np.full((board.shape[0] + 2 * margin, boards * step + 2 * margin), 255, np.uint8)
    places = []
    for number in range(boards):
        x = margin + number * step
        page[margin : margin + board.shape[0], x : x + board.shape[1]] = board
        places.append((corners - (left, top) + (x, margin)).astype(np.float32))
    return page, places


class Digits:
    """Confirms places that lie on boards and contradicts all others."""

    def __init__(self, boards: list[Points]) -> None:
        self._boards = boards
        self.asked = 0

    def __call__(self, candidate: BoardCandidate, looks_hard: bool) -> Answer:
        self.asked += 1
        on_board = max((quad_overlap(candidate.corners, one) for one in self._boards), default=0.0)
        return Answer.BOARD if on_board > 0.97 else Answer.CONTRADICTION


def test_a_board_is_found_line_by_line_from_where_two_of_them_look_like_one() -> None:
    page, places = draw_row(2, gap=0.9)
    between = LatticeFit(move_lattice(lattice_from_corners(places[0]), 5, 0), 0.95, False)
    inquiry = Inquiry(Digits(places))
    assert inquiry.ask(between) is Answer.CONTRADICTION

    found = find_other_starts(build_pyramid(page), 1.0, inquiry)

    assert len(found) == 1
    assert max(quad_overlap(place, found[0].corners) for place in places) > 0.97
    assert inquiry.mark([between])[0].is_denied


@pytest.mark.parametrize("step", [(1, 0), (0, -2), (1, -1)])
def test_a_doubtful_lattice_that_begins_late_leads_to_its_board(step: tuple[int, int]) -> None:
    page, places = draw_row(1, gap=0.0)
    board = lattice_from_corners(places[0])
    late = LatticeFit(move_lattice(board, step[1], step[0]), 0.7, False)
    inquiry = Inquiry(Digits(places))
    inquiry.ask(late)

    found = find_other_starts(build_pyramid(page), 1.0, inquiry)

    assert len(found) == 1
    assert quad_overlap(places[0], found[0].corners) > 0.97
    assert found[0].is_convincing


def test_a_board_with_a_mistake_stays_what_it_is() -> None:
    page, places = draw_row(1, gap=0.0)
    board = LatticeFit(lattice_from_corners(places[0]), 0.99, False)
    digits = Digits([])
    inquiry = Inquiry(digits)
    inquiry.ask(board)

    assert find_other_starts(build_pyramid(page), 1.0, inquiry) == []

    assert inquiry.mark([board])[0].is_convincing
    assert digits.asked == 1
