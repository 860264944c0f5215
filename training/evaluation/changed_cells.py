"""Real photos changed by one cell, and what `sudoku-lens solve --check` says of planted mistakes.

    python -m training.evaluate check ../shared/data/photos --folds build/digits

An entry is replaced by a wrong one, or a clue hidden. A new entry is cut from the same photo, so
that pen, light and blur are right; only the digit is wrong. With the hidden clue the puzzle had one
solution; what is left has several, so nothing may be claimed.

The command checks every photo whose entries are labelled as it is, and again with one entry
replaced. Photos are shrunk first, as the mistakes are drawn into them.
"""

import enum
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from solver.exact.bitmask import count_solutions
from solver.grid import Grid, parse_grid
from training.evaluate import make_parser, make_table
from training.evaluation.photo_verdicts import Product, matching_board, run_product
from training.photo_labels import (
    HANDWRITTEN,
    Kinds,
    PhotoLabel,
    is_labelled,
    load_kinds,
    load_photo_labels,
    locate_board,
    resize_photo,
    shrink_photo,
)
from vision.geometry import Image8, Points
from vision.media.images import load_image, save_image

_CELL_PX: Final = 96
"""Cells are moved through a square of this side."""

_INSET: Final = 0.1
"""Of a cell's side, what is left out around it: the lines stay where they are."""

_FEATHER_PX: Final = 5


def choose_mistake(
    label: PhotoLabel, kinds: Kinds, rng: np.random.Generator
) -> tuple[int, int] | None:
    """Return an entry's cell and the cell of another entry with another digit; None if there are
    none.

    Args:
        label: of the photo.
        kinds: (81,) marks, as `training.photo_labels.load_kinds` returns them.
        rng: draws both.
    """
    digits = label.digits.ravel()
    entries = np.flatnonzero(kinds == HANDWRITTEN)
    pairs = [(int(a), int(b)) for a in entries for b in entries if digits[a] != digits[b]]
    return pairs[rng.integers(len(pairs))] if pairs else None


def copy_cell(image: Image8, lattice: Points, source: int, target: int) -> Image8:
    """Return the photo with what stands in one cell copied over another, in the other's light.

    Args:
        image: (H, W, 3) BGR uint8, which stays as it is.
        lattice: (10, 10, 2) float32 in its pixels.
        source: cell 0..80 that is copied.
        target: cell 0..80 that is replaced.
    """
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * np.float32(_CELL_PX)
    from_source = cv2.getPerspectiveTransform(_quad(lattice, source), square)
    from_target = cv2.getPerspectiveTransform(_quad(lattice, target), square)
    size = (_CELL_PX, _CELL_PX)
    new = cv2.warpPerspective(image, from_source, size, flags=cv2.INTER_AREA).astype(np.float32)
    old = cv2.warpPerspective(image, from_target, size, flags=cv2.INTER_AREA).astype(np.float32)
    new *= np.median(old, axis=(0, 1)) / np.maximum(np.median(new, axis=(0, 1)), 1)
    mask = np.zeros(size, np.float32)
    mask[_FEATHER_PX:-_FEATHER_PX, _FEATHER_PX:-_FEATHER_PX] = 1
    mask = np.asarray(cv2.blur(mask, (_FEATHER_PX, _FEATHER_PX)), np.float32)
    width_height = (image.shape[1], image.shape[0])
    back = np.linalg.inv(from_target)
    over = cv2.warpPerspective(np.clip(new, 0, 255), back, width_height)
    alpha = cv2.warpPerspective(mask, back, width_height)[:, :, None]
    mixed = image.astype(np.float32) * (1 - alpha) + over * alpha
    return np.asarray(np.round(mixed), np.uint8)


def _quad(lattice: Points, cell: int) -> Points:
    """Return the corners of a cell without its lines, clockwise from its top left."""
    row, column = divmod(cell, 9)
    corners = lattice[row : row + 2, column : column + 2].reshape(4, 2)[[0, 1, 3, 2]]
    middle = corners.mean(axis=0)
    return np.asarray(middle + (corners - middle) * (1 - 2 * _INSET), np.float32)


Cover = Callable[[Image8, Points, int, np.random.Generator], Image8]
"""Takes a photo, a lattice (10, 10, 2), a cell 0..80 and chance, and returns a new photo."""

Disturbance = Callable[[Image8, np.random.Generator], Image8]

_SUBPIXEL_BITS: Final = 4
_WHITE: Final = (255.0, 255.0, 255.0)


def choose_clue(digits: Grid, rng: np.random.Generator) -> int | None:
    """Return a cell without whose digit the puzzle has several solutions; None if there is none.

    Args:
        digits: (9, 9) uint8, all that stands on the board.
        rng: draws.
    """
    for cell in rng.permutation(np.flatnonzero(digits)).tolist():
        if count_solutions(hide_clue(digits, cell), 2) == 2:
            return int(cell)
    return None


def hide_clue(digits: Grid, cell: int) -> Grid:
    """Return the digits, (9, 9) uint8, with one cell empty."""
    left = digits.copy()
    left.flat[cell] = 0
    return left


def paint_over(digits: Grid) -> Cover:
    """Return a cover that puts the paper of the nearest empty cell over a clue.

    Args:
        digits: (9, 9) uint8, all that stands on the board; at least one cell must be empty.
    """
    empty = np.argwhere(digits == 0)

    def paint(image: Image8, lattice: Points, cell: int, _: np.random.Generator) -> Image8:
        away = np.abs(empty - np.array(divmod(cell, 9))).sum(axis=1)
        row, column = empty[int(away.argmin())]
        return copy_cell(image, lattice, int(9 * row + column), cell)

    return paint


def _cover_with_glare(
    image: Image8, lattice: Points, cell: int, rng: np.random.Generator
) -> Image8:
    middle, across = _place(lattice, cell)
    y, x = np.mgrid[: image.shape[0], : image.shape[1]].astype(np.float32)
    stretch = rng.uniform(1, 1.8)
    distance = np.hypot((x - middle[0]) / stretch, y - middle[1]) / (0.62 * across)
    return _blend(image, np.exp(-(distance**6)), _WHITE)


def _cover_with_thumb(
    image: Image8, lattice: Points, cell: int, rng: np.random.Generator
) -> Image8:
    middle, across = _place(lattice, cell)
    angle = rng.uniform(0, 2 * np.pi)
    length = rng.uniform(1.5, 3) * across
    tip = 0.35 * across
    centre = middle + (length - tip - 0.3 * across) * np.array([np.cos(angle), np.sin(angle)])
    mask = np.zeros(image.shape[:2], np.uint8)
    axes = (round(length * 16), round(0.75 * across * 16))
    at = (round(float(centre[0]) * 16), round(float(centre[1]) * 16))
    cv2.ellipse(mask, at, axes, np.degrees(angle), 0, 360, 255, -1, cv2.LINE_AA, _SUBPIXEL_BITS)
    soft = cv2.GaussianBlur(mask, (0, 0), 0.06 * across + 0.3).astype(np.float32) / 255
    blue, green, red = rng.uniform(70, 140), rng.uniform(100, 170), rng.uniform(150, 230)
    return _blend(image, soft, (blue, green, red))


def _cover_with_pen(image: Image8, lattice: Points, cell: int, rng: np.random.Generator) -> Image8:
    middle, across = _place(lattice, cell)
    steps = np.linspace(-0.36, 0.36, 13)
    sides = np.where(np.arange(13) % 2, 0.36, -0.36) + rng.normal(0, 0.03, 13)
    angle = rng.uniform(0, np.pi)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    points = middle + across * np.column_stack([steps, sides]) @ turn.T
    mask = np.zeros(image.shape[:2], np.uint8)
    width = max(1, round(0.1 * across))
    stroke = np.round(points * 16).astype(np.int32)
    cv2.polylines(mask, [stroke], False, 255, width, cv2.LINE_AA, _SUBPIXEL_BITS)
    level = rng.uniform(20, 90)
    return _blend(image, mask.astype(np.float32) / 255, (level * rng.uniform(1, 1.8), level, level))


COVERS: Final[Mapping[str, Cover]] = {
    "glare": _cover_with_glare,
    "thumb": _cover_with_thumb,
    "pen": _cover_with_pen,
}
"""What lies over a clue, besides paint."""


def _place(lattice: Points, cell: int) -> tuple[npt.NDArray[np.float64], float]:
    """Return the middle (x, y) of a cell and how many pixels it is across."""
    row, column = divmod(cell, 9)
    corners = lattice[row : row + 2, column : column + 2].reshape(4, 2).astype(np.float64)
    return corners.mean(axis=0), float(np.linalg.norm(corners[3] - corners[0]) / np.sqrt(2))


def _blend(
    image: Image8, share: npt.NDArray[np.floating], colour: tuple[float, float, float]
) -> Image8:
    over = np.array(colour, np.float32)
    mixed = image + (over - image.astype(np.float32)) * share[:, :, None]
    return np.asarray(np.clip(np.round(mixed), 0, 255), np.uint8)


def _add_noise(
    strength: float, image: Image8, rng: np.random.Generator, light: float = 1
) -> Image8:
    noise = rng.standard_normal((*image.shape[:2], 1), np.float32)
    return np.asarray(np.clip(light * image + strength * noise, 0, 255), np.uint8)


def _defocus(image: Image8, _: np.random.Generator) -> Image8:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), max(image.shape) / 250), np.uint8)


def _compress(image: Image8, _: np.random.Generator) -> Image8:
    content = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 20])[1]
    return np.asarray(cv2.imdecode(content, cv2.IMREAD_COLOR), np.uint8)


DISTURBANCES: Final[Mapping[str, Disturbance]] = {
    "as it is": lambda image, _: image,
    **{f"noise {strength}": partial(_add_noise, strength) for strength in (40, 60, 70, 100)},
    "blur": _defocus,
    "JPEG 20": _compress,
    "near-dark": partial(_add_noise, 3, light=0.12),
    "260 pixels": lambda image, _: resize_photo(image, 260)[0],
}
"""What happens to a picture; noise by its standard deviation in grey levels."""


_SIDE_PX: Final = 1000
"""Of a photo into which a mistake is drawn, at most."""
_SEED: Final = 5


class EntryFinding(enum.Enum):
    """What the check said of a photo."""

    EXACT = "exactly that"
    """The planted cell is wrong and no other; without a mistake, no cell is."""

    EXTRA = "others, too"
    """A right entry was called wrong."""

    UNSURE = "unsure of it"
    """The planted cell was named, but as one that may be misread."""

    MISSED = "missed"
    """The board was checked, and the planted cell not named."""

    NOT_CHECKED = "not checked"
    """No solution was found to hold the entries against."""

    WRONG = "WRONG solution"


@dataclass(frozen=True)
class CheckedPhoto:
    """One photo as it was shown to the product.

    Attributes:
        label: of the photo, its corners in the shrunk photo's pixels.
        planted: cell of the deliberate mistake, or None.
        file: name of the photo that was made.
    """

    label: PhotoLabel
    planted: int | None
    file: str


def judge_check(photo: CheckedPhoto, report: dict[str, Any]) -> EntryFinding:
    """Compare what the product said with what was planted."""
    board = matching_board(photo.label, report["boards"])
    if board is None or board["checked"] is None:
        return EntryFinding.NOT_CHECKED
    solution = photo.label.solution
    if solution is None or not np.array_equal(parse_grid(board["solution"]), solution):
        return EntryFinding.WRONG
    wrong, unsure = set(board["checked"]["wrong"]), set(board["checked"]["unsure"])
    planted = set() if photo.planted is None else {photo.planted}
    if wrong - planted:
        return EntryFinding.EXTRA
    if wrong == planted:
        return EntryFinding.EXACT
    return EntryFinding.UNSURE if planted <= unsure else EntryFinding.MISSED


def _make_photos(folder: Path, labels: Sequence[PhotoLabel], target: Path) -> list[CheckedPhoto]:
    """Write every photo twice into a folder, as it is and with a mistake."""
    kinds = load_kinds()
    made = []
    for number, label in enumerate(labels):
        image, small = shrink_photo(load_image(folder / label.file), label, _SIDE_PX)
        made.append(CheckedPhoto(small, None, f"{number}.jpg"))
        save_image(target / made[-1].file, image)
        mistake = choose_mistake(label, kinds[label.file], np.random.default_rng([_SEED, number]))
        if mistake is None:
            continue
        changed = copy_cell(image, locate_board(image, small), mistake[1], mistake[0])
        made.append(CheckedPhoto(small, mistake[0], f"{number}-mistake.jpg"))
        save_image(target / made[-1].file, changed)
    return made


def evaluate(
    folder: Path, folds: Path | None, kind: str
) -> list[tuple[CheckedPhoto, EntryFinding]]:
    """Run the product over the labelled hand-filled photos, each with the fold's reader."""
    labelled = load_kinds()
    known = (one for one in load_photo_labels(folder) if one.file in labelled)
    labels = [one for one in known if one.kind.startswith(kind) and one.solution is not None]
    found = []
    product = Product(folds)
    for part, weights in product.parts(labels):
        with tempfile.TemporaryDirectory() as name:
            photos = _make_photos(folder, part, Path(name))
            options = ["--check", "--reveal", *product.options(weights)]
            files = [photo.file for photo in photos]
            for photo, report in zip(photos, run_product(Path(name), files, options), strict=True):
                finding = judge_check(photo, report)
                found.append((photo, finding))
                if finding is not EntryFinding.EXACT:
                    at = "as it is" if photo.planted is None else f"mistake in cell {photo.planted}"
                    told = f"{len(found)} {photo.label.file}, {at}: {finding.value}"
                    print(told, file=sys.stderr)
    return found


def format_table(found: Sequence[tuple[CheckedPhoto, EntryFinding]]) -> str:
    """Return the counts by kind of board as a Markdown table."""
    rows = []
    for kind in dict.fromkeys(photo.label.kind for photo, _ in found):
        for is_planted, name in ((False, "as they are"), (True, "with one mistake")):
            counts = Counter(
                finding
                for photo, finding in found
                if photo.label.kind == kind and (photo.planted is not None) == is_planted
            )
            cells = (counts[finding] for finding in EntryFinding)
            rows.append((f"{kind}, {name}", counts.total(), *cells))
    heads = " | ".join(finding.value for finding in EntryFinding)
    return make_table(f"boards | n | {heads}", rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; 1 when a wrong solution was shown or a right entry blamed."""
    parser = make_parser("check", "Score the check of hand-filled boards.")
    parser.add_argument("folder", type=Path, help="folder with photos.csv and the photos")
    parser.add_argument(
        "--folds", type=Path, help="folder with kinds0.tflite, kinds0-boards.tflite, …"
    )
    parser.add_argument("--kind", default="handfilled", help="only kinds that begin so")
    options = parser.parse_args(arguments)
    if not is_labelled(options.folder):
        return 3
    found = evaluate(options.folder, options.folds, options.kind)
    print(format_table(found))
    blamed = {EntryFinding.WRONG, EntryFinding.EXTRA}
    return 1 if any(finding in blamed for _, finding in found) else 0
