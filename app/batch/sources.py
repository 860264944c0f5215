"""Sources: how files are named, what their endings say, their bytes wherever they lie, and the
digests by which the journal knows them.

Photos may lie elsewhere: fsspec lists and reads addresses such as `s3://bucket/folder`, so a
cluster needs no disk that all see. It is imported when an address is met.
"""

import contextlib
import hashlib
import os
import re
import stat
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache, partial
from glob import has_magic
from itertools import islice
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeVar

from app.terminal.exit_codes import MissingError

PHOTO_SUFFIXES: Final = frozenset(
    {".jpg", ".jpeg", ".jpe", ".jfif", ".png", ".heic", ".heif", ".hif", ".webp"}
    | {".tif", ".tiff", ".bmp", ".gif", ".avif"}
)
"""Files of a folder that are taken for photos; what they hold is looked at when they are read."""

TEXT_SUFFIXES: Final = frozenset({".sdm", ".txt"})
"""Files of a folder that may hold puzzles, one a line."""

NAMED_TEXT_SUFFIXES: Final = TEXT_SUFFIXES | {".csv"}
"""Files that are taken for text where they are named themselves."""

GALLERY_ENDING: Final = "_files"
"""Of the folder beside a gallery's page."""

GALLERY_MARK: Final = "sudoku-lens-gallery.txt"
"""A file in that folder, there before the first thumbnail, that tells what the folder is."""

_ADDRESS: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_VERSIONS: Final = ("ETag", "etag", "md5Hash", "content_md5", "sha256")
_TIMES: Final = ("LastModified", "last_modified", "updated", "mtime", "created")
"""What file systems call the mark of a content, and the time of its last change."""

_T = TypeVar("_T")

Kind = Literal["photo", "text"]
Info = dict[str, Any]
"""What fsspec tells of a file; `name`, `size` and `type` are always there."""


class Stamp(NamedTuple):
    """What changes with a file's content, without reading it: the size, and a time or a mark."""

    size: int
    mtime_ns: int


UNKNOWN_STAMP: Final = Stamp(-1, 0)
"""Of a file whose system tells nothing: its content is looked at in every run."""


class InputFile(NamedTuple):
    """A file to be worked on, at an absolute path or at an address, whose `stamp` is known.

    `file` is as the user would write it. `root` counts what was named, and `place` is the path
    below that, with / between its parts. Outputs keep its part `folder`.
    """

    path: str
    file: str
    kind: Kind
    root: int
    place: str
    folder: str
    stamp: Stamp | None = None


class Entry(NamedTuple):
    """A file at an address.

    `address` is whole; `place` is the path below the folder that was listed, with / between its
    parts; `path` is where it is on this machine, None for elsewhere.
    """

    address: str
    place: str
    stamp: Stamp
    path: str | None = None


def absolute_path(name: str | os.PathLike[str]) -> str:
    """Return a path from the root; where links lead is looked at only if the name leads up."""
    above, below = os.path.split(os.fspath(name))
    if os.pardir not in (below, *above.split(os.sep)):
        return os.path.abspath(name)
    if below in ("", os.curdir, os.pardir):
        return os.path.realpath(name)
    return os.path.join(os.path.realpath(above), below)


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


def why_unreadable(error: OSError) -> str:
    """Say why a photo cannot be read, and what to do about that."""
    reasons = {FileNotFoundError: "it does not exist", PermissionError: "it may not be read"}
    reason = reasons.get(type(error), error.strerror or str(error))
    return f"the photo cannot be read: {reason}; check its name and its rights"


@lru_cache(maxsize=1024)
def real_folder(path: str) -> str:
    """Return where a folder really is, whatever links lead there."""
    return os.path.realpath(path)


def is_within(place: str, folder: str) -> bool:
    """Tell whether a path is a folder or below it."""
    return place == folder or place.startswith(folder.rstrip(os.sep) + os.sep)


def in_parts(items: Iterable[_T], size: int) -> Iterator[list[_T]]:
    """Yield so many items at a time, as they come."""
    rest = iter(items)
    while part := list(islice(rest, size)):
        yield part


def is_address(name: str) -> bool:
    """Tell whether a name is an address, not a path of this machine."""
    return _ADDRESS.match(name) is not None


def local_path(address: str) -> str | None:
    """Return the path of a file of this machine that has an address, or None for one elsewhere.

    Raises:
        MissingError: if its file system needs a package that is not installed.
    """
    files, path = _open_system(address)
    return path if _is_here(files) else None


def read_source(name: str) -> bytes:
    """Return the bytes of a photo, wherever it is.

    Raises:
        OSError: if it cannot be read.
        MissingError: if its file system needs a package that is not installed.
    """
    if not is_address(name):
        return Path(name).read_bytes()
    files, path = _open_system(name)
    with _as_os_errors(name):
        data: bytes = files.cat_file(path)
    return data


def list_address(address: str, *, is_recursive: bool) -> Iterator[Entry]:
    """Yield the files of a folder, or of a pattern, or the one file that an address names.

    Folders are listed one after the other, each in the order of names, so that millions of files
    never lie in memory at once; hidden ones, and those of galleries, are left out.

    Raises:
        OSError: if it cannot be listed.
        MissingError: if its file system needs a package that is not installed.
    """
    files, path = _open_system(address)
    with _as_os_errors(address):
        if has_magic(path) and not files.exists(path):
            # A pattern is matched in memory: fsspec has no other way.
            for match, info in sorted(files.glob(path, detail=True).items()):
                name = match.rpartition("/")[2]
                if info["type"] == "file" and not name.startswith("."):
                    yield _entry(files, info, name)
            return
        if not files.isdir(path):
            yield _entry(files, files.info(path), path.rpartition("/")[2])
            return
        waiting = [path]
        while waiting:
            folder = waiting.pop()
            inner: list[str] = []
            infos = sorted(files.ls(folder, detail=True), key=lambda info: str(info["name"]))
            if any(str(info["name"]).endswith(f"/{GALLERY_MARK}") for info in infos):
                continue  # thumbnails
            for info in infos:
                below: str = info["name"].rstrip("/")
                if below == folder.rstrip("/") or below.rpartition("/")[2].startswith("."):
                    continue  # some systems list the folder itself
                if info["type"] == "directory":
                    inner.append(below)
                else:
                    yield _entry(files, info, below.removeprefix(path).lstrip("/"))
            if is_recursive:
                waiting += reversed(inner)


def _entry(files: Any, info: Info, place: str) -> Entry:
    path = info["name"] if _is_here(files) else None
    return Entry(files.unstrip_protocol(info["name"]), place, _stamp_of(info), path)


def _is_here(files: Any) -> bool:
    return files.protocol == "file" or "file" in files.protocol


def _stamp_of(info: Info) -> Stamp:
    marks = [str(info[key]) for key in (*_VERSIONS, *_TIMES) if info.get(key) is not None]
    if not marks or info.get("size") is None:
        return UNKNOWN_STAMP
    hashed = hashlib.blake2b("\n".join(marks).encode(), digest_size=7).digest()
    return Stamp(int(info["size"]), int.from_bytes(hashed))


def _open_system(address: str) -> tuple[Any, str]:
    """Return the file system of an address, which fsspec keeps, and the path in it."""
    try:
        import fsspec
    except ImportError as error:
        raise MissingError(
            f"{address} needs fsspec, which is not installed; "
            "run: pip install 'sudoku-lens[cluster]'"
        ) from error
    try:
        files, path = fsspec.core.url_to_fs(address)
    except (ImportError, ValueError) as error:  # the package of that system, or no such system
        raise MissingError(f"{address} cannot be used: {error}") from error
    return files, path


@contextmanager
def _as_os_errors(address: str) -> Iterator[None]:
    try:
        yield
    except (OSError, MissingError):
        raise
    except Exception as error:
        raise OSError(0, f"{type(error).__name__}: {error}", address) from error


_DIGEST_BYTES: Final = 20
"""Two of 100 million photos get the same key with a probability of 10⁻³²."""

_READ_SECONDS: Final = 10.0


def digest_bytes(data: bytes) -> bytes:
    """Return the key of a content: BLAKE2b (Aumasson et al. 2013), 20 bytes."""
    return hashlib.blake2b(data, digest_size=_DIGEST_BYTES).digest()


def digest_file(path: str | Path) -> bytes:
    """Return the key of a file's content.

    Raises:
        OSError: if it cannot be read.
    """
    with open(path, "rb") as file:
        hashing = hashlib.file_digest(file, partial(hashlib.blake2b, digest_size=_DIGEST_BYTES))
    return hashing.digest()


def digest_soon(path: str) -> bytes | None:
    """Return the key of a photo, wherever it is, or None where it cannot be read in a moment."""
    found: list[bytes] = []

    def read() -> None:
        with contextlib.suppress(OSError):
            found.append(digest_bytes(read_source(path)))

    reading = threading.Thread(target=read, daemon=True)
    reading.start()
    reading.join(_READ_SECONDS)
    return found[0] if found else None


def stable_share(place: str, shares: int) -> int:
    """Return which of so many equal shares, 0 the first, a photo belongs to, on every machine.

    `place` is its path below the folder that was named, with / between its parts.
    """
    hashed = hashlib.blake2b(place.encode(errors="surrogateescape"), digest_size=8)
    return int.from_bytes(hashed.digest()) % shares
