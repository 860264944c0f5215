"""From the detector's maps to lattices: one for each board that a picture seems to show."""

from dataclasses import dataclass
from typing import Final, Protocol

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import fit_field

Float32 = npt.NDArray[np.float32]
Floats = npt.NDArray[np.floating]
Matrix = npt.NDArray[np.float64]
Points = npt.NDArray[np.float32]

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
        score: 0..1, how far the places inside its outline agree that it is there.
    """

    lattice: Points
    flat: Points
    score: float


def fit_boards(
    maps: Maps, sides: tuple[int, ...], only: int | None = None, least: float = 0.5
) -> list[RoughBoard]:
    """Return the boards that maps show, the surest first.

    Of each connected piece of board, homographies from (u, v) to places are found one after the
    other by random samples (Fischler & Bolles 1981), because boards may touch or overlap; what
    bears one out is taken away.

    Args:
        maps: of the picture.
        sides: n of each channel of `maps.sides`.
        only: the side of all boards that are looked for; the likeliest of each when None.
        least: probability from which a place counts as board.
    """
    count, pieces = cv2.connectedComponents((maps.board > least).astype(np.uint8), connectivity=4)
    found = []
    for piece in range(1, count):
        left = pieces == piece
        for _ in range(_MOST_BOARDS):
            if left.sum() < _LEAST_PLACES:
                break
            fitted = _fit_piece(maps, left, sides, only)
            if fitted is None:
                break
            board, inside = fitted
            left &= ~inside
            if board is not None:
                found.append(board)
    return sorted(found, key=lambda board: -board.score)


def _fit_piece(
    maps: Maps, left: npt.NDArray[np.bool_], sides: tuple[int, ...], only: int | None
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
    if fitted is None or not np.isfinite(fitted).all():
        return None
    homography: Matrix = np.asarray(fitted, np.float64)
    back = _project(np.linalg.inv(homography), points)
    is_inlier = np.abs(back - uv).max(axis=1) < 2 * _TOLERANCE
    if is_inlier.sum() < _LEAST_PLACES:
        return None
    taken = np.zeros_like(left)
    is_near = (np.abs(back - 0.5) < 0.5 + _TOLERANCE).all(axis=1) & is_inlier
    taken[y[is_near | is_inlier], x[is_near | is_inlier]] = True
    weights = maps.board[y, x] * is_inlier
    shares = (maps.sides[y, x] * weights[:, None]).sum(axis=0) / weights.sum()
    channel = int(shares.argmax()) if only is None else sides.index(only)
    side = sides[channel]
    steps = np.arange(side + 1, dtype=np.float64) / side
    grid = np.stack(np.meshgrid(steps, steps), axis=2).reshape(-1, 2)
    flat = _project(homography, grid)
    lattice = flat + _fit_bend(homography, uv[is_inlier], points[is_inlier], grid)
    score = _measure_agreement(maps, homography, left.shape)
    if score < _LEAST_SHARE:
        return None, taken
    shape = (side + 1, side + 1, 2)
    shaped = [one.reshape(shape).astype(np.float32) for one in (lattice, flat)]
    return RoughBoard(shaped[0], shaped[1], score), taken


def _fit_bend(homography: Matrix, uv: Float32, points: Points, at: Matrix) -> Matrix:
    """Return how far bent paper's places lie from where flat paper's would be, (k, 2).

    Args:
        homography: of flat paper.
        uv: (n, 2), where on the board the places lie that bear it out.
        points: (n, 2), these places.
        at: (k, 2), where on the board the bend is asked for.
    """
    missing = points - _project(homography, uv)
    known, asked = 9 * uv.astype(np.float64), 9 * at
    weight = np.ones(len(uv))
    bends = [
        fit_field(known[:, 1], known[:, 0], missing[:, axis], weight, 2, 0.02 * len(uv), 1e-3)
        for axis in (0, 1)
    ]
    return np.stack([bend(asked[:, 1], asked[:, 0]) for bend in bends], axis=1)


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
