"""Boards written by hand, and what counts as read right."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver.grid import format_grid
from training.evaluation.written_boards import WrittenBoard, draw_written, judge_report, main
from training.newspaper.printed_puzzle import make_puzzle

PUZZLE = make_puzzle(3, 30)
BLANK = np.zeros((4, 4, 3), np.uint8)
TRUTH = WrittenBoard(BLANK, PUZZLE.clues, PUZZLE.solution)
FULL = WrittenBoard(BLANK, PUZZLE.solution, PUZZLE.solution)
CLUES, SOLUTION = format_grid(PUZZLE.clues), format_grid(PUZZLE.solution)
OTHER = SOLUTION[9:] + SOLUTION[:9]


def report(**fields: Any) -> dict[str, Any]:
    board = {"clues": CLUES, "entries": "." * 81, "solution": SOLUTION}
    return {"boards": [board | fields]}


def test_a_puzzle_is_right_when_its_solution_is_shown_and_no_other() -> None:
    other = report(solution=OTHER)
    both = {"boards": [*report()["boards"], *other["boards"]]}

    assert judge_report(TRUTH, report(), is_full=False) == (True, False)
    assert judge_report(TRUTH, report(solution=None), is_full=False) == (False, False)
    assert judge_report(TRUTH, other, is_full=False) == (False, True)
    assert judge_report(TRUTH, both, is_full=False) == (False, True)
    assert judge_report(TRUTH, {"boards": []}, is_full=False) == (False, False)


def test_a_full_board_is_right_when_every_cell_is_read() -> None:
    entries = "".join(
        digit if clue == "." else "." for clue, digit in zip(CLUES, SOLUTION, strict=True)
    )

    assert judge_report(FULL, report(entries=entries), is_full=True) == (True, False)
    assert judge_report(FULL, report(clues=SOLUTION), is_full=True) == (True, False)
    assert judge_report(FULL, report(), is_full=True) == (False, False)


@pytest.mark.parametrize("level", [None, 2])
def test_boards_are_written_where_the_truth_says(level: int | None) -> None:
    puzzle = draw_written(7, level, is_full=False)
    full = draw_written(7, level, is_full=True)

    assert np.array_equal(puzzle.written[puzzle.written > 0], puzzle.solution[puzzle.written > 0])
    assert 24 <= int((puzzle.written > 0).sum()) < 34
    assert np.array_equal(full.written, full.solution)
    assert puzzle.image.dtype == np.uint8
    if level is None:
        ink = [int((board.image[60:-60, 60:-60] < 128).sum()) for board in (puzzle, full)]
        assert ink[1] > ink[0]
    assert np.array_equal(puzzle.image, draw_written(7, level, is_full=False).image)


def test_a_folder_without_digits_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--data-root", str(tmp_path)]) == 3
    assert str(tmp_path / "digits") in capsys.readouterr().err
