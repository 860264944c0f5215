"""How far a batch is and what came of it: counts, and progress on stderr."""

import time
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from contextlib import AbstractContextManager
from typing import Final

from app.recognition.outcome import Outcome
from app.terminal.console import Clock, ProgressState, format_span, say, showing_state
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


_RATE_SECONDS: Final = 20.0


def showing_batch(
    tally: RunSummary,
    counting: Future[int],
    *,
    quiet: bool = False,
    prints: bool = False,
    clock: Clock = time.monotonic,
) -> AbstractContextManager[Callable[[], None]]:
    """Show progress as `showing_state` does; the number of inputs may be known late or never."""
    looks = [(0.0, 0)]

    def look(seconds: float) -> ProgressState:
        done = tally.photos + tally.skipped
        total = counting.result() if counting.done() else None
        parts = [f"{done:,}" if total is None else f"{done:,} of {total:,}"]
        rate = _measure_rate(looks, seconds, tally.fresh)
        if rate is not None:
            parts.append(f"{rate:.1f} a second")
            if total is not None and rate > 0:
                parts.append(f"about {format_span(max(total - done, 0) / rate)} left")
        text = "; ".join([", ".join(parts), *filter(None, [tally.describe()])])
        return ProgressState(done, total, text)

    return showing_state(look, quiet=quiet, prints=prints, clock=clock)


def _measure_rate(looks: list[tuple[float, int]], seconds: float, done: int) -> float | None:
    """Return photos a second of late, or None where none can be told yet.

    Those known from before, which cost nothing, do not count. `looks` are the looks before.
    """
    looks.append((seconds, done))
    while len(looks) > 2 and looks[1][0] < seconds - _RATE_SECONDS:
        del looks[0]
    begun, before = looks[0]
    return (done - before) / (seconds - begun) if seconds > begun and done > before else None
