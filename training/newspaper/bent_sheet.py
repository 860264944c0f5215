"""A bent sheet of paper before a camera.

The sheet is a height field over its own plane, seen by a pinhole camera, so that every point of
the page has one known place in the photo. Page coordinates are pixels of the flat page; both
page and photo count them from the upper left, x first.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
AnyFloats = npt.NDArray[np.floating[Any]]

_ROUNDS: Final = 12
"""Rounds of the inverse mapping: the default sheet is then exact to 0.001 px of the page."""


@dataclass(frozen=True)
class CameraStyle:
    """Where the camera stands and what it does to the picture; angles in degrees."""

    width: int = 1600
    height: int = 1200
    view: float = 1.06
    """Width that the photo shows, in widths of the page."""
    aim: tuple[float, float] = (0.5, 0.5)
    """Point of the page at the photo's middle, as shares of its width and height."""
    tilt: float = 17.0
    """How far the camera leans over from above, towards the page's foot."""
    pan: float = -6.0
    turn: float = -4.0
    bend: float = 0.033
    """Height of the waves in the paper, in widths of the page."""
    distance: float = 1.25
    """From the camera to what it aims at, in widths of the view."""
    lens: float = 0.0
    """Radial distortion at the photo's side edges, as a share; below 0 bulges like a barrel."""
    blur_px: float = 0.75
    noise: float = 2.1
    """Standard deviation of the sensor's noise in grey levels."""
    contrast: float = 0.3
    """How far the tone curve goes from a straight line, 0, to a smooth step, 1."""
    shadow: float = 0.32
    """Share of the light that the shadow of hand and phone takes."""
    jpeg_quality: int = 88
    """0 leaves the photo uncompressed."""


@dataclass(frozen=True)
class Sheet:
    """A bent page in front of a camera: knows where each of its points is in the photo."""

    page_size: tuple[int, int]
    """Width and height in page pixels."""
    camera: CameraStyle
    phases: tuple[float, float, float, float]
    """What makes this sheet's waves its own, each 0..2π."""
    relief: Callable[[Floats], Floats] | None = None
    """Another height than the newspaper's waves and fold: takes points (n, 2) of the page from
    its middle and returns heights (n,), all in widths of the page."""

    def project(self, points: AnyFloats) -> Floats:
        """Return the places (n, 2) in the photo of points (n, 2) of the page."""
        plane = self._on_plane(points)
        return self._bulge(self._see(np.column_stack([plane, self.height(plane)])))

    def project_flat(self, points: AnyFloats) -> Floats:
        """Return where the points would be if the page lay flat and the lens were perfect."""
        plane = self._on_plane(points)
        return self._see(np.column_stack([plane, np.zeros(len(plane))]))

    def height(self, plane: Floats) -> Floats:
        """Return the paper's height over the table at points (n, 2) in page widths."""
        if self.relief is not None:
            return self.relief(plane)
        x, y = np.clip(plane[:, 0], -0.7, 0.7), np.clip(plane[:, 1], -0.9, 0.9)
        a, b, c, d = self.phases
        waves = np.sin(3.1 * x + 0.8 * y + a) + 0.55 * np.sin(5.3 * x - 1.7 * y + b)
        waves += 0.35 * np.sin(2.2 * y + c) + 0.18 * np.sin(8.7 * x + 2.3 * y + d)
        # The fold across the middle stays a little raised.
        fold = 0.5 * np.exp(-np.hypot(y, 0.01) / 0.06)
        return np.asarray(self.camera.bend * (waves / 2 + fold))

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
        """Return the points (n, 2) of the page seen at points (n, 2) of the photo.

        Fixed-point iteration: the flat page's homography gives a guess, whose miss on the bent
        page is taken off before the next one. The bend moves points little and smoothly, so
        every round gains about a digit.
        """
        to_page = np.asarray(np.linalg.inv(self._flat_homography()), np.float64)
        guess = _apply(to_page, photo_points)
        for _ in range(_ROUNDS):
            miss = self.project(guess) - self.project_flat(guess)
            guess = _apply(to_page, photo_points - miss)
        return guess

    def _on_plane(self, points: AnyFloats) -> Floats:
        width, height = self.page_size
        return (np.asarray(points, np.float64) - (width / 2, height / 2)) / width

    def _see(self, points: Floats) -> Floats:
        """Project points (n, 3) in page widths, heights counted towards the camera."""
        camera = self.camera
        width, height = self.page_size
        aim = np.array([camera.aim[0] - 0.5, (camera.aim[1] - 0.5) * height / width, 0.0])
        distance = camera.distance * camera.view
        seen = (points - aim) @ _rotation(camera).T
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


def place_sheet(page_size: tuple[int, int], camera: CameraStyle, rng: np.random.Generator) -> Sheet:
    """Lay a page of so many pixels in front of the camera, with waves of its own."""
    first, second, third, fourth = rng.uniform(0, 2 * np.pi, 4).tolist()
    return Sheet(page_size, camera, (first, second, third, fourth))


def _rotation(camera: CameraStyle) -> Floats:
    """Return the turn from the page's axes to the camera's: x right, y down, z to the viewer."""
    tilt, pan, turn = np.radians([camera.tilt, camera.pan, camera.turn])
    about_x = [[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]]
    about_y = [[np.cos(pan), 0, -np.sin(pan)], [0, 1, 0], [np.sin(pan), 0, np.cos(pan)]]
    about_z = [[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]]
    return np.array(about_x) @ np.array(about_y) @ np.array(about_z)


def _apply(homography: Floats, points: Floats) -> Floats:
    mapped = np.column_stack([points, np.ones(len(points))]) @ homography.T
    return np.asarray(mapped[:, :2] / mapped[:, 2:], np.float64)
