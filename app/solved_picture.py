"""The photo with its solutions, and with a mark where the print was read anew."""

import numpy as np
import numpy.typing as npt

from app.results import PhotoResult
from vision.overlay import draw_digits, tint_cells

Image8 = npt.NDArray[np.uint8]


def draw_solutions(image: Image8, result: PhotoResult) -> Image8 | None:
    """Draw the solution of every solved board, or return None where nothing is solved.

    Cells where the rules overruled what the network read are tinted, so that they can be compared
    with the print.

    Args:
        image: (H, W, 3) BGR uint8, the photo, which stays as it is.
        result: what came of it.
    """
    drawn = None
    for board in result.boards:
        if board.solution is None:
            continue
        corrected = np.zeros(81, np.bool_)
        corrected[list(board.corrected)] = True
        missing = np.where(board.clues == 0, board.solution, 0).astype(np.uint8)
        drawn = image if drawn is None else drawn
        drawn = tint_cells(drawn, board.lattice, corrected.reshape(9, 9))
        drawn = draw_digits(drawn, board.lattice, missing)
    return drawn
