"""How far a long command is, on stderr: a bar for people, now and then a line for logs."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from app.terminal.console import say

_BAR_SECONDS: Final = 0.5
_LINE_SECONDS: Final = 30.0

Advance = Callable[[int], None]
"""Takes how much was done since the last call."""

Clock = Callable[[], float]
"""Returns seconds, counted from anywhere."""


@contextmanager
def showing_progress(
    label: str, total: int | None, *, quiet: bool = False, clock: Clock = time.monotonic
) -> Iterator[Advance]:
    """Show progress while the block runs; nothing at all if it is over soon.

    The bar is drawn by the calls themselves, not by a thread that would take time of its own.

    Args:
        label: what is done, such as "puzzles".
        total: how much there is to do, or None where nobody knows.
        quiet: show nothing.
        clock: what the time is taken from.
    """
    if quiet:
        yield lambda _: None
    elif sys.stderr.isatty():
        with _bar(label, total, clock) as advance:
            yield advance
    else:
        yield _lines(label, total, clock)


@contextmanager
def _bar(label: str, total: int | None, clock: Clock) -> Iterator[Advance]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (label, BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    # Made to vanish at the end, so that only results stay on the screen.
    bar = Progress(*columns, console=Console(stderr=True), auto_refresh=False, transient=True)
    with bar:
        task = bar.add_task(label, total=total)
        drawn = clock()

        def advance(n: int) -> None:
            nonlocal drawn
            bar.advance(task, n)
            if clock() - drawn >= _BAR_SECONDS:
                bar.refresh()
                drawn = clock()

        yield advance


def _lines(label: str, total: int | None, clock: Clock) -> Advance:
    begun = told = clock()
    done = 0

    def advance(n: int) -> None:
        nonlocal done, told
        done += n
        now = clock()
        if now - told < _LINE_SECONDS:
            return
        told = now
        if total is None:
            say(f"{done:,} {label}")
        elif not done:
            say(f"0 of {total:,} {label}")
        else:
            left = (now - begun) * (total - done) / done
            say(f"{done:,} of {total:,} {label}, about {left:,.0f} s left")

    return advance
