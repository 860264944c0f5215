"""Work of a panel that takes longer than a click may: it runs in a thread, and the newest wins.

The line itself has its own thread (`app.gui.session.pipeline_worker`), which this does not hold up.
"""

import logging
import threading
from collections.abc import Callable
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
