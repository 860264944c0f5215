"""Lattices that go on behind a fold."""

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from vision.classic_finder.lattice import snap_lattice, unfold_lattice
from vision.classic_finder.lines import follow_rows, measure_ridges
from vision.finder.snap import build_pyramid, measure_pieces

CELL = 40
Points = npt.NDArray[np.float32]


def _straight() -> Points:
    y, x = np.meshgrid(np.arange(10), np.arange(10), indexing="ij")
    return np.stack([60 + CELL * x, 60 + CELL * y], axis=2).astype(np.float32)


def _folded(shear: float) -> Points:
    """Return a board whose last three rows lie sheared, by so many cells a row at its left end."""
    lattice = _straight()
    for row in (7, 8, 9):
        lattice[row, :, 0] -= shear * CELL * (row - 6) * np.linspace(1, 0.3, 10)
    return lattice


def _draw(lattice: Points) -> npt.NDArray[np.uint8]:
    picture = np.full((480, 480), 235, np.uint8)
    for index in range(10):
        width = 3 if index % 3 == 0 else 1
        for line in (lattice[index], lattice[:, index]):
            points = np.round(line * 16).astype(np.int32)
            cv2.polylines(picture, [points], False, 40, width, cv2.LINE_AA, 4)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.0), np.uint8)


def _error(found: Points, truth: Points) -> float:
    return float(np.linalg.norm(found - truth, axis=2).max() / CELL)


@pytest.mark.parametrize("is_turned", [False, True])
def test_lines_are_followed_behind_a_fold(is_turned: bool) -> None:
    truth, start = _folded(0.45), _straight()
    picture = _draw(truth)
    if is_turned:
        picture = np.ascontiguousarray(picture.T)
        truth, start = (np.ascontiguousarray(one.transpose(1, 0, 2)[..., ::-1]) for one in
                        (truth, start))  # fmt: skip
    pyramid = build_pyramid(picture)

    snapped = snap_lattice(pyramid, start, is_inverted=False)
    assert snapped is not None
    assert _error(snapped.lattice, truth) > 0.5

    assert _error(unfold_lattice(pyramid, snapped).lattice, truth) < 0.25


def test_where_all_rows_are_sure_nothing_is_followed() -> None:
    lattice = _straight()
    pyramid = build_pyramid(_draw(lattice))
    lines = measure_pieces(pyramid, lattice, is_inverted=False)
    ridges = measure_ridges(pyramid, lattice, is_inverted=False)

    assert follow_rows(lines, ridges) is None


def test_where_no_row_is_sure_nothing_is_followed() -> None:
    noise = np.random.default_rng(1).integers(100, 200, (480, 480)).astype(np.uint8)
    pyramid = build_pyramid(noise)
    lines = measure_pieces(pyramid, _straight(), is_inverted=False)
    ridges = measure_ridges(pyramid, _straight(), is_inverted=False)

    assert follow_rows(lines, ridges) is None
