"""The results that a journal keeps, as a run asks for them, and the overlays that go with them."""

import os
import stat
from pathlib import Path
from typing import NamedTuple

from app.batch.overlay_files import copy_whole, remove_output
from app.batch.photo_work import JobResult
from app.batch.run_journal import InputRecord, Journal, StoredResult
from app.batch.sources import UNKNOWN_STAMP, InputFile, Stamp
from app.recognition.outcome import Outcome
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
