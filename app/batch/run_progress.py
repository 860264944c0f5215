"""How far a batch is and what came of it, on stderr: a bar for people, lines for logs."""

import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Final

from app.recognition.outcome import Outcome
from app.terminal.console import say
from app.terminal.exit_codes import ExitCode

_MOST_MESSAGES: Final = 20


class RunSummary:
    """Counts, as the run goes on."""

    def __init__(self) -> None:
        self.outcomes: Counter[str] = Counter()
        """Photos by outcome, those known from earlier runs among them."""
        self.known = 0
        """Photos whose result was in the journal already."""
        self.skipped = 0
        """Photos whose output was there, which was enough for the user."""
        self.fresh = 0
        """Photos that were worked on, those that have changed meanwhile each time."""
        self.worst = ExitCode.SOLVED
        self._texts: dict[str, tuple[int, int]] = {}
        self._messages = 0

    @property
    def photos(self) -> int:
        """How many photos have a result."""
        return self.outcomes.total()

    def add(self, outcome: str, *, is_known: bool) -> None:
        """Count a photo."""
        self.outcomes[outcome] += 1
        self.known += is_known
        self.fresh += not is_known
        if outcome != Outcome.SOLVED:
            self.note(ExitCode.BAD_INPUT if outcome == Outcome.BAD_IMAGE else ExitCode.NOT_SOLVED)

    def recount(self, outcomes: Iterable[str]) -> None:
        """Count the photos anew: those that have changed during the run were counted each time."""
        self.outcomes = Counter(outcomes)

    @property
    def texts(self) -> int:
        """How many files of puzzles are solved."""
        return len(self._texts)

    def count_text(self, path: str, puzzles: int, solved: int) -> None:
        """Count the puzzles of a text, which may have changed since it was counted."""
        self._texts[path] = puzzles, solved

    def note(self, code: ExitCode) -> None:
        """Remember how badly something ended."""
        self.worst = max(self.worst, code)

    def complain(self, message: str) -> None:
        """Tell the user what cannot be read; of very many only the first."""
        self.note(ExitCode.BAD_INPUT)
        self.tell(message)

    def tell(self, message: str) -> None:
        """Tell the user of something that went wrong; of very many only the first."""
        self._messages += 1
        if self._messages <= _MOST_MESSAGES:
            say(message)
        if self._messages == _MOST_MESSAGES:
            say("further messages of this kind are left out; the report has them")

    def describe(self) -> str:
        """Return the counts by outcome, the best first, in a few words."""
        counts = [f"{self.outcomes[name]:,} {name}" for name in Outcome if self.outcomes[name]]
        return ", ".join(counts)

    def summarize(self, seconds: float) -> str:
        """Return the lines that end a run."""
        lines = []
        if self.photos:
            lines.append(f"{_count(self.photos, 'photo')}: {self.describe()}")
        if self.fresh:
            rate = f"{self.fresh / seconds:.1f}" if seconds > 0 else "many"
            lines.append(f"{self.fresh:,} worked on in {seconds:.1f} s, {rate} a second")
        if self.known:
            lines.append(f"{self.known:,} known already")
        if self.skipped:
            lines.append(f"{self.skipped:,} left out, as their outputs are there")
        if self.texts:
            puzzles, solved = map(sum, zip(*self._texts.values(), strict=True))
            text = f"{_count(self.texts, 'text')}: {_count(puzzles, 'puzzle')}"
            lines.append(f"{text}, {solved:,} solved")
        return "\n".join(lines) or "nothing to do"


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


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


_Show = Callable[[], None]
"""Shows how far the run is, if it is time for that."""


@contextmanager
def showing_batch(
    tally: RunSummary, total: Total, *, quiet: bool = False, clock: Clock = time.monotonic
) -> Iterator[_Show]:
    """Show progress while the block runs; the total may be known later, or never."""
    if quiet or sys.stderr is None:  # it is where there is none, whatever its type says
        yield lambda: None
    elif sys.stderr.isatty():
        with _bar(tally, total, clock) as show:
            yield show
    else:
        yield _lines(tally, total, clock)


@contextmanager
def _bar(tally: RunSummary, total: Total, clock: Clock) -> Iterator[_Show]:
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


def _lines(tally: RunSummary, total: Total, clock: Clock) -> _Show:
    speed = _Speed(clock)
    told = clock()

    def show() -> None:
        nonlocal told
        if clock() - told >= _LINE_SECONDS:
            told = clock()
            say(_describe(tally, total, speed))

    return show


def _describe(tally: RunSummary, total: Total, speed: "_Speed") -> str:
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
    """Return a time as a person counts: `4 min 05 s`, `4 h 43 min`, from two days `4.9 days`."""
    if seconds >= 2 * _DAY_SECONDS:
        return f"{seconds / _DAY_SECONDS:,.1f} days"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02} min"
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
