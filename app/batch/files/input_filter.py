"""What a run takes in: the files that its names stand for, less those that runs have written."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from typing import IO

from app.batch.files.folder_watch import watch_files
from app.batch.files.inputs import STDIN, Found, Lister, Naming, absolute_path
from app.batch.files.protected_inputs import Spared
from app.batch.files.remote_sources import is_address
from app.batch.files.written_outputs import Outputs
from app.terminal.console import say
from app.terminal.text_input import open_stdin

Complain = Callable[[str], None]


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
        self._spared = Spared(
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

    def files(self, complain: Complain) -> Iterator[Found]:
        """Yield what is there now; `complain` is told what cannot be listed."""
        return self._list(complain, self._stdin)

    def _list(self, complain: Complain, stdin: IO[bytes] | None) -> Iterator[Found]:
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
