"""Which solver tries which puzzle: files read, a sample drawn, and the order of the work."""

import itertools
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.compare.solve_records import Task
from app.terminal.console import say
from app.terminal.exits import InputError
from app.terminal.text_input import read_lines
from solver.base import Solver
from solver.formats import read_any
from solver.grid import GridError, format_grid

_RATING: Final = re.compile(r"\d{1,2}\.\d{1,2}")
_COLUMN_ENDS: Final = re.compile(r"[,;]")


@dataclass(frozen=True)
class FilePuzzle:
    """A puzzle of a file; see `app.compare.solve_records.Task`.

    Attributes:
        file: name of the file; see `name_files`.
        line: from 1.
        clues: on one line.
        n_clues: how many cells are given.
        side: number of digits.
        rating: the file's, or None.
    """

    file: str
    line: int
    clues: str
    n_clues: int
    side: int
    rating: float | None


def name_files(paths: Sequence[Path]) -> list[str]:
    """Name different files by as much of the end of their paths as tells them apart.

    The whole path would be another one where the folder has moved, and a run could not go on.
    """
    names = []
    whole = [path.absolute().parts for path in paths]
    for own in whole:
        others = [parts for parts in whole if parts != own]
        length = 1
        while any(parts[-length:] == own[-length:] for parts in others) and length < len(own):
            length += 1
        names.append("/".join(own[-length:]))
    return names


def load_puzzles(
    path: Path, sample: int | None, seed: int, name: str | None = None
) -> list[FilePuzzle]:
    """Read a file's puzzles, in any format; a further column may hold a rating.

    Args:
        path: of the file.
        sample: how many to draw at random, in the file's order; None takes all.
        seed: of the draw.
        name: what the file is called; None is its name without folders.

    Raises:
        InputError: if the file cannot be read or holds no puzzle.
    """
    lines = list(read_lines(path))
    try:
        found = list(read_any(lines, path.suffix))
    except GridError as error:
        raise InputError(f"{path}: {error}") from error
    good = [(puzzle.number, puzzle.grid) for puzzle in found if puzzle.grid is not None]
    if len(good) < len(found):
        say(f"{path}: {len(found) - len(good)} lines hold no puzzle and are left out")
    if not good:
        raise InputError(f"{path} holds no puzzle; write one a line, . for an empty cell")
    if sample is not None and sample < len(good):
        # The name keeps files of one length from giving the same lines.
        chosen = random.Random(f"{seed} {path.name}").sample(range(len(good)), sample)
        good = [good[index] for index in sorted(chosen)]
    puzzles = []
    for number, grid in good:
        clues = format_grid(grid)
        rating = _read_rating(lines[number - 1])
        n_clues, side = int((grid > 0).sum()), len(grid)
        puzzles.append(FilePuzzle(name or path.name, number, clues, n_clues, side, rating))
    return puzzles


def order_tasks(files: Sequence[Sequence[FilePuzzle]], solvers: Sequence[Solver]) -> list[Task]:
    """Pair puzzles with the solvers that can do their size.

    All solvers try a puzzle before the next one comes, and the files take turns, so that a run
    which is stopped early has compared all solvers on a little of everything.
    """
    turns = itertools.chain.from_iterable(itertools.zip_longest(*files))
    return [
        Task(solver.name, puzzle.file, puzzle.line, puzzle.clues, puzzle.n_clues, puzzle.rating)
        for puzzle in turns
        if puzzle is not None
        for solver in solvers
        if puzzle.side in solver.sizes
    ]


def _read_rating(line: str) -> float | None:
    """Return the rating that stands behind a puzzle on its line, if there is one."""
    columns = (column.strip() for column in _COLUMN_ENDS.split(line)[1:])
    return next((float(text) for text in columns if _RATING.fullmatch(text)), None)
