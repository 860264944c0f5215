"""What commands say on stderr: messages and progress."""

import contextlib
import logging
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

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


class _Handler(logging.Handler):
    """Writes above a progress bar while one is shown, as stderr then does."""

    def emit(self, record: logging.LogRecord) -> None:
        show_aside(self.format(record))


def start_logging(verbose: int, quiet: bool) -> None:
    """Send this program's log to stderr: warnings, or as much as -v and -q ask for."""
    level = logging.ERROR if quiet else logging.WARNING - 10 * min(verbose, 2)
    handler = _Handler()
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


_BAR_SECONDS: Final = 0.25
_LINE_SECONDS: Final = 30.0
_DAY_SECONDS: Final = 86_400

Advance = Callable[[int], None]
"""Takes how much was done since the last call."""

Clock = Callable[[], float]
"""Returns seconds, counted from anywhere."""


class ProgressState(NamedTuple):
    """How far something is; where nobody knows how much there is to do, `total` is None.

    A bar shows what stands behind a semicolon of `text` on a line of its own.
    """

    done: int
    total: int | None
    text: str


@contextmanager
def showing_state(
    look: Callable[[float], ProgressState],
    *,
    quiet: bool = False,
    prints: bool = False,
    clock: Clock = time.monotonic,
) -> Iterator[Callable[[], None]]:
    """Show how far something is while the block runs: a bar for people, lines for logs.

    Yields what is to be called often: it shows something if it is time for that, without a thread
    that would take time of its own. `look` takes the seconds since the beginning. A block that
    `prints` results on the same terminal shows thereby how far it is.
    """
    begun = clock()
    # A stream is None where there is none, whatever its type says.
    if quiet or sys.stderr is None or (prints and sys.stderr.isatty() and sys.stdout.isatty()):
        yield lambda: None
    elif sys.stderr.isatty():
        with _bar() as draw:
            draw(look(0.0))
            yield _now_and_then(_BAR_SECONDS, lambda now: draw(look(now - begun)), clock, begun)
    else:
        yield _now_and_then(_LINE_SECONDS, lambda now: say(look(now - begun).text), clock, begun)


def _now_and_then(
    seconds: float, act: Callable[[float], None], clock: Clock, last: float
) -> Callable[[], None]:
    def look() -> None:
        nonlocal last
        now = clock()
        if now - last >= seconds:
            last = now
            act(now)

    return look


@contextmanager
def _bar() -> Iterator[Callable[[ProgressState], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    # Made to vanish at the end, so that only results stay on the screen. Those on stdout, which may
    # be a file, go their own way.
    bar = Progress(
        BarColumn(bar_width=20),
        TextColumn("{task.description}"),
        console=Console(stderr=True),
        auto_refresh=False,
        transient=True,
        redirect_stdout=False,
    )
    with bar:
        task = bar.add_task("", total=None)

        def draw(state: ProgressState) -> None:
            text = state.text.replace("; ", "\n")  # or it would be cut off
            bar.update(
                task, completed=state.done, total=state.total, description=text, refresh=True
            )

        yield draw


@contextmanager
def showing_progress(
    label: str,
    total: int | None,
    *,
    quiet: bool = False,
    prints: bool = False,
    clock: Clock = time.monotonic,
) -> Iterator[Advance]:
    """Show progress while the block runs, as `showing_state` does; nothing if it is over soon.

    Where nobody knows how much there is to do, `total` is None.
    """
    done = 0

    def look(seconds: float) -> ProgressState:
        text = f"{done:,} {label}" if total is None else f"{done:,} of {total:,} {label}"
        if total is not None and done:
            text += f", about {format_span(seconds * max(total - done, 0) / done)} left"
        return ProgressState(done, total, text)

    def advance(n: int) -> None:
        nonlocal done
        done += n
        show()

    with showing_state(look, quiet=quiet, prints=prints, clock=clock) as show:
        yield advance


def format_span(seconds: float) -> str:
    """Return a time as a person counts: `4 min 05 s`, `4 h 43 min`, from two days `4.9 days`."""
    if seconds >= 2 * _DAY_SECONDS:
        return f"{seconds / _DAY_SECONDS:,.1f} days"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02} min"
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
