"""The puzzles that the published networks learn from: the same, in the same order, for each.

They may come from the large public files of puzzles with solutions, read a block of lines at a
time. The names of the columns in the first line tell the form; lines of puzzle and solution need
none:

- "1 million Sudoku games" (K. Park, 2016): `quizzes,solutions`
- "9 Million Sudoku Puzzles and Solutions" (R. Rao, 2019): `puzzle,solution`
- "3 million Sudoku puzzles with ratings" (D. Radcliffe, 2020):
  `id,puzzle,solution,clues,difficulty`
- "4 Million Sudoku Puzzles Easy-to-Hard": `quizzes,solutions,clue_numbers`

All are to be had at Kaggle, none is part of this project. n puzzles.
"""

import contextlib
import gzip
import hashlib
import io
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

import numpy as np
import numpy.typing as npt

from solver.exact.bulk.bulk_solver import find_faulty
from solver.symmetry import fingerprints
from training.grids.training_puzzles import (
    KINDS,
    PuzzlePools,
    Puzzles,
    draw_of_kinds,
    load_test_fingerprints,
)

Digits = npt.NDArray[np.uint8]

_NAMES: Final = {
    "puzzle": ("puzzle", "puzzles", "quizzes", "quiz"),
    "solution": ("solution", "solutions"),
    "clues": ("clues", "clue_numbers"),
}
"""What the columns that are read are called in the different files."""

_EMPTY: Final = bytes.maketrans(b".", b"0")

_LINES_AT_ONCE: Final = 10_000


class PuzzleFileError(ValueError):
    """A file, or a line of it, that is not as it should be; the text says what to do."""


def read_blocks(path: Path, lines_at_once: int = _LINES_AT_ONCE) -> Iterator[Puzzles]:
    """Yield the puzzles of a file in blocks, so that files of any length can be read.

    Each solution obeys the rules and keeps the clues. That it is the only one is not checked.

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


def load_puzzles(path: Path, excluded: set[int] | None = None) -> Puzzles:
    """Return the puzzles of a file without those that must not be learnt.

    Args:
        path: see `read_blocks`.
        excluded: fingerprints, as `training_puzzles.load_test_fingerprints` gives them.

    Raises:
        OSError, PuzzleFileError: see `read_blocks`.
    """
    clues = [np.zeros((0, 81), np.uint8)]
    solutions = [np.zeros((0, 81), np.uint8)]
    for found in read_blocks(path):
        if excluded:
            kept = np.array([one not in excluded for one in fingerprints(found.clues).tolist()])
            found = Puzzles(found.clues[kept], found.solutions[kept])
        clues.append(found.clues)
        solutions.append(found.solutions)
    return Puzzles(np.concatenate(clues), np.concatenate(solutions))


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
) -> Puzzles:
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
        told = _parse_counts(path, numbers, [row[columns["clues"]] for row in rows])
        counted = (clues > 0).sum(axis=1)
        for i in np.flatnonzero(told != counted)[:1]:
            raise _bad(path, numbers[i], f"{told[i]:g} clues are named, but {counted[i]} stand")
    return Puzzles(clues, solutions)


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


def _parse_counts(path: Path, numbers: list[int], texts: list[str]) -> npt.NDArray[np.float32]:
    values = []
    for number, text in zip(numbers, texts, strict=True):
        try:
            values.append(float(text.strip(' "')))
        except ValueError:
            raise _bad(path, number, f"clues is {text!r}, not a number") from None
    return np.array(values, np.float32)


def _bad(path: Path, number: int, what: str) -> PuzzleFileError:
    return PuzzleFileError(
        f"{path}:{number}: {what}; take the line out, or fetch the file anew if many are so"
    )


@dataclass(frozen=True)
class EqualMix:
    """How puzzles are drawn; on its own, so that what serves another network cannot change it.

    Attributes:
        shares: by kind, of `training.grids.training_puzzles.KINDS`; the sum is 1.
        revealed: share of the puzzles of which a share of the empty cells is filled in, any share
            from none to all being as likely.
    """

    shares: tuple[float, ...]
    revealed: float


MIX: Final = EqualMix(shares=(0.6, 0.2, 0.15, 0.05, 0.0, 0.0), revealed=0.85)
"""Easy puzzles for the greater part, as the sources trained on, and all numbers of clues."""

AS_THEY_ARE: Final = EqualMix(shares=(1.0, 0.0, 0.0, 0.0, 0.0, 0.0), revealed=0.0)
"""For puzzles of a file."""

_WATCHED_OF_FILE: Final = 500
"""The first puzzles of a file are not learnt, but watched."""

_CHUNK: Final = 1024
"""Puzzles drawn at a time; chunk k is the same for every network."""


def load_file_pools(path: Path, data: Path) -> PuzzlePools:
    """Return the puzzles of a public file, without those that stand in test files.

    Args:
        path: see `training.grids.published_puzzles`.
        data: the folder with the test files.

    Raises:
        OSError, training.grids.published_puzzles.PuzzleFileError: if the file cannot be read.
    """
    found = load_puzzles(path, load_test_fingerprints(data))
    watched = Puzzles(found.clues[:_WATCHED_OF_FILE], found.solutions[:_WATCHED_OF_FILE])
    learnt = Puzzles(found.clues[_WATCHED_OF_FILE:], found.solutions[_WATCHED_OF_FILE:])
    if not len(learnt.clues):
        raise PuzzleFileError(f"{path} leaves nothing to learn; it must hold more puzzles")
    return PuzzlePools(dict.fromkeys(KINDS, learnt), dict.fromkeys(KINDS, watched))


def describe_puzzles(pools: PuzzlePools, mix: EqualMix) -> dict[str, Any]:
    """Return what tells the puzzles that are learnt from others, as JSON has it."""
    drawn = {
        id(pools.train[kind]): pools.train[kind]
        for kind, share in zip(KINDS, mix.shares, strict=True)
        if share
    }
    digest = hashlib.sha256()
    for puzzles in drawn.values():
        digest.update(np.ascontiguousarray(puzzles.clues).data)
        digest.update(np.ascontiguousarray(puzzles.solutions).data)
    return {
        "shares": list(mix.shares),
        "revealed": mix.revealed,
        "count": sum(len(puzzles.clues) for puzzles in drawn.values()),
        "digest": digest.hexdigest()[:16],
    }


def draw_batches(
    pools: PuzzlePools, mix: EqualMix, seed: int, batch: int, skip: int = 0
) -> Iterator[Puzzles]:
    """Yield one sequence of puzzles in batches, the same for every size that divides 1024.

    Raises:
        ValueError: if the batch does not divide 1024.
    """
    if batch < 1 or _CHUNK % batch:
        raise ValueError(f"batch must divide {_CHUNK}, got {batch}")
    return _cut_batches(pools, mix, seed, batch, skip * batch)


def _cut_batches(
    pools: PuzzlePools, mix: EqualMix, seed: int, batch: int, place: int
) -> Iterator[Puzzles]:
    chunk, drawn = -1, Puzzles(np.zeros((0, 81), np.uint8), np.zeros((0, 81), np.uint8))
    while True:
        if place // _CHUNK != chunk:
            chunk = place // _CHUNK
            random = np.random.default_rng([seed, chunk])
            drawn = _draw(pools.train, mix, _CHUNK, random)
        part = slice(place % _CHUNK, place % _CHUNK + batch)
        yield Puzzles(drawn.clues[part], drawn.solutions[part])
        place += batch


def draw_watched(pools: PuzzlePools, mix: EqualMix, seed: int, count: int) -> Puzzles:
    """Return so many puzzles that are held out, drawn in the same way."""
    # A stream that no chunk has, whatever its number.
    random = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(0,)))
    return _draw(pools.watch, mix, count, random)


def _draw(
    pools: dict[str, Puzzles], mix: EqualMix, count: int, random: np.random.Generator
) -> Puzzles:
    kinds = random.choice(len(KINDS), count, p=mix.shares)
    clues, solutions = draw_of_kinds(pools, kinds, random)
    share = random.random((count, 1))
    share *= random.random((count, 1)) < mix.revealed
    is_shown = (clues == 0) & (random.random((count, 81)) < share)
    return Puzzles(np.where(is_shown, solutions, clues), solutions)
