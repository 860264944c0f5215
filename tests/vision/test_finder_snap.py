"""A rough lattice of any side is moved onto the lines of a picture."""

import cv2
import numpy as np
import pytest
from present import present

from training.pages.printed_board import KindLook, print_board
from training.pages.shape import BOXES, draw_grid, draw_shape
from training.rendered.filled_board import BoardLook
from vision.board import lattice_from_corners
from vision.finder.line_pieces import build_pyramid
from vision.finder.snap import (
    follow_crease,
    grow_lattice,
    snap_lattice,
    straighten_lattice,
)
from vision.geometry import Points

PLAIN = KindLook(BoardLook())


def render(side: int, kind: str = "classic", px: int = 420) -> "tuple[np.ndarray, Points]":
    """Return a grey page with a board, and its lattice."""
    rng = np.random.default_rng(side)
    shape = draw_shape(kind, side, rng)
    grid = draw_grid(shape, rng)
    clues = np.where(rng.random((side, side)) < 0.4, grid, 0).astype(np.uint8)
    printed = print_board(shape, clues, (), px, PLAIN)
    page = cv2.copyMakeBorder(
        cv2.cvtColor(printed.image, cv2.COLOR_BGR2GRAY), 40, 40, 40, 40, cv2.BORDER_CONSTANT,
        value=(255,),
    )  # fmt: skip
    return np.asarray(page, np.uint8), printed.lattices[0] + 40


def lean(lattice: Points, cells: float, seed: int) -> Points:
    """Return the lattice with its corners moved by up to so many cells each way."""
    corners = lattice[[0, 0, -1, -1], [0, -1, -1, 0]]
    cell = np.linalg.norm(lattice[0, 1] - lattice[0, 0])
    moved = corners + np.random.default_rng(seed).uniform(-1, 1, (4, 2)) * cells * cell
    homography = cv2.getPerspectiveTransform(corners, moved.astype(np.float32))
    flat = np.ascontiguousarray(lattice.reshape(1, -1, 2))
    return np.asarray(cv2.perspectiveTransform(flat, homography).reshape(lattice.shape))


def farthest(first: Points, second: Points) -> float:
    """Return how far the farthest crossing is off, in cells."""
    cell = np.linalg.norm(second[0, 1] - second[0, 0])
    return float(np.linalg.norm(first - second, axis=2).max() / cell)


@pytest.mark.parametrize("side", BOXES)
@pytest.mark.parametrize(("seed", "is_light"), [(0, False), (1, False), (2, True)])
def test_a_lattice_of_any_side_is_moved_onto_its_lines_light_ones_too(
    side: int, seed: int, *, is_light: bool
) -> None:
    page, lattice = render(side)

    snapped = snap_lattice(
        build_pyramid(255 - page if is_light else page), lean(lattice, 0.35, seed)
    )

    assert snapped is not None
    assert farthest(snapped.lattice, lattice) < 0.05
    assert snapped.score > 0.9
    assert snapped.is_inverted is is_light


def test_light_lines_between_coloured_cells_are_followed_beside_dark_ones() -> None:
    page = np.full((460, 460), 255, np.uint8)
    page[50:410, 50:410] = 190
    for line in range(10):
        at = 50 + 40 * line
        page[at - 1 : at + 1, 50:410] = page[50:410, at - 1 : at + 1] = 255 if line % 3 else 0
    corners = np.array([[50, 50], [410, 50], [410, 410], [50, 410]], np.float32)
    lattice = lattice_from_corners(corners)

    snapped = present(snap_lattice(build_pyramid(page), lean(lattice, 0.2, 0)))

    assert farthest(snapped.lattice, lattice) < 0.05
    assert snapped.score > 0.9
    assert snapped.is_inverted is None


@pytest.mark.parametrize("tones", [(240, 240), (250, 210)])
def test_tiles_without_a_frame_end_where_their_surroundings_begin(tones: tuple[int, int]) -> None:
    page = np.full((460, 460), 90 if tones[0] == tones[1] else 230, np.uint8)
    for row in range(9):
        for column in range(9):
            top, left = 52 + 40 * row, 52 + 40 * column
            page[top : top + 36, left : left + 36] = tones[row == 4 or column == 2]
    corners = np.array([[50, 50], [410, 50], [410, 410], [50, 410]], np.float32)
    lattice = lattice_from_corners(corners)

    snapped = present(snap_lattice(build_pyramid(page), lean(lattice, 0.2, 0)))

    assert snapped.score > 0.95
    assert farthest(snapped.lattice, lattice) < 0.1


def test_irregular_regions_do_not_lead_astray() -> None:
    page, lattice = render(9, "jigsaw")

    snapped = present(snap_lattice(build_pyramid(page), lean(lattice, 0.35, 3)))

    assert farthest(snapped.lattice, lattice) < 0.05


def test_a_bent_page_is_followed() -> None:
    page, lattice = render(9)
    height, width = page.shape
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    wave = 14 * np.sin(np.pi * x / width)
    bent = cv2.remap(page, x, y + wave, cv2.INTER_LINEAR, borderValue=(255,))
    true = lattice.copy()
    true[..., 1] -= 14 * np.sin(np.pi * lattice[..., 0] / width)
    flat = lattice.copy()
    flat[..., 1] -= 9

    snapped = present(snap_lattice(build_pyramid(np.asarray(bent, np.uint8)), flat))

    assert farthest(snapped.lattice, true) < 0.08


@pytest.mark.parametrize("is_across", [True, False])
def test_a_sharp_crease_is_followed_where_no_smooth_field_does(*, is_across: bool) -> None:
    page, lattice = render(9)
    size = np.arange(len(page), dtype=np.float32)
    x, y = np.meshgrid(size, size)
    middle = float(lattice[5, 5, 0])
    folded = cv2.remap(
        page, x, y - 0.25 * np.maximum(x - middle, 0), cv2.INTER_LINEAR, borderValue=(255,)
    )
    true = lattice.copy()
    true[..., 1] += 0.25 * np.maximum(lattice[..., 0] - middle, 0)
    if is_across:
        folded, true = folded.T.copy(), true.transpose(1, 0, 2)[..., ::-1].copy()
    pyramid = build_pyramid(np.asarray(folded, np.uint8), is_fine=True)
    rough = lattice_from_corners(true[[0, 0, -1, -1], [0, -1, -1, 0]])

    smooth = present(snap_lattice(pyramid, rough))
    found = present(follow_crease(pyramid, smooth, is_across=is_across))

    assert farthest(smooth.lattice, true) > 0.1
    assert farthest(found, true) < 0.03


def test_a_page_without_lines_scores_low() -> None:
    rng = np.random.default_rng(0)
    _, lattice = render(9)
    noise = rng.integers(0, 256, (500, 500)).astype(np.uint8)

    snapped = snap_lattice(build_pyramid(noise), lattice)

    assert snapped is None or snapped.score < 0.7


def test_a_lattice_that_is_none_is_refused() -> None:
    page, lattice = render(9)

    assert snap_lattice(build_pyramid(page), lattice[::-1]) is None


def test_a_corner_that_slipped_by_a_line_is_straightened() -> None:
    _, lattice = render(16)
    slipped = lattice.copy()
    slipped[-5:, -5:] = lattice[-6:-1, -5:]

    assert farthest(present(straighten_lattice(slipped)), lattice) < 0.05
    assert straighten_lattice(lattice) is None


def test_a_lattice_of_the_wrong_size_grows_right_from_its_middle() -> None:
    page, lattice = render(9)
    pyramid = build_pyramid(page)
    middle = lattice.mean(axis=(0, 1))
    wide = np.asarray(middle + 1.2 * (lattice - middle), np.float32)

    grown = present(grow_lattice(pyramid, wide))

    stuck = snap_lattice(pyramid, wide)
    assert stuck is None or farthest(stuck.lattice, lattice) > 0.5
    assert farthest(grown, lattice) < 0.1


def test_a_blank_page_grows_no_lattice_that_is_sure() -> None:
    _, lattice = render(9)
    pyramid = build_pyramid(np.full((500, 500), 255, np.uint8))

    grown = grow_lattice(pyramid, lattice)

    snapped = None if grown is None else snap_lattice(pyramid, grown)
    assert snapped is None or snapped.score < 0.5
