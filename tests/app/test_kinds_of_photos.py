"""Puzzles of other kinds than classic, from the photo to the report."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from command_rig import RunCommand
from kind_puzzles import kind_photo
from present import present

from app.recognition.outcome import Outcome
from app.recognition.pipeline import Pipeline
from app.serve.api.puzzle_tasks import PuzzleTask, solve_puzzle
from solver.formats_kinds import format_regions
from solver.grid import format_grid
from solver.rules import Kind, check_rules
from training.pages.flat_board import render_board
from vision.media.images import load_image, save_image

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("kind", "seed"), [(Kind.JIGSAW, 1), (Kind.DIAGONAL, 3), (Kind.WINDOKU, 2)]
)
def test_a_photo_of_a_kind_is_solved_by_its_rules(
    pipeline: Pipeline, kind: Kind, seed: int
) -> None:
    shown = kind_photo(kind, 2, seed)

    board = pipeline.solve_photo(shown.photo).boards[0]

    assert board.kind is kind
    assert board.solution is not None
    assert np.array_equal(board.solution, present(shown.puzzle.solution))
    assert not check_rules(present(board.rules), board.clues, board.solution)


@pytest.mark.parametrize(
    ("kind", "seed"),
    [
        pytest.param(Kind.JIGSAW, 1025, id="regions that only colours tell"),
        pytest.param(Kind.JIGSAW, 1031, id="paper as dark as a screen"),
        pytest.param(Kind.DIAGONAL, 1088, id="lines through digits"),
        pytest.param(Kind.DIAGONAL, 1099, id="shading in shadow"),
        pytest.param(Kind.WINDOKU, 1006, id="shading in shadow"),
        pytest.param(Kind.WINDOKU, 1054, id="shading in a flash"),
    ],
)
def test_bad_light_hides_no_kind(pipeline: Pipeline, kind: Kind, seed: int) -> None:
    shown = kind_photo(kind, 3, seed)

    boards = pipeline.solve_photo(shown.photo).boards

    told = [board.solution for board in boards if board.kind is kind]
    (solution,) = [solution for solution in told if solution is not None]
    assert np.array_equal(solution, present(shown.puzzle.solution))


def test_the_report_names_kind_and_regions(sudoku_lens: RunCommand, tmp_path: Path) -> None:
    shown = kind_photo(Kind.JIGSAW, 2, 1)
    save_image(tmp_path / "page.png", shown.photo)

    done = sudoku_lens("solve", "--json", str(tmp_path / "page.png"))
    (board,) = json.loads(done.stdout)["boards"]

    assert (board["kind"], board["side"]) == ("jigsaw", 9)
    assert board["regions"] == format_regions(shown.puzzle.rules)


def test_a_photo_of_a_classic_puzzle_is_classic(pipeline: Pipeline, newspaper: Path) -> None:
    (board,) = pipeline.solve_photo(load_image(newspaper)).boards

    assert board.outcome is Outcome.SOLVED
    assert board.kind is Kind.CLASSIC
    assert board.rules is None


def test_real_jigsaws_are_solved_right(pipeline: Pipeline, shared_data: Path) -> None:
    folder = shared_data / "kinds"
    with (folder / "kinds.csv").open(newline="", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))[:4]

    boards = [pipeline.solve_photo(load_image(folder / row["file"])).boards[0] for row in rows]

    solutions = ["" if one.solution is None else format_grid(one.solution) for one in boards]
    assert solutions == [row["solution"] for row in rows]


def test_a_corrected_jigsaw_is_solved_by_its_regions(pipeline: Pipeline) -> None:
    puzzle = kind_photo(Kind.JIGSAW, 2, 1).puzzle
    task = PuzzleTask(
        format_grid(puzzle.clues), "." * 81, (), "jigsaw", format_regions(puzzle.rules)
    )

    answer = solve_puzzle(pipeline, task)

    assert answer["outcome"] == "solved"
    assert answer["solution"] == format_grid(present(puzzle.solution))
    assert answer["conflicts"] == []


@pytest.mark.parametrize("regions", [None, "A" * 81])
def test_regions_that_are_none_have_no_solution(pipeline: Pipeline, regions: str | None) -> None:
    answer = solve_puzzle(pipeline, PuzzleTask("." * 81, "." * 81, (), "jigsaw", regions))

    assert (answer["outcome"], answer["solution"]) == ("no_solution", None)


@pytest.fixture(scope="module")
def unmarked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A diagonal puzzle that is printed without its diagonals, and its solution."""
    puzzle = kind_photo(Kind.DIAGONAL, 1, 3).puzzle
    path = tmp_path_factory.mktemp("unmarked") / "page.png"
    save_image(path, render_board(puzzle.clues, 450)[0])
    return path, format_grid(present(puzzle.solution))


def test_a_kind_that_no_picture_shows_is_not_guessed_but_named(
    sudoku_lens: RunCommand, unmarked: tuple[Path, str]
) -> None:
    done = sudoku_lens("solve", str(unmarked[0]))

    assert done.returncode == 1
    assert "more than one solution" in done.stdout
    assert "With both diagonals it has exactly one solution: --kind diagonal." in done.stdout
    assert "Perhaps a digit was missed" in done.stdout


def test_a_kind_that_no_picture_shows_is_named_for_programs(
    sudoku_lens: RunCommand, unmarked: tuple[Path, str]
) -> None:
    done = sudoku_lens("solve", "--json", str(unmarked[0]))
    (board,) = json.loads(done.stdout)["boards"]

    assert (board["kind"], board["outcome"]) == ("classic", "ambiguous")
    assert board["faults"] == [{"code": "other_kind", "kind": "diagonal"}]
    assert board["advice"] == ["With both diagonals it has exactly one solution: --kind diagonal."]


def test_a_kind_that_is_named_holds(sudoku_lens: RunCommand, unmarked: tuple[Path, str]) -> None:
    done = sudoku_lens("solve", "--json", "--kind", "diagonal", str(unmarked[0]))
    (board,) = json.loads(done.stdout)["boards"]

    assert (board["kind"], board["outcome"]) == ("diagonal", "solved")
    assert board["solution"] == unmarked[1]
