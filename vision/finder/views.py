"""Views of a photo: squares of any part of it, turned and scaled, as the network sees them."""

from enum import Enum, auto
from typing import Final

import cv2
import numpy as np

from vision.board import corners_from_lattice
from vision.geometry import Floats, Image8, Matrix, Points, halve

_TURNED: Final = 45.0
"""Of the whole photo, in degrees: near 45° a board's upright direction is anybody's guess."""

_PARTS: Final = 3
"""Parts that a photo is cut into each way for `Look.PARTS`, overlapping by half."""

_LEAST_SCALE: Final = 0.6
"""At which a photo is sampled as it is, not from its next halving."""

_HALVED: Final = np.array([[2.0, 0.0, 0.5], [0.0, 2.0, 0.5], [0.0, 0.0, 1.0]])
"""From a pixel of a halving to the picture that was halved."""

_AROUND: Final = 0.35
"""Surroundings of a board that are cut out with it, in sides of the board."""


class Look(Enum):
    """A way to look at a photo; later ones cost more and are for what earlier ones missed.

    Attributes:
        WHOLE: the network sees the whole photo.
        LINES: no network: what large connected lines enclose.
        TURNED: the network sees the whole photo, turned.
        PARTS: the network sees parts of the photo.
    """

    WHOLE = auto()
    LINES = auto()
    TURNED = auto()
    PARTS = auto()


NETWORK_LOOKS: Final = (Look.WHOLE, Look.TURNED, Look.PARTS)
"""Those that the network takes, cheap ones first."""


def list_views(frame: Points, px: int, look: Look) -> list[Matrix]:
    """Return the similarities of a look, from pixels of the photo to the network's picture."""
    if look is not Look.PARTS:
        return [show_quad(frame, px, 1.0, _TURNED if look is Look.TURNED else 0.0)]
    size = 2 * frame[2] / (_PARTS + 1)
    starts = [
        np.array([column, row]) * size / 2 for row in range(_PARTS) for column in range(_PARTS)
    ]
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
    return [
        show_quad(np.asarray(start + corners * size, np.float32), px, 1.0, 0.0) for start in starts
    ]


class PhotoViews:
    """A photo that is seen through views, halved as often as these need it."""

    def __init__(self, grey: Image8) -> None:
        self.grey = grey
        self._halvings = [grey]
        height, width = grey.shape
        self.frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        self._tone = float(grey[:: max(height // 64, 1), :: max(width // 64, 1)].mean())

    def warp(self, view: Matrix, px: int) -> Image8:
        """Show the photo through a similarity, (px, px) uint8; beyond it lies its mean tone."""
        scale = float(np.sqrt(abs(np.linalg.det(view[:2, :2]))))
        matrix, level = view, 0
        # Sampling alone would step over thin lines.
        while scale < _LEAST_SCALE and min(self._halvings[level].shape) > 8:
            level += 1
            if level == len(self._halvings):
                self._halvings.append(halve(self._halvings[-1]))
            matrix, scale = matrix @ _HALVED, scale * 2
        picture = cv2.warpAffine(
            self._halvings[level], matrix[:2], (px, px), flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_CONSTANT, borderValue=(self._tone,),
        )  # fmt: skip
        return np.asarray(picture, np.uint8)


def show_quad(corners: Points, px: int, share: float, turn: float) -> Matrix:
    """Return the similarity that shows a quadrilateral in the middle of a square picture.

    Args:
        corners: (4, 2) float32 in pixels of the photo.
        px: side of the picture.
        share: of the picture that the quadrilateral takes.
        turn: of the picture, in degrees.
    """
    angle = np.radians(turn)
    turned = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    points = corners @ turned.T
    low, high = points.min(axis=0), points.max(axis=0)
    scale = share * px / float((high - low).max())
    matrix = np.eye(3)
    matrix[:2, :2] = scale * turned
    matrix[:2, 2] = (px - 1) / 2 - scale * (low + high) / 2
    return matrix


def show_around(lattice: Points, cell_px: float) -> tuple[Matrix, int]:
    """Return the similarity that shows a lattice with its surroundings, and the picture's side.

    Args:
        lattice: (n + 1, n + 1, 2) float32 in pixels of the photo.
        cell_px: side of a cell in the picture.
    """
    px = round((len(lattice) - 1) * cell_px * (1 + 2 * _AROUND))
    return show_quad(corners_from_lattice(lattice), px, 1 / (1 + 2 * _AROUND), 0.0), px


def transform_lattice(lattice: Points, matrix: Floats) -> Points:
    """Return points (…, 2) float32 as a homography (3, 3) moves them."""
    flat = np.ascontiguousarray(lattice.reshape(1, -1, 2), np.float64)
    return np.asarray(cv2.perspectiveTransform(flat, matrix).reshape(lattice.shape), np.float32)
