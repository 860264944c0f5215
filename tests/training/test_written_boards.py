"""Boards written by hand, and what counts as read right."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver.exact.bitmask import count_solutions
from solver.grid import format_grid
from training.evaluation.written_boards import (
    Flaw,
    WrittenBoard,
    draw_written,
    judge_report,
    main,
)
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
    truth = TRUTH._replace(written=written, flaw=Flaw.MISTAKE, cell=cell)
    valid = SOLUTION[:cell] + str(written.flat[cell]) + SOLUTION[cell + 1 :]

    assert judge_report(truth, report(solution=None), is_full=False) == (True, False)
    assert judge_report(truth, report(solution=valid), is_full=False) == (True, False)
    assert judge_report(truth, report(), is_full=False) == (False, True)


def test_of_a_full_board_the_mistake_alone_must_be_called_wrong() -> None:
    truth = FULL._replace(flaw=Flaw.MISTAKE, cell=5)

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
        draw_written(7, None, is_full=is_full, flaw=one) for one in (Flaw.NONE, Flaw.MISTAKE)
    )

    (cell,) = np.flatnonzero(plain.written != wrong.written)
    assert wrong.cell == cell
    assert wrong.written.flat[cell] != 0
    assert plain.written.flat[cell] != 0
    assert plain.cell is None


def test_with_a_clue_hidden_nothing_may_be_shown() -> None:
    truth = TRUTH._replace(flaw=Flaw.HIDDEN, cell=5)

    assert judge_report(truth, report(solution=None), is_full=False) == (True, False)
    assert judge_report(truth, report(), is_full=False) == (False, True)


def test_a_hidden_clue_leaves_several_solutions_and_ink_that_is_no_digit() -> None:
    plain, hidden = (
        draw_written(7, None, is_full=False, flaw=one) for one in (Flaw.NONE, Flaw.HIDDEN)
    )

    (cell,) = np.flatnonzero(plain.written != hidden.written)
    assert hidden.cell == cell
    assert hidden.written.flat[cell] == 0
    assert count_solutions(hidden.written, 2) == 2
    row, column = divmod(int(cell), 9)
    top, left = (round((at + 0.6) * 56) for at in (row, column))  # beside lines 0.6 cells away
    inside = hidden.image[top + 8 : top + 48, left + 8 : left + 48]
    assert int((inside < 160).any(axis=2).sum()) > 3


def test_a_clue_is_hidden_of_puzzles_only(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--full", "--hidden"])

    assert "leave out --full" in capsys.readouterr().err


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
