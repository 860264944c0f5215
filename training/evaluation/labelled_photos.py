"""Runs the product over labelled photos and counts what a user would see.

    python -m training.evaluate photos ../shared/data/photos
    python -m training.evaluate photos ../shared/data/photos --puzzles --turn 90 --turn random
    python -m training.evaluate photos ../shared/data/photos --reader tesseract --solver py-sudoku

print tables, and name the failures, of which `sudoku-lens solve --debug` shows the stages. The
product is run as users run it, `sudoku-lens solve --json`; with `--folds DIR` every photo is read
by the reader that was trained without the photo's puzzle (`kinds0.tflite`, … in DIR).
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from training.evaluation.photo_verdicts import (
    PhotoStage,
    PhotoVerdict,
    format_seconds,
    format_table,
    format_turns,
    judge,
    run_product,
)
from training.photo_labels import (
    FOLDS,
    PhotoLabel,
    fold_of,
    is_labelled,
    load_photo_labels,
    name_turn,
    parse_turn,
    reader_for,
    turn_photos,
)


@dataclass(frozen=True)
class Product:
    """How the product is run.

    Attributes:
        folds: folder of the digit networks that were trained without a third of the puzzles
            each, or None for the one that ships.
        reader: as `sudoku-lens solve --reader` takes it.
        finder: as `--finder` takes it.
        solver: as `--solver` takes it, or None.
    """

    folds: Path | None = None
    reader: str = "network"
    finder: str = "classic"
    solver: str | None = None

    def parts(self, labels: Sequence[PhotoLabel]) -> list[tuple[list[PhotoLabel], Path | None]]:
        """Split photos by the weights that read them; None are those that ship."""
        if self.folds is None:
            return [(list(labels), None)]
        parts = [
            ([label for label in labels if fold_of(label.group) == fold], fold)
            for fold in range(FOLDS)
        ]
        return [(part, reader_for(self.folds, fold)) for part, fold in parts if part]

    def options(self, weights: Path | None) -> list[str]:
        """Return what is put on the command line."""
        options = ["--finder", self.finder]
        if self.solver is not None:
            options += ["--solver", self.solver]
        if weights is not None:
            options += ["--weights", str(weights)]
        return options if self.reader == "network" else [*options, "--reader", self.reader]


def evaluate(folder: Path, labels: Sequence[PhotoLabel], product: Product) -> list[PhotoVerdict]:
    """Run the product over photos and judge its reports.

    Raises:
        RuntimeError: if the product ends before every photo has its report.
    """
    verdicts = []
    for part, weights in product.parts(labels):
        reports = run_product(folder, [label.file for label in part], product.options(weights))
        for label, report in zip(part, reports, strict=True):
            verdicts.append(judge(label, report))
            _show_progress(len(verdicts), len(labels), verdicts[-1])
    return verdicts


def _show_progress(done: int, total: int, verdict: PhotoVerdict) -> None:
    if not verdict.is_right:
        told = f"{verdict.stage.value} ({verdict.report['outcome']}, {verdict.cells_right} cells)"
        print(f"{done}/{total} {verdict.label.file}: {told}", file=sys.stderr)


def _choose_labels(labels: Sequence[PhotoLabel], options: argparse.Namespace) -> list[PhotoLabel]:
    chosen = [
        label
        for label in labels
        if (not options.source or label.source in options.source)
        and (not options.puzzles or label.solution is not None)
    ]
    if options.sample is not None and options.sample < len(chosen):
        picked = np.random.default_rng(options.seed).choice(
            len(chosen), options.sample, replace=False
        )
        chosen = [chosen[index] for index in sorted(picked.tolist())]
    return chosen


def _evaluate_turned(
    labels: Sequence[PhotoLabel], turn: float | None, product: Product, options: argparse.Namespace
) -> list[PhotoVerdict]:
    """Evaluate one turn, and print its tables."""
    with tempfile.TemporaryDirectory(prefix="turned-") as copies:
        folder = options.folder
        if turn != 0:
            folder = Path(copies)
            labels = turn_photos(options.folder, labels, turn, options.seed, folder)
        verdicts = evaluate(folder, labels, product)
        if len(options.turn) > 1 or turn != 0:
            print(f"Turned by {name_turn(turn)}:\n")
        print(format_table(verdicts))
        print("\nMedian / 95th percentile by stage:\n")
        print(format_seconds(verdicts))
        print(flush=True)
    return verdicts


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m training.evaluate photos",
        description="Score the product on labelled photos.",
    )
    parser.add_argument("folder", type=Path, help="folder with photos.csv and the photos")
    parser.add_argument("--folds", type=Path, help="folder with kinds0.tflite, kinds1.tflite, …")
    parser.add_argument("--source", action="append", default=[], help="only these sources")
    parser.add_argument(
        "--puzzles", action="store_true", help="only photos whose digits have one solution"
    )
    parser.add_argument("--sample", type=int, help="only so many photos, drawn by the seed")
    parser.add_argument("--seed", type=int, default=0, help="of the sample and of random turns")
    parser.add_argument(
        "--turn",
        action="append",
        default=[],
        help="turn the photos: degrees clockwise, or random; may be given several times",
    )
    parser.add_argument("--reader", default="network", choices=["network", "tesseract"])
    parser.add_argument("--finder", default="classic", choices=["classic", "network"])
    parser.add_argument("--solver", help="as sudoku-lens solve takes it")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; 1 when a wrong solution was shown."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if not is_labelled(options.folder):
        return 3
    if options.folds is not None and options.reader != "network":
        parser.error("--folds names networks; leave it out with another reader")
    try:
        turns = [parse_turn(text) for text in options.turn] or [0.0]
    except ValueError as error:
        parser.error(str(error))
    labels = _choose_labels(load_photo_labels(options.folder), options)
    if not labels:
        parser.error("no photo is left; name another --source, or a --sample of 1 or more")
    product = Product(options.folds, options.reader, options.finder, options.solver)
    done = [(name_turn(turn), _evaluate_turned(labels, turn, product, options)) for turn in turns]
    if len(done) > 1:
        print(format_turns(done))
    return 1 if any(v.stage is PhotoStage.WRONG for _, verdicts in done for v in verdicts) else 0
