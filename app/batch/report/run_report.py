"""The report of a run, from its journal: a JSON line for each photo, or a row of CSV."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from app.batch.files.output_files import writing_whole
from app.batch.journal.run_journal import Journal, Reported
from app.batch.report.outcome_words import BAD_IMAGE, PHOTO_SUFFIXES
from app.terminal.exits import UsageError

COLUMNS: Final = (
    "file",
    "outcome",
    "boards",
    "clues",
    "entries",
    "solution",
    "confidence",
    "corrected",
    "solver",
    "corners",
    "seconds",
    "error",
    "kind",
    "side",
    "looks_like",
)
"""Of the CSV report: of several boards the best one's, and `boards` says how many there are."""

_OF_BOARD: Final = ("clues", "entries", "solution", "confidence", "solver", "kind", "side")


def report_of(reported: Reported) -> dict[str, Any] | None:
    """Return a photo's report, as `photo_report.photo_report` does; None where none is known."""
    if reported.record is not None:
        return {"file": reported.file, **json.loads(reported.record)}
    if reported.error is not None:
        fields = {"outcome": BAD_IMAGE, "boards": [], "seconds": {}, "error": reported.error}
        return {"file": reported.file, **fields}
    return None


def reports_of(journal: Journal) -> Iterator[dict[str, Any]]:
    """Yield the reports of a journal's last run, as far as they are known, in their order."""
    for reported in journal.reported():
        report = report_of(reported)
        if report is not None:
            yield report


def write_report(journal: Journal, path: Path) -> int:
    """Write the report of a journal's last run, whole or not at all, and return how many it has.

    Args:
        journal: of the run.
        path: JSON lines, or CSV where it ends in .csv.

    Raises:
        UsageError: if it cannot be written.
    """
    is_csv = path.suffix.lower() == ".csv"
    n = 0
    with writing_whole(path) as file:
        if is_csv:
            file.write(_row(COLUMNS))
        for report in reports_of(journal):
            line = _row(_cells(report)) if is_csv else f"{json.dumps(report)}\n".encode()
            file.write(line)
            n += 1
    return n


def check_report(path: Path) -> None:
    """Make sure that a report can get this name.

    Raises:
        UsageError: if not.
    """
    if path.exists() and not path.is_file():
        raise UsageError(f"--report {path} is no file; name one, such as report.jsonl")
    if path.suffix.lower() in PHOTO_SUFFIXES:
        raise UsageError(f"--report {path} is named like a photo; name it report.jsonl or .csv")


def _row(cells: tuple[object, ...]) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerow(cells)
    # A file's name need not be text.
    return text.getvalue().encode(errors="surrogateescape")


def _cells(report: dict[str, Any]) -> tuple[object, ...]:
    boards = report["boards"]
    best: dict[str, Any] = boards[0] if boards else {}
    cells: dict[str, object] = {
        **{name: best.get(name) for name in _OF_BOARD},
        "file": report["file"],
        "outcome": report["outcome"],
        "boards": len(boards),
        "corrected": " ".join(map(str, best.get("corrected", ()))),
        "corners": " ".join(f"{x},{y}" for x, y in best.get("corners", ())),
        "seconds": round(sum(report["seconds"].values()), 4),
        "error": report.get("error"),
        "looks_like": report.get("looks_like"),
    }
    return tuple(cells[name] for name in COLUMNS)
