"""Marks stand in the corner of their cell, tell each other apart, and change nothing else."""

import numpy as np
import numpy.typing as npt
import pytest

from vision.board import lattice_from_corners
from vision.drawing.overlay import Mark, mark_cells

LATTICE = lattice_from_corners(np.array([[20, 20], [380, 30], [390, 390], [10, 380]], np.float32))
PHOTO = np.full((400, 400, 3), 200, np.uint8)
MARKS: tuple[Mark, ...] = ("tick", "cross", "question")


def only(row: int, column: int) -> npt.NDArray[np.bool_]:
    cells = np.zeros((9, 9), np.bool_)
    cells[row, column] = True
    return cells


@pytest.mark.parametrize("mark", MARKS)
def test_a_mark_stays_in_the_corner_of_its_cell(mark: Mark) -> None:
    changed = (mark_cells(PHOTO, LATTICE, only(3, 4), mark) != PHOTO).any(axis=2)

    y, x = np.argwhere(changed).mean(axis=0)
    cell = LATTICE[3:5, 4:6].reshape(4, 2)
    assert changed.any()
    assert np.linalg.norm(np.array([x, y]) - LATTICE[3, 4]) < 15
    low, high = cell.min(axis=0) - 1, cell.max(axis=0) + 1
    inside = changed[int(low[1]) : int(high[1]) + 1, int(low[0]) : int(high[0]) + 1]
    assert inside.sum() == changed.sum()


def test_marks_differ_in_shape_and_colour() -> None:
    drawn = [mark_cells(PHOTO, LATTICE, only(2, 2), mark) for mark in MARKS]

    for first in range(3):
        for second in range(first):
            assert (drawn[first] != drawn[second]).any(axis=2).sum() > 10
    shapes = [np.argwhere((one != PHOTO).any(axis=2)).tobytes() for one in drawn]
    assert len(set(shapes)) == 3


def test_the_photo_itself_stays_as_it_is() -> None:
    before = PHOTO.copy()

    mark_cells(PHOTO, LATTICE, np.ones((9, 9), np.bool_), "tick")

    assert (before == PHOTO).all()


def test_marks_beyond_the_photo_are_left_out() -> None:
    far = LATTICE + np.float32(1000)

    assert (mark_cells(PHOTO, far, np.ones((9, 9), np.bool_), "cross") == PHOTO).all()


def test_cells_of_another_shape_are_refused() -> None:
    with pytest.raises(ValueError, match="cells must be"):
        mark_cells(PHOTO, LATTICE, np.ones(81, np.bool_), "tick")
