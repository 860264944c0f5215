"""One run of photos and of puzzles of texts, and a preview of what it would do."""

import json
import logging
import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any, Final

from app.batch.overlay_files import (
    OutputNamer,
    OutputPath,
    copy_twin,
    in_the_way,
    remove_leftovers,
    remove_output,
    write_solutions,
)
from app.batch.photo_work import Engine, Job, JobResult, PhotoInput
from app.batch.run_journal import InputRecord, Journal, Reported, StoredResult
from app.batch.run_progress import RunSummary
from app.batch.run_report import report_of
from app.batch.sources import (
    UNKNOWN_STAMP,
    InputFile,
    digest_bytes,
    digest_file,
    digest_soon,
    find_stamp,
    stable_share,
    why_unreadable,
)
from app.recognition.outcome import Outcome
from app.terminal.exit_codes import ExitCode, InputError, MissingError, Stop, UsageError

logger = logging.getLogger(__name__)

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
        shares: how many runs divide the inputs among them.
        reads_contents: whether contents are read here, to tell them apart before they are worked
            on; those at addresses never are.
    """

    overwrite: bool = False
    skip_existing: bool = False
    fail_fast: bool = False
    timeout: float | None = 60.0
    share: int = 0
    shares: int = 1
    is_drawn: bool = True
    reads_contents: bool = True


Tell = Callable[[dict[str, Any]], None]
"""Takes the report of each photo as soon as it is known."""


class Run:
    """A run of a batch; all of it happens in the caller's thread."""

    def __init__(
        self,
        journal: Journal,
        namer: OutputNamer,
        options: RunOptions,
        stop: Stop,
        tell: Tell | None = None,
    ) -> None:
        """Prepare a run; `tell` gets each photo's report."""
        self.tally = RunSummary()
        self._texts: list[InputFile] = []
        """Files of puzzles, which are left to the bulk engine."""
        self._journal = journal
        self._namer = namer
        self._options = options
        self._stop = stop
        self._tell = tell
        self._in_hand: dict[int, PhotoInput] = {}
        self._waiting: dict[bytes, list[PhotoInput]] = {}
        """By content that is being worked on: further photos of the same content."""
        self._lookups = 0
        """Jobs in hand that come back with nothing but the content."""
        self._met_again: deque[PhotoInput] = deque()
        self._last_number = 0

    def work_off(
        self, source: Iterator[InputFile | None], engine: Engine, show: Callable[[], None]
    ) -> None:
        """Work all inputs off; where the source yields None, there is nothing at the moment.

        Raises:
            UsageError: if the journal or an output cannot be written; what is done stays done.
            CommandError: if the engine cannot work.
        """
        remove_leftovers(self._journal)
        with closing(engine(self._jobs(source, show), self._stop)) as outcomes:
            for done in outcomes:
                self._take_result(done)
                show()
        self._journal.commit()

    def _jobs(
        self, source: Iterator[InputFile | None], show: Callable[[], None]
    ) -> Iterator[Job | None]:
        until = time.monotonic() + _SLICE_SECONDS
        since_commit = 0
        is_over = False
        while not self._stop():
            if time.monotonic() >= until:
                show()
                yield None
                until = time.monotonic() + _SLICE_SECONDS
            if self._met_again:
                job = self._choose_job(self._met_again.popleft())
            elif is_over:
                if not (any(self._waiting.values()) or self._lookups):
                    return
                time.sleep(_NAP_SECONDS)
                yield None
                continue
            else:
                try:
                    found = next(source)
                except StopIteration:
                    is_over = True
                    continue
                if found is None:
                    self._journal.commit()
                    yield None
                    continue
                job = self._meet_input(found)
                since_commit += 1
                if since_commit >= _INPUTS_PER_COMMIT:
                    self._journal.commit()
                    since_commit = 0
            if job is not None:
                yield job
                until = time.monotonic() + _SLICE_SECONDS

    def _meet_input(self, found: InputFile) -> Job | None:
        if not self.is_in_share(found):
            return None
        if found.kind == "text":
            self._texts.append(found)
            return None
        known = self._journal.find_input(found.path) or InputRecord()
        try:
            stamp = find_stamp(found)
            digest = known.digest_at(stamp)
            if known.is_met_at(stamp):
                return None  # named twice
            if digest is None and self._options.reads_contents and found.stamp is None:
                digest = digest_file(found.path)
        except OSError as error:
            if not known.is_met:
                self._note_unreadable(found, why_unreadable(error))
            return None
        output, is_foreign = None, False
        if self._options.is_drawn:
            claim = self._claim(found)
            if claim is None:
                self.tally.skipped += 1
                return None
            output, is_foreign = claim.path, claim.is_foreign
        # Whose system tells nothing of changes is looked at once more, if its content was solved.
        last = known.digest if stamp == UNKNOWN_STAMP else None
        is_lookup = (
            digest is None and self._journal.find_result(last, self._options.timeout) is not None
        )
        item = PhotoInput(found, digest, output, stamp, is_foreign, is_lookup)
        self._note_input(item)
        return self._choose_job(item)

    def _claim(self, found: InputFile) -> OutputPath | None:
        """Keep the name of an input's output for it; None where one that is there is enough.

        Raises:
            UsageError: if something is in the way that must stay.
        """
        claim = self._namer.claim(found)
        if self._options.skip_existing and os.path.lexists(claim.path):
            return None
        # Of a text, what is there may be its solutions, which only solving it can tell.
        may_replace = self._options.overwrite or found.kind == "text"
        if claim.is_input or (claim.is_foreign and not may_replace):
            raise UsageError(in_the_way(claim))
        self._namer.take(claim, found)
        return claim

    def _choose_job(self, item: PhotoInput) -> Job | None:
        """Return a job for an input, unless its result is known, and its overlay there."""
        if item.digest is None:
            return self._begin_job(item)
        waiting = self._waiting.get(item.digest)
        if waiting is not None:
            waiting.append(item)
            return None
        result, output = self._journal.find_result(item.digest, self._options.timeout), item.output
        if result is None:
            return self._begin_job(item)
        if output is not None and not result.is_drawn:
            if self._journal.is_ours(output):
                remove_output(self._journal, output)
        elif output is not None and not (
            self._journal.is_shown(output, item.digest)
            or copy_twin(self._journal, output, item.digest)
        ):
            return self._begin_job(item)
        self._count_photo(item, result, is_known=True)
        return None

    def _begin_job(self, item: PhotoInput) -> Job:
        self._last_number += 1
        self._in_hand[self._last_number] = item
        is_lookup = item.is_lookup and item.digest is None
        overlay = None if is_lookup else item.output
        job = Job(self._last_number, item.found.path, overlay, item.digest, is_lookup)
        self._lookups += is_lookup
        if item.digest is not None:
            self._waiting[item.digest] = []
        if job.overlay is not None:
            self._journal.begin_output(job.overlay)
        self._journal.commit()
        return job

    def _take_result(self, done: JobResult) -> None:
        """Keep what came of a job, and give it to all photos of the same content."""
        item = self._in_hand.pop(done.job.number)
        if done.unwritten is not None:
            raise UsageError(f"{done.unwritten}; the same command goes on from here")
        self._lookups -= done.job.is_lookup
        if item.digest is not None:
            self._met_again.extend(self._waiting.pop(item.digest))
        if done.digest is None and done.is_lost:
            done = replace(done, digest=digest_soon(item.found.path))
        if done.digest is None:
            self._note_unreadable(item.found, str(json.loads(done.record)["error"]))
            self._journal.commit()
            return
        if done.job.is_lookup:  # also where its worker was lost with it
            item = item._replace(digest=done.digest)
            self._note_input(item)
            self._met_again.append(item)
            return
        if done.digest != item.digest:
            if item.digest is not None:  # it has changed since it was met
                item = item._replace(stamp=UNKNOWN_STAMP)  # the next run looks at it once more
            item = item._replace(digest=done.digest)
            self._note_input(item)
        self._count_photo(item, self._keep(item, done.digest, done), is_known=False)
        if self._options.fail_fast and done.outcome != Outcome.SOLVED:
            self._stop.set()

    def _keep(self, item: PhotoInput, digest: bytes, done: JobResult) -> StoredResult:
        """Keep what came of a photo's content, and return it. After this it counts as done."""
        timeout = self._options.timeout if done.timed_out else None
        result = StoredResult(done.outcome, done.record, done.seconds, timeout)
        self._journal.note_result(digest, result)
        if item.output is not None:
            if result.is_drawn or item.is_foreign:
                self._journal.end_output(item.output, digest if result.is_drawn else None)
            else:
                remove_output(self._journal, item.output)
        self._journal.commit()
        return result

    def _count_photo(self, item: PhotoInput, result: StoredResult, *, is_known: bool) -> None:
        self.tally.add(result.outcome, is_known=is_known)
        found = item.found
        logger.info("%s: %s%s", found.file, result.outcome, ", known already" * is_known)
        self._report_input(Reported(found.file, found.path, result.record, None, item.output))

    def _note_input(self, item: PhotoInput) -> None:
        self._journal.note_input(item.found, item.stamp, item.digest, item.output)

    def _report_input(self, reported: Reported) -> None:
        is_failure = reported.error is not None or '"error"' in (reported.record or "")
        if self._tell is None and not is_failure:
            return
        report = report_of(reported)
        assert report is not None
        if "error" in report:
            self.tally.tell(f"{reported.file}: {report['error']}")
        if self._tell is not None:
            self._tell(report)

    def _note_unreadable(self, found: InputFile, error: str) -> None:
        self._journal.note_input(found, UNKNOWN_STAMP, error=error)
        self.tally.add(Outcome.BAD_IMAGE, is_known=False)
        self._report_input(Reported(found.file, found.path, None, error, None))

    def is_in_share(self, found: InputFile) -> bool:
        """Tell whether a file belongs to the share that this run does."""
        shares = self._options.shares
        return shares == 1 or stable_share(found.place, shares) == self._options.share

    def preview(self, inputs: Iterable[InputFile]) -> Iterator[str]:
        """Yield a line for each input of this run's share that says what it would do.

        What is met, and the names that are taken, go into the journal, which the caller forgets.
        Contents are not read, so that a photo whose twin is known is told as one to be done. The
        tally is told how the run would end because of what cannot be read or written.
        """
        for found in filter(self.is_in_share, inputs):
            if self._stop():
                return
            known = self._journal.find_input(found.path) or InputRecord()
            if known.is_met:
                continue  # named twice
            try:
                stamp = find_stamp(found)
            except OSError as error:
                self._journal.note_input(found, UNKNOWN_STAMP, error=str(error))
                self.tally.note(ExitCode.BAD_INPUT)
                yield f"{found.file}: {why_unreadable(error)}"
                continue
            digest = known.digest_at(stamp)
            output = None
            is_text = found.kind == "text"
            if self._options.is_drawn or is_text:
                try:
                    claim = self._claim(found)
                except UsageError as error:
                    self._journal.note_input(found, stamp, digest)
                    self.tally.note(ExitCode.USAGE)
                    yield f"{found.file}: {error}"
                    continue
                output = (claim or self._namer.claim(found)).path
                if claim is None:
                    yield f"{found.file}: left out, {output} is there"
                    continue
            self._journal.note_input(found, stamp, digest, output)
            result = self._journal.find_result(digest, self._options.timeout)
            is_there = output is None or self._journal.is_shown(output, digest)
            if result is None or not (is_there or not (is_text or result.is_drawn)):
                yield found.file if output is None else f"{found.file} -> {output}"
            else:
                yield f"{found.file}: known" + ("" if is_text else f", {result.outcome}")

    def solve_texts(self, *, quiet: bool) -> None:
        """Solve the puzzles of every text met, and write the solutions to a file each.

        What the journal knows is not done again; a text that is ended by Ctrl-C is left for later.

        Raises:
            UsageError: if an output cannot be written.
        """
        texts, self._texts = self._texts, []
        for found in texts:
            if self._stop():
                return
            known = self._journal.find_input(found.path) or InputRecord()
            try:
                stamp = find_stamp(found)
                if known.is_met_at(stamp):
                    continue  # named twice
                digest = digest_bytes(b"text" + digest_file(found.path))  # no photo has the same
            except OSError as error:
                if not known.is_met:
                    self._journal.note_input(found, UNKNOWN_STAMP, error=str(error))
                    self.tally.complain(f"{found.file} cannot be read: {error.strerror or error}")
                continue
            claim = self._claim(found)
            if claim is None:
                self.tally.skipped += 1
                continue
            self._journal.note_input(found, stamp, digest, claim.path)
            result = self._journal.find_result(digest, self._options.timeout)
            if result is None or not self._journal.is_shown(claim.path, digest):
                may_replace = self._options.overwrite or not claim.is_foreign
                try:
                    result = self._solve(found, claim, digest, may_replace, quiet=quiet)
                except InputError as error:
                    self.tally.complain(str(error))
                    continue
                except MissingError as error:
                    self.tally.tell(f"{found.file}: {error}")
                    self.tally.note(error.code)
                    continue
            counts = json.loads(result.record)
            self.tally.count_text(found.path, counts["puzzles"], counts["solved"])
            self.tally.note(ExitCode(counts["worst"]))

    def _solve(
        self, found: InputFile, claim: OutputPath, digest: bytes, may_replace: bool, *, quiet: bool
    ) -> StoredResult:
        if may_replace:
            self._journal.begin_output(claim.path)
            self._journal.commit()
        counts = write_solutions(found, claim, may_replace=may_replace, quiet=quiet)
        fields = {"puzzles": counts.puzzles, "solved": counts.solved, "worst": int(counts.worst)}
        result = StoredResult("text", json.dumps(fields), 0.0, None)
        self._journal.note_result(digest, result)
        self._journal.end_output(claim.path, digest)
        self._journal.commit()
        return result
