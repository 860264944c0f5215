"""Photos of hand-filled boards with one deliberate mistake: an entry replaced by another one.

The new entry is cut from the same photo, so that pen, light and blur are right; only the digit is
wrong.
"""

from dataclasses import replace
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from training.photos.photo_labels import HANDWRITTEN, Kinds, PhotoLabel
from vision.board import corners_from_lattice, lattice_from_corners, turn_lattice
from vision.classic_finder.find import find_boards
from vision.geometry import Points, quad_overlap

Image8 = npt.NDArray[np.uint8]

_SIDE_PX: Final = 96
"""Cells are moved through a square of this side."""

_INSET: Final = 0.1
"""Of a cell's side, what is left out around it: the lines stay where they are."""

_FEATHER_PX: Final = 5
_MIN_OVERLAP: Final = 0.8


def shrink_photo(image: Image8, label: PhotoLabel, side_px: int) -> tuple[Image8, PhotoLabel]:
    """Return a photo with no side longer than `side_px`, and its label in the new pixels."""
    scale = min(side_px / max(image.shape), 1.0)
    if label.corners is None or scale == 1:
        return image, label
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    corners = ((label.corners + 0.5) * scale - 0.5).astype(np.float32)
    return np.asarray(small, np.uint8), replace(label, corners=corners)


def locate_board(image: Image8, label: PhotoLabel) -> Points:
    """Return the lattice of a labelled board, the puzzle's own top left first.

    The finder's lattice follows bent pages; the labelled corners are the way out where the finder
    has no board there.

    Args:
        image: (H, W, 3) BGR uint8.
        label: its corners, which must be there, are in pixels of `image`.

    Returns:
        (10, 10, 2) float32.
    """
    if label.corners is None:
        raise ValueError(f"{label.file} has no labelled corners")
    for board in find_boards(image):
        if quad_overlap(board.corners, label.corners) < _MIN_OVERLAP:
            continue
        turned = [turn_lattice(board.lattice, turns) for turns in range(4)]
        away = [np.abs(corners_from_lattice(one) - label.corners).sum() for one in turned]
        return turned[int(np.argmin(away))]
    return lattice_from_corners(label.corners)


def choose_mistake(
    label: PhotoLabel, kinds: Kinds, rng: np.random.Generator
) -> tuple[int, int] | None:
    """Return an entry's cell and the cell of another entry with another digit; None if there are
    none.

    Args:
        label: of the photo.
        kinds: (81,) marks, as `training.photos.photo_labels.load_kinds` returns them.
        rng: draws both.
    """
    digits = label.digits.ravel()
    entries = np.flatnonzero(kinds == HANDWRITTEN)
    pairs = [(int(a), int(b)) for a in entries for b in entries if digits[a] != digits[b]]
    return pairs[rng.integers(len(pairs))] if pairs else None


def copy_cell(image: Image8, lattice: Points, source: int, target: int) -> Image8:
    """Return the photo with what stands in one cell copied over another, in the other's light.

    Args:
        image: (H, W, 3) BGR uint8, which stays as it is.
        lattice: (10, 10, 2) float32 in its pixels.
        source: cell 0..80 that is copied.
        target: cell 0..80 that is replaced.
    """
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * np.float32(_SIDE_PX)
    from_source = cv2.getPerspectiveTransform(_quad(lattice, source), square)
    from_target = cv2.getPerspectiveTransform(_quad(lattice, target), square)
    size = (_SIDE_PX, _SIDE_PX)
    new = cv2.warpPerspective(image, from_source, size, flags=cv2.INTER_AREA).astype(np.float32)
    old = cv2.warpPerspective(image, from_target, size, flags=cv2.INTER_AREA).astype(np.float32)
    new *= np.median(old, axis=(0, 1)) / np.maximum(np.median(new, axis=(0, 1)), 1)
    mask = np.zeros(size, np.float32)
    mask[_FEATHER_PX:-_FEATHER_PX, _FEATHER_PX:-_FEATHER_PX] = 1
    mask = np.asarray(cv2.blur(mask, (_FEATHER_PX, _FEATHER_PX)), np.float32)
    width_height = (image.shape[1], image.shape[0])
    back = np.linalg.inv(from_target)
    over = cv2.warpPerspective(np.clip(new, 0, 255), back, width_height)
    alpha = cv2.warpPerspective(mask, back, width_height)[:, :, None]
    mixed = image.astype(np.float32) * (1 - alpha) + over * alpha
    return np.asarray(np.round(mixed), np.uint8)


def _quad(lattice: Points, cell: int) -> Points:
    """Return the corners of a cell without its lines, clockwise from its top left."""
    row, column = divmod(cell, 9)
    corners = lattice[row : row + 2, column : column + 2].reshape(4, 2)[[0, 1, 3, 2]]
    middle = corners.mean(axis=0)
    return np.asarray(middle + (corners - middle) * (1 - 2 * _INSET), np.float32)
