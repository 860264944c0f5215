"""Films a page: a camera on a path, with a shutter that smears, light that changes, and noise.

Where the board is in each frame is known exactly, as the middle of the exposure has it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from training.live.filmed_pages import Page
from vision.board import corners_from_lattice

Image8 = npt.NDArray[np.uint8]
Points = npt.NDArray[np.float32]
Floats = npt.NDArray[np.float64]
AnyFloats = npt.NDArray[np.floating[Any]]
Tones = npt.NDArray[np.float32]

WIDTH: Final = 1280
HEIGHT: Final = 720
RATE: Final = 30.0
"""Frames a second."""

_FOCAL_PX: Final = 1100.0
_STEP: Final = 16
_ROUNDS: Final = 8
_TABLE: Final = (96, 112, 120)
_SMEAR_PX: Final = 2.5
"""Motion during the exposure from which a further moment of it is drawn."""


@dataclass(frozen=True)
class Pose:
    """How a board stands before the camera: pixels, and degrees."""

    x: float = 0.0
    y: float = 0.0
    side: float = 470.0
    """Of the board, seen from straight above."""
    tilt: float = 0.0
    pan: float = 0.0
    turn: float = 0.0


@dataclass(frozen=True)
class Light:
    """How bright a frame is: a gain, and how much of the light a shadow takes up to a column."""

    gain: float = 1.0
    shadow: float = 0.0
    edge: float = 0.0


@dataclass(frozen=True, eq=False)
class Moment:
    """What lies before the camera at a time."""

    page: Page
    pose: Pose
    light: Light = Light()


Path = Callable[[float], Moment]
"""Takes seconds."""


@dataclass(frozen=True, eq=False)
class Filmed:
    """A frame and its truth.

    Attributes:
        image: (720, 1280, 3) uint8 BGR.
        page: that is in it.
        lattice: (10, 10, 2) float32 in pixels of the frame.
        is_visible: whether the whole board is in the frame.
    """

    image: Image8
    page: Page
    lattice: Points
    is_visible: bool


def film(path: Path, frames: int, seed: int, *, exposure: float, noise: float) -> Iterator[Filmed]:
    """Yield the frames of a camera on a path.

    Args:
        path: what lies where at a time.
        frames: how many.
        seed: of the noise.
        exposure: share of a frame's time that the shutter is open.
        noise: standard deviation in grey levels.
    """
    rng = np.random.default_rng(seed)
    grain = rng.normal(0, noise, (HEIGHT + 64, WIDTH + 64, 3)).astype(np.float32)
    pyramids: dict[str, list[Image8]] = {}
    for number in range(frames):
        seconds = number / RATE
        moment = path(seconds)
        page = moment.page
        pyramid = pyramids.setdefault(page.name, _halvings(page.image))
        crossings = project(page, moment.pose, page.lattice.reshape(-1, 2))
        lattice: Points = crossings.reshape(10, 10, 2).astype(np.float32)
        # A page that is swapped is not smeared into the next one.
        half = exposure / RATE / 2
        ends = [path(seconds - half), path(seconds + half)]
        poses = [end.pose if end.page is page else moment.pose for end in ends]
        count = _moments(page, poses)
        lit = np.zeros((HEIGHT, WIDTH, 3), np.float32)
        for share in np.linspace(-1, 1, count) if count > 1 else (0.0,):
            seen = path(seconds + share * half)
            pose = seen.pose if seen.page is page else moment.pose
            cv2.accumulate(_see(page, pyramid, pose), lit)
        lit *= moment.light.gain / count
        if moment.light.shadow > 0:
            lit *= _shade(moment.light)[None, :, None]
        y, x = (int(value) for value in rng.integers(0, 64, 2))
        lit += grain[y : y + HEIGHT, x : x + WIDTH]
        corners = corners_from_lattice(lattice)
        inside = (corners >= 2).all() and (corners <= (WIDTH - 3, HEIGHT - 3)).all()
        image = np.clip(lit + 0.5, 0, 255).astype(np.uint8)
        yield Filmed(image, page, lattice, bool(inside))


def project(page: Page, pose: Pose, points: npt.NDArray[np.floating]) -> Floats:
    """Return where points (n, 2) of a page, in its pixels, are in the frame."""
    middle, side = _board_of(page)
    plane = (np.asarray(points, np.float64) - middle) / side
    height = np.zeros(len(plane)) if page.relief is None else page.relief(plane)
    return _project_plane(plane, height, pose)


def _project_plane(plane: Floats, height: Floats, pose: Pose) -> Floats:
    distance = _FOCAL_PX / pose.side
    turned = np.column_stack([plane, -height]) @ _rotation(pose).T
    seen = turned[:, :2] * (_FOCAL_PX / (distance + turned[:, 2:]))
    middle = ((WIDTH - 1) / 2 + pose.x, (HEIGHT - 1) / 2 + pose.y)
    return np.asarray(seen + middle, np.float64)


def _rotation(pose: Pose) -> Floats:
    tilt, pan, turn = np.radians([pose.tilt, pose.pan, pose.turn])
    about_x = [[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]]
    about_y = [[np.cos(pan), 0, np.sin(pan)], [0, 1, 0], [-np.sin(pan), 0, np.cos(pan)]]
    about_z = [[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]]
    return np.array(about_x) @ np.array(about_y) @ np.array(about_z)


def _board_of(page: Page) -> tuple[Floats, float]:
    corners = corners_from_lattice(page.lattice).astype(np.float64)
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return corners.mean(axis=0), float(sides.mean())


def _flat_homography(page: Page, pose: Pose) -> Floats:
    middle, side = _board_of(page)
    plane = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float64) / 2
    seen = _project_plane(plane, np.zeros(4), pose)
    on_page = (plane * side + middle).astype(np.float32)
    return np.asarray(cv2.getPerspectiveTransform(on_page, seen.astype(np.float32)), np.float64)


def _halvings(image: Image8) -> list[Image8]:
    levels = [image]
    for _ in range(2):
        height, width = levels[-1].shape[:2]
        even = levels[-1][: height // 2 * 2, : width // 2 * 2]
        size = (width // 2, height // 2)
        half = cv2.resize(even, size, interpolation=cv2.INTER_AREA)
        levels.append(np.asarray(half, np.uint8))
    return levels


def _moments(page: Page, poses: list[Pose]) -> int:
    corners = corners_from_lattice(page.lattice)
    start, end = (project(page, pose, corners) for pose in poses)
    motion = float(np.linalg.norm(end - start, axis=1).max())
    return int(np.clip(np.ceil(motion / _SMEAR_PX), 1, 15))


def _see(page: Page, pyramid: list[Image8], pose: Pose) -> Image8:
    """Return the sharp picture of a page, (720, 1280, 3) uint8."""
    level = int(np.clip(np.round(np.log2(_board_of(page)[1] / pose.side)), 0, 2))
    source, scale = pyramid[level], 0.5**level
    into = np.array([[scale, 0, scale / 2 - 0.5], [0, scale, scale / 2 - 0.5], [0, 0, 1]])
    flat = _flat_homography(page, pose)
    size = (WIDTH, HEIGHT)
    if page.relief is None:
        matrix = flat @ np.linalg.inv(into)
        seen = cv2.warpPerspective(source, matrix, size, borderValue=_TABLE)
        return np.asarray(seen, np.uint8)
    places = _page_places(page, pose, flat)
    places = ((places + 0.5) * scale - 0.5).astype(np.float32)
    at_x = (np.arange(WIDTH, dtype=np.float32)) / _STEP + 1
    at_y = (np.arange(HEIGHT, dtype=np.float32)) / _STEP + 1
    across, down = np.meshgrid(at_x, at_y)
    full = cv2.remap(places, across, down, cv2.INTER_LINEAR)
    x, y = (np.ascontiguousarray(full[:, :, axis]) for axis in (0, 1))
    return np.asarray(cv2.remap(source, x, y, cv2.INTER_LINEAR, borderValue=_TABLE), np.uint8)


def _page_places(page: Page, pose: Pose, flat: Floats) -> Floats:
    """Return the page's points for every 16th pixel of the frame, beginning 16 before the first.

    Found as `training.rendered.pose.Sheet.page_points` does: the flat page's homography guesses,
    and each round takes off what the bend has moved.
    """
    columns, rows = WIDTH // _STEP + 3, HEIGHT // _STEP + 3
    x, y = np.meshgrid(np.arange(columns) - 1.0, np.arange(rows) - 1.0)
    pixels: Floats = np.column_stack([x.ravel(), y.ravel()]).astype(np.float64) * _STEP
    back: Floats = np.asarray(np.linalg.inv(flat), np.float64)
    guess = _apply(back, pixels)
    for _ in range(_ROUNDS):
        miss = project(page, pose, guess) - _apply(flat, guess)
        guess = _apply(back, pixels - miss)
    return guess.reshape(rows, columns, 2)


def _apply(homography: AnyFloats, points: AnyFloats) -> Floats:
    mapped = np.column_stack([points, np.ones(len(points))]) @ homography.T
    return np.asarray(mapped[:, :2] / mapped[:, 2:], np.float64)


def _shade(light: Light) -> Tones:
    x = np.arange(WIDTH, dtype=np.float32)
    covered = np.clip((light.edge * WIDTH - x) / 60 + 0.5, 0, 1)
    return np.asarray(1 - light.shadow * covered, np.float32)
