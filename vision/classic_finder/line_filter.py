"""Lines that stand out by their length: what thin print leaves when noise has swallowed the rest.

A filter as long as a stroke of a digit, turned every way, averages the noise along a line and
keeps the line. Dots of noise and halftone, which join with thin lines where pixels are judged one
by one, leave nothing.
"""

from functools import lru_cache
from typing import Final

import cv2
import numpy as np

from vision.geometry import Floats

_ORIENTATIONS: Final = 12
_LENGTH_SIGMA: Final = 6.0
_WIDTH_SIGMA: Final = 1.0
"""Of the filter along and across a line, in pixels: cells of 14 pixels and more are meant."""

_REACH: Final = 3.0
"""Distance of the paper on both sides that a line is compared with, in pixels."""

_RADIUS: Final = 14
"""Of the kernel, in pixels."""

_LEAST_DEPTH: Final = 0.012
"""Share of the light that a line takes at least."""

_NOISE_SIGMA: Final = 1.0
_NOISE_BLOCKS: Final = 12
"""Noise is what such a smoothing takes away, in pixels; its mean over a block, of which so many
fit the picture's longer side."""


def measure_line_strength(logarithm: Floats) -> Floats:
    """Return how much darker than the paper on both sides a line through each pixel is.

    The response is the largest over all orientations, as with the steered filters of Frangi et
    al. (1998) for vessels, but measured on a line's own length.

    Args:
        logarithm: (H, W) float32, of the brightness, as `lines.build_pyramid` takes it.

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
    return np.where(depth > _LEAST_DEPTH, depth / noise, 0).astype(np.float32)


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
