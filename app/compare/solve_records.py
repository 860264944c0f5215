"""What `compare` notes of each solve, and the CSV file that it is kept in, a line at a time.

The file is the journal of a run: a line is written when a solve has ended, so that a run that is
killed at any moment goes on where it stood.
"""

import csv
import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_type_hints

from app.terminal.exit_codes import InputError
from app.terminal.named_files import naming_output
from solver.base import Limits


class Verdict(StrEnum):
    """What a solve is worth, by an independent check."""

    RIGHT = "right"
    """The one solution was found; or it was proved that there is none, or more than one."""
    OPEN = "open"
    """The solver gave up."""
    WRONG = "wrong"
    """The solver claimed what is not so."""


@dataclass(frozen=True)
class Task:
    """One solver on one puzzle.

    Attributes:
        solver: name in the registry; none where the puzzle is for all.
        file: name of the puzzle's file, with folders only where files have equal names.
        line: where the puzzle stands in it, from 1.
        clues: the puzzle on one line; of other kinds a JSON object with the rules.
    """

    solver: str
    file: str
    line: int
    clues: str
    n_clues: int
    rating: float | None


def names_kind(clues: str) -> bool:
    """Return whether the puzzle of a task or a solve has rules of its own, told as JSON."""
    return clues.startswith("{")


@dataclass(frozen=True)
class Solve:
    """One line of the CSV file: a task that is done, the limits that held, and what came of it.

    The fields down to `rating` are those of `Task`; see `solver.base` for limits, of which None is
    none, and effort. Seconds are of processor time: other programs do not count.
    """

    solver: str
    file: str
    line: int
    clues: str
    n_clues: int
    rating: float | None
    limit_nodes: int | None
    limit_iterations: int | None
    limit_seconds: float | None
    verdict: Verdict
    status: str
    seconds: float
    nodes: int
    guesses: int
    iterations: int
    passes: int

    @property
    def key(self) -> tuple[object, ...]:
        """What tells one task from another, limits included."""
        limits = (self.limit_nodes, self.limit_iterations, self.limit_seconds)
        return (self.solver, self.file, self.line, self.clues, *limits)


_Keep = Callable[[Solve], None]
"""Keeps one solve, so that it survives the end of this process."""


def key_of(task: Task, limits: Limits) -> tuple[object, ...]:
    """Return the key that the task's solve under these limits has."""
    named = (limits.nodes, limits.iterations, limits.seconds)
    return (task.solver, task.file, task.line, task.clues, *named)


def load_solves(path: Path) -> list[Solve]:
    """Read the solves of an earlier run; a last line that was cut short is passed over.

    Raises:
        InputError: if the file cannot be read, or is not one that `compare` wrote.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return []
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}") from error
    whole = text[: text.rfind("\n") + 1]
    if not whole:
        return []
    reader = csv.DictReader(io.StringIO(whole))
    if reader.fieldnames != _columns():
        raise InputError(f"{path} is not a CSV file of compare; name another, or remove it")
    kinds = get_type_hints(Solve)
    try:
        return [Solve(**{name: _read(row[name], kinds[name]) for name in kinds}) for row in reader]
    except (ValueError, TypeError) as error:
        raise InputError(
            f"{path} is damaged before line {reader.line_num + 1} ({error}); remove that line"
        ) from error


@contextmanager
def appending_to(path: Path) -> Iterator[_Keep]:
    """Open the CSV file for more solves; each is on the disk's way before the next begins.

    Raises:
        UsageError: if it cannot be written, now or later, as where the disk is full.
    """
    with naming_output(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        _drop_cut_line(path)
        file = path.open("a", encoding="utf-8", newline="")
    writer = csv.DictWriter(file, _columns(), lineterminator="\n")

    def append(solve: Solve) -> None:
        with naming_output(path):
            writer.writerow(asdict(solve))
            file.flush()

    try:
        if file.tell() == 0:
            with naming_output(path):
                writer.writeheader()
                file.flush()
        yield append
    finally:
        with naming_output(path):
            file.close()  # which writes once more what could not be written


def _columns() -> list[str]:
    return [field.name for field in fields(Solve)]


def _drop_cut_line(path: Path) -> None:
    if not path.exists():
        return
    with path.open("r+b") as file:
        data = file.read()
        file.truncate(data.rfind(b"\n") + 1)


def _read(text: str, kind: Any) -> Any:
    """Return a field of a type; an empty one is None where there may be none."""
    kinds = get_args(kind) or (kind,)
    return None if not text and NoneType in kinds else kinds[0](text)
