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
from collections.abc import Iterator, Sequence
from concurrent.futures import wait
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, NamedTuple

from app.batch.photo_work import Job, JobResult, LoadWork, make_photo_pool, result_of
from app.terminal.exit_codes import CommandError
from app.workers.worker_pool import NotDoneError, PoolOptions

_LOOK_SECONDS: Final = 0.1
"""How long to wait at most before asking whether the run has ended."""


@dataclass(frozen=True)
class Order:
    """What all tasks of a run have in common; it is sent with each, so it is small."""

    run: str
    load: LoadWork
    options: PoolOptions


class Sent(NamedTuple):
    """What came of a photo, and the bytes of its overlay, if there is one."""

    done: JobResult
    overlay: bytes | None


def do_jobs(order: Order, jobs: Sequence[Job]) -> list[Sent] | CommandError:
    """Do some photos, one after the other; called by a cluster, in a thread of a worker.

    Fewer come back where the run was ended meanwhile: the photo in hand is finished. An error says
    why the worker cannot do anything.
    """
    with _lock:
        if order.run in _ended:
            return []
        hand = _find_hand(order)
        hand.is_busy, has_failed = True, True
    try:
        sent = list(hand.do(jobs))
        has_failed = False
        return sent
    except CommandError as error:
        return error
    finally:
        with _lock:
            hand.is_busy = False
            if has_failed or order.run in _ended:
                hand.close()


def end_run(run: str, is_abandoned: bool) -> None:
    """Begin no photo of a run any more, and end the processes that wait for its photos.

    Where it `is_abandoned`, those in hand are wanted no more either.
    """
    if is_abandoned:
        _abandoned.append(run)
    with _lock:
        _ended.append(run)
        for hand in list(_hands.values()):
            if hand.order.run == run and not hand.is_busy:
                hand.close()


class _Hand:
    """The process that does a thread's photos, kept from task to task, and replaced if it dies."""

    def __init__(self, order: Order) -> None:
        from distributed import get_worker

        _let_processes_be_started()
        self.order = order
        self.is_busy = False
        self._begun = 0
        # In the worker's own folder, which Dask removes also where the worker was killed.
        folder = get_worker().local_directory
        self._folder = Path(tempfile.mkdtemp(prefix="sudoku-lens-", dir=folder))
        self._options = replace(order.options, workers=1)
        self._pool = make_photo_pool(order.load, self._options)
        self._thread = threading.get_ident()
        _hands[self._thread] = self

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
        del _hands[self._thread]
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
_hands: Final[dict[int, _Hand]] = {}
"""By the thread whose photos they do."""
_ended: Final[deque[str]] = deque(maxlen=100)
_abandoned: Final[deque[str]] = deque(maxlen=100)
"""Runs that were ended of late, and those of them whose client waits for nothing any more."""


def _find_hand(order: Order) -> _Hand:
    """Return the hand of this thread, which another run may have left."""
    hand = _hands.get(threading.get_ident())
    if hand is None or _key(hand.order) != _key(order):
        # Of a client that was killed, nobody has told the end.
        for stale in list(_hands.values()):
            if not stale.is_busy and _key(stale.order) != _key(order):
                stale.close()
        hand = _Hand(order)
    hand.order = order
    return hand


def _key(order: Order) -> bytes:
    return pickle.dumps(replace(order, run=""))


def _let_processes_be_started() -> None:
    """Dask marks its workers as daemons, which may start no processes; ours end with the worker."""
    process = multiprocessing.current_process()
    if process.daemon:
        process.daemon = False
