"""What commands say on stderr: messages and progress."""

import contextlib
import logging
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Characters that steer a terminal, break a line, or turn the direction of writing."""


def printable(text: str) -> str:
    r"""Return a text whose control characters are spelled out, as `\x1b`.

    Names of files may hold any; on a terminal they could erase lines, or forge others.
    """
    return _CONTROLS.sub(lambda found: repr(found[0])[1:-1], text)


def printable_lines(text: str) -> str:
    """Return the same for a text of several lines, which stay lines."""
    return "\n".join(map(printable, text.split("\n")))


class _Formatter(logging.Formatter):
    """Spells out control characters of what is logged."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        return printable(super().formatMessage(record))

    def formatException(self, ei: Any) -> str:  # noqa: N802 - likewise
        return printable_lines(super().formatException(ei))


def start_logging(verbose: int, quiet: bool) -> None:
    """Send this program's log to stderr: warnings, or as much as -v and -q ask for."""
    level = logging.ERROR if quiet else logging.WARNING - 10 * min(verbose, 2)
    handler: logging.Handler = logging.NullHandler()
    if sys.stderr is not None:  # it is where there is none, whatever its type says
        handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Formatter("sudoku-lens: %(levelname)s: %(message)s"))
    for package in ("app", "vision", "solver", "models"):
        logger = logging.getLogger(package)
        logger.handlers = [handler]
        logger.setLevel(level)
        logger.propagate = False


def say(message: str) -> None:
    """Tell the user something on stderr, in one line, so that stdout holds results only."""
    show_aside(f"sudoku-lens: {printable(message)}")


def show_aside(text: str) -> None:
    """Write a text on stderr as it is, where stdout holds something else."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError):  # there is nobody left to tell
            sys.stderr.write(f"{text}\n")


def fill_closed_streams() -> None:
    """Open the null device in place of standard streams that are closed.

    Otherwise the next file that is opened would get the number of stdout or stderr, and a library
    that writes there would write into it.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest number that is free, so this one


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

    The bar is drawn by the calls themselves, not by a thread that would take time of its own. Where
    nobody knows how much there is to do, `total` is None.
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
