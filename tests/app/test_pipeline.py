"""The whole line, on boards that this project draws."""

import csv
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from board_styles import BOARD_STYLES
from present import present
from puzzles import EASY_GRID, OTHER_GRID

from app.recognition.outcome import Outcome
from app.recognition.pipeline import Pipeline
from app.recognition.pipeline_options import PipelineOptions
from app.recognition.timing import STAGES, StageClock
from models.digits import DigitReader
from models.engine import EngineError
from solver.base import Effort, Limits, Result, Status
from solver.exact.bitmask import BitmaskSolver, count_solutions
from solver.grid import Grid, check_solution, format_grid, parse_grid
from solver.registry import load_solver
from solver.verification import conclude
from training.pages.flat_board import make_puzzle, render_board
from training.rendered.rendered_photos import render_photo
from vision.board import lattice_from_corners, turn_lattice
from vision.geometry import quad_overlap
from vision.media.images import load_image

pytestmark = pytest.mark.slow


class StubbornSolver:
    """Answers every puzzle with the same grid and calls it solved, against the contract."""

    name = "stubborn"
    is_complete = False
    sizes = frozenset({9})

    def __init__(self, answer: Grid) -> None:
        self._answer = answer

    def solve(self, clues: Grid, limits: Limits) -> Result:
        return Result(Status.SOLVED, self._answer, Effort())


def test_a_board_is_read_and_solved_and_every_stage_is_timed(pipeline: Pipeline) -> None:
    photo, corners = render_board(EASY_GRID)
    clock = StageClock()
    with clock.stage("load"):
        pass

    result = pipeline.solve_photo(photo, clock)

    board = result.boards[0]
    assert result.outcome is board.outcome is Outcome.SOLVED
    assert format_grid(board.clues) == format_grid(EASY_GRID)
    assert not check_solution(EASY_GRID, present(board.solution))
    assert np.abs(board.corners - corners).max() < 3
    assert not board.entries.any()
    assert board.confidence > 0.9
    assert board.solver == "network-guided"
    assert tuple(result.seconds) == STAGES
    assert all(spent > 0 for spent in result.seconds.values())


@pytest.mark.parametrize("style", sorted(BOARD_STYLES))
def test_boards_of_every_look_are_solved(pipeline: Pipeline, style: str) -> None:
    photo, _ = render_board(OTHER_GRID, style=BOARD_STYLES[style])

    result = pipeline.solve_photo(photo)

    assert result.outcome is Outcome.SOLVED
    assert format_grid(result.boards[0].clues) == format_grid(OTHER_GRID)


@pytest.mark.parametrize("turns", range(4))
def test_a_turned_photo_gives_corners_from_its_own_top_left(pipeline: Pipeline, turns: int) -> None:
    photo, corners = render_board(OTHER_GRID)
    side = photo.shape[0] - 1
    turned = np.ascontiguousarray(np.rot90(photo, turns))
    for _ in range(turns):
        corners = np.stack([corners[:, 1], side - corners[:, 0]], axis=1)

    board = pipeline.solve_photo(turned).boards[0]

    assert format_grid(board.clues) == format_grid(OTHER_GRID)
    assert np.abs(board.corners - corners).max() < 3


@pytest.mark.parametrize(("confidence", "is_claimed"), [(0.79, False), (0.81, True)])
def test_nothing_is_claimed_half_sure(
    pipeline: Pipeline, confidence: float, *, is_claimed: bool
) -> None:
    photo, corners = render_board(EASY_GRID)
    reading = pipeline.read_lattice(photo, lattice_from_corners(corners))
    half_sure = replace(reading, decoding=replace(reading.decoding, confidence=confidence))

    board = pipeline.solve_reading(half_sure, (photo.shape[1], photo.shape[0]))

    assert board.outcome is (Outcome.SOLVED if is_claimed else Outcome.UNREADABLE)
    assert (board.solution is not None) is is_claimed
    assert np.array_equal(board.clues, EASY_GRID)


def test_several_solutions_are_told_however_unsure(pipeline: Pipeline) -> None:
    clues = EASY_GRID.copy()
    clues[:4] = 0
    photo, corners = render_board(clues)

    board = pipeline.solve_lattice(photo, lattice_from_corners(corners))

    assert board.outcome is Outcome.AMBIGUOUS


def test_two_boards_on_a_page_have_a_result_each(pipeline: Pipeline) -> None:
    left, _ = render_board(EASY_GRID, px=360)
    right, _ = render_board(OTHER_GRID, px=360)

    result = pipeline.solve_photo(np.concatenate([left, right], axis=1))

    clues = {format_grid(board.clues) for board in result.boards}
    assert [board.outcome for board in result.boards] == [Outcome.SOLVED] * 2
    assert clues == {format_grid(EASY_GRID), format_grid(OTHER_GRID)}
    assert quad_overlap(result.boards[0].corners, result.boards[1].corners) == 0


def test_a_board_beside_a_contradictory_one_is_the_best(pipeline: Pipeline) -> None:
    wrong = EASY_GRID.copy()
    wrong[0, 2] = 5
    left, _ = render_board(wrong, px=360)
    right, _ = render_board(OTHER_GRID, px=360)

    result = pipeline.solve_photo(np.concatenate([left, right], axis=1))

    assert result.outcome is Outcome.SOLVED
    assert [board.outcome for board in result.boards] == [Outcome.SOLVED, Outcome.NO_SOLUTION]
    assert result.boards[1].solution is None


def test_a_puzzle_with_several_solutions_is_ambiguous(pipeline: Pipeline) -> None:
    few = EASY_GRID.copy()
    few[6:] = 0
    photo, _ = render_board(few)

    result = pipeline.solve_photo(photo)

    assert result.outcome is Outcome.AMBIGUOUS
    assert result.boards[0].solution is None
    assert result.boards[0].solver is None  # none was asked
    assert format_grid(result.boards[0].clues) == format_grid(few)


@pytest.mark.parametrize("seed", range(1, 7))
def test_a_sharp_misprint_never_becomes_a_solution(pipeline: Pipeline, seed: int) -> None:
    """With one clue changed a board has no solution, and none may be made up for it."""
    clues = make_puzzle(seed, 30).clues.copy()
    filled = np.argwhere(clues)
    row, column = filled[seed % len(filled)]
    clues[row, column] = clues[row, column] % 9 + 1
    photo, _ = render_board(clues)

    result = pipeline.solve_photo(photo)

    assert count_solutions(clues) == 0
    assert result.outcome is Outcome.NO_SOLUTION
    assert [board.solution for board in result.boards] == [None]


@pytest.mark.parametrize("seed", range(1, 4))
def test_a_sharp_puzzle_with_several_solutions_is_ambiguous(pipeline: Pipeline, seed: int) -> None:
    clues = make_puzzle(seed, 26).clues.copy()
    clues[tuple(np.argwhere(clues)[::2].T)] = 0
    photo, _ = render_board(clues)

    assert count_solutions(clues) == 2
    assert pipeline.solve_photo(photo).outcome is Outcome.AMBIGUOUS


def test_a_picture_of_nothing_has_no_board(pipeline: Pipeline) -> None:
    noise = np.random.default_rng(11).normal(128, 20, (480, 640, 3)).clip(0, 255)

    result = pipeline.solve_photo(noise.astype(np.uint8))

    assert result.outcome is Outcome.NO_BOARD
    assert result.boards == ()


def test_corners_given_by_hand_may_begin_anywhere(pipeline: Pipeline) -> None:
    photo, corners = render_board(EASY_GRID)

    board = pipeline.solve_corners(photo, np.roll(corners, 2, axis=0))

    assert board.outcome is Outcome.SOLVED
    assert np.abs(board.corners - corners).max() < 1e-3


def test_corners_given_by_hand_need_no_flat_paper(pipeline: Pipeline) -> None:
    photo = render_photo(5, 3310048)
    (board,) = photo.boards
    flat = pipeline.solve_lattice(photo.photo, lattice_from_corners(board.corners))

    found = pipeline.solve_corners(photo.photo, board.corners)

    assert flat.outcome is Outcome.UNREADABLE
    assert np.array_equal(present(found.solution), board.solution)


def test_a_tilted_board_is_solved_on_its_lattice(pipeline: Pipeline) -> None:
    photo, corners = render_board(EASY_GRID, px=450)
    tilted = corners + np.array([[40, 0], [-10, 25], [0, -20], [15, 5]], np.float32)
    warp = cv2.getPerspectiveTransform(corners, tilted.astype(np.float32))
    seen = cv2.warpPerspective(photo, warp, photo.shape[1::-1], borderValue=(255, 255, 255))
    lattice = turn_lattice(lattice_from_corners(tilted.astype(np.float32)), 3)

    board = pipeline.solve_lattice(np.asarray(seen, np.uint8), lattice)

    assert format_grid(board.clues) == format_grid(EASY_GRID)
    assert np.abs(board.corners - tilted).max() < 1e-3


def test_clues_corrected_by_hand_are_solved_where_the_board_lies(pipeline: Pipeline) -> None:
    _, corners = render_board(EASY_GRID)
    wrong = EASY_GRID.copy()
    wrong[0, 2] = 5
    lattice = lattice_from_corners(corners)

    refused = pipeline.solve_clues(wrong, lattice)
    accepted = pipeline.solve_clues(EASY_GRID, lattice)

    assert refused.outcome is Outcome.NO_SOLUTION
    assert accepted.outcome is Outcome.SOLVED
    assert not check_solution(EASY_GRID, present(accepted.solution))
    assert (accepted.corners == corners).all()


def test_a_solver_that_is_wrong_never_makes_a_board_solved() -> None:
    photo, _ = render_board(EASY_GRID)
    answer = np.tile(np.arange(1, 10, dtype=np.uint8), (9, 1))
    pipeline = Pipeline(DigitReader.load(), StubbornSolver(answer), PipelineOptions())

    result = pipeline.solve_photo(photo)

    assert result.outcome is Outcome.GAVE_UP
    assert result.boards[0].solution is None
    assert result.boards[0].solver == "stubborn"


class Reluctant:
    """Gives up on every puzzle, or has no network."""

    name = "reluctant"
    is_complete = False
    sizes = frozenset({9})

    def __init__(self, error: EngineError | None = None) -> None:
        self._error = error
        self.limits: list[Limits] = []

    def solve(self, clues: Grid, limits: Limits) -> Result:
        self.limits.append(limits)
        if self._error is not None:
            raise self._error
        return conclude(clues, (), Effort(), is_exhaustive=False)


def test_what_the_network_does_not_finish_goes_to_the_exact_solver() -> None:
    network = Reluctant()
    options = PipelineOptions(network_limits=Limits(iterations=3))
    pipeline = Pipeline(DigitReader.load(), network, options, load_solver())
    photo, _ = render_board(OTHER_GRID)

    board = pipeline.solve_photo(photo).boards[0]

    assert board.outcome is Outcome.SOLVED
    assert board.solver == "bitmask"
    assert network.limits == [Limits(iterations=3)]


def test_what_the_exact_solver_proved_is_not_proved_again(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[Grid] = []
    search = BitmaskSolver.solve

    def count(solver: BitmaskSolver, clues: Grid, limits: Limits) -> Result:
        searched.append(clues)
        return search(solver, clues, limits)

    monkeypatch.setattr(BitmaskSolver, "solve", count)
    pipeline = Pipeline(DigitReader.load(), Reluctant(), PipelineOptions(), load_solver())

    board = pipeline.solve_clues(OTHER_GRID, lattice_from_corners(render_board(OTHER_GRID)[1]))

    assert (board.outcome, board.solver) == (Outcome.SOLVED, "bitmask")
    assert len(searched) == 1


def test_a_missing_network_is_told_once_and_done_without(caplog: pytest.LogCaptureFixture) -> None:
    network = Reluctant(EngineError("the weights are not there; reinstall"))
    pipeline = Pipeline(DigitReader.load(), network, PipelineOptions(), load_solver())
    lattice = lattice_from_corners(render_board(EASY_GRID)[1])

    boards = [pipeline.solve_clues(clues, lattice) for clues in (EASY_GRID, OTHER_GRID)]

    assert [board.outcome for board in boards] == [Outcome.SOLVED] * 2
    assert [board.solver for board in boards] == ["bitmask"] * 2
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "the weights are not there" in caplog.text


def test_a_solver_that_is_chosen_solves_alone() -> None:
    chosen = Pipeline.load(PipelineOptions(solver="dfs"))
    lattice = lattice_from_corners(render_board(EASY_GRID)[1])
    alone = Pipeline(DigitReader.load(), Reluctant(), PipelineOptions())
    missing = Pipeline(DigitReader.load(), Reluctant(EngineError("gone")), PipelineOptions())

    assert chosen.solve_clues(EASY_GRID, lattice).solver == "dfs"
    assert alone.solve_clues(EASY_GRID, lattice).outcome is Outcome.GAVE_UP
    with pytest.raises(EngineError, match="gone"):
        missing.solve_clues(EASY_GRID, lattice)


def test_a_lattice_that_is_a_row_late_is_no_board(pipeline: Pipeline, shared_data: Path) -> None:
    """Eight rows of this board and the paper below have one solution, too, and their lines show."""
    name = "wichtounet/image178.jpg"
    with (shared_data / "photos" / "photos.csv").open(newline="") as lines:
        clues = next(row["puzzle"] for row in csv.DictReader(lines) if row["file"] == name)

    result = pipeline.solve_photo(load_image(shared_data / "photos" / name))

    assert [format_grid(board.clues) for board in result.boards] == [format_grid(parse_grid(clues))]


@pytest.mark.usefixtures("shared_data")
@pytest.mark.parametrize(("seed", "boards"), [(85049, 1), (45017, 3)])
def test_lines_that_look_like_a_board_do_not_hide_those_that_are(
    pipeline: Pipeline, seed: int, boards: int
) -> None:
    """A small table has all the lines of a board; a gap between boards passes for a column."""
    pytest.importorskip("matplotlib")  # without its typefaces the seed gives another photo
    rendered = render_photo(level=3, seed=seed, boards=boards)

    result = pipeline.solve_photo(rendered.photo)

    shown = [board.solution.tolist() for board in result.boards if board.solution is not None]
    truth = [board.solution.tolist() for board in rendered.boards]
    assert sorted(shown) == sorted(truth)
