"""What a run would do, for `--dry-run`."""

import os
from collections.abc import Callable, Iterable, Iterator

from app.batch.files.inputs import Found
from app.batch.files.output_names import Namer, in_the_way
from app.batch.journal.records import Item, Records, find_stamp, why_unreadable
from app.batch.report.run_summary import Tally
from app.terminal.exits import ExitCode


def preview_inputs(
    inputs: Iterable[Found],
    records: Records,
    namer: Namer,
    tally: Tally,
    is_stopping: Callable[[], bool],
    *,
    is_drawn: bool,
    overwrite: bool,
    skip_existing: bool,
) -> Iterator[str]:
    """Yield a line for each input that says what a run would do.

    What is met, and the names that are taken, go into the journal, which the caller forgets.
    Contents are not read, so that a photo whose twin is known is told as one to be done.

    Args:
        inputs: those of this run's share.
        records: what is known.
        namer: names the outputs.
        tally: told how the run would end because of what cannot be read or written.
        is_stopping: ends it.
        is_drawn: whether overlays are wanted.
        overwrite: as `app.batch.batch_run.RunOptions` says.
        skip_existing: likewise.
    """
    for found in inputs:
        if is_stopping():
            return
        known = records.journal.find_input(found.path)
        try:
            stamp = find_stamp(found)
        except OSError as error:
            if not records.was_met(known):
                records.note_unreadable(found, str(error))
                tally.note(ExitCode.BAD_INPUT)
                yield f"{found.file}: {why_unreadable(error)}"
            continue
        if records.was_met(known):
            continue  # named twice
        digest = records.find_digest(known, stamp)
        output = None
        if is_drawn or found.kind == "text":
            claim = namer.claim(found)
            output = claim.path
            if skip_existing and os.path.lexists(output):
                yield f"{found.file}: left out, {output} is there"
                continue
            # Of a text, what is there may turn out to be its solutions, which only a run can tell.
            is_text = found.kind == "text"
            if not (claim.may_be_taken(overwrite=overwrite) or (is_text and not claim.is_input)):
                records.note_input(Item(found, digest, None, stamp))
                tally.note(ExitCode.USAGE)
                yield f"{found.file}: {in_the_way(claim)}"
                continue
            namer.take(claim, found)
        records.note_input(Item(found, digest, output, stamp))
        result = records.find_result(digest)
        is_text = found.kind == "text"
        if result is not None and (
            records.is_there(digest, output)
            if is_text
            else records.is_shown(result, digest, output)
        ):
            told = "known" if is_text else f"known, {result.outcome}"
            yield f"{found.file}: {told}"
        else:
            yield f"{found.file}" if output is None else f"{found.file} -> {output}"
