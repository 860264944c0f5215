"""The commands that `benchmarks.kills` ends, their inputs, and how what they leave is read."""

import http.client
import json
import subprocess
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image

from app.batch.run_journal import JOURNAL_NAME, JOURNAL_SUFFIX, Journal
from app.batch.run_report import reports_of
from app.compare.solve_records import load_solves
from app.terminal.exit_codes import ExitCode, InputError
from benchmarks.serve import Client
from solver.formats import read_any
from solver.generation.generate import GenerateOptions, generate_puzzles
from solver.grid import format_grid
from vision.media.camera import open_source

_SAMPLE: Final = Path(__file__).resolve().parent.parent / "samples" / "newspaper.jpg"
_SIDES_PX: Final = range(520, 640, 20)
_FRAMES: Final = 60
_PUZZLES: Final = 250
_SERVED: Final = 3

Results = dict[str, Any]


def _nothing(_: Path) -> frozenset[str]:
    """Promise nothing."""
    return frozenset()


@dataclass(frozen=True)
class Case:
    """A command, and how what it leaves is read.

    Attributes:
        name: of the command.
        prepare: makes its inputs in a folder.
        arguments: what is typed, for the folder of the inputs and the one of the outputs.
        read: reads all that it has written, without what differs from run to run; raises where
            something is half.
        promise: what must not be lost, as far as it has come.
        kept: what is there of that.
        code: of an end by SIGTERM.
    """

    name: str
    prepare: Callable[[Path], None]
    arguments: Callable[[Path, Path], list[str]]
    read: Callable[[Path], Results]
    promise: Callable[[Path], frozenset[str]] = _nothing
    kept: Callable[[Path], frozenset[str]] = _nothing
    code: int = ExitCode.TERMINATED


def log_of(out: Path) -> Path:
    """Return where a command's stdout goes."""
    return out.with_name(f"{out.name}.log")


def _told_lines(out: Path) -> list[str]:
    """Return the whole lines that a command has told on stdout."""
    text = log_of(out).read_text(encoding="utf-8", errors="replace")
    return text[: text.rfind("\n") + 1].splitlines()


def _shrink_sample(side: int) -> npt.NDArray[np.uint8]:
    sample = cv2.imread(str(_SAMPLE))
    assert sample is not None
    scale = side / max(sample.shape[:2])
    small = cv2.resize(sample, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def _prepare_photos(given: Path) -> None:
    for number, side in enumerate(_SIDES_PX):
        cv2.imwrite(str(given / f"{number:02}.jpg"), _shrink_sample(side))
    (given / "again.jpg").write_bytes((given / "00.jpg").read_bytes())


def _batch_arguments(given: Path, out: Path) -> list[str]:
    outputs = ["--output-dir", str(out), "--report", str(out / "report.jsonl")]
    gallery = ["--html", str(out / "gallery.html")]
    return ["batch", str(given), *outputs, *gallery, "--jobs", "2", "--json", "-q"]


def _read_batch(out: Path) -> Results:
    results: Results = {"thumbnails": 0}
    for path in sorted(out.rglob("*.jpg")):
        with Image.open(path) as picture:
            picture.load()
            if path.parent == out:
                results[path.name] = picture.size
            else:  # their names differ
                results["thumbnails"] += 1
    if (out / "report.jsonl").exists():
        results["report"] = [
            {**report, "seconds": None} for report in _read_json_lines(out / "report.jsonl")
        ]
    page = out / "gallery.html"
    results["gallery"] = page.exists() and "</html>" in page.read_text(encoding="utf-8")
    return results


def _told_photos(out: Path) -> frozenset[str]:
    return frozenset(json.loads(line)["file"] for line in _told_lines(out))


def _kept_photos(out: Path) -> frozenset[str]:
    path = out / f"{JOURNAL_NAME}{JOURNAL_SUFFIX}"
    if not path.exists():
        return frozenset()
    with closing(Journal.open(path)) as journal, suppress(InputError):
        journal.open_last_run()
        return frozenset(report["file"] for report in reports_of(journal))
    return frozenset()


def _prepare_video(given: Path) -> None:
    small = _shrink_sample(440)
    height, width = small.shape[:2]
    writer = cv2.VideoWriter(
        str(given / "in.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 30.0, (640, 480)
    )
    for number in range(_FRAMES):
        frame = np.full((480, 640, 3), 90, np.uint8)
        frame[20 : 20 + height, 20 + number : 20 + number + width] = small
        writer.write(frame)
    writer.release()


def _live_arguments(given: Path, out: Path) -> list[str]:
    outputs = ["-o", str(out / "out.mp4"), "--report", str(out / "report.jsonl")]
    return ["live", str(given / "in.avi"), *outputs, "-q"]


def _read_live(out: Path) -> Results:
    results: Results = {}
    if (out / "out.mp4").exists():
        results["video"] = [int(level) for level in _read_levels(out / "out.mp4")]
        if not results["video"]:
            raise ValueError("out.mp4 shows nothing")
    if (out / "report.jsonl").exists():
        results["report"] = [
            {name: value for name, value in frame.items() if not name.endswith("_ms")}
            for frame in _read_json_lines(out / "report.jsonl")
        ]
    return results


def _read_levels(path: Path) -> list[float]:
    with open_source(str(path)) as source:
        return [1000 * float(shot.image.mean()) for shot in source]


def _prepare_puzzles(given: Path) -> None:
    made = generate_puzzles(_PUZZLES, GenerateOptions(), seed=1)
    text = "".join(f"{format_grid(puzzle)}\n" for puzzle in made.puzzles)
    (given / "puzzles.txt").write_text(text)


def _compare_arguments(given: Path, out: Path) -> list[str]:
    solvers = ["--solver", "bitmask", "--solver", "propagation"]
    return [
        *("compare", str(given / "puzzles.txt"), *solvers),
        *("--csv", str(out / "solves.csv"), "--jobs", "2", "-q"),
    ]


def _read_compare(out: Path) -> Results:
    path = out / "solves.csv"
    if not path.exists():
        return {}
    text = path.read_text(encoding="utf-8")
    if text and not text.endswith("\n"):
        raise ValueError("the last line of solves.csv is cut")
    return {"solves": sorted((str(one.key), one.verdict, one.nodes) for one in load_solves(path))}


def _kept_solves(out: Path) -> frozenset[str]:
    path = out / "solves.csv"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return frozenset(text[: text.rfind("\n") + 1].splitlines())


def _generate_arguments(_: Path, out: Path) -> list[str]:
    wish = ["--difficulty", "hard", "--count", "8", "--seed", "1", "--limit-seconds", "600"]
    return ["generate", *wish, "-o", str(out / "new.txt"), "-q"]


def _read_generate(out: Path) -> Results:
    path = out / "new.txt"
    if not path.exists():
        return {}
    puzzles = list(read_any(path.read_text(encoding="utf-8").splitlines()))
    if any(puzzle.grid is None for puzzle in puzzles) or not puzzles:
        raise ValueError("new.txt holds what is no puzzle")
    return {"puzzles": [format_grid(one.grid) for one in puzzles if one.grid is not None]}


def _serve_arguments(_: Path, out: Path) -> list[str]:
    place = ["--host", "127.0.0.1", "--port", "0", "--workers", "1"]
    return ["serve", *place, "--keep", str(out / "kept"), "-q"]


def send_photos(process: "subprocess.Popen[bytes]", given: Path, out: Path) -> None:
    """Be a phone that sends a few photos, and write down what is answered, as far as it comes."""
    out.with_suffix(".answers").write_text("")
    while not (lines := _told_lines(out)):
        if process.poll() is not None:
            return
        time.sleep(0.02)
    with suppress(OSError, http.client.HTTPException):
        client = Client(lines[0].strip(), 0)
        for photo in sorted(given.glob("0*.jpg"))[:_SERVED]:
            answer = client.solve(photo.read_bytes())
            with out.with_suffix(".answers").open("a") as answers:
                answers.write(f"{photo.name} {answer.status}\n")


def _read_serve(out: Path) -> Results:
    for path in (out / "kept").glob("*.jpg"):
        with Image.open(path) as picture:
            picture.load()
    for path in (out / "kept").glob("*.json"):
        json.loads(path.read_text(encoding="utf-8"))
    answers = out.with_suffix(".answers")
    return {"answers": answers.read_text() if answers.exists() else ""}


def _answered_photos(out: Path) -> frozenset[str]:
    answers = out.with_suffix(".answers")
    answered = answers.read_text().count(" 200\n") if answers.exists() else 0
    return frozenset(map(str, range(answered)))


def _kept_by_server(out: Path) -> frozenset[str]:
    photos = [path for path in (out / "kept").glob("*.jpg") if path.with_suffix(".json").exists()]
    return frozenset(map(str, range(len(photos))))


def _read_json_lines(path: Path) -> list[dict[str, Any]]:
    text = path.read_text(encoding="utf-8")
    if text and not text.endswith("\n"):
        raise ValueError(f"the last line of {path.name} is cut")
    return [json.loads(line) for line in text.splitlines()]


CASES: Final = {
    case.name: case
    for case in (
        Case("batch", _prepare_photos, _batch_arguments, _read_batch, _told_photos, _kept_photos),
        Case("live", _prepare_video, _live_arguments, _read_live),
        Case(
            "compare",
            _prepare_puzzles,
            _compare_arguments,
            _read_compare,
            promise=_kept_solves,
            kept=_kept_solves,
        ),
        Case("generate", lambda _: None, _generate_arguments, _read_generate),
        Case(
            "serve",
            _prepare_photos,
            _serve_arguments,
            _read_serve,
            promise=_answered_photos,
            kept=_kept_by_server,
            code=ExitCode.SOLVED,
        ),
    )
}
