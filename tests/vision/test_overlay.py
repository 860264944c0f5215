"""Digits, tints and marks drawn on a photo: in place, in perspective, and nowhere else."""

import csv
import itertools
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from arrays import Image8, Points
from board_styles import BOARD_STYLES
from hypothesis import given, settings
from hypothesis import strategies as st

from training.pages.flat_board import render_board
from vision.board import corners_from_lattice, lattice_from_corners, rectify, turn_lattice
from vision.drawing.overlay import (
    Mark,
    OverlayStyle,
    draw_digits,
    is_dark_board,
    mark_cells,
    tint_cells,
)
from vision.media.images import load_image

_FILLED = (np.add.outer(np.arange(9) * 2, np.arange(9)) % 9 + 1).astype(np.uint8)

LATTICE = lattice_from_corners(np.array([[20, 20], [380, 30], [390, 390], [10, 380]], np.float32))
PHOTO = np.full((400, 400, 3), 200, np.uint8)
MARKS: tuple[Mark, ...] = ("tick", "cross", "question")


def _one(row: int, column: int, digit: int = 8) -> npt.NDArray[np.uint8]:
    digits = np.zeros((9, 9), np.uint8)
    digits[row, column] = digit
    return digits


def _slanted() -> Points:
    corners = np.array([[120, 60], [520, 100], [560, 420], [60, 400]], np.float32)
    return lattice_from_corners(corners)


def _bent() -> Points:
    lattice = _slanted()
    lattice[:, :, 1] += 18 * np.sin(np.linspace(0, np.pi, 10, dtype=np.float32))[None, :]
    return lattice


def _paper(level: int = 235) -> Image8:
    return np.full((480, 640, 3), level, np.uint8)


def _changed(before: Image8, after: Image8) -> npt.NDArray[np.bool_]:
    return np.asarray((before != after).any(axis=2))


@pytest.mark.parametrize("lattice", [_slanted(), _bent()], ids=["flat", "bent"])
@pytest.mark.parametrize(("row", "column"), [(0, 0), (0, 8), (4, 4), (8, 0), (8, 8)])
def test_a_digit_stays_inside_its_cell_and_at_its_middle(
    lattice: Points, row: int, column: int
) -> None:
    photo = _paper()

    changed = _changed(photo, draw_digits(photo, lattice, _one(row, column)))

    cell = lattice[row : row + 2, column : column + 2].reshape(4, 2)[[0, 1, 3, 2]]
    mask = np.zeros(photo.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(cell).astype(np.int32), 1)
    assert changed.sum() > 0.15 * mask.sum()
    assert not changed[mask == 0].any()
    middle = np.argwhere(changed).mean(axis=0)[::-1]
    assert np.linalg.norm(middle - cell.mean(axis=0)) < 3


def test_a_drawn_digit_looks_the_same_once_the_board_is_rectified() -> None:
    flat = lattice_from_corners(np.array([[5, 5], [257, 5], [257, 257], [5, 257]], np.float32))
    on_flat = draw_digits(np.full((263, 263, 3), 235, np.uint8), flat, _FILLED)
    bent = _bent()
    on_bent = draw_digits(_paper(), bent, _FILLED)

    expected = rectify(on_flat, flat).astype(np.float32)
    seen = rectify(on_bent, bent).astype(np.float32)

    # The edges differ, both being seen at about the size of a rectified cell.
    assert np.corrcoef(expected.ravel(), seen.ravel())[0, 1] > 0.9
    (right, down), _ = cv2.phaseCorrelate(expected, seen)
    assert abs(right) < 0.35
    assert abs(down) < 0.35


@pytest.mark.parametrize("span", [252, 450, 900])
def test_digits_are_centred_in_their_cells(span: int) -> None:
    corners = np.array([[0, 0], [span, 0], [span, span], [0, span]], np.float32) + 20
    photo = np.full((960, 960, 3), 235, np.uint8)

    middles = []
    for digit in range(1, 10):
        drawn = draw_digits(photo, lattice_from_corners(corners), _one(4, 4, digit))
        rows, columns = np.nonzero(_changed(photo, drawn))
        middles.append(((rows.min() + rows.max()) / 2, (columns.min() + columns.max()) / 2))

    away = np.abs(np.array(middles) - (20 + span / 2))
    assert away.max() < max(0.03 * span / 9, 1)
    assert np.abs(np.mean(middles, axis=0) - (20 + span / 2)).max() < max(0.01 * span / 9, 0.5)


def test_each_digit_and_each_mark_has_its_own_shape() -> None:
    photo, lattice = _paper(), _slanted()
    digits = [draw_digits(photo, lattice, _one(4, 4, digit)) for digit in range(1, 10)]
    marks = [mark_cells(photo, lattice, _one(4, 4) > 0, mark) for mark in MARKS]

    for shapes, least in ((digits, 30), (marks, 10)):
        for one, other in itertools.combinations([_changed(photo, shape) for shape in shapes], 2):
            assert (one != other).sum() > least


def test_a_turned_board_gets_turned_digits() -> None:
    corners = np.array([[100, 100], [460, 100], [460, 460], [100, 460]], np.float32)
    photo = np.full((561, 561, 3), 235, np.uint8)
    lattice = lattice_from_corners(corners)

    upright = draw_digits(photo, lattice, _FILLED)
    turned = draw_digits(photo, turn_lattice(lattice, 1), _FILLED)

    difference = np.abs(np.rot90(upright, -1).astype(int) - turned)
    assert difference.mean() < np.abs(upright.astype(int) - turned).mean() / 10


@pytest.mark.parametrize("level", [20, 60, 120, 180, 250])
def test_digits_stand_out_from_paper_of_any_brightness(level: int) -> None:
    photo = _paper(level)

    drawn = draw_digits(photo, _slanted(), _one(4, 4))

    changed = _changed(photo, drawn)
    grey = np.asarray(cv2.cvtColor(drawn, cv2.COLOR_BGR2GRAY), np.uint8)[changed].astype(int)
    assert grey.max() - grey.min() > 100
    assert np.abs(grey - level).max() > 80


def test_the_ink_is_light_on_a_dark_board_and_dark_on_a_light_one() -> None:
    style = OverlayStyle()

    for name, ink in (("plain", style.ink), ("dark", style.ink_on_dark)):
        image, corners = render_board(np.zeros((9, 9), np.uint8), 540, BOARD_STYLES[name])
        lattice = lattice_from_corners(corners)
        drawn = draw_digits(image, lattice, _one(4, 4))
        assert is_dark_board(image, lattice) == (name == "dark")
        assert (np.abs(drawn.astype(int) - ink).max(axis=2) < 3).sum() > 100


def test_a_photo_drawn_on_is_not_changed() -> None:
    photo = np.random.default_rng(3).integers(0, 255, (480, 640, 3)).astype(np.uint8)
    before = photo.copy()

    draw_digits(photo, _bent(), _FILLED)
    tint_cells(photo, _bent(), _FILLED > 4)
    mark_cells(photo, _bent(), _FILLED > 4, "tick")

    np.testing.assert_array_equal(photo, before)


def test_nothing_to_draw_leaves_the_photo_as_it_is() -> None:
    photo = np.random.default_rng(4).integers(0, 255, (480, 640, 3)).astype(np.uint8)

    for drawn in (
        draw_digits(photo, _slanted(), np.zeros((9, 9), np.uint8)),
        tint_cells(photo, _slanted(), np.zeros((9, 9), np.bool_)),
    ):
        np.testing.assert_array_equal(drawn, photo)
        assert drawn is not photo


def test_a_large_photo_shows_the_same_digit_as_a_small_one() -> None:
    small = draw_digits(_paper(), _slanted(), _one(4, 4))

    large_photo = np.full((1920, 2560, 3), 235, np.uint8)
    large = draw_digits(large_photo, (_slanted() + 0.5) * 4 - 0.5, _one(4, 4))

    shrunk = cv2.resize(large, (640, 480), interpolation=cv2.INTER_AREA)
    changed = _changed(_paper(), small)
    assert np.abs(shrunk.astype(int) - small)[changed].mean() < 15


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.floats(-3000, 3000, width=32), min_size=8, max_size=8),
    st.sampled_from([1.0, 0.01, 0.1]),
)
def test_no_board_a_user_can_drag_breaks_the_drawing(values: list[float], scale: float) -> None:
    corners = np.array(values, np.float32).reshape(4, 2) * np.float32(scale)
    if len(np.unique(corners, axis=0)) < 4:
        return
    lattice = lattice_from_corners(corners)
    if not np.isfinite(lattice).all():
        return
    photo = np.full((60, 80, 3), 128, np.uint8)

    drawn = draw_digits(photo, lattice, _FILLED)

    assert tint_cells(drawn, lattice, _FILLED > 4).shape == photo.shape


def test_a_board_that_leaves_the_photo_is_drawn_as_far_as_it_goes() -> None:
    corners = np.array([[-200, -100], [300, -100], [300, 400], [-200, 400]], np.float32)

    changed = _changed(_paper(), draw_digits(_paper(), lattice_from_corners(corners), _FILLED))

    assert changed[:400, :300].mean() > 0.1
    assert not changed[:, 301:].any()


def test_a_tint_colours_the_cell_and_keeps_the_print_readable() -> None:
    image, corners = render_board(_FILLED, 540)
    lattice = lattice_from_corners(corners)
    cells = np.zeros((9, 9), np.bool_)
    cells[2, 6] = True

    tinted = tint_cells(image, lattice, cells)

    low = np.round(corners_from_lattice(lattice)[0]).astype(int)
    top, left = low[1] + 2 * 60, low[0] + 6 * 60
    inner = tinted[top + 5 : top + 55, left + 5 : left + 55].astype(int)
    paper, ink = inner.reshape(-1, 3).max(axis=0), inner.reshape(-1, 3).min(axis=0)
    assert paper[0] < paper[2] - 60
    assert (paper - ink).max() > 150
    changed = _changed(image, tinted)
    changed[top - 2 : top + 63, left - 2 : left + 63] = False
    assert not changed.any()


def test_a_tint_shows_on_a_dark_board_too() -> None:
    image, corners = render_board(_FILLED, 540, BOARD_STYLES["dark"])

    tinted = tint_cells(image, lattice_from_corners(corners), np.eye(9, dtype=np.bool_))

    assert np.abs(tinted.astype(int) - image).max() > 60


def test_impossible_orders_are_refused() -> None:
    photo, lattice = _paper(), _slanted()

    with pytest.raises(ValueError, match="photo must be"):
        draw_digits(photo[:, :, 0], lattice, _FILLED)
    with pytest.raises(ValueError, match="lattice must be"):
        draw_digits(photo, lattice[:4], _FILLED)
    with pytest.raises(ValueError, match="finite"):
        draw_digits(photo, lattice * np.float32(np.nan), _FILLED)
    with pytest.raises(ValueError, match="digits must be"):
        draw_digits(photo, lattice, _FILLED + 8)
    with pytest.raises(ValueError, match="cells must be"):
        tint_cells(photo, lattice, np.ones(81, np.bool_))
    with pytest.raises(ValueError, match="cells must be"):
        mark_cells(photo, lattice, np.ones(81, np.bool_), "tick")


def test_paper_of_real_photos_counts_as_light(shared_data: Path) -> None:
    photos = shared_data / "photos"
    with (photos / "photos.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["file"].startswith("wichtounet/")]

    dark = []
    for row in rows[::4]:
        points = [[float(value) for value in pair.split(",")] for pair in row["corners"].split()]
        lattice = lattice_from_corners(np.array(points, np.float32))
        if is_dark_board(load_image(photos / row["file"]), lattice):
            dark.append(row["file"])

    assert len(rows) > 100
    assert dark == []


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


def test_marks_beyond_the_photo_are_left_out() -> None:
    far = LATTICE + np.float32(1000)

    assert (mark_cells(PHOTO, far, np.ones((9, 9), np.bool_), "cross") == PHOTO).all()


def test_a_board_that_reaches_far_beyond_the_photo_can_be_drawn() -> None:
    photo = np.full((300, 300, 3), 200, np.uint8)
    far = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32) * np.float32(1e20)

    lattice, digits = lattice_from_corners(far), np.ones((9, 9), np.uint8)
    drawn = draw_digits(photo, lattice, digits, is_dark=False)

    assert drawn.shape == photo.shape
