"""Bent sheets before a camera: page and photo have the same places."""

import numpy as np
import pytest

from training.rendered.pose import CameraStyle, Floats, Sheet
from vision.board import lattice_from_corners

_CORNERS = np.array([[0, 0], [900, 0], [900, 900], [0, 900]], np.float64)


def _waves(plane: Floats) -> Floats:
    fold = 0.5 * np.exp(-np.hypot(plane[:, 1], 0.01) / 0.06)
    return np.asarray(0.033 * (np.sin(3.1 * plane[:, 0] + 0.8 * plane[:, 1]) + fold))


def _flat(plane: Floats) -> Floats:
    return np.zeros(len(plane))


def _camera(*, pan: float = -6.0, turn: float = -4.0, lens: float = 0.0) -> CameraStyle:
    return CameraStyle(
        width=1600, height=1200, view=1.06, aim=(0.5, 0.5), tilt=17.0, pan=pan, turn=turn,
        distance=1.25, lens=lens,
    )  # fmt: skip


@pytest.mark.parametrize("lens", [0.0, -0.03])
def test_places_on_the_page_and_in_the_photo_belong_together(lens: float) -> None:
    sheet = Sheet((2000, 2800), _camera(lens=lens), _waves)
    on_page = np.random.default_rng(1).uniform((0, 0), (2000, 2800), (500, 2))

    back = sheet.page_points(sheet.project(on_page))

    np.testing.assert_allclose(back, on_page, atol=0.001)


def test_a_flat_sheet_is_a_homography() -> None:
    flat = Sheet((900, 900), _camera(), _flat)

    lattice = flat.project(np.argwhere(np.ones((10, 10)))[:, ::-1] * 100.0).reshape(10, 10, 2)

    expected = lattice_from_corners(flat.project(_CORNERS).astype(np.float32))
    np.testing.assert_allclose(lattice, expected, atol=0.01)


def test_the_nearer_foot_of_the_page_is_larger() -> None:
    corners = Sheet((900, 900), _camera(pan=0, turn=0), _flat).project(_CORNERS)

    assert corners[2, 0] - corners[3, 0] > 1.1 * (corners[1, 0] - corners[0, 0])
