"""Python's collector of cycles, held in the window's thread.

It runs in whichever thread happens to allocate, and what it collects may be an object of Qt that
must not die in another thread than its own: the worker would end the process.
"""

import gc
from typing import Final

from PySide6.QtCore import QObject, QTimer

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
