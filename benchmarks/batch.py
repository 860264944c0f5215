"""Measure batches of photos: rates, memory, the start, and what bounds a cluster.

    python -m benchmarks.batch rates ../shared/data/photos/wichtounet
    python -m benchmarks.batch memory ../shared/data/photos --photos 5000
    python -m benchmarks.batch start samples/newspaper.jpg
    python -m benchmarks.batch client --photos 3000
    python -m benchmarks.batch overlays --photos 300
    python -m benchmarks.batch engine --photos 3000

Rates and the start are those of the whole command in a process of its own, with overlays and
report. Memory is what each worker holds of its own, as Linux tells it.

The last three are what a batch on a cluster is bounded by, apart from the photos themselves:
`client` is the process that was started, which meets photos and writes down what comes back from an
engine that does nothing; `overlays` adds the pictures. `engine` is all of it on a cluster of this
machine, with photos that cost nothing.
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
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, Final

from app.batch.batch_run import Run, RunOptions
from app.batch.inputs import InputLister, InputNames
from app.batch.overlay_files import NamerOptions, OutputNamer, writing_whole
from app.batch.photo_work import (
    Decoded,
    Engine,
    Job,
    JobResult,
    Work,
    WorkOptions,
    load_work,
    work_here,
)
from app.batch.run_journal import Journal
from app.batch.sources import digest_bytes
from app.terminal.exit_codes import Stop
from app.workers.worker_pool import PoolOptions
from benchmarks.processes import workers_mb

_BATCH: Final = (sys.executable, "-m", "app", "batch")
_LOOKS: Final = 10
_RECORD: Final = (
    '{"outcome": "no_board", "boards": [{"outcome": "solved", "corners": [[110.25, 96.5], '
    '[890.75, 101.5], [902.5, 880.25], [101.25, 872.5]], "clues": "' + "1........" * 9 + '", '
    '"entries": "' + "." * 81 + '", "solution": "' + "123456789" * 9 + '", "confidence": 0.9876, '
    '"corrected": [], "solver": "bitmask", "unsure": [], "advice": []}], "seconds": '
    '{"load": 0.0123, "find": 0.0456, "read": 0.0234, "decode": 0.0012, "solve": 0.0004}}'
)
"""As long as that of a photo with one board."""

_OVERLAY_BYTES: Final = 300_000
_LEAST_BYTES: Final = 100_000
_SIZES: Final = 1000
"""Of photos, so that some have the same, as copies would."""
_WORKERS: Final = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Measure batches of photos.")
    parser.add_argument("what", choices=list(_WHAT))
    parser.add_argument("photos_of", nargs="?", default="samples", help="folder, or a photo")
    parser.add_argument("--photos", type=int, default=1000, help="how many, default 1000")
    parser.add_argument("--jobs", type=int, nargs="+", default=[1, 2], help="default 1 2")
    parser.add_argument("--runs", type=int, default=3, help="default 3")
    options = parser.parse_args(arguments)
    _WHAT[options.what](options)
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
    listed = InputLister(InputNames((folder,), recursive=True), lambda _: False, print)
    paths = [found.path for found in listed.files() if found.kind == "photo"]
    with tempfile.TemporaryDirectory() as outputs:
        overlay = str(Path(outputs, "overlay.jpg"))
        supply = itertools.islice(itertools.cycle(paths), photos)
        jobs_of = (Job(number, path, overlay) for number, path in enumerate(supply))
        options, load = PoolOptions(workers=jobs), partial(load_work, WorkOptions())
        done = work_here(load, options, jobs_of, lambda: False)
        for number, _ in enumerate(done, start=1):
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


def load_nothing() -> Work:
    """Load work that does nothing."""
    return _do_nothing


def _do_nothing(job: Job, decoded: Decoded) -> JobResult:
    decoded()
    return _done(job)


def _done(job: Job, outcome: str = "no_board") -> JobResult:
    return JobResult(job, digest_bytes(job.path.encode()), outcome, _RECORD, 0.0)


class _NoWorkers:
    """Gives every job back at once, with an overlay if one is wanted."""

    def run(
        self, jobs: Iterator[Job | None], is_stopping: Callable[[], bool]
    ) -> Generator[JobResult, None, None]:
        data = os.urandom(_OVERLAY_BYTES)
        for job in jobs:
            if job is None:
                continue
            if job.overlay is not None:
                with writing_whole(Path(job.overlay)) as file:
                    file.write(data)
            digest = digest_bytes(job.path.encode())
            if job.is_lookup:
                yield JobResult(job, digest, "", "", 0.0)
            else:
                yield _done(job, "no_board" if job.overlay is None else "solved")


def _print_client(photos: int, *, has_overlays: bool) -> None:
    """Print how many photos a second one process can hand out and write down."""
    with tempfile.TemporaryDirectory() as outputs:
        seconds, journal_bytes = _work_off(_NoWorkers(), photos, Path(outputs), has_overlays)
        megabytes = photos * _OVERLAY_BYTES / 1e6 if has_overlays else 0.0
    print(
        f"{photos} photos met and written down in {seconds:.2f} s, {photos / seconds:.0f} a second"
    )
    print(f"{journal_bytes / photos:.0f} bytes of journal a photo")
    if has_overlays:
        print(f"{megabytes / seconds:.0f} MB of overlays a second")


def _print_engine(photos: int) -> None:
    """Print how many photos that cost nothing go through a cluster of this machine a second."""
    from app.batch.dask_cluster import work_on_cluster
    from benchmarks.batch import load_nothing as load_by_name

    with _local_cluster() as cluster, tempfile.TemporaryDirectory() as outputs:
        engine = partial(work_on_cluster, load_by_name, cluster.scheduler_address, PoolOptions())
        _work_off(engine, 200, Path(outputs, "first"), has_overlays=False)  # processes start
        seconds, _ = _work_off(engine, photos, Path(outputs, "second"), has_overlays=False)
    print(f"{photos} photos through {_WORKERS} workers: {photos / seconds:.0f} a second")


def _work_off(engine: Engine, photos: int, outputs: Path, has_overlays: bool) -> tuple[float, int]:
    """Return how long a run over files without content takes, and how large its journal is."""
    outputs.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as album:
        for number in range(photos):
            with Path(album, f"{number:06}.jpg").open("wb") as file:
                file.truncate(_LEAST_BYTES + number % _SIZES)  # no disk space is taken
        with closing(Journal.open(outputs / "journal.sqlite")) as journal:
            journal.begin_run("benchmark")
            namer = OutputNamer(journal, NamerOptions(str(outputs)), lambda _: False)
            chosen = RunOptions(is_drawn=has_overlays, reads_contents=False)
            run = Run(journal, namer, chosen, Stop())
            found = InputLister(InputNames((album,)), lambda _: False, print).files()
            start = time.perf_counter()
            run.work_off(found, engine, lambda: None)
            seconds = time.perf_counter() - start
            assert run.tally.photos == photos
        return seconds, (outputs / "journal.sqlite").stat().st_size


def _local_cluster() -> Any:
    from distributed import LocalCluster

    return LocalCluster(
        n_workers=_WORKERS,
        threads_per_worker=1,
        dashboard_address="127.0.0.1:0",
        scheduler_kwargs={"dashboard": False},
        memory_limit=0,
        silence_logs=50,
    )


_WHAT: Final[dict[str, Callable[[argparse.Namespace], None]]] = {
    "rates": lambda given: _print_rates(given.photos_of, given.jobs, given.runs),
    "memory": lambda given: _print_memory(given.photos_of, given.photos, given.jobs[-1]),
    "start": lambda given: _print_start(given.photos_of, given.runs),
    "client": lambda given: _print_client(given.photos, has_overlays=False),
    "overlays": lambda given: _print_client(given.photos, has_overlays=True),
    "engine": lambda given: _print_engine(given.photos),
}

if __name__ == "__main__":
    sys.exit(main())
