"""The puzzles that were solved, in a small database of the user's; what fails is told as a value.

Each call opens the file anew, so that any thread may call, a file that another window holds is
waited for only a moment, and a history that cannot be kept costs nothing but itself.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final, TypeVar

from app.board.history_table import (
    VERSION,
    HistoryEntry,
    add_entry,
    delete_entry,
    find_entries,
    has_entry,
    migrate,
    rate_entry,
    version_of,
)

_T = TypeVar("_T")


class FaultKind(Enum):
    """Why the history could not do what it was asked for."""

    DAMAGED = "damaged"
    """The file is no database, or not one of ours; `History.set_aside` makes room for a new one."""
    LOCKED = "locked"
    """Another program holds it."""
    FULL = "full"
    """The disk has no room."""
    UNREACHABLE = "unreachable"
    """The folder or file cannot be opened or written to."""
    TOO_NEW = "too new"
    """A later version of this program wrote it."""


@dataclass(frozen=True)
class HistoryFault:
    """What kept the history from its work; the rest of the program goes on.

    Attributes:
        kind: of fault.
        detail: in the words of the system, for a report.
    """

    kind: FaultKind
    detail: str


@dataclass(frozen=True)
class History:
    """A history of puzzles in one file.

    Attributes:
        path: of the file; it and its folder are made when something is added.
        patience_seconds: how long to wait for another program that holds the file.
        most_pages: of 4,096 bytes, to which the file may grow; thumbnails take one or two.
    """

    path: Path
    patience_seconds: float = 0.5
    most_pages: int = 250_000

    def add(self, entry: HistoryEntry) -> HistoryEntry | HistoryFault:
        """Keep a puzzle; one with the same clues and rules is brought up to date instead.

        What the new entry does not know, such as the thumbnail, stays as it was.

        Returns:
            The entry as it stands in the file, with its number.
        """
        return self._attempt(lambda connection: add_entry(connection, entry))

    def rate(self, entry: HistoryEntry) -> HistoryEntry | HistoryFault:
        """Keep the difficulty of a puzzle; what was written into it meanwhile stays."""
        return self._attempt(lambda connection: rate_entry(connection, entry))

    def find(self, query: str = "", limit: int = 500) -> list[HistoryEntry] | HistoryFault:
        """Return puzzles, newest first.

        Args:
            query: words that must all be found: in the source's name, as the beginning of the
                level's name, of the kind or of the score, or, from eight signs, as cells in the
                clues, with ``.`` or ``0`` for empty ones.
            limit: how many at most.
        """
        if not self.path.exists():
            return []
        return self._attempt(lambda connection: find_entries(connection, query, limit))

    def contains(self, entry: HistoryEntry) -> bool:
        """Tell whether a puzzle is still there; False also where that cannot be told."""
        if not self.path.exists():
            return False
        return self._attempt(lambda connection: has_entry(connection, entry)) is True

    def delete(self, number: int) -> HistoryEntry | HistoryFault | None:
        """Remove a puzzle by its number and return it for `restore`; None if there is none."""
        if not self.path.exists():
            return None
        return self._attempt(lambda connection: delete_entry(connection, number))

    def restore(self, entry: HistoryEntry) -> HistoryEntry | HistoryFault:
        """Put a deleted puzzle back where it was; under another number where its own is taken."""
        return self.add(entry)

    def set_aside(self) -> Path | HistoryFault:
        """Rename a damaged file, so that a new history can begin; return its new name."""
        number = 1
        while (aside := self.path.with_name(f"{self.path.stem}-damaged-{number}.sqlite")).exists():
            number += 1
        try:
            self.path.replace(aside)
            # The log may hold the latest puzzles, and belongs to the file; SQLite makes the index
            # of the log anew.
            log = self.path.with_name(f"{self.path.name}-wal")
            if log.exists():
                log.replace(aside.with_name(f"{aside.name}-wal"))
            self.path.with_name(f"{self.path.name}-shm").unlink(missing_ok=True)
        except OSError as error:
            return HistoryFault(FaultKind.UNREACHABLE, str(error))
        return aside

    def _attempt(self, work: Callable[[sqlite3.Connection], _T]) -> _T | HistoryFault:
        """Do something with the open file in one transaction, or say why not."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self._open() as connection:
                version = version_of(connection)
                if version > VERSION:
                    return HistoryFault(FaultKind.TOO_NEW, f"version {version} of {self.path}")
                connection.execute("BEGIN IMMEDIATE")
                migrate(connection)
                done = work(connection)
                connection.execute("COMMIT")
                return done
        except sqlite3.Error as error:
            return HistoryFault(_kind_of(error), str(error))
        except OSError as error:
            return HistoryFault(FaultKind.UNREACHABLE, str(error))

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        # Transactions are begun and ended by hand; what is not committed is lost on closing.
        with closing(
            sqlite3.connect(self.path, timeout=self.patience_seconds, isolation_level=None)
        ) as connection:
            connection.row_factory = sqlite3.Row
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(f"PRAGMA max_page_count = {self.most_pages}")
            yield connection


def _kind_of(error: sqlite3.Error) -> FaultKind:
    """Tell what went wrong by SQLite's own code, of which the low byte is the main one."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    return _KINDS.get(code, FaultKind.DAMAGED)


_KINDS: Final = {
    sqlite3.SQLITE_BUSY: FaultKind.LOCKED,
    sqlite3.SQLITE_LOCKED: FaultKind.LOCKED,
    sqlite3.SQLITE_FULL: FaultKind.FULL,
    sqlite3.SQLITE_CANTOPEN: FaultKind.UNREACHABLE,
    sqlite3.SQLITE_PERM: FaultKind.UNREACHABLE,
    sqlite3.SQLITE_AUTH: FaultKind.UNREACHABLE,
    sqlite3.SQLITE_READONLY: FaultKind.UNREACHABLE,
    sqlite3.SQLITE_IOERR: FaultKind.UNREACHABLE,
}
