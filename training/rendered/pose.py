"""Where a page lies before the camera: bends, folds, tilt and turn, with all boards in view."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from training.newspaper.bent_sheet import CameraStyle, Floats, Sheet
from training.rendered.levels import Level
from training.rendered.page_layout import FlatPage

_TRIES: Final = 80
_EDGE: Final = 0.012
"""Paper that is left between boards and the photo's edge, as a share of its shorter side."""

_PLACES_PER_CELL: Final = 10
_MISPLACED: Final = 0.05
"""Cells by which the photo may show a place of a board elsewhere, looked at so finely."""


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
        sheet = Sheet((width, height), camera, (0, 0, 0, 0), relief)
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
    return any(
        bool((seen < edge).any() or (seen > size - 1 - edge).any()) for seen in _seen(page, sheet)
    )


def _is_in_view(page: FlatPage, sheet: Sheet, least_cell_px: float) -> bool:
    if _is_cut(page, sheet):
        return False
    sides = [
        float(np.linalg.norm(np.diff(seen, axis=axis), axis=2).min())
        for seen in _seen(page, sheet)
        for axis in (0, 1)
    ]
    return min(sides) >= least_cell_px and _is_shown_whole(page, sheet)


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
