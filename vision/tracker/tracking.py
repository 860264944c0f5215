"""Follows a board from frame to frame, always registered to one key frame so that nothing drifts.

Optical flow of corners says roughly where the board went; the picture of the board itself then
says exactly. A bent board keeps its bend: its lattice is the key frame's, moved by a homography.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.board import corners_from_lattice
from vision.geometry import Matrix, Points, is_sane_quad
from vision.tracker.alignment import (
    Alignment,
    Even,
    Target,
    align,
    compare,
    motion_blur_target,
    normalize_contrast,
)
from vision.tracker.key_frame import (
    AppearanceMatch,
    Frame,
    KeyFrame,
    at_level,
    draw_appearance,
    level_matrix,
    match_appearance,
    mean_cell_px,
)

_SURE: Final = 0.6
"""Agreement from which no other guess is tried: a cell's step aside gives 0.5 at most."""

_LOST: Final = 0.45
"""Agreement below which the board is lost; boards in motion blur have 0.6 and more."""

_LEAST_SEEN: Final = 0.4
"""Agreement times the board's share in the frame below which it is lost: what is smeared, and seen
by half, comes out astray."""

_SOUGHT_CELL_PX: Final = 5.0
"""Least side of a cell in the coarse frame in which a board that was away is looked for."""

_SOUGHT: Final = 0.3
"""Correlation there from which it is worth a registration."""

_TURNS: Final = (-3.0, 3.0)
"""Degrees by which it is turned for that; each pose catches what is off by half of the step."""

_SCALES: Final = (0.95, 1.05)
"""The same for its size."""

_LEAST_SIDE_PX: Final = 40.0
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
class Track:
    """Where a board is in a frame.

    Attributes:
        homography: (3, 3) float64, pixels of the key frame to pixels of this one.
        lattice: (n + 1, n + 1, 2) float32 in pixels of this frame.
        agreement: -1..1, how well the frame shows the board there, lines and all.
        visible: 0..1, share of the board inside the frame.
        match: how well the digits agree with those of the key frame.
    """

    homography: Matrix
    lattice: Points
    agreement: float
    visible: float
    match: AppearanceMatch


def follow(key: KeyFrame, before: Frame, guess: Matrix, frame: Frame) -> Track | None:
    """Find the board of a key frame in a frame, or return None where it is lost.

    Args:
        key: the board.
        before: an earlier frame, best the last one.
        guess: (3, 3), where the board was in it: pixels of the key frame to pixels of `before`.
        frame: where it is looked for.
    """
    best: _Place | None = None
    flowed = _flow(key, before, guess, frame)
    for start in (flowed, guess):
        if start is None or not _is_plausible(key, start):
            continue
        found = _register(key, frame, start, guess)
        if found is not None and (best is None or found.agreement > best.agreement):
            best = found
        if best is not None and best.agreement >= _SURE:
            break
    if best is None or best.agreement < _LOST or best.agreement * best.visible < _LEAST_SEEN:
        return None
    return _track(key, best)


def find_again(key: KeyFrame, guess: Matrix, frame: Frame) -> Track | None:
    """Find a board that was away, anywhere in a frame, or return None where it is not seen.

    How the board looked at last, or a little turned or resized, is slid over the coarse frame
    (Lewis 1995, "Fast Normalized Cross-Correlation").

    Args:
        key: the board.
        guess: (3, 3), where it was seen last: pixels of the key frame to pixels of a frame.
        frame: where it is looked for.
    """
    cell_px = mean_cell_px(move_points(key.lattice, guess))
    level = 0
    while level + 1 < len(frame.levels) and cell_px / 2 ** (level + 1) >= _SOUGHT_CELL_PX:
        level += 1
    even = normalize_contrast(frame.levels[level], round(cell_px / 2**level))
    poses = [pose @ guess for pose in _poses_around(move_points(key.lattice, guess))]
    score, start = max((_slide(key, pose, level, even) for pose in poses), key=lambda one: one[0])
    if score < _SOUGHT:
        return None
    place = _register(key, frame, start, start) if _is_plausible(key, start) else None
    if place is None or place.agreement < _SURE or place.agreement * place.visible < _LEAST_SEEN:
        return None
    return _track(key, place)


def _poses_around(lattice: Points) -> list[Matrix]:
    """Return matrices (3, 3) that leave a board as it is, or turn or resize it a little."""
    x, y = lattice.mean(axis=(0, 1)).tolist()
    turns = [(0.0, 1.0), *((turn, 1.0) for turn in _TURNS), *((0.0, scale) for scale in _SCALES)]
    rows = [cv2.getRotationMatrix2D((x, y), turn, scale) for turn, scale in turns]
    return [np.vstack([two, (0.0, 0.0, 1.0)]) for two in rows]


def _slide(key: KeyFrame, pose: Matrix, level: int, even: Even) -> tuple[float, Matrix]:
    """Return how well a board in a pose fits where it fits best, and that pose moved to there.

    Args:
        key: the board.
        pose: (3, 3), pixels of the key frame to pixels of a frame.
        level: of the frame's pyramid.
        even: (H, W) float32, the even picture of that level.
    """
    sought, corner = draw_appearance(
        key.appearance, at_level(move_points(key.lattice, pose), level)
    )
    rows, columns = (side // 2 for side in sought.shape)
    beyond = cv2.copyMakeBorder(even, rows, rows, columns, columns, cv2.BORDER_CONSTANT, value=0)
    scores = cv2.matchTemplate(beyond, sought, cv2.TM_CCORR_NORMED)
    _, best, _, (x, y) = cv2.minMaxLoc(scores)
    moved = np.eye(3)
    moved[:2, 2] = 2.0**level * (np.array([x - columns, y - rows]) - corner)
    return best, moved @ pose


def is_stale(key: KeyFrame, track: Track) -> bool:
    """Tell whether the board has come so much nearer or farther that a new key frame is due."""
    scale = mean_cell_px(track.lattice) / mean_cell_px(key.lattice)
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


def _flow(key: KeyFrame, before: Frame, guess: Matrix, frame: Frame) -> Matrix | None:
    """Return the homography that optical flow suggests, or None where the flow tells nothing.

    Pyramidal Lucas-Kanade (Bouguet 2000) between two frames, and a robust fit (RANSAC, Fischler &
    Bolles 1981) from the key frame straight to the new one.
    """
    if len(key.corners) < _LEAST_INLIERS:
        return None
    level = key.level + 1  # what it misses there, the registration finds
    earlier, later = before.levels[level], frame.levels[level]
    at = level_matrix(level) @ guess
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
        maxLevel=2,
        criteria=(cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 12, 0.03),
    )
    is_found = status[:, 0] > 0
    if is_found.sum() < _LEAST_INLIERS:
        return None
    ends = ends[is_found] + corner
    homography, inliers = cv2.findHomography(
        key.corners[inside][is_found], ends, cv2.RANSAC, 1.25, maxIters=_TRIES, confidence=0.99
    )
    if homography is None or inliers.sum() < max(_LEAST_INLIERS, 0.3 * len(inliers)):
        return None
    return np.asarray(np.linalg.inv(level_matrix(level)) @ homography, np.float64)


class _Place(NamedTuple):
    """Where a board is in a part of a frame, on the key frame's level.

    Attributes:
        homography: (3, 3), unit coordinates to pixels of that part.
        agreement: as `Alignment` has it.
        visible: the same.
        even: (h, w) float32, the part's even picture.
        into: (3, 3), pixels of the frame to those of the part.
    """

    homography: Matrix
    agreement: float
    visible: float
    even: Even
    into: Matrix


def _track(key: KeyFrame, place: _Place) -> Track | None:
    """Return what is seen of the board in its place, or None where that cannot be one."""
    at = place.homography @ key.to_unit
    homography = np.linalg.inv(place.into) @ at
    homography /= homography[2, 2]
    if not _is_plausible(key, homography):
        return None
    lattice = move_points(key.lattice, homography)
    match = match_appearance(
        key.appearance, place.even, at @ np.linalg.inv(level_matrix(key.level))
    )
    return Track(homography, lattice, place.agreement, place.visible, match)


def _register(key: KeyFrame, frame: Frame, start: Matrix, before: Matrix) -> _Place | None:
    """Return where the board is exactly."""
    from_unit = np.linalg.inv(key.to_unit)
    found: Alignment | None = None
    homography = start @ from_unit
    for target, level, rounds in zip(key.targets, (key.level + 1, key.level), _ROUNDS, strict=True):
        grey = frame.levels[level]
        lattice = move_points(key.lattice, start)
        width, height = grey.shape[1], grey.shape[0]
        cell = mean_cell_px(key.lattice) / 2**level
        around = at_level(lattice, level).reshape(-1, 2)
        left, top, right, bottom = _box_around(around, round(2 * cell), (width, height))
        if right - left < 16 or bottom - top < 16:
            return None
        even = normalize_contrast(grey[top:bottom, left:right], round(cell))
        into = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1.0]]) @ level_matrix(level)
        found = align(target, even, into @ homography, rounds)
        if found is None:
            return None
        homography = np.linalg.inv(into) @ found.homography
    assert found is not None
    if found.agreement < _SMEARED:
        found = _register_smeared(key.targets[1], even, found, into @ before @ from_unit)
    return _Place(found.homography, found.agreement, found.visible, even, into)


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
    smeared = [motion_blur_target(target, motion[0] * share) for share in _EXPOSURES]
    agreements = [compare(one, even, found.homography) for one in smeared]
    best = int(np.argmax(agreements))
    if agreements[best] <= found.agreement:
        return found
    again = align(smeared[best], even, found.homography, _ROUNDS[1])
    return again if again is not None and again.agreement > found.agreement else found


def _box_around(points: Points, margin: int, size: tuple[int, int]) -> tuple[int, int, int, int]:
    low = np.floor(points.min(axis=0)).astype(int) - margin
    high = np.ceil(points.max(axis=0)).astype(int) + margin + 1
    left, top = np.clip(low, 0, size)
    right, bottom = np.clip(high, 0, size)
    return int(left), int(top), int(right), int(bottom)
