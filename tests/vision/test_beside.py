"""Boards beside a board that was found: where the page goes on alike."""

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from puzzles import EASY_GRID

from training.pages.flat_board import render_board
from vision.board import lattice_from_corners
from vision.classic_finder.lattice import LatticeFit, snap_lattice
from vision.classic_finder.windows import find_beside, lattices_beside
from vision.finder.snap import build_pyramid
from vision.geometry import Points, quad_overlap


def draw_row(boards: int) -> tuple[npt.NDArray[np.uint8], list[Points]]:
    """Return a grey page with boards in a row, and their corners."""
    photo, corners = render_board(EASY_GRID)
    grey = photo if photo.ndim == 2 else photo[:, :, 0]
    side = float(corners[1, 0] - corners[0, 0])
    step = round(1.1 * side)
    left, top = (int(edge) for edge in np.floor(corners.min(axis=0)) - 3)
    right, bottom = (int(edge) for edge in np.ceil(corners.max(axis=0)) + 4)
    board = grey[top:bottom, left:right]
    margin = round(0.3 * side)
    page = np.full((board.shape[0] + 2 * margin, boards * step + 2 * margin), 255, np.uint8)
    places = []
    for number in range(boards):
        x, y = margin + number * step, margin
        page[y : y + board.shape[0], x : x + board.shape[1]] = board
        places.append((corners - (left, top) + (x, y)).astype(np.float32))
    return page, places


def find_from(page: npt.NDArray[np.uint8], known: list[Points], scale: float) -> list[LatticeFit]:
    """Return what is found beside known boards, searched at a scale."""
    size = (round(scale * page.shape[1]), round(scale * page.shape[0]))
    small = np.asarray(cv2.resize(page, size, interpolation=cv2.INTER_AREA), np.uint8)
    found = [LatticeFit(lattice_from_corners(corners), 1.0, False) for corners in known]
    return find_beside(page, build_pyramid(small), scale, found)


@pytest.mark.parametrize("scale", [1.0, 0.4])
def test_one_board_leads_to_all_in_its_row(scale: float) -> None:
    page, places = draw_row(4)

    found = find_from(page, [places[1]], scale)

    assert len(found) == 3
    for place in (places[0], places[2], places[3]):
        assert max(quad_overlap(place, fit.corners) for fit in found) > 0.97


def test_a_board_that_is_known_is_not_found_again() -> None:
    page, places = draw_row(2)

    assert find_from(page, places, 1.0) == []


def test_bare_paper_beside_a_board_holds_none() -> None:
    page, places = draw_row(3)
    for place in places[1:]:
        low, high = place.min(axis=0).astype(int) - 4, place.max(axis=0).astype(int) + 5
        page[low[1] : high[1], low[0] : high[0]] = 255

    assert find_from(page, places[:1], 1.0) == []


def test_neighbours_follow_the_perspective_of_the_board() -> None:
    corners = np.array([[100, 100], [300, 120], [310, 300], [90, 320]], np.float32)

    right, left, below, above = lattices_beside(lattice_from_corners(corners))

    assert np.ptp(right[:, 0, 1]) < np.ptp(left[:, 0, 1])
    assert right[0, 0, 0] > 300
    assert left[0, 9, 0] < 100
    assert below[0, :, 1].min() > 300
    assert above[9, :, 1].max() < 120


@pytest.mark.parametrize(("lines", "is_found"), [(2, True), (5, False)])
def test_a_board_with_some_faint_lines_is_believed_where_the_page_leads_to_expect_it(
    lines: int, is_found: bool
) -> None:
    page, places = draw_row(2)
    left, top = places[1].min(axis=0).astype(int)
    side = int(np.ptp(places[1][:, 0]))
    for line in range(2, 2 + lines):
        y = top + line * side // 9
        page[y - 4 : y + 5, left + side // 3 : left + side + 5] = 255
    rough = snap_lattice(build_pyramid(page), lattice_from_corners(places[1]), False)

    found = find_from(page, places[:1], 1.0)

    assert rough is not None
    assert rough.score < 0.8  # by itself it is doubtful
    assert [fit.score for fit in found] == (
        [pytest.approx(rough.score + 0.1, abs=0.02)] if is_found else []
    )
