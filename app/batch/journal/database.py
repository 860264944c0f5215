"""The SQLite file of a journal: tables and rows, how it is opened, and what is said if it fails."""

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, NamedTuple
from urllib.parse import quote

from app.terminal.exits import UsageError

JOURNAL_NAME: Final = "sudoku-lens-journal"
JOURNAL_SUFFIX: Final = ".sqlite"
"""What the name of a journal in an output folder begins and ends with."""

_FORMAT: Final = 1

_SCHEMA: Final = """
CREATE TABLE settings(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
CREATE TABLE runs(id INTEGER PRIMARY KEY, settings INTEGER NOT NULL);
CREATE TABLE inputs(
    path BLOB PRIMARY KEY, file BLOB NOT NULL, kind TEXT NOT NULL,
    size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, digest BLOB, error TEXT,
    run INTEGER NOT NULL, root INTEGER NOT NULL, place BLOB NOT NULL, output BLOB
) WITHOUT ROWID;
CREATE INDEX inputs_in_order ON inputs(run, root, place);
CREATE TABLE results(
    digest BLOB NOT NULL, settings INTEGER NOT NULL, outcome TEXT NOT NULL, record TEXT NOT NULL,
    seconds REAL NOT NULL, timeout REAL, PRIMARY KEY (digest, settings)
) WITHOUT ROWID;
CREATE TABLE outputs(
    name BLOB PRIMARY KEY, path BLOB NOT NULL, input BLOB NOT NULL,
    digest BLOB, settings INTEGER, begun INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX outputs_of_content ON outputs(digest, settings) WHERE digest IS NOT NULL;
CREATE INDEX outputs_begun ON outputs(begun) WHERE begun;
"""

WRITTEN: Final = "SELECT path FROM outputs WHERE begun OR digest IS NOT NULL"
"""What runs have written, or were about to write."""

Kind = Literal["photo", "text"]


def open_database(path: Path | None) -> tuple[sqlite3.Connection, str]:
    """Open a journal's file, or make one, and return it with what messages call it.

    Args:
        path: the file, which no other process can use until it is closed; None for memory.

    Raises:
        UsageError: if it cannot be made, is no journal, or is in use.
    """
    name = "the journal" if path is None else f"the journal {path}"
    with told(name):
        connection = sqlite3.connect(
            ":memory:" if path is None else path, timeout=1.0, isolation_level=None
        )
        try:
            # Set before the write-ahead log is first used, this needs no shared memory, so
            # that the file may lie on a network disk; and it is the lock against others.
            connection.execute("PRAGMA locking_mode=EXCLUSIVE")
            connection.execute("PRAGMA journal_mode=WAL")
            # A killed process loses nothing; a power cut may lose the last results.
            connection.execute("PRAGMA synchronous=NORMAL")
            _prepare(connection, name)
        except BaseException:
            connection.close()
            raise
    return connection, name


def _prepare(connection: sqlite3.Connection, name: str) -> None:
    (found,) = connection.execute("PRAGMA user_version").fetchone()
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if found == 0 and tables == 0:
        connection.executescript(
            f"BEGIN IMMEDIATE; {_SCHEMA} PRAGMA user_version={_FORMAT}; COMMIT;"
        )
    elif found != _FORMAT:
        raise UsageError(f"{name} is of another version; name another with --journal")


def read_written(path: Path) -> list[str]:
    """Return the files that runs of another journal have written; it is given free at once.

    Raises:
        UsageError: if it cannot be read, or another run is using it.
    """
    uri = f"file:{quote(os.fsencode(path.absolute()))}"
    # What a run that was killed has written last is beside the file, which must be let in first;
    # else it is read as it is, so that a folder that may not be written to will do.
    is_whole = not os.path.exists(f"{path}-wal")
    with told(f"the journal {path}"):
        connection = sqlite3.connect(
            f"{uri}?immutable=1" if is_whole else f"{uri}?mode=rw", uri=True, timeout=0.0
        )
        with contextlib.closing(connection):
            if not is_whole:
                connection.execute("PRAGMA locking_mode=EXCLUSIVE")
            return [os.fsdecode(name) for (name,) in connection.execute(WRITTEN)]


@contextlib.contextmanager
def told(name: str) -> Iterator[None]:
    """Say in the words of the command line what is wrong with the file."""
    try:
        yield
    except sqlite3.Error as error:
        text = str(error)
        if "locked" in text:
            advice = "another run is using it; wait for that, or name another with --journal"
        elif "not a database" in text or "malformed" in text:
            advice = "it is no journal or is damaged; name another with --journal, or delete it"
        elif "full" in text:
            advice = "free some space, and run the same command to go on"
        else:
            advice = "see to the folder, or name another file with --journal"
        raise UsageError(f"{name} cannot be used ({text}); {advice}") from error


class Input(NamedTuple):
    """A file that a run has met.

    `path` is absolute; `file` is what reports call it; `digest` is None where it could not be
    read, which `error` tells; `root` and `place` are its position in the order of a run's inputs;
    `output` is where its overlay or its solutions go.
    """

    path: str
    file: str
    kind: Kind
    size: int
    mtime_ns: int
    digest: bytes | None
    error: str | None
    root: int
    place: str
    output: str | None


class Kept(NamedTuple):
    """What came of a content: `app.batch.engines.batch_engine.Done` has the same fields.

    `timeout` is how many seconds it was allowed where they were not enough, else None.
    """

    outcome: str
    record: str
    seconds: float
    timeout: float | None


class Output(NamedTuple):
    """A file that this journal's runs write, for one input.

    `digest` and `settings` tell what it shows, and are None where it is not there.
    """

    path: str
    input: str
    digest: bytes | None
    settings: int | None
    is_begun: bool

    @property
    def is_ours(self) -> bool:
        """Whether a file there is one that a run has written; a name may be only kept for one."""
        return self.is_begun or self.digest is not None


class Reported(NamedTuple):
    """An input and what is known of it; `record` is None where nothing is yet."""

    file: str
    path: str
    record: str | None
    error: str | None
    output: str | None


@dataclass(frozen=True)
class Known:
    """What the journal knows of an input that is met again."""

    size: int
    mtime_ns: int
    digest: bytes | None
    run: int
