"""What is told about a photo: one JSON line for programs, a few lines for people."""

import json
from typing import Any, Final

import numpy as np

from app.outcome import Outcome
from app.results import BoardResult, PhotoResult
from solver.grid import Grid, draw_grid, find_conflicts, format_grid

_LEAST_CLUES: Final = 17
"""No puzzle of fewer has a single solution: McGuire, Tugemann, Civario, "There is no 16-Clue
Sudoku", Experimental Mathematics 23 (2014).
"""


def photo_report(file: str, result: PhotoResult) -> dict[str, Any]:
    """Return the report of a photo, ready for `json.dumps`; docs/design.md lists its fields."""
    return {
        "file": file,
        "outcome": result.outcome.value,
        "boards": [_board_report(board) for board in result.boards],
        "seconds": {stage: round(spent, 4) for stage, spent in result.seconds.items()},
    }


def format_report(file: str, result: PhotoResult) -> str:
    """Return the report as one JSON line, without its end."""
    return json.dumps(photo_report(file, result))


def format_summary(file: str, result: PhotoResult, *, is_terminal: bool) -> str:
    """Return what a person wants to know: a line of status, and each board's grid.

    Args:
        file: what the photo is called.
        result: what came of it.
        is_terminal: whether clues may be set in bold.
    """
    if result.outcome is Outcome.BAD_IMAGE:
        # The message on stderr tells the cause, and what to do about that.
        return f"{file}: {result.outcome.sentence}"
    seconds = sum(result.seconds.values())
    if not result.boards:
        return f"{file}: {result.outcome.sentence} ({seconds:.2f} s)\n{_advice(result.outcome)}"
    parts = []
    for number, board in enumerate(result.boards, start=1):
        which = f", board {number} of {len(result.boards)}" if len(result.boards) > 1 else ""
        parts.append(f"{file}{which}: {_status(board)} ({seconds:.2f} s)")
        if board.solution is not None:
            parts.append(draw_grid(board.solution, board.clues if is_terminal else None))
        elif board.clues.any():
            parts.append(f"The digits as they were read:\n{draw_grid(board.clues)}")
        if board.outcome is not Outcome.SOLVED:
            parts.append(_advice(board.outcome))
    return "\n".join(parts)


def _board_report(board: BoardResult) -> dict[str, Any]:
    return {
        "outcome": board.outcome.value,
        "corners": [[round(float(x), 2), round(float(y), 2)] for x, y in board.corners],
        "clues": format_grid(board.clues),
        "entries": format_grid(board.entries),
        "solution": None if board.solution is None else format_grid(board.solution),
        "confidence": round(board.confidence, 4),
        "corrected": list(board.corrected),
        "solver": board.solver,
    }


def _status(board: BoardResult) -> str:
    count = int((board.clues > 0).sum())
    text = f"{board.outcome.sentence}, {count or 'no'} clues"
    if board.outcome is Outcome.AMBIGUOUS and not count:
        text = f"{board.outcome.sentence}, no digits were found on it"
    elif board.outcome is Outcome.AMBIGUOUS and count < _LEAST_CLUES:
        text += f", fewer than the {_LEAST_CLUES} that are the least"
    elif board.outcome is Outcome.NO_SOLUTION:
        text += _name_conflicts(board.clues)
    if board.outcome is Outcome.SOLVED and board.corrected:
        digits = board.clues.ravel()
        cells = [f"{_name_cell(cell)} as {digits[cell] or 'empty'}" for cell in board.corrected]
        text += f", read anew by the rules: {', '.join(cells)}"
    return text


def _name_conflicts(clues: Grid) -> str:
    """Name the clues that stand twice in a unit, or nothing where there are none."""
    conflicts = find_conflicts(clues)
    parts = []
    for digit in range(1, 10):
        cells = [_name_cell(int(cell)) for cell in np.flatnonzero(conflicts & (clues == digit))]
        if cells:
            parts.append(f"{digit} in {', '.join(cells)}")
    return f", equal ones: {'; '.join(parts)}" if parts else ""


def _name_cell(cell: int) -> str:
    """Return `r2c5` for the cell in the second row and the fifth column."""
    return f"r{cell // 9 + 1}c{cell % 9 + 1}"


def _advice(outcome: Outcome) -> str:
    return _ADVICE[outcome]


_ADVICE = {
    Outcome.AMBIGUOUS: "Perhaps a digit was missed: compare with the photo, or take it sharper.",
    Outcome.NO_SOLUTION: "Perhaps a digit was misread: compare with the photo, or take it sharper.",
    Outcome.GAVE_UP: "Try another solver with --solver; the default one decides every puzzle.",
    Outcome.UNREADABLE: "Take the photo nearer, sharper and in even light.",
    Outcome.NO_BOARD: "Take the photo from above, near, with the whole border of the board on it.",
}
