"""What is measured on a board tells its faults apart."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from arrays import Image8
from board_styles import BOARD_STYLES
from puzzles import EASY_GRID

from training.pages.flat_board import render_board
from vision.board import cut_cells, lattice_from_corners, rectify
from vision.quality import BoardQuality, has_cells_outside, lies_outside, measure_quality


def measure(
    change: Callable[[Image8], Image8] = lambda photo: photo,
    scale: float = 1.0,
    style: str = "plain",
) -> BoardQuality:
    """Return what is measured on a drawn board after a change of the photo."""
    photo, corners = render_board(EASY_GRID, 540, BOARD_STYLES[style])
    if scale != 1:
        photo = np.asarray(
            cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8
        )
    lattice = lattice_from_corners(((corners + 0.5) * scale - 0.5).astype(np.float32))
    photo = change(photo)
    size = photo.shape[1], photo.shape[0]
    return measure_quality(size, lattice, cut_cells(rectify(photo, lattice)))


def blur(photo: Image8) -> Image8:
    return np.asarray(cv2.GaussianBlur(photo, (0, 0), 7), np.uint8)


def dim(photo: Image8) -> Image8:
    return (photo * 0.1).astype(np.uint8)


def fade(photo: Image8) -> Image8:
    return (200 + (photo.astype(float) - 200) * 0.1).astype(np.uint8)


def shade(photo: Image8) -> Image8:
    light = np.linspace(0.2, 1, photo.shape[1])[None, :, None]
    return (photo * light).astype(np.uint8)


def test_each_fault_of_a_photo_shows_in_a_measure_of_its_own() -> None:
    clean, blurred, dark, faint = measure(), measure(blur), measure(dim), measure(fade)

    assert clean.sharpness > 0.4
    assert clean.contrast > 0.6
    assert clean.light.min() > 0.9 * clean.light.max()
    assert clean.outside == ()
    assert blurred.sharpness < 0.5 * clean.sharpness
    assert dark.light.max() < 30
    assert dark.contrast == pytest.approx(clean.contrast, abs=0.15)
    assert faint.contrast < 0.15
    assert faint.light.min() > 150
    shaded = measure(shade).light
    assert shaded[:, 0].max() < 0.5 * shaded[:, 8].min()
    assert measure(style="dark").contrast > 0.6  # light ink


@pytest.mark.parametrize("scale", [1.0, 0.5, 0.2])
def test_the_cells_side_is_measured_in_pixels_of_the_photo(scale: float) -> None:
    _, corners = render_board(EASY_GRID, 540)
    side = float(np.linalg.norm(corners[1] - corners[0])) / 9

    assert measure(scale=scale).cell_px == pytest.approx(side * scale, rel=0.01)


@pytest.mark.parametrize("edge", ["left", "right", "top", "bottom"])
def test_the_edges_that_a_board_crosses_are_named(edge: str) -> None:
    photo, corners = render_board(EASY_GRID, 540)
    height, width = photo.shape[:2]
    third = 180.0
    shift = {"left": (-third, 0), "right": (third, 0), "top": (0, -third), "bottom": (0, third)}
    lattice = lattice_from_corners((corners + np.array(shift[edge])).astype(np.float32))

    quality = measure_quality((width, height), lattice, cut_cells(rectify(photo, lattice)))

    assert quality.outside == (edge,)


def test_a_cell_is_outside_when_its_middle_may_be() -> None:
    lattice = lattice_from_corners(np.array([[0, 0], [90, 0], [90, 90], [0, 90]], np.float32))

    assert not has_cells_outside((88, 91), lattice)
    assert has_cells_outside((86, 91), lattice)
    assert has_cells_outside((84, 91), lattice)
    assert has_cells_outside((100, 100), lattice - np.array([6, 0], np.float32))


def test_a_rough_lattice_lies_outside_when_a_cell_does_two_cells_aside_too() -> None:
    lattice = lattice_from_corners(np.array([[0, 0], [90, 0], [90, 90], [0, 90]], np.float32))

    assert not lies_outside((70, 91), lattice)
    assert lies_outside((60, 91), lattice)
    assert lies_outside((100, 100), lattice - np.array([30, 0], np.float32))
