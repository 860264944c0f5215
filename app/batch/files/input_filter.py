"""What a run takes in: the files that its names stand for, less those that runs have written."""

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from typing import IO, Final, NamedTuple

from app.batch.files.inputs import STDIN, Found, Lister, Naming, absolute_path, real_folder
from app.batch.files.output_files import Outputs
from app.batch.files.source_bytes import is_address, local_path
from app.terminal.console import say
from app.terminal.named_files import open_stdin

_POLL_SECONDS: Final = 1.0
_NAP_SECONDS: Final = 0.05

_Identity = tuple[int, int]

_Complain = Callable[[str], None]


class _State(NamedTuple):
    size: int
    mtime_ns: int


def watch_files(
    list_files: Callable[[], Iterator[Found]],
    is_stopping: Callable[[], bool],
    *,
    poll_seconds: float = _POLL_SECONDS,
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


class _Spared:
    """A run's inputs, which no output may replace, by whatever name or link they are reached."""

    def __init__(
        self,
        folders: Sequence[str],
        list_files: Callable[[], Iterator[Found]],
        *,
        is_recursive: bool,
        is_growing: bool,
    ) -> None:
        """Remember what is spared, without looking yet.

        Args:
            folders: named as inputs; what comes into them later is spared too.
            list_files: finds all inputs.
            is_recursive: whether folders are inputs to their depth.
            is_growing: whether inputs come during the run, so that they are listed each time.
        """
        self._folders = {real_folder(os.path.abspath(folder)) for folder in folders}
        self._list_files = list_files
        self._is_recursive = is_recursive
        self._is_growing = is_growing
        self._known: set[_Identity] | None = None

    def include(self, path: str) -> bool:
        """Tell whether a file that is there is an input; the first time, all inputs are listed."""
        above = real_folder(os.path.dirname(path))
        if above in self._folders or (self._is_recursive and self._is_below(above)):
            return True
        identity = _identity(path)
        if identity is None:
            return False
        if self._known is None or self._is_growing:
            self.look()
        assert self._known is not None
        return identity in self._known

    def look(self) -> None:
        """List the inputs."""
        self._known = set()
        for found in self._list_files():
            path = found.path if found.stamp is None else local_path(found.path)
            if path is not None and (identity := _identity(path)) is not None:
                self._known.add(identity)

    def _is_below(self, folder: str) -> bool:
        return any(folder.startswith(one.rstrip(os.sep) + os.sep) for one in self._folders)


def _identity(path: str) -> _Identity | None:
    """Return what all names of a file have in common, or None where there is no file."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


class Intake:
    """The inputs of a run."""

    def __init__(
        self,
        naming: Naming,
        outputs: Outputs,
        *,
        is_watched: bool = False,
        is_overwriting: bool = False,
    ) -> None:
        """Prepare for listing; a list on stdin is read to its end where files are overwritten.

        Args:
            naming: what was named.
            outputs: what runs have written.
            is_watched: whether inputs come during the run.
            is_overwriting: whether files of others are replaced, so that it must be known which
                of them are inputs.

        Raises:
            InputError: if stdin is wanted and closed.
        """
        self._naming = naming
        self._outputs = outputs
        self._stdin: IO[bytes] | None = open_stdin() if STDIN in naming.names else None
        self._spared = _Spared(
            [absolute_path(name) for name in naming.names if _is_path(name)],
            # A list that is not read to its end before must not be read here.
            lambda: self._list(lambda _: None, self._stdin if is_overwriting else None),
            is_recursive=naming.recursive,
            is_growing=is_watched,
        )
        if self._stdin is not None and is_overwriting:
            self._stdin = _copy_whole(self._stdin)
            self._spared.look()
            self._stdin.seek(0)

    @property
    def can_be_counted(self) -> bool:
        """Whether listing inputs a second time changes nothing and costs little."""
        return all(map(_is_path, self._naming.names))

    def files(self, complain: _Complain) -> Iterator[Found]:
        """Yield what is there now; `complain` is told what cannot be listed."""
        return self._list(complain, self._stdin)

    def _list(self, complain: _Complain, stdin: IO[bytes] | None) -> Iterator[Found]:
        return Lister(self._naming, self._outputs.include, complain, stdin).files()

    def counter(self, is_wanted: Callable[[Found], bool]) -> Callable[[], int]:
        """Return what counts the photos, in a thread of its own."""
        is_output = self._outputs.for_thread(map(absolute_path, self._naming.names))
        lister = Lister(self._naming, is_output, lambda _: None)
        return lambda: sum(found.kind == "photo" and is_wanted(found) for found in lister.files())

    def watched(self, is_stopping: Callable[[], bool]) -> Iterator[Found | None]:
        """Yield files as they come, as `watch_files` does."""
        told: set[str] = set()

        def complain_once(message: str) -> None:
            if message not in told:
                told.add(message)
                say(message)

        return watch_files(lambda: self.files(complain_once), is_stopping)

    def may_include(self, path: str) -> bool:
        """Tell whether a file that is there is an input, which this run may have yet to meet."""
        return self._spared.include(path)


def _is_path(name: str) -> bool:
    return name != STDIN and not is_address(name)


def _copy_whole(stream: IO[bytes]) -> IO[bytes]:
    """Return what a stream holds as a file that can be read twice."""
    copy = tempfile.TemporaryFile()  # noqa: SIM115 - it lasts as long as the run
    shutil.copyfileobj(stream, copy)
    copy.seek(0)
    return copy
