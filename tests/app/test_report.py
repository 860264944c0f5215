"""What people are told about a photo, in text and on the picture."""

from typing import Any

import numpy as np
import pytest
from board_results import board_result, square_lattice
from present import present
from puzzles import EASY, EASY_SOLUTION_GRID

from app.recognition.outcome import Outcome
from app.recognition.results import PhotoResult
from app.report.photo_report import format_summary
from app.report.report_pictures import draw_solutions
from solver.grid import parse_grid

_CELL_PX = 30
_PHOTO = np.full((10 * _CELL_PX, 10 * _CELL_PX, 3), 220, np.uint8)


def make_result(outcome: Outcome, clues: str, **changes: Any) -> PhotoResult:
    """Return what came of a photo of one board, whose corner is half a cell from the photo's."""
    lattice = square_lattice(_CELL_PX / 2, 9.5 * _CELL_PX)
    solution = EASY_SOLUTION_GRID if outcome is Outcome.SOLVED else None
    board = board_result(
        outcome=outcome, lattice=lattice, clues=parse_grid(clues), solution=solution, **changes
    )
    return PhotoResult(outcome, (board,), (), {"load": 0.25})


@pytest.mark.parametrize(
    ("result", "told"),
    [
        (
            make_result(Outcome.SOLVED, EASY, corrected=(4, 20)),
            "solved; checked, and the only solution, 30 clues, "
            "read anew by the rules: r1c5 as 7, r3c3 as 8",
        ),
        (
            make_result(Outcome.SOLVED, EASY, corrected=(62,)),
            "solved; checked, and the only solution, 30 clues, "
            "read anew by the rules: r7c9 as empty",
        ),
        (
            make_result(Outcome.AMBIGUOUS, EASY[:30] + "." * 51),
            "more than one solution, 11 clues, fewer than the 17 that are the least",
        ),
        (
            make_result(Outcome.AMBIGUOUS, "5" + "." * 80),
            "more than one solution, 1 clue, fewer than the 17 that are the least",
        ),
        (
            make_result(Outcome.NO_SOLUTION, "535" + EASY[3:]),
            "no solution: the clues contradict each other, 31 clues, equal ones: 5 in r1c1, r1c3",
        ),
        (
            make_result(Outcome.NO_SOLUTION, "12345678" + "." * 9 + "9" + "." * 63),
            "no solution: the clues contradict each other, 9 clues",
        ),
    ],
    ids=[
        "read anew",
        "left out",
        "too few clues",
        "one clue",
        "equal digits",
        "a deeper contradiction",
    ],
)
def test_the_first_line_tells_what_came_of_a_photo(result: PhotoResult, told: str) -> None:
    text = format_summary("a.jpg", result, is_terminal=False)

    assert text.splitlines()[0] == f"a.jpg: {told} (0.25 s)"


def test_cells_that_were_read_anew_are_tinted_on_the_picture() -> None:
    plain = make_result(Outcome.SOLVED, EASY)
    anew = make_result(Outcome.SOLVED, EASY, corrected=(4, 20))

    drawn, drawn_plain = (present(draw_solutions(_PHOTO, result)) for result in (anew, plain))

    changed = (drawn != drawn_plain).any(axis=2)
    tinted = {(int(x), int(y)) for y, x in (np.argwhere(changed) - _CELL_PX // 2) // _CELL_PX}
    inner = changed[_CELL_PX // 2 + 3 : _CELL_PX * 3 // 2 - 3, _CELL_PX * 9 // 2 + 3 :]
    assert {(4, 0), (2, 2)} <= tinted
    assert inner[:, : _CELL_PX - 6].all()
    # The edge of a tint fades out within one pixel of its neighbours.
    assert changed.sum() <= 2 * (_CELL_PX + 2) ** 2


def test_a_board_that_is_not_solved_is_not_drawn_on() -> None:
    result = make_result(Outcome.NO_SOLUTION, EASY, corrected=(4,))

    assert draw_solutions(_PHOTO, result) is None
