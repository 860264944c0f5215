"""Folders that are watched: new files are met once they have stopped growing."""

import os
import time
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from app.batch.files.inputs import Found

POLL_SECONDS: Final = 1.0
_NAP_SECONDS: Final = 0.05


class _State(NamedTuple):
    size: int
    mtime_ns: int


def watch_files(
    list_files: Callable[[], Iterator[Found]],
    is_stopping: Callable[[], bool],
    *,
    poll_seconds: float = POLL_SECONDS,
    clock: Callable[[], float] = time.monotonic,
    nap: Callable[[float], None] = time.sleep,
) -> Iterator[Found | None]:
    """Yield files as they come, and again when they have changed, until told to stop.

    A file is yielded when two looks in a row find it with the same size and time, so that what is
    still being copied is not read by half. Looking again and again works on every disk, networks'
    included, where the system's own notices do not.

    Args:
        list_files: finds what is there.
        is_stopping: ends the watch.
        poll_seconds: from the end of one look to the next.
        clock: what the time is taken from.
        nap: waits so many seconds.

    Yields:
        Files, and None whenever nothing is new, after a nap.
    """
    seen: dict[str, _State] = {}
    met: dict[str, _State] = {}
    while not is_stopping():
        for found in list_files():
            try:
                status = os.stat(found.path)
            except OSError:  # it has gone, or may not be read yet
                continue
            state = _State(status.st_size, status.st_mtime_ns)
            if met.get(found.path) != state and seen.get(found.path) == state:
                met[found.path] = state
                yield found
            seen[found.path] = state
        end = clock() + poll_seconds
        yield None
        while clock() < end and not is_stopping():
            nap(_NAP_SECONDS)
            yield None
