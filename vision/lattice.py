"""Where the lines of a board really run: a rough lattice is snapped to the picture and scored.

All measuring happens on a **sheet**: the picture warped through the present lattice so that its
lines should lie every `PITCH` pixels, with `MARGIN` cells of surroundings. Brightness is taken as
logarithm, which turns light and shadow into an offset that a ridge filter does not see.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import (
    Floats,
    Points,
    fit_field,
    fit_mesh,
    is_sane_lattice,
    mesh_weights,
    weigh_mesh,
)

PITCH: Final = 20
"""Distance of neighbouring lines on the sheet, in pixels."""

MARGIN: Final = 1.5
"""Surroundings shown on each side of the sheet, in cells."""

_SIDE: Final = int((9 + 2 * MARGIN) * PITCH)
_FIRST: Final = MARGIN * PITCH
_RIDGE_STEPS: Final = (2, 3)
"""Distances from a line's middle to the paper on both sides, in sheet pixels; both are tried."""


CONVINCING: Final = 0.93
"""A score that no other alignment of the same board will beat by much."""

_PASSES: Final = ((1, 7, 0.0), (2, 5, 0.3), (3, 4, 0.4), (3, 3, 0.0))
"""Order of the field of shifts, reach of the search in sheet pixels, and the score below which
there is no hope, pass by pass.

Of 2,900 guesses on real photos, whole and warped, 9 in 10 end in nothing; all that ended above 0.6
had 0.34 before the second pass and 0.45 before the third, and 9 in 10 of the others are given up.
"""

_BEND_WINDOWS: Final = (6, 5, 4, 3)
"""Reach of the search where every crossing may move, in sheet pixels, pass by pass."""

_BEND_GAIN: Final = 0.02
"""What the score must gain by that: a mesh is led astray where the picture cuts a board off."""

_STIFFNESS: Final = 0.1
"""Smoothness asked of such a lattice."""

_END_AT: Final = 6
"""Distance from a line piece's middle to the two places where it is looked at, in sheet pixels."""

_END_WIDTH: Final = 5
_WEIGHTS: Final = mesh_weights((np.arange(_SIDE) + 0.5 - _FIRST) / PITCH)

Pyramid = tuple[npt.NDArray[np.float32], ...]
"""A picture as logarithm of its brightness, and its halvings."""

Slices = tuple[slice, slice]


@dataclass(frozen=True)
class LineMaps:
    """Ridge strength of a sheet, (side, side) float32, in units of log brightness, 0 = no line.

    `horizontal` answers to pieces of lines along x, each value standing for a piece of a cell's
    length around it; `vertical` to pieces along y.
    """

    horizontal: Floats
    vertical: Floats


@dataclass(frozen=True)
class LatticeFit:
    """A snapped lattice with the evidence for it.

    `score` is 0..1: how much of the 180 line pieces stands where it should, less what stands
    where no line belongs. `is_inverted` tells light lines on dark paper.
    """

    lattice: Points
    score: float
    is_inverted: bool


def build_pyramid(grey: npt.NDArray[np.uint8]) -> Pyramid:
    """Return the logarithm of the brightness, (H, W) float32, and three halvings of it."""
    levels = [np.log(grey.astype(np.float32) + 8)]
    for _ in range(3):
        height, width = levels[-1].shape
        if min(height, width) < 32:
            break
        even = levels[-1][: height // 2 * 2, : width // 2 * 2]
        size = (width // 2, height // 2)
        levels.append(cv2.resize(even, size, interpolation=cv2.INTER_AREA).astype(np.float32))
    return tuple(levels)


def measure_lines(pyramid: Pyramid, lattice: Points, is_inverted: bool) -> LineMaps:
    """Warp the picture through a lattice and filter it for lines.

    Args:
        pyramid: of the picture, from `build_pyramid`.
        lattice: (10, 10, 2) float32 in pixels of the picture.
        is_inverted: look for light lines on dark paper.
    """
    diagonal = float(np.hypot(*(lattice[9, 9] - lattice[0, 0])))
    step = diagonal / (9 * 2**0.5 * PITCH)
    # Sampling more coarsely than the picture's pixels would step over thin lines.
    level = min(int(np.log2(max(step / 0.7, 1))), len(pyramid) - 1)
    scale = 0.5**level
    x, y = weigh_mesh((lattice + 0.5) * scale - 0.5, _WEIGHTS)
    warped = cv2.remap(
        pyramid[level],
        x,
        y,
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        # A line that the picture's edge cuts off has paper beyond it, as far as ridges go.
        borderValue=0.0 if is_inverted else 6.0,
    )
    sheet = np.asarray(-warped if is_inverted else warped, np.float32)
    return LineMaps(_ridges(sheet, 0), _ridges(sheet, 1))


def _ridges(sheet: Floats, across: int) -> Floats:
    """Return how much darker each pixel is than the paper on both sides along axis `across`."""
    along = np.asarray(cv2.blur(sheet, (1, 5) if across else (5, 1)), np.float32)
    paper = np.full_like(along, -np.inf)
    for step in _RIDGE_STEPS:
        before, after, middle = _shifted(step, across)
        np.maximum(paper[middle], np.minimum(along[before], along[after]), out=paper[middle])
    ridge = np.sqrt(np.clip(paper - along, 0, 0.4))
    # Digits stand in the middle of a cell, and their upright strokes look like lines; near the
    # cell's corners only a line is left. The product of both ends asks for both.
    ends = np.asarray(cv2.blur(ridge, (1, _END_WIDTH) if across else (_END_WIDTH, 1)), np.float32)
    pieces = np.zeros_like(ends)
    before, after, middle = _shifted(_END_AT, 1 - across)
    pieces[middle] = ends[before] * ends[after]
    return pieces


def _shifted(step: int, axis: int) -> tuple[Slices, Slices, Slices]:
    """Return index pairs for the pixels `step` before, `step` after, and in the middle."""
    whole = slice(None)
    cuts = (slice(None, -2 * step), slice(2 * step, None), slice(step, -step))
    before, after, middle = ((whole, cut) if axis else (cut, whole) for cut in cuts)
    return before, after, middle


_SEGMENT = (_FIRST + (np.arange(9) + 0.5) * PITCH).astype(int)
_LINE = _FIRST + np.arange(-1, 11) * PITCH - 0.5


def snap_lattice(pyramid: Pyramid, lattice: Points, is_inverted: bool) -> LatticeFit | None:
    """Move a rough lattice onto the lines of the picture and score it.

    Every line piece is looked for by itself and a smooth field of shifts is fitted robustly:
    bilinear first, then up to cubic, so that bent pages are followed. Where that does not
    convince, the best arithmetic progression of ten lines each way near the guess is tried, too.

    Args:
        pyramid: of the picture, from `build_pyramid`.
        lattice: (10, 10, 2) float32, off by less than a cell and a fifth in pitch.
        is_inverted: look for light lines on dark paper.

    Returns:
        None when there are not enough lines, or the fit runs away into what is no lattice.
    """
    if not is_sane_lattice(lattice):
        return None
    fit = _follow_lines(pyramid, lattice, is_inverted)
    if fit is not None and fit.score > CONVINCING:
        return fit
    rows, columns = _best_progressions(measure_lines(pyramid, lattice, is_inverted))
    if max(np.abs(rows - np.arange(10)).max(), np.abs(columns - np.arange(10)).max()) < 0.15:
        return fit
    other = _follow_lines(pyramid, _resample(lattice, rows, columns), is_inverted)
    return max((f for f in (fit, other) if f is not None), key=lambda f: f.score, default=None)


def _follow_lines(pyramid: Pyramid, lattice: Points, is_inverted: bool) -> LatticeFit | None:
    for order, window, least in _PASSES:
        maps = measure_lines(pyramid, lattice, is_inverted)
        if least > 0 and score_lines(maps) < least:
            return None
        lattice = _shift(lattice, maps, order, window)
        if not is_sane_lattice(lattice):
            return None
    maps = measure_lines(pyramid, lattice, is_inverted)
    fit = LatticeFit(lattice, score_lines(maps), is_inverted)
    return fit if fit.score > CONVINCING else _bend(pyramid, fit, maps)


def _bend(pyramid: Pyramid, fit: LatticeFit, maps: LineMaps) -> LatticeFit:
    """Return the fit, or a better one that follows folds and bends that no cubic does."""
    lattice = fit.lattice
    for window in _BEND_WINDOWS:
        lattice = _shift_freely(lattice, maps, window)
        if not is_sane_lattice(lattice):
            break
        maps = measure_lines(pyramid, lattice, fit.is_inverted)
        score = score_lines(maps)
        if score > fit.score + _BEND_GAIN:
            fit = LatticeFit(lattice, score, fit.is_inverted)
    return fit


def score_lines(maps: LineMaps) -> float:
    """Return how well ten lines each way stand where the sheet expects them, 0..1.

    Counted without a scale: a line piece is there when it is stronger than half of the
    places midway between lines, where only digits and dirt are.
    """
    present, beyond, boxes = [], [], []
    for profile in (maps.horizontal[:, _SEGMENT], maps.vertical[_SEGMENT].T):
        near = cv2.dilate(profile, np.ones((5, 1), np.uint8))
        on_line = near[np.round(_LINE).astype(int)]
        between = near[np.round(_LINE[1:-2] + PITCH / 2).astype(int)]
        floor = max(float(np.median(between)), 0.004)
        present.append((on_line[1:-1] > floor).mean(axis=1))
        beyond.append((on_line[[0, -1]] > floor).mean(axis=1))
        strength = on_line[1:-1].mean(axis=1)
        thirds = [strength[first::3].mean() for first in (0, 1, 2)]
        boxes.append((thirds[0] - max(thirds[1:])) / max(max(thirds), floor))
    lines = np.concatenate(present)
    # A line that is missing altogether tells more than pieces missing here and there; a line
    # beyond the board or stronger lines that are not those of the boxes tell of a wrong start.
    score = 0.7 * lines.mean() + 0.3 * lines.min()
    score -= 0.05 * np.concatenate(beyond).mean()
    score += 0.08 * min(float(min(boxes)), 0.0)
    return float(max(score, 0.0))


def _best_progressions(maps: LineMaps) -> tuple[Floats, Floats]:
    """Return where the ten horizontal and the ten vertical lines stand, in cells of the sheet."""
    pitches = np.linspace(0.85, 1.15, 13)
    starts = np.arange(-1.0, 1.01, 0.1)
    pitch, start = (grid.ravel() for grid in np.meshgrid(pitches, starts))
    # Scale around the middle so that pitch and start do not hide each other.
    first = start + 4.5 * (1 - pitch)
    found = []
    for profile in (maps.horizontal[:, _SEGMENT], maps.vertical[_SEGMENT].T):
        mean = np.minimum(profile, np.quantile(profile, 0.9)).mean(axis=1)
        thick = cv2.dilate(mean[:, None], np.ones((3, 1), np.uint8))
        wide = np.asarray(cv2.blur(thick, (1, 3)), np.float32)[:, 0]
        index = np.arange(-1, 11)
        at = first[:, None] + pitch[:, None] * index[None]
        on_line = _sample(wide, at)
        between = _sample(wide, at[:, 1:-2] + pitch[:, None] / 2)
        worth = (
            on_line[:, 1:-1].mean(axis=1)
            + 0.5 * on_line[:, 1:-1].min(axis=1)
            - 0.5 * between.mean(axis=1)
            - 0.05 * on_line[:, [0, -1]].mean(axis=1)
        )
        best = int(np.argmax(worth))
        found.append((first[best] + pitch[best] * np.arange(10)).astype(np.float32))
    return found[0], found[1]


def _sample(profile: Floats, cells: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Read a profile of the sheet at positions given in cells; nothing outside of it."""
    pixel = cells * PITCH + _FIRST - 0.5
    return np.interp(pixel, np.arange(_SIDE), profile, left=0.0, right=0.0)


def _resample(lattice: Points, rows: Floats, columns: Floats) -> Points:
    """Return the crossings of new rows and columns, given in cells of the old lattice."""
    row_mesh = _interpolate(lattice, rows)
    return _interpolate(row_mesh.transpose(1, 0, 2), columns).transpose(1, 0, 2).copy()


def _interpolate(lattice: Points, position: Floats) -> Points:
    index = np.clip(np.floor(position), 0, 8).astype(int)
    weight = (position - index).astype(np.float32)[:, None, None]
    return np.asarray(lattice[index] * (1 - weight) + lattice[index + 1] * weight, np.float32)


def _shift(lattice: Points, maps: LineMaps, order: int, window: int) -> Points:
    """Return the lattice after one smooth, robust correction towards the lines of the sheet."""
    down, down_weight = _offsets(maps.horizontal[:, _SEGMENT], window)
    right, right_weight = _offsets(maps.vertical[_SEGMENT].T, window)
    line, middle = np.meshgrid(np.arange(10.0), np.arange(9) + 0.5, indexing="ij")
    row, column = np.meshgrid(np.arange(10.0), np.arange(10.0), indexing="ij")
    shift_y = fit_field(line, middle, down, down_weight, order)(row, column)
    shift_x = fit_field(middle, line, right, right_weight, order)(row, column)
    return _moved(lattice, shift_x, shift_y)


def _shift_freely(lattice: Points, maps: LineMaps, window: int) -> Points:
    """Return the lattice after a correction of each crossing, smooth along the lines."""
    down, down_weight = _offsets(maps.horizontal[:, _SEGMENT], window)
    right, right_weight = _offsets(maps.vertical[_SEGMENT].T, window)
    shift_y = fit_mesh(down, down_weight, _STIFFNESS, 0.05)
    shift_x = fit_mesh(right, right_weight, _STIFFNESS, 0.05).T
    return _moved(lattice, shift_x, shift_y)


def _moved(lattice: Points, shift_x: Floats, shift_y: Floats) -> Points:
    # Where the shifted crossings lie: each cell's own edges translate sheet into picture.
    step_x = np.gradient(lattice, axis=1)
    step_y = np.gradient(lattice, axis=0)
    moved = lattice + step_x * shift_x[:, :, None] + step_y * shift_y[:, :, None]
    return np.asarray(moved, dtype=np.float32)


def _offsets(profile: Floats, window: int) -> tuple[Floats, Floats]:
    """Return for each of 10×9 line pieces its offset in cells and a weight for it."""
    centre = np.round(_LINE[1:-1]).astype(int)
    reach = np.arange(-window, window + 1)
    around = profile[centre[:, None] + reach].transpose(0, 2, 1)
    peak = around.max(axis=2)
    # The centroid of the upper half of the peak is steadier than its highest pixel.
    mass = np.maximum(around - 0.5 * peak[:, :, None], 0)
    total = mass.sum(axis=2)
    offset = np.where(total > 0, (mass * reach).sum(axis=2) / np.maximum(total, 1e-9), 0)
    offset = (offset + (centre - _LINE[1:-1])[:, None]) / PITCH
    base = float(np.median(peak)) + 1e-6
    return offset.astype(np.float32), np.minimum(peak / base, 1.5).astype(np.float32)
