"""Counts what `sudoku-lens solve --check` says of hand-filled photos with one deliberate mistake.

    python -m training.evaluate check ../shared/data/photos --folds build/digits

Every photo whose entries are labelled is checked as it is, and again with one entry replaced by
another one of the same photo. Photos are shrunk first, as the mistakes are drawn into them.
"""

import argparse
import enum
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from solver.grid import parse_grid
from training.changed_cells import choose_mistake, copy_cell
from training.evaluate import make_table
from training.evaluation.photo_verdicts import Product, matching_board, run_product
from training.photo_labels import (
    PhotoLabel,
    is_labelled,
    load_kinds,
    load_photo_labels,
    locate_board,
    shrink_photo,
)
from vision.media.images import load_image, save_image

_SIDE_PX: Final = 1000
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
    parser = argparse.ArgumentParser(description="Score the check of hand-filled boards.")
    parser.add_argument("folder", type=Path, help="folder with photos.csv and the photos")
    parser.add_argument("--folds", type=Path, help="folder with kinds0.tflite, kinds1.tflite, …")
    parser.add_argument("--kind", default="handfilled", help="only kinds that begin so")
    options = parser.parse_args(arguments)
    if not is_labelled(options.folder):
        return 3
    found = evaluate(options.folder, options.folds, options.kind)
    print(format_table(found))
    blamed = {EntryFinding.WRONG, EntryFinding.EXTRA}
    return 1 if any(finding in blamed for _, finding in found) else 0
