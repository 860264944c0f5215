"""The journal: an SQLite file that knows what was done, so that a run can be ended at any moment.

Results are kept by the photo's content and the settings, not by name. Every result is committed
before it counts; what was not is done again.
"""

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from app.batch.journal.database import (
    WRITTEN,
    Input,
    Kept,
    Known,
    Output,
    Reported,
    open_database,
    told,
)
from app.terminal.exits import InputError


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
        self._has_sizes = False

    @classmethod
    def open(cls, path: Path | None) -> "Journal":
        """Open a journal, or make one; no other process can use it until it is closed.

        Args:
            path: the file, or None for one in memory.

        Raises:
            UsageError: if it cannot be made, is no journal, or is in use.
        """
        connection, name = open_database(path)
        return cls(connection, name, path)

    def close(self) -> None:
        """Give the file free; what was not committed is forgotten."""
        with contextlib.suppress(sqlite3.Error):
            self.forget()
        with contextlib.suppress(sqlite3.Error):
            self._connection.close()

    def commit(self) -> None:
        """Keep all that was said so far."""
        with told(self._name):
            if self._connection.in_transaction:
                self._connection.execute("COMMIT")

    def forget(self) -> None:
        """Drop all that was said since the last `commit`."""
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    def begin_run(self, settings: str, *, is_fresh: bool = False) -> None:
        """Begin a run: the inputs that it meets are those that its report lists.

        Args:
            settings: what results depend on, beside the photo.
            is_fresh: whether what is known under these settings is forgotten.
        """
        self._write("INSERT OR IGNORE INTO settings(text) VALUES (?)", (settings,))
        with told(self._name):
            (self.settings,) = self._connection.execute(
                "SELECT id FROM settings WHERE text = ?", (settings,)
            ).fetchone()
        if is_fresh:
            self._write("DELETE FROM results WHERE settings = ?", (self.settings,))
        self.run = self._write("INSERT INTO runs(settings) VALUES (?)", (self.settings,))

    def open_last_run(self) -> None:
        """Go back to the last run, to report it.

        Raises:
            InputError: if there was none.
        """
        with told(self._name):
            row = self._connection.execute("SELECT max(id), settings FROM runs").fetchone()
        if row[0] is None:
            raise InputError(f"{self._name} holds no run; name photos")
        self.run, self.settings = row

    def find_input(self, path: str) -> Known | None:
        """Return what is known of a file, by its absolute path."""
        query = "SELECT size, mtime_ns, digest, run FROM inputs WHERE path = ?"
        with told(self._name):
            row = self._connection.execute(query, (os.fsencode(path),)).fetchone()
        return None if row is None else Known(*row)

    def note_input(self, met: Input) -> None:
        """Note that this run has met a file."""
        self._write(
            "INSERT OR REPLACE INTO inputs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                os.fsencode(met.path),
                os.fsencode(met.file),
                met.kind,
                met.size,
                met.mtime_ns,
                met.digest,
                met.error,
                self.run,
                met.root,
                os.fsencode(met.place),
                None if met.output is None else os.fsencode(met.output),
            ),
        )

    def find_contents(self, size: int, most: int) -> list[bytes]:
        """Return contents of so many bytes that runs have met, up to a number of them."""
        if not self._has_sizes:  # only some runs ask
            self._write("CREATE INDEX IF NOT EXISTS inputs_of_size ON inputs(size, digest)", ())
            self._has_sizes = True
        query = "SELECT DISTINCT digest FROM inputs WHERE size = ? AND digest IS NOT NULL LIMIT ?"
        with told(self._name):
            return [digest for (digest,) in self._connection.execute(query, (size, most))]

    def find_result(self, digest: bytes) -> Kept | None:
        """Return what came of a content under this run's settings."""
        query = (
            "SELECT outcome, record, seconds, timeout FROM results"
            " WHERE digest = ? AND settings = ?"
        )
        with told(self._name):
            row = self._connection.execute(query, (digest, self.settings)).fetchone()
        return None if row is None else Kept(*row)

    def note_result(self, digest: bytes, result: Kept) -> None:
        """Note what came of a content under this run's settings."""
        self._write(
            "INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?, ?, ?)",
            (digest, self.settings, *result),
        )

    def find_output(self, path: str) -> Output | None:
        """Return what is known of a file that runs have written, or will."""
        query = "SELECT path, input, digest, settings, begun FROM outputs WHERE name = ?"
        with told(self._name):
            row = self._connection.execute(query, (_key(path),)).fetchone()
        return None if row is None else _output_of(row)

    def find_twin(self, digest: bytes, suffix: str) -> str | None:
        """Return an overlay of this content under these settings, with this suffix, if any."""
        query = "SELECT path FROM outputs WHERE digest = ? AND settings = ?"
        with told(self._name):
            for (path,) in self._connection.execute(query, (digest, self.settings)):
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
        with told(self._name):
            rows = self._connection.execute("SELECT path FROM outputs WHERE begun").fetchall()
        return [os.fsdecode(path) for (path,) in rows]

    def written_outputs(self) -> Iterator[str]:
        """Yield the files that runs have written, or were about to write."""
        with told(self._name):
            for (path,) in self._connection.execute(WRITTEN):
                yield os.fsdecode(path)

    def reported(self) -> Iterator[Reported]:
        """Yield the photos of this run in the order in which they were named, then by path."""
        query = (
            "SELECT file, path, record, inputs.error, output FROM inputs LEFT JOIN results"
            " ON results.digest = inputs.digest AND results.settings = ?"
            " WHERE run = ? AND kind = 'photo' ORDER BY root, place"
        )
        with told(self._name):
            for file, path, record, error, output in self._connection.execute(
                query, (self.settings, self.run)
            ):
                yield Reported(
                    os.fsdecode(file),
                    os.fsdecode(path),
                    record,
                    error,
                    None if output is None else os.fsdecode(output),
                )

    def _write(self, statement: str, values: tuple[object, ...]) -> int:
        """Do one change, and return the number of the row that it made."""
        with told(self._name):
            if not self._connection.in_transaction:
                self._connection.execute("BEGIN IMMEDIATE")
            return self._connection.execute(statement, values).lastrowid or 0


def _key(path: str) -> bytes:
    """Return what two names have in common that are one file where case is ignored."""
    return os.fsencode(path.casefold())


def _output_of(row: tuple[bytes, bytes, bytes | None, int | None, int]) -> Output:
    path, input_path, digest, settings, begun = row
    return Output(os.fsdecode(path), os.fsdecode(input_path), digest, settings, bool(begun))
