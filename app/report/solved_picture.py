"""The photo with its solutions, or with its entries judged."""

from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from app.recognition.results import BoardResult, PhotoResult
from app.report.board_symbols import symbols_of
from app.report.checking import CheckedEntries, check_entries
from app.report.photo_report import CheckStyle
from solver.rules import Kind
from vision.drawing.overlay import OverlayStyle, draw_digits, mark_cells, tint_cells

Image8 = npt.NDArray[np.uint8]

_STYLE: Final = OverlayStyle()
_WRONG: Final = replace(_STYLE, tint=(150, 150, 255))
_CORRECTION: Final = replace(_STYLE, digit_height=0.3, middle=(0.8, 0.76))
"""Beside what was written, which stays readable."""
_BESIDE_SUM: Final = replace(_STYLE, digit_height=0.44, middle=(0.57, 0.61))
"""In killers, whose sums stand in the upper left of cells."""


def draw_solutions(
    image: Image8, result: PhotoResult, check: CheckStyle | None = None
) -> Image8 | None:
    """Draw the solution of every solved board, or return None where nothing is solved.

    Cells where the rules overruled what the network read are tinted, so that they can be compared
    with the print. What is rightly written in already stays as it is; over what is surely wrong
    the solution is written, with a cross beside it.

    Args:
        image: (H, W, 3) BGR uint8, the photo, which stays as it is.
        result: what came of it.
        check: mark the entries instead; the solution is drawn only where it shall be revealed.
    """
    drawn = None
    for board in result.boards:
        if board.solution is None:
            continue
        drawn = image if drawn is None else drawn
        drawn = tint_cells(drawn, board.lattice, _among(board.corrected, board))
        checked = None if check is None else check_entries(board)
        if checked is not None and check is not None:
            drawn = _draw_check(drawn, board, checked, is_revealed=check.reveal)
        if check is None or check.reveal:
            # What is rightly written needs no second digit; what is judged has its mark.
            is_done = (board.entries == board.solution) | (
                (check is not None) & (board.entries > 0)
            )
            is_free = (board.clues == 0) & ~is_done
            missing = np.where(is_free, board.solution, 0).astype(np.uint8)
            style = _BESIDE_SUM if board.kind is Kind.KILLER else _STYLE
            drawn = draw_digits(drawn, board.lattice, missing, style, symbols_of(board))
        if check is None and (checked := check_entries(board)) is not None:
            # The solution was written over them; what may be misread is not blamed.
            drawn = mark_cells(drawn, board.lattice, _among(checked.wrong, board), "cross")
    return drawn


def _draw_check(
    image: Image8, board: BoardResult, checked: CheckedEntries, *, is_revealed: bool
) -> Image8:
    """Tick what is right, cross what is wrong, and write the right digit beside it if asked."""
    wrong = _among(checked.wrong, board)
    drawn = tint_cells(image, board.lattice, wrong, _WRONG)
    drawn = mark_cells(drawn, board.lattice, wrong, "cross")
    drawn = mark_cells(drawn, board.lattice, _among(checked.right, board), "tick")
    drawn = mark_cells(drawn, board.lattice, _among(checked.unsure, board), "question")
    if is_revealed and board.solution is not None:
        differing = wrong | _among(checked.unsure, board)
        digits = np.where(differing, board.solution, 0).astype(np.uint8)
        drawn = draw_digits(drawn, board.lattice, digits, _CORRECTION, symbols_of(board))
    return drawn


def _among(cells: tuple[int, ...], board: BoardResult) -> npt.NDArray[np.bool_]:
    """Return (n, n) bool: which cells of the board are among these."""
    chosen = np.zeros(board.clues.size, np.bool_)
    chosen[list(cells)] = True
    return chosen.reshape(board.clues.shape)
