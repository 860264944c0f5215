"""Strokes that take a written digit back: lines through it, or a scribble all over it.

Ink is (h, w) float32 coverage in 0..1; the strokes follow what is drawn already.
"""

import math
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

_FINE_BITS: Final = 4
"""Bits of OpenCV's coordinates behind the point: strokes start between pixels."""

Float32 = npt.NDArray[np.float32]


def cross_out(rng: np.random.Generator, ink: Float32) -> None:
    """Strike the drawn digit through: twice crosswise, twice along, or once from end to end.

    The strokes reach beyond the digit, unlike the bar of a seven.
    """
    centre, half = _extent(ink)
    reach = half * rng.uniform(1.1, 1.6, 2)
    slant = rng.uniform(0.7, 1.3)
    falling = np.array([reach[0], reach[1] * slant])
    rising = falling * [1, -1]
    style = rng.random()
    if style < 0.4:
        directions = [falling, rising]
    elif style < 0.7:
        directions = [rising, rising]
    else:
        directions = [rising if rng.random() < 0.7 else falling]
    thickness = int(rng.integers(2, 5))
    for direction in directions:
        shift = rng.normal(0, 0.12 * half.mean(), 2)
        _stroke(rng, ink, np.stack([centre + shift - direction, centre + shift + direction]),
                thickness)  # fmt: skip


def scribble(rng: np.random.Generator, ink: Float32) -> None:
    """Cover the drawn digit with one line that runs to and fro, or round and round."""
    centre, half = _extent(ink)
    half = half * rng.uniform(1.0, 1.3)
    turns = int(rng.integers(4, 11))
    if rng.random() < 0.6:
        along = np.linspace(-1, 1, 2 * turns)
        across = np.where(np.arange(2 * turns) % 2, 1.0, -1.0) * rng.uniform(0.6, 1, 2 * turns)
        path = np.stack([across, along], axis=1)
    else:
        angle = np.linspace(0, 2 * math.pi * turns, 14 * turns)
        radius = rng.uniform(0.35, 1, len(angle))
        path = np.stack([np.cos(angle), np.sin(angle)], axis=1) * radius[:, None]
    angle_turned = rng.uniform(-0.9, 0.9)
    cosine, sine = math.cos(angle_turned), math.sin(angle_turned)
    path = path @ np.array([[cosine, sine], [-sine, cosine]])
    _stroke(rng, ink, centre + path * half, int(rng.integers(2, 5)))


def _extent(ink: Float32) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the middle of what is drawn and half its width and height, in pixels (x, y)."""
    rows, columns = np.nonzero(ink > 0.3)
    if len(rows) == 0:
        side = np.array(ink.shape[::-1], np.float64)
        return side / 2, side / 4
    low = np.array([columns.min(), rows.min()], np.float64)
    high = np.array([columns.max(), rows.max()], np.float64)
    return (low + high) / 2, np.maximum((high - low) / 2, 6.0)


def _stroke(
    rng: np.random.Generator, ink: Float32, points: npt.NDArray[np.float64], thickness: int
) -> None:
    shaky = points + rng.normal(0, 0.8, points.shape)
    fine = np.round(shaky * 2**_FINE_BITS).astype(np.int32)
    drawn = np.zeros(ink.shape, np.uint8)
    cv2.polylines(drawn, [fine], False, 255, thickness, cv2.LINE_AA, _FINE_BITS)
    np.maximum(ink, drawn.astype(np.float32) / 255, out=ink)
