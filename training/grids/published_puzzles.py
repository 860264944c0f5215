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

import gzip
import hashlib
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from solver.exact.bulk.bulk_solver import find_faulty
from solver.symmetry import fingerprints
from training.grids.training_puzzles import (
    KINDS,
    PuzzlePools,
    Puzzles,
    draw_of_kinds,
    load_test_fingerprints,
)

_NAMES: Final = (("puzzle", "puzzles", "quizzes", "quiz"), ("solution", "solutions"))
"""What the columns of puzzles and solutions are called in the different files."""

_GRID: Final = re.compile(r"[0-9.]{81}")
_LINES_AT_ONCE: Final = 10_000


class PuzzleFileError(ValueError):
    """A file, or a line of it, that is not as it should be; the text says what to do."""


def load_puzzles(path: Path, excluded: set[int] | None = None) -> Puzzles:
    """Return the puzzles of a file without those that must not be learnt.

    Each solution obeys the rules and keeps the clues. That it is the only one is not checked.

    Args:
        path: a `.csv` file, or one packed with gzip, `.csv.gz`.
        excluded: fingerprints, as `training_puzzles.load_test_fingerprints` gives them.

    Raises:
        OSError: if the file cannot be read.
        PuzzleFileError: if it is none of the known forms, or at its first bad line, which the
            text names by number.
    """
    nothing = np.zeros((0, 81), np.uint8)
    parts = [Puzzles(nothing, nothing)]
    opening: Any = gzip.open if path.suffix == ".gz" else open
    with opening(path, "rt", encoding="utf-8-sig", errors="replace") as file:
        lines: Iterator[tuple[int, str]] = enumerate(file, start=1)
        header = next(lines, (1, ""))
        if [len(column) for column in header[1].strip().split(",")] == [81, 81]:
            columns, lines = (0, 1), itertools.chain([header], lines)
        else:
            columns = _find_columns(path, header[1])
        filled = ((number, line) for number, line in lines if line.strip())
        while block := list(itertools.islice(filled, _LINES_AT_ONCE)):
            found = _parse(path, block, columns)
            if excluded:
                kept = [one not in excluded for one in fingerprints(found.clues).tolist()]
                found = found[kept]
            parts.append(found)
    return Puzzles(
        np.concatenate([part.clues for part in parts]),
        np.concatenate([part.solutions for part in parts]),
    )


def _find_columns(path: Path, header: str) -> tuple[int, int]:
    """Return where puzzles and solutions stand."""
    titles = [title.strip(' "\n').lower() for title in header.split(",")]
    found = [next((titles.index(one) for one in names if one in titles), -1) for names in _NAMES]
    if -1 in found:
        raise PuzzleFileError(
            f"{path}:1: the first line must name the columns, such as puzzle,solution or "
            f"quizzes,solutions, and is {header.strip()[:60]!r}; add that line"
        )
    return found[0], found[1]


def _parse(path: Path, lines: Sequence[tuple[int, str]], columns: tuple[int, int]) -> Puzzles:
    grids = np.empty((2, len(lines), 81), np.uint8)
    for place, (number, line) in enumerate(lines):
        cells = line.split(",")
        for grid, column in zip(grids, columns, strict=True):
            text = cells[column].strip(' "\n') if column < len(cells) else ""
            if not _GRID.fullmatch(text):
                raise _bad(path, number, f"{text[:90]!r} is no grid of 81 digits and dots")
            grid[place] = np.frombuffer(text.replace(".", "0").encode(), np.uint8) - ord("0")
    faulty = np.flatnonzero(find_faulty(*grids))
    if len(faulty):
        number = lines[faulty[0]][0]
        raise _bad(path, number, "the solution breaks a rule or changes a clue")
    return Puzzles(*grids)


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
    watched, learnt = found[:_WATCHED_OF_FILE], found[_WATCHED_OF_FILE:]
    if not len(learnt.clues):
        raise PuzzleFileError(f"{path} leaves nothing to learn; it must hold more puzzles")
    return PuzzlePools(dict.fromkeys(KINDS, learnt), dict.fromkeys(KINDS, watched))


def describe_puzzles(pools: PuzzlePools, mix: EqualMix) -> dict[str, Any]:
    """Return what tells the puzzles that are learnt from others, as JSON has it."""
    kinds = (kind for kind, share in zip(KINDS, mix.shares, strict=True) if share)
    drawn = {id(pools.train[kind]): pools.train[kind] for kind in kinds}
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
        ValueError: at the first one, if the batch does not divide 1024.
    """
    if batch < 1 or _CHUNK % batch:
        raise ValueError(f"batch must divide {_CHUNK}, got {batch}")
    first_chunk, first = divmod(skip * batch, _CHUNK)
    for chunk in itertools.count(first_chunk):
        drawn = _draw(pools.train, mix, _CHUNK, np.random.default_rng([seed, chunk]))
        for place in range(first if chunk == first_chunk else 0, _CHUNK, batch):
            yield drawn[place : place + batch]


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
