"""Frames of a live picture with their halvings, and what can be told of them at a glance."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.board import Grey
from vision.geometry import Points
from vision.tracker.alignment import Matrix

_LEVELS: Final = 4


@dataclass(frozen=True, eq=False)
class Frame:
    """A grey frame and its halvings, `levels[0]` being (H, W) uint8."""

    levels: tuple[Grey, ...]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        height, width = self.levels[0].shape
        return width, height


def prepare_frame(image: npt.NDArray[np.uint8]) -> Frame:
    """Make a frame ready to be followed.

    Args:
        image: (H, W) grey or (H, W, 3) BGR uint8.
    """
    if image.ndim == 3:
        image = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    levels = [image]
    while len(levels) < _LEVELS and min(levels[-1].shape) >= 64:
        height, width = levels[-1].shape
        even = levels[-1][: height // 2 * 2, : width // 2 * 2]
        half = cv2.resize(even, (width // 2, height // 2), interpolation=cv2.INTER_AREA)
        levels.append(np.asarray(half, np.uint8))
    return Frame(tuple(levels))


def measure_sharpness(frame: Frame) -> float:
    """Return how much detail a frame has, in grey levels; a tenth of it is left in a pan."""
    level = frame.levels[min(2, len(frame.levels) - 1)]
    detail = cv2.Laplacian(level, cv2.CV_16S)
    return float(cv2.norm(detail, cv2.NORM_L1)) / detail.size


def measure_change(before: Frame, frame: Frame) -> float:
    """Return how much a coarse pixel changes from one frame to the next, in grey levels."""
    earlier, later = before.levels[-1], frame.levels[-1]
    return float(cv2.norm(earlier, later, cv2.NORM_L1)) / later.size


def level_matrix(level: int) -> Matrix:
    """Return the matrix from pixels of a frame to those of a level of its pyramid."""
    scale = 0.5**level
    shift = 0.5 * scale - 0.5
    return np.array([[scale, 0, shift], [0, scale, shift], [0, 0, 1.0]])


def at_level(lattice: Points, level: int) -> Points:
    """Return points of a frame in pixels of a level of its pyramid."""
    return np.asarray((lattice + 0.5) * 0.5**level - 0.5, np.float32)
