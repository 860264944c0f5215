"""Measure what a batch on a cluster is bounded by, apart from the photos themselves.

    python -m benchmarks.cluster client --photos 5000
    python -m benchmarks.cluster overlays --photos 500
    python -m benchmarks.cluster scheduler --photos 5000
    python -m benchmarks.cluster engine --photos 5000
    python -m benchmarks.cluster list --photos 10000
    python -m benchmarks.cluster photos ../shared/data/photos --photos 60
    python -m benchmarks.cluster plan --photos 100000000

`client` is the process that was started: it meets photos, and writes down what comes back, here
from an engine that does nothing; `overlays` adds the pictures. `scheduler` is Dask alone, with
tasks that do nothing; `engine` is all of it with photos that cost nothing. `photos` tells
what photos, overlays and records weigh. `plan` computes a large run from the rates that are given
to it, and measures nothing.
"""

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from app.batch.batch_run import Run, RunOptions
from app.batch.inputs import Lister, Naming
from app.batch.output_files import Namer, NamerOptions, writing_whole
from app.batch.photo_work import Decoded, Done, Engine, Job, Work
from app.batch.run_journal import Journal
from app.batch.run_progress import format_span
from app.batch.sources import digest_bytes, list_address
from app.cli.photo_options import BatchOptions
from app.terminal.console import Stop

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
_TASKS_AHEAD: Final = 200
_WORKERS: Final = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Measure what bounds a batch on a cluster.")
    kinds = ["client", "overlays", "scheduler", "engine", "list", "photos", "plan"]
    parser.add_argument("what", choices=kinds)
    parser.add_argument("photos_of", nargs="?", default="samples", help="folder")
    parser.add_argument("--photos", type=int, default=5000, help="how many, default 5000")
    for name, (value, meaning) in _MEASURED.items():
        text = f"of plan: {meaning}, default {value:g}"
        parser.add_argument(f"--{name}", type=float, default=value, help=text)
    options = parser.parse_args(arguments)
    if options.what == "scheduler":
        print_scheduler(options.photos)
    elif options.what == "list":
        print_listing(options.photos)
    elif options.what == "photos":
        print_photos(options.photos_of, options.photos)
    elif options.what == "plan":
        print_plan(options.photos, {name: getattr(options, name) for name in _MEASURED})
    elif options.what == "engine":
        print_engine(options.photos)
    else:
        print_client(options.photos, has_overlays=options.what == "overlays")
    return 0


_MEASURED: Final = {
    "rate": (14.7, "photos a second and core"),
    "client": (6814.0, "photos a second that the client writes down"),
    "drawing": (1256.0, "the same with overlays"),
    "tasks": (520.0, "tasks a second that the scheduler hands out"),
    "photo": (273.0, "kB a photo"),
    "overlay": (769.0, "kB an overlay"),
    "record": (695.0, "bytes of report a photo"),
    "kept": (1061.0, "bytes of journal a photo"),
}
"""What the other commands have printed; docs/batch_cluster.md says when and where."""


def load_nothing() -> Work:
    """Load work that does nothing."""
    return _do_nothing


def _do_nothing(job: Job, decoded: Decoded) -> Done:
    decoded()
    return _done(job)


def _done(job: Job, outcome: str = "no_board") -> Done:
    return Done(job, digest_bytes(job.path.encode()), outcome, _RECORD, 0.0)


class _NoWorkers:
    """Gives every job back at once, with an overlay if one is wanted."""

    def run(
        self, jobs: Iterator[Job | None], is_stopping: Callable[[], bool]
    ) -> Generator[Done, None, None]:
        data = os.urandom(_OVERLAY_BYTES)
        for job in jobs:
            if job is None:
                continue
            if job.overlay is not None:
                with writing_whole(Path(job.overlay)) as file:
                    file.write(data)
            digest = digest_bytes(job.path.encode())
            if job.is_lookup:
                yield Done(job, digest, "", "", 0.0)
            else:
                yield _done(job, "no_board" if job.overlay is None else "solved")


def print_client(photos: int, *, has_overlays: bool) -> None:
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


def print_engine(photos: int) -> None:
    """Print how many photos that cost nothing go through a cluster of this machine a second."""
    from app.batch.cluster_task import ClusterOptions
    from app.batch.dask_cluster import Cluster
    from benchmarks.cluster import load_nothing as load_by_name

    with _local_cluster() as cluster, tempfile.TemporaryDirectory() as outputs:
        engine = Cluster(load_by_name, ClusterOptions(cluster.scheduler_address))
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
            goal = NamerOptions(str(outputs))
            namer = Namer(journal, goal, lambda _: False) if has_overlays else None
            run = Run(journal, namer, RunOptions(reads_contents=False), Stop())
            found = Lister(Naming((album,)), lambda _: False, print).files()
            start = time.perf_counter()
            run.work_off(found, engine, lambda: None)
            seconds = time.perf_counter() - start
            assert run.tally.photos == photos
        return seconds, (outputs / "journal.sqlite").stat().st_size


def print_scheduler(tasks: int) -> None:
    """Print how many tasks that do nothing Dask hands out and takes back a second."""
    from distributed import Client, as_completed

    from benchmarks.cluster import _done as do_nothing

    with _local_cluster() as cluster, Client(cluster) as client:
        job = Job(1, "x" * 60)
        for n in (200, tasks):  # the first ones warm it up
            start = time.perf_counter()
            sent = min(n, _TASKS_AHEAD)
            flying = as_completed(
                [client.submit(do_nothing, job, pure=False) for _ in range(sent)],
                with_results=True,
            )
            for _ in flying:
                if sent < n:
                    flying.add(client.submit(do_nothing, job, pure=False))
                    sent += 1
            seconds = time.perf_counter() - start
    print(f"{tasks} tasks by {_WORKERS} workers: {tasks / seconds:.0f} a second")


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


def print_listing(photos: int) -> None:
    """Print how many names of a folder a second fsspec lists."""
    with tempfile.TemporaryDirectory() as album:
        for number in range(photos):
            Path(album, f"{number:06}.jpg").touch()
        start = time.perf_counter()
        n = sum(1 for _ in list_address(f"file://{album}", is_recursive=True))
        seconds = time.perf_counter() - start
    print(f"{n} names listed at an address: {n / seconds:.0f} a second")


def print_photos(folder: str, photos: int) -> None:
    """Print what photos of a folder, their overlays and their records weigh."""
    from app.cli.batch_command import run_batch

    paths = [
        found.path for found in Lister(Naming((folder,), True), lambda _: False, print).files()
    ]
    chosen = paths[:: max(len(paths) // photos, 1)][:photos]
    with tempfile.TemporaryDirectory() as outputs:
        report, out = Path(outputs, "report.jsonl"), Path(outputs, "out")
        run_batch(chosen, BatchOptions(output_dir=out, report=report, quiet=True))
        overlays = [path.stat().st_size for path in out.glob("*-solved.*")]
        record_bytes = report.stat().st_size
    photo_bytes = sum(os.path.getsize(path) for path in chosen)  # noqa: PTH202 - names, not paths
    n = len(chosen)
    print(f"{n} photos: {photo_bytes / n / 1000:.0f} kB a photo")
    print(f"{len(overlays)} overlays: {sum(overlays) / max(len(overlays), 1) / 1000:.0f} kB each")
    print(f"{record_bytes / n:.0f} bytes of report a photo")


def print_plan(photos: int, measured: dict[str, float]) -> None:
    """Print what a run of so many photos takes, as computed from measured rates."""
    rate = measured["rate"]
    core_hours = photos / rate / 3600
    print(f"{photos:,} photos at {rate:g} a second and core: {_hours(core_hours)}")
    for cores in (16, 96, 400):
        span = format_span(max(3600 * core_hours / cores, 1))
        read = rate * cores * measured["photo"] / 1000
        drawn = rate * cores * measured["overlay"] / 1000
        print(
            f"{cores} cores: {span}, {rate * cores:,.0f} photos a second, {read:,.0f} MB "
            f"a second read, {drawn:,.0f} MB a second of overlays if all are solved"
        )
    # A task takes a second of a core.
    print(f"cores that keep one scheduler busy: {measured['tasks']:,.0f}")
    print(f"cores that keep one client busy: {measured['client'] / rate:,.0f}")
    print(f"cores that keep one client busy, with overlays: {measured['drawing'] / rate:,.0f}")
    weights = {
        "photos": measured["photo"] * 1e3,
        "overlays": measured["overlay"] * 1e3,
        "report": measured["record"],
        "journal": measured["kept"],
    }
    for name, weight in weights.items():
        print(f"{name}: {photos * weight / 1e12:.2f} TB")


def _hours(core_hours: float) -> str:
    """Return core hours, or core minutes where they are few."""
    if core_hours >= 10:
        return f"{core_hours:,.0f} core hours"
    return f"{60 * core_hours:,.1f} core minutes"


if __name__ == "__main__":
    raise SystemExit(main())
