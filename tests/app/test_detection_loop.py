"""The loop over the places of a photo: which are read, and what their digits say."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from arrays import Image8
from detector_rig import GivenDetector, seen_whole
from places_rig import Oracle, Page, Reader, Shown, candidate_at, lattice_at
from present import present
from puzzles import EASY_GRID

from app.recognition.detection_loop import Answer, PhotoRecognizer
from app.recognition.kinds.other_sides import OtherSides
from app.recognition.outcome import Outcome
from app.recognition.photo_looks import Looks, PhotoLooks
from app.recognition.pipeline import Pipeline
from app.recognition.pipeline_options import PipelineOptions
from app.recognition.reading import BoardReader
from app.recognition.results import PhotoResult
from app.recognition.timing import StageClock
from models.digits import DigitReader
from solver.decoding.decode import DecodeLimits
from solver.grid import check_solution, format_grid
from solver.rules import Kind, box_rules
from training.pages.flat_board import render_board
from training.rendered.photographed_decoys import render_decoy
from training.rendered.rendered_photos import render_photo
from vision.board import corners_from_lattice, lattice_from_corners, move_lattice
from vision.finder.detect import BoardFinder, Look
from vision.finder.snap import BoardCandidate
from vision.geometry import Points, quad_overlap
from vision.quality import BoardQuality

ROOMY = np.zeros((90, 360, 3), np.uint8)
"""A photo of the area of four places."""


def ask(
    looks: Looks, options: PipelineOptions | None = None, beside: Shown | None = None
) -> PhotoRecognizer:
    return PhotoRecognizer(looks, options or PipelineOptions(), StageClock(), lambda: beside)


def test_a_board_solved_at_first_sight_is_not_read_again() -> None:
    oracle = Oracle(at_sight_from=0, hard_from=0)
    asked = ask(oracle)
    place = candidate_at(10)

    assert asked.answer(place, False) is Answer.BOARD
    assert asked.solve(place).outcome is Outcome.SOLVED

    assert oracle.asked == [(10, True)]
    assert [float(board.lattice[0, 0, 0]) for board in asked.solved] == [10]


def test_a_hard_look_is_taken_once_whatever_comes_of_it() -> None:
    oracle = Oracle(at_sight_from=1000, hard_from=100)
    asked = ask(oracle)
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
    asked = ask(oracle)
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
    asked = ask(Oracle(at_sight_from=0, hard_from=0, clues=clues))
    place = candidate_at(0)

    assert asked.answer(place, looks_hard) is Answer.OPEN
    assert asked.solved == []

    assert asked.solve(place).outcome is Outcome.SOLVED
    assert len(asked.solved) == 1


@pytest.mark.parametrize(("is_named", "answer"), [(False, Answer.BOARD), (True, Answer.OPEN)])
def test_marks_tell_where_a_board_begins_unless_a_person_names_its_kind(
    is_named: bool, answer: Answer
) -> None:
    clues = np.ones((9, 9), np.uint8)
    clues[:, 8] = 0
    rules = box_rules(9, Kind.DIAGONAL)
    oracle = Oracle(at_sight_from=0, hard_from=0, clues=clues, rules=rules)
    asked = ask(oracle, PipelineOptions(kind="diagonal" if is_named else "auto"))

    assert asked.answer(candidate_at(0), False) is answer


@pytest.mark.parametrize(
    ("likeliest", "outcome", "answer"),
    [
        (0.9, Outcome.UNREADABLE, Answer.OPEN),
        (0.99, Outcome.UNREADABLE, Answer.OPEN),
        (0.99, Outcome.AMBIGUOUS, Answer.OPEN),
        (0.99, Outcome.NO_SOLUTION, Answer.OPEN),
        (0.5, Outcome.UNREADABLE, Answer.NO_BOARD),
    ],
)
@pytest.mark.parametrize("looks_hard", [False, True])
def test_only_digits_that_are_not_legible_deny_a_board(
    likeliest: float, outcome: Outcome, answer: Answer, looks_hard: bool
) -> None:
    read = Reader(20, likeliest, outcome)

    assert ask(read).answer(candidate_at(0), looks_hard) is answer


def test_no_place_is_looked_at_twice_in_the_same_way() -> None:
    reader = Reader(30, 0.3, Outcome.UNREADABLE)
    asked = ask(reader)

    for _ in range(2):
        asked.answer(candidate_at(0), False)
        asked.answer(candidate_at(0), True)
        asked.solve(candidate_at(0))

    assert reader.asked == [(0, True), (0, False)]


MIDDLE = {(row, column): 1 for row in range(2, 7) for column in range(9)}
"""Digits of a puzzle whose first and last two rows are empty."""


def test_a_line_is_empty_where_nothing_stands_beyond_the_one_opposite_either() -> None:
    assert ask(Page(MIDDLE)).answer(candidate_at(0), False) is Answer.BOARD


def test_of_a_clear_board_with_an_empty_line_nothing_more_is_read() -> None:
    oracle = Oracle(at_sight_from=-1e6, hard_from=-1e6, clues=np.zeros((9, 9), np.uint8))
    clear = candidate_at(0, 0.97)

    assert ask(oracle).answer(clear, True) is Answer.OPEN
    assert len(oracle.asked) == 1


@pytest.mark.parametrize("row", [-1, -2, 9, 10])
def test_digits_beyond_empty_lines_may_be_the_boards_own(row: int) -> None:
    """Where two of its lines are empty, a lattice may begin two lines late."""
    page = Page(MIDDLE | {(row, 4): 5})

    assert ask(page).answer(candidate_at(0), False) is Answer.OPEN


def test_of_two_starts_with_a_solution_each_neither_is_sure() -> None:
    page = Page(MIDDLE, solved_from=-1)

    assert ask(page).answer(candidate_at(0), False) is Answer.OPEN


def test_what_lies_outside_of_the_picture_is_not_empty() -> None:
    page = Page(MIDDLE)
    page.quality = BoardQuality(30.0, np.full((9, 9), 200, np.float32), 1.0, 1.0, ("top",))

    assert ask(page).answer(candidate_at(0), False) is Answer.OPEN


def test_a_place_that_lies_across_a_solved_board_is_none() -> None:
    oracle = Oracle(at_sight_from=0, hard_from=0)
    asked = ask(oracle)
    asked.answer(candidate_at(0), False)

    assert asked.answer(candidate_at(40), True) is Answer.NO_BOARD
    assert len(oracle.asked) == 1


def test_boards_of_other_colours_beside_one_are_believed_as_any_other() -> None:
    oracle = Oracle(at_sight_from=0, hard_from=0)
    asked = ask(oracle, beside=Shown(10, 200, 400))
    asked.answer(candidate_at(10), False)

    asked.look_beside(ROOMY)

    assert [left for left, _ in oracle.asked] == [10, 200, 400]
    assert [float(board.lattice[0, 0, 0]) for board in asked.solved] == [10, 200, 400]


def test_what_cannot_be_solved_beside_a_board_is_none() -> None:
    oracle = Oracle(at_sight_from=250, hard_from=250)
    asked = ask(oracle, beside=Shown(100))
    asked.answer(candidate_at(300), False)

    asked.look_beside(ROOMY)

    assert 100 in {left for left, _ in oracle.asked}
    assert [float(board.lattice[0, 0, 0]) for board in asked.solved] == [300]


@pytest.fixture(scope="module")
def pipeline() -> Pipeline:
    return Pipeline.load(PipelineOptions(finder="network"))


def recognize(
    pipeline: Pipeline, image: Image8, detector: GivenDetector, max_places: int = 24
) -> PhotoResult:
    reader = BoardReader(DigitReader.load(), DecodeLimits())
    clock = StageClock()
    looks = PhotoLooks(reader, pipeline.solve_reading, image, clock)
    finder = BoardFinder(image, detector)
    options = PipelineOptions(finder="network", max_boards=max_places)
    return PhotoRecognizer(looks, options, clock, lambda: finder).recognize(image)


def test_a_board_is_found_by_the_network_and_solved(pipeline: Pipeline) -> None:
    photo, corners = render_board(EASY_GRID)

    result = pipeline.solve_photo(photo)

    (board,) = result.boards
    assert result.outcome is Outcome.SOLVED
    assert format_grid(board.clues) == format_grid(EASY_GRID)
    assert not check_solution(EASY_GRID, present(board.solution))
    assert np.abs(board.corners - corners).max() < 3
    assert result.seconds["find"] > 0


@pytest.mark.parametrize("seed", [700001, 700002])
def test_boards_of_rendered_photos_are_solved(pipeline: Pipeline, seed: int) -> None:
    photo = render_photo(2, seed, boards=2)

    result = pipeline.solve_photo(photo.photo)

    solved = [board for board in result.boards if board.outcome is Outcome.SOLVED]
    assert len(solved) == len(photo.boards) == 2
    for truth in photo.boards:
        (board,) = [
            one
            for one in solved
            if quad_overlap(one.corners, corners_from_lattice(truth.lattice)) > 0.8
        ]
        assert np.array_equal(present(board.solution), truth.solution)


@pytest.mark.parametrize("kind", ["crossword", "chess_board"])
def test_nothing_is_claimed_of_what_is_no_board(pipeline: Pipeline, kind: str) -> None:
    result = pipeline.solve_photo(render_decoy(kind, 3, 2).photo)

    assert result.outcome is not Outcome.SOLVED
    assert all(board.solution is None for board in result.boards)


def test_a_lattice_that_begins_a_row_late_is_put_right(pipeline: Pipeline) -> None:
    photo, corners = render_board(EASY_GRID)
    lattice = move_lattice(lattice_from_corners(corners), 0, 1)
    detector = GivenDetector([seen_whole(lattice, photo)])

    (board,) = recognize(pipeline, photo, detector).boards

    assert board.outcome is Outcome.SOLVED
    assert np.abs(board.corners - corners).max() < 3


def test_further_looks_are_taken_only_while_no_board_is_solved(pipeline: Pipeline) -> None:
    photo, corners = render_board(EASY_GRID)
    at_once = GivenDetector([seen_whole(lattice_from_corners(corners), photo)])
    never = GivenDetector()

    solved = recognize(pipeline, photo, at_once)
    missed = recognize(pipeline, photo, never)

    assert solved.outcome is Outcome.SOLVED
    assert len(at_once.shown) == 1
    assert missed.outcome is Outcome.NO_BOARD
    assert len(never.shown) == 1 + 1 + 9  # whole, turned, and in nine parts


def test_no_more_places_are_read_than_are_allowed(pipeline: Pipeline) -> None:
    photo, corners = render_board(EASY_GRID)
    detector = GivenDetector([seen_whole(lattice_from_corners(corners), photo)])

    result = recognize(pipeline, photo, detector, max_places=0)

    assert result.outcome is Outcome.NO_BOARD
    assert result.candidates == ()


def test_a_photo_without_a_look_worth_taking_is_denied() -> None:
    oracle = Oracle(at_sight_from=0, hard_from=0)
    recognizer = PhotoRecognizer(
        oracle, PipelineOptions(), StageClock(), lambda: Shown(10), choose_looks=tuple
    )

    result = recognizer.recognize(np.full((100, 300, 3), 200, np.uint8))

    assert result.outcome is Outcome.NO_BOARD
    assert oracle.asked == []


class Misplaced:
    """A detector's finder that shows a lattice in one look, and remembers which were taken."""

    def __init__(self, lattice: Points, score: float, shown_in: Look = Look.WHOLE) -> None:
        self._found = BoardCandidate(lattice, score, is_inverted=False)
        self._shown_in = shown_in
        self.looks: list[Look] = []

    def find(self, look: Look, is_known: object) -> Iterator[BoardCandidate]:
        self.looks.append(look)
        if look is self._shown_in:
            yield self._found

    def find_clear(self, look: Look) -> Iterator[BoardCandidate]:
        return iter(())

    def find_others(self, look: Look, sides: object) -> Iterator[BoardCandidate]:
        return iter(())


def recognize_shown(
    image: Image8, finder: Misplaced, oracle: Oracle, looks: Sequence[Look] = (Look.WHOLE,)
) -> PhotoResult:
    options = PipelineOptions(finder="network")
    recognizer = PhotoRecognizer(oracle, options, StageClock(), lambda: finder, lambda: looks)
    return recognizer.recognize(image)


class Clear(Shown):
    """Boards that the detector shows clearly in the whole photo, of side 9 or another."""

    def __init__(self, side: int) -> None:
        super().__init__()
        self._place = BoardCandidate(lattice_at(10, side), 1.0, False)
        self._is_nine = side == 9

    def find_clear(self, look: Look) -> Iterator[BoardCandidate]:
        yield from [self._place] if self._is_nine else []

    def find_others(self, look: Look, sides: object) -> Iterator[BoardCandidate]:
        yield from [] if self._is_nine else [self._place]


@pytest.mark.parametrize(("side", "is_sudoku"), [(9, True), (6, True), (6, False)])
def test_a_clear_board_is_read_before_lines_are_followed(side: int, is_sudoku: bool) -> None:
    oracle = Oracle(0, 0, rules=None if side == 9 else box_rules(side))
    others = OtherSides(lambda: None, oracle, StageClock())
    looks = (Look.WHOLE,) if is_sudoku else ()

    result = PhotoRecognizer(
        oracle, PipelineOptions(), StageClock(), lambda: Clear(side), lambda: looks, others=others
    ).recognize(np.full((100, 100, 3), 200, np.uint8))

    assert oracle.asked == [(10, True)] * is_sudoku
    assert [len(board.lattice) - 1 for board in result.boards] == [side] * is_sudoku


def test_a_board_that_could_begin_a_line_further_on_is_not_believed() -> None:
    photo, corners = render_board(EASY_GRID)
    clues = np.ones((9, 9), np.uint8)
    clues[0] = 0
    oracle = Oracle(at_sight_from=0, hard_from=0, clues=clues)

    result = recognize_shown(photo, Misplaced(lattice_from_corners(corners), 1.0), oracle)

    assert result.outcome is Outcome.NO_BOARD


def test_parts_are_looked_at_where_the_whole_shows_no_lines() -> None:
    photo, corners = render_board(EASY_GRID)
    finder = Misplaced(lattice_from_corners(corners), 1.0, shown_in=Look.PARTS)

    result = recognize_shown(photo, finder, Oracle(0, 0), looks=(Look.WHOLE, Look.TURNED))

    assert result.outcome is Outcome.SOLVED
    *searched, beside_it = finder.looks
    assert searched == [Look.WHOLE, Look.TURNED, Look.PARTS]
    assert beside_it is Look.WHOLE


@pytest.mark.parametrize(("score", "looks_at_parts"), [(0.7, True), (0.95, False)])
def test_parts_are_looked_at_where_what_the_whole_shows_is_unclear_and_unsolved(
    score: float, looks_at_parts: bool
) -> None:
    photo, corners = render_board(EASY_GRID)
    finder = Misplaced(lattice_from_corners(corners), score)
    unsolved = Oracle(at_sight_from=9999, hard_from=9999)

    recognize_shown(photo, finder, unsolved, looks=(Look.WHOLE, Look.TURNED))

    assert (Look.PARTS in finder.looks) is looks_at_parts


def test_unclear_lines_do_not_tell_again_what_clear_ones_showed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Lines:
        best = None

        def __init__(self, image: Image8) -> None:
            """Take a photo whose lines are known."""

        def list_places(self) -> list[BoardCandidate]:
            return [candidate_at(0, 0.98), candidate_at(20, 0.6), candidate_at(200, 0.6)]

    monkeypatch.setattr("app.recognition.detection_loop.LineSearch", Lines)
    oracle = Oracle(at_sight_from=1000, hard_from=1000)

    PhotoRecognizer(oracle, PipelineOptions(), StageClock()).recognize(ROOMY)

    assert {left for left, _ in oracle.asked} == {0, 200}
