"""The labelled photos of the data folder: what each shows, who wrote its digits, and its fold."""

import csv
import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from solver.base import Limits, Status
from solver.grid import Grid, parse_grid
from solver.registry import DEFAULT_SOLVER, load_solver
from vision.geometry import Points

LABELS: Final = Path(__file__).parents[1] / "labels" / "handwriting.csv"
"""Which digits of a photo are handwritten, as a person saw them on the flattened boards, enlarged
and in colour: a line a photo, its file and 81 marks in the puzzle's own reading order."""

EMPTY: Final = "."
PRINTED: Final = "p"
HANDWRITTEN: Final = "h"
UNKNOWN: Final = "?"
"""A digit of which not even a person can tell."""

_MARKS: Final = frozenset((EMPTY, PRINTED, HANDWRITTEN, UNKNOWN))

Kinds = npt.NDArray[np.str_]

FOLDS: Final = 3


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


def load_kinds(path: Path = LABELS) -> dict[str, Kinds]:
    """Return the marks of every labelled photo, (81,) of one letter each, by its file.

    Raises:
        ValueError: if a line has not 81 of the marks, or a photo comes twice.
        OSError: if there is no such file.
    """
    kinds: dict[str, Kinds] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            name, marks = row["file"], row["kinds"]
            if name in kinds:
                raise ValueError(f"{path}: {name} comes twice")
            if len(marks) != 81 or not set(marks) <= _MARKS:
                raise ValueError(f"{path}: {name} needs 81 of {sorted(_MARKS)}, got {marks!r}")
            kinds[name] = np.array(list(marks))
    return kinds


def fold_of(group: str) -> int:
    """Return the fold of a puzzle's photos, 0..FOLDS-1: the same on every machine, for ever.

    Photos of one puzzle share their group and so their fold. Fold model k is trained without
    fold k and scored on fold k.
    """
    return int.from_bytes(hashlib.sha256(group.encode()).digest()[:8], "big") % FOLDS


def reader_for(folder: Path, fold: int) -> Path:
    """Return the file of the reader that has not seen a fold, made as the shipped one is.

    Args:
        folder: where `training.digits.train_digit_kinds` wrote `kinds0.tflite` and the others.
        fold: 0..FOLDS-1.
    """
    return folder / f"kinds{fold}.tflite"
