"""The boards of a photo, the surest first: seen by a network, then snapped to their lines."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final, Protocol

import cv2
import numpy as np
import numpy.typing as npt

from vision.finder.fit import Maps, RoughBoard, fit_boards
from vision.finder.snap import build_pyramid, snap_lattice
from vision.geometry import Points, quad_overlap

Image8 = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.floating]
Matrix = npt.NDArray[np.float64]

_SAME_PLACE: Final = 0.5
"""Overlap from which two lattices are of one board."""

_CELL_PX: Final = 28.0
"""Of the picture in which lines are looked for."""

_CLEAR: Final = 0.93
"""Share of line pieces from which a board needs no look from near."""

_AROUND: Final = 0.35
"""Surroundings of a board that are cut out with it, in sides of the board."""

_CLOSE: Final = 0.8
"""Share of the network's picture that a board fills when it is looked at closely."""


_TURNED: Final = 45.0
"""Of the whole photo, in degrees: near 45° a board's upright direction is anybody's guess."""

_PARTS: Final = 3
"""Parts that a photo is cut into each way, overlapping by half, where the whole shows nothing."""

_LEAST_SCALE: Final = 0.6
"""At which a photo is sampled as it is, not from its next halving."""

_HALVED: Final = np.array([[2.0, 0.0, 0.5], [0.0, 2.0, 0.5], [0.0, 0.0, 1.0]])
"""From a pixel of a halving to the picture that was halved."""


class Detector(Protocol):
    """Says of pictures where their boards lie."""

    def detect(self, pictures: Image8) -> Sequence[Maps]:
        """Return the maps of pictures, (k, S, S) uint8 grey."""


@dataclass(frozen=True)
class Eye:
    """What is known of a detector.

    Attributes:
        input_px: S, side of its picture.
        stride: pixels of the picture for each place of the maps.
        sides: n of each channel of the maps' sides.
        only: the side of all boards that are looked for; the likeliest of each when None.
    """

    input_px: int
    stride: int
    sides: tuple[int, ...]
    only: int | None = None


@dataclass(frozen=True, eq=False)
class FoundBoard:
    """A board as network and lines show it.

    Attributes:
        lattice: (n + 1, n + 1, 2) float32, crossings (x, y) in pixels of the photo.
        score: 0..1, how sure the network is.
        line_score: 0..1, share of the line pieces that are there.
        side_score: 0..1, how sure the side n is.
        is_inverted: light lines on dark paper.
    """

    lattice: Points
    score: float
    line_score: float
    side_score: float
    is_inverted: bool

    @property
    def corners(self) -> Points:
        """(4, 2) float32, clockwise from the first crossing."""
        return _outline(self.lattice)


class Look(Enum):
    """A way to look at a photo; later ones cost more and are for what earlier ones missed."""

    WHOLE = auto()
    TURNED = auto()
    PARTS = auto()


class BoardFinder:
    """Finds the boards of one photo."""

    def __init__(self, grey: Image8, detector: Detector, eye: Eye) -> None:
        """Begin with a photo.

        Args:
            grey: (H, W) uint8.
            detector: the network.
            eye: what is known of it.
        """
        self._photo = _Photo(grey)
        self._detector = detector
        self._eye = eye

    def find(self, look: Look, known: Sequence[Points] = ()) -> Iterator[FoundBoard]:
        """Yield the boards that a look shows, the surest first.

        Args:
            look: how.
            known: lattices of boards that are found already, in pixels of the photo; what lies in
                their places is not yielded again.
        """
        seen = list(known)
        views = _list_views(self._photo.frame, self._eye.input_px, look)
        rough = [board for view in views for board in self._look(view)]
        for board in sorted(rough, key=lambda one: -one.score):
            if _is_among(board.lattice, seen):
                continue
            found = self._look_closely(board)
            if found is None or _is_among(found.lattice, seen):
                continue
            seen.append(found.lattice)
            yield found

    def _look(self, view: Matrix) -> list[RoughBoard]:
        """Return the boards of a view, in pixels of the photo, the surest first."""
        (maps,) = self._detector.detect(self._photo.warp(view, self._eye.input_px)[None])
        back = np.linalg.inv(view)
        boards = []
        for board in fit_boards(maps, self._eye.sides, self._eye.only):
            places = np.asarray((board.lattice + 0.5) * self._eye.stride - 0.5, np.float32)
            boards.append(RoughBoard(_transform(places, back), board.score, board.side_score))
        return boards

    def _look_closely(self, board: RoughBoard) -> FoundBoard | None:
        """Return a board on its lines, if need be as its own surroundings show it."""
        found = _snap(self._photo, board)
        if found is not None and found.line_score >= _CLEAR:
            return found
        outline = _outline(board.lattice)
        again = self._look(_view(outline, self._eye.input_px, _CLOSE, 0.0))
        closer = [
            one for one in again if quad_overlap(_outline(one.lattice), outline) > _SAME_PLACE
        ]
        other = _snap(self._photo, closer[0]) if closer else None
        both = [one for one in (found, other) if one is not None]
        return max(both, key=lambda one: one.line_score, default=None)


def _list_views(frame: Points, px: int, look: Look) -> list[Matrix]:
    """Return the similarities of a look, from pixels of the photo to the network's picture."""
    if look is not Look.PARTS:
        return [_view(frame, px, 1.0, _TURNED if look is Look.TURNED else 0.0)]
    size = 2 * frame[2] / (_PARTS + 1)
    starts = [
        np.array([column, row]) * size / 2 for row in range(_PARTS) for column in range(_PARTS)
    ]
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
    return [_view(np.asarray(start + corners * size, np.float32), px, 1.0, 0.0) for start in starts]


class _Photo:
    """A photo that is seen through views, halved as often as these need it."""

    def __init__(self, grey: Image8) -> None:
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
                self._halvings.append(_halve(self._halvings[-1]))
            matrix, scale = matrix @ _HALVED, scale * 2
        picture = cv2.warpAffine(
            self._halvings[level], matrix[:2], (px, px), flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_CONSTANT, borderValue=(self._tone,),
        )  # fmt: skip
        return np.asarray(picture, np.uint8)


def _halve(grey: Image8) -> Image8:
    even = grey[: grey.shape[0] // 2 * 2, : grey.shape[1] // 2 * 2]
    size = (even.shape[1] // 2, even.shape[0] // 2)
    return np.asarray(cv2.resize(even, size, interpolation=cv2.INTER_AREA), np.uint8)


def _snap(photo: _Photo, board: RoughBoard) -> FoundBoard | None:
    side = len(board.lattice) - 1
    px = round(side * _CELL_PX * (1 + 2 * _AROUND))
    cut = _view(_outline(board.lattice), px, 1 / (1 + 2 * _AROUND), 0.0)
    pyramid = build_pyramid(photo.warp(cut, px))
    snapped = snap_lattice(pyramid, _transform(board.lattice, cut))
    if snapped is None:
        return None
    lattice = _transform(snapped.lattice, np.linalg.inv(cut))
    return FoundBoard(lattice, board.score, snapped.score, board.side_score, snapped.is_inverted)


def _view(corners: Points, px: int, share: float, turn: float) -> Matrix:
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


def _transform(lattice: Points, matrix: Floats) -> Points:
    flat = np.ascontiguousarray(lattice.reshape(1, -1, 2), np.float64)
    return np.asarray(cv2.perspectiveTransform(flat, matrix).reshape(lattice.shape), np.float32)


def _outline(lattice: Points) -> Points:
    return np.stack([lattice[0, 0], lattice[0, -1], lattice[-1, -1], lattice[-1, 0]])


def _is_among(lattice: Points, known: Sequence[Points]) -> bool:
    return any(quad_overlap(_outline(lattice), _outline(one)) > _SAME_PLACE for one in known)
