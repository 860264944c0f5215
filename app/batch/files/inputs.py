"""What a batch works on: files, folders, patterns and lists become a stream of files, so that
millions of names never lie in memory.
"""

import glob
import itertools
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import IO, Final, Literal, NamedTuple, TypeVar

from app.batch.files.source_bytes import Stamp, is_address, list_address
from app.batch.journal.run_journal import Kind
from app.batch.report.outcome_words import NAMED_TEXT_SUFFIXES, PHOTO_SUFFIXES, TEXT_SUFFIXES

STDIN: Final = "-"

_Item = TypeVar("_Item")

_SORTED_AT_ONCE: Final = 100_000
"""Names of one folder that are brought into order together; larger folders come in parts."""

_HEAD_BYTES: Final = 4096
_LEAST_CELLS: Final = 81


class Found(NamedTuple):
    """A file to be worked on.

    `path` is absolute, `file` as the user would write it; `root` counts what was named, and
    `place` is the path below that, with / between its parts; `folder` is the part of it that
    outputs keep, empty for none. Of a file at an address, `path` is that, and `stamp` is known.
    """

    path: str
    file: str
    kind: Kind
    root: int
    place: str
    folder: str
    stamp: Stamp | None = None


@dataclass(frozen=True)
class Naming:
    """What names stand for.

    Attributes:
        names: files, folders, patterns, or `-` for a list on stdin.
        recursive: whether folders are entered to their depth, and outputs keep them.
        ends_with_null: whether the list's names end with a null byte, not with the line.
    """

    names: tuple[str, ...]
    recursive: bool = False
    ends_with_null: bool = False


class Lister:
    """Finds the files that names stand for; one that is met twice is yielded twice."""

    def __init__(
        self,
        naming: Naming,
        is_output: Callable[[str], bool],
        complain: Callable[[str], None],
        stdin: IO[bytes] | None = None,
    ) -> None:
        """Prepare for listing.

        Args:
            naming: what was named.
            is_output: tells of an absolute path whether a run has written what is there, or
                whether it is a folder that runs write to; such are left out unless named.
            complain: told what cannot be listed.
            stdin: where `-` reads names from; None leaves it out.
        """
        self._naming = naming
        self._is_output = is_output
        self._complain = complain
        self._stdin = stdin

    def files(self) -> Iterator[Found]:
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

    def _matching(self, pattern: str, roots: Iterator[int]) -> Iterator[Found]:
        fixed = _fixed_part(pattern)
        is_any = False
        matches = glob.iglob(pattern, recursive=True)
        for part in _in_parts(matches):
            for name in sorted(part):
                if self._is_output(absolute_path(name)):
                    continue
                is_any = True
                below = os.path.dirname(os.path.relpath(name, fixed or os.curdir))
                folder = below if self._naming.recursive else ""
                yield from self._named(name, next(roots), folder)
        if not is_any:
            self._complain(f"{pattern} matches nothing; check the pattern")

    def _at_address(self, address: str, root: int) -> Iterator[Found]:
        try:
            for entry in list_address(address, is_recursive=self._naming.recursive):
                is_photo = os.path.splitext(entry.place)[1].lower() in PHOTO_SUFFIXES
                if entry.path is not None and self._is_output(entry.path):
                    continue
                if is_photo or entry.address.endswith(address):
                    folder = os.path.dirname(entry.place)
                    where = (root, entry.place, folder, entry.stamp)
                    yield Found(entry.address, entry.address, "photo", *where)
        except OSError as error:
            self._complain(f"{address} cannot be listed: {error.strerror or error}")

    def _named(self, name: str, root: int, folder: str = "") -> Iterator[Found]:
        if is_address(name):  # of a list
            yield from self._at_address(name, root)
            return
        if os.path.isdir(name):
            yield from self._within(name, root, folder)
            return
        path = absolute_path(name)
        is_text = os.path.splitext(name)[1].lower() in NAMED_TEXT_SUFFIXES
        place = name.replace(os.sep, "/")
        yield Found(path, name, "text" if is_text else "photo", root, place, folder)

    def _within(self, top: str, root: int, kept: str) -> Iterator[Found]:
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
                    yield Found(path, os.path.join(top, place), kind, root, place, outer)
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
                for part in _in_parts(entries):
                    seen = [entry for entry in part if not entry.name.startswith(".")]
                    yield from sorted(seen, key=lambda entry: entry.name)
        except OSError as error:
            self._complain(f"{folder} cannot be listed: {error.strerror or error}")


def absolute_path(name: str | os.PathLike[str]) -> str:
    """Return a path from the root; where links lead is looked at only if the name leads up."""
    above, below = os.path.split(os.fspath(name))
    if os.pardir not in (below, *above.split(os.sep)):
        return os.path.abspath(name)
    if below in ("", os.curdir, os.pardir):
        return os.path.realpath(name)
    return os.path.join(os.path.realpath(above), below)


@lru_cache(maxsize=1024)
def real_folder(path: str) -> str:
    """Return where a folder really is, whatever links lead there."""
    return os.path.realpath(path)


def read_names(stream: IO[bytes], end: bytes) -> Iterator[str]:
    """Yield the names that a stream lists, empty ones left out.

    Args:
        stream: of bytes, as names of files need not be text.
        end: the byte that ends a name.
    """
    rest = b""
    while chunk := stream.read1(1 << 16) if hasattr(stream, "read1") else stream.read(1 << 16):
        *names, rest = (rest + chunk).split(end)
        yield from (os.fsdecode(name.rstrip(b"\r")) for name in names if name.strip())
    if rest.strip():
        yield os.fsdecode(rest.rstrip(b"\r"))


def holds_puzzles(path: str) -> bool:
    """Tell whether a text begins with puzzles, one a line, or with a header and then puzzles."""
    from app.terminal.named_files import find_encoding

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


def is_solved_text(path: str) -> bool:
    """Tell whether a text is called like the solutions of another one."""
    stem, suffix = os.path.splitext(path)
    source = stem.removesuffix("-solved")
    return source != stem and os.path.exists(source + suffix) and suffix in (".txt", ".sdm")


def _begins_with_puzzle(line: str) -> bool:
    cells = line[:_LEAST_CELLS]
    return len(cells) == _LEAST_CELLS and all(sign.isdigit() or sign in ".*_-xX" for sign in cells)


def _kind_of(entry: "os.DirEntry[str]") -> Kind | Literal["folder"] | None:
    """Return what an entry of a folder is, or None for what is left out."""
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


def _in_parts(items: Iterable[_Item]) -> Iterator[Sequence[_Item]]:
    rest = iter(items)
    while part := list(itertools.islice(rest, _SORTED_AT_ONCE)):
        yield part
