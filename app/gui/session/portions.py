"""Many small things to do in the window's own thread, a few of them before each turn of its loop.

Opening hundreds of photos is nothing but hundreds of short steps. All in a row they would hold up
keys and clicks for as long as they take together.
"""

from collections import deque
from collections.abc import Callable, Iterable
from typing import Final

from PySide6.QtCore import QObject, QTimer

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
