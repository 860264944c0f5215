"""Runs the product over labelled photos and counts what a user would see.

    python -m training.evaluate photos ../shared/data/photos

prints the table, and draws a contact sheet of the failures. The product is run as users run it,
`sudoku-lens solve --json`; with `--folds DIR` every photo is read by the reader that was trained
without the photo's puzzle (`fold0.tflite`, `fold1.tflite`, … in DIR).
"""

import argparse
import enum
import json
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from solver.grid import Grid, parse_grid
from training.folds import FOLDS, fold_of
from training.photo_labels import PhotoLabel, load_photo_labels
from training.photo_sheet import draw_failures
from vision.geometry import quad_overlap

_MIN_OVERLAP: Final = 0.8
"""A board counts as located when its outline shares that much with the label (IoU)."""

STAGES: Final = ("load", "find", "read", "decode", "solve")


class Stage(enum.Enum):
    """Where a photo failed, or that it did not."""

    RIGHT = "right"
    FIND = "find"
    READ = "read"
    DECODE = "decode"
    WRONG = "WRONG shown"


@dataclass(frozen=True, eq=False)
class Verdict:
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
    stage: Stage

    @property
    def is_right(self) -> bool:
        """Whether the solution was shown, or rightly none where there is none."""
        return self.stage is Stage.RIGHT


def judge(label: PhotoLabel, report: dict[str, Any]) -> Verdict:
    """Compare a report with the label of its photo."""
    board = _matching_board(label, report["boards"])
    cells_right = 0
    if board is not None:
        seen = parse_grid(board["clues"])
        seen = np.where(seen > 0, seen, parse_grid(board["entries"]))
        cells_right = int((seen == label.digits).sum())
    is_located = None if label.corners is None else board is not None
    return Verdict(label, report, board, is_located, cells_right, _stage(label, report, board))


def _matching_board(label: PhotoLabel, boards: list[dict[str, Any]]) -> dict[str, Any] | None:
    if label.corners is None:
        return boards[0] if boards else None
    for board in boards:
        if quad_overlap(np.array(board["corners"], np.float32), label.corners) >= _MIN_OVERLAP:
            return board
    return None


def _stage(label: PhotoLabel, report: dict[str, Any], board: dict[str, Any] | None) -> Stage:
    shown = [other for other in report["boards"] if other["solution"] is not None]
    if label.solution is None:
        return Stage.WRONG if shown else Stage.RIGHT
    if any(_is_wrong(other, other is board, label.solution) for other in shown):
        return Stage.WRONG
    if board is None:
        return Stage.FIND
    if board["solution"] is None:
        is_read = np.array_equal(_grid(board["clues"]), label.digits)
        return Stage.DECODE if is_read else Stage.READ
    return Stage.RIGHT


def _is_wrong(board: dict[str, Any], is_labelled: bool, solution: Grid) -> bool:
    """Tell whether a board shows another solution than the label's, wherever it lies.

    Pages also print yesterday's solution: a full board beside the labelled one needs no solving.
    """
    if not is_labelled and "." not in board["clues"]:
        return False
    return not np.array_equal(_grid(board["solution"]), solution)


def _grid(text: str) -> Grid:
    return parse_grid(text)


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


def evaluate(folder: Path, folds: Path | None, sources: Sequence[str]) -> list[Verdict]:
    """Run the product over the labelled photos of the sources (all when empty)."""
    labels = [
        label for label in load_photo_labels(folder) if not sources or label.source in sources
    ]
    verdicts = []
    if folds is None:
        parts: list[tuple[list[PhotoLabel], list[str]]] = [(labels, [])]
    else:
        parts = [
            (
                [label for label in labels if fold_of(label.group) == fold],
                ["--weights", str(folds / f"fold{fold}.tflite")],
            )
            for fold in range(FOLDS)
        ]
    for part, options in parts:
        if not part:
            continue
        reports = run_product(folder, [label.file for label in part], options)
        for label, report in zip(part, reports, strict=True):
            verdicts.append(judge(label, report))
            _show_progress(len(verdicts), len(labels), verdicts[-1])
    return verdicts


def _show_progress(done: int, total: int, verdict: Verdict) -> None:
    if not verdict.is_right:
        told = f"{verdict.stage.value} ({verdict.report['outcome']}, {verdict.cells_right} cells)"
        print(f"{done}/{total} {verdict.label.file}: {told}", file=sys.stderr)


def format_table(verdicts: Sequence[Verdict]) -> str:
    """Return the figures by source and by kind as a Markdown table."""
    rows = ["| photos | n | located | cells right | clues exact | right | WRONG shown |"]
    rows.append("|---|---|---|---|---|---|---|")
    for name in dict.fromkeys(verdict.label.source for verdict in verdicts):
        rows.append(_row(name, [v for v in verdicts if v.label.source == name]))
    for name in dict.fromkeys(verdict.label.kind for verdict in verdicts):
        rows.append(_row(f"*{name}*", [v for v in verdicts if v.label.kind == name]))
    rows.append(_row("**all**", verdicts))
    return "\n".join(rows)


def _row(name: str, verdicts: Sequence[Verdict]) -> str:
    count = len(verdicts)
    labelled = [v for v in verdicts if v.is_located is not None]
    located = f"{sum(bool(v.is_located) for v in labelled)}/{len(labelled)}"
    cells = 100 * sum(v.cells_right for v in verdicts) / (81 * count)
    exact = sum(v.cells_right == 81 for v in verdicts)
    right = sum(v.is_right for v in verdicts)
    wrong = sum(v.stage is Stage.WRONG for v in verdicts)
    share = 100 * right / count
    return (
        f"| {name} | {count} | {located} | {cells:.2f} % | {exact} | {right} ({share:.1f} %) "
        f"| {wrong} |"
    )


def format_seconds(verdicts: Sequence[Verdict]) -> str:
    """Return medians and 95th percentiles of the stages' seconds as a Markdown table, in ms."""
    rows = ["| ms | " + " | ".join(STAGES) + " | total |", "|---" * (len(STAGES) + 2) + "|"]
    for name in dict.fromkeys(verdict.label.source for verdict in verdicts):
        chosen = [v.report["seconds"] for v in verdicts if v.label.source == name]
        spent = np.array([[one.get(stage, 0.0) for stage in STAGES] for one in chosen]) * 1e3
        spent = np.column_stack([spent, spent.sum(axis=1)])
        middle, high = np.median(spent, axis=0), np.quantile(spent, 0.95, axis=0)
        cells = (f"{m:.0f} / {h:.0f}" for m, h in zip(middle, high, strict=True))
        rows.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; 1 when a wrong solution was shown."""
    parser = argparse.ArgumentParser(description="Score the product on labelled photos.")
    parser.add_argument("folder", type=Path, help="folder with photos.csv and the photos")
    parser.add_argument("--folds", type=Path, help="folder with fold0.tflite, fold1.tflite, …")
    parser.add_argument("--source", action="append", default=[], help="only these sources")
    parser.add_argument(
        "--sheet", type=Path, default=Path("build/photo-failures.png"), help="contact sheet"
    )
    options = parser.parse_args(arguments)
    if not (options.folder / "photos.csv").is_file():
        print(f"no photos.csv in {options.folder}; name the labelled photos", file=sys.stderr)
        return 3
    verdicts = evaluate(options.folder, options.folds, options.source)
    print(format_table(verdicts))
    print("\nMedian / 95th percentile by stage:\n")
    print(format_seconds(verdicts))
    failures = [verdict for verdict in verdicts if not verdict.is_right]
    if failures:
        options.sheet.parent.mkdir(parents=True, exist_ok=True)
        draw_failures(options.folder, failures, options.sheet)
        print(f"\nFailures: {options.sheet}")
    return 1 if any(verdict.stage is Stage.WRONG for verdict in verdicts) else 0


if __name__ == "__main__":
    sys.exit(main())
