"""How a run is ended early: by Ctrl-C, or by the first photo that fails."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from app.console import say


class Stop:
    """Whether to begin nothing more, and whether the user asked for that."""

    def __init__(self) -> None:
        self._is_set = False
        self.is_interrupted = False

    def __call__(self) -> bool:
        """Tell whether to begin nothing more."""
        return self._is_set

    def set(self) -> None:
        """Begin nothing more."""
        self._is_set = True

    def interrupt(self, _signal: int = 0, _frame: FrameType | None = None) -> None:
        """Begin nothing more, or end at once if that was said before."""
        if self.is_interrupted:
            raise KeyboardInterrupt
        self.is_interrupted = self._is_set = True
        say("ending after the photos in hand; Ctrl-C once more ends at once")


@contextmanager
def stopping_on_interrupt() -> Iterator[Stop]:
    """Let Ctrl-C, and on Unix the signal to terminate, end a run well inside the block."""
    stop = Stop()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    kinds = [signal.SIGINT, signal.SIGTERM]
    before = [signal.signal(kind, stop.interrupt) for kind in kinds]
    try:
        yield stop
    finally:
        for kind, handler in zip(kinds, before, strict=True):
            signal.signal(kind, handler)
