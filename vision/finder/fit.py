"""From the detector's maps to lattices: one for each board that a picture seems to show."""

from dataclasses import dataclass
from typing import Final, Protocol

import cv2
import numpy as np
import numpy.typing as npt

from vision.board import lattice_from_corners
from vision.geometry import Float32, Floats, Matrix, Points, quads_around

_LEAST_BOARD: Final = 0.5
"""Probability from which a place counts as board."""

_SURE_BOARD: Final = 0.9
"""Probability from which a place belongs to a board's outline: what stands close by has less."""

_OUTLINE_GAP: Final = 5
"""Places of narrow bridges that an outline leaves out."""

_LEAST_PLACES: Final = 24
"""Places of the map that a board covers at least."""

_MOST_BOARDS: Final = 8
"""In one connected piece: those of a samurai, or boards that stand close."""

_TOLERANCE: Final = 0.05
"""Side of a board by which a place may lie elsewhere and still bear a homography out."""

_LEAST_SHARE: Final = 0.5
"""Of the places inside a board's outline that must bear it out."""

_SAMPLED: Final = 400
"""Places of a piece, about, that homographies are fitted through: more say nothing new."""

_LEAST_DETERMINANT: Final = 1e-6
"""Of a homography that can be turned back; that of a board of a few places has more than 1."""

_BEND_TERMS: Final = 9
"""Of the polynomial that follows bent paper, up to squares each way."""


class Maps(Protocol):
    """What a detector says of h × w places of a picture; see `models.board_detector.BoardMaps`."""

    @property
    def board(self) -> Float32:
        """(h, w) float32, probability that a place lies on a board."""

    @property
    def places(self) -> Float32:
        """(h, w, 2) float32, where on the board it lies: u to the right and v down, 0 to 1."""

    @property
    def sides(self) -> Float32:
        """(h, w, k) float32, probabilities of the sides."""


@dataclass(frozen=True, eq=False)
class RoughBoard:
    """A board as the maps show it.

    Attributes:
        lattice: (n + 1, n + 1, 2) float32, crossings (x, y) in places of the maps.
        flat: the same by the homography alone, as flat paper would lie.
        outlined: the same by the outline of the largest piece that is surely board.
        score: 0..1, how far the places inside its outline agree that it is there.
    """

    lattice: Points
    flat: Points
    outlined: Points
    score: float


def fit_boards(maps: Maps, sides: tuple[int, ...]) -> list[RoughBoard]:
    """Return the boards that maps show, the surest first.

    Of each connected piece of board, homographies from (u, v) to places are found one after the
    other by random samples (Fischler & Bolles 1981), because boards may touch or overlap; what
    bears one out is taken away.

    Args:
        maps: of the picture.
        sides: n of each channel of `maps.sides`; or one n, of all boards.
    """
    count, pieces = cv2.connectedComponents(
        (maps.board > _LEAST_BOARD).astype(np.uint8), connectivity=4
    )
    found = []
    for piece in range(1, count):
        left = pieces == piece
        for _ in range(_MOST_BOARDS):
            if left.sum() < _LEAST_PLACES:
                break
            fitted = _fit_piece(maps, left, sides)
            if fitted is None:
                break
            board, inside = fitted
            left &= ~inside
            if board is not None:
                found.append(board)
    return sorted(found, key=lambda board: -board.score)


def _fit_piece(
    maps: Maps, left: npt.NDArray[np.bool_], sides: tuple[int, ...]
) -> tuple[RoughBoard | None, npt.NDArray[np.bool_]] | None:
    """Return the board that most places of a piece bear out, and the places that it takes."""
    y, x = np.nonzero(left)
    points = np.column_stack([x, y]).astype(np.float32)
    uv = maps.places[y, x]
    extent = float(np.ptp(points, axis=0).max()) + 1
    step = max(len(points) // _SAMPLED, 1)
    fitted, _ = cv2.findHomography(
        uv[::step],
        points[::step],
        cv2.USAC_MAGSAC,
        max(_TOLERANCE * extent / 2, 1.0),
        maxIters=2000,
    )
    if fitted is None or not abs(np.linalg.det(fitted)) > _LEAST_DETERMINANT:
        return None
    homography: Matrix = np.asarray(fitted, np.float64)
    back = _project(np.linalg.inv(homography), points)
    is_inlier = np.abs(back - uv).max(axis=1) < 2 * _TOLERANCE
    if is_inlier.sum() < _LEAST_PLACES:
        return None
    taken = np.zeros_like(left)
    taken[y[is_inlier], x[is_inlier]] = True
    weights = maps.board[y, x] * is_inlier
    shares = (maps.sides[y, x] * weights[:, None]).sum(axis=0) / weights.sum()
    side = sides[int(shares.argmax())] if len(sides) > 1 else sides[0]
    steps = np.arange(side + 1, dtype=np.float64) / side
    grid = np.stack(np.meshgrid(steps, steps), axis=2).reshape(-1, 2)
    bend = _fit_bend(homography, uv[is_inlier], points[is_inlier])
    flat = _project(homography, grid)
    lattice = flat + _bend_terms(grid) @ bend
    score = _measure_agreement(maps, homography, left.shape)
    if score < _LEAST_SHARE:
        return None, taken
    shape = (side + 1, side + 1, 2)
    shaped = [one.reshape(shape).astype(np.float32) for one in (lattice, flat)]
    outline = _find_outline(maps.board * left)
    outlined = shaped[1] if outline is None else lattice_from_corners(outline, side)
    return RoughBoard(shaped[0], shaped[1], outlined, score), taken


def _find_outline(board: Float32) -> Points | None:
    """Return the four corners, (4, 2) float32, of the largest piece that is surely board."""
    bridge = np.ones((_OUTLINE_GAP, _OUTLINE_GAP), np.uint8)
    sure = cv2.morphologyEx((board > _SURE_BOARD).astype(np.uint8), cv2.MORPH_OPEN, bridge)
    pieces, _ = cv2.findContours(sure, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not pieces:
        return None
    return next(quads_around(max(pieces, key=cv2.contourArea)[:, 0].astype(np.float32)))


def _fit_bend(homography: Floats, uv: Float32, points: Points) -> Matrix:
    """Return the coefficients, (`_BEND_TERMS`, 2), of what is left to a homography, robustly."""
    terms = _bend_terms(uv.astype(np.float64))
    missing = points - _project(homography, uv.astype(np.float64))
    weights: Floats = np.ones(len(uv))
    solved: Floats = np.zeros((_BEND_TERMS, 2))
    for _ in range(3):
        scaled = terms * weights[:, None]
        normal = scaled.T @ terms + 0.02 * len(uv) * np.eye(_BEND_TERMS)
        solved = np.linalg.solve(normal, scaled.T @ missing)
        away = np.linalg.norm(missing - terms @ solved, axis=1)
        usual = max(float(np.median(away)), 1e-3)
        weights = usual / np.maximum(away, usual)
    return np.asarray(solved, np.float64)


def _bend_terms(uv: Floats) -> Matrix:
    """Return products of Legendre polynomials of u and v, (k, `_BEND_TERMS`)."""
    u, v = (2 * uv[:, axis] - 1 for axis in (0, 1))
    along = [np.ones_like(u), u, 1.5 * u * u - 0.5]
    across = [np.ones_like(v), v, 1.5 * v * v - 0.5]
    return np.stack([a * b for a in along for b in across], axis=1)


def _measure_agreement(maps: Maps, homography: Floats, shape: tuple[int, ...]) -> float:
    """Return the share of places inside a board's outline that are board and lie where it says."""
    y, x = np.indices(shape)
    points = np.column_stack([x.ravel(), y.ravel()]).astype(np.float32)
    uv = _project(np.linalg.inv(homography), points)
    is_inside = ((uv > 0) & (uv < 1)).all(axis=1)
    if not is_inside.any():
        return 0.0
    away = np.abs(maps.places.reshape(-1, 2)[is_inside] - uv[is_inside]).max(axis=1)
    agrees = maps.board.ravel()[is_inside] * (away < 2 * _TOLERANCE)
    return float(agrees.mean())


def _project(homography: Floats, points: Floats) -> Matrix:
    flat = np.ascontiguousarray(points, np.float64).reshape(1, -1, 2)
    return np.asarray(cv2.perspectiveTransform(flat, homography)[0], np.float64)
