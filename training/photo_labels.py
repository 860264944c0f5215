"""The labelled photos of the data folder: what each shows, who wrote its digits, and its fold.

They may be made smaller, or be turned by an angle, as a camera that is held askew takes them.
"""

import csv
import hashlib
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from models.board_detector import BoardDetector
from models.digits import boards_beside
from solver.base import Limits, Status
from solver.grid import Grid, parse_grid
from solver.registry import DEFAULT_SOLVER, load_solver
from vision.board import corners_from_lattice, lattice_from_corners, turn_lattice
from vision.finder.detect import BoardFinder
from vision.finder.views import Look
from vision.geometry import Image8, Points, quad_overlap
from vision.media.images import load_image, save_image

LABELS: Final = Path(__file__).parent / "labels" / "handwriting.csv"
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


def is_labelled(folder: Path) -> bool:
    """Tell whether a folder has labelled photos; where not, say so on stderr."""
    if (folder / "photos.csv").is_file():
        return True
    print(f"no photos.csv in {folder}; name the labelled photos", file=sys.stderr)
    return False


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
    points = [[float(number) for number in point.split(",")] for point in row["corners"].split()]
    return PhotoLabel(
        file=row["file"],
        source=row["file"].split("/")[0],
        kind=row["kind"],
        group=row["group"],
        digits=digits,
        solution=result.solution if result.status is Status.SOLVED else None,
        corners=np.array(points, np.float32) if points else None,
    )


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
        folder: where `training.digits.train_digit_kinds` wrote `kinds0.tflite` and the others, and
            `training.digits.train_real_boards` `kinds0-boards.tflite`.
        fold: 0..FOLDS-1.

    Raises:
        FileNotFoundError: if the reader of boards is missing, as the shipped one has seen all.
    """
    path = folder / f"kinds{fold}.tflite"
    if boards_beside(path) is None:
        raise FileNotFoundError(f"{path.stem}-boards.tflite is not in {folder}; train it first")
    return path


_MIN_OVERLAP: Final = 0.8
"""Of a found board and the labelled corners."""

_RANDOM_DEGREES: Final = 45.0
"""A random turn is at most so far to either side; photos turned further are taken upright."""


def parse_turn(text: str) -> float | None:
    """Return how far photos are turned clockwise, in degrees; None is `random`, another for each.

    Raises:
        ValueError: if the text is neither an angle nor that.
    """
    if text == "random":
        return None
    try:
        degrees = float(text)
    except ValueError:
        degrees = math.nan
    if not math.isfinite(degrees):
        raise ValueError(f"a turn is an angle in degrees or random, got {text!r}")
    return degrees % 360


def name_turn(degrees: float | None) -> str:
    """Return what tables call a turn."""
    return f"random, up to {_RANDOM_DEGREES:g}°" if degrees is None else f"{degrees:g}°"


def turn_photos(
    folder: Path, labels: Sequence[PhotoLabel], turn: float | None, seed: int, target: Path
) -> list[PhotoLabel]:
    """Write turned copies of photos, upright first as their EXIF orientation says.

    Args:
        folder: of the photos.
        labels: of them.
        turn: as `parse_turn` returns it.
        seed: of random turns; a photo's angle depends on it and on the photo's place in the list.
        target: folder for the copies, JPEG without an orientation.

    Returns:
        The labels of the copies, their corners turned too.

    Raises:
        vision.media.images.ImageError: if a photo cannot be read, or a copy not be written.
    """
    turned = []
    for number, label in enumerate(labels):
        degrees = turn
        if degrees is None:
            generator = np.random.default_rng([seed, number])
            degrees = float(generator.uniform(-_RANDOM_DEGREES, _RANDOM_DEGREES))
        file = str(Path(label.file).with_suffix(".jpg"))
        photo, corners = turn_photo(load_image(folder / label.file), label.corners, degrees)
        (target / file).parent.mkdir(parents=True, exist_ok=True)
        save_image(target / file, photo)
        turned.append(replace(label, file=file, corners=corners))
    return turned


def turn_photo(
    image: Image8, corners: Points | None, degrees: float
) -> tuple[Image8, Points | None]:
    """Turn a photo clockwise on a canvas that holds all of it; its edges are continued outwards.

    Args:
        image: (H, W, 3) BGR uint8.
        corners: (4, 2) float32, points (x, y) in pixels of the image, or None.
        degrees: any angle; quarter turns lose nothing.

    Returns:
        The picture and its corners.
    """
    height, width = image.shape[:2]
    cosine, sine = _exact(math.cos(math.radians(degrees))), _exact(math.sin(math.radians(degrees)))
    new_width = round(abs(width * cosine) + abs(height * sine))
    new_height = round(abs(width * sine) + abs(height * cosine))
    matrix = np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0]], np.float64)
    middle = np.array([width - 1, height - 1]) / 2
    matrix[:, 2] = np.array([new_width - 1, new_height - 1]) / 2 - matrix[:, :2] @ middle
    size = (new_width, new_height)
    turned = cv2.warpAffine(image, matrix, size, borderMode=cv2.BORDER_REPLICATE)
    if corners is not None:
        corners = (corners @ matrix[:, :2].T + matrix[:, 2]).astype(np.float32)
    return np.asarray(turned, np.uint8), corners


def _exact(value: float) -> float:
    """Bring the cosine of a quarter turn, which is off by rounding, to 0 or 1."""
    return float(round(value)) if abs(value - round(value)) < 1e-9 else value


def shrink_photo(image: Image8, label: PhotoLabel, side_px: int) -> tuple[Image8, PhotoLabel]:
    """Return a photo with no side longer than `side_px`, and its label in the new pixels."""
    if label.corners is None or side_px >= max(image.shape):
        return image, label
    small, scale = resize_photo(image, side_px)
    return small, scale_label(label, scale)


def resize_photo(image: Image8, side_px: int) -> tuple[Image8, float]:
    """Return a photo with its longer side so many pixels long, and the scale."""
    scale = side_px / max(image.shape)
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    resized = cv2.resize(image, None, fx=scale, fy=scale, interpolation=method)
    return np.asarray(resized, np.uint8), scale


def scale_label(label: PhotoLabel, scale: float) -> PhotoLabel:
    """Return the label of a resized photo."""
    assert label.corners is not None
    return replace(label, corners=scale_points(label.corners, scale))


def scale_points(points: npt.NDArray[np.floating], scale: float) -> Points:
    """Return where points of a picture are when it is resized; a pixel's middle is an integer."""
    return np.asarray((points + 0.5) * scale - 0.5, np.float32)


def locate_board(image: Image8, label: PhotoLabel) -> Points:
    """Return the lattice of a labelled board, the puzzle's own top left first.

    The finder's lattice follows bent pages, and shows readers that learn from it the crops that
    they will meet. The labelled corners are the way out where the finder has no board there.

    Args:
        image: (H, W, 3) BGR uint8.
        label: its corners, which must be there, are in pixels of `image`.

    Returns:
        (10, 10, 2) float32.
    """
    if label.corners is None:
        raise ValueError(f"{label.file} has no labelled corners")
    for board in BoardFinder(image, _load_detector()).find(Look.WHOLE):
        if quad_overlap(board.corners, label.corners) < _MIN_OVERLAP:
            continue
        turned = [turn_lattice(board.lattice, turns) for turns in range(4)]
        away = [np.abs(corners_from_lattice(one) - label.corners).sum() for one in turned]
        return turned[int(np.argmin(away))]
    return lattice_from_corners(label.corners)


@cache
def _load_detector() -> BoardDetector:
    return BoardDetector.load()
