"""Ten lines at equal distances: where they stand on a sheet, and the lattice that they make."""

import cv2
import numpy as np
import numpy.typing as npt

from vision.classic_finder.lines import FIRST, PITCH, SIDE, LineProfiles
from vision.geometry import Floats, Points


def find_progressions(profiles: LineProfiles) -> tuple[Floats, Floats]:
    """Return where the ten horizontal and the ten vertical lines stand, in cells of the sheet.

    Args:
        profiles: of a sheet whose lattice may begin up to a cell off, and be off by 15 % in pitch.

    Returns:
        Rows and columns, each (10,) float32.
    """
    pitches = np.linspace(0.85, 1.15, 13)
    starts = np.arange(-1.0, 1.01, 0.1)
    pitch, start = (grid.ravel() for grid in np.meshgrid(pitches, starts))
    # Scale around the middle so that pitch and start do not hide each other.
    first = start + 4.5 * (1 - pitch)
    found = []
    for profile in (profiles.horizontal, profiles.vertical):
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
    pixel = cells * PITCH + FIRST - 0.5
    return np.interp(pixel, np.arange(SIDE), profile, left=0.0, right=0.0)


def resample(lattice: Points, rows: Floats, columns: Floats) -> Points:
    """Return the crossings of new rows and columns.

    Args:
        lattice: (10, 10, 2) float32.
        rows: (10,), in cells of that lattice, which goes on straight beyond its edges.
        columns: the same.
    """
    row_mesh = _interpolate(lattice, rows)
    return _interpolate(row_mesh.transpose(1, 0, 2), columns).transpose(1, 0, 2).copy()


def _interpolate(lattice: Points, position: Floats) -> Points:
    index = np.clip(np.floor(position), 0, 8).astype(int)
    weight = (position - index).astype(np.float32)[:, None, None]
    return np.asarray(lattice[index] * (1 - weight) + lattice[index + 1] * weight, np.float32)
