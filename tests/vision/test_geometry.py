"""Quadrilaterals, meshes and smooth fields."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.board import lattice_from_corners
from vision.geometry import (
    fit_surface,
    is_sane_lattice,
    is_sane_quad,
    mesh_weights,
    order_corners,
    quad_area,
    quad_overlap,
    surface_terms,
    take_median,
    weigh_mesh,
)

_SLANTED = np.array([[20, 10], [220, 40], [240, 200], [10, 190]], np.float32)


def test_corners_come_out_clockwise_from_the_origin_in_any_order_they_went_in() -> None:
    for order in itertools.permutations(range(4)):
        np.testing.assert_array_equal(order_corners(_SLANTED[list(order)]), _SLANTED)


def test_area_of_a_clockwise_rectangle_is_positive() -> None:
    rectangle = np.array([[0, 0], [30, 0], [30, 20], [0, 20]], np.float32)

    assert quad_area(rectangle) == pytest.approx(600)
    assert quad_area(rectangle[::-1]) == pytest.approx(-600)


@given(st.floats(0, 400), st.floats(0, 400))
def test_overlap_is_symmetric_and_that_of_shifted_squares(right: float, down: float) -> None:
    square = np.array([[0, 0], [200, 0], [200, 200], [0, 200]], np.float32)
    moved = square + np.array([right, down], np.float32)
    common = max(200 - right, 0) * max(200 - down, 0)

    assert quad_overlap(square, moved) == pytest.approx(quad_overlap(moved, square), abs=1e-4)
    assert quad_overlap(square, moved) == pytest.approx(common / (80000 - common), abs=1e-3)


def test_a_sliver_and_a_tiny_quad_cannot_be_boards() -> None:
    sliver = np.array([[0, 0], [300, 0], [300, 40], [0, 40]], np.float32)

    assert is_sane_quad(_SLANTED, 50)
    assert not is_sane_quad(sliver, 20)
    assert not is_sane_quad(_SLANTED, 500)


def test_a_folded_lattice_is_not_sane() -> None:
    lattice = lattice_from_corners(_SLANTED)
    folded = lattice.copy()
    folded[4, 4] = lattice[7, 7]

    assert is_sane_lattice(lattice)
    assert not is_sane_lattice(folded)


def test_a_mesh_passes_through_the_crossings_and_continues_straight_beyond_them() -> None:
    square = np.array([[0, 0], [90, 0], [90, 180], [0, 180]], np.float32)
    position = np.array([-1.5, 0, 4.25, 9, 10])

    x, y = weigh_mesh(lattice_from_corners(square), mesh_weights(position))

    np.testing.assert_allclose(x, np.tile(position * 10, (5, 1)), atol=1e-3)
    np.testing.assert_allclose(y, np.tile(position[:, None] * 20, (1, 5)), atol=1e-3)


def test_a_smooth_field_is_recovered_from_values_of_which_a_fifth_are_wild() -> None:
    rng = np.random.default_rng(1)
    row, column = np.meshgrid(np.arange(10.0), np.arange(10.0), indexing="ij")
    true = 0.3 + 0.02 * row - 0.004 * column**2
    seen = true.copy()
    wild = rng.random(true.shape) < 0.2
    seen[wild] += rng.uniform(1, 3, wild.sum())

    terms = surface_terms(row, column, 2)
    fitted = terms @ fit_surface(terms, seen, np.ones_like(seen), 1e-3, 0.03)

    assert wild.sum() > 10
    np.testing.assert_allclose(fitted, true, atol=0.02)


@pytest.mark.parametrize("shape", [(1,), (2,), (9, 10), (9, 9), (3, 5, 7)])
def test_the_median_is_the_median(shape: tuple[int, ...]) -> None:
    values = np.random.default_rng(2).normal(0, 1, shape)

    assert take_median(values) == np.median(values)
