"""What a machine of a cluster does: tasks of a few photos each, in processes of their own.

A worker of the cluster is not the process that reads photos: it keeps such processes, as a batch of
one machine does, so that a photo that crashes or hangs ends one of them, and the worker stays.
"""

import contextlib
import json
import multiprocessing
import os
import pickle
import shutil
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import wait
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from app.batch.photo_work import Job, JobResult, LoadWork, make_photo_pool, result_of
from app.terminal.exit_codes import CommandError, MissingError
from app.workers.child_process import Talk
from app.workers.worker_pool import NotDoneError, PoolOptions

_LOOK_SECONDS: Final = 0.1
"""How long to wait at most before asking whether the run has ended."""

Describe = Callable[[], str]

LOCAL: Final = "local"
"""In place of an address: a cluster of this machine, for the time of the run."""


@dataclass(frozen=True)
class ClusterOptions:
    """Where the cluster is, and how it works.

    Attributes:
        address: of the scheduler, such as `tcp://host:8786`, or `LOCAL`.
        workers: of a local cluster.
        timeout: seconds that a photo may take, None for no end.
        talk: how much workers say where they run.
        settings: what results depend on.
        describe: tells the settings of the worker that calls it; None is not compared.
    """

    address: str = LOCAL
    workers: int = 1
    timeout: float | None = 60.0
    talk: Talk = field(default_factory=lambda: Talk(quiet=True))
    settings: str = ""
    describe: Describe | None = None


@dataclass(frozen=True)
class Order:
    """What all tasks of a run have in common; it is sent with each, so it is small."""

    run: str
    load: LoadWork
    options: ClusterOptions = field(default_factory=ClusterOptions)


class Sent(NamedTuple):
    """What came of a photo, and the bytes of its overlay, if there is one."""

    done: JobResult
    overlay: bytes | None


class Refusal(NamedTuple):
    """Why a worker cannot do anything."""

    error: CommandError


def do_jobs(order: Order, jobs: Sequence[Job]) -> list[Sent] | Refusal:
    """Do some photos, one after the other; called by a cluster, in a thread of a worker.

    Fewer come back where the run was ended meanwhile: the photo in hand is finished.
    """
    if order.run in _ended:
        return []
    try:
        hand = _take_hand(order)
        try:
            sent = list(hand.do(jobs))
        except BaseException:
            hand.close()
            raise
        _put_back(hand)
        return sent
    except CommandError as error:
        return Refusal(error)


def end_run(run: str, is_abandoned: bool) -> None:
    """Begin no photo of a run any more, and end the processes that wait for its photos.

    Where it `is_abandoned`, those in hand are wanted no more either.
    """
    _ended.append(run)
    if is_abandoned:
        _abandoned.append(run)
    with _lock:
        for hand in _idle:
            if hand.order.run == run:
                hand.close()
        _idle[:] = [hand for hand in _idle if hand.order.run != run]


class _Hand:
    """A process that does photos, and is kept from task to task; it is replaced where it dies."""

    def __init__(self, order: Order, folder: str | None) -> None:
        _let_processes_be_started()
        self.order = order
        self._begun = 0
        self._folder = Path(tempfile.mkdtemp(prefix="sudoku-lens-", dir=folder))
        self._options = PoolOptions(timeout=order.options.timeout, talk=order.options.talk)
        self._pool = make_photo_pool(order.load, self._options)

    def do(self, jobs: Sequence[Job]) -> Iterator[Sent]:
        """Do jobs in turn; once the run has ended, none is begun any more."""
        given = []
        for job in jobs:
            self._begun += 1
            there = self._at_home(job, self._begun)
            given.append((job, there, self._pool.submit(there)))
        for job, there, asked in given:
            while not asked.done():
                if self.order.run in _abandoned:
                    self._pool.stop()
                elif self.order.run in _ended:
                    self._pool.drop_waiting()
                wait([asked], _LOOK_SECONDS)
            with contextlib.suppress(NotDoneError):
                yield self._pack(result_of(there, asked, self._options), job)

    def close(self) -> None:
        self._pool.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _at_home(self, job: Job, number: int) -> Job:
        """Return the job with an overlay that is written here, as the client's disk may be far."""
        overlay = job.overlay
        if overlay is not None:
            overlay = str(self._folder / f"{number}{os.path.splitext(overlay)[1]}")
        return replace(job, number=number, overlay=overlay)

    def _pack(self, done: JobResult, job: Job) -> Sent:
        data, written = None, done.job.overlay
        if written is not None and job.overlay is not None:
            with contextlib.suppress(FileNotFoundError):
                data = Path(written).read_bytes()
                os.unlink(written)
            there, here = (json.dumps(path)[1:-1] for path in (written, job.overlay))
            done = replace(done, record=done.record.replace(there, here))
        return Sent(replace(done, job=job), data)


_lock: Final = threading.Lock()
_idle: Final[list[_Hand]] = []
_ended: Final[deque[str]] = deque(maxlen=100)
_abandoned: Final[deque[str]] = deque(maxlen=100)
"""Runs that were ended of late, and those of them whose client waits for nothing any more."""


def _take_hand(order: Order) -> _Hand:
    with _lock:
        for hand in _idle:
            if hand.order.run == order.run:
                _idle.remove(hand)
                return hand
        # Of a client that was killed, nobody has told the end.
        stale = [hand for hand in _idle if _key(hand.order) != _key(order)]
        _idle[:] = [hand for hand in _idle if hand not in stale]
        known = _idle.pop() if _idle else None
    for hand in stale:
        hand.close()
    if known is not None:
        known.order = order
        return known
    _compare(order)
    return _Hand(order, _scratch())


def _put_back(hand: _Hand) -> None:
    with _lock:
        if hand.order.run not in _ended:
            _idle.append(hand)
            return
    hand.close()


def _key(order: Order) -> bytes:
    return pickle.dumps(replace(order, run=""))


def _compare(order: Order) -> None:
    """Make sure that results here are those that the client would get."""
    options = order.options
    if options.describe is None:
        return
    here = _describe_once(options.describe)
    if here != options.settings:
        raise MissingError(
            f"the worker on {os.uname().nodename} has another sudoku-lens or other networks "
            f"({here}) than this machine ({options.settings}); install the same on all"
        )


@lru_cache(maxsize=8)
def _describe_once(describe: Describe) -> str:
    try:
        return describe()
    except OSError as error:
        raise MissingError(f"a worker cannot read the network: {error}") from error


def _scratch() -> str | None:
    """Return the worker's own folder, which Dask removes also where the worker was killed."""
    from distributed import get_worker

    try:
        folder: str = get_worker().local_directory
    except ValueError:  # called without a cluster
        return None
    return folder


def _let_processes_be_started() -> None:
    """Dask marks its workers as daemons, which may start no processes; ours end with the worker."""
    process = multiprocessing.current_process()
    if process.daemon:
        process.daemon = False
