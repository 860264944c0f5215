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
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import cv2

from training.live.filmed_pages import choose_photo_pages
from training.live.filming_camera import HEIGHT, RATE, WIDTH, film
from training.live.frame_verdicts import FrameTruth, SequenceVerdict, format_table, judge_sequence
from training.live.live_sequences import Make, Scenario, photo_scenarios, rendered_scenarios
from training.photos.photo_labels import load_photo_labels

_QUALITY: Final = 95


def film_scenario(scenario: Scenario, frames: int, path: Path) -> list[FrameTruth]:
    """Write a sequence as a video and return the truth about its frames.

    Raises:
        OSError: if the video cannot be written.
    """
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


def run_live(video: Path, delay: float, output: Path) -> list[dict[str, Any]]:
    """Return the product's report of every frame.

    Raises:
        RuntimeError: if the product ends with an error.
    """
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
    truths = film_scenario(scenario, options.frames, video)
    output = folder / f"{stem}-live.mp4"  # so that drawing is in the cost
    reports = run_live(video, options.delay, output)
    video.unlink()
    if options.keep is not None:
        lines = [json.dumps(report) for report in reports]
        (folder / f"{stem}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return judge_sequence(scenario.name, truths, reports, RATE, is_still=scenario.is_still)


def _makers(options: argparse.Namespace) -> dict[str, Make]:
    makers = rendered_scenarios()
    if options.photos is None:
        return makers
    if not (options.photos / "photos.csv").is_file():
        print(f"{options.photos}: no photos.csv, so no sequences of photos", file=sys.stderr)
        return makers
    pages = choose_photo_pages(options.photos, load_photo_labels(options.photos))
    return {**makers, **photo_scenarios(pages)}


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


if __name__ == "__main__":
    sys.exit(main())
