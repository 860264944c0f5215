"""How long a picture is searched, and what ends it."""

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt
import pytest

import vision.stages
from training.render_board import BOARD_STYLES, render_board
from vision.ink import Inks
from vision.lattice import LatticeFit
from vision.lines import Pyramid, build_pyramid
from vision.stages import STAGES, Shown, find_best_score, search_picture

_NO_DIGITS = np.zeros((9, 9), np.uint8)


def grey_grid(noise: float) -> npt.NDArray[np.uint8]:
    """Return a blurred board without digits, whose lines show the less the more noise there is."""
    board, _ = render_board(_NO_DIGITS, 400, BOARD_STYLES["plain"])
    grain = np.random.default_rng(0).normal(0, noise, board.shape[:2])
    dim = cv2.GaussianBlur(board[:, :, 0], (0, 0), 2.0) * 0.5 + grain
    return np.clip(dim, 0, 255).astype(np.uint8)


def search(grey: npt.NDArray[np.uint8], *, is_hopeless: bool) -> tuple[Shown, list[float]]:
    """Return what a picture shows, and the scores of what was asked for digits."""
    asked: list[float] = []

    def confirm(fits: Sequence[LatticeFit]) -> list[LatticeFit]:
        return list(fits)

    def ask(fit: LatticeFit) -> bool:
        asked.append(fit.score)
        return is_hopeless

    pyramid = build_pyramid(grey)
    return search_picture(pyramid, Inks(grey, pyramid), STAGES, confirm, ask), asked


def test_a_clear_grid_without_digits_ends_the_search() -> None:
    grey = grey_grid(40)

    with_digits, _ = search(grey, is_hopeless=False)
    without, asked = search(grey, is_hopeless=True)

    assert [score >= 0.8 for score in asked] == [True]
    assert len(without.fits) == 1
    assert without.guesses < with_digits.guesses


def test_what_hardly_looks_like_a_grid_and_has_no_digits_is_not_improved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    improved: list[float] = []

    def note(pyramid: Pyramid, fit: LatticeFit) -> LatticeFit:
        del pyramid
        improved.append(fit.score)
        return fit

    monkeypatch.setattr(vision.stages, "shift_lattice", note)
    grey = grey_grid(10)[:300]  # the last lines are cut off

    with_digits, _ = search(grey, is_hopeless=False)
    assert 0.5 <= find_best_score(with_digits.fits) < 0.8
    assert improved
    improved.clear()
    without, asked = search(grey, is_hopeless=True)

    assert asked
    assert improved == []
    assert without.guesses == with_digits.guesses
