"""A process of the local pool as its parent sees it: a pipe, and the photo that it has in hand."""

import contextlib
import os
import signal
import time
from collections.abc import Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Final

from app.batch.engine import Job, LoadWork
from app.batch.worker import Message, Talk, serve

GRACE_SECONDS: Final = 5.0
"""How long workers may go on with the photo in hand when the run ends because of another."""


class WorkerProcess:
    """A worker, begun at once; it must load before it takes photos."""

    def __init__(self, load: LoadWork, talk: Talk) -> None:
        context = get_context("spawn")
        ours, theirs = context.Pipe()
        self.connection: Connection = ours
        self.process = context.Process(
            target=serve, args=(theirs, load, talk, os.getpid()), daemon=True
        )
        with _interrupts_blocked():  # which the process inherits
            self.process.start()
        theirs.close()
        self.job: Job | None = None
        self.since = time.monotonic()
        self.is_ready = self.was_decoded = False

    def hand(self, job: Job) -> None:
        """Give it a photo; one that has died meanwhile is found when its answer is read."""
        self.job, self.since, self.was_decoded = job, time.monotonic(), False
        with contextlib.suppress(OSError):
            self.connection.send(job)

    def receive(self) -> Message | None:
        """Return what it says, or None where it has died."""
        try:
            message: Message = self.connection.recv()
        except (EOFError, OSError):
            return None
        return message

    @property
    def seconds(self) -> float:
        """How long it has had the photo, or has been getting ready."""
        return time.monotonic() - self.since

    def name_death(self) -> str:
        """Say how the process ended."""
        self.process.join(GRACE_SECONDS)
        code = self.process.exitcode
        if code is not None and code < 0:
            with contextlib.suppress(ValueError):
                return f"signal {signal.Signals(-code).name}"
        return f"exit code {code}"

    def kill(self) -> None:
        """End it, whatever it does."""
        self.connection.close()
        self.process.kill()
        self.process.join(GRACE_SECONDS)
        if self.process.exitcode is not None:  # or it waits for a disk that never answers
            self.process.close()


@contextlib.contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Keep Ctrl-C from a process until it can ignore it, where the system lets us."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
