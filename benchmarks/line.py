"""How long the pipeline from a photo's bytes to its solution takes, warm and cold.

    python -m benchmarks.line ../shared/data/photos

Warm: each photo is solved a few times in one process and its best run counts, as the machine may
be shared. Cold: `sudoku-lens solve` in a process of its own, with its peak memory.
"""

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from app.recognition.pipeline import Pipeline
from app.recognition.timing import STAGES, StageClock
from models.digits import BOARD_DIGITS, DigitReader
from training.evaluate import format_head, format_row
from vision.media.images import load_image

_KINDS: Final = {"640×480": (300_000, 310_000), "12 megapixels": (12_000_000, 16_000_000)}
"""Photos are grouped by their number of pixels, from and to."""

_PEAK: Final = (
    "import resource, subprocess, sys; "
    "code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode; "
    "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024); sys.exit(code)"
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Measure the pipeline from bytes to solution.")
    parser.add_argument("folder", type=Path, help="folder with photos in folders")
    parser.add_argument("--photos", type=int, default=40, help="of each kind, default 40")
    parser.add_argument("--runs", type=int, default=5, help="default 5")
    options = parser.parse_args(arguments)
    pipeline = Pipeline.load()
    chosen = _choose_photos(options.folder, options.photos)
    print(format_head(f"ms, median / 95th percentile | photos | {' | '.join(STAGES)} | total"))
    for kind, paths in chosen.items():
        if paths:
            spent = [_time_photo(pipeline, path, options.runs) for path in paths]
            print(format_row((kind, len(paths), *_summarize(spent))))
    cells = np.random.default_rng(0).integers(0, 256, (81, 32, 32), dtype=np.uint8)
    print()
    for name in ("digits", BOARD_DIGITS):
        read = partial(DigitReader.load(name=name).read, cells)
        print(f"reading 81 cells with {name}: {1e3 * _best_of(read, 50):.1f} ms")
    for kind, paths in chosen.items():
        if paths:
            runs = [_time_cold(paths[0]) for _ in range(options.runs)]
            seconds, megabytes = (statistics.median(values) for values in zip(*runs, strict=True))
            print(f"cold, {kind}: {seconds:.2f} s, at most {megabytes:.0f} MB")
    return 0


def _choose_photos(folder: Path, count: int) -> dict[str, list[Path]]:
    """Return photos of each kind, evenly spread over the folder."""
    sizes = {path: load_image(path).shape[:2] for path in sorted(folder.glob("[!d]*/*.jpg"))}
    chosen = {}
    for kind, (low, high) in _KINDS.items():
        fitting = [path for path, (height, width) in sizes.items() if low <= height * width < high]
        chosen[kind] = fitting[:: max(len(fitting) // count, 1)][:count]
    return chosen


def _time_photo(pipeline: Pipeline, path: Path, runs: int) -> list[float]:
    """Return the milliseconds of every stage in the fastest run."""
    data = path.read_bytes()
    spent = []
    for _ in range(runs):
        clock = StageClock()
        with clock.stage("load"):
            image = load_image(data)
        seconds = pipeline.solve_photo(image, clock).seconds
        spent.append([1e3 * seconds.get(stage, 0.0) for stage in STAGES])
    return min(spent, key=sum)


def _summarize(spent: list[list[float]]) -> list[str]:
    """Return median and 95th percentile of each stage, and of all together."""
    table = np.array([[*stages, sum(stages)] for stages in spent])
    middle, high = np.median(table, axis=0), np.quantile(table, 0.95, axis=0)
    return [f"{m:.1f} / {h:.1f}" for m, h in zip(middle, high, strict=True)]


def _time_cold(path: Path) -> tuple[float, float]:
    """Return wall seconds and peak megabytes of `sudoku-lens solve` in a new process."""
    command = [sys.executable, "-c", _PEAK, sys.executable, "-m", "app", "solve", "-q", str(path)]
    start = time.perf_counter()
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    return time.perf_counter() - start, float(ended.stdout)


def _best_of(work: Callable[[], object], runs: int) -> float:
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


if __name__ == "__main__":
    sys.exit(main())
