"""Places that the finder asks about while it looks."""

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from app.asked_places import AskedPlaces
from app.outcome import Outcome
from app.reading import BoardReading
from app.results import BoardResult
from solver.decode import decode_clues
from solver.grid import Grid
from solver.handwriting import Basis
from vision.board import corners_from_lattice, lattice_from_corners
from vision.candidate import BoardCandidate
from vision.inquiry import Answer

Points = npt.NDArray[np.float32]

_MAX_DOUBT = 10.0


def candidate_at(left: float) -> BoardCandidate:
    """Return a place of 90×90 pixels."""
    corners = np.array([[left, 0], [left + 90, 0], [left + 90, 90], [left, 90]], np.float32)
    lattice = lattice_from_corners(corners)
    return BoardCandidate(corners_from_lattice(lattice), lattice, 0.8, False)


class Oracle:
    """Solves the boards right of a place at first sight, those right of another by looking hard."""

    def __init__(self, at_sight_from: float, hard_from: float, clues: Grid | None = None) -> None:
        self._least = {True: at_sight_from, False: hard_from}
        self._clues = np.ones((9, 9), np.uint8) if clues is None else clues
        self.asked: list[tuple[float, bool]] = []

    def __call__(self, lattice: Points, is_first_sight: bool) -> BoardResult:
        left = float(lattice[0, 0, 0])
        self.asked.append((left, is_first_sight))
        is_solved = left >= self._least[is_first_sight]
        return BoardResult(
            outcome=Outcome.SOLVED if is_solved else Outcome.UNREADABLE,
            lattice=lattice,
            clues=self._clues,
            entries=np.zeros((9, 9), np.uint8),
            solution=np.ones((9, 9), np.uint8) if is_solved else None,
            confidence=0.0,
            corrected=(),
            solver=None,
            reading=None,
        )


def test_a_board_solved_at_first_sight_is_not_read_again() -> None:
    oracle = Oracle(at_sight_from=0, hard_from=0)
    asked = AskedPlaces(oracle, _MAX_DOUBT)
    place = candidate_at(10)

    assert asked.answer(place, False) is Answer.BOARD
    assert asked.solve(place).outcome is Outcome.SOLVED

    assert oracle.asked == [(10, True)]
    assert [float(board.lattice[0, 0, 0]) for board in asked.solved] == [10]


def test_a_hard_look_is_taken_once_whatever_comes_of_it() -> None:
    oracle = Oracle(at_sight_from=1000, hard_from=100)
    asked = AskedPlaces(oracle, _MAX_DOUBT)
    bad, good = candidate_at(0), candidate_at(200)

    assert asked.answer(bad, False) is Answer.OPEN
    assert asked.answer(bad, True) is Answer.OPEN
    assert asked.answer(good, False) is Answer.OPEN
    assert asked.answer(good, True) is Answer.BOARD
    assert asked.solve(bad).outcome is Outcome.UNREADABLE
    assert asked.solve(good).outcome is Outcome.SOLVED

    assert oracle.asked == [(0, True), (0, False), (200, True), (200, False)]
    assert len(asked.solved) == 1


def test_a_place_on_a_solved_board_is_no_other_board() -> None:
    oracle = Oracle(at_sight_from=0, hard_from=0)
    asked = AskedPlaces(oracle, _MAX_DOUBT)
    place = candidate_at(0)
    asked.answer(place, False)

    assert asked.answer(replace(place, score=0.9, lattice=place.lattice + 1), False) is Answer.OPEN
    assert asked.answer(replace(place, score=0.9, lattice=place.lattice + 1), True) is Answer.OPEN

    assert len(oracle.asked) == len(asked.solved) == 1


@pytest.mark.parametrize("edge", [np.s_[0], np.s_[8], np.s_[:, 0], np.s_[:, 8]])
@pytest.mark.parametrize("looks_hard", [False, True])
def test_what_is_empty_at_an_edge_is_not_believed_before_all_is_searched(
    edge: Any, looks_hard: bool
) -> None:
    clues = np.ones((9, 9), np.uint8)
    clues[edge] = 0
    asked = AskedPlaces(Oracle(at_sight_from=0, hard_from=0, clues=clues), _MAX_DOUBT)
    place = candidate_at(0)

    assert asked.answer(place, looks_hard) is Answer.OPEN
    assert asked.solved == []

    assert asked.solve(place).outcome is Outcome.SOLVED
    assert len(asked.solved) == 1


@pytest.mark.parametrize(
    ("likeliest", "outcome", "answer"),
    [
        (0.9, Outcome.UNREADABLE, Answer.OPEN),
        (0.99, Outcome.UNREADABLE, Answer.CONTRADICTION),
        (0.99, Outcome.AMBIGUOUS, Answer.OPEN),
        (0.99, Outcome.NO_SOLUTION, Answer.CONTRADICTION),
        (0.5, Outcome.UNREADABLE, Answer.NO_BOARD),
    ],
)
@pytest.mark.parametrize("looks_hard", [False, True])
def test_digits_that_are_not_legible_or_contradict_each_other_speak_against_a_board(
    likeliest: float, outcome: Outcome, answer: Answer, looks_hard: bool
) -> None:
    digits = np.where(np.arange(81) < 20, np.arange(81) % 9 + 1, 0)
    probabilities = np.full((81, 19), (1 - likeliest) / 18, np.float32)
    probabilities[np.arange(81), digits] = likeliest

    def read(lattice: Points, is_first_sight: bool) -> BoardResult:
        board = Oracle(at_sight_from=1000, hard_from=1000)(lattice, is_first_sight)
        cells = np.zeros((81, 32, 32), np.uint8)
        sheet = np.zeros((256, 256), np.uint8)
        decoding, entries = decode_clues(probabilities), board.entries
        reading = BoardReading(lattice, sheet, cells, probabilities, decoding, entries, Basis.PRINT)
        return replace(board, outcome=outcome, reading=reading)

    assert AskedPlaces(read, _MAX_DOUBT).answer(candidate_at(0), looks_hard) is answer


@pytest.mark.parametrize("edges", [(np.s_[0], np.s_[8]), (np.s_[:, 0], np.s_[:, 8])])
def test_a_line_is_empty_where_nothing_stands_beyond_the_one_opposite_either(
    edges: tuple[Any, Any],
) -> None:
    clues = np.ones((9, 9), np.uint8)
    for edge in edges:
        clues[edge] = 0
    oracle = Oracle(at_sight_from=-1000, hard_from=-1000, clues=clues)

    assert AskedPlaces(oracle, _MAX_DOUBT).answer(candidate_at(100), False) is Answer.BOARD
    assert len(oracle.asked) == 3


def test_beside_a_board_what_hardly_looks_like_one_is_looked_at_once() -> None:
    oracle = Oracle(at_sight_from=0, hard_from=0)
    asked = AskedPlaces(oracle, _MAX_DOUBT)
    first, likely, unlikely = (
        replace(candidate_at(left), score=score)
        for left, score in ((0, 0.5), (200, 0.6), (400, 0.5))
    )

    for candidate in (first, likely, unlikely):
        asked.solve(candidate)

    assert [is_first_sight for _, is_first_sight in oracle.asked] == [False, False, True]


def test_boards_come_in_the_order_of_the_finder() -> None:
    asked = AskedPlaces(Oracle(at_sight_from=0, hard_from=0), _MAX_DOUBT)
    places = [candidate_at(left) for left in (0, 200, 400)]
    for place in (places[2], places[0], places[1]):
        asked.answer(place, False)

    ranked = asked.rank_solved([places[1], places[2]])

    assert [float(board.lattice[0, 0, 0]) for board in ranked] == [200, 400, 0]
