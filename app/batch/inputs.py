"""What a batch works on: files, folders, patterns and lists become a stream of files.

Millions of names never lie in memory. Files that runs have written are left out, and no output
replaces an input.
"""

import glob
import itertools
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, Final, Literal

from app.batch.overlay_files import Outputs
from app.batch.sources import (
    NAMED_TEXT_SUFFIXES,
    PHOTO_SUFFIXES,
    TEXT_SUFFIXES,
    InputFile,
    Kind,
    Stamp,
    absolute_path,
    in_parts,
    is_address,
    is_within,
    list_address,
    local_path,
    real_folder,
)
from app.terminal.console import say
from app.terminal.exit_codes import InputError
from app.terminal.named_files import STDIN, find_encoding, open_stdin

_SORTED_AT_ONCE: Final = 100_000
"""Names of one folder that are brought into order together; larger folders come in parts."""

_HEAD_BYTES: Final = 4096
_LEAST_CELLS: Final = 81


@dataclass(frozen=True)
class InputNames:
    """What names stand for.

    Attributes:
        names: files, folders, patterns, or `-` for a list on stdin.
        recursive: whether folders are entered to their depth, and outputs keep them.
        ends_with_null: whether the list's names end with a null byte, not with the line.
    """

    names: tuple[str, ...]
    recursive: bool = False
    ends_with_null: bool = False


class InputLister:
    """Finds the files that names stand for; one that is met twice is yielded twice."""

    def __init__(
        self,
        naming: InputNames,
        is_output: Callable[[str], bool],
        complain: Callable[[str], None],
        stdin: IO[bytes] | None = None,
    ) -> None:
        """Prepare for listing.

        Args:
            is_output: tells of an absolute path whether it is left out unless named: a file or a
                folder that runs write.
            complain: told what cannot be listed.
            stdin: where `-` reads names from; None leaves it out.
        """
        self._naming = naming
        self._is_output = is_output
        self._complain = complain
        self._stdin = stdin

    def files(self) -> Iterator[InputFile]:
        """Yield what is there now, in the order of what was named; folders in order of names."""
        roots = itertools.count()
        for name in self._naming.names:
            if name == STDIN:
                if self._stdin is not None:
                    end = b"\0" if self._naming.ends_with_null else b"\n"
                    for line in read_names(self._stdin, end):
                        yield from self._named(line, next(roots))
            elif is_address(name):
                yield from self._at_address(name, next(roots))
            elif glob.has_magic(name) and not os.path.lexists(name):
                yield from self._matching(name, roots)
            else:
                yield from self._named(name, next(roots))

    def _matching(self, pattern: str, roots: Iterator[int]) -> Iterator[InputFile]:
        fixed = _fixed_part(pattern)
        is_any = False
        matches = glob.iglob(pattern, recursive=True)
        for part in in_parts(matches, _SORTED_AT_ONCE):
            for name in sorted(part):
                if self._is_output(absolute_path(name)):
                    continue
                is_any = True
                below = os.path.dirname(os.path.relpath(name, fixed or os.curdir))
                folder = below if self._naming.recursive else ""
                yield from self._named(name, next(roots), folder)
        if not is_any:
            self._complain(f"{pattern} matches nothing; check the pattern")

    def _at_address(self, address: str, root: int) -> Iterator[InputFile]:
        try:
            for entry in list_address(address, is_recursive=self._naming.recursive):
                is_photo = os.path.splitext(entry.place)[1].lower() in PHOTO_SUFFIXES
                if entry.path is not None and self._is_output(entry.path):
                    continue
                if is_photo or entry.address.endswith(address):
                    folder = os.path.dirname(entry.place)
                    where = (root, entry.place, folder, entry.stamp)
                    yield InputFile(entry.address, entry.address, "photo", *where)
        except OSError as error:
            self._complain(f"{address} cannot be listed: {error.strerror or error}")

    def _named(self, name: str, root: int, folder: str = "") -> Iterator[InputFile]:
        if is_address(name):  # of a list
            yield from self._at_address(name, root)
            return
        if os.path.isdir(name):
            yield from self._within(name, root, folder)
            return
        path = absolute_path(name)
        is_text = os.path.splitext(name)[1].lower() in NAMED_TEXT_SUFFIXES
        place = name.replace(os.sep, "/")
        yield InputFile(path, name, "text" if is_text else "photo", root, place, folder)

    def _within(self, top: str, root: int, kept: str) -> Iterator[InputFile]:
        absolute = absolute_path(top)
        visited: set[tuple[int, int]] = set()  # links may lead back
        waiting = [""]
        while waiting:
            below = waiting.pop()
            folder = os.path.join(top, below) if below else top
            inner: list[str] = []
            for entry in self._entries(folder, visited):
                place = f"{below}/{entry.name}" if below else entry.name
                path = os.path.join(absolute, place)
                kind = _kind_of(entry)
                if kind is None or self._is_output(path):
                    continue
                if kind == "folder":
                    inner.append(place)
                else:
                    outer = os.path.join(kept, below) if kept else below
                    yield InputFile(path, os.path.join(top, place), kind, root, place, outer)
            if self._naming.recursive:
                waiting += reversed(inner)

    def _entries(self, folder: str, visited: set[tuple[int, int]]) -> Iterator["os.DirEntry[str]"]:
        """Yield what is in a folder that was not visited yet, hidden files left out."""
        try:
            status = os.stat(folder)
            if (status.st_dev, status.st_ino) in visited:
                return
            visited.add((status.st_dev, status.st_ino))
            with os.scandir(folder) as entries:
                for part in in_parts(entries, _SORTED_AT_ONCE):
                    seen = [entry for entry in part if not entry.name.startswith(".")]
                    yield from sorted(seen, key=lambda entry: entry.name)
        except OSError as error:
            self._complain(f"{folder} cannot be listed: {error.strerror or error}")


def read_names(stream: IO[bytes], end: bytes) -> Iterator[str]:
    """Yield the names that a stream lists, each up to a byte, empty ones left out.

    Raises:
        InputError: if null bytes stand in the names.
    """
    rest = b""
    while chunk := stream.read1(1 << 16) if hasattr(stream, "read1") else stream.read(1 << 16):
        if b"\0" in chunk and end != b"\0":
            raise InputError(
                "the list on stdin has null bytes; add --null if its names end with them; "
                "for a photo: sudoku-lens solve -"
            )
        *names, rest = (rest + chunk).split(end)
        yield from (os.fsdecode(name.rstrip(b"\r")) for name in names if name.strip())
    if rest.strip():
        yield os.fsdecode(rest.rstrip(b"\r"))


def holds_puzzles(path: str) -> bool:
    """Tell whether a text begins with puzzles, one a line, or with a header and then puzzles."""
    try:
        with open(path, "rb") as file:
            head = file.read(_HEAD_BYTES)
    except OSError:
        return False
    encoding = find_encoding(head)
    if encoding is None:
        return False
    lines = head.decode(encoding, errors="replace").splitlines()
    content = [line.strip() for line in lines if line.strip() and not line.startswith("#")][:2]
    return any(_begins_with_puzzle(line) for line in content)


def _begins_with_puzzle(line: str) -> bool:
    cells = line[:_LEAST_CELLS]
    return len(cells) == _LEAST_CELLS and all(sign.isdigit() or sign in ".*_-xX" for sign in cells)


def _kind_of(entry: "os.DirEntry[str]") -> Kind | Literal["folder"] | None:
    suffix = os.path.splitext(entry.name)[1].lower()
    try:
        if entry.is_dir():
            return "folder"
        if suffix in PHOTO_SUFFIXES:
            return "photo" if entry.is_file() or entry.is_symlink() else None
        if suffix in TEXT_SUFFIXES and entry.is_file() and holds_puzzles(entry.path):
            return "text"
    except OSError:  # a link that leads round in a circle
        return "photo" if suffix in PHOTO_SUFFIXES else None
    return None


def _fixed_part(pattern: str) -> str:
    """Return the folder that a pattern stays in, whatever it matches."""
    parts = pattern.split(os.sep)
    fixed = list(itertools.takewhile(lambda part: not glob.has_magic(part), parts))
    return os.sep.join(fixed[: len(parts) - 1]) or (os.sep if pattern.startswith(os.sep) else "")


_POLL_SECONDS: Final = 1.0
_NAP_SECONDS: Final = 0.05
_Identity = tuple[int, int]
_Complain = Callable[[str], None]


def watch_files(
    list_files: Callable[[], Iterator[InputFile]],
    is_stopping: Callable[[], bool],
    *,
    poll_seconds: float = _POLL_SECONDS,
    nap: Callable[[float], None] = time.sleep,
) -> Iterator[InputFile | None]:
    """Yield files as they come, and again when they have changed, until told to stop.

    A file is yielded when two looks in a row find it with the same size and time, so that what is
    still being copied is not read by half. Looking again and again works on every disk, networks'
    included, where the system's own notices do not.

    Args:
        poll_seconds: from the end of one look to the next.

    Yields:
        Files, and None whenever nothing is new, after a nap.
    """
    seen: dict[str, Stamp] = {}
    met: dict[str, Stamp] = {}
    while not is_stopping():
        for found in list_files():
            try:
                status = os.stat(found.path)
            except OSError:  # it has gone, or may not be read yet
                continue
            state = Stamp(status.st_size, status.st_mtime_ns)
            if met.get(found.path) != state and seen.get(found.path) == state:
                met[found.path] = state
                yield found
            seen[found.path] = state
        end = time.monotonic() + poll_seconds
        yield None
        while time.monotonic() < end and not is_stopping():
            nap(_NAP_SECONDS)
            yield None


def _identity(path: str) -> _Identity | None:
    """Return what all names of a file have in common, or None where there is no file."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


class InputFilter:
    """The inputs of a run, which no output may replace, by whatever name or link it is reached."""

    def __init__(
        self,
        naming: InputNames,
        outputs: Outputs,
        *,
        is_watched: bool = False,
        is_overwriting: bool = False,
    ) -> None:
        """Prepare for listing; a list on stdin is read to its end where files are overwritten.

        Raises:
            InputError: if stdin is wanted and closed.
        """
        self._naming = naming
        self._outputs = outputs
        self._is_watched = is_watched
        self._folders = {
            real_folder(os.path.abspath(absolute_path(name)))
            for name in naming.names
            if _is_path(name)
        }
        self._known: set[_Identity] | None = None
        self._stdin: IO[bytes] | None = open_stdin() if STDIN in naming.names else None
        if self._stdin is not None and is_overwriting:
            self._stdin = _copy_whole(self._stdin)
            self._known = self._identify(self._stdin)
            self._stdin.seek(0)

    @property
    def can_be_counted(self) -> bool:
        """Whether listing inputs a second time changes nothing and costs little."""
        return all(map(_is_path, self._naming.names))

    def files(self, complain: _Complain) -> Iterator[InputFile]:
        """Yield what is there now; `complain` is told what cannot be listed."""
        return self._list(complain, self._stdin)

    def _list(self, complain: _Complain, stdin: IO[bytes] | None) -> Iterator[InputFile]:
        return InputLister(self._naming, self._outputs.include, complain, stdin).files()

    def counter(self, is_wanted: Callable[[InputFile], bool]) -> Callable[[], int]:
        """Return what counts the photos, in a thread of its own."""
        is_output = self._outputs.for_thread(map(absolute_path, self._naming.names))
        lister = InputLister(self._naming, is_output, lambda _: None)
        return lambda: sum(found.kind == "photo" and is_wanted(found) for found in lister.files())

    def watched(self, is_stopping: Callable[[], bool]) -> Iterator[InputFile | None]:
        """Yield files as they come, as `watch_files` does."""
        told: set[str] = set()

        def complain_once(message: str) -> None:
            if message not in told:
                told.add(message)
                say(message)

        return watch_files(lambda: self.files(complain_once), is_stopping)

    def may_include(self, path: str) -> bool:
        """Tell whether a file that is there is an input, which this run may have yet to meet.

        The first time, all inputs are listed; a list that is not read to its end before is not.
        """
        above = real_folder(os.path.dirname(path))
        is_below = any(is_within(above, one) for one in self._folders)
        if above in self._folders or (self._naming.recursive and is_below):
            return True
        identity = _identity(path)
        if identity is None:
            return False
        if self._known is None or self._is_watched:
            self._known = self._identify(None)
        return identity in self._known

    def _identify(self, stdin: IO[bytes] | None) -> set[_Identity]:
        known = set()
        for found in self._list(lambda _: None, stdin):
            path = found.path if found.stamp is None else local_path(found.path)
            if path is not None and (identity := _identity(path)) is not None:
                known.add(identity)
        return known


def _is_path(name: str) -> bool:
    return name != STDIN and not is_address(name)


def _copy_whole(stream: IO[bytes]) -> IO[bytes]:
    copy = tempfile.TemporaryFile()  # noqa: SIM115 - it lasts as long as the run
    shutil.copyfileobj(stream, copy)
    copy.seek(0)
    return copy
