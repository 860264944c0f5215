"""The loop over the places of a photo: which are read, and what their digits say."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import cast

import numpy as np
import pytest
from arrays import Image8
from detector_rig import GivenDetector, seen_whole
from places_rig import Oracle, Page, Shown, candidate_at, lattice_at
from present import present
from puzzles import EASY_GRID

from app.recognition.detection_loop import PhotoRecognizer
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
from solver.rules import Kind, box_rules
from training.pages.flat_board import render_board
from training.rendered.photographed_decoys import render_decoy
from training.rendered.rendered_photos import render_photo
from vision.board import corners_from_lattice, lattice_from_corners, move_lattice
from vision.finder.detect import BoardFinder
from vision.finder.snap import BoardCandidate
from vision.finder.views import Look
from vision.geometry import Points, quad_overlap
from vision.quality import BoardQuality

ROOMY = np.zeros((90, 360, 3), np.uint8)
"""A photo of the area of four places."""


def ask(
    looks: Looks, options: PipelineOptions | None = None, shown: Shown | None = None
) -> PhotoRecognizer:
    return PhotoRecognizer(looks, options or PipelineOptions(), StageClock(), shown or Shown())


def test_a_board_solved_at_first_sight_is_not_read_again() -> None:
    oracle = Oracle(at_sight_from=0, hard_from=0)
    asked = ask(oracle)

    for _ in range(2):
        asked.ask(candidate_at(10))

    assert oracle.asked == [(10, True)]
    assert [float(board.lattice[0, 0, 0]) for board in asked.solved] == [10]


def test_a_hard_look_is_taken_once_whatever_comes_of_it() -> None:
    oracle = Oracle(at_sight_from=1000, hard_from=100)
    asked = ask(oracle)

    for left in (0, 0, 200, 200):
        asked.ask(candidate_at(left))

    assert oracle.asked == [(0, True), (0, False), (200, True), (200, False)]
    assert len(asked.solved) == 1


@pytest.mark.parametrize("away", [1, 40])
def test_a_place_on_a_solved_board_is_no_other_board(away: float) -> None:
    oracle = Oracle(at_sight_from=0, hard_from=0)
    asked = ask(oracle)
    asked.ask(candidate_at(0))

    asked.ask(candidate_at(away, 0.9))

    assert len(oracle.asked) == len(asked.solved) == 1


@pytest.mark.parametrize("is_named", [False, True])
def test_marks_tell_where_a_board_begins_unless_a_person_names_its_kind(is_named: bool) -> None:
    clues = np.ones((9, 9), np.uint8)
    clues[:, 8] = 0
    rules = box_rules(9, Kind.DIAGONAL)
    oracle = Oracle(at_sight_from=-1e6, hard_from=-1e6, clues=clues, rules=rules)
    asked = ask(oracle, PipelineOptions(kind="diagonal" if is_named else "auto"))

    asked.ask(candidate_at(0))

    assert bool(asked.solved) is not is_named


MIDDLE = {(row, column): 1 for row in range(2, 7) for column in range(9)}
"""Digits of a puzzle whose first and last two rows are empty."""


def is_believed(page: Oracle, shown: Shown | None = None) -> bool:
    asked = ask(page, shown=shown)
    asked.ask(candidate_at(0))
    return bool(asked.solved)


def test_a_line_is_empty_where_nothing_stands_beyond_the_one_opposite_either() -> None:
    assert is_believed(Page(MIDDLE))


@pytest.mark.parametrize("row", [-1, -2, 9, 10])
def test_digits_beyond_empty_lines_may_be_the_boards_own(row: int) -> None:
    """Where two of its lines are empty, a lattice may begin two lines late."""
    assert not is_believed(Page(MIDDLE | {(row, 4): 5}))


def test_of_two_starts_with_a_solution_each_neither_is_sure() -> None:
    assert not is_believed(Page(MIDDLE, solved_from=-1))


def test_what_lies_outside_of_the_picture_is_not_empty() -> None:
    page = Page(MIDDLE)
    page.quality = BoardQuality(30.0, np.full((9, 9), 200, np.float32), 1.0, 1.0, ("top",))

    assert not is_believed(page)


def test_a_board_begins_where_its_lines_are_clearest() -> None:
    """Digits beyond an empty line do not count where less of a board's lines are seen there."""
    page = Page(MIDDLE | {(-1, 4): 5})

    assert is_believed(page, Shown(clearest=0))


def test_boards_of_other_colours_beside_one_are_believed_as_any_other() -> None:
    oracle = Oracle(at_sight_from=0, hard_from=0)
    asked = ask(oracle, shown=Shown(10, 200, 400))
    asked.ask(candidate_at(10))

    asked.look_beside(ROOMY)

    assert [left for left, _ in oracle.asked] == [10, 200, 400]
    assert [float(board.lattice[0, 0, 0]) for board in asked.solved] == [10, 200, 400]


def test_what_cannot_be_solved_beside_a_board_is_none() -> None:
    oracle = Oracle(at_sight_from=250, hard_from=250)
    asked = ask(oracle, shown=Shown(100))
    asked.ask(candidate_at(300))

    asked.look_beside(ROOMY)

    assert 100 in {left for left, _ in oracle.asked}
    assert [float(board.lattice[0, 0, 0]) for board in asked.solved] == [300]


def test_beside_a_solved_board_none_is_read_that_goes_on_beyond_the_picture() -> None:
    oracle = Oracle(at_sight_from=-1000, hard_from=-1000)
    asked = ask(oracle, shown=Shown(-50, 200))
    asked.ask(candidate_at(10))

    asked.look_beside(ROOMY)

    assert [left for left, _ in oracle.asked] == [10, 200]


@pytest.mark.parametrize(
    ("coarse", "refined"), [(0.95, [False, False]), (0.9, [False, True, True])]
)
def test_a_lattice_aside_is_looked_at_as_closely_as_the_own_one(
    coarse: float, refined: list[bool]
) -> None:
    """Where only the finer sheet shows the own lines clearly, it must show those aside, too."""

    class Recorder(Shown):
        def __init__(self) -> None:
            super().__init__()
            self.refined: list[bool] = []

        def snap(self, lattice: Points, *, may_refine: bool = True) -> BoardCandidate:
            self.refined.append(may_refine)
            is_own = lattice[0, 0, 0] == 10
            return BoardCandidate(lattice, (0.98 if may_refine else coarse) * is_own, False)

    finder = Recorder()
    page = Oracle(0, 0, clues=np.pad(np.ones((9, 8), np.uint8), ((0, 0), (1, 0))))

    ask(page, shown=finder).ask(candidate_at(10))

    assert finder.refined == refined


class Creased(Shown):
    """Boards whose lines may as well run so many pixels further right."""

    def __init__(self, *aside: float) -> None:
        super().__init__()
        self._aside = aside

    def refit(self, found: BoardCandidate) -> Iterator[Points]:
        for right in self._aside:
            yield lattice_at(float(found.lattice[0, 0, 0]) + right)


@pytest.mark.parametrize(("solved_from", "solved_at"), [(12, [13]), (100, [])])
def test_an_unreadable_board_is_solved_on_the_lattice_that_shows_it_best(
    solved_from: float, solved_at: list[float]
) -> None:
    oracle = Oracle(solved_from, solved_from)
    asked = ask(oracle, shown=Creased(1, 3))

    asked.ask(candidate_at(10))

    assert [float(board.lattice[0, 0, 0]) for board in asked.solved] == solved_at
    assert [left for left, is_first in oracle.asked if is_first] == [10, 13]


@pytest.mark.parametrize("is_outside", [False, True])
def test_the_digits_choose_the_lattice(pipeline: Pipeline, *, is_outside: bool) -> None:
    photo, corners = render_board(EASY_GRID)
    lattice = lattice_from_corners(corners)
    clock = StageClock()
    reader = BoardReader(DigitReader.load(), DecodeLimits())
    looks = PhotoLooks(reader, pipeline.solve_reading, photo, clock)
    board = looks.glance(move_lattice(lattice, 4 if is_outside else 0.15, 0.15))
    near, far = move_lattice(lattice, 0.12, 0.12), move_lattice(lattice, 0.4, 0.4)

    assert looks.find_clearest(board, iter([far, near, lattice])) is (
        None if is_outside else lattice
    )
    assert looks.find_clearest(board, iter([far])) is None


@pytest.mark.parametrize("seed", [3310059, 3350037])
def test_a_board_on_creased_paper_is_solved(pipeline: Pipeline, seed: int) -> None:
    photo = render_photo(5, seed)

    (board,) = pipeline.solve_photo(photo.photo).boards

    assert np.array_equal(present(board.solution), photo.boards[0].solution)


def recognize(
    pipeline: Pipeline, image: Image8, detector: GivenDetector, max_places: int = 24
) -> PhotoResult:
    reader = BoardReader(DigitReader.load(), DecodeLimits())
    clock = StageClock()
    looks = PhotoLooks(reader, pipeline.solve_reading, image, clock)
    finder = BoardFinder(image, detector)
    options = PipelineOptions(max_boards=max_places)
    return PhotoRecognizer(looks, options, clock, finder).recognize(image)


def test_boards_of_a_rendered_photo_are_solved(pipeline: Pipeline) -> None:
    photo = render_photo(2, 700001, boards=2)

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
    missed = recognize(pipeline, np.full_like(photo, 200), never)

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
        oracle, PipelineOptions(), StageClock(), Shown(10), choose_looks=tuple
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

    def snap(self, lattice: Points, *, may_refine: bool = True) -> BoardCandidate:
        return replace(self._found, lattice=lattice)

    def refit(self, found: BoardCandidate) -> Iterator[Points]:
        return iter(())


def recognize_shown(
    image: Image8, finder: Misplaced, oracle: Oracle, looks: Sequence[Look] = (Look.WHOLE,)
) -> PhotoResult:
    options = PipelineOptions()
    recognizer = PhotoRecognizer(oracle, options, StageClock(), finder, lambda: looks)
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

    def find_counted(self, *_: object) -> Iterator[BoardCandidate]:
        return iter(())


@pytest.mark.parametrize(("side", "is_sudoku"), [(9, True), (6, True), (6, False)])
def test_a_clear_board_is_read_at_first_sight(side: int, is_sudoku: bool) -> None:
    oracle = Oracle(0, 0, rules=box_rules(side))
    others = OtherSides(cast(BoardFinder, Clear(side)), oracle, StageClock())
    looks = (Look.WHOLE,) if is_sudoku else ()

    result = PhotoRecognizer(
        oracle, PipelineOptions(), StageClock(), Clear(side), lambda: looks, others=others
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
    searched, beside_it = finder.looks[:4], finder.looks[4:]
    assert searched == [Look.LINES, Look.WHOLE, Look.TURNED, Look.PARTS]
    assert beside_it == [Look.WHOLE]


@pytest.mark.parametrize(("score", "looks_at_parts"), [(0.7, True), (0.95, False)])
def test_parts_are_looked_at_where_what_the_whole_shows_is_unclear_and_unsolved(
    score: float, looks_at_parts: bool
) -> None:
    photo, corners = render_board(EASY_GRID)
    finder = Misplaced(lattice_from_corners(corners), score)
    unsolved = Oracle(at_sight_from=9999, hard_from=9999)

    recognize_shown(photo, finder, unsolved, looks=(Look.WHOLE, Look.TURNED))

    assert (Look.PARTS in finder.looks) is looks_at_parts
