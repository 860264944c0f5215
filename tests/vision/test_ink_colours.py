"""Digits in another colour than others are told by their ink."""

import cv2
import numpy as np
import pytest
from present import present

from vision.board import lattice_from_corners
from vision.geometry import Image8
from vision.ink_colours import tell_inks

LATTICE = lattice_from_corners(np.array([[0, 0], [450, 0], [450, 450], [0, 450]], np.float32))
FILLED = np.arange(81) % 3 == 0
COLOURED = np.arange(81) % 6 == 0
BLUE = (228, 123, 43)


def write(
    paper: tuple[int, int, int], plain: tuple[int, int, int], coloured: tuple[int, int, int]
) -> Image8:
    """Return a board of 450 pixels, BGR, with digits in two inks and a tint in every fourth row."""
    board = np.full((450, 450, 3), paper, np.uint8)
    for row in range(0, 9, 4):
        board[row * 50 : row * 50 + 50] = np.array(paper) * 0.9
    for cell in np.flatnonzero(FILLED).tolist():
        row, column = divmod(cell, 9)
        at = column * 50 + 14, row * 50 + 38
        ink = coloured if COLOURED[cell] else plain
        cv2.putText(board, str(cell % 9 + 1), at, cv2.FONT_HERSHEY_SIMPLEX, 1.1, ink, 3)
    return board


@pytest.mark.parametrize(
    ("paper", "plain", "coloured"),
    [
        ((255, 255, 255), (0, 0, 0), BLUE),
        ((255, 255, 255), (97, 72, 52), BLUE),
        ((30, 30, 30), (232, 232, 232), (255, 176, 106)),
        ((255, 255, 255), (32, 94, 27), (0, 108, 239)),
        ((255, 255, 255), (0, 0, 0), (120, 120, 120)),
        ((30, 30, 30), (235, 235, 235), (140, 140, 140)),
    ],
)
@pytest.mark.parametrize("blur", [0.0, 2.0])
def test_digits_in_colour_or_grey_are_told_on_any_paper(
    paper: tuple[int, int, int],
    plain: tuple[int, int, int],
    coloured: tuple[int, int, int],
    blur: float,
) -> None:
    board = write(paper, plain, coloured)
    board = np.asarray(cv2.GaussianBlur(board, (0, 0), blur) if blur else board, np.uint8)

    found = tell_inks(board, LATTICE, FILLED)

    assert np.array_equal(present(found), np.where(FILLED, COLOURED, -1))


@pytest.mark.parametrize(
    ("plain", "faint", "coloured"),
    [((0, 0, 0), (119, 119, 119), (34, 34, 204)), ((136, 136, 136), (58, 27, 106), (0, 0, 238))],
)
def test_each_of_three_inks_is_told(
    plain: tuple[int, int, int], faint: tuple[int, int, int], coloured: tuple[int, int, int]
) -> None:
    board = write((255, 255, 255), plain, faint)
    mistake = write((255, 255, 255), plain, coloured)
    cells = np.flatnonzero(COLOURED)[:2].tolist()
    for row, column in (divmod(cell, 9) for cell in cells):
        place = np.s_[row * 50 : row * 50 + 50, column * 50 : column * 50 + 50]
        board[place] = mistake[place]

    found = present(tell_inks(board, LATTICE, FILLED))

    groups = {tuple(np.flatnonzero(found == ink).tolist()) for ink in range(found.max() + 1)}
    rest = np.setdiff1d(np.flatnonzero(COLOURED), cells)
    assert groups == {tuple(np.flatnonzero(FILLED & ~COLOURED)), tuple(rest), tuple(cells)}


@pytest.mark.parametrize("ink", [(0, 0, 0), BLUE])
def test_digits_of_one_ink_are_not_parted(ink: tuple[int, int, int]) -> None:
    assert tell_inks(write((255, 255, 255), ink, ink), LATTICE, FILLED) is None


@pytest.mark.parametrize("tint", [(130, 224, 255), (251, 222, 187), (150, 120, 250)])
def test_cells_on_coloured_ground_are_not_taken_for_coloured_digits(
    tint: tuple[int, int, int],
) -> None:
    board = write((255, 255, 255), (0, 0, 0), (0, 0, 0))
    row = board[200:250].astype(np.float32) * np.array(tint) / 255
    board[200:250] = row.astype(np.uint8)

    assert tell_inks(board, LATTICE, FILLED) is None


def test_a_board_without_digits_has_no_ink() -> None:
    blank = np.full((450, 450, 3), 255, np.uint8)

    assert tell_inks(blank, LATTICE, np.zeros(81, np.bool_)) is None
    assert tell_inks(blank, LATTICE, FILLED) is None
