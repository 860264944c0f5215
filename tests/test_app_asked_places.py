"""Places that the finder asks about while it looks."""

from dataclasses import replace
from typing import Any, Protocol

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
from vision.quality import BoardQuality

Points = npt.NDArray[np.float32]


class Photo(Protocol):
    """Whoever knows what the places of a photo show."""

    def glance(self, lattice: Points) -> BoardResult:
        """Take a first look."""

    def look_closer(self, board: BoardResult) -> BoardResult:
        """Look again."""


def places_of(photo: Photo, max_doubt: float = 10.0) -> AskedPlaces:
    """Return the places of a photo of which none was asked."""
    return AskedPlaces(photo.glance, photo.look_closer, max_doubt)


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

    def glance(self, lattice: Points) -> BoardResult:
        """Solve what can be solved at first sight."""
        return self._solve(lattice, True)

    def look_closer(self, board: BoardResult) -> BoardResult:
        """Solve what can be solved by looking hard."""
        is_solved = board.outcome is Outcome.SOLVED
        return board if is_solved else self._solve(board.lattice, False)

    def _solve(self, lattice: Points, is_first_sight: bool) -> BoardResult:
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


class Reader(Oracle):
    """Reads the same on every lattice; boards right of a place are solved, as the oracle says."""

    def __init__(
        self, digits: int, likeliest: float, outcome: Outcome, solved_from: float = 1000
    ) -> None:
        super().__init__(solved_from, solved_from)
        shown = np.where(np.arange(81) < digits, np.arange(81) % 9 + 1, 0)
        self._probabilities = np.full((81, 19), (1 - likeliest) / 18, np.float32)
        self._probabilities[np.arange(81), shown] = likeliest
        self._outcome = outcome

    def _solve(self, lattice: Points, is_first_sight: bool) -> BoardResult:
        board = super()._solve(lattice, is_first_sight)
        if board.outcome is Outcome.SOLVED:
            return board
        cells = np.zeros((81, 32, 32), np.uint8)
        sheet = np.zeros((256, 256), np.uint8)
        reading = BoardReading(
            lattice,
            sheet,
            cells,
            self._probabilities,
            decode_clues(self._probabilities),
            board.entries,
            Basis.PRINT,
        )
        return replace(board, outcome=self._outcome, reading=reading)


def test_a_board_solved_at_first_sight_is_not_read_again() -> None:
    oracle = Oracle(at_sight_from=0, hard_from=0)
    asked = places_of(oracle)
    place = candidate_at(10)

    assert asked.answer(place, False) is Answer.BOARD
    assert asked.solve(place).outcome is Outcome.SOLVED

    assert oracle.asked == [(10, True)]
    assert [float(board.lattice[0, 0, 0]) for board in asked.solved] == [10]


def test_a_hard_look_is_taken_once_whatever_comes_of_it() -> None:
    oracle = Oracle(at_sight_from=1000, hard_from=100)
    asked = places_of(oracle)
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
    asked = places_of(oracle)
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
    asked = places_of(Oracle(at_sight_from=0, hard_from=0, clues=clues))
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
    read = Reader(20, likeliest, outcome)

    assert places_of(read).answer(candidate_at(0), looks_hard) is answer


@pytest.mark.parametrize(
    ("count", "likeliest", "has_no_digits"),
    [(0, 0.99, True), (8, 0.99, True), (9, 0.99, False), (30, 0.99, False), (30, 0.5, True)],
)
def test_a_place_without_digits_is_told_at_first_sight(
    count: int, likeliest: float, has_no_digits: bool
) -> None:
    reader = Reader(count, likeliest, Outcome.UNREADABLE)

    assert places_of(reader).has_no_digits(candidate_at(0)) is has_no_digits
    assert [is_first_sight for _, is_first_sight in reader.asked] == [True]


def test_no_place_is_looked_at_twice_in_the_same_way() -> None:
    reader = Reader(30, 0.3, Outcome.UNREADABLE)
    asked = places_of(reader)

    for _ in range(2):
        asked.has_no_digits(candidate_at(0))
        asked.answer(candidate_at(0), False)
        asked.answer(candidate_at(0), True)
        asked.solve(candidate_at(0))

    assert reader.asked == [(0, True), (0, False)]


class Page:
    """A puzzle's digits on a page of cells, of which only the lattice at the origin has a solution.

    Lines are counted from there; cells without digits are paper.
    """

    def __init__(self, digits: dict[tuple[int, int], int], *, solved_from: int = 0) -> None:
        self._digits = digits
        self._solved_from = solved_from
        self.quality: BoardQuality | None = None

    def glance(self, lattice: Points) -> BoardResult:
        """Show the cells of a lattice."""
        left, top = (round(float(edge) / 10) for edge in lattice[0, 0])
        clues = np.zeros((9, 9), np.uint8)
        for row, column in np.ndindex(9, 9):
            clues[row, column] = self._digits.get((row + top, column + left), 0)
        is_solved = left == 0 and self._solved_from <= top <= 0
        board = Oracle(at_sight_from=-1e6 if is_solved else 1e6, hard_from=1e6, clues=clues)
        return replace(board.glance(lattice), quality=None if is_solved else self.quality)

    def look_closer(self, board: BoardResult) -> BoardResult:
        """Show nothing more."""
        return board


MIDDLE = {(row, column): 1 for row in range(2, 7) for column in range(9)}
"""Digits of a puzzle whose first and last two rows are empty."""


def test_a_line_is_empty_where_nothing_stands_beyond_the_one_opposite_either() -> None:
    assert places_of(Page(MIDDLE)).answer(candidate_at(0), False) is Answer.BOARD


def test_of_a_clear_board_with_an_empty_line_nothing_more_is_read() -> None:
    oracle = Oracle(at_sight_from=-1e6, hard_from=-1e6, clues=np.zeros((9, 9), np.uint8))
    clear = replace(candidate_at(0), score=0.97)

    assert places_of(oracle).answer(clear, True) is Answer.OPEN
    assert len(oracle.asked) == 1


@pytest.mark.parametrize("row", [-1, -2, 9, 10])
def test_digits_beyond_empty_lines_may_be_the_boards_own(row: int) -> None:
    """Where two of its lines are empty, a lattice may begin two lines late."""
    page = Page(MIDDLE | {(row, 4): 5})

    assert places_of(page).answer(candidate_at(0), False) is Answer.OPEN


def test_of_two_starts_with_a_solution_each_neither_is_sure() -> None:
    page = Page(MIDDLE, solved_from=-1)

    assert places_of(page).answer(candidate_at(0), False) is Answer.OPEN


def test_what_lies_outside_of_the_picture_is_not_empty() -> None:
    page = Page(MIDDLE)
    page.quality = BoardQuality(30.0, np.full((9, 9), 200, np.float32), 1.0, 1.0, ("top",))

    assert places_of(page).answer(candidate_at(0), False) is Answer.OPEN


def test_a_place_that_lies_across_a_solved_board_is_none() -> None:
    oracle = Oracle(at_sight_from=0, hard_from=0)
    asked = places_of(oracle)
    asked.answer(candidate_at(0), False)

    assert asked.answer(candidate_at(40), True) is Answer.NO_BOARD
    assert len(oracle.asked) == 1


def test_beside_a_board_lines_without_digits_are_looked_at_once() -> None:
    reader = Reader(30, 0.8, Outcome.UNREADABLE, solved_from=400)
    asked = places_of(reader, 8.0)
    crossword, board, other = (candidate_at(left) for left in (0, 400, 200))

    for candidate in (crossword, board, other):
        asked.solve(candidate)

    assert reader.asked == [(0, True), (0, False), (400, True), (200, True)]


def test_beside_a_board_what_hardly_looks_like_one_is_looked_at_once() -> None:
    oracle = Oracle(at_sight_from=1000, hard_from=0)
    asked = places_of(oracle)
    first, likely, unlikely = (
        replace(candidate_at(left), score=score)
        for left, score in ((0, 0.5), (200, 0.6), (400, 0.5))
    )

    for candidate in (first, likely, unlikely):
        asked.solve(candidate)

    assert oracle.asked == [(0, True), (0, False), (200, True), (200, False), (400, True)]


def test_boards_come_in_the_order_of_the_finder() -> None:
    asked = places_of(Oracle(at_sight_from=0, hard_from=0))
    places = [candidate_at(left) for left in (0, 200, 400)]
    for place in (places[2], places[0], places[1]):
        asked.answer(place, False)

    ranked = asked.rank_solved([places[1], places[2]])

    assert [float(board.lattice[0, 0, 0]) for board in ranked] == [200, 400, 0]
