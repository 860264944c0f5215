"""Boards flattened through their lattice and cut into cells."""

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.board import (
    CELL_PX,
    CROP_PX,
    MARGIN_PX,
    corners_from_lattice,
    cut_cells,
    lattice_from_corners,
    rectify,
    show_board,
    turn_lattice,
)

_SLANTED = np.array([[70, 40], [520, 90], [560, 470], [30, 430]], np.float32)


def _chequered(cell_px: int) -> npt.NDArray[np.uint8]:
    """Return a board whose cell k is evenly grey 3k."""
    cells = (np.arange(81, dtype=np.uint8) * 3).reshape(9, 9)
    return np.kron(cells, np.ones((cell_px, cell_px), np.uint8))


def test_the_lattice_of_a_square_is_even_and_keeps_its_corners() -> None:
    square = np.array([[10, 20], [100, 20], [100, 110], [10, 110]], np.float32)

    lattice = lattice_from_corners(square)

    np.testing.assert_allclose(corners_from_lattice(lattice), square, atol=1e-3)
    np.testing.assert_allclose(lattice[3, 5], [60, 50], atol=1e-3)


@given(st.integers(0, 7))
def test_turning_moves_the_first_corner_clockwise(turns: int) -> None:
    lattice = lattice_from_corners(_SLANTED)

    turned = corners_from_lattice(turn_lattice(lattice, turns))

    np.testing.assert_allclose(turned, np.roll(_SLANTED, -turns, axis=0), atol=1e-2)


@pytest.mark.parametrize("cell_px", [9, 28, 40, 150])
def test_cells_come_out_in_reading_order_whatever_the_size(cell_px: int) -> None:
    picture = np.pad(_chequered(cell_px), 30)
    low, high = 30 - 0.5, 30 + 9 * cell_px - 0.5
    corners = np.array([[low, low], [high, low], [high, high], [low, high]], np.float32)

    cells = cut_cells(rectify(picture, lattice_from_corners(corners)))

    assert cells.shape == (81, CROP_PX, CROP_PX)
    middles = cells[:, 10:-10, 10:-10].reshape(81, -1)
    np.testing.assert_array_equal(middles.min(axis=1), np.arange(81) * 3)
    np.testing.assert_array_equal(middles.max(axis=1), np.arange(81) * 3)


def test_a_bent_board_comes_out_straight() -> None:
    def bend(x: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        return 12 * np.sin(np.pi * x / 440)

    flat = _chequered(44)
    y, x = np.mgrid[0:480, 0:396].astype(np.float32)
    picture = cv2.remap(flat, x, (y - 40 - bend(x)).astype(np.float32), cv2.INTER_NEAREST)
    row, column = np.mgrid[0:10, 0:10].astype(np.float32)
    lattice = np.stack([column * 44, row * 44 + 40 + bend(column * 44)], axis=-1) - 0.5

    cells = cut_cells(rectify(np.asarray(picture, np.uint8), lattice.astype(np.float32)))

    middles = cells[:, 8:-8, 8:-8].reshape(81, -1)
    np.testing.assert_array_equal(np.median(middles, axis=1), np.arange(81) * 3)
    assert np.abs(middles.astype(int) - np.arange(81)[:, None] * 3).max() <= 1


def test_single_pixels_of_noise_go_and_cells_stay() -> None:
    clean = np.pad(_chequered(28), 30, mode="edge")
    noisy = clean.copy()
    noisy[45:-30:5, 45:-30:5] = 255
    low, high = 30 - 0.5, 30 + 9 * 28 - 0.5
    corners = np.array([[low, low], [high, low], [high, high], [low, high]], np.float32)
    lattice = lattice_from_corners(corners)

    seen = [
        cut_cells(rectify(picture, lattice, is_denoised=is_denoised))[:, 4:-4, 4:-4].astype(int)
        for picture, is_denoised in ((clean, False), (noisy, False), (noisy, True))
    ]

    assert np.abs(seen[1] - seen[0]).max() > 50
    np.testing.assert_array_equal(seen[2], seen[0])


def test_a_board_outside_the_picture_reads_as_nothing() -> None:
    picture = np.full((100, 100, 3), 200, np.uint8)

    board = rectify(picture, lattice_from_corners(_SLANTED + 1000))

    assert board.shape == (9 * CELL_PX + 2 * MARGIN_PX,) * 2
    assert not board.any()


def test_wrong_shapes_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"corners must be \(4, 2\), got \(3, 2\)"):
        lattice_from_corners(_SLANTED[:3])
    with pytest.raises(ValueError, match="lattice must be"):
        rectify(np.zeros((9, 9), np.uint8), np.zeros((10, 9, 2), np.float32))
    with pytest.raises(ValueError, match="board must be"):
        cut_cells(np.zeros((9, 9), np.uint8))


@pytest.mark.parametrize("side", [4, 6, 16])
def test_boards_of_other_sides_are_cut_into_their_cells(side: int) -> None:
    px = 40
    picture = np.full((side * px, side * px), 255, np.uint8)
    picture[::px], picture[:, ::px] = 0, 0
    row, column = side - 1, 1
    picture[row * px + 18 : row * px + 22, column * px + 18 : column * px + 22] = 0
    outline = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * side * px

    cells = cut_cells(rectify(picture, lattice_from_corners(outline, side)))

    dark = cells[:, 10:-10, 10:-10].min(axis=(1, 2)) < 128
    assert np.flatnonzero(dark).tolist() == [row * side + column]


def test_a_flat_board_keeps_the_colours_of_the_photo() -> None:
    picture = np.zeros((100, 100, 3), np.uint8)
    picture[10:90, 10:50], picture[10:90, 50:90] = (200, 30, 10), (10, 30, 200)
    outline = np.array([[10, 10], [90, 10], [90, 90], [10, 90]], np.float32)

    shown = show_board(picture, lattice_from_corners(outline, 4), 20)

    assert shown.shape == (80, 80, 3)
    assert shown[40, 10].tolist() == [200, 30, 10]
    assert shown[40, 70].tolist() == [10, 30, 200]
