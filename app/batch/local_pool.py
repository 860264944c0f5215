"""Photos worked off by processes of this machine: whoever dies or hangs costs one photo."""

import logging
import time
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

from app.batch.photo_work import Decoded, Job, JobResult, LoadWork, Work, lost_job, make_record
from app.recognition.outcome import Outcome
from app.workers.worker_pool import LostTaskError, PoolOptions, WorkerPool
from vision.media.whole_files import remove_temporaries

logger = logging.getLogger(__name__)


class LocalPool:
    """Works jobs off in processes of their own; see `app.batch.photo_work.Engine`."""

    def __init__(self, load: LoadWork, options: PoolOptions | None = None) -> None:
        self._load = load
        self._options = options or PoolOptions()

    def run(
        self, jobs: Iterator[Job | None], is_stopping: Callable[[], bool]
    ) -> Generator[JobResult, None, None]:
        """Do what `app.batch.photo_work.Engine.run` says.

        Raises:
            app.terminal.exit_codes.CommandError: if the work cannot be loaded, or workers die.
        """
        pool = make_photo_pool(self._load, self._options)
        with closing(pool.map(jobs, is_stopping)) as done:
            for job, asked in done:
                yield result_of(job, asked, self._options)


def make_photo_pool(load: LoadWork, options: PoolOptions) -> WorkerPool:
    """Make a pool that does a `Job` each time; `result_of` tells what came of it."""
    return WorkerPool(partial(_load_work, load), replace(options, on_loss=_clean_up))


def result_of(job: Job, asked: "Future[JobResult]", options: PoolOptions) -> JobResult:
    """Return what came of a job that is done or lost.

    Raises:
        app.terminal.exit_codes.CommandError: if no process can work.
        app.workers.worker_pool.NotDoneError: if the pool has given it up.
    """
    try:
        return asked.result()
    except LostTaskError as lost:
        if lost.death is None:
            error = f"it was not done after {options.timeout:g} seconds"
        else:
            stage = "working on it" if lost.was_told else "decoding it"
            error = f"{stage} ended the process, {options.tries} times ({lost.death})"
        return lost_job(
            job, error, lost.seconds, was_decoded=lost.was_told, timed_out=lost.death is None
        )


def _load_work(load: LoadWork) -> Work:
    return partial(_do, load())


def _do(work: Work, job: Job, decoded: Decoded) -> JobResult:
    start = time.perf_counter()
    try:
        return work(job, decoded)
    except Exception as error:
        # A fault of this program: it costs this photo, and is told.
        logger.exception("%s", job.path)
        text = f"it could not be worked on: {type(error).__name__}: {error}"
        record = make_record(Outcome.GAVE_UP, error=text)
        return JobResult(
            job, job.find_digest(), Outcome.GAVE_UP, record, time.perf_counter() - start
        )


def _clean_up(job: Job, lost: LostTaskError) -> None:
    """Remove what a worker that has ended may have written by half."""
    if lost.death is not None:
        logger.warning("%s: its worker died (%s)", job.path, lost.death)
    if job.overlay is not None:
        remove_temporaries(Path(job.overlay))
