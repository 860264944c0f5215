"""What shows of a board's lines, and where they begin."""

import numpy as np
import numpy.typing as npt
from puzzles import EASY_SOLUTION_GRID

from training.pages.flat_board import BoardStyle, render_board
from vision.board import lattice_from_corners, move_lattice
from vision.finder.lines import score_lines, shift_lattice
from vision.finder.snap import BoardCandidate, build_pyramid, measure_pieces

Points = npt.NDArray[np.float32]


def board_among_paper() -> tuple[npt.NDArray[np.uint8], Points]:
    """Return a full board in grey with wide paper around it, and its lattice."""
    board, corners = render_board(
        EASY_SOLUTION_GRID, 270, BoardStyle(thin_ink=(200, 200, 200), margin=2.0)
    )
    return np.asarray(board.mean(axis=2), np.uint8), lattice_from_corners(corners)


def test_a_lattice_that_begins_late_climbs_to_its_start() -> None:
    grey, lattice = board_among_paper()
    pyramid = build_pyramid(grey)
    late = BoardCandidate(move_lattice(lattice, 1, 1), 0.6, is_inverted=False)

    climbed = shift_lattice(pyramid, late)

    assert climbed.score > 0.9
    assert np.abs(climbed.lattice - lattice).max() < 0.1 * 30


def test_lines_beyond_the_board_do_not_raise_the_score_of_the_true_lattice() -> None:
    grey, lattice = board_among_paper()

    maps = measure_pieces(build_pyramid(grey), lattice, False)

    assert 0.9 < score_lines(maps) <= 1
