"""Work that must not hold up the window: threads, portions of its own thread, and collection.

The line itself has its own thread (`app.gui.session.pipeline_worker`), which this does not hold up.
"""

import gc
import logging
import threading
from collections import deque
from collections.abc import Callable, Iterable
from queue import Empty, SimpleQueue
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

logger = logging.getLogger(__name__)

_LOOK_MS: Final = 20
"""Between two looks for a result."""

MayGoOn = Callable[[], bool]
"""Told the work whether anyone still waits for it."""


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
        self._results: SimpleQueue[object] = SimpleQueue()
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MS)
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
        """Begin something, and forget what ran before.

        Args:
            work: runs in a thread and touches no widget; it should end soon after what it is
                given returns False.
        """
        self.cancel()
        self._stop = self._stops[0] = threading.Event()
        # What ran before puts its result into a queue that nobody looks into any longer.
        self._results = SimpleQueue()
        arguments = (work, self._stop, self._results)
        threading.Thread(target=_run, args=arguments, daemon=True).start()
        self._timer.start()

    def cancel(self) -> None:
        """Forget what runs."""
        self._stop.set()
        self._timer.stop()

    def _look(self) -> None:
        try:
            result = self._results.get_nowait()
        except Empty:
            return
        self._timer.stop()
        self.finished.emit(result)


def _run(
    work: Callable[[MayGoOn], object], stop: threading.Event, results: "SimpleQueue[object]"
) -> None:
    try:
        result = work(lambda: not stop.is_set())
    except WorkEndedError:
        return
    except Exception:
        # One of the borders where anything may arrive: the window must live on.
        logger.exception("work behind a panel failed")
        result = None
    results.put(result)


_PAUSE_MS: Final = 1000


class Collector(QObject):
    """Collects cycles every second, in the thread of this object, and stops Python from doing so
    elsewhere.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._timer = QTimer(self)
        self._timer.setInterval(_PAUSE_MS)
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
    """Collect the generations that are due, as Python itself would."""
    counts, thresholds = gc.get_count(), gc.get_threshold()
    for generation in (2, 1, 0):
        if thresholds[generation] and counts[generation] > thresholds[generation]:
            gc.collect(generation)
            return


MOST_AT_ONCE: Final = 8
"""Steps before events have their turn: opening a photo takes 1 ms of the processor, at most 2."""


class Portions(QObject):
    """Does steps in their order; the first few at once, so that a handful waits for nothing."""

    def __init__(self, parent: QObject | None = None, most_at_once: int = MOST_AT_ONCE) -> None:
        super().__init__(parent)
        self._most_at_once = most_at_once
        self._left: deque[Callable[[], object]] = deque()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)
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
