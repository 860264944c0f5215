"""Files of puzzles among the inputs: the bulk engine solves them, a line of solution for each."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from app.batch.output_files import Claim, Namer, in_the_way, writing_whole
from app.batch.records import Item, Records, find_stamp
from app.batch.run_journal import Journal, Kept
from app.batch.run_progress import Tally
from app.batch.sources import Found, digest_bytes, digest_file
from app.terminal.exits import ExitCode, InputError, MissingError, Stop, UsageError
from vision.media.whole_files import remove_temporaries

if TYPE_CHECKING:
    from app.puzzles.bulk_files import BulkCounts

_CHUNK_BYTES: Final = 1 << 20


def solve_texts(
    texts: Sequence[Found],
    journal: Journal,
    namer: Namer,
    tally: Tally,
    stop: Stop,
    *,
    overwrite: bool,
    skip_existing: bool,
    quiet: bool,
) -> None:
    """Solve the puzzles of every text, and write the solutions to a file each.

    What the journal knows is not done again; a text that is ended by Ctrl-C is left for later.

    Args:
        texts: the files.
        journal: with its run begun.
        namer: names the files of solutions.
        tally: counts puzzles.
        stop: whether to begin no further text.
        overwrite: as `app.batch.batch_run.RunOptions` says.
        skip_existing: likewise.
        quiet: whether no progress is wanted.

    Raises:
        UsageError: if an output cannot be written.
    """
    records = Records(journal, None)
    for found in texts:
        if stop():
            return
        known = journal.find_input(found.path)
        try:
            stamp = find_stamp(found)
            if records.is_met(known, stamp):
                continue  # named twice
            digest = _digest_text(found.path)
        except OSError as error:
            if not records.was_met(known):
                records.note_unreadable(found, str(error))
                tally.complain(f"{found.file} cannot be read: {error.strerror or error}")
            continue
        claim = namer.claim(found)
        if skip_existing and os.path.lexists(claim.path):
            tally.skipped += 1
            continue
        if claim.is_input:
            raise UsageError(in_the_way(claim))
        namer.take(claim, found)
        records.note_input(Item(found, digest, claim.path, stamp))
        result, shown = journal.find_result(digest), journal.find_output(claim.path)
        is_there = shown is not None and shown.digest == digest and os.path.exists(claim.path)
        if result is None or not is_there:
            may_replace = overwrite or not claim.is_foreign
            try:
                result = _solve(found, claim, digest, journal, may_replace, quiet=quiet)
            except InputError as error:
                tally.complain(str(error))
                continue
            except MissingError as error:
                tally.tell(f"{found.file}: {error}")
                tally.note(error.code)
                continue
        counts = json.loads(result.record)
        tally.count_text(found.path, counts["puzzles"], counts["solved"])
        tally.note(ExitCode(counts["worst"]))


def _digest_text(path: str) -> bytes:
    """Return the key of a text's content, which no photo has, whatever the text is called.

    Raises:
        OSError: if it cannot be read.
    """
    return digest_bytes(b"text" + digest_file(path))


def _solve(
    found: Found, claim: Claim, digest: bytes, journal: Journal, may_replace: bool, *, quiet: bool
) -> Kept:
    """Write the solutions of a text; a file of others only if all of it is among them."""
    from app.puzzles.bulk_files import solve_file_in_bulk

    output = Path(claim.path)
    remove_temporaries(output)
    if may_replace:
        journal.begin_output(claim.path)
        journal.commit()
    with writing_whole(output) as file:
        counts: BulkCounts = solve_file_in_bulk(
            Path(found.path), lambda lines: file.write(lines.encode()), quiet=quiet
        )
        file.flush()
        # Without a journal, an earlier run has written it, perhaps of fewer puzzles.
        if not (may_replace or _begins_with(Path(file.name), output)):
            raise UsageError(in_the_way(claim))
    fields = {"puzzles": counts.puzzles, "solved": counts.solved, "worst": int(counts.worst)}
    result = Kept("text", json.dumps(fields), 0.0, None)
    journal.note_result(digest, result)
    journal.end_output(claim.path, digest)
    journal.commit()
    return result


def _begins_with(path: Path, other: Path) -> bool:
    """Tell whether a file begins with all that another one holds."""
    if not other.is_file():
        return False
    with path.open("rb") as file, other.open("rb") as beginning:
        while chunk := beginning.read(_CHUNK_BYTES):
            if file.read(len(chunk)) != chunk:
                return False
    return True
