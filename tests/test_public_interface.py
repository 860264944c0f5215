"""The public interface, as other programs use it."""

import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command_rig import run_python
from present import present
from puzzles import EASY

import sudoku_lens
from app.recognition.outcome import Outcome
from solver.base import Limits, Status
from solver.formats import parse_any_kind
from solver.formats_links import f_puzzles_link
from solver.grid import Fault, check_solution, parse_grid
from solver.human.walk import Strength
from sudoku_lens import Level

SEVERAL = "." * 81


@pytest.fixture(scope="module")
def sample() -> Path:
    return Path(__file__).resolve().parents[1] / "samples" / "newspaper.jpg"


@pytest.mark.slow
def test_a_photo_is_solved_alike_as_file_bytes_and_pixels(sample: Path) -> None:
    from vision.media.images import load_image

    forms: list[sudoku_lens.Photo] = [str(sample), sample, sample.read_bytes(), load_image(sample)]
    boards = [sudoku_lens.solve_photo(form).boards[0] for form in forms]

    assert {board.outcome for board in boards} == {Outcome.SOLVED}
    solutions = [board.solution for board in boards if board.solution is not None]
    assert len(solutions) == len(forms)
    assert all(np.array_equal(solution, solutions[0]) for solution in solutions)
    assert check_solution(boards[0].clues, present(boards[0].solution)) is Fault.NONE


@pytest.mark.slow
def test_the_solution_is_drawn_on_a_new_picture(sample: Path) -> None:
    from vision.media.images import load_image

    photo = load_image(sample)
    before = photo.copy()
    drawn = present(sudoku_lens.draw_solutions(photo, sudoku_lens.solve_photo(photo)))

    assert drawn.shape == photo.shape
    assert not np.array_equal(drawn, photo)
    assert np.array_equal(photo, before)


@pytest.mark.slow
def test_a_photo_without_a_board_has_no_solution_to_draw() -> None:
    blank = np.full((240, 320, 3), 200, np.uint8)
    result = sudoku_lens.solve_photo(blank)

    assert result.outcome is Outcome.NO_BOARD
    assert sudoku_lens.draw_solutions(blank, result) is None


@pytest.mark.parametrize(
    ("photo", "error", "told"),
    [
        (np.zeros((40, 40), np.uint8), ValueError, r"pixels must be \(H, W, 3\) uint8, got "),
        (np.zeros((40, 40, 4), np.uint8), ValueError, r"pixels must be \(H, W, 3\) uint8, got "),
        (np.zeros((0, 90, 3), np.uint8), ValueError, "pixels must be 64 a side at least, got "),
        (b"no picture at all", sudoku_lens.ImageError, "not a picture"),
        (None, TypeError, "not NoneType"),
    ],
)
def test_what_is_no_photo_is_refused(photo: Any, error: type[Exception], told: str) -> None:
    with pytest.raises(error, match=told):
        sudoku_lens.solve_photo(photo)


def test_a_puzzle_is_solved_alike_as_text_and_as_grid() -> None:
    clues = parse_grid(EASY)

    of_text, of_grid = sudoku_lens.solve_puzzle(EASY), sudoku_lens.solve_puzzle(clues)

    assert of_text.status is Status.SOLVED
    assert of_text.solution is not None
    assert np.array_equal(of_text.solution, present(of_grid.solution))
    assert check_solution(clues, of_text.solution) is Fault.NONE


def test_a_solver_is_chosen_by_name_and_held_to_limits() -> None:
    result = sudoku_lens.solve_puzzle(SEVERAL, "backtracking", Limits(nodes=1))

    assert result.status is Status.GAVE_UP


def test_text_that_is_no_puzzle_is_refused() -> None:
    with pytest.raises(sudoku_lens.GridError):
        sudoku_lens.solve_puzzle("no puzzle")


def test_solutions_are_counted_up_to_a_limit() -> None:
    counts = [
        sudoku_lens.count_solutions(puzzle, 5) for puzzle in (EASY, SEVERAL, "55" + SEVERAL[2:])
    ]

    assert counts == [1, 5, 0]


@pytest.mark.parametrize("side", [6, 8])
def test_new_puzzles_of_every_side_are_solved(side: int) -> None:
    (puzzle,) = sudoku_lens.generate(side=side, seed=1)

    result = sudoku_lens.solve_puzzle(puzzle.tolist())

    assert puzzle.shape == (side, side)
    assert result.status is Status.SOLVED
    assert np.array_equal(sudoku_lens.generate(side=side, seed=1)[0], puzzle)
    assert not np.array_equal(sudoku_lens.generate(side=side)[0], puzzle)


def test_a_strength_that_there_is_not_gives_nothing_away() -> None:
    with pytest.raises(ValueError, match="where"):
        sudoku_lens.hint(EASY, "where")  # type: ignore[arg-type]


def test_puzzles_of_other_kinds_are_solved_by_their_rules() -> None:
    rules = sudoku_lens.killer_rules(
        [sudoku_lens.Cage(7, (2, 3)), sudoku_lens.Cage(5, (4, 8))], side=4
    )
    puzzle = "1..........4...."

    count = sudoku_lens.count_solutions(puzzle, 99, rules)
    result = sudoku_lens.solve_puzzle(puzzle, rules=rules)

    assert 0 < count < sudoku_lens.count_solutions(puzzle, 99)
    assert (result.status is Status.SOLVED) == (count == 1)
    with pytest.raises(ValueError, match="knows the classic rules"):
        sudoku_lens.solve_puzzle(puzzle, "backtracking", rules=rules)
    with pytest.raises(sudoku_lens.GridError, match="has 3 cells"):
        sudoku_lens.solve_puzzle("1..", rules=rules)


def test_hints_deepen_and_the_rating_has_a_name() -> None:
    where = present(sudoku_lens.hint(EASY))
    step = present(sudoku_lens.hint(EASY, Strength.STEP))
    rating = present(sudoku_lens.rate(EASY))

    assert where.cells == ()
    assert step.step is not None
    assert isinstance(rating.level, Level)
    assert rating.score > 0


def test_a_text_tells_its_own_rules() -> None:
    killer = '{"kind": "killer", "clues": "1..........4....", "cages": [[7, [2, 3]], [5, [4, 8]]]}'
    rules = parse_any_kind(killer).rules
    link = f_puzzles_link(parse_any_kind(killer))

    counts = [sudoku_lens.count_solutions(text, 99) for text in (killer, link)]

    cells = "1..........4...."
    assert counts == [sudoku_lens.count_solutions(cells, 99, rules)] * 2
    assert counts[0] < sudoku_lens.count_solutions(cells, 99)
    with pytest.raises(ValueError, match="only classic puzzles of 9×9 are rated, not a killer"):
        sudoku_lens.rate(link)


def test_a_hint_knows_the_rules_that_it_is_told() -> None:
    diagonal = sudoku_lens.box_rules(4, sudoku_lens.Kind.DIAGONAL)

    told = present(sudoku_lens.hint("..3.......12....", Strength.STEP, diagonal))

    assert told.step is not None
    assert told.text == "In box 2, 2 fits only in r2c3."


@pytest.mark.slow
def test_the_example_of_its_page_runs(sample: Path, tmp_path: Path) -> None:
    page = (sample.parents[1] / "docs" / "api.md").read_text(encoding="utf-8")
    example = present(re.search(r"```python\n(.*?)```", page, re.DOTALL))
    shutil.copy(sample, tmp_path / "newspaper.jpg")

    done = run_python("-c", example[1], paths=[sample.parents[1]], cwd=tmp_path, check=True)

    assert done.stdout.splitlines()[0] == "solved"
    assert (tmp_path / "solved.jpg").exists()


def test_its_page_names_all_that_it_offers(sample: Path) -> None:
    page = (sample.parents[1] / "docs" / "api.md").read_text(encoding="utf-8")

    assert [name for name in sudoku_lens.__all__ if f"`{name}" not in page] == []
