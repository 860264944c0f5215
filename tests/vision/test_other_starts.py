"""Boards of which a lattice shows a part, and the next board or nothing else."""

import numpy as np
import numpy.typing as npt
import pytest

from solver.grid import parse_grid
from training.newspaper.flat_board import render_board
from vision.board import lattice_from_corners, move_lattice
from vision.classic_finder.candidate import BoardCandidate
from vision.classic_finder.inquiry import Answer, Inquiry, find_other_starts
from vision.classic_finder.lattice import LatticeFit
from vision.finder.snap import build_pyramid
from vision.geometry import Points, quad_overlap

PUZZLE = parse_grid(
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
)


def draw_row(boards: int, gap: float) -> tuple[npt.NDArray[np.uint8], list[Points]]:
    """Return a grey page with boards in a row, `gap` cells apart, and their corners."""
    photo, corners = render_board(PUZZLE)
    left, top = (int(edge) for edge in np.floor(corners.min(axis=0)) - 3)
    right, bottom = (int(edge) for edge in np.ceil(corners.max(axis=0)) + 4)
    board = photo[top:bottom, left:right, 0]
    cell = float(corners[1, 0] - corners[0, 0]) / 9
    step, margin = round((9 + gap) * cell), round(2 * cell)
    page = np.full((board.shape[0] + 2 * margin, boards * step + 2 * margin), 255, np.uint8)
    places = []
    for number in range(boards):
        x = margin + number * step
        page[margin : margin + board.shape[0], x : x + board.shape[1]] = board
        places.append((corners - (left, top) + (x, margin)).astype(np.float32))
    return page, places


class Digits:
    """Confirms places that lie on boards and contradicts all others."""

    def __init__(self, boards: list[Points]) -> None:
        self._boards = boards
        self.asked = 0

    def __call__(self, candidate: BoardCandidate, looks_hard: bool) -> Answer:
        self.asked += 1
        on_board = max((quad_overlap(candidate.corners, one) for one in self._boards), default=0.0)
        return Answer.BOARD if on_board > 0.97 else Answer.CONTRADICTION


def test_a_board_is_found_line_by_line_from_where_two_of_them_look_like_one() -> None:
    page, places = draw_row(2, gap=0.9)
    between = LatticeFit(move_lattice(lattice_from_corners(places[0]), 5, 0), 0.95, False)
    inquiry = Inquiry(Digits(places))
    assert inquiry.ask(between) is Answer.CONTRADICTION

    found = find_other_starts(build_pyramid(page), 1.0, inquiry)

    assert len(found) == 1
    assert max(quad_overlap(place, found[0].corners) for place in places) > 0.97
    assert inquiry.mark([between])[0].is_denied


@pytest.mark.parametrize("step", [(1, 0), (0, -2), (1, -1)])
def test_a_doubtful_lattice_that_begins_late_leads_to_its_board(step: tuple[int, int]) -> None:
    page, places = draw_row(1, gap=0.0)
    board = lattice_from_corners(places[0])
    late = LatticeFit(move_lattice(board, step[1], step[0]), 0.7, False)
    inquiry = Inquiry(Digits(places))
    inquiry.ask(late)

    found = find_other_starts(build_pyramid(page), 1.0, inquiry)

    assert len(found) == 1
    assert quad_overlap(places[0], found[0].corners) > 0.97
    assert found[0].is_convincing


def test_a_board_with_a_mistake_stays_what_it_is() -> None:
    page, places = draw_row(1, gap=0.0)
    board = LatticeFit(lattice_from_corners(places[0]), 0.99, False)
    digits = Digits([])
    inquiry = Inquiry(digits)
    inquiry.ask(board)

    assert find_other_starts(build_pyramid(page), 1.0, inquiry) == []

    assert inquiry.mark([board])[0].is_convincing
    assert digits.asked == 1
