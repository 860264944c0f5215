"""Measure what a batch on a cluster is bounded by, apart from the photos themselves.

    python -m benchmarks.cluster client --photos 5000
    python -m benchmarks.cluster overlays --photos 500
    python -m benchmarks.cluster engine --photos 5000

`client` is the process that was started: it meets photos, and writes down what comes back, here
from an engine that does nothing; `overlays` adds the pictures. `engine` is all of it on a cluster
of this machine, with photos that cost nothing.
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
from app.batch.overlay_files import Namer, NamerOptions, writing_whole
from app.batch.photo_work import Decoded, Done, Engine, Job, Work
from app.batch.run_journal import Journal
from app.batch.sources import digest_bytes
from app.terminal.exit_codes import Stop

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
    parser = argparse.ArgumentParser(description="Measure what bounds a batch on a cluster.")
    parser.add_argument("what", choices=["client", "overlays", "engine"])
    parser.add_argument("--photos", type=int, default=5000, help="how many, default 5000")
    options = parser.parse_args(arguments)
    if options.what == "engine":
        _print_engine(options.photos)
    else:
        _print_client(options.photos, has_overlays=options.what == "overlays")
    return 0


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


if __name__ == "__main__":
    raise SystemExit(main())
