"""Samurais on photos: five boards that are one puzzle."""

import itertools
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from command_rig import RunCommand
from places_rig import Oracle, Shown, candidate_at
from present import present

from app.board.board_forms import face_of
from app.board.board_state import BoardState
from app.recognition.detection_loop import PhotoRecognizer
from app.recognition.kinds.samurai import SamuraiSearch, find_cells
from app.recognition.outcome import Outcome
from app.recognition.pipeline import Pipeline
from app.recognition.pipeline_options import PipelineOptions
from app.recognition.reading import BoardReader, BoardReading
from app.recognition.results import BoardResult
from app.recognition.timing import StageClock
from app.report.report_pictures import draw_solutions
from app.serve.api.photo_tasks import PhotoTask, solve_picture
from app.serve.api.schemas import PhotoReport
from solver.decoding.decode import DecodeLimits
from solver.formats_kinds import format_cells
from solver.rules import Kind, samurai_rules
from training.pages.printed_board import KindLook, print_samurai
from training.pages.shape import draw_samurai_clues
from training.rendered.filled_board import BoardLook
from training.rendered.kind_photos import render_samurai_photo
from vision.board import lattice_from_corners
from vision.geometry import Points
from vision.kinds.samurai_grids import SamuraiPlace, hide_places
from vision.media.images import save_image

_GRIDS = ((0, 0), (6, 6))
_CORNERS = np.array([[0, 0], [150, 0], [150, 150], [0, 150]], np.float32)


class Samurais:
    """Says that every lattice right of a place is a grid of one samurai, which ends as it is told.

    To the left of it no lines go on.
    """

    def __init__(self, outcome: Outcome, likely_from: float = 0) -> None:
        self._outcome = outcome
        self._likely_from = likely_from

    def find(self, lattice: Points) -> BoardResult | None:
        if not self.is_likely(lattice):
            return None
        rules = samurai_rules(_GRIDS)
        board = Oracle(0, 0).glance(lattice)
        is_solved = self._outcome is Outcome.SOLVED
        return replace(
            board,
            outcome=self._outcome,
            lattice=lattice_from_corners(_CORNERS, 15),
            clues=np.zeros((15, 15), np.uint8),
            solution=np.ones((15, 15), np.uint8) if is_solved else None,
            rules=rules,
        )

    def is_likely(self, lattice: Points) -> bool:
        return float(lattice[0, 0, 0]) >= self._likely_from


class Blank:
    """Sees no digit in any cell."""

    def read(self, cells: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
        return np.eye(19, dtype=np.float32)[np.zeros(len(cells), np.intp)]


def ask(oracle: Oracle, samurais: Samurais, shown: Shown | None = None) -> PhotoRecognizer:
    options = PipelineOptions()
    return PhotoRecognizer(oracle, options, StageClock(), shown or Shown(), samurais=samurais)


@pytest.mark.parametrize("score", [1.0, 0.8], ids=["clear lines", "unclear lines"])
def test_a_board_that_is_not_solved_alone_is_a_grid_of_a_samurai(score: float) -> None:
    asked = ask(Oracle(1000, 1000), Samurais(Outcome.SOLVED))

    asked.ask(candidate_at(0, score))

    assert [board.kind for board in asked.solved] == [Kind.SAMURAI]


def test_grids_that_are_solved_alone_become_the_samurai() -> None:
    place = candidate_at(0, 1.0)
    asked = ask(Oracle(0, 0), Samurais(Outcome.SOLVED))
    asked.ask(place)

    asked.join_grids()

    assert [board.kind for board in asked.solved] == [Kind.SAMURAI]


def test_a_grid_whose_place_was_first_taken_a_column_off_becomes_the_samurai() -> None:
    asked = ask(Oracle(5, 5), Samurais(Outcome.SOLVED, likely_from=5))
    asked.ask(candidate_at(0, 1.0))
    asked.ask(candidate_at(10, 0.8))

    asked.join_grids()

    assert [board.kind for board in asked.solved] == [Kind.SAMURAI]


def test_grids_of_a_samurai_that_is_not_solved_are_no_boards() -> None:
    place = candidate_at(0, 1.0)
    asked = ask(Oracle(1000, 1000), Samurais(Outcome.UNREADABLE))
    asked.ask(place)

    asked.ask(candidate_at(1, 1.0))

    assert asked.solved == []
    assert [board.outcome for board in asked.unsolved] == [Outcome.UNREADABLE]


@pytest.mark.parametrize(
    ("n_vain", "seconds", "n_read"),
    [(0, 0, 1), (1, 0, 2), (9, 0, len(_GRIDS) + 1), (9, 60, 1)],
    ids=["at once", "another grid", "in vain", "for too long"],
)
def test_a_samurai_that_is_not_solved_is_read_from_its_other_grids(
    n_vain: int, seconds: int, n_read: int
) -> None:
    rng = np.random.default_rng(0)
    clues = draw_samurai_clues(_GRIDS, 0.4, rng)[:15, :15]
    printed = print_samurai(_GRIDS, clues, 450, KindLook(BoardLook()))
    photo = np.pad(printed.image, ((60, 60), (60, 60), (0, 0)), constant_values=255)
    reader = BoardReader(
        Blank(),
        DecodeLimits(nodes=1),
        augments=False,
        tell_rules=lambda _: samurai_rules(_GRIDS),
    )
    outcomes = iter([Outcome.UNREADABLE] * n_vain + [Outcome.SOLVED] * 9)
    told: list[Outcome] = []

    def solve(reading: BoardReading, size: tuple[int, int], clock: StageClock) -> BoardResult:
        told.append(next(outcomes))
        return present(Samurais(told[-1]).find(reading.lattice))

    ticks = itertools.count(0, seconds)
    clock = StageClock(now=lambda: next(ticks))
    board = SamuraiSearch(lambda _: reader, solve, photo, clock).find(printed.lattices[0] + 60)

    assert board is not None
    assert board.outcome is told[-1]
    assert len(told) == n_read


def test_a_grid_that_only_the_detector_sees_leads_to_the_samurai() -> None:
    asked = ask(Oracle(1000, 1000), Samurais(Outcome.SOLVED), Shown(0, 200))

    result = asked.recognize(np.zeros((100, 300, 3), np.uint8))

    assert [board.kind for board in result.boards] == [Kind.SAMURAI]
    assert len(result.candidates) == 1


def test_what_stands_between_the_grids_is_hidden() -> None:
    photo = np.full((150, 150, 3), 230, np.uint8)
    photo[10:50, 100:140] = 0  # beside the first grid
    photo[10:50, 10:50] = 0
    place = SamuraiPlace(lattice_from_corners(_CORNERS, 15), _GRIDS)

    hidden = hide_places(photo, place.lattice, ~find_cells(samurai_rules(_GRIDS)))

    assert hidden[12:48, 112:138].min() > 200
    assert (hidden[:90, :90] == photo[:90, :90]).all()
    assert find_cells(samurai_rules(_GRIDS)).sum() == 153


@pytest.mark.slow
def test_a_samurai_is_told_read_solved_and_drawn(
    sudoku_lens: RunCommand, pipeline: Pipeline, tmp_path: Path
) -> None:
    """Slow: the whole product reads 153 cells."""
    shown = render_samurai_photo(2, 1, 2)
    puzzle = shown.puzzle
    assert puzzle.solution is not None
    result = pipeline.solve_photo(shown.photo)
    save_image(tmp_path / "page.png", shown.photo)

    done = sudoku_lens("solve", "--json", str(tmp_path / "page.png"))
    told = sudoku_lens("solve", str(tmp_path / "page.png"))

    (board,) = json.loads(done.stdout)["boards"]
    assert (board["outcome"], board["kind"], board["side"]) == ("solved", "samurai", 9)
    assert board["clues"] == format_cells(puzzle.rules, puzzle.clues)
    assert board["solution"] == format_cells(puzzle.rules, puzzle.solution)
    assert "samurai" in told.stdout
    face = face_of(BoardState(result.boards[0]))
    assert face.is_solved
    assert sum(cell.is_cell for cell in face.cells) == 153
    again = pipeline.solve_samurai(shown.photo, result.boards[0].lattice, puzzle.rules)
    assert (present(again.solution) == puzzle.solution).all()
    task = PhotoTask((tmp_path / "page.png").read_bytes(), shown.photo.size)
    PhotoReport.model_validate(solve_picture(pipeline, task) | {"id": "one", "kept": None})
    drawn = present(draw_solutions(shown.photo, result))
    assert (drawn != shown.photo).any()


@pytest.mark.slow
def test_a_samurai_whose_grid_is_cut_off_is_refused(pipeline: Pipeline) -> None:
    """Slow: the whole product looks for boards."""
    shown = render_samurai_photo(2, 1, 2)
    first = shown.lattices[0]
    left = int(first[:, 3, 0].max())
    photo = np.ascontiguousarray(shown.photo[:, left:])

    result = pipeline.solve_photo(photo)

    assert all(board.solution is None or board.kind is Kind.CLASSIC for board in result.boards)
    samurais = [board for board in result.boards if board.kind is Kind.SAMURAI]
    assert [board.outcome for board in samurais] == [Outcome.UNREADABLE]
    assert "left" in present(samurais[0].quality).outside
