"""How far a batch is, on stderr: a bar for people, now and then a line for logs."""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Protocol

from app.batch.report.run_summary import Tally
from app.terminal.console import say

_BAR_SECONDS: Final = 0.25
_LINE_SECONDS: Final = 30.0
_RATE_SECONDS: Final = 20.0
_DAY_SECONDS: Final = 86_400

Clock = Callable[[], float]


class Total:
    """How many inputs there are, as soon as somebody has counted them."""

    def __init__(self) -> None:
        self.value: int | None = None

    def count_aside(self, count: Callable[[], int]) -> None:
        """Count in a thread, as the first photos need not wait for that."""

        def work() -> None:
            self.value = count()

        threading.Thread(target=work, daemon=True).start()


class Show(Protocol):
    """Shows how far the run is, if it is time for that."""

    def __call__(self) -> None:
        """Look at the tally."""


@contextmanager
def showing_batch(
    tally: Tally, total: Total, *, quiet: bool = False, clock: Clock = time.monotonic
) -> Iterator[Show]:
    """Show progress while the block runs.

    Args:
        tally: what is shown: counts by outcome.
        total: how many there are, which may be known later, or never.
        quiet: show nothing.
        clock: what the time is taken from.
    """
    if quiet or sys.stderr is None:  # it is where there is none, whatever its type says
        yield lambda: None
    elif sys.stderr.isatty():
        with _bar(tally, total, clock) as show:
            yield show
    else:
        yield _lines(tally, total, clock)


@contextmanager
def _bar(tally: Tally, total: Total, clock: Clock) -> Iterator[Show]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    bar = Progress(
        BarColumn(bar_width=20),
        TextColumn("{task.description}"),
        console=Console(stderr=True),
        auto_refresh=False,
        transient=True,  # only results stay on the screen
    )
    speed = _Speed(clock)
    with bar:
        task = bar.add_task("", total=None)
        drawn = clock() - _BAR_SECONDS

        def show() -> None:
            nonlocal drawn
            if clock() - drawn < _BAR_SECONDS:
                return
            drawn = clock()
            done = tally.photos + tally.skipped
            text = _describe(tally, total, speed).replace("; ", "\n")  # or it would be cut off
            bar.update(task, completed=done, total=total.value, description=text, refresh=True)

        show()
        yield show


def _lines(tally: Tally, total: Total, clock: Clock) -> Show:
    speed = _Speed(clock)
    told = clock()

    def show() -> None:
        nonlocal told
        if clock() - told >= _LINE_SECONDS:
            told = clock()
            say(_describe(tally, total, speed))

    return show


def _describe(tally: Tally, total: Total, speed: "_Speed") -> str:
    done = tally.photos + tally.skipped
    rate = speed.look(tally.fresh)
    parts = [f"{done:,}" if total.value is None else f"{done:,} of {total.value:,}"]
    if rate is not None:
        parts.append(f"{rate:.1f} a second")
        if total.value is not None and rate > 0:
            parts.append(f"about {format_span(max(total.value - done, 0) / rate)} left")
    return "; ".join([", ".join(parts), *filter(None, [tally.describe()])])


class _Speed:
    """Photos a second of late; those known from before, which cost nothing, do not count."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._looks = [(clock(), 0)]

    def look(self, done: int) -> float | None:
        """Return the rate, or None where none can be told yet."""
        now = self._clock()
        self._looks.append((now, done))
        while len(self._looks) > 2 and self._looks[1][0] < now - _RATE_SECONDS:
            del self._looks[0]
        begun, before = self._looks[0]
        return (done - before) / (now - begun) if now > begun and done > before else None


def format_span(seconds: float) -> str:
    """Return a time in units that a person counts in: `4 min 05 s`, `4 h 43 min`, `4.9 days`.

    Args:
        seconds: how long; tenths of a day are told from two days on.
    """
    if seconds >= 2 * _DAY_SECONDS:
        return f"{seconds / _DAY_SECONDS:,.1f} days"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02} min"
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
