"""Films pages with a virtual camera, runs the live view over them and judges every frame.

    python -m training.evaluate live ../shared/data/photos
    python -m training.evaluate live --only still --only "page changes" --frames 100

prints a Markdown table. The product is run as users run it, `sudoku-lens live --report -`; what it
recognises in a frame reaches it later, as from a camera: by the processor time that it took, and by
`--delay` seconds at least.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, Final, NamedTuple

import cv2
import numpy as np

from solver.grid import parse_grid
from training.evaluate import make_parser, make_table
from training.evaluation.filming_camera import (
    BOARD_PX,
    HEIGHT,
    RATE,
    WIDTH,
    FrameTruth,
    Page,
    Scenario,
    film,
    photo_scenarios,
    rendered_scenarios,
)
from training.evaluation.photo_verdicts import run_product
from training.photo_labels import PhotoLabel, load_photo_labels, locate_board, scale_points
from vision.board import corners_from_lattice
from vision.media.images import load_image

_DRAWN: Final = 0.2
"""Opacity from which an overlay counts as there; a wrong one counts at any."""

_ASTRAY: Final = 0.35
"""How far a crossing may be off for digits to stand in their cells, in cells."""

_QUALITY: Final = 95
_NOISE: Final = 3.0
"""Of the sensor, standard deviation in grey levels."""
_KINDS: Final = ("newspaper", "screen", "handfilled-partial")
_TRIES: Final = 6
_LABEL_MISS: Final = 0.4
"""How far a found corner may lie from a labelled one, in cells."""


@dataclass(frozen=True, eq=False)
class SequenceVerdict:
    """What came of a sequence; times in seconds, errors in pixels.

    Attributes:
        name: of the sequence.
        visible: frames in which the whole board is.
        shown: of them, those with a right overlay in its place.
        wrong: frames with a digit that does not belong where it was drawn.
        first: times from when a board came into view to its first right overlay, one for each
            stretch of frames with the same board in view.
        corner_errors: of every corner of every right overlay.
        jitter: for a sequence in which nothing moves, the greatest standard deviation of any
            corner's x or y, else None.
        work_ms: of every frame, drawing included.
        read_ms: of every recognition.
    """

    name: str
    visible: int
    shown: int
    wrong: int
    first: tuple[float, ...]
    corner_errors: tuple[float, ...]
    jitter: float | None
    work_ms: tuple[float, ...]
    read_ms: tuple[float, ...]


def judge_sequence(
    name: str,
    truths: Sequence[FrameTruth],
    reports: Sequence[dict[str, Any]],
    rate: float,
    *,
    is_still: bool = False,
) -> SequenceVerdict:
    """Hold the report of `sudoku-lens live` against the truth.

    Raises:
        ValueError: if there are not as many reports as frames.
    """
    if len(truths) != len(reports):
        raise ValueError(f"{len(reports)} reports for {len(truths)} frames")
    drawn = [_judge_frame(truth, report) for truth, report in zip(truths, reports, strict=True)]
    right = [report for frame, report in zip(drawn, reports, strict=True) if frame.is_right]
    places = [corners_from_lattice(np.array(report["lattice"], np.float32)) for report in right]
    jitter = float(np.std(places, axis=0).max()) if is_still and places else None
    return SequenceVerdict(
        name=name,
        visible=sum(truth.is_visible for truth in truths),
        shown=sum(one.is_visible and it.is_right for one, it in zip(truths, drawn, strict=True)),
        wrong=sum(frame.is_wrong for frame in drawn),
        first=tuple(_waits(truths, [frame.is_right for frame in drawn], rate)),
        corner_errors=tuple(error for frame in drawn if frame.is_right for error in frame.errors),
        jitter=jitter,
        work_ms=tuple(report["work_ms"] + report["draw_ms"] for report in reports),
        read_ms=tuple(report["read_ms"] for report in reports if report["read_ms"] is not None),
    )


class _Drawn(NamedTuple):
    is_right: bool
    is_wrong: bool
    errors: tuple[float, ...] = ()


def _judge_frame(truth: FrameTruth, report: dict[str, Any]) -> _Drawn:
    digits = parse_grid(report["digits"])
    if report["opacity"] <= 0 or not digits.any() or report["lattice"] is None:
        return _Drawn(is_right=False, is_wrong=False)
    lattice = np.array(report["lattice"], np.float32)
    cell = float(np.linalg.norm(np.diff(truth.lattice, axis=1), axis=2).mean())
    away = np.linalg.norm(lattice - truth.lattice, axis=2)
    agrees = ((digits == 0) | (digits == truth.solution)).all()
    if away.max() >= _ASTRAY * cell or not agrees:
        return _Drawn(is_right=False, is_wrong=True)
    corners = corners_from_lattice(lattice) - corners_from_lattice(truth.lattice)
    errors = tuple(np.linalg.norm(corners, axis=1).tolist())
    return _Drawn(is_right=report["opacity"] >= _DRAWN, is_wrong=False, errors=errors)


def _waits(truths: Sequence[FrameTruth], is_right: Sequence[bool], rate: float) -> list[float]:
    """Return how long each board was in view before its first right overlay."""
    waits = []
    boards = [truth.is_visible and id(truth.solution) for truth in truths]
    for board, stretch in groupby(range(len(truths)), boards.__getitem__):
        start, *later = stretch
        met = next((number for number in (start, *later) if is_right[number]), None)
        end = start + len(later) + 1
        if board and met is not None:
            waits.append((met - start) / rate)
        elif board and not any(boards[end : end + 1]):  # not taken away for another one
            waits.append((end - start) / rate)
    return waits


def format_table(verdicts: Sequence[SequenceVerdict]) -> str:
    """Return the Markdown table of sequences, and of all together."""
    heads = (
        "sequence | visible frames | right overlay | wrong digits | first overlay, s "
        "| corner error, px | jitter, px | ms a frame, median / 95 % | recognition, ms"
    )
    rows = [_row(verdict.name, [verdict]) for verdict in verdicts]
    return make_table(heads, [*rows, _row("**all**", verdicts)])


def _row(name: str, verdicts: Sequence[SequenceVerdict]) -> list[object]:
    visible = sum(verdict.visible for verdict in verdicts)
    shown = sum(verdict.shown for verdict in verdicts)
    first, errors, work, read = (
        [value for verdict in verdicts for value in getattr(verdict, field)]
        for field in ("first", "corner_errors", "work_ms", "read_ms")
    )
    jitters = [verdict.jitter for verdict in verdicts if verdict.jitter is not None]
    return [
        name,
        visible,
        f"{100 * shown / max(visible, 1):.1f} %",
        sum(verdict.wrong for verdict in verdicts),
        f"{statistics.median(first):.2f}" if first else "–",
        f"{statistics.median(errors):.2f}" if errors else "–",
        f"{max(jitters):.3f}" if jitters else "–",
        f"{np.median(work):.1f} / {np.quantile(work, 0.95):.1f}" if work else "–",
        f"{np.median(read):.0f}" if read else "–",
    ]


def _film_scenario(scenario: Scenario, frames: int, path: Path) -> list[FrameTruth]:
    codec = cv2.VideoWriter.fourcc(*"MJPG")
    writer = cv2.VideoWriter(str(path), codec, RATE, (WIDTH, HEIGHT))
    if not writer.isOpened():
        raise OSError(f"{path} cannot be written as a video")
    writer.set(cv2.VIDEOWRITER_PROP_QUALITY, _QUALITY)
    truths = []
    shots = film(scenario.path, frames, seed=1, exposure=scenario.exposure, noise=_NOISE)
    for image, truth in shots:
        writer.write(image)
        truths.append(truth)
    writer.release()
    return truths


def _run_live(video: Path, delay: float, output: Path) -> list[dict[str, Any]]:
    command = [sys.executable, "-m", "app", "live", str(video), "--report", "-", "--quiet"]
    command += ["--delay", str(delay), "-o", str(output)]
    # One core is what the floor on the cost is about.
    environment = {**os.environ, "OPENCV_FOR_THREADS_NUM": "1", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}: {done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def evaluate(scenario: Scenario, options: argparse.Namespace, folder: Path) -> SequenceVerdict:
    """Film one sequence, run the product over it and judge it."""
    stem = scenario.name.replace("/", "-").replace(" ", "-")
    video = folder / f"{stem}.avi"
    truths = _film_scenario(scenario, options.frames, video)
    output = folder / f"{stem}-live.mp4"  # so that drawing is in the cost
    reports = _run_live(video, options.delay, output)
    video.unlink()
    if options.keep is not None:
        lines = [json.dumps(report) for report in reports]
        (folder / f"{stem}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return judge_sequence(scenario.name, truths, reports, RATE, is_still=scenario.is_still)


def _choose_pages(folder: Path, labels: Sequence[PhotoLabel]) -> list[Page]:
    """Return one real photo of each kind, the first whose board the still picture shows well.

    It counts as shown well where the product solves it right, and finds its corners where they are
    labelled. The found lattice is the truth: labels know no crossings.
    """
    pages = []
    for kind in _KINDS:
        fitting = [
            label
            for label in labels
            if label.kind == kind and label.solution is not None and label.corners is not None
        ]
        for label in fitting[:: max(len(fitting) // _TRIES, 1)][:_TRIES]:
            page = _find_page(folder, label)
            if page is not None:
                pages.append(page)
                break
    return pages


def _find_page(folder: Path, label: PhotoLabel) -> Page | None:
    (report,) = run_product(folder, [label.file])
    assert label.solution is not None
    assert label.corners is not None
    solution = "".join(map(str, label.solution.ravel()))
    if not report["boards"] or report["boards"][0]["solution"] != solution:
        return None
    image = load_image(folder / label.file)
    lattice = locate_board(image, label)
    side = float(np.linalg.norm(label.corners[1] - label.corners[0]))
    if np.abs(corners_from_lattice(lattice) - label.corners).max() >= _LABEL_MISS * side / 9:
        return None
    scale = min(BOARD_PX / side, 2.0)
    mode = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    scaled = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=mode), np.uint8)
    moved = scale_points(lattice, scale)
    return Page(f"photo {label.file}", scaled, moved, label.solution)


def _makers(options: argparse.Namespace) -> dict[str, Callable[[], Scenario]]:
    makers = rendered_scenarios()
    if options.photos is None:
        return makers
    if not (options.photos / "photos.csv").is_file():
        print(f"{options.photos}: no photos.csv, so no sequences of photos", file=sys.stderr)
        return makers
    pages = _choose_pages(options.photos, load_photo_labels(options.photos))
    return {**makers, **photo_scenarios(pages)}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; 1 when a wrong digit was shown."""
    parser = make_parser("live", "Judge the live view on filmed pages, frame by frame.")
    parser.add_argument("photos", type=Path, nargs="?", help="folder of the labelled photos")
    parser.add_argument("--frames", type=int, default=300, help="of each sequence, default 300")
    parser.add_argument("--only", action="append", default=[], help="name of a sequence")
    text = "least seconds of a recognition, default 0.05"
    parser.add_argument("--delay", type=float, default=0.05, help=text)
    parser.add_argument("--keep", type=Path, help="folder where videos and reports are left")
    options = parser.parse_args(arguments)
    makers = _makers(options)
    unknown = [name for name in options.only if name not in makers]
    if unknown:
        parser.error(f"no sequence {unknown[0]!r}; there are {', '.join(makers)}")
    if options.frames < 1:
        parser.error("--frames must be 1 or more")
    verdicts = []
    with tempfile.TemporaryDirectory(prefix="live-") as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for name, make in makers.items():
            if options.only and name not in options.only:
                continue
            verdicts.append(evaluate(make(), options, folder))
            print(f"{name}: {verdicts[-1].shown} of {verdicts[-1].visible}", file=sys.stderr)
    print(f"Recognition takes {options.delay:g} s at least; {options.frames} frames a sequence.\n")
    print(format_table(verdicts))
    return 1 if any(verdict.wrong for verdict in verdicts) else 0
