"""The labelled photos of the data folder: what each shows, and what its solution is."""

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from solver.base import Limits, Status
from solver.grid import Grid, parse_grid
from solver.registry import DEFAULT_SOLVER, load_solver
from vision.geometry import Points


@dataclass(frozen=True, eq=False)
class PhotoLabel:
    """One line of `photos.csv`.

    Attributes:
        file: relative to the photos' folder.
        source: first folder of `file`.
        kind: newspaper, screen, handfilled-partial, handfilled-complete, handwritten-random.
        group: puzzle identity; photos of one puzzle share it.
        digits: (9, 9) uint8, everything that stands in the cells, 0 = empty.
        solution: (9, 9) uint8, or None where the digits are no valid puzzle.
        corners: (4, 2) float32, clockwise from the puzzle's own top left, in pixels of the
            upright photo; None where they are not labelled.
    """

    file: str
    source: str
    kind: str
    group: str
    digits: Grid
    solution: Grid | None
    corners: Points | None


def load_photo_labels(folder: Path) -> list[PhotoLabel]:
    """Read `photos.csv` in the photos' folder and solve what can be solved.

    Raises:
        FileNotFoundError: if there is no `photos.csv`.
    """
    with (folder / "photos.csv").open(newline="") as lines:
        return [_label(row) for row in csv.DictReader(lines)]


def _label(row: dict[str, str]) -> PhotoLabel:
    digits = parse_grid(row["puzzle"])
    result = load_solver(DEFAULT_SOLVER).solve(digits, Limits())
    return PhotoLabel(
        file=row["file"],
        source=row["file"].split("/")[0],
        kind=row["kind"],
        group=row["group"],
        digits=digits,
        solution=result.solution if result.status is Status.SOLVED else None,
        corners=_corners(row["corners"]),
    )


def _corners(text: str) -> Points | None:
    points = [[float(number) for number in point.split(",")] for point in text.split()]
    return np.array(points, np.float32) if points else None
