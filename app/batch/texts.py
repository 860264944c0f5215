"""Files of puzzles among the inputs: the bulk engine solves them, a line of solution for each."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from app.batch.digests import digest_bytes, digest_file
from app.batch.files import writing_whole
from app.batch.inputs import Found
from app.batch.journal import Input, Journal, Kept
from app.batch.names import Namer, in_the_way
from app.batch.stopping import Stop
from app.batch.tally import Tally
from app.exits import ExitCode, InputError, MissingError, UsageError

if TYPE_CHECKING:
    from app.puzzle_bulk import BulkCounts


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
        overwrite: as `app.batch.run.RunOptions` says.
        skip_existing: likewise.
        quiet: whether no progress is wanted.

    Raises:
        UsageError: if an output cannot be written.
    """
    for found in texts:
        if stop():
            return
        try:
            status = os.stat(found.path)
            # So that a text is never taken for a photo, whatever it is called.
            digest = digest_bytes(b"text" + digest_file(found.path))
        except OSError as error:
            tally.complain(f"{found.file} cannot be read: {error.strerror or error}")
            continue
        claim = namer.claim(found)
        if skip_existing and os.path.lexists(claim.path):
            tally.skipped += 1
            continue
        if claim.is_foreign and not overwrite:
            raise UsageError(in_the_way(claim))
        namer.take(claim, found)
        size, mtime_ns = status.st_size, status.st_mtime_ns
        row = (found.path, found.file, found.kind, size, mtime_ns, digest, None)
        journal.note_input(Input(*row, found.root, found.place, claim.path))
        result, shown = journal.find_result(digest), journal.find_output(claim.path)
        is_there = shown is not None and shown.digest == digest and os.path.exists(claim.path)
        if result is None or not is_there:
            try:
                result = _solve(found, claim.path, digest, journal, quiet=quiet)
            except InputError as error:
                tally.complain(str(error))
                continue
            except MissingError as error:
                tally.tell(f"{found.file}: {error}")
                tally.note(error.code)
                continue
        counts = json.loads(result.record)
        tally.texts += 1
        tally.puzzles += counts["puzzles"]
        tally.solved_puzzles += counts["solved"]
        tally.note(ExitCode(counts["worst"]))


def _solve(found: Found, output: str, digest: bytes, journal: Journal, *, quiet: bool) -> Kept:
    from app.puzzle_bulk import solve_file_in_bulk

    journal.begin_output(output)
    journal.commit()
    with writing_whole(Path(output)) as file:
        counts: BulkCounts = solve_file_in_bulk(
            Path(found.path), lambda lines: file.write(lines.encode()), quiet=quiet
        )
    fields = {"puzzles": counts.puzzles, "solved": counts.solved, "worst": int(counts.worst)}
    result = Kept("text", json.dumps(fields), 0.0, None)
    journal.note_result(digest, result)
    journal.end_output(output, digest)
    journal.commit()
    return result
