"""Puzzles of other kinds than classic, from the photo to the report."""

import csv
import json
import re
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from command_rig import RunCommand
from kind_puzzles import kind_photo
from present import present

from app.recognition.kinds.puzzle_kind import BoardView, tell_rules
from app.recognition.outcome import Outcome
from app.recognition.pipeline import Pipeline
from app.serve.api.puzzle_tasks import solve_puzzle
from app.serve.api.schemas import CheckedPuzzle
from solver.grid import format_grid
from solver.rules import CLASSIC_RULES, Kind, box_rules
from training.pages.flat_board import BoardStyle, render_board
from training.pages.printed_board import KindLook, print_board
from training.pages.shape import BOXES, draw_shape
from training.rendered.filled_board import BoardLook
from training.rendered.kind_photos import render_kind_photo
from vision.board import rectify
from vision.geometry import Image8
from vision.media.images import load_image, save_image

pytestmark = pytest.mark.slow


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


@pytest.mark.parametrize(("kind", "side"), product((Kind.DIAGONAL, Kind.CLASSIC), (6, 12)))
def test_shaded_diagonals_of_another_side_are_told(kind: Kind, side: int) -> None:
    printed = print_board(
        draw_shape(kind.value, side, np.random.default_rng(0)),
        np.zeros((side, side), np.uint8), (), 500, KindLook(BoardLook()),
    )  # fmt: skip
    (lattice,) = printed.lattices

    rules = tell_rules(BoardView(rectify(printed.image, lattice), printed.image, lattice))

    assert present(rules).kind is kind


GAP_PX = 12


def part_boxes(image: Image8, lines: npt.NDArray[np.floating], step: int) -> Image8:
    """Insert paper between boxes of so many columns; each keeps its own line there."""
    cuts = np.rint(lines[step:-1:step]).astype(int)
    paper = np.full((len(image), GAP_PX - 5, 3), 255, np.uint8)
    starts, ends = [0, *(cuts - 2)], [*(cuts + 3), image.shape[1]]
    pieces = [image[:, start:end] for start, end in zip(starts, ends, strict=True)]
    return np.hstack([pieces[0], *(part for piece in pieces[1:] for part in (paper, piece))])


def move_lines(lines: npt.NDArray[np.floating], step: int) -> npt.NDArray[np.float32]:
    """Return where lines lie then; those between boxes lie in the middle of the gaps."""
    count = np.arange(len(lines)) / step
    gaps = ((np.ceil(count) + np.floor(count) - 1) / 2).clip(0, count[-1] - 1)
    return np.asarray(lines + GAP_PX * gaps, np.float32)


@pytest.mark.parametrize("side", [4, 6, 8, 12])
def test_boxes_that_stand_apart_are_told(side: int) -> None:
    shape = draw_shape("classic", side, np.random.default_rng(0))
    look = KindLook(BoardLook(BoardStyle(border_width=0.02)), region_width=0.025)
    printed = print_board(shape, np.zeros((side, side), np.uint8), (), 60 * side, look)
    lines, (rows, columns) = printed.lattices[0][0, :, 0], BOXES[side]
    image = part_boxes(printed.image, lines, columns)
    image = part_boxes(image.swapaxes(0, 1), lines, rows).swapaxes(0, 1)
    lattice = np.stack(np.meshgrid(move_lines(lines, columns), move_lines(lines, rows)), axis=-1)

    rules = tell_rules(BoardView(rectify(image, lattice), image, lattice))

    assert present(rules).units == box_rules(side).units


@pytest.mark.parametrize("seed", [2, 3, 5])
def test_windows_that_lines_outline_are_told_on_photos(pipeline: Pipeline, seed: int) -> None:
    shown = render_kind_photo(
        Kind.WINDOKU, 3, seed,
        restyle=lambda look, _: replace(look, window_width=2.5 * look.base.style.thin_width),
    )  # fmt: skip

    (board,) = pipeline.solve_photo(shown.photo).boards

    assert board.kind is Kind.WINDOKU
    assert np.array_equal(present(board.solution), present(shown.puzzle.solution))


@pytest.mark.parametrize("seed", [1840015, 1840030, 1840085])
def test_few_cells_within_thick_lines_show_no_diagonals(pipeline: Pipeline, seed: int) -> None:
    shown = kind_photo(Kind.CLASSIC, 3, seed, side=4)

    (board,) = pipeline.solve_photo(shown.photo).boards

    assert board.kind is Kind.CLASSIC
    assert np.array_equal(present(board.solution), present(shown.puzzle.solution))


def test_a_photo_of_a_classic_puzzle_is_classic(pipeline: Pipeline, newspaper: Path) -> None:
    (board,) = pipeline.solve_photo(load_image(newspaper)).boards

    assert board.outcome is Outcome.SOLVED
    assert board.kind is Kind.CLASSIC
    assert board.rules == CLASSIC_RULES


def test_real_jigsaws_are_solved_right(pipeline: Pipeline, shared_data: Path) -> None:
    folder = shared_data / "kinds"
    with (folder / "kinds.csv").open(newline="", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))[:4]

    boards = [pipeline.solve_photo(load_image(folder / row["file"])).boards[0] for row in rows]

    solutions = ["" if one.solution is None else format_grid(one.solution) for one in boards]
    assert solutions == [row["solution"] for row in rows]


@pytest.mark.parametrize("regions", [None, "A" * 81])
def test_regions_that_are_none_have_no_solution(pipeline: Pipeline, regions: str | None) -> None:
    answer = solve_puzzle(pipeline, CheckedPuzzle(clues="." * 81, kind="jigsaw", regions=regions))

    assert (answer["outcome"], answer["solution"]) == ("no_solution", None)


FOLDER = Path(__file__).resolve().parents[2] / "docs" / "kinds"
KINDS = {
    "six": ("classic", 6),
    "sixteen": ("classic", 16),
    "jigsaw": ("jigsaw", 9),
    "diagonal": ("diagonal", 9),
    "windoku": ("windoku", 9),
    "killer": ("killer", 9),
    "samurai": ("samurai", 9),
}


def test_the_photos_of_the_page_are_solved_as_what_they_are(sudoku_lens: RunCommand) -> None:
    photos = [str(FOLDER / f"{name}.webp") for name in KINDS]

    done = sudoku_lens("solve", *photos, "--json")

    reports = [json.loads(line) for line in done.stdout.splitlines()]
    boards = [report["boards"][0] for report in reports]
    assert [report["outcome"] for report in reports] == ["solved"] * len(KINDS)
    assert [(board["kind"], board["side"]) for board in boards] == list(KINDS.values())


def test_the_page_shows_all_pictures_and_they_are_small() -> None:
    page = (FOLDER.parent / "kinds.md").read_text(encoding="utf-8")
    shown = set(re.findall(r"\(kinds/([\w-]+\.webp)\)", page))

    files = {path.name for path in FOLDER.iterdir()}
    assert shown == files == {f"{name}{end}.webp" for name in KINDS for end in ("", "-solved")}
    assert max(path.stat().st_size for path in FOLDER.iterdir()) < 40_000


def test_a_kind_that_no_picture_shows_is_not_guessed_but_named_and_holds_once_it_is_said(
    sudoku_lens: RunCommand, tmp_path: Path
) -> None:
    puzzle = kind_photo(Kind.DIAGONAL, 1, 3).puzzle
    save_image(tmp_path / "page.png", render_board(puzzle.clues, 450)[0])

    done = sudoku_lens("solve", "page.png", cwd=tmp_path)
    named = sudoku_lens("solve", "--json", "--kind", "diagonal", "page.png", cwd=tmp_path)

    assert done.returncode == 1
    assert "more than one solution" in done.stdout
    assert "With both diagonals it has exactly one solution: --kind diagonal." in done.stdout
    assert "Perhaps a digit was missed" in done.stdout
    (board,) = json.loads(named.stdout)["boards"]
    assert (board["kind"], board["outcome"]) == ("diagonal", "solved")
    assert board["solution"] == format_grid(present(puzzle.solution))
