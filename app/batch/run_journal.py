"""The journal: an SQLite file that knows what was done, so that a run can be ended at any moment.

Results are kept by the photo's content and the settings, not by name. Every result is committed
before it counts; what was not is done again.
"""

import contextlib
import math
import os
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from app.batch.sources import UNKNOWN_STAMP, InputFile, Stamp
from app.recognition.outcome import Outcome
from app.terminal.exit_codes import InputError, UsageError

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

_WRITTEN: Final = "SELECT path FROM outputs WHERE begun OR digest IS NOT NULL"
"""What runs have written, or were about to write."""


def _open_database(path: Path | None, name: str) -> sqlite3.Connection:
    """Open a journal's file, or make one, which no other process can use until it is closed."""
    with friendly_errors(name):
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
    return connection


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
    with friendly_errors(f"the journal {path}"):
        connection = sqlite3.connect(
            f"{uri}?immutable=1" if is_whole else f"{uri}?mode=rw", uri=True, timeout=0.0
        )
        with contextlib.closing(connection):
            if not is_whole:
                connection.execute("PRAGMA locking_mode=EXCLUSIVE")
            return [os.fsdecode(name) for (name,) in connection.execute(_WRITTEN)]


@contextlib.contextmanager
def friendly_errors(name: str) -> Iterator[None]:
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


class StoredResult(NamedTuple):
    """What came of a content: `app.batch.photo_work.JobResult` has the same fields.

    `timeout` is how many seconds it was allowed where they were not enough, else None.
    """

    outcome: str
    record: str
    seconds: float
    timeout: float | None

    @property
    def is_drawn(self) -> bool:
        """Whether there is an overlay."""
        return self.outcome == Outcome.SOLVED and '"error"' not in self.record


class Output(NamedTuple):
    """A file that this journal's runs write, for one input.

    `digest` and `settings` tell what it shows, and are None where it is not there.
    """

    path: str
    input: str
    digest: bytes | None
    settings: int | None
    is_begun: bool


class Reported(NamedTuple):
    """An input and what is known of it; `record` is None where nothing is yet."""

    file: str
    path: str
    record: str | None
    error: str | None
    output: str | None


@dataclass(frozen=True)
class InputRecord:
    """What the journal knows of an input; `is_met` tells whether this run has met it before."""

    stamp: Stamp = UNKNOWN_STAMP
    digest: bytes | None = None
    is_met: bool = False

    def digest_at(self, stamp: Stamp) -> bytes | None:
        """Return the key of its content, unless it has changed since it was read."""
        return self.digest if stamp == self.stamp != UNKNOWN_STAMP else None

    def is_met_at(self, stamp: Stamp) -> bool:
        """Tell whether this run has met it before, as it is now, and could read it."""
        return self.is_met and stamp in (UNKNOWN_STAMP, self.stamp)


class Journal:
    """One journal, open; all calls come from one thread.

    Methods raise `UsageError` where the file cannot be read or written. Nothing is durable before
    `commit`; a process that is killed loses what came after it, and nothing else.
    """

    def __init__(self, connection: sqlite3.Connection, name: str, path: Path | None) -> None:
        self._connection = connection
        self._name = name
        self.path = path
        self.run = 0
        self.settings = 0

    @classmethod
    def open(cls, path: Path | None) -> "Journal":
        """Open a journal, or make one, in memory where None; no other process can use it meanwhile.

        Raises:
            UsageError: if it cannot be made, is no journal, or is in use.
        """
        name = "the journal" if path is None else f"the journal {path}"
        return cls(_open_database(path, name), name, path)

    def close(self) -> None:
        """Give the file free; what was not committed is forgotten."""
        with contextlib.suppress(sqlite3.Error):
            self.forget()
        with contextlib.suppress(sqlite3.Error):
            self._connection.close()

    def commit(self) -> None:
        """Keep all that was said so far."""
        with friendly_errors(self._name):
            if self._connection.in_transaction:
                self._connection.execute("COMMIT")

    def forget(self) -> None:
        """Drop all that was said since the last `commit`."""
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    def begin_run(self, settings: str, *, is_fresh: bool = False) -> None:
        """Begin a run: the inputs that it meets are those that its report lists.

        A fresh one forgets what is known under these settings, on which results depend.
        """
        self._write("INSERT OR IGNORE INTO settings(text) VALUES (?)", (settings,))
        (self.settings,) = self._row("SELECT id FROM settings WHERE text = ?", settings)
        if is_fresh:
            self._write("DELETE FROM results WHERE settings = ?", (self.settings,))
        self.run = self._write("INSERT INTO runs(settings) VALUES (?)", (self.settings,))

    def open_last_run(self) -> None:
        """Go back to the last run, to report it.

        Raises:
            InputError: if there was none.
        """
        row = self._row("SELECT max(id), settings FROM runs")
        if row[0] is None:
            raise InputError(f"{self._name} holds no run; name photos")
        self.run, self.settings = row

    def find_input(self, path: str) -> InputRecord | None:
        """Return what is known of a file, by its absolute path."""
        query = "SELECT size, mtime_ns, digest, run FROM inputs WHERE path = ?"
        row = self._row(query, os.fsencode(path))
        if row is None:
            return None
        size, mtime_ns, digest, run = row
        return InputRecord(Stamp(size, mtime_ns), digest, run == self.run)

    def note_input(
        self,
        found: InputFile,
        stamp: Stamp,
        digest: bytes | None = None,
        output: str | None = None,
        error: str | None = None,
    ) -> None:
        """Note that this run has met a file, and why it could not be read."""
        path, file, place = map(os.fsencode, (found.path, found.file, found.place))
        written = None if output is None else os.fsencode(output)
        row = (path, file, found.kind, *stamp, digest, error, self.run, found.root, place, written)
        self._write(f"INSERT OR REPLACE INTO inputs VALUES ({', '.join('?' * len(row))})", row)

    def find_result(self, digest: bytes | None, seconds: float | None) -> StoredResult | None:
        """Return what came of a content under this run's settings, where a photo has so much time.

        More may help where there was too little; None is no end.
        """
        query = (
            "SELECT outcome, record, seconds, timeout FROM results"
            " WHERE digest = ? AND settings = ? AND (timeout IS NULL OR timeout >= ?)"
        )
        row = self._row(query, digest, self.settings, math.inf if seconds is None else seconds)
        return None if row is None else StoredResult(*row)

    def note_result(self, digest: bytes, result: StoredResult) -> None:
        """Note what came of a content under this run's settings."""
        self._write(
            "INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?, ?, ?)",
            (digest, self.settings, *result),
        )

    def find_output(self, path: str) -> Output | None:
        """Return what is known of a file that runs have written, or will."""
        query = "SELECT path, input, digest, settings, begun FROM outputs WHERE name = ?"
        row = self._row(query, _key(path))
        if row is None:
            return None
        name, source, digest, settings, begun = row
        return Output(os.fsdecode(name), os.fsdecode(source), digest, settings, bool(begun))

    def is_ours(self, path: str) -> bool:
        """Tell whether a file there is one that a run has written; a name may be only kept."""
        known = self.find_output(path)
        return known is not None and (known.is_begun or known.digest is not None)

    def is_shown(self, path: str, digest: bytes | None) -> bool:
        """Tell whether a file is there, and what this content's result has it show."""
        known = self.find_output(path)
        shown = None if known is None else (known.digest, known.settings)
        return shown == (digest, self.settings) and os.path.exists(path)

    def find_twin(self, digest: bytes, suffix: str) -> str | None:
        """Return an overlay of this content under these settings, with this suffix, if any."""
        query = "SELECT path FROM outputs WHERE digest = ? AND settings = ?"
        for (path,) in self._rows(query, digest, self.settings):
            if path.endswith(suffix.encode()):
                return os.fsdecode(path)
        return None

    def claim_output(self, path: str, input_path: str) -> None:
        """Note that a file will belong to an input."""
        self._write(
            "INSERT OR IGNORE INTO outputs VALUES (?, ?, ?, NULL, NULL, 0)",
            (_key(path), os.fsencode(path), os.fsencode(input_path)),
        )

    def begin_output(self, path: str) -> None:
        """Note that a file may be written from now on, and what it showed is no longer so."""
        self._write(
            "UPDATE outputs SET begun = 1, digest = NULL, settings = NULL WHERE name = ?",
            (_key(path),),
        )

    def end_output(self, path: str, digest: bytes | None) -> None:
        """Note that a file is written whole and shows this content's solution, or is not there."""
        self._write(
            "UPDATE outputs SET begun = 0, digest = ?, settings = ? WHERE name = ?",
            (digest, None if digest is None else self.settings, _key(path)),
        )

    def begun_outputs(self) -> list[str]:
        """Return the files that earlier runs were about to write when they were ended."""
        rows = list(self._rows("SELECT path FROM outputs WHERE begun"))
        return [os.fsdecode(path) for (path,) in rows]

    def written_outputs(self) -> Iterator[str]:
        """Yield the files that runs have written, or were about to write."""
        for (path,) in self._rows(_WRITTEN):
            yield os.fsdecode(path)

    def reported(self) -> Iterator[Reported]:
        """Yield the photos of this run in the order in which they were named, then by path."""
        query = (
            "SELECT file, path, record, inputs.error, output FROM inputs LEFT JOIN results"
            " ON results.digest = inputs.digest AND results.settings = ?"
            " WHERE run = ? AND kind = 'photo' ORDER BY root, place"
        )
        for file, path, record, error, output in self._rows(query, self.settings, self.run):
            written = None if output is None else os.fsdecode(output)
            yield Reported(os.fsdecode(file), os.fsdecode(path), record, error, written)

    def _rows(self, query: str, *values: object) -> Iterator[Any]:
        with friendly_errors(self._name):
            yield from self._connection.execute(query, values)

    def _row(self, query: str, *values: object) -> Any:
        return next(self._rows(query, *values), None)

    def _write(self, statement: str, values: tuple[object, ...]) -> int:
        with friendly_errors(self._name):
            if not self._connection.in_transaction:
                self._connection.execute("BEGIN IMMEDIATE")
            return self._connection.execute(statement, values).lastrowid or 0


def _key(path: str) -> bytes:
    """Return what two names have in common that are one file where case is ignored."""
    return os.fsencode(path.casefold())
