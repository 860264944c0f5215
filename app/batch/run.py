"""One run: meets inputs, gives jobs to an engine, and keeps in the journal what came of them."""

import os
import stat
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from app.batch.digests import digest_file, stable_share
from app.batch.engine import Done, Engine, Job
from app.batch.files import copy_whole, remove_output, remove_temporaries
from app.batch.inputs import Found
from app.batch.journal import Input, Journal, Reported, Result
from app.batch.names import Claim, Namer
from app.batch.report import report_of
from app.batch.stopping import Stop
from app.batch.tally import Tally
from app.batch.words import SOLVED
from app.exits import UsageError

_SLICE_SECONDS: Final = 0.05
"""How long known photos are passed over before the workers are looked at again."""

_NAP_SECONDS: Final = 0.005
_INPUTS_PER_COMMIT: Final = 2000


@dataclass(frozen=True)
class RunOptions:
    """How inputs become jobs.

    Attributes:
        overwrite: whether files in the way that no run of this journal has written are replaced.
        skip_existing: whether an input whose output is there, whoever wrote it, is left out.
        fail_fast: whether nothing more is begun after a photo that is not solved.
        timeout: seconds that a photo may take, None for no end.
        share: which of `shares` this run does, from 0.
        shares: how many runs divide the inputs among them.
    """

    overwrite: bool = False
    skip_existing: bool = False
    fail_fast: bool = False
    timeout: float | None = 60.0
    share: int = 0
    shares: int = 1


class _Item(NamedTuple):
    """An input of this run whose content is known."""

    found: Found
    digest: bytes
    output: str | None


Tell = Callable[[dict[str, Any]], None]
"""Takes the report of each photo as soon as it is known."""


class Run:
    """A run of a batch; all of it happens in the caller's thread."""

    def __init__(
        self,
        journal: Journal,
        namer: Namer | None,
        options: RunOptions,
        stop: Stop,
        tell: Tell | None = None,
    ) -> None:
        """Prepare a run.

        Args:
            journal: with its run begun.
            namer: names the outputs; None where no overlays are wanted.
            options: how inputs become jobs.
            stop: whether to begin nothing more.
            tell: told every photo's report.
        """
        self.tally = Tally()
        self.texts: list[Found] = []
        """Files of puzzles, which are left to the bulk engine."""
        self._journal = journal
        self._namer = namer
        self._options = options
        self._stop = stop
        self._tell = tell
        self._in_hand: dict[int, _Item] = {}
        self._waiting: dict[bytes, list[_Item]] = {}
        """By content that is being worked on: further photos of the same content."""
        self._again: deque[_Item] = deque()
        self._last_number = 0

    def work_off(
        self, source: Iterator[Found | None], engine: Engine, show: Callable[[], None]
    ) -> None:
        """Work all inputs off.

        Args:
            source: the inputs; None where there is nothing at the moment.
            engine: does the jobs.
            show: called often, to show progress.

        Raises:
            UsageError: if the journal or an output cannot be written; what is done stays done.
            CommandError: if the engine cannot work.
        """
        self._remove_leftovers()
        with closing(engine.run(self._jobs(source, show), self._stop)) as outcomes:
            for done in outcomes:
                self._take(done)
                show()
        self._journal.commit()

    def preview(self, source: Iterator[Found | None]) -> Iterator[str]:
        """Yield a line for each input that says what a run would do, and do nothing."""
        for found in source:
            if self._stop():
                return
            if found is None or not self._is_in_share(found):
                continue
            claim = self._claim(found)
            goal = f" -> {claim.path}" if claim is not None else ""
            known = self._journal.find_input(found.path)
            try:
                status = os.stat(found.path)
            except OSError as error:
                yield f"{found.file}: {error.strerror}"
                continue
            if claim is not None and claim.is_foreign and self._options.skip_existing:
                yield f"{found.file}: left out, {claim.path} is there"
                continue
            if claim is not None and claim.is_foreign and not self._options.overwrite:
                yield f"{found.file}: {_in_the_way(claim)}"
                continue
            is_same = known is not None and _is_unchanged(known.size, known.mtime_ns, status)
            digest = known.digest if known is not None and is_same else None
            result = self._find_result(digest)
            if result is not None and self._is_shown(result, digest, claim):
                yield f"{found.file}: known, {result.outcome}"
            else:
                yield f"{found.file}{goal}"
            if claim is not None and self._namer is not None:
                self._namer.take(claim, found)

    def is_mine(self, found: Found) -> bool:
        """Tell whether a file is a photo of the share that this run does."""
        return found.kind == "photo" and self._is_in_share(found)

    def _jobs(
        self, source: Iterator[Found | None], show: Callable[[], None]
    ) -> Iterator[Job | None]:
        until = time.monotonic() + _SLICE_SECONDS
        since_commit = 0
        is_over = False
        while not self._stop():
            if time.monotonic() >= until:
                show()
                yield None
                until = time.monotonic() + _SLICE_SECONDS
            if self._again:
                job = self._consider(self._again.popleft())
            elif is_over:
                if not any(self._waiting.values()):
                    return
                time.sleep(_NAP_SECONDS)
                yield None
                continue
            else:
                found = next(source, _OVER)
                if isinstance(found, _Over):
                    is_over = True
                    continue
                if found is None:
                    self._journal.commit()
                    yield None
                    continue
                job = self._meet(found)
                since_commit += 1
                if since_commit >= _INPUTS_PER_COMMIT:
                    self._journal.commit()
                    since_commit = 0
            if job is not None:
                yield job
                until = time.monotonic() + _SLICE_SECONDS

    def _meet(self, found: Found) -> Job | None:
        """Look at an input for the first time; return the job that it makes, if any."""
        if not self._is_in_share(found):
            return None
        if found.kind == "text":
            self.texts.append(found)
            return None
        known = self._journal.find_input(found.path)
        try:
            status = os.stat(found.path)
            if not stat.S_ISREG(status.st_mode):
                raise OSError(0, "it is no file")
            is_same = known is not None and _is_unchanged(known.size, known.mtime_ns, status)
            if known is not None and is_same and known.run == self._journal.run:
                return None  # named twice
            digest = known.digest if known is not None and is_same else None
            digest = digest or digest_file(found.path)
        except OSError as error:
            self._note_unreadable(found, _why_unreadable(error))
            return None
        claim = self._claim(found)
        if claim is not None and claim.is_foreign:
            if self._options.skip_existing:
                self.tally.skipped += 1
                return None
            if not self._options.overwrite:
                raise UsageError(_in_the_way(claim))
        if claim is not None and self._namer is not None:
            if self._options.skip_existing and os.path.lexists(claim.path):
                self.tally.skipped += 1
                return None
            self._namer.take(claim, found)
        item = _Item(found, digest, claim.path if claim is not None else None)
        self._note_input(item, status.st_size, status.st_mtime_ns)
        return self._consider(item)

    def _consider(self, item: _Item) -> Job | None:
        """Return the job that an input makes, unless its content is known or in hand."""
        waiting = self._waiting.get(item.digest)
        if waiting is not None:
            waiting.append(item)
            return None
        result = self._find_result(item.digest)
        if result is None:
            return self._begin(item)
        return self._settle(item, result, is_known=True)

    def _begin(self, item: _Item) -> Job:
        if item.output is not None:
            self._journal.begin_output(item.output)
        self._journal.commit()
        self._last_number += 1
        self._in_hand[self._last_number] = item
        self._waiting[item.digest] = []
        return Job(self._last_number, item.found.path, item.output, item.digest)

    def _settle(self, item: _Item, result: Result, *, is_known: bool) -> Job | None:
        """Count a photo whose result is known; return a job if its overlay must be drawn anew."""
        if item.output is not None:
            shown = self._journal.find_output(item.output)
            if _has_overlay(result):
                is_there = self._is_shown(result, item.digest, Claim(item.output, False))
                if not is_there and not self._copy_twin(item):
                    return self._begin(item)
            elif shown is not None and shown.digest is not None:
                remove_output(Path(item.output))
                self._journal.end_output(item.output, None)
        self._count(item.found, item.output, result, is_known=is_known)
        return None

    def _take(self, done: Done) -> None:
        """Keep what came of a job, and give it to all photos of the same content."""
        item = self._in_hand.pop(done.job.number)
        if done.unwritten is not None:
            raise UsageError(f"{done.unwritten}; the same command goes on from here")
        waiting = self._waiting.pop(item.digest)
        if done.digest != item.digest:
            # It has changed since it was met, or has gone; the others may be as they were.
            self._again.extend(waiting)
            waiting = []
        if done.digest is None:
            self._note_unreadable(item.found, _error_of(done))
            self._journal.commit()
            return
        if done.digest != item.digest:
            item = item._replace(digest=done.digest)
            self._note_input(item, -1, 0)  # so that its content is looked at in the next run
        timeout = self._options.timeout if done.timed_out else None
        result = Result(done.outcome, done.record, done.seconds, timeout)
        self._journal.note_result(done.digest, result)
        if item.output is not None:
            is_drawn = _has_overlay(result)
            if not is_drawn:
                remove_output(Path(item.output))
            self._journal.end_output(item.output, done.digest if is_drawn else None)
        self._journal.commit()
        self._count(item.found, item.output, result, is_known=False)
        self._again.extend(waiting)
        if self._options.fail_fast and done.outcome != SOLVED:
            self._stop.set()

    def _count(self, found: Found, output: str | None, result: Result, *, is_known: bool) -> None:
        self.tally.add(result.outcome, is_known=is_known)
        self._report(Reported(found.file, found.path, result.record, None, output))

    def _report(self, reported: Reported) -> None:
        is_failure = reported.error is not None or '"error"' in (reported.record or "")
        if self._tell is None and not is_failure:
            return
        report = report_of(reported)
        assert report is not None
        if "error" in report:
            self.tally.tell(f"{reported.file}: {report['error']}")
        if self._tell is not None:
            self._tell(report)

    def _note_unreadable(self, found: Found, error: str) -> None:
        output = None
        row = (found.path, found.file, found.kind, -1, 0, None, error, found.root, found.place)
        self._journal.note_input(Input(*row, output))
        self.tally.add("bad_image", is_known=False)
        self._report(Reported(found.file, found.path, None, error, output))

    def _note_input(self, item: _Item, size: int, mtime_ns: int) -> None:
        found = item.found
        row = (found.path, found.file, found.kind, size, mtime_ns, item.digest, None)
        self._journal.note_input(Input(*row, found.root, found.place, item.output))

    def _find_result(self, digest: bytes | None) -> Result | None:
        """Return a result that holds: more time may help where there was too little."""
        result = None if digest is None else self._journal.find_result(digest)
        if result is not None and result.timeout is not None:
            allowed = self._options.timeout
            if allowed is None or allowed > result.timeout:
                return None
        return result

    def _is_shown(self, result: Result, digest: bytes | None, claim: Claim | None) -> bool:
        """Tell whether a photo's overlay is there, or none is needed."""
        if claim is None or not _has_overlay(result):
            return True
        shown = self._journal.find_output(claim.path)
        return (
            shown is not None
            and (shown.digest, shown.settings) == (digest, self._journal.settings)
            and os.path.exists(claim.path)
        )

    def _copy_twin(self, item: _Item) -> bool:
        """Give a photo the overlay of another of the same content; tell whether there is one."""
        assert item.output is not None
        twin = self._journal.find_twin(item.digest, os.path.splitext(item.output)[1])
        if twin is None or twin == item.output:
            return False
        self._journal.begin_output(item.output)
        self._journal.commit()
        if not copy_whole(Path(twin), Path(item.output)):
            return False
        self._journal.end_output(item.output, item.digest)
        return True

    def _claim(self, found: Found) -> Claim | None:
        return None if self._namer is None else self._namer.claim(found)

    def _is_in_share(self, found: Found) -> bool:
        shares = self._options.shares
        return shares == 1 or stable_share(found.place, shares) == self._options.share

    def _remove_leftovers(self) -> None:
        """Remove what runs that were killed have left half-written."""
        for path in self._journal.begun_outputs():
            remove_temporaries(Path(path))
        self._journal.forget_begun()
        self._journal.commit()


class _Over:
    """Says that there is no further input, as None says something else."""


_OVER: Final = _Over()


def _has_overlay(result: Result) -> bool:
    """Tell whether something is drawn for this result."""
    return result.outcome == SOLVED and '"error"' not in result.record


def _is_unchanged(size: int, mtime_ns: int, status: os.stat_result) -> bool:
    return size == status.st_size and mtime_ns == status.st_mtime_ns


def _in_the_way(claim: Claim) -> str:
    return (
        f"{claim.path} is there already, and is of no run of this journal; give --overwrite to "
        "replace such files, --skip-existing to leave their photos out, or another --output-dir"
    )


def _why_unreadable(error: OSError) -> str:
    reasons = {FileNotFoundError: "it does not exist", PermissionError: "it may not be read"}
    reason = reasons.get(type(error), error.strerror or str(error))
    return f"the photo cannot be read: {reason}; check its name and its rights"


def _error_of(done: Done) -> str:
    import json

    return str(json.loads(done.record)["error"])
