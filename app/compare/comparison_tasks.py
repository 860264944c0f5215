"""Which solver tries which puzzle: files read, a sample drawn, and the order of the work."""

import itertools
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from app.compare.solve_records import Task, tells_kind
from app.puzzles.kind_answers import KindWishes, open_kinds, tells_rules
from app.terminal.console import say
from app.terminal.exits import InputError
from app.terminal.named_files import read_lines
from solver.base import Solver
from solver.formats import find_kind, read_any
from solver.formats_kinds import KindPuzzle, format_kind_puzzle
from solver.grid import GridError, format_grid
from solver.registry import RULE_SOLVERS

_RATING: Final = re.compile(r"\d{1,2}\.\d{1,2}")
_COLUMN_ENDS: Final = re.compile(r"[,;]")


@dataclass(frozen=True)
class FilePuzzle:
    """A puzzle of a file; see `app.compare.solve_records.Task`.

    Attributes:
        file: name of the file; see `name_files`.
        line: from 1.
        clues: on one line; of other kinds a JSON object with the rules.
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

    @property
    def is_classic(self) -> bool:
        """Whether solvers need no more than the grid."""
        return not tells_kind(self.clues)

    def fits(self, solver: Solver) -> bool:
        """Tell whether a solver can do this size, or knows other rules."""
        return self.side in solver.sizes if self.is_classic else solver.name in RULE_SOLVERS


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
    found = _read_file(path)
    good = [puzzle for puzzle in found if puzzle is not None]
    if len(good) < len(found):
        say(f"{path}: {len(found) - len(good)} lines hold no puzzle and are left out")
    if not good:
        raise InputError(f"{path} holds no puzzle; write one a line, . for an empty cell")
    if sample is not None and sample < len(good):
        # The name keeps files of one length from giving the same lines.
        chosen = random.Random(f"{seed} {path.name}").sample(range(len(good)), sample)
        good = [good[index] for index in sorted(chosen)]
    return [replace(puzzle, file=name or path.name) for puzzle in good]


def _read_file(path: Path) -> list[FilePuzzle | None]:
    """Return the puzzles of a file of any format, None for lines that hold none."""
    if tells_rules(str(path), KindWishes()):
        return [
            None if line.puzzle is None else _of_kind(line.number, line.puzzle)
            for line in open_kinds(str(path), KindWishes())
        ]
    lines = list(read_lines(path))
    try:
        found = list(read_any(lines, path.suffix))
    except GridError as error:
        raise InputError(f"{path}: {error}") from error
    puzzles: list[FilePuzzle | None] = []
    for puzzle in found:
        kind = find_kind(puzzle)
        if kind is not None:
            puzzles.append(_of_kind(puzzle.number, kind))
        elif puzzle.grid is None:
            puzzles.append(None)
        else:
            grid, rating = puzzle.grid, _read_rating(lines[puzzle.number - 1])
            n_clues = int((grid > 0).sum())
            clues = format_grid(grid)
            puzzles.append(FilePuzzle("", puzzle.number, clues, n_clues, len(grid), rating))
    return puzzles


def _of_kind(line: int, puzzle: KindPuzzle) -> FilePuzzle:
    rules, n_clues = puzzle.rules, int((puzzle.clues > 0).sum())
    if puzzle.has_shape_alone:
        return FilePuzzle("", line, format_grid(puzzle.clues), n_clues, rules.side, None)
    text = format_kind_puzzle(replace(puzzle, solution=None))
    return FilePuzzle("", line, text, n_clues, rules.side, None)


def order_tasks(files: Sequence[Sequence[FilePuzzle]], solvers: Sequence[Solver]) -> list[Task]:
    """Pair puzzles with the solvers that can do their size and kind.

    All solvers try a puzzle before the next one comes, and the files take turns, so that a run
    which is stopped early has compared all solvers on a little of everything.
    """
    turns = itertools.chain.from_iterable(itertools.zip_longest(*files))
    return [
        Task(solver.name, puzzle.file, puzzle.line, puzzle.clues, puzzle.n_clues, puzzle.rating)
        for puzzle in turns
        if puzzle is not None
        for solver in solvers
        if puzzle.fits(solver)
    ]


def _read_rating(line: str) -> float | None:
    """Return the rating that stands behind a puzzle on its line, if there is one."""
    columns = (column.strip() for column in _COLUMN_ENDS.split(line)[1:])
    return next((float(text) for text in columns if _RATING.fullmatch(text)), None)
