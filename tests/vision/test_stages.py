"""How a picture is searched, and what is not worth it."""

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from training.pages.flat_board import BOARD_STYLES, render_board
from vision.classic_finder.lattice import LatticeFit
from vision.classic_finder.propose import Inks
from vision.classic_finder.stages import (
    STAGES,
    Shown,
    ShowsNoPuzzle,
    find_best_score,
    search_picture,
)
from vision.finder.snap import build_pyramid
from vision.geometry import Points, quad_overlap


def grey_grid(noise: float, side: int = 400) -> tuple[npt.NDArray[np.uint8], Points]:
    """Return a blurred board without digits, whose lines show the less the more noise there is."""
    board, corners = render_board(np.zeros((9, 9), np.uint8), side, BOARD_STYLES["plain"])
    grain = np.random.default_rng(0).normal(0, noise, board.shape[:2])
    dim = cv2.GaussianBlur(board[:, :, 0], (0, 0), 2.0) * 0.5 + grain
    return np.clip(dim, 0, 255).astype(np.uint8), corners


def search(grey: npt.NDArray[np.uint8], shows_no_puzzle: ShowsNoPuzzle) -> Shown:
    def confirm(fits: Sequence[LatticeFit]) -> list[LatticeFit]:
        return list(fits)

    pyramid = build_pyramid(grey)
    return search_picture(pyramid, Inks(grey, pyramid), STAGES, confirm, shows_no_puzzle)


def test_of_a_clear_grid_that_is_no_puzzle_nothing_more_is_made() -> None:
    grey, _ = grey_grid(40)

    puzzle = search(grey, lambda _: False)
    none = search(grey, lambda _: True)

    assert not any(fit.is_denied for fit in puzzle.fits)
    clear = [fit for fit in none.fits if fit.score >= 0.8]
    assert [fit.is_denied for fit in clear] == [True]


def test_a_grid_that_is_no_puzzle_does_not_hide_a_board_beside_it() -> None:
    grid, _ = grey_grid(0)
    board, corners = grey_grid(30)
    truth = (corners + np.array([grid.shape[1], 0])).astype(np.float32)

    def lies_on_the_left(fit: LatticeFit) -> bool:
        return bool(fit.corners[:, 0].mean() < grid.shape[1])

    shown = search(np.hstack([grid, board]), lies_on_the_left)

    best = max((fit for fit in shown.fits if not fit.is_denied), key=lambda fit: fit.score)
    assert best.is_convincing
    assert quad_overlap(best.corners, truth) > 0.9


def test_what_hardly_looks_like_a_grid_and_is_no_puzzle_is_not_improved() -> None:
    grey, _ = grey_grid(10)
    cut_off = grey[:380]

    puzzle = search(cut_off, lambda _: False)
    none = search(cut_off, lambda _: True)

    assert 0.5 <= find_best_score(none.fits) < find_best_score(puzzle.fits) < 0.8
    assert none.guesses == puzzle.guesses
