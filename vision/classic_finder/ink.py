"""Ink told from paper, in several ways: what is good for sharp print loses faint lines in noise."""

from dataclasses import dataclass
from typing import Final, Literal

import cv2
import numpy as np

from vision.board import Grey
from vision.classic_finder.line_filter import measure_line_strength
from vision.classic_finder.lines import Pyramid
from vision.geometry import Floats

_FAINT_SIGMA: Final = 1.0
_NOISES: Final = 2.0
_LEAST_DEPTH: Final = 0.02
"""Of faint ink: smoothing in pixels, standard deviations of the noise that it stands out by, and
the least share of the light that it takes."""

_LINE_STRENGTHS: Final = {"lines": 1.6, "weak lines": 1.1}
"""Strength of what counts as a line: of 11 boards on rendered photos whose outline no other ink
shows, the higher one shows 4 and the lower one 4 others."""


@dataclass(frozen=True)
class Ink:
    """One way to tell ink from paper.

    Dark ink differs from the mean of a block, `blocks_a_side` of which fit the picture's longer
    side. Faint ink is measured against the light there and the noise, for lines in bad light.
    Lines are what is dark for the length of a stroke, for those that drown in noise.
    """

    kind: Literal["dark", "faint", "lines", "weak lines"]
    blocks_a_side: int = 0
    is_inverted: bool = False


class Inks:
    """The inks of one picture, each separated once."""

    def __init__(self, grey: Grey, pyramid: Pyramid) -> None:
        """Take a picture.

        Args:
            grey: (H, W) uint8.
            pyramid: of it, from `vision.classic_finder.lines.build_pyramid`.
        """
        self._grey = grey
        self._logarithm = pyramid[0]
        self._strength: Floats | None = None
        self._separated: dict[Ink, Grey] = {}

    def separate(self, ink: Ink) -> Grey:
        """Return what is ink, (H, W) uint8 0 or 255."""
        if ink not in self._separated:
            self._separated[ink] = self._make(ink)
        return self._separated[ink]

    def _make(self, ink: Ink) -> Grey:
        if ink.kind in _LINE_STRENGTHS:
            if self._strength is None:
                self._strength = measure_line_strength(self._logarithm)
            is_line = self._strength > _LINE_STRENGTHS[ink.kind]
            return np.where(is_line, 255, 0).astype(np.uint8)
        block_px = max(self._grey.shape) // ink.blocks_a_side
        if ink.kind == "faint":
            return _separate_faint_ink(self._logarithm, block_px, ink.is_inverted)
        soft = np.asarray(cv2.GaussianBlur(self._grey, (3, 3), 0), dtype=np.uint8)
        return separate_ink(soft, block_px, ink.is_inverted)


def separate_ink(grey: Grey, block_px: int, is_inverted: bool) -> Grey:
    """Return what is darker (lighter when inverted) than its surroundings, (H, W) uint8 0 or 255.

    Args:
        grey: (H, W) uint8, lightly smoothed.
        block_px: side of the surroundings that a pixel is compared with.
        is_inverted: whether lines are light on dark paper.
    """
    mode = cv2.THRESH_BINARY if is_inverted else cv2.THRESH_BINARY_INV
    offset = -4 if is_inverted else 4
    ink = cv2.adaptiveThreshold(
        grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, mode, max(block_px, 3) | 1, offset
    )
    return np.asarray(ink, np.uint8)


def _separate_faint_ink(logarithm: Floats, block_px: int, is_inverted: bool) -> Grey:
    """Return what is darker (lighter when inverted) than noise makes it, (H, W) uint8 0 or 255.

    In dim light lines are few grey levels deep, and in shadow fewer; the share of the light that
    they take stays the same.

    Args:
        logarithm: (H, W) float32, of the brightness, as `lines.build_pyramid` takes it.
        block_px: side of the surroundings that a pixel is compared with.
        is_inverted: whether lines are light on dark paper.
    """
    soft = cv2.GaussianBlur(logarithm, (0, 0), _FAINT_SIGMA)
    side = max(block_px, 3) | 1
    depth = cv2.blur(soft, (side, side)) - soft
    if is_inverted:
        depth = -depth
    noise = 1.48 * float(np.median(np.abs((logarithm - soft)[::3, ::3])))
    # What smoothing leaves of white noise.
    left = noise / (2 * np.sqrt(np.pi) * _FAINT_SIGMA)
    return np.where(depth > max(_NOISES * left, _LEAST_DEPTH), 255, 0).astype(np.uint8)
