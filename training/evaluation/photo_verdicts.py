"""Runs the product over labelled photos and counts what a user would see.

    python -m training.evaluate photos ../shared/data/photos
    python -m training.evaluate photos ../shared/data/photos --puzzles --turn 90 --turn random
    python -m training.evaluate photos ../shared/data/photos --reader tesseract --solver py-sudoku

print tables, and name the failures, of which `sudoku-lens solve --debug` shows the stages. The
product is run as users run it, `sudoku-lens solve --json`; with `--folds DIR` every photo is read
by the reader that was trained without the photo's puzzle (`kinds0.tflite`, … in DIR).
"""

import argparse
import enum
import itertools
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeVar

import numpy as np

from solver.grid import Grid, parse_grid
from training.evaluate import make_parser, make_table
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
from vision.geometry import Image8, Points, quad_overlap
from vision.media.images import save_image

Truth = TypeVar("Truth")

MIN_OVERLAP: Final = 0.8
"""A board counts as located when its outline shares that much with the label (IoU)."""

_HEADS: Final = "n | located | cells right | clues exact | right | WRONG shown"

_CHUNK: Final = 25
"""Made pictures that lie on the disk at a time, unless they are kept."""

STAGES: Final = ("load", "find", "read", "decode", "solve")


def run_product(
    folder: Path, files: Sequence[str], options: Sequence[str] = ()
) -> Iterable[dict[str, Any]]:
    """Yield the report of every file, as `sudoku-lens solve --json` prints them.

    Raises:
        RuntimeError: if the product ends before every photo has its report.
    """
    command = [sys.executable, "-m", "app", "solve", "--json", "--quiet", *options]
    paths = [str(folder / file) for file in files]
    with subprocess.Popen([*command, *paths], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        count = 0
        for line in process.stdout:
            count += 1
            yield json.loads(line)
    if count != len(files):
        raise RuntimeError(f"{count} reports for {len(files)} photos: {' '.join(command)}")


def run_on_pictures(
    pictures: Iterable[tuple[str, Image8, Truth]],
    options: Sequence[str] = (),
    kept_in: Path | None = None,
) -> Iterator[tuple[Path, Truth, dict[str, Any]]]:
    """Run the product over pictures as they are made, some at a time.

    Args:
        pictures: a unique name, (H, W, 3) uint8 BGR, and what is shown, of each.
        options: of `sudoku-lens solve`.
        kept_in: folder that keeps the pictures; None keeps none.

    Yields:
        The file of a picture, which is there until the next is asked for, what it shows, and its
        report.

    Raises:
        RuntimeError: if the product ends before every picture has its report.
    """
    waiting = iter(pictures)
    while True:
        with TemporaryDirectory() as name:
            folder = Path(name) if kept_in is None else kept_in
            shown: dict[Path, Truth] = {}
            for stem, image, truth in itertools.islice(waiting, _CHUNK):
                file = folder / f"{stem}.png"
                save_image(file, image)
                shown[file] = truth
            if not shown:
                return
            reports = run_product(folder, [file.name for file in shown], options)
            for (file, truth), report in zip(shown.items(), reports, strict=True):
                yield file, truth, report


class PhotoStage(enum.Enum):
    """Where a photo failed, or that it did not."""

    RIGHT = "right"
    FIND = "find"
    READ = "read"
    DECODE = "decode"
    WRONG = "WRONG shown"


@dataclass(frozen=True, eq=False)
class PhotoVerdict:
    """What a report is worth against the label.

    Attributes:
        label: of the photo.
        report: as `sudoku-lens solve --json` printed it.
        board: the report's board that lies on the labelled one, or None.
        is_located: whether there is one; None where corners are not labelled.
        cells_right: of 81, whoever wrote them.
        stage: where it failed.
    """

    label: PhotoLabel
    report: dict[str, Any]
    board: dict[str, Any] | None
    is_located: bool | None
    cells_right: int
    stage: PhotoStage

    @property
    def is_right(self) -> bool:
        """Whether the solution was shown, or rightly none where there is none."""
        return self.stage is PhotoStage.RIGHT


def judge(label: PhotoLabel, report: dict[str, Any]) -> PhotoVerdict:
    """Compare a report with the label of its photo."""
    board = matching_board(label, report["boards"])
    cells_right = 0 if board is None else int((seen_digits(board) == label.digits).sum())
    is_located = None if label.corners is None else board is not None
    return PhotoVerdict(label, report, board, is_located, cells_right, _stage(label, report, board))


def seen_digits(board: dict[str, Any]) -> Grid:
    """Return what was read on a report's board, clues and entries."""
    clues = parse_grid(board["clues"])
    return np.where(clues > 0, clues, parse_grid(board["entries"]))


def matching_board(label: PhotoLabel, boards: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Return the report's board on the labelled one, the first where corners are not labelled."""
    if label.corners is None:
        return boards[0] if boards else None
    return next((board for board in boards if lies_on(board, label.corners)), None)


def lies_on(board: dict[str, Any], corners: Points) -> bool:
    """Tell whether a report's board is the one that has its corners, (4, 2) float32, there."""
    return quad_overlap(np.array(board["corners"], np.float32), corners) >= MIN_OVERLAP


def _stage(label: PhotoLabel, report: dict[str, Any], board: dict[str, Any] | None) -> PhotoStage:
    shown = [other for other in report["boards"] if other["solution"] is not None]
    if label.solution is None:
        return PhotoStage.WRONG if shown else PhotoStage.RIGHT
    if any(_is_wrong(other, other is board, label.solution) for other in shown):
        return PhotoStage.WRONG
    if board is None:
        return PhotoStage.FIND
    if board["solution"] is None:
        is_read = np.array_equal(parse_grid(board["clues"]), label.digits)
        return PhotoStage.DECODE if is_read else PhotoStage.READ
    return PhotoStage.RIGHT


def _is_wrong(board: dict[str, Any], is_labelled: bool, solution: Grid) -> bool:
    """Tell whether a board shows another solution than the label's, wherever it lies.

    Pages also print yesterday's solution: a board beside the labelled one of which every digit
    was read, whoever is thought to have written it, needs no solving.
    """
    if not is_labelled and seen_digits(board).all():
        return False
    return not np.array_equal(parse_grid(board["solution"]), solution)


def format_table(verdicts: Sequence[PhotoVerdict]) -> str:
    """Return the figures by source and by kind as a Markdown table."""
    groups: dict[str, list[PhotoVerdict]] = {}
    for verdict in verdicts:
        groups.setdefault(verdict.label.source, []).append(verdict)
    for verdict in verdicts:
        groups.setdefault(f"*{verdict.label.kind}*", []).append(verdict)
    rows = [_row(*group) for group in groups.items()]
    return make_table(f"photos | {_HEADS}", [*rows, _row("**all**", verdicts)])


def _row(name: str, verdicts: Sequence[PhotoVerdict]) -> tuple[object, ...]:
    count = len(verdicts)
    labelled = [v for v in verdicts if v.is_located is not None]
    located = f"{sum(bool(v.is_located) for v in labelled)}/{len(labelled)}"
    cells = 100 * sum(v.cells_right for v in verdicts) / (81 * count)
    exact = sum(v.cells_right == 81 for v in verdicts)
    right = sum(v.is_right for v in verdicts)
    wrong = sum(v.stage is PhotoStage.WRONG for v in verdicts)
    share = f"{right} ({100 * right / count:.1f} %)"
    return name, count, located, f"{cells:.2f} %", exact, share, wrong


def format_seconds(verdicts: Sequence[PhotoVerdict]) -> str:
    """Return medians and 95th percentiles of the stages' seconds as a Markdown table, in ms."""
    rows = []
    for name in dict.fromkeys(verdict.label.source for verdict in verdicts):
        chosen = [v.report["seconds"] for v in verdicts if v.label.source == name]
        spent = np.array([[one.get(stage, 0.0) for stage in STAGES] for one in chosen]) * 1e3
        spent = np.column_stack([spent, spent.sum(axis=1)])
        middle, high = np.median(spent, axis=0), np.quantile(spent, 0.95, axis=0)
        rows.append([name, *(f"{m:.0f} / {h:.0f}" for m, h in zip(middle, high, strict=True))])
    return make_table(f"ms | {' | '.join(STAGES)} | total", rows)


def format_turns(turns: Sequence[tuple[str, Sequence[PhotoVerdict]]]) -> str:
    """Return what turning the photos costs, a row for each turn, as a Markdown table."""
    return make_table(f"turned by | {_HEADS}", (_row(*turn) for turn in turns))


@dataclass(frozen=True)
class Product:
    """How the product is run.

    Attributes:
        folds: folder of the digit networks that were trained without a third of the puzzles
            each, or None for the one that ships.
        reader: as `sudoku-lens solve --reader` takes it.
        solver: as `--solver` takes it, or None.
    """

    folds: Path | None = None
    reader: str = "network"
    solver: str | None = None

    def parts(self, labels: Sequence[PhotoLabel]) -> list[tuple[list[PhotoLabel], Path | None]]:
        """Split photos by the weights that read them; None are those that ship."""
        if self.folds is None:
            return [(list(labels), None)]
        parts: dict[int, list[PhotoLabel]] = {fold: [] for fold in range(FOLDS)}
        for label in labels:
            parts[fold_of(label.group)].append(label)
        return [(part, reader_for(self.folds, fold)) for fold, part in parts.items() if part]

    def options(self, weights: Path | None) -> list[str]:
        """Return what is put on the command line."""
        options = [] if self.solver is None else ["--solver", self.solver]
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
            verdict = judge(label, report)
            verdicts.append(verdict)
            if not verdict.is_right:
                told = f"{verdict.stage.value} ({report['outcome']}, {verdict.cells_right} cells)"
                print(f"{len(verdicts)}/{len(labels)} {label.file}: {told}", file=sys.stderr)
    return verdicts


def _choose_labels(labels: Sequence[PhotoLabel], options: argparse.Namespace) -> list[PhotoLabel]:
    chosen = [
        label
        for label in labels
        if (not options.source or label.source in options.source)
        and (not options.puzzles or label.solution is not None)
    ]
    if options.sample is not None and options.sample < len(chosen):
        rng = np.random.default_rng(options.seed)
        picked = rng.choice(len(chosen), options.sample, replace=False)
        chosen = [chosen[index] for index in sorted(picked.tolist())]
    return chosen


def _evaluate_turned(
    labels: Sequence[PhotoLabel], turn: float | None, product: Product, options: argparse.Namespace
) -> list[PhotoVerdict]:
    """Evaluate one turn, and print its tables."""
    with TemporaryDirectory(prefix="turned-") as copies:
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
    parser = make_parser("photos", "Score the product on labelled photos.")
    add = parser.add_argument
    add("folder", type=Path, help="folder with photos.csv and the photos")
    add("--folds", type=Path, help="folder with kinds0.tflite, kinds1.tflite, …")
    add("--source", action="append", default=[], help="only these sources")
    add("--puzzles", action="store_true", help="only photos whose digits have one solution")
    add("--sample", type=int, help="only so many photos, drawn by the seed")
    add("--seed", type=int, default=0, help="of the sample and of random turns")
    text = "turn the photos: degrees clockwise, or random; may be given several times"
    add("--turn", action="append", default=[], help=text)
    add("--reader", default="network", choices=["network", "tesseract"])
    add("--solver", help="as sudoku-lens solve takes it")
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
    product = Product(options.folds, options.reader, options.solver)
    done = [(name_turn(turn), _evaluate_turned(labels, turn, product, options)) for turn in turns]
    if len(done) > 1:
        print(format_turns(done))
    return 1 if any(v.stage is PhotoStage.WRONG for _, verdicts in done for v in verdicts) else 0
