"""What a run would do, for `--dry-run`."""

import os
from collections.abc import Callable, Iterable, Iterator

from app.batch.inputs import Found
from app.batch.names import Namer, in_the_way
from app.batch.records import Records, find_stamp


def preview_inputs(
    inputs: Iterable[Found],
    records: Records,
    namer: Namer | None,
    is_stopping: Callable[[], bool],
    *,
    overwrite: bool,
    skip_existing: bool,
) -> Iterator[str]:
    """Yield a line for each input that says what a run would do.

    Only names are taken in the journal, which the caller forgets. Contents are not read, so that a
    photo whose twin is known is told as one to be done.

    Args:
        inputs: those of this run's share.
        records: what is known.
        namer: names the outputs; None where no overlays are wanted.
        is_stopping: ends it.
        overwrite: as `app.batch.run.RunOptions` says.
        skip_existing: likewise.
    """
    for found in inputs:
        if is_stopping():
            return
        try:
            stamp = find_stamp(found)
        except OSError as error:
            yield f"{found.file}: {error.strerror}"
            continue
        output = None
        if namer is not None:
            claim = namer.claim(found)
            output = claim.path
            if skip_existing and os.path.lexists(output):
                yield f"{found.file}: left out, {output} is there"
                continue
            if claim.is_foreign and not overwrite:
                yield f"{found.file}: {in_the_way(claim)}"
                continue
            namer.take(claim, found)
        digest = records.find_digest(records.journal.find_input(found.path), stamp)
        result = records.find_result(digest)
        if result is not None and records.is_shown(result, digest, output):
            yield f"{found.file}: known, {result.outcome}"
        else:
            yield f"{found.file}" if output is None else f"{found.file} -> {output}"
