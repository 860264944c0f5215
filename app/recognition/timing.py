"""How long the stages of the pipeline take."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

STAGES: Final = ("load", "find", "read", "decode", "solve")


class StageClock:
    """Adds up the seconds of each stage; a stage may run more than once."""

    def __init__(
        self,
        on_stage: Callable[[str], None] | None = None,
        now: Callable[[], float] = time.perf_counter,
    ) -> None:
        """Begin at zero.

        Args:
            on_stage: is told each stage as it begins, or goes on after one within it; what it
                raises ends the work, which is how a window cancels it.
            now: returns seconds; only differences count.
        """
        self._seconds = dict.fromkeys(STAGES, 0.0)
        self._on_stage = on_stage
        self._now = now
        self._running: list[str] = []
        self._since = 0.0

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Count the time inside the block for one of `STAGES`.

        Blocks may be nested: what the inner one takes does not count for the outer.
        """
        if self._on_stage is not None:
            self._on_stage(name)
        self._count()
        self._running.append(name)
        try:
            yield
        finally:
            self._count()
            self._running.pop()
        if self._on_stage is not None and self._running:
            self._on_stage(self._running[-1])

    def _count(self) -> None:
        """Give the innermost stage the time since the last change of stages."""
        now = self._now()
        if self._running:
            self._seconds[self._running[-1]] += now - self._since
        self._since = now

    def seconds(self) -> dict[str, float]:
        """Return the seconds of every stage so far, in the order of `STAGES`."""
        return dict(self._seconds)
