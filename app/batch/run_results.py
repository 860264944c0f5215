"""What comes of the photos of a run: kept in its journal, counted, and shown as it goes on.

Here too: the overlays that go with results, and progress on stderr.
"""

import os
import stat
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final, NamedTuple

from app.batch.overlay_files import copy_whole, remove_output
from app.batch.photo_work import JobResult
from app.batch.run_journal import InputRecord, Journal, StoredResult
from app.batch.sources import UNKNOWN_STAMP, InputFile, Stamp
from app.recognition.outcome import Outcome
from app.terminal.console import Clock, ProgressState, format_span, say, showing_state
from app.terminal.exit_codes import ExitCode
from vision.media.whole_files import remove_temporaries


class PhotoInput(NamedTuple):
    """An input of a run, its content, and where its overlay goes, if anywhere.

    `digest` is None where the content is read by who works on it, and not known yet; `is_foreign`
    tells whether a file is there that no run of this journal has written; `is_lookup` whether only
    the content is to be read, which may be known.
    """

    found: InputFile
    digest: bytes | None
    output: str | None
    stamp: Stamp = UNKNOWN_STAMP
    is_foreign: bool = False
    is_lookup: bool = False


class ResultStore:
    """What a journal holds, for a run that gives each photo so much time."""

    def __init__(self, journal: Journal, timeout: float | None) -> None:
        """Look into a journal, with so many seconds for a photo, None for no end."""
        self.journal = journal
        self._timeout = timeout

    def find_digest(self, known: InputRecord | None, stamp: Stamp) -> bytes | None:
        """Return the key of a file's content, unless it has changed since it was read."""
        if known is None or stamp == UNKNOWN_STAMP or (known.size, known.mtime_ns) != stamp:
            return None
        return known.digest

    def is_met(self, known: InputRecord | None, stamp: Stamp) -> bool:
        """Tell whether this run has met a file before, as it is now, and could read it."""
        if known is None or not self.was_met(known):
            return False
        return stamp == UNKNOWN_STAMP or (known.size, known.mtime_ns) == stamp

    def was_met(self, known: InputRecord | None) -> bool:
        """Tell whether this run has met a file before, whatever it was then."""
        return known is not None and known.run == self.journal.run

    def find_result(self, digest: bytes | None) -> StoredResult | None:
        """Return a result that holds: more time may help where there was too little."""
        result = None if digest is None else self.journal.find_result(digest)
        if result is not None and result.timeout is not None:
            is_more = self._timeout is None or self._timeout > result.timeout
            return None if is_more else result
        return result

    def is_shown(self, result: StoredResult, digest: bytes | None, output: str | None) -> bool:
        """Tell whether a photo's overlay is there, or none is needed."""
        return not has_overlay(result) or self.is_there(digest, output)

    def is_there(self, digest: bytes | None, output: str | None) -> bool:
        """Tell whether an input's output is there, or none is wanted."""
        if output is None:
            return True
        shown = self.journal.find_output(output)
        return (
            shown is not None
            and (shown.digest, shown.settings) == (digest, self.journal.settings)
            and os.path.exists(output)
        )

    def remove_stale(self, output: str) -> None:
        """Remove an overlay of what is no longer solved, if there is one."""
        shown = self.journal.find_output(output)
        if shown is not None and shown.is_ours:
            remove_output(Path(output))
            self.journal.end_output(output, None)

    def copy_twin(self, item: PhotoInput) -> bool:
        """Give a photo the overlay of another of the same content; tell whether there is one."""
        assert item.output is not None
        assert item.digest is not None
        twin = self.journal.find_twin(item.digest, os.path.splitext(item.output)[1])
        if twin is None or twin == item.output:
            return False
        self.journal.begin_output(item.output)
        self.journal.commit()
        if not copy_whole(Path(twin), Path(item.output)):
            return False
        self.journal.end_output(item.output, item.digest)
        return True

    def keep(self, item: PhotoInput, digest: bytes, done: JobResult) -> StoredResult:
        """Keep what came of a photo's content, and return it. After this it counts as done."""
        timeout = self._timeout if done.timed_out else None
        result = StoredResult(done.outcome, done.record, done.seconds, timeout)
        self.journal.note_result(digest, result)
        if item.output is not None:
            is_drawn = has_overlay(result)
            if not (is_drawn or item.is_foreign):
                remove_output(Path(item.output))
            self.journal.end_output(item.output, digest if is_drawn else None)
        self.journal.commit()
        return result

    def remove_leftovers(self) -> None:
        """Remove what runs that were killed have left half-written."""
        for path in self.journal.begun_outputs():
            remove_temporaries(Path(path))
            # One that is there is whole, and shows what its photo's result, if kept, would not
            # tell: it is made again, unless its photo is gone.
            if not os.path.lexists(path):
                self.journal.end_output(path, None)
        self.journal.commit()


def find_stamp(found: InputFile) -> Stamp:
    """Return what tells whether a file has changed.

    Raises:
        OSError: if it is not there, or is no file.
    """
    if found.stamp is not None:
        return found.stamp
    status = os.stat(found.path)
    if not stat.S_ISREG(status.st_mode):
        raise OSError(0, "it is no file")
    return Stamp(status.st_size, status.st_mtime_ns)


def has_overlay(result: StoredResult) -> bool:
    """Tell whether something is drawn for this result."""
    return result.outcome == Outcome.SOLVED and '"error"' not in result.record


def why_unreadable(error: OSError) -> str:
    """Say why a photo cannot be read, and what to do about that."""
    reasons = {FileNotFoundError: "it does not exist", PermissionError: "it may not be read"}
    reason = reasons.get(type(error), error.strerror or str(error))
    return f"the photo cannot be read: {reason}; check its name and its rights"


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


class Total:
    """How many inputs there are, as soon as somebody has counted them."""

    def __init__(self) -> None:
        self.value: int | None = None

    def count_aside(self, count: Callable[[], int]) -> None:
        """Count in a thread, as the first photos need not wait for that."""

        def work() -> None:
            self.value = count()

        threading.Thread(target=work, daemon=True).start()


def showing_batch(
    tally: RunSummary, total: Total, *, quiet: bool = False, clock: Clock = time.monotonic
) -> AbstractContextManager[Callable[[], None]]:
    """Show progress while the block runs; the total may be known later, or never."""
    looks = [(0.0, 0)]

    def look(seconds: float) -> ProgressState:
        done = tally.photos + tally.skipped
        parts = [f"{done:,}" if total.value is None else f"{done:,} of {total.value:,}"]
        rate = _measure_rate(looks, seconds, tally.fresh)
        if rate is not None:
            parts.append(f"{rate:.1f} a second")
            if total.value is not None and rate > 0:
                parts.append(f"about {format_span(max(total.value - done, 0) / rate)} left")
        text = "; ".join([", ".join(parts), *filter(None, [tally.describe()])])
        return ProgressState(done, total.value, text)

    return showing_state(look, quiet=quiet, clock=clock)


def _measure_rate(looks: list[tuple[float, int]], seconds: float, done: int) -> float | None:
    """Return photos a second of late, or None where none can be told yet.

    Those known from before, which cost nothing, do not count. `looks` are the looks before.
    """
    looks.append((seconds, done))
    while len(looks) > 2 and looks[1][0] < seconds - _RATE_SECONDS:
        del looks[0]
    begun, before = looks[0]
    return (done - before) / (seconds - begun) if seconds > begun and done > before else None
