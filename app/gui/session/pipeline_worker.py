"""The thread that owns the line: it loads the networks behind the window and does one job at a
time, so that nothing slow ever happens in the window's own thread.
"""

import enum
import itertools
import logging
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QThread, Signal

if TYPE_CHECKING:
    from app.recognition.pipeline import Pipeline
    from app.recognition.timing import StageClock

logger = logging.getLogger(__name__)

Work = Callable[["Pipeline", "StageClock"], object]
"""What a job does, in the worker's thread: it must touch nothing of the window."""


class Rank(enum.IntEnum):
    """What goes first; of the same rank, what was asked for first."""

    LOOKED_AT = 0
    BEGUN = 1
    """Goes on with what is loaded already, so that photos do not pile up in memory."""
    NEW = 2


class JobCancelledError(Exception):
    """A job was called off between two stages of the line."""


@dataclass
class _Job:
    key: int
    work: Work
    done: Callable[[object], None]
    failed: Callable[[Exception], None]
    expected: tuple[type[Exception], ...]
    rank: Rank
    is_cancelled: threading.Event = field(default_factory=threading.Event)
    result: object = None
    error: Exception | None = None


class Worker(QThread):
    """Runs jobs one after the other, by rank.

    Signals:
        ready: the networks are loaded; jobs begin.
        stage_begun: key of the job, and the stage as `app.recognition.timing.STAGES` names it.
        crashed: the report of a fault of ours; the job's `failed` was called before.
        load_failed: the networks cannot be loaded; the error says what to do.
    """

    ready = Signal()
    stage_begun = Signal(int, str)
    crashed = Signal(str)
    load_failed = Signal(object)
    _ended = Signal(object)

    def __init__(self, load: "Callable[[], Pipeline] | None" = None, parent: QObject | None = None):
        """Make the worker; `start` begins.

        Args:
            load: makes the line, in the worker's thread; the one that ships when None.
            parent: owns the thread.
        """
        super().__init__(parent)
        self._load = load or _load_pipeline
        self._keys = itertools.count(1)
        self._jobs: list[_Job] = []
        self._untold: dict[int, _Job] = {}
        self._is_stopping = False
        self._wake = threading.Condition()
        self._ended.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def submit(
        self,
        work: Work,
        done: Callable[[object], None],
        failed: Callable[[Exception], None],
        rank: Rank = Rank.NEW,
        *,
        expected: tuple[type[Exception], ...] = (),
    ) -> int:
        """Queue a job and return its key.

        Args:
            work: is called in the worker's thread.
            done: is called with the work's result in the window's thread, unless the job was
                cancelled by then.
            failed: likewise with what the work raised.
            rank: what it goes before.
            expected: errors that are outcomes, such as a broken file; all others are reported.
        """
        job = _Job(next(self._keys), work, done, failed, expected, rank)
        self._untold[job.key] = job
        with self._wake:
            self._jobs.append(job)
            self._wake.notify()
        return job.key

    def hurry(self, key: int) -> None:
        """Do a waiting job before the others."""
        with self._wake:
            for job in self._jobs:
                if job.key == key:
                    job.rank = Rank.LOOKED_AT

    def cancel(self, key: int) -> None:
        """Forget a job: neither its result nor its error is ever told.

        Also where it has ended, and its result is on its way to the window's thread.
        """
        job = self._untold.pop(key, None)
        if job is not None:
            job.is_cancelled.set()
        with self._wake:
            self._jobs = [job for job in self._jobs if job.key != key]

    def stop(self) -> None:
        """End the thread after the stage that runs now, and wait for it."""
        with self._wake:
            self._is_stopping = True
            self._jobs.clear()
            for job in self._untold.values():
                job.is_cancelled.set()
            self._untold.clear()
            self._wake.notify()
        self.wait()

    def run(self) -> None:
        """Work until `stop`; Qt calls this in the new thread."""
        try:
            pipeline = self._load()
        except Exception as error:
            if not _is_missing(error):
                logger.exception("the line cannot be loaded")
                self.crashed.emit(traceback.format_exc())
            self.load_failed.emit(error)
            return
        self.ready.emit()
        while (job := self._next()) is not None:
            self._do(job, pipeline)

    def _next(self) -> _Job | None:
        with self._wake:
            self._wake.wait_for(lambda: self._jobs or self._is_stopping)
            if self._is_stopping:
                return None
            job = min(self._jobs, key=lambda job: job.rank)
            self._jobs.remove(job)
            return job

    def _do(self, job: _Job, pipeline: "Pipeline") -> None:
        from app.recognition.timing import StageClock

        def begin(stage: str) -> None:
            if job.is_cancelled.is_set():
                raise JobCancelledError
            self.stage_begun.emit(job.key, stage)

        try:
            job.result = job.work(pipeline, StageClock(begin))
        except JobCancelledError:
            return
        except job.expected as error:
            job.error = error
        except Exception as error:
            # One of the two borders where anything may arrive: the window must live on.
            logger.exception("a job of the window failed")
            job.error = error
            self._ended.emit(job)
            self.crashed.emit(traceback.format_exc())
            return
        self._ended.emit(job)

    def _deliver(self, job: _Job) -> None:
        if self._untold.pop(job.key, None) is None:
            return
        if job.error is not None:
            job.failed(job.error)
        else:
            job.done(job.result)


def _load_pipeline() -> "Pipeline":
    from app.recognition.pipeline import Pipeline

    return Pipeline.load()


def _is_missing(error: Exception) -> bool:
    """Tell whether a part of the installation is missing, which is no fault of ours."""
    from models.engine import EngineError

    return isinstance(error, EngineError | ImportError)
