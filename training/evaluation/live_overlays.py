"""Films pages with a virtual camera, runs the live view over them and judges every frame.

    python -m training.evaluate live ../shared/data/photos
    python -m training.evaluate live --only still --only "page changes" --frames 100

prints a Markdown table. The sequences are what a hand, a page and a lamp do in ten seconds. The
product is run as users run it, `sudoku-lens live --report -`; what it recognises in a frame reaches
it later, as from a camera: by the processor time that it took, and by `--delay` seconds at least.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from solver.grid import Grid, parse_grid
from training.evaluate import make_table
from training.evaluation.filming_camera import (
    HEIGHT,
    RATE,
    WIDTH,
    CameraPath,
    CameraPose,
    Light,
    Moment,
    Page,
    bend_page,
    choose_photo_pages,
    film,
    print_live_page,
)
from training.photo_labels import load_photo_labels
from vision.board import corners_from_lattice


@dataclass(frozen=True, eq=False)
class _Scenario:
    """A sequence that can be filmed.

    Attributes:
        name: what happens in it.
        path: what lies before the camera at a time.
        exposure: share of a frame's time that the shutter is open.
        noise: of the sensor, standard deviation in grey levels.
        is_still: whether nothing moves, so that jitter can be told.
    """

    name: str
    path: CameraPath
    exposure: float = 0.4
    noise: float = 3.0
    is_still: bool = False


_Make = Callable[[], _Scenario]


def rendered_scenarios() -> dict[str, _Make]:
    """Return what makes each sequence of rendered pages, by name."""
    makers: dict[str, Callable[[], CameraPath]] = {
        "still": lambda: _still(print_live_page(0)),
        "hand shake": lambda: _hand(print_live_page(1)),
        "tilt": lambda: _tilting(print_live_page(2, "magazine")),
        "zoom": lambda: _zooming(print_live_page(3)),
        "motion blur": lambda: _jerks(print_live_page(4, "print")),
        "light": lambda: _lamp(print_live_page(5)),
        "leaves and returns": lambda: _leaving(print_live_page(6)),
        "page changes": lambda: _changing([print_live_page(7), print_live_page(8)]),
        "bent page": lambda: _circling(bend_page(print_live_page(9), 0.06)),
    }
    return {name: partial(_make, name, make) for name, make in makers.items()}


def _photo_scenarios(pages: Sequence[Page]) -> dict[str, _Make]:
    """Return what makes each sequence of real photos, by name."""
    paths = (_hand, _tilting, _leaving)
    return {
        page.name: partial(_make, page.name, partial(path, page))
        for page, path in zip(pages, paths, strict=False)
    }


def _make(name: str, make: Callable[[], CameraPath]) -> _Scenario:
    exposure = 0.9 if name == "motion blur" else 0.4
    return _Scenario(name, make(), exposure, is_still=name == "still")


@lru_cache(maxsize=64)
def _waves(seed: int, slow_hz: float, fast_hz: float) -> Callable[[float], float]:
    """Return a smooth wandering of unit strength: a sum of sines, slower ones stronger."""
    rng, count = np.random.default_rng([5, seed]), 6
    rates = np.exp(rng.uniform(np.log(slow_hz), np.log(fast_hz), count))
    phases = rng.uniform(0, 2 * np.pi, count)
    weights = 1 / rates
    weights /= np.sqrt((weights**2).sum() / 2)
    return lambda seconds: float((weights * np.sin(2 * np.pi * rates * seconds + phases)).sum())


def _shaken(pose: CameraPose, seconds: float, strength: float, seed: int = 0) -> CameraPose:
    """Return the pose as a hand holds it: the palm drifts, the fingers tremble."""
    drift = [_waves(seed + n, 0.15, 1.2)(seconds) * strength for n in range(6)]
    tremble = [_waves(100 + seed + n, 4.0, 10.0)(seconds) * strength for n in range(2)]
    return replace(
        pose,
        x=pose.x + 18 * drift[0] + 2.5 * tremble[0],
        y=pose.y + 12 * drift[1] + 2.5 * tremble[1],
        side=pose.side * (1 + 0.02 * drift[2]),
        tilt=pose.tilt + 1.5 * drift[3],
        pan=pose.pan + 1.5 * drift[4],
        turn=pose.turn + 1.2 * drift[5],
    )


def _still(page: Page) -> CameraPath:
    pose = CameraPose(x=12.3, y=-5.7, side=482.0, tilt=14.0, pan=-9.0, turn=3.0)
    return lambda _: Moment(page, pose)


def _hand(page: Page) -> CameraPath:
    base = CameraPose(side=460.0, tilt=12.0, pan=6.0, turn=-4.0)
    return lambda seconds: Moment(page, _shaken(base, seconds, 1.0))


def _tilting(page: Page) -> CameraPath:
    def path(seconds: float) -> Moment:
        swing = 2 * np.pi * seconds / 5
        base = CameraPose(
            side=440.0,
            tilt=34 * np.sin(swing),
            pan=30 * np.sin(1.3 * swing + 1),
            turn=15 * np.sin(0.7 * swing),
        )
        return Moment(page, _shaken(base, seconds, 0.6, seed=20))

    return path


def _zooming(page: Page) -> CameraPath:
    def path(seconds: float) -> Moment:
        side = 430.0 * np.exp(0.42 * np.sin(2 * np.pi * seconds / 4))
        return Moment(page, _shaken(CameraPose(side=side, tilt=8.0), seconds, 0.5, seed=30))

    return path


def _jerks(page: Page) -> CameraPath:
    """Move in jerks: half a second still, then quickly to another place."""

    def path(seconds: float) -> Moment:
        rng = np.random.default_rng(3)
        stops = rng.uniform((-260, -70), (260, 70), (40, 2))
        leg = int(max(seconds, 0) / 0.8)
        within = max(seconds, 0) / 0.8 - leg
        share = np.clip((within - 0.5) / 0.5, 0, 1)
        share = share * share * (3 - 2 * share)
        x, y = stops[leg] * (1 - share) + stops[leg + 1] * share
        base = CameraPose(x=float(x), y=float(y), side=440.0, tilt=10.0, turn=5.0)
        return Moment(page, _shaken(base, seconds, 0.4, seed=40))

    return path


def _lamp(page: Page) -> CameraPath:
    """Let the camera's exposure hunt, a lamp be switched off and on, and a shadow pass."""

    def path(seconds: float) -> Moment:
        gain = 0.85 + 0.25 * np.sin(2 * np.pi * seconds / 3)
        if 4.0 <= seconds < 6.0:
            gain *= 0.55
        edge = (seconds - 6.0) / 3.0
        light = Light(float(gain), 0.45 if 0 <= edge <= 1.2 else 0.0, float(edge))
        base = CameraPose(side=455.0, tilt=10.0, pan=-8.0)
        return Moment(page, _shaken(base, seconds, 0.7, seed=50), light)

    return path


def _leaving(page: Page) -> CameraPath:
    """Turn the camera away and back, twice: to the side, then upwards."""

    def path(seconds: float) -> Moment:
        side = _bump(seconds, 2.5, 4.5)
        up = _bump(seconds, 6.0, 8.0)
        base = CameraPose(x=1100 * side, y=-760 * up, side=450.0, tilt=10.0, turn=-3.0)
        return Moment(page, _shaken(base, seconds, 0.6, seed=60))

    return path


def _bump(seconds: float, start: float, end: float) -> float:
    """Return 0 outside of the time and 1 in its middle half, smooth between."""
    ramp = (end - start) / 4
    share = float(np.clip(min(seconds - start, end - seconds) / ramp, 0, 1))
    return share * share * (3 - 2 * share)


def _changing(pages: Sequence[Page]) -> CameraPath:
    """Lay another page in the same place, then the first again; then pull one away sideways."""

    def path(seconds: float) -> Moment:
        base = CameraPose(side=450.0, tilt=9.0, turn=2.0)
        pose = _shaken(base, seconds, 0.6, seed=70)
        if seconds < 2.5:
            return Moment(pages[0], pose)
        if seconds < 5.0:
            return Moment(pages[1], pose)
        if seconds < 7.5:
            return Moment(pages[0], pose)
        away = float(np.clip((seconds - 7.5) / 0.4, 0, 1))
        if away < 1:
            return Moment(pages[0], replace(pose, x=pose.x + 1150 * away * away))
        back = float(np.clip((seconds - 7.9) / 0.4, 0, 1))
        return Moment(pages[1], replace(pose, x=pose.x - 1150 * (1 - back) ** 2))

    return path


def _circling(page: Page) -> CameraPath:
    def path(seconds: float) -> Moment:
        swing = 2 * np.pi * seconds / 6
        base = CameraPose(side=450.0, tilt=16 * np.sin(swing), pan=16 * np.cos(swing))
        return Moment(page, _shaken(base, seconds, 0.6, seed=80))

    return path


Points = npt.NDArray[np.float32]

_DRAWN: Final = 0.2
"""Opacity from which an overlay counts as there; a wrong one counts at any."""

_ASTRAY: Final = 0.35
"""How far a crossing may be off for digits to stand in their cells, in cells."""

_QUALITY: Final = 95


@dataclass(frozen=True, eq=False)
class FrameTruth:
    """What a frame really shows.

    Attributes:
        lattice: (10, 10, 2) float32 in pixels of the frame, wherever that is.
        solution: (9, 9) uint8.
        is_visible: whether the whole board is in the frame.
    """

    lattice: Points
    solution: Grid
    is_visible: bool


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
    errors = [frame.errors for frame in drawn if frame.is_right]
    places = [
        corners_from_lattice(np.array(report["lattice"], np.float32))
        for frame, report in zip(drawn, reports, strict=True)
        if frame.is_right
    ]
    jitter = float(np.std(places, axis=0).max()) if is_still and places else None
    return SequenceVerdict(
        name=name,
        visible=sum(truth.is_visible for truth in truths),
        shown=sum(
            truth.is_visible and frame.is_right for truth, frame in zip(truths, drawn, strict=True)
        ),
        wrong=sum(frame.is_wrong for frame in drawn),
        first=tuple(_waits(truths, [frame.is_right for frame in drawn], rate)),
        corner_errors=tuple(float(error) for four in errors for error in four),
        jitter=jitter,
        work_ms=tuple(report["work_ms"] + report["draw_ms"] for report in reports),
        read_ms=tuple(report["read_ms"] for report in reports if report["read_ms"] is not None),
    )


@dataclass(frozen=True)
class _Drawn:
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
    is_in_place = bool(away.max() < _ASTRAY * cell)
    agrees = bool(((digits == 0) | (digits == truth.solution)).all())
    if not (is_in_place and agrees):
        return _Drawn(is_right=False, is_wrong=True)
    corners = corners_from_lattice(lattice) - corners_from_lattice(truth.lattice)
    errors = tuple(np.linalg.norm(corners, axis=1).tolist())
    return _Drawn(is_right=report["opacity"] >= _DRAWN, is_wrong=False, errors=errors)


def _waits(truths: Sequence[FrameTruth], is_right: Sequence[bool], rate: float) -> list[float]:
    """Return how long each board was in view before its first right overlay."""
    waits: list[float] = []
    start: int | None = None
    is_met = False
    for number, truth in enumerate(truths):
        before = truths[number - 1] if number else None
        is_new = before is None or not before.is_visible or before.solution is not truth.solution
        if truth.is_visible and is_new:
            start, is_met = number, False
        if start is not None and not is_met and is_right[number]:
            waits.append((number - start) / rate)
            is_met = True
        is_last = number + 1 == len(truths) or not truths[number + 1].is_visible
        if start is not None and is_last:
            if not is_met and truth.is_visible:
                waits.append((number + 1 - start) / rate)
            start = None
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
    first = [value for verdict in verdicts for value in verdict.first]
    errors = [value for verdict in verdicts for value in verdict.corner_errors]
    jitters = [verdict.jitter for verdict in verdicts if verdict.jitter is not None]
    work = [value for verdict in verdicts for value in verdict.work_ms]
    read = [value for verdict in verdicts for value in verdict.read_ms]
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


def _film_scenario(scenario: _Scenario, frames: int, path: Path) -> list[FrameTruth]:
    codec = cv2.VideoWriter.fourcc(*"MJPG")
    writer = cv2.VideoWriter(str(path), codec, RATE, (WIDTH, HEIGHT))
    if not writer.isOpened():
        raise OSError(f"{path} cannot be written as a video")
    writer.set(cv2.VIDEOWRITER_PROP_QUALITY, _QUALITY)
    truths = []
    shots = film(scenario.path, frames, seed=1, exposure=scenario.exposure, noise=scenario.noise)
    for shot in shots:
        writer.write(shot.image)
        truths.append(FrameTruth(shot.lattice, shot.page.solution, shot.is_visible))
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


def evaluate(scenario: _Scenario, options: argparse.Namespace, folder: Path) -> SequenceVerdict:
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


def _makers(options: argparse.Namespace) -> dict[str, _Make]:
    makers = rendered_scenarios()
    if options.photos is None:
        return makers
    if not (options.photos / "photos.csv").is_file():
        print(f"{options.photos}: no photos.csv, so no sequences of photos", file=sys.stderr)
        return makers
    pages = choose_photo_pages(options.photos, load_photo_labels(options.photos))
    return {**makers, **_photo_scenarios(pages)}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; 1 when a wrong digit was shown."""
    parser = argparse.ArgumentParser(
        prog="python -m training.evaluate live",
        description="Judge the live view on filmed pages, frame by frame.",
    )
    parser.add_argument("photos", type=Path, nargs="?", help="folder of the labelled photos")
    parser.add_argument("--frames", type=int, default=300, help="of each sequence, default 300")
    parser.add_argument("--only", action="append", default=[], help="name of a sequence")
    parser.add_argument(
        "--delay", type=float, default=0.05, help="least seconds of a recognition, default 0.05"
    )
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
