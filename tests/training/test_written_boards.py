"""Boards written by hand, and what counts as read right."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver.grid import format_grid
from training.evaluation.written_boards import WrittenBoard, draw_written, judge_report, main
from training.pages.flat_board import make_puzzle

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


def test_with_a_mistake_no_solution_may_contradict_what_is_written() -> None:
    cell = next(cell for cell, clue in enumerate(CLUES) if clue != ".")
    written = PUZZLE.clues.copy()
    written.flat[cell] = written.flat[cell] % 9 + 1
    truth = TRUTH._replace(written=written, mistake=cell)
    valid = SOLUTION[:cell] + str(written.flat[cell]) + SOLUTION[cell + 1 :]

    assert judge_report(truth, report(solution=None), is_full=False) == (True, False)
    assert judge_report(truth, report(solution=valid), is_full=False) == (True, False)
    assert judge_report(truth, report(), is_full=False) == (False, True)


def test_of_a_full_board_the_mistake_alone_must_be_called_wrong() -> None:
    truth = FULL._replace(mistake=5)

    def judge(*wrong: int, **fields: Any) -> tuple[bool, bool]:
        told = report(checked={"wrong": list(wrong), "unsure": []}, **fields)
        return judge_report(truth, told, is_full=True)

    assert judge(5) == (True, False)
    assert judge(5, 6) == judge(6) == judge() == (False, False)
    assert judge(5, solution=OTHER) == (False, True)
    assert judge_report(truth, report(checked=None), is_full=True) == (False, False)


@pytest.mark.parametrize("is_full", [False, True])
def test_a_mistake_is_one_other_digit_of_the_board(is_full: bool) -> None:
    plain, wrong = (
        draw_written(7, None, is_full=is_full, has_mistake=one) for one in (False, True)
    )

    (cell,) = np.flatnonzero(plain.written != wrong.written)
    assert wrong.mistake == cell
    assert wrong.written.flat[cell] != 0
    assert plain.written.flat[cell] != 0
    assert plain.mistake is None


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
