"""Where a page lies before the camera: bends, folds, tilt and turn, with all boards in view.

Every point of the bent sheet has one known place in the photo. Page and photo count their pixels
from the upper left, x first.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from training.rendered.levels import Level
from training.rendered.page_layout import FlatPage

Floats = npt.NDArray[np.float64]
AnyFloats = npt.NDArray[np.floating[Any]]

_ROUNDS: Final = 12
"""Rounds of the inverse mapping: a gently bent sheet is then exact to 0.001 px of the page."""

_TRIES: Final = 80
_EDGE: Final = 0.012
"""Paper that is left between boards and the photo's edge, as a share of its shorter side."""

_PLACES_PER_CELL: Final = 10
_MISPLACED: Final = 0.05
"""Cells by which the photo may show a place of a board elsewhere, looked at so finely."""


@dataclass(frozen=True)
class CameraStyle:
    """Where the camera stands; angles in degrees."""

    width: int
    height: int
    view: float
    """Width that the photo shows, in widths of the page."""
    aim: tuple[float, float]
    """Point of the page at the photo's middle, as shares of its width and height."""
    tilt: float
    """How far the camera leans over from above, towards the page's foot."""
    pan: float
    turn: float
    distance: float
    """From the camera to what it aims at, in widths of the view."""
    lens: float
    """Radial distortion at the photo's side edges, as a share; below 0 bulges like a barrel."""


@dataclass(frozen=True)
class Sheet:
    """A bent page in front of a camera: knows where each of its points is in the photo."""

    page_size: tuple[int, int]
    """Width and height in page pixels."""
    camera: CameraStyle
    height: Callable[[Floats], Floats]
    """The paper's height over the table: takes points (n, 2) of the page from its middle and
    returns heights (n,), all in widths of the page."""

    def project(self, points: AnyFloats) -> Floats:
        """Return the places (n, 2) in the photo of points (n, 2) of the page."""
        plane = self._on_plane(points)
        return self._bulge(self._see(np.column_stack([plane, self.height(plane)])))

    def project_flat(self, points: AnyFloats) -> Floats:
        """Return where the points would be if the page lay flat and the lens were perfect."""
        plane = self._on_plane(points)
        return self._see(np.column_stack([plane, np.zeros(len(plane))]))

    def slope(self, points: AnyFloats) -> Floats:
        """Return the rise (n, 2) of the paper to the right and downwards at points (n, 2)."""
        plane = self._on_plane(points)
        step = 0.004
        rises = [
            (self.height(plane + shift) - self.height(plane - shift)) / (2 * step)
            for shift in (np.array([step, 0.0]), np.array([0.0, step]))
        ]
        return np.column_stack(rises)

    def page_points(self, photo_points: Floats) -> Floats:
        """Return the points (n, 2) of the page seen at points (n, 2) of the photo."""

        def miss(points: Floats) -> Floats:
            return self.project(points) - self.project_flat(points)

        return invert_bend(self._flat_homography(), miss, photo_points, _ROUNDS)

    def _on_plane(self, points: AnyFloats) -> Floats:
        width, height = self.page_size
        return (np.asarray(points, np.float64) - (width / 2, height / 2)) / width

    def _see(self, points: Floats) -> Floats:
        """Project points (n, 3) in page widths, heights counted towards the camera."""
        camera = self.camera
        width, height = self.page_size
        aim = np.array([camera.aim[0] - 0.5, (camera.aim[1] - 0.5) * height / width, 0.0])
        distance = camera.distance * camera.view
        seen = (points - aim) @ turn_axes(camera.tilt, camera.pan, camera.turn).T
        scale = camera.width / camera.view * distance / (distance - seen[:, 2:])
        middle = ((camera.width - 1) / 2, (camera.height - 1) / 2)
        return np.asarray(seen[:, :2] * scale + middle)

    def _bulge(self, seen: Floats) -> Floats:
        """Bend points of the photo away from its middle, or to it."""
        camera = self.camera
        if camera.lens == 0:
            return seen
        middle = np.array([(camera.width - 1) / 2, (camera.height - 1) / 2])
        away = seen - middle
        radius = (away**2).sum(axis=1, keepdims=True) / (camera.width / 2) ** 2
        return np.asarray(middle + away * (1 + camera.lens * np.minimum(radius, 3)))

    def _flat_homography(self) -> Floats:
        width, height = self.page_size
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
        seen = self.project_flat(corners)
        matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), seen.astype(np.float32))
        return np.asarray(matrix, np.float64)


def turn_axes(*degrees: float) -> Floats:
    """Return the turn from the page's axes to the camera's: x right, y down, z to the viewer.

    Args:
        degrees: tilt, pan and turn.
    """
    tilt, pan, turn = np.radians(degrees)
    about_x = [[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]]
    about_y = [[np.cos(pan), 0, -np.sin(pan)], [0, 1, 0], [np.sin(pan), 0, np.cos(pan)]]
    about_z = [[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]]
    return np.array(about_x) @ np.array(about_y) @ np.array(about_z)


def apply_homography(homography: AnyFloats, points: AnyFloats) -> Floats:
    """Return where points (n, 2) come to lie."""
    mapped = np.column_stack([points, np.ones(len(points))]) @ homography.T
    return np.asarray(mapped[:, :2] / mapped[:, 2:], np.float64)


def invert_bend(
    flat: Floats, miss: Callable[[Floats], Floats], seen: Floats, rounds: int
) -> Floats:
    """Return the points (n, 2) of a bent page that are seen at points (n, 2) of the photo.

    Fixed-point iteration: the flat page's homography gives a guess, whose miss on the bent page is
    taken off before the next one. The bend moves points little and smoothly, so every round gains
    about a digit.

    Args:
        flat: homography from the page to the photo, as if the page lay flat.
        miss: returns how far a bend moves points of the page in the photo.
        seen: in the photo.
        rounds: of the iteration.
    """
    to_page = np.asarray(np.linalg.inv(flat), np.float64)
    guess = apply_homography(to_page, seen)
    for _ in range(rounds):
        guess = apply_homography(to_page, seen - miss(guess))
    return guess


@dataclass(frozen=True)
class Pose:
    """A sheet, and the angle between its normal and the line of sight, in degrees."""

    sheet: Sheet
    tilt: float
    turn: float


def place_page(
    page: FlatPage, medium: str, level: Level, size: tuple[int, int], share: float,
    rng: np.random.Generator, turn: float | None = None,
) -> Pose:  # fmt: skip
    """Lay a page before the camera so that every board is seen whole and large enough.

    Poses are drawn until one fits; each miss brings the camera's angles nearer to straight.

    Args:
        page: with its boards.
        medium: screens do not bend, books curl to their spine.
        level: ranges of the pose.
        size: width and height of the photo in pixels.
        share: side of the boards together, as a share of the photo's shorter side.
        rng: this pose.
        turn: the camera's turn in degrees; drawn by the level when None.
    """
    height, width = page.image.shape[:2]
    left, top, right, bottom = page.box
    extent = max(right - left, bottom - top) / width
    steep = rng.uniform(*level.tilt)
    direction = rng.uniform(0, 2 * np.pi)
    if turn is None:
        whole = rng.random() < level.any_turn
        turn = float(rng.uniform(-180, 180) if whole else rng.uniform(*level.turn))
        turn = 0.0 if medium == "screenshot" else turn
    relief = _relief(medium, level, rng)
    lens, distance = rng.uniform(*level.lens), rng.uniform(1.1, 1.6)
    aim = ((left + right) / 2 / width, (top + bottom) / 2 / height)
    off = rng.uniform(-1, 1, 2)
    view = extent / share * size[0] / min(size)
    for attempt in range(_TRIES):
        easier = 1 - attempt / _TRIES
        angle = steep * easier**0.5
        spare = max(view - extent, 0) * 0.4 * easier
        camera = CameraStyle(
            width=size[0],
            height=size[1],
            view=view,
            aim=(aim[0] + off[0] * spare, aim[1] + off[1] * spare * width / height),
            tilt=angle * float(np.cos(direction)),
            pan=angle * float(np.sin(direction)),
            turn=turn,
            distance=distance,
            lens=lens,
        )
        sheet = Sheet((width, height), camera, relief)
        if _is_in_view(page, sheet, level.least_cell_px):
            break
        if attempt % 4 == 3:
            view *= 1.02 if _is_cut(page, sheet) else 0.97
    return Pose(sheet, angle, turn)


def _seen(page: FlatPage, sheet: Sheet) -> list[npt.NDArray[np.float64]]:
    """Return the boards' crossings in the photo, (n + 1, n + 1, 2) each."""
    lattices = page.lattices or (_box_lattice(page),)
    return [sheet.project(one.reshape(-1, 2)).reshape(one.shape) for one in lattices]


def _box_lattice(page: FlatPage) -> npt.NDArray[np.float32]:
    left, top, right, bottom = page.box
    x, y = np.meshgrid(np.linspace(left, right, 10), np.linspace(top, bottom, 10))
    return np.stack([x, y], axis=2).astype(np.float32)


def _is_cut(page: FlatPage, sheet: Sheet) -> bool:
    size = np.array([sheet.camera.width, sheet.camera.height])
    edge = _EDGE * size.min()
    places = np.concatenate([seen.reshape(-1, 2) for seen in _seen(page, sheet)])
    return bool((places < edge).any() or (places > size - 1 - edge).any())


def _is_in_view(page: FlatPage, sheet: Sheet, least_cell_px: float) -> bool:
    if _is_cut(page, sheet):
        return False
    side = min(map(shortest_side, _seen(page, sheet)))
    return side >= least_cell_px and _is_shown_whole(page, sheet)


def shortest_side(lattice: AnyFloats) -> float:
    """Return the shortest side of any cell, from crossings (n + 1, n + 1, 2)."""
    sides = [np.linalg.norm(np.diff(lattice, axis=axis), axis=2).min() for axis in (0, 1)]
    return float(min(sides))


def _is_shown_whole(page: FlatPage, sheet: Sheet) -> bool:
    """Tell whether the photo shows each place of the boards where it lies.

    Behind a steep fold it may show another part of the page, however far apart the crossings
    around it are: then nobody can read what is printed there.
    """
    for lattice in page.lattices:
        side = len(lattice) - 1
        steps = np.linspace(0, 1, side * _PLACES_PER_CELL + 1)[:, None]
        left = lattice[0, 0] * (1 - steps) + lattice[-1, 0] * steps
        right = lattice[0, -1] * (1 - steps) + lattice[-1, -1] * steps
        places = (left[:, None] * (1 - steps) + right[:, None] * steps).reshape(-1, 2)
        shown = sheet.page_points(sheet.project(places))
        cell = np.linalg.norm(lattice[0, -1] - lattice[0, 0]) / side
        if np.abs(shown - places).max() > _MISPLACED * cell:
            return False
    return True


def _relief(medium: str, level: Level, rng: np.random.Generator) -> Callable[[Floats], Floats]:
    """Return the height of a page over the table, in widths of the page."""
    bend = 0.0 if medium in ("screen", "screenshot", "scan") else rng.uniform(*level.bend)
    phases, lengths = rng.uniform(0, 2 * np.pi, 4), rng.uniform(0.7, 1.5, 4)
    has_fold = rng.random() < level.fold and medium != "book"
    across = rng.random() < 0.6
    crease, sharpness = rng.uniform(-0.3, 0.3), rng.uniform(0.03, 0.12)
    rise = bend * rng.choice([-1.0, 1.0]) * rng.uniform(0.5, 1.0) if has_fold else 0.0
    spine = rng.choice([-0.56, 0.56]) if medium == "book" else 0.0

    def height(plane: Floats) -> Floats:
        x, y = np.clip(plane[:, 0], -0.8, 0.8), np.clip(plane[:, 1], -1.1, 1.1)
        waves = np.sin(2.8 * lengths[0] * x + 0.8 * y + phases[0])
        waves = waves + 0.5 * np.sin(4.6 * lengths[1] * x - 1.5 * y + phases[1])
        waves = waves + 0.4 * np.sin(2.4 * lengths[2] * y + phases[2])
        total = bend * waves / 2
        if spine:
            total = total + 2.2 * bend * np.exp(-np.abs(x - spine) / 0.3)
        if rise:
            along = y if across else x
            total = total + rise * np.exp(-np.hypot(along - crease, 0.008) / sharpness)
        return np.asarray(total, np.float64)

    return height
