"""Work of a panel that takes longer than a click may: it runs in a thread, and the newest wins.

The line itself has its own thread (`app.gui.worker`), which is not held up by this.
"""

import logging
import threading
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal

logger = logging.getLogger(__name__)

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

    Signals:
        finished: the result, in the thread of this object; None where the work failed.
    """

    finished = Signal(object)
    _ended = Signal(int, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._number = 0
        self._stop = threading.Event()
        self._is_running = False
        self._ended.connect(self._deliver, Qt.ConnectionType.QueuedConnection)
        stops = [self._stop]
        self._stops = stops
        # The object is gone by then, so the function must not need it.
        self.destroyed.connect(lambda: stops[0].set())

    @property
    def is_running(self) -> bool:
        """Whether a result is still to come."""
        return self._is_running

    def start(self, work: Callable[[MayGoOn], object]) -> None:
        """Begin something, and forget what ran before.

        Args:
            work: runs in a thread and touches no widget; it should end soon after what it is
                given returns False.
        """
        self.cancel()
        self._number += 1
        self._stop = self._stops[0] = threading.Event()
        self._is_running = True
        arguments = (work, self._number, self._stop)
        threading.Thread(target=self._run, args=arguments, daemon=True).start()

    def cancel(self) -> None:
        """Forget what runs."""
        self._stop.set()
        self._number += 1
        self._is_running = False

    def _run(self, work: Callable[[MayGoOn], object], number: int, stop: threading.Event) -> None:
        result: object = None
        try:
            result = work(lambda: not stop.is_set())
        except WorkEndedError:
            return
        except Exception:
            # One of the borders where anything may arrive: the window must live on.
            logger.exception("work behind a panel failed")
        if stop.is_set():
            return
        try:
            self._ended.emit(number, result)
        except RuntimeError:
            logger.debug("the panel closed while its work ended")

    def _deliver(self, number: int, result: object) -> None:
        if number == self._number:
            self._is_running = False
            self.finished.emit(result)
