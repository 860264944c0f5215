"""Follows a board from frame to frame, always registered to one key frame so that nothing drifts.

Optical flow of corners says roughly where the board went; the picture of the board itself then
says exactly. A bent board keeps its bend: its lattice is the key frame's, moved by a homography.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.alignment import (
    Alignment,
    Even,
    Matrix,
    Target,
    align,
    choose_target,
    compare,
    even_out,
    smear_target,
)
from vision.board import Grey, corners_from_lattice
from vision.geometry import Points, is_sane_quad
from vision.likeness import BoardLook, Likeness, compare_look, take_look

_LEVELS: Final = 4
_FINE_CELL_PX: Final = 34
"""Most pixels a cell may have on the level of the pyramid where boards are registered."""

_SURE: Final = 0.6
"""Agreement from which no other guess is tried: a cell's step aside gives 0.5 at most."""

_LOST: Final = 0.45
"""Agreement below which the board is lost; boards in motion blur have 0.6 and more."""

_LEAST_VISIBLE: Final = 0.35
"""Share of the board in the frame below which it is lost."""

_LEAST_SIDE_PX: Final = 40.0
_PIXELS_A_CELL: Final = 48
_LEAST_PIXELS: Final = 400
_CORNERS: Final = 90
_LEAST_INLIERS: Final = 10
_TRIES: Final = 200
"""Tries of the robust fit; more take long where the board has gone, and help nowhere."""

_ROUNDS: Final = (6, 8)
"""Rounds of registration, coarse and fine."""

_SMEARED: Final = 0.85
"""Agreement below which it is tried whether motion has smeared the board."""

_EXPOSURES: Final = (0.3, 0.6, 0.95)
"""Shares of the time between frames for which the shutter may be open."""

_RENEW_SCALE: Final = 1.3
"""Growth or shrinking of the board after which the key frame shows it too unlike."""


@dataclass(frozen=True, eq=False)
class Frame:
    """A grey frame and its halvings, `levels[0]` being (H, W) uint8."""

    levels: tuple[Grey, ...]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        height, width = self.levels[0].shape
        return width, height


@dataclass(frozen=True, eq=False)
class Track:
    """Where a board is in a frame.

    Attributes:
        homography: (3, 3) float64, pixels of the key frame to pixels of this one.
        lattice: (10, 10, 2) float32 in pixels of this frame.
        agreement: -1..1, how well the frame shows the board there, lines and all.
        visible: 0..1, share of the board inside the frame.
        likeness: how well the digits agree with those of the key frame.
    """

    homography: Matrix
    lattice: Points
    agreement: float
    visible: float
    likeness: Likeness


@dataclass(frozen=True, eq=False)
class KeyFrame:
    """A board as it was seen once: what later frames are registered to.

    Attributes:
        lattice: (10, 10, 2) float32 in pixels of the frame.
        level: of the pyramid on which it is registered.
        targets: coarse and fine, in unit coordinates of the board.
        to_unit: (3, 3), pixels of the frame to unit coordinates.
        corners: (n, 1, 2) float32, places that are easily followed, in pixels of the frame.
        look: what stands in the cells, its places in pixels of the frame.
    """

    lattice: Points
    level: int
    targets: tuple[Target, Target]
    to_unit: Matrix
    corners: Points
    look: BoardLook


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


def take_key_frame(frame: Frame, lattice: Points) -> KeyFrame | None:
    """Keep how a board looks now, or return None where too little of it is in the frame.

    Args:
        frame: that shows the board.
        lattice: (10, 10, 2) float32 in its pixels.
    """
    width, height = frame.size
    inside = (lattice >= 0).all(axis=2) & (lattice <= (width - 1, height - 1)).all(axis=2)
    if inside.mean() < 0.9:
        return None
    cell_px = _cell_px(lattice)
    level = 0
    while level + 2 < len(frame.levels) and cell_px / 2**level > _FINE_CELL_PX:
        level += 1
    corners = corners_from_lattice(lattice).astype(np.float64)
    middle, reach = corners.mean(axis=0), float(np.abs(corners - corners.mean(axis=0)).max())
    to_unit = np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, reach]]) / reach
    coarse = _target(frame.levels[level + 1], level + 1, lattice, to_unit, cell_px)
    fine = _target(frame.levels[level], level, lattice, to_unit, cell_px)
    if coarse is None or fine is None:
        return None
    whole = _scaling(level)
    seeds = _corners_to_follow(frame.levels[level], _at_level(lattice, level), cell_px / 2**level)
    if len(seeds):
        seeds = cv2.perspectiveTransform(seeds, np.linalg.inv(whole)).astype(np.float32)
    even = even_out(frame.levels[level], round(cell_px / 2**level))
    look = take_look(even, _at_level(lattice, level))
    return KeyFrame(lattice, level, (coarse, fine), to_unit, seeds, look)


def follow(key: KeyFrame, before: Frame, guess: Matrix, frame: Frame) -> Track | None:
    """Find the board of a key frame in a frame, or return None where it is lost.

    Args:
        key: the board.
        before: an earlier frame, best the last one.
        guess: (3, 3), where the board was in it: pixels of the key frame to pixels of `before`.
        frame: where it is looked for.
    """
    best: Alignment | None = None
    flowed = _flow(key, before, guess, frame)
    for start in (flowed, guess):
        if start is None or not _is_plausible(key, start):
            continue
        found = _register(key, frame, start, guess)
        if found is not None and (best is None or found.agreement > best.agreement):
            best = found
        if best is not None and best.agreement >= _SURE:
            break
    if best is None or best.agreement < _LOST or best.visible < _LEAST_VISIBLE:
        return None
    homography = np.linalg.inv(_scaling(key.level)) @ best.homography @ key.to_unit
    homography /= homography[2, 2]
    if not _is_plausible(key, homography):
        return None
    lattice = move_points(key.lattice, homography)
    return Track(
        homography, lattice, best.agreement, best.visible, _compare(key, frame, homography)
    )


def measure_sharpness(frame: Frame) -> float:
    """Return how much detail a frame has, in grey levels; a tenth of it is left in a pan."""
    level = frame.levels[min(2, len(frame.levels) - 1)]
    detail = cv2.Laplacian(level, cv2.CV_16S)
    return float(cv2.norm(detail, cv2.NORM_L1)) / detail.size


def measure_change(before: Frame, frame: Frame) -> float:
    """Return how much a coarse pixel changes from one frame to the next, in grey levels."""
    earlier, later = before.levels[-1], frame.levels[-1]
    return float(cv2.norm(earlier, later, cv2.NORM_L1)) / later.size


def is_stale(key: KeyFrame, track: Track) -> bool:
    """Tell whether the board has come so much nearer or farther that a new key frame is due."""
    scale = _cell_px(track.lattice) / _cell_px(key.lattice)
    return not 1 / _RENEW_SCALE < scale < _RENEW_SCALE


def move_points(points: Points, homography: Matrix) -> Points:
    """Return points (…, 2) moved by a homography, float32."""
    moved = cv2.perspectiveTransform(points.reshape(-1, 1, 2).astype(np.float64), homography)
    return np.asarray(moved.reshape(points.shape), np.float32)


def _is_plausible(key: KeyFrame, homography: Matrix) -> bool:
    """Tell whether a board can be seen like that: not edge-on, nor smaller than can be read."""
    if not np.isfinite(homography).all():
        return False
    corners = move_points(corners_from_lattice(key.lattice), homography)
    return bool(np.isfinite(corners).all()) and is_sane_quad(corners, _LEAST_SIDE_PX)


def _target(
    grey: Grey, level: int, lattice: Points, to_unit: Matrix, cell_px: float
) -> Target | None:
    """Choose steep pixels of every cell and of the paper close around the board, if it has any."""
    cell = cell_px / 2**level
    even = even_out(grey, round(cell))
    here = _at_level(lattice, level)
    outline = corners_from_lattice(here)
    square = np.array([[0, 0], [9, 0], [9, 9], [0, 9]], np.float32)
    to_cells = cv2.getPerspectiveTransform(outline, square)
    low = np.maximum(np.floor(here.min(axis=(0, 1)) - 0.3 * cell).astype(int), 1)
    high = np.ceil(here.max(axis=(0, 1)) + 0.3 * cell).astype(int) + 1
    high = np.minimum(high, (even.shape[1] - 1, even.shape[0] - 1))
    columns, rows = np.meshgrid(np.arange(low[0], high[0]), np.arange(low[1], high[1]))
    places = np.stack([columns, rows], axis=-1).reshape(-1, 1, 2).astype(np.float32)
    in_cells = cv2.perspectiveTransform(places, to_cells)[:, 0]
    within = ((in_cells > -0.25) & (in_cells < 9.25)).all(axis=1)
    down = cv2.Sobel(even, cv2.CV_32F, 0, 1, ksize=3)
    right = cv2.Sobel(even, cv2.CV_32F, 1, 0, ksize=3)
    # Both flanks of a line must be taken alike, else blur would pull the board to one side: so
    # steepness is smoothed, and chance decides among the steep pixels of a cell.
    steepness = cv2.blur(cv2.magnitude(right, down), (5, 5))
    steep = np.asarray(steepness, np.float32)[rows, columns].ravel()
    if not within.any():
        return None
    index = np.flatnonzero(within & (steep > np.median(steep[within])))
    cells = np.clip(np.floor(in_cells[index]), 0, 8).astype(int) @ (1, 9)
    lot = np.random.default_rng(0).random(len(index), np.float32)
    order = index[np.lexsort((lot, cells))]
    ordered = np.sort(cells)
    rank = np.arange(len(ordered)) - np.searchsorted(ordered, ordered)
    chosen = np.zeros(even.shape, np.bool_)
    kept = order[rank < _PIXELS_A_CELL]
    if len(kept) < _LEAST_PIXELS:
        return None
    chosen[rows.ravel()[kept], columns.ravel()[kept]] = True
    return choose_target(even, chosen, to_unit @ np.linalg.inv(_scaling(level)))


def _corners_to_follow(grey: Grey, lattice: Points, cell_px: float) -> Points:
    mask = np.zeros(grey.shape, np.uint8)
    outline = cv2.convexHull(np.round(lattice.reshape(-1, 2)).astype(np.int32))
    cv2.fillConvexPoly(mask, outline, 255)
    mask = np.asarray(cv2.dilate(mask, np.ones((5, 5), np.uint8)), np.uint8)
    found = cv2.goodFeaturesToTrack(grey, _CORNERS, 0.02, max(0.5 * cell_px, 4), mask=mask)
    # The stub promises an array, but there is none where nothing is found.
    return np.zeros((0, 1, 2), np.float32) if found is None else np.asarray(found, np.float32)


def _flow(key: KeyFrame, before: Frame, guess: Matrix, frame: Frame) -> Matrix | None:
    """Return the homography that optical flow suggests, or None where the flow tells nothing.

    Pyramidal Lucas-Kanade (Bouguet 2000) between two frames, and a robust fit (RANSAC, Fischler &
    Bolles 1981) from the key frame straight to the new one.
    """
    if len(key.corners) < _LEAST_INLIERS:
        return None
    level = key.level
    earlier, later = before.levels[level], frame.levels[level]
    at = _scaling(level) @ guess
    starts = cv2.perspectiveTransform(key.corners, at).astype(np.float32)
    height, width = earlier.shape
    inside = ((starts[:, 0] >= 0) & (starts[:, 0] <= (width - 1, height - 1))).all(axis=1)
    if inside.sum() < _LEAST_INLIERS:
        return None
    starts = starts[inside]
    box = _box_around(starts[:, 0], max(width, height) // 8, (width, height))
    left, top, right, bottom = box
    corner = np.array([left, top], np.float32)
    ends, status, _ = cv2.calcOpticalFlowPyrLK(
        earlier[top:bottom, left:right],
        later[top:bottom, left:right],
        starts - corner,
        starts - corner,
        winSize=(15, 15),
        maxLevel=3,
        criteria=(cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 12, 0.03),
    )
    is_found = status[:, 0] > 0
    if is_found.sum() < _LEAST_INLIERS:
        return None
    ends = ends[is_found] + corner
    homography, inliers = cv2.findHomography(
        key.corners[inside][is_found], ends, cv2.RANSAC, 2.5, maxIters=_TRIES, confidence=0.99
    )
    if homography is None or inliers.sum() < max(_LEAST_INLIERS, 0.3 * len(inliers)):
        return None
    return np.asarray(np.linalg.inv(_scaling(level)) @ homography, np.float64)


def _register(key: KeyFrame, frame: Frame, start: Matrix, before: Matrix) -> Alignment | None:
    """Return where the board is exactly, in pixels of the key frame's level."""
    from_unit = np.linalg.inv(key.to_unit)
    found: Alignment | None = None
    homography = start @ from_unit
    for target, level, rounds in zip(key.targets, (key.level + 1, key.level), _ROUNDS, strict=True):
        grey = frame.levels[level]
        lattice = move_points(key.lattice, start)
        width, height = grey.shape[1], grey.shape[0]
        cell = _cell_px(key.lattice) / 2**level
        around = _at_level(lattice, level).reshape(-1, 2)
        left, top, right, bottom = _box_around(around, round(2 * cell), (width, height))
        if right - left < 16 or bottom - top < 16:
            return None
        even = even_out(grey[top:bottom, left:right], round(cell))
        into = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1.0]]) @ _scaling(level)
        found = align(target, even, into @ homography, rounds)
        if found is None:
            return None
        homography = np.linalg.inv(into) @ found.homography
    assert found is not None
    if found.agreement < _SMEARED:
        found = _register_smeared(key.targets[1], even, found, into @ before @ from_unit)
        homography = np.linalg.inv(into) @ found.homography
    return Alignment(_scaling(key.level) @ homography, found.agreement, found.visible)


def _register_smeared(target: Target, even: Even, found: Alignment, before: Matrix) -> Alignment:
    """Register once more, to the board as its motion smears it, if that agrees better."""
    here, there = (
        cv2.perspectiveTransform(np.zeros((1, 1, 2)), homography)[0, 0]
        for homography in (found.homography, before)
    )
    ends = np.stack([here, here + here - there])[:, None]
    motion = np.diff(cv2.perspectiveTransform(ends, np.linalg.inv(found.homography))[:, 0], axis=0)
    if float(np.abs(motion).max()) * target.reach_px < 1:
        return found
    smeared = [smear_target(target, motion[0] * share) for share in _EXPOSURES]
    agreements = [compare(one, even, found.homography) for one in smeared]
    best = int(np.argmax(agreements))
    if agreements[best] <= found.agreement:
        return found
    again = align(smeared[best], even, found.homography, _ROUNDS[1])
    return again if again is not None and again.agreement > found.agreement else found


def _compare(key: KeyFrame, frame: Frame, homography: Matrix) -> Likeness:
    level = key.level
    grey = frame.levels[level]
    lattice = _at_level(move_points(key.lattice, homography), level)
    cell = _cell_px(key.lattice) / 2**level
    box = _box_around(lattice.reshape(-1, 2), round(cell), (grey.shape[1], grey.shape[0]))
    left, top, right, bottom = box
    even = even_out(grey[top:bottom, left:right], round(cell))
    into = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1.0]]) @ _scaling(level)
    return compare_look(key.look, even, into @ homography @ np.linalg.inv(_scaling(level)))


def _scaling(level: int) -> Matrix:
    """Return the matrix from pixels of a frame to those of a level of its pyramid."""
    scale = 0.5**level
    shift = 0.5 * scale - 0.5
    return np.array([[scale, 0, shift], [0, scale, shift], [0, 0, 1.0]])


def _at_level(lattice: Points, level: int) -> Points:
    return np.asarray((lattice + 0.5) * 0.5**level - 0.5, np.float32)


def _box_around(points: Points, margin: int, size: tuple[int, int]) -> tuple[int, int, int, int]:
    low = np.floor(points.min(axis=0)).astype(int) - margin
    high = np.ceil(points.max(axis=0)).astype(int) + margin + 1
    left, top = np.clip(low, 0, size)
    right, bottom = np.clip(high, 0, size)
    return int(left), int(top), int(right), int(bottom)


def _cell_px(lattice: Points) -> float:
    """Return the side of a cell, from the area that the outer corners span."""
    return float(np.sqrt(max(cv2.contourArea(corners_from_lattice(lattice)), 1.0))) / 9
