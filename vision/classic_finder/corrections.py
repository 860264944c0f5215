"""Moves a lattice to where a sheet shows its lines; see `vision.classic_finder.lines`."""

from functools import cache
from typing import Final

import numpy as np

from vision.classic_finder.lines import LINE, LINE_PX, PITCH, LineProfiles
from vision.geometry import Floats, Points, fit_mesh, fit_surface, surface_terms, take_median

_STIFFNESS: Final = 0.1
"""Smoothness asked of a lattice whose crossings move freely."""

_PENALTY: Final = 1e-3
_LEAST_SCALE: Final = 0.03
"""Penalty on the coefficients of a smooth field of shifts, and what is never an outlier of it."""


def shift_smoothly(lattice: Points, profiles: LineProfiles, order: int, window: int) -> Points:
    """Return the lattice after one smooth, robust correction towards the lines of the sheet.

    Args:
        lattice: (10, 10, 2) float32, through which the sheet was made.
        profiles: of the sheet.
        order: of the polynomial of shifts, each way.
        window: reach of the search for a line, in sheet pixels.
    """
    down, down_weight = _offsets(profiles.horizontal, window)
    right, right_weight = _offsets(profiles.vertical, window)
    rows, columns, crossings = _terms(order)
    shift_y = crossings @ fit_surface(rows, down, down_weight, _PENALTY, _LEAST_SCALE)
    shift_x = crossings @ fit_surface(columns, right, right_weight, _PENALTY, _LEAST_SCALE)
    return _moved(lattice, shift_x, shift_y)


@cache
def _terms(order: int) -> tuple[Floats, Floats, Floats]:
    """Return a surface's terms at the pieces of rows and of columns, and at the crossings."""
    line, middle = np.meshgrid(np.arange(10.0), np.arange(9) + 0.5, indexing="ij")
    row, column = np.meshgrid(np.arange(10.0), np.arange(10.0), indexing="ij")
    return (
        surface_terms(line, middle, order),
        surface_terms(middle, line, order),
        surface_terms(row, column, order),
    )


def shift_freely(lattice: Points, profiles: LineProfiles, window: int) -> Points:
    """Return the lattice after a correction of each crossing, smooth along the lines.

    Takes what `shift_smoothly` takes.
    """
    down, down_weight = _offsets(profiles.horizontal, window)
    right, right_weight = _offsets(profiles.vertical, window)
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
    centre = LINE_PX[1:-1]
    reach = np.arange(-window, window + 1)
    around = profile[centre[:, None] + reach].transpose(0, 2, 1)
    peak = around.max(axis=2)
    # The centroid of the upper half of the peak is steadier than its highest pixel.
    mass = np.maximum(around - 0.5 * peak[:, :, None], 0)
    total = mass.sum(axis=2)
    offset = np.where(total > 0, (mass * reach).sum(axis=2) / np.maximum(total, 1e-9), 0)
    offset = (offset + (centre - LINE[1:-1])[:, None]) / PITCH
    base = take_median(peak) + 1e-6
    return offset.astype(np.float32), np.minimum(peak / base, 1.5).astype(np.float32)
