"""Scores digit readers on photos that they were not trained on, and writes the model card's tables.

    python -m training.evaluation.digit_readers

needs the networks of docs/model_card_digits.md under `build/digits`; those that are missing are
left out of the table.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from models.digits import CLASSES, DigitReader, join_readers, merge_kinds
from models.engine import LiteRtEngine
from training.digits.photo_cells import SOURCES, RealCells, load_real_cells
from training.evaluate import make_table
from training.photo_labels import FOLDS, HANDWRITTEN, PRINTED
from vision.geometry import Float32

Float64 = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

BINS: Final = 10
"""Of the reliability table, equally wide."""


def format_kinds(real: RealCells, likely: Float32) -> str:
    """Return a Markdown table of the digits whose kind is told right, by source.

    Args:
        real: cells of p photos.
        likely: (p, 81, 19) float32, each photo read by a network that did not train on it.
    """
    rows = []
    is_written = likely[..., 10:].sum(axis=-1) > likely[..., 1:10].sum(axis=-1)
    right = np.asarray(is_written == (real.kinds == HANDWRITTEN))
    known = np.isin(real.kinds, (PRINTED, HANDWRITTEN))
    for source in SOURCES:
        here = known & (real.source == source)[:, None]
        parts = [here & (real.kinds == PRINTED), here & (real.kinds == HANDWRITTEN), here]
        rows.append([source, *(_share(right, part) for part in parts)])
    return make_table(" | printed | handwritten | both", rows)


def _share(right: Flags, part: Flags) -> str:
    if not part.any():
        return "–"
    count = int((right & part).sum())
    return f"{100 * count / part.sum():.2f} % ({part.sum() - count} of {part.sum()} wrong)"


def _format_reliability(confidence: Float64, right: Flags) -> str:
    """Return what the sureness of answers was worth, as a Markdown table.

    Below it stands the expected calibration error: the mean of the bins' distances between sureness
    and the share that is right, weighted by their answers (Naeini, Cooper, Hauskrecht 2015).

    Args:
        confidence: (n,) float, 0..1: probability of the best answer.
        right: (n,) bool: whether it was right.
    """
    bins = np.minimum((confidence * BINS).astype(int), BINS - 1)
    rows, error = [], 0.0
    for index in range(BINS):
        members = bins == index
        span = f"{index / BINS:.1f}–{(index + 1) / BINS:.1f}"
        values: Sequence[str] = "––"
        if members.any():
            sure, share = float(confidence[members].mean()), float(right[members].mean())
            values = f"{sure:.4f}", f"{share:.4f}"
            error += members.sum() / len(confidence) * abs(sure - share)
        rows.append((span, f"{members.sum():,}", *values))
    table = make_table("probability | cells | mean | right", rows)
    return f"{table}\n\nExpected calibration error: {error:.4f}."


RUNS: Final = {
    "SVHN alone": ("svhn",),
    "+ rendered": ("rendered",),
    "+ handwriting and rendered photos": ("base",),
    "+ real cells, labelled kinds": ("kinds{fold}",),
    "the reader of boards": ("kinds{fold}-boards",),
    "both, their mean": ("kinds{fold}", "kinds{fold}-boards"),
}
"""Rows of the ablation table and the files of each row's networks."""

CARD: Final = Path("docs/model_card_digits.md")

_BEGIN: Final = "<!-- written by python -m training.evaluation.digit_readers -->"
_END: Final = "<!-- end -->"


def read_held_out(real: RealCells, folder: Path, names: Sequence[str]) -> Float32 | None:
    """Return how likely each class is, each photo read by networks that did not train on it.

    Args:
        real: cells of p photos.
        folder: where the `.tflite` files lie.
        names: file names without ending; `{fold}` in them stands for the photo's fold.

    Returns:
        (p, 81, 19) float32, or None where a network is missing.
    """
    likely = np.zeros((len(real.cells), 81, CLASSES), np.float32)
    for fold in range(FOLDS):
        paths = [folder / f"{name.format(fold=fold)}.tflite" for name in names]
        if not all(path.is_file() for path in paths):
            return None
        readers = [DigitReader(LiteRtEngine(path)) for path in paths]
        for photo in np.flatnonzero(real.fold == fold):
            seen = [reader.read(real.cells[photo, 0]) for reader in readers]
            likely[photo] = seen[0] if len(seen) == 1 else join_readers(*seen)
    return likely


def format_ablation(real: RealCells, readings: dict[str, Float32]) -> str:
    """Return the ablation table in Markdown: `filled / empty cells right, boards right`.

    Args:
        real: cells of p photos.
        readings: by row, (p, 81, 10) float32.
    """
    rows = []
    for name, likely in readings.items():
        right, row = likely.argmax(axis=2) == real.digits, [name]
        for source in SOURCES:
            here = real.source == source
            is_filled = real.digits[here] > 0
            filled, empty = (right[here][part].mean() for part in (is_filled, ~is_filled))
            boards = f"{right[here].all(axis=1).sum()} of {here.sum()}"
            row.append(f"{100 * filled:.2f} / {100 * empty:.2f}, {boards}")
        rows.append(row)
    return make_table(f"trained on | {' | '.join(SOURCES)}", rows)


def write_card(card: Path, figures: str) -> None:
    """Put the figures between the card's two marks.

    Raises:
        ValueError: if the card has no marks.
    """
    text = card.read_text(encoding="utf-8")
    if _BEGIN not in text or _END not in text:
        raise ValueError(f"{card} needs the lines {_BEGIN!r} and {_END!r}")
    head, rest = text.split(_BEGIN, 1)
    tail = rest.split(_END, 1)[1]
    card.write_text(f"{head}{_BEGIN}\n\n{figures}\n\n{_END}{tail}", encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Score digit readers and write the model card.")
    parser.add_argument("--data-root", type=Path, default=Path("../shared/data"))
    parser.add_argument("--folder", type=Path, default=Path("build/digits"))
    parser.add_argument("--card", type=Path, default=CARD)
    options = parser.parse_args(arguments)
    real = load_real_cells(options.data_root / "photos", options.folder / "pools")
    readings = {}
    for row, names in RUNS.items():
        likely = read_held_out(real, options.folder, names)
        if likely is not None:
            merged = merge_kinds(likely.reshape(-1, CLASSES))
            readings[row] = merged.reshape(*likely.shape[:2], 10)
            last_likely = likely
    if not readings:
        raise SystemExit(f"no network in {options.folder}; train one as {CARD} says")
    last = list(readings)[-1]
    merged = readings[last].reshape(-1, 10)
    truth = real.digits.reshape(-1).astype(int)
    figures = (
        f"{format_ablation(real, readings)}\n\n"
        f"Printed or handwritten, told right:\n\n{format_kinds(real, last_likely)}\n\n"
        f"Reliability of the last row, all {len(truth):,} cells by the probability of the best "
        f"reading, whoever wrote it:\n\n"
        f"{_format_reliability(merged.max(axis=1).astype(float), merged.argmax(axis=1) == truth)}"
    )
    print(figures)
    if options.card.is_file():
        write_card(options.card, figures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
