"""`sudoku-lens puzzle --bulk`: files of millions, a batch of lines at a time, within a time limit.

One puzzle a line, 9×9. Every solution is checked against the rules and its clues before it is
printed, as everywhere.
"""

import itertools
import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
import numpy.typing as npt

from app.puzzles.puzzle_answers import BAD_PUZZLE, SECONDS, format_count
from app.puzzles.puzzle_texts import find_file, refuse_missing_file
from app.recognition.outcome import Outcome
from app.recognition.solver_choice import needing_parts, warm_up
from app.terminal.console import say, showing_progress
from app.terminal.exit_codes import ExitCode, InputError
from app.terminal.named_files import STDIN, name_of, read_lines
from solver.charset import EMPTY_CHARS
from solver.exact.bulk.bulk_solver import BulkSolver, find_faulty, load_kernels, solve_batch
from solver.formats import tells_rules
from solver.grid import Grid, GridError, read_line, read_puzzles

_LINES_PER_BATCH: Final = 20_000
_SOLUTIONS_PER_BATCH: Final = 2_000_000
"""Fewer lines at a time where many solutions are counted: Ctrl-C waits for a batch to end, which
takes half a second at most."""
_MOST_COUNTED_AT_ONCE: Final = 10_000
"""Counts beyond go in slices, as a single one may take longer than anybody waits."""
_NODES_AT_ONCE: Final = 100_000
"""Puzzles that take more go in slices, too: a tenth of a second, where the hardest that are known
take a thousand nodes."""
_NODES_PER_LOOK: Final = 100_000
"""Nodes between two looks at the clock, about 13 ms."""

_LINES_PER_PATIENT_BATCH: Final = 200
"""What is found is printed when a batch ends, which may be late where each puzzle takes long."""

_ENDS: Final = frozenset({"", ",", ";", " ", "\t"})
"""What may stand behind a puzzle on its line."""

_MOST_MESSAGES: Final = 20
_UNKNOWN: Final = 255
_DIGIT_OF: Final = np.full(256, _UNKNOWN, np.uint8)
_DIGIT_OF[[ord(sign) for sign in EMPTY_CHARS if sign.isascii()]] = 0
_DIGIT_OF[ord("1") : ord("9") + 1] = range(1, 10)

_Puzzles = npt.NDArray[np.uint8]
"""(n, 81) uint8, digits 1..9, 0 = empty."""

Write = Callable[[str], object]
"""Takes lines of answers, whole ones."""


@dataclass(frozen=True, eq=False)
class _Answers:
    """What was found, one entry a puzzle: solutions up to the limit, and the first, or zeros.

    `is_over` tells whether the search came to its end, or to the limit of solutions.
    """

    counts: npt.NDArray[np.int64]
    solutions: npt.NDArray[np.uint8]
    is_over: npt.NDArray[np.bool_]

    def put(self, indices: npt.NDArray[np.intp], answers: "_Answers") -> None:
        self.counts[indices] = answers.counts
        self.solutions[indices] = answers.solutions
        self.is_over[indices] = answers.is_over


@dataclass
class BulkCounts:
    """What became of the puzzles of a file: how many they are, how many solved, how badly.

    Attributes:
        name: of the file, where messages need it.
        bad: lines that hold no puzzle.
    """

    name: str = ""
    puzzles: int = 0
    solved: int = 0
    bad: int = 0
    worst: ExitCode = ExitCode.SOLVED

    def note_bad(self, number: int, error: GridError) -> None:
        """Tell of a line that holds no puzzle; of very many only the first."""
        self.bad += 1
        self.worst = ExitCode.BAD_INPUT
        place = f"{self.name}: " if self.name else ""
        if self.bad <= _MOST_MESSAGES:
            say(f"{place}line {number}: {error}")
        if self.bad == _MOST_MESSAGES:
            say(f"{place}further bad lines are only counted")


def solve_in_bulk(
    source: str,
    write: Write,
    *,
    count_limit: int | None = None,
    seconds: float | None = None,
    quiet: bool,
    name: str = "",
) -> BulkCounts:
    """Solve or count every puzzle of a text, a file or stdin, and write a line for each.

    Without seconds each puzzle has `SECONDS`, and is quicker than with as many named. Without a
    limit nothing is counted. Messages about one of several files need its name.

    Raises:
        InputError: if there is no such file, or it holds no puzzle.
        MissingError: if the engine's package is not installed.
    """
    path = find_file(source)
    is_text = path is None and source != STDIN
    if is_text:
        refuse_missing_file(source)
    with needing_parts("--bulk"):
        load_kernels()
    solve, lines_per_batch = _choose_engine(count_limit or 2, seconds)
    tally = BulkCounts(name)
    total = path.stat().st_size if path is not None else None
    with showing_progress("bytes", total, quiet=quiet or path is None) as advance:
        lines = iter([source]) if is_text else read_lines(path, advance)
        for puzzles, is_bad in _read_batches(lines, tally, lines_per_batch):
            write(_answer(puzzles, is_bad, solve(puzzles), count_limit, tally))
    if not tally.puzzles:
        raise InputError(
            f"{name or name_of(source)} holds no puzzle; write one a line, . for an empty cell"
        )
    if tally.bad > _MOST_MESSAGES:
        say(f"{name or name_of(source)}: {tally.bad:,} lines hold no puzzle")
    return tally


def _choose_engine(limit: int, seconds: float | None) -> tuple[Callable[[_Puzzles], _Answers], int]:
    """Return what finds up to so many solutions of each puzzle, and for how many at a time."""
    threads = os.cpu_count() or 1
    end = SECONDS if seconds is None else seconds
    patient = partial(solve_in_slices, limit=limit, seconds=end, threads=threads)
    if seconds is not None or limit > _MOST_COUNTED_AT_ONCE:
        warm_up(BulkSolver(), 9)
        return patient, _LINES_PER_PATIENT_BATCH

    def solve(puzzles: _Puzzles) -> _Answers:
        batch = solve_batch(puzzles, limit, threads, most_nodes=_NODES_AT_ONCE)
        is_over = batch.counts >= 0
        found = _Answers(batch.counts.astype(np.int64), batch.solutions, is_over)
        left = np.flatnonzero(~is_over)
        if len(left):
            found.put(left, patient(puzzles[left]))
        return found

    return solve, min(_SOLUTIONS_PER_BATCH // limit, _LINES_PER_BATCH)


def _read_batches(
    lines: Iterator[str], tally: BulkCounts, lines_per_batch: int
) -> Iterator[tuple[_Puzzles, npt.NDArray[np.bool_]]]:
    """Yield puzzles, and which of them are bad and blank instead."""
    numbered = _skip_header(enumerate(lines, start=1))
    while chunk := list(itertools.islice(numbered, lines_per_batch)):
        texts = [(number, line.strip()) for number, line in chunk if not _is_skipped(line)]
        if not texts:
            continue
        puzzles, is_bad = _parse_quickly([text for _, text in texts])
        for index in np.flatnonzero(is_bad):
            number, text = texts[index]
            try:
                puzzles[index] = _parse_slowly(text).ravel()
                is_bad[index] = False
            except GridError as error:
                tally.note_bad(number, error)
        tally.puzzles += len(texts)
        yield puzzles, is_bad


def _skip_header(numbered: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Drop what stands before the first puzzle: comments, and a header like `puzzle,solution`."""
    content = itertools.dropwhile(lambda item: _is_skipped(item[1]), numbered)
    first = next(content, None)
    if first is None:
        return iter(())
    name = first[1].removeprefix("\ufeff").strip().replace(";", ",").split(",")[0].replace("_", "")
    return content if name.isalpha() and len(name) < 16 else itertools.chain([first], content)


def _is_skipped(line: str) -> bool:
    text = line.strip("\ufeff \t\r\n")
    return not text or text.startswith("#")


def _parse_quickly(texts: list[str]) -> tuple[_Puzzles, npt.NDArray[np.bool_]]:
    """Read lines that begin with 81 plain signs, all at once, and mark the others."""
    blank = "?" * 81
    fits = [len(text) >= 81 and text[81:82] in _ENDS and text.isascii() for text in texts]
    joined = "".join(text[:81] if fit else blank for text, fit in zip(texts, fits, strict=True))
    puzzles = _DIGIT_OF[np.frombuffer(joined.encode(), np.uint8)].reshape(-1, 81)
    is_bad = ~np.array(fits) | (puzzles == _UNKNOWN).any(axis=1)
    # Two equal digits in a row, which the engine is done with at once.
    puzzles[is_bad] = 1
    return puzzles, is_bad


def _parse_slowly(text: str) -> Grid:
    what = "links and JSON"
    if not tells_rules(text):
        # What stands alone and could be a header is no line of `read_puzzles`.
        found = next(read_puzzles([text]), None) or read_line(1, text)
        if found.grid is None:
            raise found.error or GridError("the line holds no puzzle")
        if found.grid.shape == (9, 9):
            return found.grid
        what = f"{len(found.grid)}×{len(found.grid)}"
    raise GridError(f"lines of 81 cells are solved in bulk, not {what}; see sudoku-lens puzzle")


def _answer(
    puzzles: _Puzzles,
    is_bad: npt.NDArray[np.bool_],
    found: _Answers,
    count_limit: int | None,
    tally: BulkCounts,
) -> str:
    if count_limit is not None:
        texts = [
            format_count(count, is_over=is_over, is_all=is_over and count < count_limit)
            for count, is_over in zip(found.counts.tolist(), found.is_over.tolist(), strict=True)
        ]
        if not found.is_over.all():
            tally.worst = max(tally.worst, ExitCode.NOT_SOLVED)
    else:
        is_solved = (found.counts == 1) & found.is_over & ~is_bad
        is_solved &= ~find_faulty(puzzles, found.solutions)
        rows = np.full((len(puzzles), 82), ord("\n"), np.uint8)
        rows[:, :81] = found.solutions + ord("0")
        tally.solved += int(is_solved.sum())
        if is_solved.all():
            return rows.tobytes().decode()
        tally.worst = max(tally.worst, ExitCode.NOT_SOLVED)
        texts = rows.tobytes().decode().splitlines()
        for index in np.flatnonzero(~is_solved):
            is_over = bool(found.is_over[index])
            texts[index] = _name_outcome(int(found.counts[index]), is_over=is_over)
    for index in np.flatnonzero(is_bad):
        texts[index] = BAD_PUZZLE
    return "\n".join([*texts, ""])


def _name_outcome(count: int, *, is_over: bool) -> str:
    if not is_over:
        return Outcome.GAVE_UP.value
    # One solution that failed the check would be the engine's fault, and is not shown.
    outcomes = {0: Outcome.NO_SOLUTION, 1: Outcome.GAVE_UP}
    return outcomes.get(count, Outcome.AMBIGUOUS).value


def solve_in_slices(
    puzzles: _Puzzles,
    limit: int,
    *,
    seconds: float | None,
    threads: int,
    clock: Callable[[], float] = time.perf_counter,
) -> _Answers:
    """Do what `solver.exact.bulk.bulk_solver.solve_batch` does, with an end to each puzzle.

    Args:
        puzzles: (n, 81) uint8 digits in reading order, 0 = empty.
        limit: number of solutions after which to stop, at least 1.
        seconds: how long a puzzle may take; None is no limit.

    Raises:
        MissingPackageError: where numba is not installed.
    """
    kernels = load_kernels()
    n = len(puzzles)
    found = _Answers(np.zeros(n, np.int64), np.zeros((n, 81), np.uint8), np.zeros(n, np.bool_))
    # Threads cannot be interrupted, so that they have to be told.
    is_interrupted = threading.Event()

    def solve(index: int) -> None:
        try:
            search_one(index)
        except BaseException:
            is_interrupted.set()
            raise

    def search_one(index: int) -> None:
        memory = kernels.make_memory()
        kernels.begin(memory, puzzles[index])
        end = float("inf") if seconds is None else clock() + seconds
        budget = 0
        while not is_interrupted.is_set() and clock() < end:
            budget += _NODES_PER_LOOK
            first = found.solutions[index : index + 1]
            if kernels.search(memory, limit, np.uint64(budget), first):
                found.is_over[index] = True
                break
        found.counts[index] = memory.progress[kernels.FOUND]

    with ThreadPoolExecutor(threads) as pool:
        try:
            list(pool.map(solve, range(n)))
        except BaseException:
            is_interrupted.set()
            raise
    return found
