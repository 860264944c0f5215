"""A process of the local pool as its parent sees it: a pipe, and the photo that it has in hand."""

import time
from multiprocessing.connection import Connection

from app.batch.engines.batch_engine import Job, LoadWork
from app.batch.engines.pool_worker import Message, serve
from app.workers.child_process import ChildProcess, Talk


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
