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

from vision.geometry import Floats, Points, fit_field, is_sane_lattice, sample_mesh

PITCH: Final = 20
"""Distance of neighbouring lines on the sheet, in pixels."""

MARGIN: Final = 1.5
"""Surroundings shown on each side of the sheet, in cells."""

_SIDE: Final = int((9 + 2 * MARGIN) * PITCH)
_FIRST: Final = MARGIN * PITCH
_RIDGE_STEP: Final = (2, 3)
"""Distances from a line's middle to the paper on both sides, in sheet pixels; both are tried."""


_END_AT: Final = 6
"""Distance from a line piece's middle to the two places where it is looked at, in sheet pixels."""

_END_WIDTH: Final = 5
_POSITION: Final = (np.arange(_SIDE, dtype=np.float32) + 0.5 - _FIRST) / PITCH


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


def measure_lines(log_grey: Floats, lattice: Points, is_inverted: bool) -> LineMaps:
    """Warp the picture through a lattice and filter it for lines.

    Args:
        log_grey: (H, W) float32, logarithm of the brightness.
        lattice: (10, 10, 2) float32.
        is_inverted: look for light lines on dark paper.
    """
    mesh = sample_mesh(lattice, _POSITION)
    step = float(np.median(np.abs(np.diff(mesh[:, _SIDE // 2], axis=0)).sum(axis=-1)))
    # Sampling more coarsely than the picture's pixels would step over thin lines.
    width = round(step * 1.3)
    picture = cv2.blur(log_grey, (width, width)) if width > 1 else log_grey
    sheet = cv2.remap(
        picture,
        mesh,
        None,
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        # A line that the picture's edge cuts off has paper beyond it, as far as ridges go.
        borderValue=0.0 if is_inverted else 6.0,
    )
    sheet = -sheet if is_inverted else sheet
    return LineMaps(_ridges(sheet), np.ascontiguousarray(_ridges(sheet.T).T))


def _ridges(sheet: Floats) -> Floats:
    """Return how much darker each pixel is than the paper above and below it, along x."""
    along = cv2.blur(sheet, (5, 1))
    best = np.zeros_like(along)
    for step in _RIDGE_STEP:
        above, below = np.zeros_like(along), np.zeros_like(along)
        above[step:] = along[:-step]
        below[:-step] = along[step:]
        ridge = np.minimum(above, below) - along
        ridge[:step] = 0
        ridge[-step:] = 0
        np.maximum(best, ridge, out=best)
    # Digits stand in the middle of a cell, and their upright strokes look like lines; near the
    # cell's corners only a line is left. The product of both ends asks for both.
    ends = cv2.blur(np.sqrt(np.minimum(best, 0.4)), (_END_WIDTH, 1))
    pieces = np.zeros_like(ends)
    pieces[:, _END_AT:-_END_AT] = ends[:, : -2 * _END_AT] * ends[:, 2 * _END_AT :]
    return pieces


_SEGMENT = (_FIRST + (np.arange(9) + 0.5) * PITCH).astype(int)
_LINE = _FIRST + np.arange(-1, 11) * PITCH - 0.5


def snap_lattice(log_grey: Floats, lattice: Points, is_inverted: bool) -> LatticeFit | None:
    """Move a rough lattice onto the lines of the picture and score it.

    First the best arithmetic progression of ten lines each way near the guess, then every line
    piece is looked for by itself and a smooth field of shifts is fitted robustly: bilinear,
    then up to cubic, so that bent pages are followed.

    Args:
        log_grey: (H, W) float32, logarithm of the brightness.
        lattice: (10, 10, 2) float32, off by less than a cell and a fifth in pitch.
        is_inverted: look for light lines on dark paper.

    Returns:
        None when the fit runs away into something that is no lattice.
    """
    maps = measure_lines(log_grey, lattice, is_inverted)
    rows, columns = _best_progressions(maps)
    starts = [lattice]
    # The progression mends a guess that is off; a guess that is right it can only spoil.
    if max(np.abs(rows - np.arange(10)).max(), np.abs(columns - np.arange(10)).max()) > 0.15:
        starts.append(_resample(lattice, rows, columns))
    fits = [_follow_lines(log_grey, start, is_inverted) for start in starts]
    return max((fit for fit in fits if fit is not None), key=lambda f: f.score, default=None)


def _follow_lines(log_grey: Floats, lattice: Points, is_inverted: bool) -> LatticeFit | None:
    for order, window in ((1, 7), (1, 5), (2, 4), (3, 4), (3, 3)):
        if not is_sane_lattice(lattice):
            return None
        maps = measure_lines(log_grey, lattice, is_inverted)
        lattice = _shift(lattice, maps, order, window)
    if not is_sane_lattice(lattice):
        return None
    return LatticeFit(
        lattice, score_lines(measure_lines(log_grey, lattice, is_inverted)), is_inverted
    )


def score_lines(maps: LineMaps) -> float:
    """Return how well ten lines each way stand where the sheet expects them, 0..1.

    Counted without a scale: a line piece is there when it is stronger than half of the
    places midway between lines, where only digits and dirt are.
    """
    present, beyond = [], []
    for profile in (maps.horizontal[:, _SEGMENT], maps.vertical[_SEGMENT].T):
        near = cv2.dilate(profile, np.ones((5, 1), np.uint8))
        on_line = near[np.round(_LINE).astype(int)]
        between = near[np.round(_LINE[1:-2] + PITCH / 2).astype(int)]
        floor = max(float(np.median(between)), 0.004)
        present.append((on_line[1:-1] > floor).mean(axis=1))
        beyond.append((on_line[[0, -1]] > floor).mean(axis=1))
    lines = np.concatenate(present)
    # A line that is missing altogether tells more than pieces missing here and there.
    score = 0.7 * lines.mean() + 0.3 * lines.min()
    return float(max(0.0, score - 0.05 * np.concatenate(beyond).mean()))


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
        wide = cv2.blur(cv2.dilate(mean[:, None], np.ones((3, 1), np.uint8)), (1, 3))[:, 0]
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
