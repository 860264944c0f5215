"""The loop over the places that the detector shows, with the networks that ship."""

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
import pytest
from places_rig import Oracle, Shown
from puzzles import EASY_GRID

from app.recognition.asked_places import AskedPlaces, PhotoLooks
from app.recognition.detection_loop import PhotoRecognizer, open_finder
from app.recognition.outcome import Outcome
from app.recognition.pipeline import Pipeline
from app.recognition.pipeline_options import PipelineOptions
from app.recognition.reading import BoardReader
from app.recognition.results import PhotoResult
from app.recognition.timing import StageClock
from models.board_detector import SIDES, BoardMaps
from models.digits import DigitReader
from solver.decoding.decode import DecodeLimits
from solver.grid import check_solution, format_grid
from training.boards.sample_cache import make_maps
from training.pages.flat_board import render_board
from training.rendered.photographed_decoys import render_decoy
from training.rendered.rendered_photos import render_photo
from vision.board import corners_from_lattice, lattice_from_corners, move_lattice
from vision.finder.detect import Look
from vision.finder.snap import BoardCandidate
from vision.geometry import Points, quad_overlap

Image8 = npt.NDArray[np.uint8]


@pytest.fixture(scope="module")
def pipeline() -> Pipeline:
    return Pipeline.load(PipelineOptions(finder="network"))


class GivenDetector:
    """Shows the lattices of one picture after the other, and nothing after them."""

    def __init__(self, *looks: "list[Points]") -> None:
        self._looks = list(looks)
        self.shown = 0

    def detect(self, pictures: Image8) -> list[BoardMaps]:
        self.shown += 1
        target = make_maps(self._looks.pop(0) if self._looks else [])
        sides = np.eye(len(SIDES), dtype=np.float32)[target[..., 5].astype(int)]
        return [BoardMaps(target[..., 0], target[..., 1:3], target[..., 3], target[..., 4], sides)]


def recognize(
    pipeline: Pipeline, image: Image8, detector: GivenDetector, max_places: int = 24
) -> PhotoResult:
    reader = BoardReader(DigitReader.load(), DecodeLimits())
    clock = StageClock()
    looks = PhotoLooks(reader, pipeline.solve_reading, image, clock)
    finder = open_finder(image, detector)
    asked = AskedPlaces(looks, DecodeLimits().max_doubt)
    options = PipelineOptions(finder="network", max_boards=max_places)
    recognizer = PhotoRecognizer(asked, lambda: finder, lambda: tuple(Look), options, clock)
    return recognizer.recognize(image)


def seen_whole(lattice: Points, image: Image8) -> Points:
    """Return a lattice of a photo in the detector's picture of all of it."""
    height, width = image.shape[:2]
    scale = 320 / max(height, width)
    middle = np.array([width - 1, height - 1]) / 2
    return np.asarray((lattice - middle) * scale + 159.5, np.float32)


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
    assert at_once.shown == 1
    assert missed.outcome is Outcome.NO_BOARD
    assert never.shown == 1 + 1 + 9  # whole, turned, and in nine parts


def test_no_more_places_are_read_than_are_allowed(pipeline: Pipeline) -> None:
    photo, corners = render_board(EASY_GRID)
    detector = GivenDetector([seen_whole(lattice_from_corners(corners), photo)])

    result = recognize(pipeline, photo, detector, max_places=0)

    assert result.outcome is Outcome.NO_BOARD
    assert result.candidates == ()


def test_a_photo_without_a_look_worth_taking_is_denied() -> None:
    oracle = Oracle(at_sight_from=0, hard_from=0)
    options = PipelineOptions()
    recognizer = PhotoRecognizer(
        AskedPlaces(oracle, 10.0), lambda: Shown(10), tuple, options, StageClock()
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
    asked = AskedPlaces(oracle, DecodeLimits().max_doubt)
    options = PipelineOptions(finder="network")
    recognizer = PhotoRecognizer(asked, lambda: finder, lambda: looks, options, StageClock())
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


@pytest.mark.parametrize(("score", "looks_at_parts"), [(0.7, True), (0.95, False)])
def test_parts_are_looked_at_where_what_the_whole_shows_is_unclear_and_unsolved(
    score: float, looks_at_parts: bool
) -> None:
    photo, corners = render_board(EASY_GRID)
    finder = Misplaced(lattice_from_corners(corners), score)
    unsolved = Oracle(at_sight_from=9999, hard_from=9999)

    recognize_shown(photo, finder, unsolved, looks=(Look.WHOLE, Look.TURNED))

    assert (Look.PARTS in finder.looks) is looks_at_parts
