"""Boards written by hand, and what counts as read right."""

from typing import Any

import numpy as np
import pytest

from solver.exact.bitmask import count_solutions
from solver.grid import format_grid
from training.evaluation.written_boards import Flaw, WrittenBoard, draw_written, judge_report
from training.pages.flat_board import make_puzzle

PUZZLE = make_puzzle(3, 30)
BLANK = np.zeros((4, 4, 3), np.uint8)
TRUTH = WrittenBoard(BLANK, PUZZLE.clues, PUZZLE.solution)
FULL = WrittenBoard(BLANK, PUZZLE.solution, PUZZLE.solution)
CLUES, SOLUTION = format_grid(PUZZLE.clues), format_grid(PUZZLE.solution)
OTHER = SOLUTION[9:] + SOLUTION[:9]


ENTRIES = "".join(
    digit if clue == "." else "." for clue, digit in zip(CLUES, SOLUTION, strict=True)
)
AT = next(cell for cell, clue in enumerate(CLUES) if clue != ".")
MISTAKEN = PUZZLE.clues.copy()
MISTAKEN.flat[AT] = MISTAKEN.flat[AT] % 9 + 1
VALID = SOLUTION[:AT] + str(MISTAKEN.flat[AT]) + SOLUTION[AT + 1 :]
"""What has the digit that was written by mistake."""

MISTAKE = TRUTH._replace(written=MISTAKEN, flaw=Flaw.MISTAKE, cell=AT)
HIDDEN = TRUTH._replace(flaw=Flaw.HIDDEN, cell=5)
FULL_MISTAKE = FULL._replace(flaw=Flaw.MISTAKE, cell=5)


def checked(*wrong: int) -> dict[str, Any]:
    return {"checked": {"wrong": list(wrong), "unsure": []}}


@pytest.mark.parametrize(
    ("truth", "boards", "verdict"),
    [
        # A puzzle is right when its solution is shown and no other.
        (TRUTH, [{}], (True, False)),
        (TRUTH, [{"solution": None}], (False, False)),
        (TRUTH, [{"solution": OTHER}], (False, True)),
        (TRUTH, [{}, {"solution": OTHER}], (False, True)),
        (TRUTH, [], (False, False)),
        # A full board is right when every cell is read.
        (FULL, [{"entries": ENTRIES}], (True, False)),
        (FULL, [{"clues": SOLUTION}], (True, False)),
        (FULL, [{}], (False, False)),
        # With a mistake no solution may contradict what is written.
        (MISTAKE, [{"solution": None}], (True, False)),
        (MISTAKE, [{"solution": VALID}], (True, False)),
        (MISTAKE, [{}], (False, True)),
        # Of a full board the mistake alone must be called wrong.
        (FULL_MISTAKE, [checked(5)], (True, False)),
        (FULL_MISTAKE, [checked(5, 6)], (False, False)),
        (FULL_MISTAKE, [checked(6)], (False, False)),
        (FULL_MISTAKE, [checked()], (False, False)),
        (FULL_MISTAKE, [{"solution": OTHER, **checked(5)}], (False, True)),
        (FULL_MISTAKE, [{"checked": None}], (False, False)),
        # With a clue hidden nothing may be shown.
        (HIDDEN, [{"solution": None}], (True, False)),
        (HIDDEN, [{}], (False, True)),
    ],
)
def test_a_report_is_right_wrong_or_neither(
    truth: WrittenBoard, boards: list[dict[str, Any]], verdict: tuple[bool, bool]
) -> None:
    usual = {"clues": CLUES, "entries": "." * 81, "solution": SOLUTION}

    judged = judge_report(
        truth, {"boards": [usual | board for board in boards]}, is_full=bool(truth.written.all())
    )

    assert judged == verdict


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


@pytest.mark.parametrize("level", [None, 2])
def test_boards_are_written_where_the_truth_says(level: int | None) -> None:
    puzzle, again = (draw_written(9, level, is_full=False) for _ in range(2))

    assert np.array_equal(puzzle.written[puzzle.written > 0], puzzle.solution[puzzle.written > 0])
    assert 24 <= int((puzzle.written > 0).sum()) < 34
    assert puzzle.image.dtype == np.uint8
    assert np.array_equal(puzzle.image, again.image)
