"""A board drawn on the spot and sent through the whole line, for `sudoku-lens doctor`."""

import time
from typing import Final

import numpy as np
import numpy.typing as npt

from app.recognition.pipeline import Pipeline
from solver.grid import format_grid, parse_grid
from vision.board import lattice_from_corners
from vision.drawing.overlay import OverlayStyle, draw_digits

_CELL_PX: Final = 40
_MARGIN_PX: Final = 30
_PAPER: Final = 235
_PUZZLE: Final = "2...8.3...6..7..84.3.5..2.9...1.54.8.........4.27.6...3.1..7.4.72..4..6...4.1...3"


def solve_drawn_board() -> tuple[str, float]:
    """Draw a board, solve it, and return the outcome and the seconds that it took.

    The outcome is `misread` where something else than the drawn puzzle was solved.

    Raises:
        models.engine.EngineError: if the networks cannot be run.
    """
    pipeline = Pipeline.load()
    photo, puzzle = _draw_board()
    start = time.perf_counter()
    result = pipeline.solve_photo(photo)
    seconds = time.perf_counter() - start
    if result.boards and result.boards[0].solution is not None:
        is_same = format_grid(result.boards[0].clues) == puzzle
        return ("solved" if is_same else "misread"), seconds
    return result.outcome.value, seconds


def _draw_board() -> tuple[npt.NDArray[np.uint8], str]:
    side = 9 * _CELL_PX + 2 * _MARGIN_PX
    photo = np.full((side, side, 3), _PAPER, np.uint8)
    end = _MARGIN_PX + 9 * _CELL_PX
    for line in range(10):
        place = _MARGIN_PX + line * _CELL_PX
        half = 2 if line % 3 == 0 else 1
        photo[place - half : place + half, _MARGIN_PX - 2 : end + 2] = 30
        photo[_MARGIN_PX - 2 : end + 2, place - half : place + half] = 30
    low, high = float(_MARGIN_PX), float(end)
    corners = np.array([[low, low], [high, low], [high, high], [low, high]], np.float32)
    black = OverlayStyle(ink=(20, 20, 20), halo=(_PAPER, _PAPER, _PAPER))
    photo = draw_digits(photo, lattice_from_corners(corners), parse_grid(_PUZZLE), black)
    return photo, _PUZZLE
