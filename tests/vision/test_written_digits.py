"""What is written in cells, cut out at one size."""

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from vision.board import lattice_from_corners
from vision.written_digits import INK_PX, SHAPE_PX, cut_written

UInt8 = npt.NDArray[np.uint8]

CELL_PX = 40
MARGIN_PX = 20
FAR_PX = MARGIN_PX + 9 * CELL_PX
LATTICE = lattice_from_corners(
    np.array([[20, 20], [FAR_PX, 20], [FAR_PX, FAR_PX], [20, FAR_PX]], np.float32)
)


def draw_board(marks: dict[int, tuple[float, float, float, float]], paper: int = 230) -> UInt8:
    """Return a board with lines, and upright boxes of ink in cells: left, top, right and bottom."""
    side = 9 * CELL_PX + 2 * MARGIN_PX
    image = np.full((side, side), paper, np.uint8)
    for at in range(10):
        place = MARGIN_PX + at * CELL_PX
        cv2.line(image, (MARGIN_PX, place), (side - MARGIN_PX, place), 40, 2)
        cv2.line(image, (place, MARGIN_PX), (place, side - MARGIN_PX), 40, 2)
    for cell, box in marks.items():
        row, column = divmod(cell, 9)
        left, top, right, bottom = np.round(np.array(box) * CELL_PX).astype(int)
        y, x = MARGIN_PX + row * CELL_PX, MARGIN_PX + column * CELL_PX
        image[y + top : y + bottom, x + left : x + right] = 60
    return image


def cut(image: UInt8, *cells: int) -> UInt8:
    """Return what stands in some cells."""
    return cut_written(image, LATTICE).shapes[list(cells)]


@pytest.mark.parametrize(
    "box", [(0.4, 0.2, 0.6, 0.8), (0.2, 0.3, 0.35, 0.75), (0.55, 0.15, 0.65, 0.45)]
)
def test_ink_of_any_size_and_place_comes_to_one_size_in_the_middle(
    box: tuple[float, float, float, float],
) -> None:
    (shape,) = cut(draw_board({40: box}), 40)

    rows, columns = (np.flatnonzero((shape > 127).any(axis=axis)) for axis in (1, 0))
    assert abs(len(rows) - INK_PX) <= 2
    for span in (rows, columns):
        assert span[0] + span[-1] == pytest.approx(SHAPE_PX - 1, abs=2)


def test_ink_is_the_stronger_the_longer_and_the_darker_it_is() -> None:
    marks = {40: (0.4, 0.2, 0.6, 0.8), 41: (0.4, 0.4, 0.6, 0.7)}
    dark = cut_written(draw_board(marks), LATTICE).strengths
    light = cut_written(draw_board(marks, paper=150), LATTICE).strengths

    assert dark[40] == pytest.approx(2 * dark[41], rel=0.15)
    assert dark[40] > 1.5 * light[40]
    assert not dark[:40].any()


def test_lines_are_no_ink_and_an_empty_cell_has_none() -> None:
    shapes = cut(draw_board({0: (0.4, 0.2, 0.6, 0.8)}), 1, 40)

    assert shapes.shape == (2, SHAPE_PX, SHAPE_PX)
    assert not shapes.any()


def test_ink_that_touches_a_line_is_kept_without_it() -> None:
    (shape,) = cut(draw_board({40: (0.4, 0.3, 0.6, 1.0)}), 40)

    widths = (shape > 127).sum(axis=1)
    assert widths.max() < SHAPE_PX / 2
    assert (widths > 0).sum() >= INK_PX - 2


def test_chalk_on_a_dark_board_is_ink() -> None:
    board = draw_board({40: (0.4, 0.2, 0.6, 0.8)})

    assert np.abs(cut(255 - board, 40).astype(int) - cut(board, 40)).max() <= 2


def test_chalk_is_ink_where_most_cells_are_empty() -> None:
    board = draw_board({40: (0.4, 0.2, 0.6, 0.8)})
    board = np.asarray(board + np.random.default_rng(3).integers(-2, 3, board.shape), np.uint8)

    shapes = cut(255 - board, *range(81))

    assert np.flatnonzero(shapes.any(axis=(1, 2))).tolist() == [40]
    assert np.abs(shapes[40].astype(int) - cut(board, 40)[0]).max() <= 2


def test_cells_are_cut_in_reading_order() -> None:
    board = draw_board(
        {3: (0.4, 0.2, 0.5, 0.8), 40: (0.2, 0.4, 0.8, 0.5), 41: (0.3, 0.3, 0.7, 0.7)}
    )

    tall, wide = cut(board, 3, 40)

    assert (tall > 127).any(axis=1).sum() > (tall > 127).any(axis=0).sum()
    assert (wide > 127).any(axis=0).sum() > (wide > 127).any(axis=1).sum()


def move_line(board: UInt8, *, is_kept: bool) -> UInt8:
    """Return a board whose cell 40 has its right line, or one more, drawn aside by hand."""
    moved = board.copy()
    top, right = MARGIN_PX + 4 * CELL_PX, MARGIN_PX + 5 * CELL_PX
    if not is_kept:
        moved[top + 2 : top + CELL_PX - 1, right - 1 : right + 2] = 230
    cv2.line(moved, (right - 10, top), (right - 7, top + CELL_PX), 40, 2)
    return moved


def test_a_line_of_the_grid_that_is_drawn_aside_is_no_digit() -> None:
    board = draw_board({})

    assert not cut(move_line(board, is_kept=False), 40).any()
    (tall_one,) = cut(move_line(board, is_kept=True), 40)
    assert (tall_one > 127).any(axis=1).sum() >= INK_PX - 2


@pytest.mark.parametrize("grid", [165, 200])
def test_a_tall_1_beside_the_middle_is_kept_where_the_grid_is_paler_than_it(grid: int) -> None:
    board = draw_board({})
    board[board < 100] = grid
    bottom, right = MARGIN_PX + 5 * CELL_PX, MARGIN_PX + 5 * CELL_PX
    cv2.line(board, (right - 10, bottom - CELL_PX), (right - 11, bottom), 40, 2)

    (tall_one,) = cut(board, 40)

    assert (tall_one > 127).any(axis=1).sum() >= INK_PX - 2


def test_a_tall_1_in_the_middle_is_kept_where_its_cell_has_no_side_lines() -> None:
    board = draw_board({})
    top, left = MARGIN_PX + 4 * CELL_PX, MARGIN_PX + 4 * CELL_PX
    board[top + 2 : top + CELL_PX - 1, left - 2 : left + CELL_PX + 3] = 230
    cv2.line(board, (left + 22, top), (left + 21, top + CELL_PX), 40, 2)

    (tall_one,) = cut(board, 40)

    assert (tall_one > 127).any(axis=1).sum() >= INK_PX - 2


def test_a_tall_digit_with_a_straight_stem_is_kept_where_its_side_has_no_line() -> None:
    board = draw_board({})
    top, right = MARGIN_PX + 4 * CELL_PX, MARGIN_PX + 5 * CELL_PX
    board[top + 2 : top + CELL_PX - 1, right - 1 : right + 2] = 230
    cv2.line(board, (right - 10, top + 1), (right - 10, top + CELL_PX), 40, 2)
    cv2.circle(board, (right - 15, top + 9), 5, 40, 2)

    (nine,) = cut(board, 40)

    assert (nine > 127).any(axis=1).sum() >= INK_PX - 2
    assert (nine > 127).any(axis=0).sum() >= 5


def test_the_edge_of_a_shadow_is_no_ink_and_takes_none_away() -> None:
    board = draw_board({40: (0.4, 0.2, 0.6, 0.8)})
    light = np.ones(board.shape)
    light[:, MARGIN_PX + 4 * CELL_PX + 20 :] = 0.6  # through the middle of cells 40 and 49
    light[: MARGIN_PX + 15] = 0.6
    shaded = np.asarray(board * light, np.uint8)

    assert not cut(shaded, 0, 4, 49, 80).any()
    assert np.abs(cut(shaded, 40).astype(int) - cut(board, 40)).mean() < 12


def test_a_faint_stroke_is_ink_where_it_is_joined_to_a_digit() -> None:
    digit = (0.4, 0.2, 0.6, 0.8)
    board = draw_board({40: digit})

    crossed = cut(draw_faint(board, (0.2, 0.45, 0.8, 0.53), digit), 40)
    beside = cut(draw_faint(board, (0.2, 0.3, 0.28, 0.7), digit), 40)

    assert np.ptp(np.flatnonzero((crossed > 40).any(axis=1))) > 1.5 * np.ptp(
        np.flatnonzero((cut(board, 40) > 40).any(axis=1))
    )
    assert np.abs(beside.astype(int) - cut(board, 40)).max() <= 10


def draw_faint(
    board: UInt8, box: tuple[float, float, float, float], digit: tuple[float, float, float, float]
) -> UInt8:
    """Return a board with a faint box in cell 40, behind its digit."""
    drawn = board.copy()
    for (left, top, right, bottom), ink in ((box, 165), (digit, 60)):
        x, y = MARGIN_PX + 4 * CELL_PX, MARGIN_PX + 4 * CELL_PX
        drawn[
            y + round(top * CELL_PX) : y + round(bottom * CELL_PX),
            x + round(left * CELL_PX) : x + round(right * CELL_PX),
        ] = ink
    return drawn
