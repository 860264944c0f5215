"""The loop over the places that the detector shows, with the networks that ship."""

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
import pytest
from detector_rig import GivenDetector, seen_whole
from places_rig import Oracle, Shown
from puzzles import EASY_GRID

from app.recognition.detection_loop import PhotoLooks, PhotoRecognizer
from app.recognition.outcome import Outcome
from app.recognition.pipeline import Pipeline
from app.recognition.pipeline_options import PipelineOptions
from app.recognition.reading import BoardReader
from app.recognition.results import PhotoResult
from app.recognition.timing import StageClock
from models.digits import DigitReader
from solver.decoding.decode import DecodeLimits
from solver.grid import check_solution, format_grid
from training.pages.flat_board import render_board
from training.rendered.photographed_decoys import render_decoy
from training.rendered.rendered_photos import render_photo
from vision.board import corners_from_lattice, lattice_from_corners, move_lattice
from vision.finder.detect import BoardFinder, Look
from vision.finder.snap import BoardCandidate
from vision.geometry import Points, quad_overlap

Image8 = npt.NDArray[np.uint8]


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
    assert board.solution is not None
    assert not check_solution(EASY_GRID, board.solution)
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
        assert board.solution is not None
        assert np.array_equal(board.solution, truth.solution)


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

    def find(self, look: Look, known: object = ()) -> Iterator[BoardCandidate]:
        self.looks.append(look)
        if look is self._shown_in:
            yield self._found


def recognize_shown(
    image: Image8, finder: Misplaced, oracle: Oracle, looks: Sequence[Look] = (Look.WHOLE,)
) -> PhotoResult:
    options = PipelineOptions(finder="network")
    recognizer = PhotoRecognizer(oracle, options, StageClock(), lambda: finder, lambda: looks)
    return recognizer.recognize(image)


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
    assert finder.looks == [Look.WHOLE, Look.TURNED, Look.PARTS]
