"""The puzzles that were solved, in a small database of the user's; what fails is told as a value.

Each call opens the file anew, so that any thread may call, a file that another window holds is
waited for only a moment, and a history that cannot be kept costs nothing but itself.
"""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Final, TypeVar

import numpy as np

from app.board.board_values import EMPTY_PENCIL, Pencil, pencil_from_rows, pencil_rows
from solver.formats_kinds import (
    KindPuzzle,
    format_cells,
    format_kind_fields,
    parse_kind_puzzle,
    read_cells,
)
from solver.grid import Fault, Grid, GridError
from solver.human.walk import Level
from solver.rules import CLASSIC_RULES, Kind, Rules, check_rules

VERSION: Final = 3
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
    "ALTER TABLE puzzles ADD COLUMN revealed TEXT",
    """
    ALTER TABLE puzzles ADD COLUMN seconds REAL;
    ALTER TABLE puzzles ADD COLUMN pencil TEXT
    """,
)
"""What leads from each version to the next, beginning with an empty file."""

_LEAST_CLUES: Final = 8
"""Signs from which a search word made of digits and dots may be part of a puzzle."""


@dataclass(frozen=True, eq=False)
class HistoryEntry:
    """A puzzle of the history.

    Attributes:
        clues: (n, n) uint8, as the entries, which were written in.
        solution: (n, n) uint8, which obeys the rules and the clues; None where none is known.
            Whether it is the only one was proved when it was added, but a file can be changed.
        time: seconds since 1970, when it was last added.
        score: difficulty on the Sudoku Explainer scale; None where it was not rated.
        thumbnail: bytes of a small JPEG, or None.
        id: its number; 0 before it is added.
        revealed: cells whose solution was shown when the puzzle was left; None where that
            is not known.
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
    revealed: frozenset[int] | None = None
    seconds: float = 0.0
    pencil: Pencil = EMPTY_PENCIL
    rules: Rules = CLASSIC_RULES

    @property
    def text(self) -> str:
        """The puzzle as it stands in the file, by which it is told from others.

        Cells alone are a classic puzzle, as in files of earlier versions; a JSON object has rules
        of its own, and earlier versions pass it over.
        """
        if self.rules.is_classic:
            return format_cells(self.rules, self.clues)
        fields = format_kind_fields(KindPuzzle(self.rules, self.clues))
        return json.dumps({name: value for name, value in fields.items() if value is not None})

    @property
    def is_finished(self) -> bool:
        """Whether a person played it to its end, with single cells revealed at most."""
        if self.solution is None or not self.seconds:
            return False
        is_open = np.zeros(self.clues.size, bool)
        is_open[list(self.revealed or ())] = True
        is_known = is_open.reshape(self.clues.shape) | (self.clues > 0)
        return bool((is_known | (self.entries == self.solution)).all()) and not is_open.all()


def _version_of(connection: sqlite3.Connection) -> int:
    """Return the version of the tables; 0 for those of an empty file."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _migrate(connection: sqlite3.Connection) -> None:
    version = _version_of(connection)
    for script in _MIGRATIONS[version:]:
        for statement in script.split(";"):
            connection.execute(statement)
    if version < VERSION:
        connection.execute(f"PRAGMA user_version = {VERSION}")


def _add_entry(connection: sqlite3.Connection, entry: HistoryEntry) -> HistoryEntry:
    clues, rules = entry.text, entry.rules
    is_taken = connection.execute(
        "SELECT 1 FROM puzzles WHERE id = ? AND clues <> ?", (entry.id, clues)
    ).fetchone()
    values = {
        "id": None if is_taken else entry.id or None,
        "clues": clues,
        "entries": format_cells(rules, entry.entries),
        "solution": None if entry.solution is None else format_cells(rules, entry.solution),
        "time": entry.time,
        "score": entry.score,
        "level": None if entry.level is None else entry.level.value,
        "source": entry.source,
        "thumbnail": entry.thumbnail,
        "revealed": None if entry.revealed is None else _write_cells(entry),
        "seconds": entry.seconds,
        "pencil": json.dumps(pencil_rows(entry.pencil)),
    }
    connection.execute(
        """
        INSERT INTO puzzles (id, clues, entries, solution, time, score, level, source, thumbnail,
            revealed, seconds, pencil)
        VALUES (:id, :clues, :entries, :solution, :time, :score, :level, :source, :thumbnail,
            :revealed, :seconds, :pencil)
        ON CONFLICT (clues) DO UPDATE SET
            entries = excluded.entries,
            solution = coalesce(excluded.solution, solution),
            time = max(excluded.time, time),
            score = coalesce(excluded.score, score),
            level = coalesce(excluded.level, level),
            source = iif(excluded.source = '', source, excluded.source),
            thumbnail = coalesce(excluded.thumbnail, thumbnail),
            revealed = coalesce(excluded.revealed, revealed),
            seconds = iif(excluded.seconds > 0, excluded.seconds, seconds),
            pencil = excluded.pencil
        """,
        values,
    )
    row = connection.execute("SELECT * FROM puzzles WHERE clues = ?", (clues,)).fetchone()
    return replace(entry, id=int(row["id"])) if (kept := _read(row)) is None else kept


def _find_entries(connection: sqlite3.Connection, query: str, limit: int) -> list[HistoryEntry]:
    """Return so many of the puzzles in which all words of the query are found, newest first."""
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
    plain = word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    conditions = [
        "source LIKE ? ESCAPE '\\'",
        "level LIKE ? ESCAPE '\\'",
        "printf('%.1f', score) LIKE ? ESCAPE '\\'",
    ]
    patterns = [f"%{plain}%", f"{plain}%", f"{plain}%"]
    if any(kind.startswith(word.lower()) for kind in Kind):
        conditions.append("clues LIKE ?")
        patterns.append(f'%"kind": "{word.lower()}%')
    cells = word.replace("0", ".")
    if len(cells) >= _LEAST_CLUES and set(cells) <= set(".123456789"):
        conditions.append("instr(clues, ?) > 0")
        patterns.append(cells)
    return f"({' OR '.join(conditions)})", patterns


def _delete_entry(connection: sqlite3.Connection, number: int) -> HistoryEntry | None:
    row = connection.execute("SELECT * FROM puzzles WHERE id = ?", (number,)).fetchone()
    connection.execute("DELETE FROM puzzles WHERE id = ?", (number,))
    return None if row is None else _read(row)


def _read(row: sqlite3.Row) -> HistoryEntry | None:
    try:
        puzzle = parse_kind_puzzle(row["clues"])
        rules = puzzle.rules
        entries = read_cells(row["entries"], rules)
        solution = None if row["solution"] is None else read_cells(row["solution"], rules)
        level = None if row["level"] is None else Level(row["level"])
    except (GridError, ValueError, AttributeError):
        return None
    if solution is not None and check_rules(rules, puzzle.clues, solution) is not Fault.NONE:
        solution = None
    return HistoryEntry(
        puzzle.clues,
        entries,
        solution,
        time=row["time"],
        score=row["score"],
        level=level,
        source=row["source"],
        thumbnail=row["thumbnail"],
        id=row["id"],
        revealed=_read_cells(row["revealed"], puzzle.clues.size),
        seconds=row["seconds"] or 0.0,
        pencil=_read_pencil(row["pencil"], rules),
        rules=rules,
    )


def _write_cells(entry: HistoryEntry) -> str:
    """Return a character a cell, 1 for those that are revealed and 0 for all others."""
    revealed = entry.revealed or ()
    return "".join("1" if cell in revealed else "0" for cell in range(entry.clues.size))


def _read_cells(text: str | None, n_cells: int) -> frozenset[int] | None:
    if text is None:
        return None
    return frozenset(cell for cell, sign in enumerate(text[:n_cells]) if sign == "1")


def _read_pencil(text: str | None, rules: Rules) -> Pencil:
    try:
        return pencil_from_rows(json.loads(text or "[]"), rules.width, rules.side)
    except ValueError:
        return EMPTY_PENCIL


_T = TypeVar("_T")


class HistoryFault(Enum):
    """What kept the history from its work; the rest of the program goes on."""

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
class History:
    """A history of puzzles in one file.

    Attributes:
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
        return self._attempt(lambda connection: _add_entry(connection, entry))

    def rate(self, entry: HistoryEntry) -> HistoryEntry | HistoryFault:
        """Keep the difficulty of a puzzle; what was written into it meanwhile stays."""
        level = None if entry.level is None else entry.level.value
        values = (entry.score, level, entry.text)
        query = "UPDATE puzzles SET score = ?, level = ? WHERE clues = ?"
        done = self._attempt(lambda connection: connection.execute(query, values))
        return done if isinstance(done, HistoryFault) else entry

    def find(self, query: str = "", limit: int = 500) -> list[HistoryEntry] | HistoryFault:
        """Return puzzles, newest first.

        Args:
            query: words that must all be found: in the source's name, as the beginning of the
                level's name, of the kind or of the score, or, from eight signs, as cells in the
                clues, with ``.`` or ``0`` for empty ones.
        """
        if not self.path.exists():
            return []
        return self._attempt(lambda connection: _find_entries(connection, query, limit))

    def contains(self, entry: HistoryEntry) -> bool:
        """Tell whether a puzzle is still there; False also where that cannot be told."""
        if not self.path.exists():
            return False
        # A number alone does not tell: that of a deleted puzzle is given out again.
        query, values = "SELECT 1 FROM puzzles WHERE id = ? AND clues = ?", (entry.id, entry.text)
        found = self._attempt(lambda connection: connection.execute(query, values).fetchone())
        return isinstance(found, sqlite3.Row)

    def delete(self, number: int) -> HistoryEntry | HistoryFault | None:
        """Remove a puzzle by its number and return it, for `add`; None if there is none."""
        if not self.path.exists():
            return None
        return self._attempt(lambda connection: _delete_entry(connection, number))

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
        except OSError:
            return HistoryFault.UNREACHABLE
        return aside

    def _attempt(self, work: Callable[[sqlite3.Connection], _T]) -> _T | HistoryFault:
        """Do something with the open file in one transaction, or say why not."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self._open() as connection:
                if _version_of(connection) > VERSION:
                    return HistoryFault.TOO_NEW
                connection.execute("BEGIN IMMEDIATE")
                _migrate(connection)
                done = work(connection)
                connection.execute("COMMIT")
                return done
        except sqlite3.Error as error:
            return _fault_of(error)
        except OSError:
            return HistoryFault.UNREACHABLE

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


def _fault_of(error: sqlite3.Error) -> HistoryFault:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    return _FAULTS.get(code, HistoryFault.DAMAGED)


_FAULTS: Final = {
    sqlite3.SQLITE_BUSY: HistoryFault.LOCKED,
    sqlite3.SQLITE_LOCKED: HistoryFault.LOCKED,
    sqlite3.SQLITE_FULL: HistoryFault.FULL,
    sqlite3.SQLITE_CANTOPEN: HistoryFault.UNREACHABLE,
    sqlite3.SQLITE_PERM: HistoryFault.UNREACHABLE,
    sqlite3.SQLITE_AUTH: HistoryFault.UNREACHABLE,
    sqlite3.SQLITE_READONLY: HistoryFault.UNREACHABLE,
    sqlite3.SQLITE_IOERR: HistoryFault.UNREACHABLE,
}
