"""Photos worked off by processes of this machine, each of which may die or hang at any time.

`concurrent.futures` gives up all of its work when one process dies, and has no end for a task that
hangs. Here each process has a pipe of its own and one photo in hand, so that whoever dies or hangs
names the photo, is replaced, and nothing else is lost.
"""

import logging
import math
import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Final, NamedTuple

from app.batch.photo_work import Decoded, Job, JobResult, LoadWork, Work, lost_job, make_record
from app.recognition.outcome import Outcome
from app.terminal.exit_codes import MissingError
from app.workers.child_process import (
    GRACE_SECONDS,
    ChildContext,
    ChildProcess,
    Ready,
    Refused,
    Talk,
    resident_bytes,
    work_off,
)
from vision.media.whole_files import remove_temporaries


class _JobDecoded(NamedTuple):
    """The pixels of the photo in hand are there."""


class _Finished(NamedTuple):
    done: JobResult
    resident_bytes: int
    """Memory of the worker afterwards; 0 where the system does not say."""


def _serve(context: ChildContext, load: LoadWork) -> None:
    def do(work: Work, job: Job) -> _Finished:
        done = _do(work, job, lambda: context.connection.send(_JobDecoded()))
        return _Finished(done, resident_bytes())

    work_off(context, load, do)


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


class _WorkerProcess:
    """A worker, begun at once; it must load before it takes photos."""

    def __init__(self, load: LoadWork, talk: Talk) -> None:
        self.child = ChildProcess(_serve, talk, load)
        self.job: Job | None = None
        self.since = time.monotonic()
        self.is_ready = self.was_decoded = False

    def hand(self, job: Job) -> None:
        """Give it a photo; one that has died meanwhile is found when its answer is read."""
        self.job, self.since, self.was_decoded = job, time.monotonic(), False
        self.child.send(job)

    @property
    def seconds(self) -> float:
        """How long it has had the photo, or has been getting ready."""
        return time.monotonic() - self.since


logger = logging.getLogger(__name__)

_TRIES: Final = 3
"""How many workers a photo may cost: what else is killed on a machine in need must not blame it."""

_FAILED_STARTS: Final = 6
"""Workers in a row that may die before they are ready."""

_LEAST_START_SECONDS: Final = 5.0
_MOST_START_SECONDS: Final = 120.0
_LOOK_SECONDS: Final = 0.5
"""How long to wait at most before asking whether to stop."""


@dataclass(frozen=True)
class PoolOptions:
    """How the processes are kept.

    Attributes:
        start_seconds: that a worker may take to be ready, or as many as `timeout` if that is less,
            but at least 5; twice as many after each that was not, up to two minutes. Loading took
            0.8 s, and 5.6 s with eight workers on two busy cores.
        max_resident_bytes: a worker that holds more after a photo is replaced.
    """

    workers: int = 1
    timeout: float | None = 60.0
    start_seconds: float = 30.0
    max_resident_bytes: int = 700_000_000
    talk: Talk = field(default_factory=Talk)


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
        crew = _WorkerPool(self._load, self._options, jobs)
        try:
            while True:
                if is_stopping():
                    crew.close_supply()
                is_asked_again = crew.prepare()
                crew.hand_out()
                if crew.is_over():
                    return
                yield from crew.collect(0.0 if is_asked_again else _LOOK_SECONDS)
        finally:
            crew.dismiss(0.0 if is_stopping() else GRACE_SECONDS)


class _WorkerPool:
    """Workers, and the jobs that are next: prepared ahead, so that no worker waits for them."""

    def __init__(self, load: LoadWork, options: PoolOptions, jobs: Iterator[Job | None]) -> None:
        self._load = load
        self._options = options
        self._jobs = jobs
        self._ready: deque[Job] = deque()
        self._is_exhausted = self._is_closed = False
        self._workers: list[_WorkerProcess] = []
        self._failed_starts = 0
        self._deaths: Counter[int] = Counter()

    def prepare(self) -> bool:
        """Have a job ready for each worker, and tell whether to ask for more soon."""
        while not self._is_exhausted and len(self._ready) < self._options.workers:
            try:
                job = next(self._jobs)
            except StopIteration:
                self._is_exhausted = True
                return False
            if job is None:
                return True
            self._ready.append(job)
        return False

    def close_supply(self) -> None:
        self._ready.clear()
        self._is_exhausted = self._is_closed = True

    def is_over(self) -> bool:
        is_busy = any(worker.job is not None for worker in self._workers)
        return not is_busy and self._is_exhausted and not self._ready

    def hand_out(self) -> None:
        for worker in self._workers:
            if worker.is_ready and worker.job is None and self._ready:
                worker.hand(self._ready.popleft())
        starting = sum(not worker.is_ready for worker in self._workers)
        wanted = min(len(self._ready) - starting, self._options.workers - len(self._workers))
        self._workers += [_WorkerProcess(self._load, self._options.talk) for _ in range(wanted)]

    def collect(self, seconds: float) -> Iterator[JobResult]:
        """Wait for workers, at most so long, and yield what is done."""
        by_connection = {worker.child.connection: worker for worker in self._workers}
        seconds = min([seconds, *(max(left, 0.0) for left in self._seconds_left())])
        for connection in wait(list(by_connection), seconds):
            assert isinstance(connection, Connection)
            worker = by_connection[connection]
            message = worker.child.receive()
            if isinstance(message, Refused):
                raise message.error
            if isinstance(message, Ready):
                worker.is_ready = True
                self._failed_starts = 0
            elif isinstance(message, _JobDecoded):
                worker.was_decoded = True
            elif isinstance(message, _Finished):
                yield self._take(worker, message)
            elif (lost := self._bury(worker)) is not None:
                yield lost
        for worker in list(self._workers):
            if (late := self._end_if_late(worker)) is not None:
                yield late

    def dismiss(self, grace_seconds: float) -> None:
        """End the workers; those with a photo in hand may finish it if that is soon."""
        end = time.monotonic() + grace_seconds
        for worker in self._workers:
            while worker.job is not None and (left := end - time.monotonic()) > 0:
                if worker.child.connection.poll(left) and not isinstance(
                    worker.child.receive(), _JobDecoded
                ):
                    break
            worker.child.kill()
        self._workers = []

    def _take(self, worker: _WorkerProcess, finished: _Finished) -> JobResult:
        worker.job = None
        if finished.resident_bytes > self._options.max_resident_bytes:
            logger.info("a worker that holds %d bytes is replaced", finished.resident_bytes)
            self._remove(worker)
        elif self._ready:  # before what is done is looked at
            worker.hand(self._ready.popleft())
        return finished.done

    def _bury(self, worker: _WorkerProcess) -> JobResult | None:
        """Remove a worker that has died; its photo is tried again, or else returned as lost."""
        death, job, seconds = worker.child.describe_exit(), worker.job, worker.seconds
        was_ready, was_decoded = worker.is_ready, worker.was_decoded
        self._remove(worker)
        _tidy_up(job)
        if not was_ready:
            self._failed_starts += 1
            if self._failed_starts >= _FAILED_STARTS:
                raise MissingError(f"no worker can be started ({death}); run: sudoku-lens doctor")
        if job is None:
            return None
        self._deaths[job.number] += 1
        logger.warning("%s: its worker died (%s)", job.path, death)
        if self._deaths[job.number] < _TRIES:
            if not self._is_closed:
                self._ready.appendleft(job)
            return None
        stage = "working on it" if was_decoded else "decoding it"
        error = f"{stage} ended the process, {_TRIES} times ({death})"
        return lost_job(job, error, seconds, was_decoded=was_decoded)

    def _end_if_late(self, worker: _WorkerProcess) -> JobResult | None:
        """Remove a worker that takes too long, and return its photo as lost."""
        timeout, job, seconds = self._options.timeout, worker.job, worker.seconds
        if job is not None and timeout is not None and seconds >= timeout:
            self._remove(worker)
            _tidy_up(job)
            error = f"it was not done after {timeout:g} seconds"
            return lost_job(job, error, seconds, was_decoded=worker.was_decoded, timed_out=True)
        if not worker.is_ready and seconds >= (
            patience := start_patience(self._options, self._failed_starts)
        ):
            self._remove(worker)
            self._failed_starts += 1
            logger.warning("a worker that was not ready after %g seconds is replaced", patience)
            if patience >= _MOST_START_SECONDS:
                text = f"workers are not ready after {patience:g} seconds"
                raise MissingError(f"{text}; run: sudoku-lens doctor")
        return None

    def _seconds_left(self) -> list[float]:
        """Return until when each worker that has a photo must be looked at."""
        timeout = self._options.timeout
        if timeout is None:
            return []
        return [timeout - worker.seconds for worker in self._workers if worker.job is not None]

    def _remove(self, worker: _WorkerProcess) -> None:
        self._workers.remove(worker)
        worker.child.kill()


def start_patience(options: PoolOptions, failed_starts: int) -> float:
    """Return how many seconds a worker may take to be ready, after so many that were not.

    It grows, as on a machine that is slow or busy all take long, and a short time limit for photos
    must not keep every worker from them.
    """
    asked_for = max(options.timeout or math.inf, _LEAST_START_SECONDS)
    first = min(options.start_seconds, asked_for)
    return min(first * 2.0**failed_starts, _MOST_START_SECONDS)


def _tidy_up(job: Job | None) -> None:
    """Remove what a killed worker may have written by half."""
    if job is not None and job.overlay is not None:
        remove_temporaries(Path(job.overlay))
