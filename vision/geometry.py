"""Quadrilaterals and meshes: order, overlap, sanity and interpolation of board outlines."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeVar, cast

import cv2
import numpy as np
import numpy.typing as npt

Image8 = npt.NDArray[np.uint8]
"""A picture, (H, W) grey or (H, W, 3) BGR."""

Grey = npt.NDArray[np.uint8]
"""A grey picture, (H, W)."""

Points = npt.NDArray[np.float32]
"""Points (x, y) in pixels; the last axis has length 2."""

Float32 = npt.NDArray[np.float32]
Matrix = npt.NDArray[np.float64]

Floats = npt.NDArray[np.floating[Any]]
"""Numbers of either precision."""

_Picture = TypeVar("_Picture", npt.NDArray[np.uint8], npt.NDArray[np.float32])

_NEXT: Final = [1, 2, 3, 0]
"""The corner after each."""

_MAX_SIDE_RATIO: Final = 4.0
"""A board tilted by 60 degrees shows sides of ratio 2; a nearer edge adds to that."""


def halve(picture: _Picture) -> _Picture:
    """Return a picture of half the size, each pixel the mean of four; an odd last line is left out.

    Args:
        picture: (H, W) or (H, W, c), 2 × 2 pixels at least.
    """
    height, width = picture.shape[:2]
    even, size = picture[: height // 2 * 2, : width // 2 * 2], (width // 2, height // 2)
    return cast(_Picture, cv2.resize(even, size, interpolation=cv2.INTER_AREA))


def order_corners(corners: Points) -> Points:
    """Return the corners clockwise (y pointing down), beginning nearest to the picture's origin.

    Args:
        corners: (4, 2), any order, convex.
    """
    centre = corners.mean(axis=0)
    angles = np.arctan2(corners[:, 1] - centre[1], corners[:, 0] - centre[0])
    clockwise = corners[np.argsort(angles)]
    first = int(np.argmin(clockwise.sum(axis=1)))
    return np.roll(clockwise, -first, axis=0).astype(np.float32)


def quads_around(points: Points) -> Iterator[Points]:
    """Yield quadrilaterals around points, (4, 2) float32: by their hull's corners, and a rectangle.

    Args:
        points: (k, 2) float32.
    """
    hull = cv2.convexHull(points)[:, 0]
    length = cv2.arcLength(hull, True)
    for epsilon in (0.01, 0.02, 0.03, 0.05, 0.08):
        polygon = cv2.approxPolyDP(hull, epsilon * length, True)[:, 0]
        if len(polygon) == 4:
            yield order_corners(polygon.astype(np.float32))
            break
    yield order_corners(cv2.boxPoints(cv2.minAreaRect(hull)).astype(np.float32))


def quad_area(corners: Points) -> float:
    """Return the signed area in square pixels; positive when clockwise with y pointing down."""
    x, y = corners[:, 0].astype(np.float64), corners[:, 1].astype(np.float64)
    return float(0.5 * np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y))


def quad_overlap(first: Points, second: Points) -> float:
    """Return the intersection over union of two convex quadrilaterals, 0..1."""
    inside, _ = cv2.intersectConvexConvex(
        order_corners(first).astype(np.float32), order_corners(second).astype(np.float32)
    )
    union = abs(quad_area(order_corners(first))) + abs(quad_area(order_corners(second))) - inside
    return float(inside / union) if union > 0 else 0.0


def is_sane_quad(corners: Points, min_side_px: float) -> bool:
    """Tell whether four clockwise corners can be a square seen in perspective."""
    edges = corners[_NEXT] - corners
    sides = np.hypot(edges[:, 0], edges[:, 1])
    if sides.min() < min_side_px or sides.max() > _MAX_SIDE_RATIO * sides.min():
        return False
    after = edges[_NEXT]
    turns = edges[:, 0] * after[:, 1] - edges[:, 1] * after[:, 0]
    return bool((turns > 0.3 * sides * sides[_NEXT]).all())


def is_sane_lattice(lattice: Points) -> bool:
    """Tell whether every cell of a (n + 1, n + 1, 2) lattice is a proper quadrilateral."""
    right = np.diff(lattice, axis=1)
    down = np.diff(lattice, axis=0)
    cross = right[:-1, :, 0] * down[:, :-1, 1] - right[:-1, :, 1] * down[:, :-1, 0]
    mean = float(np.abs(cross).mean())
    return bool(mean > 4 and cross.min() > 0.15 * mean)


def mesh_weights(position: Floats, side: int = 9) -> Float32:
    """Return the weights of a board's lines at each position, bilinear between neighbours.

    Args:
        position: (k,) in cells; 0..n is the board, beyond it the outermost cells are continued
            straight.
        side: n.

    Returns:
        (k, n + 1) float32, rows sum to 1.
    """
    index = np.clip(np.floor(position), 0, side - 1).astype(int)
    share = position - index
    weights = np.zeros((len(position), side + 1), np.float32)
    weights[np.arange(len(position)), index] = 1 - share
    weights[np.arange(len(position)), index + 1] = share
    return weights


def sample_mesh(lattice: Points, rows: Floats, columns: Floats) -> Points:
    """Return the crossings of other rows and columns, (r, c, 2) float32.

    Args:
        lattice: (n + 1, n + 1, 2) float32.
        rows: (r,), positions in cells as `mesh_weights` takes them.
        columns: (c,) of the same.
    """
    down, right = (mesh_weights(at, len(lattice) - 1) for at in (rows, columns))
    return np.asarray(np.einsum("ri,cj,ijk->rck", down, right, lattice), np.float32)


def weigh_mesh(lattice: Points, weights: Float32) -> tuple[Float32, Float32]:
    """Interpolate a lattice at a square raster of positions, for `cv2.remap`.

    Args:
        lattice: (n + 1, n + 1, 2) float32.
        weights: (k, n + 1) float32 from `mesh_weights`, the same for rows and columns.

    Returns:
        The x and the y of every position, each (k, k) float32.
    """
    # OpenCV's product, not NumPy's: a threaded BLAS takes 50 times as long for sizes like these
    # when the cores are busy.
    planes = np.ascontiguousarray(lattice.transpose(2, 0, 1), dtype=np.float32)
    x, y = (
        np.asarray(
            cv2.gemm(
                cv2.gemm(weights, plane, 1, plane, 0), weights, 1, plane, 0, flags=cv2.GEMM_2_T
            ),
            np.float32,
        )
        for plane in planes
    )
    return x, y


def fit_surface(
    terms: Floats, value: Floats, weight: Floats, stiffness: float, least_scale: float
) -> Matrix:
    """Return the coefficients of a smooth surface through scattered values, ignoring outliers.

    Iteratively reweighted least squares with Tukey's biweight (Beaton & Tukey 1974).

    Args:
        terms: (..., k) float from `surface_terms`.
        value: (...) float.
        weight: (...) float, trust in each value.
        stiffness: ridge penalty on the coefficients.
        least_scale: residuals below this are never outliers, in units of `value`.

    Returns:
        (k,) float64.
    """
    design = np.ascontiguousarray(terms.reshape(-1, terms.shape[-1]), np.float64)
    target, base = value.ravel().astype(np.float64), weight.ravel().astype(np.float64)
    penalty = np.eye(design.shape[1]) * stiffness
    coefficients = np.zeros(design.shape[1])
    trust = base
    for _ in range(4):
        # OpenCV's products of matrices and its solver for the same reason as above.
        weighted = design * trust[:, None]
        normal = cv2.gemm(weighted, design, 1, penalty, 1, flags=cv2.GEMM_1_T)
        wanted = cv2.gemm(weighted, target[:, None], 1, penalty, 0, flags=cv2.GEMM_1_T)
        _, solved = cv2.solve(normal, wanted, flags=cv2.DECOMP_CHOLESKY)
        coefficients = np.asarray(solved[:, 0], np.float64)
        residual = np.abs(design @ coefficients - target)
        scale = max(2.5 * take_median(residual), least_scale)
        trust = base * np.maximum(1 - (residual / scale) ** 2, 0) ** 2 + 1e-6
    return coefficients


def surface_terms(row: Floats, column: Floats, order: int, side: int = 9) -> Floats:
    """Return the products of powers of row and column, up to the order each.

    Args:
        row: (...) float, position in cells, 0..n.
        column: the same.
        order: k = (order + 1)².
        side: n.

    Returns:
        (..., k) of the same dtype.
    """
    x, y = row / (side / 2) - 1, column / (side / 2) - 1
    across, down = [np.ones_like(y)], [np.ones_like(x)]
    for _ in range(order):
        across.append(across[-1] * y)
        down.append(down[-1] * x)
    terms: Floats = np.stack([one * other for one in down for other in across], axis=-1)
    return terms


def take_median(values: Floats) -> float:
    """Return the median of some numbers of any shape, at least one.

    NumPy's takes ten times as long for so few.
    """
    ordered = np.sort(values, axis=None)
    middle = ordered.size // 2
    if ordered.size % 2:
        return float(ordered[middle])
    return float(ordered[middle - 1] + ordered[middle]) / 2


class Stiffness(NamedTuple):
    """Weights of a mesh's squared second differences against a squared miss.

    Attributes:
        along: of those along a line.
        across: of those from line to line.
        twist: of the mixed ones.
    """

    along: float
    across: float
    twist: float


def fit_mesh(value: Floats, weight: Floats, stiffness: Stiffness, least_scale: float) -> Matrix:
    """Fit a value to each crossing, smooth along the lines, ignoring outliers.

    What the measured pieces miss is weighed against the curvature along rows and columns
    (Whittaker 1923, in two dimensions), so that the mesh follows a fold that no polynomial does;
    outliers are found as in `fit_surface`.

    Args:
        value: (n + 1, n), measured halfway between crossings [i, j] and [i, j + 1].
        weight: (n + 1, n), trust in each.
        stiffness: of the mesh.
        least_scale: misses below this are never outliers, in units of `value`.

    Returns:
        (n + 1, n + 1) float64.
    """
    lines = len(value)
    left = np.arange(lines * lines).reshape(lines, lines)[:, :-1].ravel()
    target, base = value.ravel().astype(np.float64), weight.ravel().astype(np.float64)
    mesh = np.zeros(lines * lines)
    trust = base
    for _ in range(4):
        share = trust**2 / 4
        normal = _curvature(lines, stiffness).copy()
        for one, other in ((left, left), (left, left + 1), (left + 1, left), (left + 1, left + 1)):
            normal[one, other] += share
        wanted = np.zeros((lines * lines, 1))
        for one in (left, left + 1):
            wanted[one, 0] += 2 * share * target
        # OpenCV's solver for the same reason as its product above.
        _, solved = cv2.solve(normal, wanted, flags=cv2.DECOMP_CHOLESKY)
        mesh = np.array(solved[:, 0], np.float64)
        miss = np.abs((mesh[left] + mesh[left + 1]) / 2 - target)
        scale = max(2.5 * take_median(miss), least_scale)
        trust = base * np.maximum(1 - (miss / scale) ** 2, 0) ** 2 + 1e-6
    return mesh.reshape(lines, lines)


@lru_cache(maxsize=32)
def _curvature(lines: int, stiffness: Stiffness) -> Matrix:
    """Return the matrix, (k², k²), of the weighted second differences, squared, of k × k."""
    one = np.eye(lines)
    bend, twist = one[:-2] - 2 * one[1:-1] + one[2:], one[1:] - one[:-1]
    bend, twist = bend.T @ bend, twist.T @ twist
    bends = stiffness.along * np.kron(one, bend) + stiffness.across * np.kron(bend, one)
    return np.asarray(bends + 2 * stiffness.twist * np.kron(twist, twist))
