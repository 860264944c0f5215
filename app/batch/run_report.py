"""What is written of a run, from its journal: the report, and the gallery for a browser.

The gallery's page, `run_gallery.html`, builds its list from a file of rows beside it; nothing of
it comes from elsewhere.
"""

import csv
import hashlib
import io
import json
import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from app.batch.overlay_files import writing_whole
from app.batch.run_journal import Journal, Reported
from app.batch.sources import (
    GALLERY_ENDING,
    GALLERY_MARK,
    PHOTO_SUFFIXES,
    in_parts,
    is_address,
    read_source,
)
from app.recognition.outcome import Outcome
from app.terminal.exit_codes import CommandError, UsageError
from app.terminal.named_files import STDIN
from vision.media.whole_files import remove_temporaries

if TYPE_CHECKING:
    from PIL.Image import Image

COLUMNS: Final = [
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
]
"""Of the CSV report: of several boards the best one's, and `boards` says how many there are."""

_OF_BOARD: Final = ("clues", "entries", "solution", "confidence", "solver", "kind", "side")


def report_of(reported: Reported) -> dict[str, Any] | None:
    """Return a photo's report, as `photo_report.photo_report` does; None where none is known."""
    if reported.record is not None:
        return {"file": reported.file, **json.loads(reported.record)}
    if reported.error is not None:
        fields = {"outcome": Outcome.BAD_IMAGE, "boards": [], "seconds": {}}
        return {"file": reported.file, **fields, "error": reported.error}
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
        path: JSON lines, or CSV where it ends in .csv.

    Raises:
        UsageError: if it cannot be written.
    """
    is_csv = path.suffix.lower() == ".csv"
    n = 0
    with writing_whole(path) as file:
        if is_csv:
            file.write(_csv_row(COLUMNS))
        for report in reports_of(journal):
            line = _csv_row(_cells(report)) if is_csv else f"{json.dumps(report)}\n".encode()
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
    if str(path) == STDIN:
        raise UsageError("--report - is no file; name one, or leave it out and add --json")
    if path.suffix.lower() in PHOTO_SUFFIXES:
        raise UsageError(f"--report {path} is named like a photo; name it report.jsonl or .csv")


def _csv_row(cells: Iterable[object]) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerow(cells)
    # A file's name need not be text.
    return text.getvalue().encode(errors="surrogateescape")


def _cells(report: dict[str, Any]) -> list[object]:
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
    return [cells[name] for name in COLUMNS]


THUMB_PX: Final = 320
"""Longer side: enough to see the board, and 10,000 of them are some 150 MB."""

_QUALITY: Final = 70
_ROWS_AT_ONCE: Final = 256
_PAGE: Final = Path(__file__).with_name("run_gallery.html")
_TITLE: Final = b"<title>Sudoku Lens: photos</title>"
_HEAD_BYTES: Final = 4096
_THUMBS: Final = "thumbs"
_MARK_TEXT: Final = b"Rows and thumbnails of a gallery; batches take nothing here for a photo.\n"
_SUFFIXES: Final = frozenset({".html", ".htm"})
_SHOWN_BY_BROWSERS: Final = ("http://", "https://", "file://")


def check_gallery(path: Path, *, overwrite: bool = False) -> None:
    """Make sure that a gallery can get this name, as it was typed.

    Raises:
        UsageError: if not; a page of others is replaced only where that is wanted.
    """
    page = page_of(path)
    for folder in (page.parent, files_of(page)):
        if folder.exists() and not folder.is_dir():
            raise UsageError(f"--html {path}: {folder} is no folder; choose another name")
    if page.is_dir():
        raise UsageError(f"--html {path} is a folder; name a file, or a folder without .html")
    if not overwrite and page.exists() and not _is_gallery(page):
        raise UsageError(
            f"--html {path}: {page} is there already and is no gallery; choose another name, or "
            "give --overwrite to replace it"
        )


def _is_gallery(page: Path) -> bool:
    try:
        with page.open("rb") as file:
            return _TITLE in file.read(_HEAD_BYTES)
    except OSError:
        return False


def page_of(path: Path) -> Path:
    """Return the page itself: the file that was named, or one in the folder."""
    return path if path.suffix.lower() in _SUFFIXES else path / "index.html"


def files_of(page: Path) -> Path:
    """Return the folder beside a page that holds its rows and thumbnails."""
    return page.with_name(f"{page.stem}{GALLERY_ENDING}")


def rows_of(page: Path) -> Path:
    """Return the file beside a page that holds its rows."""
    return files_of(page) / "rows.js"


def write_gallery(journal: Journal, path: Path) -> int:
    """Write the gallery of a journal's last run, and return how many photos it shows.

    A thumbnail is made once; it has a new name when its picture changes.

    Args:
        path: the page, where it ends in .html; else a folder for it.

    Raises:
        UsageError: if it cannot be written.
    """
    page = page_of(path)
    files, n = files_of(page), 0
    _remove_leftovers(page)
    with writing_whole(files / GALLERY_MARK) as file:
        file.write(_MARK_TEXT)
    workers = min(os.cpu_count() or 1, 8)
    with writing_whole(rows_of(page)) as file, ThreadPoolExecutor(workers) as threads:
        file.write(b"const rows = [\n")
        for part in in_parts(journal.reported(), _ROWS_AT_ONCE):
            # Decoding leaves other threads alone, and rows come in order.
            for row in threads.map(lambda one: _row(one, page.parent, files), part):
                if row is not None:
                    file.write(json.dumps(row).encode() + b",\n")
                    n += 1
        file.write(b"];\n")
    with writing_whole(page) as file:
        text = _PAGE.read_text(encoding="utf-8")
        file.write(text.replace("FOLDER-OF-FILES", quote(files.name)).encode())
    return n


def _remove_leftovers(page: Path) -> None:
    """Remove what runs that were killed have left half-written."""
    for path in (page, rows_of(page), files_of(page) / GALLERY_MARK):
        remove_temporaries(path)
    for path in (files_of(page) / _THUMBS).glob("*/.*.jpg.*.tmp"):
        path.unlink(missing_ok=True)


def _row(reported: Reported, home: Path, files: Path) -> list[object] | None:
    report = report_of(reported)
    if report is None:
        return None
    overlay = reported.output
    if overlay is not None and not (report["outcome"] == "solved" and os.path.exists(overlay)):
        overlay = None
    thumb = _make_thumb(overlay or reported.path, files / _THUMBS)
    clues, notes = _describe(report)
    return [
        # What of a name is no text has no sign of its own.
        reported.file.encode(errors="replace").decode(),
        report["outcome"],
        round(sum(report["seconds"].values()), 3),
        clues,
        thumb,
        None if overlay is None else _link(overlay, home),
        _link(reported.path, home),
        notes,
        list(dict.fromkeys(map(_name_kind, report["boards"]))),
    ]


def _name_kind(board: dict[str, Any]) -> str:
    # Journals of earlier versions know classic boards alone.
    kind, side, symbols = board.get("kind", "classic"), board.get("side", 9), board.get("symbols")
    size = "" if side == 9 else f" {side}×{side}"
    return f"{kind}{size}" + (f" ({symbols[0]}…{symbols[-1]})" if symbols else "")


def _describe(report: dict[str, Any]) -> tuple[list[int], str]:
    boards = report["boards"]
    clues = [sum(sign not in ".0-" for sign in board["clues"]) for board in boards]
    notes = [report["error"]] if "error" in report else []
    if "looks_like" in report:
        from app.report.advice import say_lookalike  # loads OpenCV, and is seldom needed
        from models.lookalike_reader import Lookalike

        notes.append(f"{say_lookalike(Lookalike(report['looks_like']))}.")
    for board in boards:
        notes += board.get("advice", ())
    return clues, " ".join(dict.fromkeys(notes))


def _link(path: str, home: Path) -> str | None:
    """Return where a picture is, as seen from the page; None for what browsers cannot open."""
    if is_address(path):
        return path if path.startswith(_SHOWN_BY_BROWSERS) else None
    try:
        relative = os.path.relpath(path, home)
    except ValueError:  # another drive
        return Path(path).as_uri()
    return quote(os.fsencode(relative.replace(os.sep, "/")))


def _make_thumb(picture: str, folder: Path) -> str | None:
    """Make the thumbnail of a picture if it is not there, and return its name below the folder."""
    try:
        mark: tuple[object, ...] = ()
        if not is_address(picture):
            status = os.stat(picture)
            mark = (status.st_size, status.st_mtime_ns)
        key = os.fsencode(f"{THUMB_PX} {picture} {mark}")
        digest = hashlib.blake2b(key, digest_size=12).hexdigest()
        name = f"{digest[:2]}/{digest[2:]}.jpg"
        if not (folder / name).exists():
            data = io.BytesIO()
            _shrink(picture).save(data, "JPEG", quality=_QUALITY, optimize=True)
            with writing_whole(folder / name) as file:
                file.write(data.getvalue())
        return name
    except (UsageError, MemoryError):
        raise
    except (OSError, ValueError, CommandError):  # no picture, which its outcome tells
        return None


def _shrink(picture: str) -> "Image":
    import numpy as np
    from PIL import Image, ImageOps

    from vision.media.images import load_image

    data = read_source(picture)
    if data[:2] == b"\xff\xd8":
        # JPEG is decoded at the smallest size that will do, which is most of the time saved.
        with Image.open(io.BytesIO(data)) as opened:
            opened.draft("RGB", (2 * THUMB_PX, 2 * THUMB_PX))
            small = ImageOps.exif_transpose(opened).convert("RGB")
    else:
        small = Image.fromarray(np.ascontiguousarray(load_image(data)[:, :, ::-1]))
    small.thumbnail((THUMB_PX, THUMB_PX), reducing_gap=2.0)
    return small
