"""Work that must not hold up the window: the thread that owns the pipeline and does one job at a
time, threads behind panels, portions of the window's own thread, and collection.
"""

import enum
import gc
import itertools
import logging
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, QThread, QTimer, Signal

if TYPE_CHECKING:
    from app.recognition.pipeline import Pipeline
    from app.recognition.timing import StageClock

_LOOK_MS: Final = 20
"""Between two looks for a result."""

MayGoOn = Callable[[], bool]
"""Told the work whether anyone still waits for it."""

_PAUSE_MS: Final = 1000

MOST_AT_ONCE: Final = 8
"""Steps before events have their turn: opening a photo takes 1 ms of the processor, at most 2."""

logger = logging.getLogger(__name__)

Work = Callable[["Pipeline", "StageClock"], object]
"""What a job does, in the worker's thread: it must touch nothing of the window."""


class WorkEndedError(Exception):
    """Nobody waits for the work any longer."""


def ending_with(may_go_on: MayGoOn) -> Callable[[], None]:
    """Return a function that ends the work it is called in once nobody waits for it."""

    def check() -> None:
        if not may_go_on():
            raise WorkEndedError

    return check


class Background(QObject):
    """Does one thing at a time; what is begun anew, or cancelled, never arrives.

    The thread touches nothing of Qt: it puts its result down, and this object looks for it. A
    signal that was sent from a thread of Python's own has ended the process now and then.

    Signals:
        finished: the result, in the thread of this object; None where the work failed.
    """

    finished = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._stop = threading.Event()
        self._results: list[object] = []
        self._timer = QTimer(self, interval=_LOOK_MS)
        self._timer.timeout.connect(self._look)
        stops = [self._stop]
        self._stops = stops
        # The object is gone by then, so the function must not need it.
        self.destroyed.connect(lambda: stops[0].set())

    @property
    def is_running(self) -> bool:
        """Whether a result is still to come."""
        return self._timer.isActive()

    def start(self, work: Callable[[MayGoOn], object]) -> None:
        """Begin something in a thread, and forget what ran before.

        `work` touches no widget; it should end soon after what it is given returns False.
        """
        self.cancel()
        self._stop = self._stops[0] = threading.Event()
        # What ran before puts its result into a list that nobody looks into any longer.
        self._results = []
        arguments = (work, self._stop, self._results)
        threading.Thread(target=_run, args=arguments, daemon=True).start()
        self._timer.start()

    def cancel(self) -> None:
        """Forget what runs."""
        self._stop.set()
        self._timer.stop()

    def _look(self) -> None:
        if self._results:
            self._timer.stop()
            self.finished.emit(self._results[0])


def _run(work: Callable[[MayGoOn], object], stop: threading.Event, results: list[object]) -> None:
    try:
        result = work(lambda: not stop.is_set())
    except WorkEndedError:
        return
    except Exception:
        # One of the borders where anything may arrive: the window must live on.
        logger.exception("work behind a panel failed")
        result = None
    results.append(result)


class Collector(QObject):
    """Collects cycles every second in its own thread, and stops Python from doing so elsewhere."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._timer = QTimer(self, interval=_PAUSE_MS)
        self._timer.timeout.connect(_collect)

    def start(self) -> None:
        """Take over."""
        gc.disable()
        self._timer.start()

    def stop(self) -> None:
        """Leave it to Python again."""
        self._timer.stop()
        gc.enable()


def _collect() -> None:
    counts, thresholds = gc.get_count(), gc.get_threshold()
    for generation in (2, 1, 0):
        if thresholds[generation] and counts[generation] > thresholds[generation]:
            gc.collect(generation)
            return


class Portions(QObject):
    """Does steps in their order; the first few at once, so that a handful waits for nothing."""

    def __init__(self, parent: QObject | None = None, most_at_once: int = MOST_AT_ONCE) -> None:
        super().__init__(parent)
        self._most_at_once = most_at_once
        self._left: deque[Callable[[], object]] = deque()
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._do_some)

    @property
    def is_busy(self) -> bool:
        """Whether steps are left."""
        return bool(self._left)

    def add(self, steps: Iterable[Callable[[], object]]) -> None:
        """Do these after all that were added before."""
        is_idle = not self._left
        self._left += steps
        if is_idle:
            self._do_some()

    def finish(self) -> None:
        """Do at once all that is left."""
        self._timer.stop()
        while self._left:
            self._left.popleft()()

    def _do_some(self) -> None:
        for _ in range(min(self._most_at_once, len(self._left))):
            self._left.popleft()()
        if self._left:
            self._timer.start()


class Rank(enum.IntEnum):
    """What goes first; of the same rank, what was asked for first."""

    LOOKED_AT = 0
    BEGUN = 1
    """Goes on with what is loaded already, so that photos do not pile up in memory."""
    NEW = 2


class JobCancelledError(Exception):
    """A job was called off between two stages of the pipeline."""


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
        """Make the worker; `load` makes the pipeline in the worker's thread, once it starts."""
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
            done: is called with the work's result in the window's thread, unless the job was
                cancelled by then; `failed` likewise with what the work raised.
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
        """Forget a job, also one that has ended and is not told yet: nothing of it is ever told."""
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
            if not is_missing(error):
                logger.exception("the pipeline cannot be loaded")
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


def is_missing(error: Exception) -> bool:
    """Tell whether a part of the installation is missing, which is no fault of ours."""
    from models.engine import EngineError

    return isinstance(error, EngineError | ImportError)
