"""Measure batches of photos: rates, memory, the start, and what is known already.

    python -m benchmarks.batch rates ../shared/data/photos/wichtounet
    python -m benchmarks.batch memory ../shared/data/photos --photos 5000
    python -m benchmarks.batch start samples/newspaper.jpg
    python -m benchmarks.batch known --photos 10000

Rates and the start are those of the whole command in a process of its own, with overlays and
report. Memory is what each worker holds of its own, as Linux tells it.
"""

import argparse
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from app.batch.batch_run import Run, RunOptions
from app.batch.inputs import Lister, Naming
from app.batch.local_pool import LocalPool, PoolOptions
from app.batch.overlay_files import Namer, NamerOptions
from app.batch.photo_work import Done, Job, WorkOptions, load_work
from app.batch.run_journal import Journal
from app.batch.sources import digest_file
from app.terminal.exit_codes import Stop
from benchmarks.processes import workers_mb

_BATCH: Final = (sys.executable, "-m", "app", "batch")
_LOOKS: Final = 10


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Measure batches of photos.")
    parser.add_argument("what", choices=["rates", "memory", "start", "known"])
    parser.add_argument("photos_of", nargs="?", default="samples", help="folder, or a photo")
    parser.add_argument("--photos", type=int, default=1000, help="how many, default 1000")
    parser.add_argument("--jobs", type=int, nargs="+", default=[1, 2], help="default 1 2")
    parser.add_argument("--runs", type=int, default=3, help="default 3")
    options = parser.parse_args(arguments)
    if options.what == "rates":
        _print_rates(options.photos_of, options.jobs, options.runs)
    elif options.what == "memory":
        _print_memory(options.photos_of, options.photos, options.jobs[-1])
    elif options.what == "start":
        _print_start(options.photos_of, options.runs)
    else:
        _print_known(options.photos, options.runs)
    return 0


def _print_rates(folder: str, jobs: Sequence[int], runs: int) -> None:
    """Print photos a second by number of processes, the best of some runs each, and the ratio."""
    rates = {}
    for number in jobs:
        seconds, n = min(_time_batch(folder, number) for _ in range(runs))
        rates[number] = n / seconds
        print(f"{number} processes: {n} photos in {seconds:.1f} s, {n / seconds:.1f} a second")
    first = jobs[0]
    for number in jobs[1:]:
        print(f"{number} processes are {rates[number] / rates[first]:.2f} times {first}")


def _time_batch(folder: str, jobs: int) -> tuple[float, int]:
    """Return how long a batch takes, from command to end, and how many photos it has."""
    with tempfile.TemporaryDirectory() as outputs:
        report = Path(outputs, "report.jsonl")
        wishes = ["-r", "-q", "-o", outputs, "--report", str(report), "--jobs", str(jobs)]
        start = time.perf_counter()
        subprocess.run([*_BATCH, folder, *wishes], stdout=subprocess.DEVNULL, check=False)
        seconds = time.perf_counter() - start
        return seconds, len(report.read_bytes().splitlines())


def _print_memory(folder: str, photos: int, jobs: int) -> None:
    """Print what the workers hold while they do photos of a folder again and again."""
    listed = Lister(Naming((folder,), recursive=True), lambda _: False, print)
    paths = [found.path for found in listed.files() if found.kind == "photo"]
    with tempfile.TemporaryDirectory() as outputs:
        overlay = str(Path(outputs, "overlay.jpg"))
        supply = itertools.islice(itertools.cycle(paths), photos)
        jobs_of = (Job(number, path, overlay) for number, path in enumerate(supply))
        pool = LocalPool(partial(load_work, WorkOptions()), PoolOptions(workers=jobs))
        for number, _ in enumerate(pool.run(jobs_of, lambda: False), start=1):
            if number % max(photos // _LOOKS, 1) == 0:
                held = ", ".join(
                    f"{now:.0f} MB, at most {most:.0f}" for now, most in workers_mb(os.getpid())
                )
                print(f"after {number} photos: {held}", flush=True)


def _print_start(photo: str, runs: int) -> None:
    """Print how long after the command the work on the first photo begins."""
    starts = []
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as outputs:
            start = time.perf_counter()
            command = [*_BATCH, photo, "--json", "-q", "-o", outputs, "--jobs", "1"]
            with subprocess.Popen(command, stdout=subprocess.PIPE) as run:
                assert run.stdout is not None
                report = json.loads(run.stdout.readline())
                told = time.perf_counter() - start
            starts.append(told - sum(report["seconds"].values()))
    print(
        f"the first photo is begun after {statistics.median(starts):.2f} s, best {min(starts):.2f}"
    )
    print("(to its report's line, less its stages; drawing and writing are among the seconds)")


class _Instant:
    """An engine that solves everything at once, so that only the batch itself takes time."""

    def run(
        self, jobs: Iterator[Job | None], is_stopping: Callable[[], bool]
    ) -> Generator[Done, None, None]:
        for job in jobs:
            if job is not None and job.overlay is not None and not is_stopping():
                Path(job.overlay).write_bytes(b"overlay")
                record = json.dumps({"outcome": "solved", "boards": [], "seconds": {}})
                yield Done(job, digest_file(job.path), "solved", record, 0.0)


def _print_known(photos: int, runs: int) -> None:
    """Print how fast photos are passed over that the journal knows, with their overlays."""
    with tempfile.TemporaryDirectory() as folder:
        album, out = Path(folder, "album"), Path(folder, "out")
        album.mkdir()
        out.mkdir()
        for number in range(photos):
            (album / f"{number:07}.jpg").write_text(f"photo {number}")
        times = [_time_once(partial(pass_over, album, out, photos)) for _ in range(runs + 1)]
        best = min(times[1:])
        print(f"journaled: {photos / times[0]:,.0f} photos a second")
        print(f"known: {photos} passed over in {best:.2f} s, {photos / best:,.0f} a second")


def pass_over(album: Path, out: Path, photos: int) -> None:
    """Run a batch whose photos cost nothing."""
    journal = Journal.open(out / "journal.sqlite")
    journal.begin_run("none")
    namer = Namer(journal, NamerOptions(str(out)), lambda _: False)
    run = Run(journal, namer, RunOptions(), Stop())
    lister = Lister(
        Naming((str(album),)), lambda path: journal.find_output(path) is not None, print
    )
    run.work_off(lister.files(), _Instant(), lambda: None)
    journal.close()
    assert run.tally.photos == photos


def _time_once(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


if __name__ == "__main__":
    sys.exit(main())
