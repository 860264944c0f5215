"""Loads the large public files of puzzles with solutions, a block of lines at a time.

The names of the columns in the first line tell the form; lines of puzzle and solution need none:

- "1 million Sudoku games" (K. Park, 2016): `quizzes,solutions`
- "9 Million Sudoku Puzzles and Solutions" (R. Rao, 2019): `puzzle,solution`
- "3 million Sudoku puzzles with ratings" (D. Radcliffe, 2020):
  `id,puzzle,solution,clues,difficulty`
- "4 Million Sudoku Puzzles Easy-to-Hard": `quizzes,solutions,clue_numbers`

All are to be had at Kaggle, none is part of this project. n puzzles.
"""

import contextlib
import gzip
import io
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

import numpy as np
import numpy.typing as npt

from solver.exact.bulk.bulk_solver import find_faulty
from solver.symmetry import canonical_forms
from training.puzzles.training_puzzles import Puzzles

Digits = npt.NDArray[np.uint8]

_NAMES: Final = {
    "puzzle": ("puzzle", "puzzles", "quizzes", "quiz"),
    "solution": ("solution", "solutions"),
    "clues": ("clues", "clue_numbers"),
    "difficulty": ("difficulty",),
}
"""What the columns that are read are called in the different files."""

_EMPTY: Final = bytes.maketrans(b".", b"0")

_LINES_AT_ONCE: Final = 10_000


class PuzzleFileError(ValueError):
    """A file, or a line of it, that is not as it should be; the text says what to do."""


@dataclass(frozen=True, eq=False)
class PuzzleBlock:
    """Some consecutive puzzles of a file.

    Attributes:
        puzzles: with their solutions, checked: each solution obeys the rules and keeps the clues.
            That it is the only one is not checked.
        difficulty: (n,) float32 as the file rates them, or None where it does not.
    """

    puzzles: Puzzles
    difficulty: npt.NDArray[np.float32] | None


def read_blocks(path: Path, lines_at_once: int = _LINES_AT_ONCE) -> Iterator[PuzzleBlock]:
    """Yield the puzzles of a file in blocks, so that files of any length can be read.

    Args:
        path: a `.csv` file, or one packed with gzip, `.csv.gz`.
        lines_at_once: the greatest block.

    Raises:
        OSError: if the file cannot be read.
        PuzzleFileError: if it is none of the known forms, or at its first bad line, which the
            text names by number.
    """
    with _open(path) as file:
        header = file.readline().removeprefix("\ufeff")
        columns = _find_columns(path, header)
        n_columns = header.count(",") + 1
        rest: Iterator[str] = iter(file)
        number = 2
        if _is_puzzle_and_solution(header):
            rest, number = itertools.chain([header], rest), 1
        while lines := list(itertools.islice(rest, lines_at_once)):
            numbered = [(number + i, line.strip()) for i, line in enumerate(lines) if line.strip()]
            number += len(lines)
            if numbered:
                yield _parse(path, numbered, columns, n_columns)


def load_puzzles(
    path: Path, most: int | None = None, excluded: set[bytes] | None = None
) -> Puzzles:
    """Return the puzzles of a file, or its first ones, without those that must not be learnt.

    Args:
        path: see `read_blocks`.
        most: how many to return at most; None is all, at 162 bytes each.
        excluded: canonical forms, as `puzzles.training_puzzles.load_test_forms` gives them.

    Raises:
        OSError, PuzzleFileError: see `read_blocks`.
    """
    clues = [np.zeros((0, 81), np.uint8)]
    solutions = [np.zeros((0, 81), np.uint8)]
    n_found = 0
    for block in read_blocks(path):
        found = block.puzzles
        if excluded:
            forms = canonical_forms(found.clues)
            kept = np.array([bytes(form) not in excluded for form in forms])
            found = Puzzles(found.clues[kept], found.solutions[kept])
        clues.append(found.clues)
        solutions.append(found.solutions)
        n_found += len(found.clues)
        if most is not None and n_found >= most:
            break
    return Puzzles(np.concatenate(clues)[:most], np.concatenate(solutions)[:most])


@contextlib.contextmanager
def _open(path: Path) -> Iterator[IO[str]]:
    with contextlib.ExitStack() as stack:
        raw = stack.enter_context(path.open("rb"))
        is_packed = raw.peek(2)[:2] == b"\x1f\x8b"
        plain = stack.enter_context(gzip.open(raw)) if is_packed else raw
        yield stack.enter_context(io.TextIOWrapper(plain, encoding="utf-8", errors="replace"))


def _is_puzzle_and_solution(line: str) -> bool:
    """Tell whether a first line is no header, but already a puzzle with its solution."""
    return [len(column) for column in line.strip().split(",")] == [81, 81]


def _find_columns(path: Path, header: str) -> dict[str, int]:
    """Return where each column stands, of those that the file has."""
    if _is_puzzle_and_solution(header):
        return {"puzzle": 0, "solution": 1}
    titles = [title.strip().strip('"').lower() for title in header.split(",")]
    columns = {
        column: titles.index(name)
        for column, names in _NAMES.items()
        for name in names
        if name in titles
    }
    if "puzzle" not in columns or "solution" not in columns:
        raise PuzzleFileError(
            f"{path}:1: the first line must name the columns, such as puzzle,solution or "
            f"quizzes,solutions, and is {header.strip()[:60]!r}; add that line"
        )
    return columns


def _parse(
    path: Path, numbered: Sequence[tuple[int, str]], columns: dict[str, int], n_columns: int
) -> PuzzleBlock:
    rows = []
    for number, line in numbered:
        row = line.split(",")
        if len(row) != n_columns:
            raise _bad(path, number, f"{len(row)} columns, not {n_columns} as in the first line")
        rows.append(row)
    numbers = [number for number, _ in numbered]
    clues = _parse_grids(path, numbers, [row[columns["puzzle"]] for row in rows], "puzzle")
    solutions = _parse_grids(path, numbers, [row[columns["solution"]] for row in rows], "solution")
    faulty = np.flatnonzero(find_faulty(clues, solutions))
    if len(faulty):
        what = "the solution breaks a rule or changes a clue"
        raise _bad(path, numbers[faulty[0]], what)
    if "clues" in columns:
        told = _parse_numbers(path, numbers, [row[columns["clues"]] for row in rows], "clues")
        counted = (clues > 0).sum(axis=1)
        for i in np.flatnonzero(told != counted)[:1]:
            raise _bad(path, numbers[i], f"{told[i]:g} clues are named, but {counted[i]} stand")
    difficulty = None
    if "difficulty" in columns:
        texts = [row[columns["difficulty"]] for row in rows]
        difficulty = _parse_numbers(path, numbers, texts, "difficulty")
    return PuzzleBlock(Puzzles(clues, solutions), difficulty)


def _parse_grids(path: Path, numbers: list[int], texts: list[str], column: str) -> Digits:
    stripped = [text.strip(' "').encode("ascii", "replace") for text in texts]
    for number, text in zip(numbers, stripped, strict=True):
        if len(text) != 81:
            raise _bad(path, number, f"the {column} has {len(text)} characters, not 81")
    joined = b"".join(stripped).translate(_EMPTY)
    digits = np.frombuffer(joined, np.uint8).reshape(-1, 81) - ord("0")
    for i in np.flatnonzero((digits > 9).any(axis=1))[:1]:
        cell = int((digits[i] > 9).argmax())
        sign = stripped[i].decode()[cell]
        raise _bad(path, numbers[i], f"the {column} has {sign!r} in it, not only digits and dots")
    return digits


def _parse_numbers(
    path: Path, numbers: list[int], texts: list[str], column: str
) -> npt.NDArray[np.float32]:
    values = []
    for number, text in zip(numbers, texts, strict=True):
        try:
            values.append(float(text.strip(' "')))
        except ValueError:
            raise _bad(path, number, f"{column} is {text!r}, not a number") from None
    return np.array(values, np.float32)


def _bad(path: Path, number: int, what: str) -> PuzzleFileError:
    return PuzzleFileError(
        f"{path}:{number}: {what}; take the line out, or fetch the file anew if many are so"
    )
