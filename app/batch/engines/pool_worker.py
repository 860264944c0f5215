"""A process of the local pool: what it does with photos, and how its parent sees it."""

import contextlib
import logging
import time
from multiprocessing.connection import Connection
from typing import NamedTuple

from app.batch.engines.batch_engine import Decoded, Done, Job, LoadWork, Work, make_record
from app.batch.files.remote_sources import read_source
from app.batch.journal.digests import digest_bytes
from app.batch.report.outcome_words import GAVE_UP
from app.terminal.exits import CommandError
from app.workers.child_process import ChildProcess, Household, Talk, resident_bytes

logger = logging.getLogger(__name__)


class Ready(NamedTuple):
    """The worker has loaded all that it needs."""


class JobDecoded(NamedTuple):
    """The pixels of the photo in hand are there."""


class Refused(NamedTuple):
    """The worker cannot work at all."""

    error: CommandError


class Finished(NamedTuple):
    """The photo in hand is done."""

    done: Done
    resident_bytes: int
    """Memory of the worker afterwards; 0 where the system does not say."""


Message = Ready | JobDecoded | Refused | Finished


def serve(household: Household, load: LoadWork) -> None:
    """Load the work, and do the jobs that come through the connection until it is closed.

    Args:
        household: what the parent gives.
        load: loads the work.
    """
    connection = household.connection
    # The parent may be gone, or may have closed its end.
    with contextlib.suppress(OSError, EOFError):
        try:
            work = load()
        except CommandError as error:
            connection.send(Refused(error))
            return
        connection.send(Ready())
        while True:
            job: Job = connection.recv()
            done = _do(work, job, lambda: connection.send(JobDecoded()))
            connection.send(Finished(done, resident_bytes()))


def _do(work: Work, job: Job, decoded: Decoded) -> Done:
    start = time.perf_counter()
    try:
        return work(job, decoded)
    except Exception as error:
        # A fault of this program: it costs this photo, and is told.
        logger.exception("%s", job.path)
        text = f"it could not be worked on: {type(error).__name__}: {error}"
        record = make_record(GAVE_UP, error=text)
        digest = job.digest
        if digest is None:
            with contextlib.suppress(OSError):
                digest = digest_bytes(read_source(job.path))
        return Done(job, digest, GAVE_UP, record, time.perf_counter() - start)


class WorkerProcess:
    """A worker, begun at once; it must load before it takes photos."""

    def __init__(self, load: LoadWork, talk: Talk) -> None:
        self._child = ChildProcess(serve, talk, load)
        self.job: Job | None = None
        self.since = time.monotonic()
        self.is_ready = self.was_decoded = False

    @property
    def connection(self) -> Connection:
        """To the process."""
        return self._child.connection

    def hand(self, job: Job) -> None:
        """Give it a photo; one that has died meanwhile is found when its answer is read."""
        self.job, self.since, self.was_decoded = job, time.monotonic(), False
        self._child.send(job)

    def receive(self) -> Message | None:
        """Return what it says, or None where it has died."""
        message: Message | None = self._child.receive()
        return message

    @property
    def seconds(self) -> float:
        """How long it has had the photo, or has been getting ready."""
        return time.monotonic() - self.since

    def name_death(self) -> str:
        """Say how the process ended."""
        return self._child.name_death()

    def kill(self) -> None:
        """End it, whatever it does."""
        self._child.kill()
