"""The puzzles that were solved, in a small database of the user's; what fails is told as a value.

Each call opens the file anew, so that any thread may call, a file that another window holds is
waited for only a moment, and a history that cannot be kept costs nothing but itself.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Final, TypeVar

from solver.grid import Fault, Grid, GridError, check_solution, format_grid, parse_grid
from solver.human.rating import Level

_T = TypeVar("_T")

VERSION: Final = 1
"""Of the tables; stands in the file as its `user_version`."""

_MIGRATIONS: Final = (
    """
    CREATE TABLE puzzles (
        id INTEGER PRIMARY KEY,
        clues TEXT NOT NULL UNIQUE,
        entries TEXT NOT NULL,
        solution TEXT,
        time REAL NOT NULL,
        score REAL,
        level TEXT,
        source TEXT NOT NULL,
        thumbnail BLOB
    );
    CREATE INDEX puzzles_by_time ON puzzles (time DESC);
    """,
)
"""What leads from each version to the next, beginning with an empty file."""

_LEAST_CLUES: Final = 8
"""Signs from which a search word made of digits and dots may be part of a puzzle."""


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


@dataclass(frozen=True, eq=False)
class HistoryEntry:
    """A puzzle of the history.

    Attributes:
        clues: (9, 9) uint8.
        entries: (9, 9) uint8, digits that were written in.
        solution: (9, 9) uint8, which obeys the rules and the clues; None where none is known.
            Whether it is the only one was proved when it was added, but a file can be changed.
        time: seconds since 1970, when it was last added.
        score: difficulty on the Sudoku Explainer scale; None where it was not rated.
        level: the score's name.
        source: name of the photo or file, or nothing.
        thumbnail: bytes of a small JPEG, or None.
        id: its number; 0 before it is added.
    """

    clues: Grid
    entries: Grid
    solution: Grid | None
    time: float
    score: float | None = None
    level: Level | None = None
    source: str = ""
    thumbnail: bytes | None = None
    id: int = 0


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
        """Keep a puzzle; one with the same clues is brought up to date instead.

        What the new entry does not know, such as the thumbnail, stays as it was.

        Returns:
            The entry as it stands in the file, with its number.
        """
        return self._attempt(lambda connection: _add(connection, entry))

    def find(self, query: str = "", limit: int = 500) -> list[HistoryEntry] | HistoryFault:
        """Return puzzles, newest first.

        Args:
            query: words that must all be found: in the source's name, as the beginning of the
                level's name or of the score, or, from eight signs, as cells in the clues, with
                ``.`` or ``0`` for empty ones.
            limit: how many at most.
        """
        if not self.path.exists():
            return []
        return self._attempt(lambda connection: _find(connection, query, limit))

    def contains(self, entry: HistoryEntry) -> bool:
        """Tell whether a puzzle is still there; False also where that cannot be told."""
        if not self.path.exists():
            return False
        found = self._attempt(
            lambda connection: connection.execute(
                # A number alone does not tell: that of a deleted puzzle is given out again.
                "SELECT 1 FROM puzzles WHERE id = ? AND clues = ?",
                (entry.id, format_grid(entry.clues)),
            ).fetchone()
        )
        return found is not None and not isinstance(found, HistoryFault)

    def delete(self, number: int) -> HistoryEntry | HistoryFault | None:
        """Remove a puzzle by its number and return it for `restore`; None if there is none."""
        if not self.path.exists():
            return None
        return self._attempt(lambda connection: _delete(connection, number))

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
                version = int(connection.execute("PRAGMA user_version").fetchone()[0])
                if version > VERSION:
                    return HistoryFault(FaultKind.TOO_NEW, f"version {version} of {self.path}")
                connection.execute("BEGIN IMMEDIATE")
                _migrate(connection)
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


def _migrate(connection: sqlite3.Connection) -> None:
    """Bring the tables up to the present version."""
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    for script in _MIGRATIONS[version:]:
        for statement in script.split(";"):
            connection.execute(statement)
    if version < VERSION:
        connection.execute(f"PRAGMA user_version = {VERSION}")


def _add(connection: sqlite3.Connection, entry: HistoryEntry) -> HistoryEntry:
    clues = format_grid(entry.clues)
    is_taken = connection.execute(
        "SELECT 1 FROM puzzles WHERE id = ? AND clues <> ?", (entry.id, clues)
    ).fetchone()
    values = {
        "id": None if is_taken else entry.id or None,
        "clues": clues,
        "entries": format_grid(entry.entries),
        "solution": None if entry.solution is None else format_grid(entry.solution),
        "time": entry.time,
        "score": entry.score,
        "level": None if entry.level is None else entry.level.value,
        "source": entry.source,
        "thumbnail": entry.thumbnail,
    }
    connection.execute(
        """
        INSERT INTO puzzles (id, clues, entries, solution, time, score, level, source, thumbnail)
        VALUES (:id, :clues, :entries, :solution, :time, :score, :level, :source, :thumbnail)
        ON CONFLICT (clues) DO UPDATE SET
            entries = excluded.entries,
            solution = coalesce(excluded.solution, solution),
            time = max(excluded.time, time),
            score = coalesce(excluded.score, score),
            level = coalesce(excluded.level, level),
            source = iif(excluded.source = '', source, excluded.source),
            thumbnail = coalesce(excluded.thumbnail, thumbnail)
        """,
        values,
    )
    row = connection.execute("SELECT * FROM puzzles WHERE clues = ?", (clues,)).fetchone()
    return replace(entry, id=int(row["id"])) if (kept := _read(row)) is None else kept


def _find(connection: sqlite3.Connection, query: str, limit: int) -> list[HistoryEntry]:
    conditions, values = ["1"], []
    for word in query.split():
        condition, patterns = _match(word)
        conditions.append(condition)
        values += patterns
    rows = connection.execute(
        f"SELECT * FROM puzzles WHERE {' AND '.join(conditions)} "
        "ORDER BY time DESC, id DESC LIMIT ?",
        (*values, limit),
    )
    return [entry for row in rows if (entry := _read(row)) is not None]


def _match(word: str) -> tuple[str, list[str]]:
    """Return a condition for a word of a search, and what its question marks stand for."""
    plain = word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    conditions = [
        "source LIKE ? ESCAPE '\\'",
        "level LIKE ? ESCAPE '\\'",
        "printf('%.1f', score) LIKE ? ESCAPE '\\'",
    ]
    patterns = [f"%{plain}%", f"{plain}%", f"{plain}%"]
    cells = word.replace("0", ".")
    if len(cells) >= _LEAST_CLUES and set(cells) <= set(".123456789"):
        conditions.append("instr(clues, ?) > 0")
        patterns.append(cells)
    return f"({' OR '.join(conditions)})", patterns


def _delete(connection: sqlite3.Connection, number: int) -> HistoryEntry | None:
    row = connection.execute("SELECT * FROM puzzles WHERE id = ?", (number,)).fetchone()
    connection.execute("DELETE FROM puzzles WHERE id = ?", (number,))
    return None if row is None else _read(row)


def _read(row: sqlite3.Row) -> HistoryEntry | None:
    """Return a row as an entry, or None where it holds no puzzle."""
    try:
        clues, entries = _parse(row["clues"]), _parse(row["entries"])
        solution = None if row["solution"] is None else _parse(row["solution"])
        level = None if row["level"] is None else Level(row["level"])
    except (GridError, ValueError, AttributeError):
        return None
    if solution is not None and check_solution(clues, solution) is not Fault.NONE:
        solution = None
    return HistoryEntry(
        clues,
        entries,
        solution,
        time=row["time"],
        score=row["score"],
        level=level,
        source=row["source"],
        thumbnail=row["thumbnail"],
        id=row["id"],
    )


def _parse(text: str) -> Grid:
    grid = parse_grid(text)
    if grid.shape != (9, 9):
        raise GridError(f"a puzzle of the history is 9×9, not {len(grid)}×{len(grid)}")
    return grid


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
