"""Registers a piece of a picture in another picture to a fraction of a pixel.

Pictures are made **even** first: each pixel's difference from its surroundings, relative to their
brightness, so that lamps, shadows and the camera's exposure change next to nothing.
"""

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import Grey, Matrix, Points

_SMEARED: Final = 7
"""Moments of an exposure that a smear is made of."""

_ROOM_PX: Final = 24
"""Picture kept around a target, so that it can be smeared."""

Even = npt.NDArray[np.float32]

_DARK: Final = 12.0
"""Grey levels added to the brightness that differences are relative to: dark pixels are noise."""

_OUTLIER: Final = np.float32(0.12)
"""Difference from which a pixel counts less, in units of an even picture: print has 0.3 to 0.8."""

_STILL_PX: Final = 0.01
"""Motion of the board's corners below which another round changes nothing to speak of."""


@dataclass(frozen=True, eq=False)
class Target:
    """What is looked for: the pixels of a picture with the steepest edges, `n` of them.

    Attributes:
        places: (n, 1, 2) float32, in unit coordinates: the middle of the piece is 0, its
            corners are near ±1.
        values: (n,) float32, what the even picture shows there.
        steepest: (n, 8) float32, how the value changes with each parameter of a homography.
        reach_px: how many pixels of the picture one unit is.
        pixels: (n, 1, 2) float32, the places in pixels of `maps`.
        maps: (H, W, 3) float32, the even picture around the target, and its slopes to the right
            and downwards.
    """

    places: Points
    values: Even
    steepest: npt.NDArray[np.float32]
    reach_px: float
    pixels: Points
    maps: npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Alignment:
    """Where the target was found.

    Attributes:
        homography: (3, 3) float64, unit coordinates to pixels of the picture.
        agreement: -1..1, correlation of what is seen with the target, over its visible part.
        visible: 0..1, share of the target inside the picture.
    """

    homography: Matrix
    agreement: float
    visible: float


def normalize_contrast(grey: Grey, block_px: int) -> Even:
    """Return how much each pixel differs from its surroundings, (H, W) float32, -1..1.

    Args:
        grey: (H, W) uint8.
        block_px: side of the surroundings.
    """
    side = max(block_px, 3) | 1
    around = cv2.blur(grey, (side, side), borderType=cv2.BORDER_REPLICATE)
    difference = cv2.subtract(grey, around, dtype=cv2.CV_32F)
    base = np.asarray(around, np.float32)
    base += _DARK
    even = np.asarray(cv2.divide(difference, base), np.float32)
    return np.clip(even, -1.0, 1.0, out=even)


def choose_target(even: Even, chosen: npt.NDArray[np.bool_], to_unit: Matrix) -> Target:
    """Prepare chosen pixels of an even picture as the target of `align`.

    Args:
        even: (H, W) float32.
        chosen: (H, W) bool.
        to_unit: (3, 3), pixels to unit coordinates, a scaling and a shift.
    """
    rows, columns = np.nonzero(chosen)
    left, top = int(columns.min()) - _ROOM_PX, int(rows.min()) - _ROOM_PX
    left, top = max(left, 0), max(top, 0)
    part = even[top : int(rows.max()) + _ROOM_PX, left : int(columns.max()) + _ROOM_PX]
    down = cv2.Sobel(part, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
    right = cv2.Sobel(part, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
    maps = np.asarray(cv2.merge((part, right, down)), np.float32)
    scale = 1 / float(to_unit[0, 0])
    x = (columns * to_unit[0, 0] + to_unit[0, 2]).astype(np.float32)
    y = (rows * to_unit[1, 1] + to_unit[1, 2]).astype(np.float32)
    places = np.stack([x, y], axis=1)[:, None]
    pixels = np.stack([columns - left, rows - top], axis=1)[:, None].astype(np.float32)
    shown = maps[rows - top, columns - left]
    steepest = _steepest(places, shown, scale)
    return Target(places, shown[:, 0], steepest, scale, pixels, maps)


def motion_blur_target(target: Target, motion: npt.NDArray[np.float64]) -> Target:
    """Return the target as it looks while it moves during the exposure.

    Registered to a sharp target, a smeared board comes out shrunk and tilted by some pixels.

    Args:
        target: as `choose_target` made it.
        motion: (2,), along x and y, in unit coordinates.
    """
    step = np.asarray(motion * target.reach_px, np.float32)
    shares = np.linspace(-0.5, 0.5, _SMEARED)
    seen = np.zeros((len(target.places), 3), np.float32)
    for share in shares:
        at = target.pixels + step * np.float32(share)
        seen += cv2.remap(target.maps, at, None, cv2.INTER_LINEAR)[:, 0]  # type: ignore[call-overload]
    seen /= len(shares)
    steepest = _steepest(target.places, seen, target.reach_px)
    return replace(target, values=np.ascontiguousarray(seen[:, 0]), steepest=steepest)


def _steepest(
    places: Points, shown: npt.NDArray[np.float32], scale: float
) -> npt.NDArray[np.float32]:
    """Return how each value changes with a homography; the slopes are per pixel."""
    x, y = places[:, 0, 0], places[:, 0, 1]
    along_x, along_y = shown[:, 1] * scale, shown[:, 2] * scale
    turn = -(along_x * x + along_y * y)
    columns = [
        along_x * x, along_x * y, along_x, along_y * x, along_y * y, along_y, turn * x, turn * y
    ]  # fmt: skip
    return np.stack(columns, axis=1).astype(np.float32)


def align(target: Target, even: Even, guess: Matrix, rounds: int) -> Alignment | None:
    """Find the homography under which a picture shows the target.

    The inverse compositional algorithm (Baker & Matthews 2004): the target's own derivatives are
    computed once, and each round warps only the pixels that are needed. What does not fit, such as
    a hand on the page, is weighed down (Huber 1964); the contrast may differ, as blur lowers it.

    Args:
        target: what is looked for.
        even: (H, W) float32, the picture.
        guess: (3, 3) float64, unit coordinates to pixels, off by no more than lines are wide.
        rounds: at most so many.

    Returns:
        None where nothing of the target is left in the picture, or the search breaks down.
    """
    homography = guess.astype(np.float64)
    for _ in range(rounds):
        seen, inside = _sample(target, even, homography)
        if inside.sum() < len(inside) * 0.2:
            return None
        values = target.values
        gain = _gain(seen, values, inside)
        miss = seen * gain - values
        weight = inside * (_OUTLIER / np.maximum(np.abs(miss), _OUTLIER))
        weighted = target.steepest * weight[:, None]
        # OpenCV's product: a threaded BLAS takes 50 times as long when the cores are busy.
        normal = cv2.gemm(weighted, target.steepest, 1, weighted, 0, flags=cv2.GEMM_1_T)
        wanted = cv2.gemm(weighted, miss[:, None], 1, weighted, 0, flags=cv2.GEMM_1_T)
        ok, step = cv2.solve(
            normal.astype(np.float64), wanted.astype(np.float64), flags=cv2.DECOMP_CHOLESKY
        )
        if not ok:
            return None
        change = np.append(step[:, 0], 0.0).reshape(3, 3) + np.eye(3)
        if abs(float(np.linalg.det(change))) < 1e-3:
            return None
        homography = homography @ np.linalg.inv(change)
        homography /= homography[2, 2]
        if float(np.abs(step[:6]).max()) * target.reach_px < _STILL_PX:
            break
    else:
        seen, inside = _sample(target, even, homography)
    if inside.sum() < len(inside) * 0.2 or not np.isfinite(homography).all():
        return None
    return Alignment(
        homography, _correlate(seen[inside], target.values[inside]), float(inside.mean())
    )


def compare(target: Target, even: Even, homography: Matrix) -> float:
    """Return the agreement of a picture with a target at a place that is known, -1..1."""
    seen, inside = _sample(target, even, homography)
    return _correlate(seen[inside], target.values[inside])


def _sample(
    target: Target, even: Even, homography: Matrix
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
    """Return what a picture shows at the target's places, and which of them it shows at all."""
    seen_at = cv2.perspectiveTransform(target.places, homography)
    height, width = even.shape
    x, y = seen_at[:, 0, 0], seen_at[:, 0, 1]
    inside = (x >= 0) & (y >= 0) & (x <= width - 1) & (y <= height - 1)
    values = cv2.remap(even, seen_at, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)  # type: ignore[call-overload]
    return np.asarray(values[:, 0], np.float32), inside


def _gain(
    seen: npt.NDArray[np.float32], values: npt.NDArray[np.float32], inside: npt.NDArray[np.bool_]
) -> np.float32:
    seen, values = seen[inside], values[inside]
    gain = float((seen * values).sum()) / max(float((seen * seen).sum()), 1e-6)
    return np.float32(min(max(gain, 0.4), 4.0))


def _correlate(first: npt.NDArray[np.float32], second: npt.NDArray[np.float32]) -> float:
    lengths = float((first * first).sum()) * float((second * second).sum())
    return float((first * second).sum()) / float(max(np.sqrt(lengths), 1e-6))
