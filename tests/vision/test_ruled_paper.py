"""The lines of lined and squared paper go, and what is drawn and written stays."""

import cv2
import numpy as np
import pytest
from present import present

from training.pages.flat_board import BoardStyle, render_board
from training.pages.printed_board import choose_kind_look, print_board
from training.pages.shape import draw_grid, draw_shape, sum_cages
from vision.board import cut_windows, lattice_from_corners
from vision.geometry import Grey, Image8, Points
from vision.ruled_paper import erase_ruling

DIGITS = np.zeros((9, 9), np.uint8)
DIGITS[::2, ::2] = 1
DIGITS[1::2, 1::2] = 8


def draw_on_paper(step: float | None, *, is_squared: bool) -> tuple[Image8, Points]:
    """Return a board of cells of 60 pixels whose paper has a line every so many cells."""
    image, corners = render_board(DIGITS, 540, BoardStyle(margin=0.5))
    start, size = float(corners[0, 0]), len(image)
    if step is not None:
        for at in np.arange(start % (60 * step), size, 60 * step).round().astype(int).tolist():
            image[at : at + 2] = np.minimum(image[at : at + 2], 190)
            if is_squared:
                image[:, at : at + 2] = np.minimum(image[:, at : at + 2], 190)
    return image, lattice_from_corners(corners)


def cut(image: Image8, lattice: Points) -> Grey:
    """Return the insides of the cells, (81, 40, 40)."""
    return cut_windows(image, lattice, 56, 40)


@pytest.mark.parametrize("step", [1 / 2, 1 / 3, 0.7, 1.3])
@pytest.mark.parametrize("is_squared", [True, False])
def test_lines_of_the_paper_are_erased(step: float, *, is_squared: bool) -> None:
    image, lattice = draw_on_paper(step, is_squared=is_squared)

    erased = present(erase_ruling(image, lattice))

    empty = cut(*erased)[DIGITS.ravel() == 0]
    assert cut(image, lattice)[DIGITS.ravel() == 0].min() < 200
    assert empty.min() > 235


def test_digits_and_the_boards_own_lines_stay() -> None:
    image, lattice = draw_on_paper(1 / 2, is_squared=True)

    erased = present(erase_ruling(image, lattice))

    before, after = (
        cut(*one)[DIGITS.ravel() > 0].astype(int) for one in ((image, lattice), erased)
    )
    is_ink = before < 60
    assert (after[is_ink] < 110).mean() > 0.95
    crossing = np.round(erased.lattice[3, 4]).astype(int)
    assert erased.image[crossing[1], crossing[0]].max() < 100


def test_ones_that_stand_in_a_row_are_no_line_of_the_paper() -> None:
    image, lattice = draw_on_paper(1 / 2, is_squared=True)
    top, left = np.round(lattice[0, 1, ::-1]).astype(int).tolist()
    column = slice(left + 28, left + 33)
    image[top : top + 3 * 60, column] = 40

    erased = present(erase_ruling(image, lattice))

    ones = cut(*erased)[1:28:9]
    assert ones[:, :, 18:22].min(axis=2).max() < 120


def test_a_bent_sheet_is_erased_by_its_lattice() -> None:
    image, lattice = draw_on_paper(1 / 2, is_squared=True)
    way = np.array([[1, 0.1, 5], [-0.08, 0.95, 60], [1e-4, 5e-5, 1]], np.float32)
    leaning = np.asarray(
        cv2.warpPerspective(image, way, (700, 700), borderMode=cv2.BORDER_REPLICATE), np.uint8
    )
    seen = cv2.perspectiveTransform(lattice.reshape(1, -1, 2), way).reshape(lattice.shape)

    erased = present(erase_ruling(leaning, np.asarray(seen, np.float32)))

    assert np.percentile(cut(*erased)[DIGITS.ravel() == 0], 1) > 230


def test_blank_paper_is_left_alone() -> None:
    assert erase_ruling(*draw_on_paper(None, is_squared=False)) is None


@pytest.mark.parametrize("noise", [40, 70])
def test_noise_is_no_ruling(noise: float) -> None:
    image, lattice = draw_on_paper(None, is_squared=False)
    dim = 0.5 * image + np.random.default_rng(1).normal(0, noise, image.shape)

    assert erase_ruling(np.clip(dim, 0, 255).astype(np.uint8), lattice) is None


@pytest.mark.parametrize("seed", range(12))
def test_cages_are_no_lines_of_the_paper(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = draw_shape("killer", 9, rng)
    look = choose_kind_look(shape, "newspaper", rng)
    grid = draw_grid(shape, rng)
    printed = print_board(shape, np.zeros_like(grid), sum_cages(shape, grid), 540, look)

    assert erase_ruling(printed.image, printed.lattices[0]) is None
