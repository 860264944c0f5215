"""Ticks, crosses and question marks in the corner of cells, as a teacher's pen makes them."""

from typing import Final, Literal

import cv2
import numpy as np
import numpy.typing as npt

Image8 = npt.NDArray[np.uint8]
Points = npt.NDArray[np.float32]
Mark = Literal["tick", "cross", "question"]

_STROKES: Final[dict[Mark, tuple[tuple[tuple[float, float], ...], ...]]] = {
    "tick": (((0.0, 0.6), (0.35, 1.0), (1.0, 0.0)),),
    "cross": (((0.0, 0.0), (1.0, 1.0)), ((1.0, 0.0), (0.0, 1.0))),
    "question": (
        ((0.15, 0.2), (0.5, 0.0), (0.85, 0.2), (0.5, 0.5), (0.5, 0.7)),
        ((0.5, 0.92), (0.5, 1.0)),
    ),
}
"""Lines through points (x, y) of a unit square."""

_COLOURS: Final[dict[Mark, tuple[int, int, int]]] = {
    "tick": (60, 150, 20),
    "cross": (40, 30, 220),
    "question": (0, 130, 240),
}
"""BGR; shape and colour both tell, for those who see one of them badly."""

_HALO: Final = (255, 255, 255)
_CORNER: Final = 0.06
_SIDE: Final = 0.24
"""Where in the cell a mark begins, from its top left, and how large it is; in cells. Digits
leave that corner free."""

_WIDTH: Final = 0.06
_WIDEST: Final = 4096
"""Widest stroke in pixels: OpenCV draws none of 32,768."""

_BITS: Final = 4


def mark_cells(photo: Image8, lattice: Points, cells: npt.NDArray[np.bool_], mark: Mark) -> Image8:
    """Return the photo with a mark in the top left corner of each of the cells.

    Args:
        photo: (H, W, 3) uint8 BGR, which stays as it is.
        lattice: (n + 1, n + 1, 2) float32 in its pixels.
        cells: (n, n) bool.
        mark: which one.

    Raises:
        ValueError: if `cells` has another shape.
    """
    side = len(lattice) - 1
    if cells.shape != (side, side):
        raise ValueError(f"cells must be {(side, side)}, got {cells.shape}")
    image = photo.copy()
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    for row, column in np.argwhere(cells):
        block = lattice[row : row + 2, column : column + 2].reshape(4, 2)[[0, 1, 3, 2]]
        quad = np.ascontiguousarray(block, np.float32)
        if not cv2.isContourConvex(quad) or cv2.contourArea(quad) < 1:
            continue
        to_photo = cv2.getPerspectiveTransform(square, quad)
        width = min(max(round(_WIDTH * float(np.sqrt(cv2.contourArea(quad)))), 1), _WIDEST)
        lines = []
        for stroke in _STROKES[mark]:
            points = (np.array([stroke], np.float32) * _SIDE + _CORNER).astype(np.float32)
            moved = cv2.perspectiveTransform(points, to_photo)[0]
            lines.append(np.round(moved * (1 << _BITS)).astype(np.int32))
        for thickness, colour in ((width + 2, _HALO), (width, _COLOURS[mark])):
            cv2.polylines(image, lines, False, colour, thickness, cv2.LINE_AA, _BITS)
    return image
