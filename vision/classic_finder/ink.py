"""Ink told from paper, in several ways: what is good for sharp print loses faint lines in noise."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

import cv2
import numpy as np

from vision.board import Grey
from vision.finder.snap import Pyramid
from vision.geometry import Floats

_FAINT_SIGMA: Final = 1.0
_NOISES: Final = 2.0
_LEAST_DEPTH: Final = 0.02
"""Of faint ink: smoothing in pixels, standard deviations of the noise that it stands out by, and
the least share of the light that it takes."""

_LINE_STRENGTHS: Final = {"lines": 1.6, "weak lines": 1.1}
"""Strength of what counts as a line: of 11 boards on rendered photos whose outline no other ink
shows, the higher one shows 4 and the lower one 4 others."""

_ORIENTATIONS: Final = 12
_LENGTH_SIGMA: Final = 6.0
_WIDTH_SIGMA: Final = 1.0
"""Of the filter along and across a line, in pixels: cells of 14 pixels and more are meant."""

_REACH: Final = 3.0
"""Distance of the paper on both sides that a line is compared with, in pixels."""

_RADIUS: Final = 14
"""Of the kernel, in pixels."""

_LEAST_LINE_DEPTH: Final = 0.012
"""Share of the light that a line takes at least."""

_NOISE_SIGMA: Final = 1.0
_NOISE_BLOCKS: Final = 12
"""Noise is what such a smoothing takes away, in pixels; its mean over a block, of which so many
fit the picture's longer side."""


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
            pyramid: of it, from `vision.finder.snap.build_pyramid`.
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
                self._strength = _measure_line_strength(self._logarithm)
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
        logarithm: (H, W) float32, of the brightness, as `vision.finder.snap.build_pyramid` takes.
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


def _measure_line_strength(logarithm: Floats) -> Floats:
    """Return how much darker than the paper on both sides a line through each pixel is.

    A filter as long as a stroke of a digit averages the noise along a line and keeps the line;
    dots of noise and halftone, which join with thin lines where pixels are judged one by one,
    leave nothing. The response is the largest over all orientations, as with the steered filters
    of Frangi et al. (1998) for vessels, but measured on a line's own length.

    Args:
        logarithm: (H, W) float32, of the brightness, as `vision.finder.snap.build_pyramid` takes.

    Returns:
        (H, W) float32, in units of the noise around the pixel, as the dark parts of a picture are
        noisier; 0 where there is no line.
    """
    height, width = logarithm.shape
    border = int(np.ceil(_REACH))
    depth = np.full((height, width), -np.inf, np.float32)
    for kernel, (right, down) in _kernels():
        along = np.asarray(cv2.filter2D(logarithm, -1, kernel), np.float32)
        wide = cv2.copyMakeBorder(along, border, border, border, border, cv2.BORDER_REPLICATE)
        sides = [
            wide[border + sign * down :, border + sign * right :][:height, :width]
            for sign in (-1, 1)
        ]
        np.maximum(depth, np.minimum(*sides) - along, out=depth)
    rough = np.abs(logarithm - cv2.GaussianBlur(logarithm, (0, 0), _NOISE_SIGMA))
    block_px = max(height, width) // _NOISE_BLOCKS | 1
    noise = np.maximum(cv2.blur(rough, (block_px, block_px)), 1e-4)
    return np.where(depth > _LEAST_LINE_DEPTH, depth / noise, 0).astype(np.float32)


@lru_cache(maxsize=1)
def _kernels() -> tuple[tuple[Floats, tuple[int, int]], ...]:
    """Return the filters of all orientations, each with the step (x, y) to the paper beside it."""
    y, x = np.mgrid[-_RADIUS : _RADIUS + 1, -_RADIUS : _RADIUS + 1].astype(np.float32)
    kernels = []
    for angle in np.arange(_ORIENTATIONS) * np.pi / _ORIENTATIONS:
        along = x * np.cos(angle) + y * np.sin(angle)
        across = y * np.cos(angle) - x * np.sin(angle)
        kernel = np.exp(-((along / _LENGTH_SIGMA) ** 2 + (across / _WIDTH_SIGMA) ** 2) / 2)
        step = (round(-_REACH * np.sin(angle)), round(_REACH * np.cos(angle)))
        kernels.append(((kernel / kernel.sum()).astype(np.float32), step))
    return tuple(kernels)
