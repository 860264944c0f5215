"""Puzzles of other kinds than the classic ones as `sudoku-lens puzzle` takes and answers them."""

import math
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from io import BufferedReader
from typing import Final

from app.puzzles.puzzle_answers import COUNTED, SOLUTIONS, Answer, format_count
from app.puzzles.typed_puzzles import STDIN, find_file, name_of
from app.recognition.outcome import Outcome
from app.terminal.exits import ExitCode, InputError, UsageError
from app.terminal.named_files import open_stdin, read_lines
from solver.base import Limits, RuleSolver, Status
from solver.exact.bitmask import search
from solver.formats_kinds import (
    KindPuzzle,
    draw_kind,
    format_cells,
    format_kind_fields,
    parse_boxes,
    parse_kind_puzzle,
)
from solver.grid import GridError
from solver.layout import LAYOUTS, USUAL_BOXES
from solver.rules import Kind
from solver.signs import EMPTY_SIGNS, SIGNS

_HEAD_BYTES: Final = 256


@dataclass(frozen=True)
class KindWishes:
    """What the command line tells about the rules of the puzzles.

    Attributes:
        kind: name of the kind, or None.
        regions: characters that name the region of each cell, or None.
        cages: JSON, or None.
        box: rows and columns of a box, such as 3x2, or None.
    """

    kind: str | None = None
    regions: str | None = None
    cages: str | None = None
    box: str | None = None

    @property
    def is_any(self) -> bool:
        """Whether anything is told."""
        return any(wish is not None for wish in (self.kind, self.regions, self.cages, self.box))


@dataclass(frozen=True, eq=False)
class KindLine:
    """One puzzle of a text: either it and its rules, or the reason why there is none.

    Attributes:
        number: line where it begins, from 1.
        puzzle: None for a bad one.
        error: what is wrong with a bad one, or None.
    """

    number: int
    puzzle: KindPuzzle | None
    error: GridError | None


def tells_rules(source: str, wishes: KindWishes) -> bool:
    """Return whether the rules are told: by an option, a JSON object, or a side that needs them."""
    if wishes.is_any:
        return True
    if source == STDIN:
        stdin = open_stdin()
        return isinstance(stdin, BufferedReader) and _begins_object(stdin.peek(_HEAD_BYTES))
    path = find_file(source)
    if path is None:
        signs = set(source.upper().split()[0]) if len(source.split()) == 1 else set()
        is_cells = bool(signs) and signs <= EMPTY_SIGNS | set(SIGNS)
        other_sizes = {side**2 for side in USUAL_BOXES.keys() - LAYOUTS.keys()}
        return source.lstrip().startswith("{") or (is_cells and len(source.strip()) in other_sizes)
    try:
        with path.open("rb") as file:
            return _begins_object(file.read(_HEAD_BYTES))
    except OSError:
        return False  # whoever reads the file tells what is wrong with it


def open_kinds(source: str, wishes: KindWishes) -> Iterator[KindLine]:
    """Read puzzles whose rules are told: one a line, or a text that is a single one.

    Raises:
        InputError: if the source holds no puzzle.
        UsageError: if the boxes that were wished for are none.
    """
    kind = None if wishes.kind is None else Kind(wishes.kind)
    try:
        boxes = None if wishes.box is None else parse_boxes(wishes.box)
    except GridError as error:
        raise UsageError(str(error)) from error
    n_puzzles = 0
    for number, text in _split(source):
        n_puzzles += 1
        try:
            puzzle = parse_kind_puzzle(text, kind, wishes.regions, wishes.cages, boxes)
            yield KindLine(number, puzzle, None)
        except GridError as error:
            yield KindLine(number, None, error)
    if not n_puzzles:
        raise InputError(f"{name_of(source)} holds no puzzle; write one a line")


def answer_with_kind(puzzle: KindPuzzle, solver: RuleSolver, limits: Limits) -> Answer:
    """Answer with the one solution, or with the reason why there is none to show."""
    rules = puzzle.rules
    start = time.perf_counter()
    result = solver.solve(puzzle.clues, limits, rules)
    seconds = time.perf_counter() - start
    outcome = Outcome.of(result.status)
    solution = None if result.solution is None else format_cells(rules, result.solution)
    is_bold = sys.stdout.isatty()
    return Answer(
        ExitCode.SOLVED if outcome is Outcome.SOLVED else ExitCode.NOT_SOLVED,
        solution or outcome.value,
        outcome.value
        if result.solution is None
        else draw_kind(rules, result.solution, puzzle.clues if is_bold else None),
        f"{outcome.sentence} ({1000 * seconds:.1f} ms)",
        {
            "outcome": outcome.value,
            **format_kind_fields(puzzle),
            "solution": solution,
            "examples": [format_cells(rules, example) for example in result.examples],
            "solver": solver.name,
            "seconds": round(seconds, 6),
            "nodes": result.effort.nodes,
            "guesses": result.effort.guesses,
            "iterations": result.effort.iterations,
            "passes": result.effort.passes,
            "note": result.note,
        },
    )


def answer_with_kind_count(
    puzzle: KindPuzzle, limit: int, solver: RuleSolver, limits: Limits
) -> Answer:
    """Answer with the number of solutions up to a limit; a plus sign shows that there may be more.

    Args:
        puzzle: with its rules.
        limit: at least 1.
        solver: counts where the limit is 2, which is what every solver decides.
        limits: of these, seconds is heeded beyond.
    """
    if limit == 2:
        status = solver.solve(puzzle.clues, limits, puzzle.rules).status
        found = SOLUTIONS.get(status, 0)
        is_over = status is not Status.GAVE_UP
        is_all = is_over and found < 2
    else:
        end = time.perf_counter() + (math.inf if limits.seconds is None else limits.seconds)
        counted = search(
            puzzle.clues.ravel().tolist(),
            limit,
            lambda _: time.perf_counter() < end,
            keep=0,
            rules=puzzle.rules,
        )
        found, is_all = counted.found, counted.is_exhaustive
        is_over = is_all or found == limit
    text = format_count(found, is_over=is_over, is_all=is_all)
    fields = {
        "outcome": COUNTED if is_over else Outcome.GAVE_UP.value,
        **format_kind_fields(puzzle),
        "solutions": found,
        "is_all": is_all,
    }
    remark = "" if is_over else "the time was over; allow more with --limit-seconds"
    return Answer(ExitCode.SOLVED if is_over else ExitCode.NOT_SOLVED, text, text, remark, fields)


def _begins_object(head: bytes) -> bool:
    return head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{")


def _split(source: str) -> Iterator[tuple[int, str]]:
    """Yield the texts of puzzles, and the lines where they begin."""
    path = None if source == STDIN else find_file(source)
    if path is None and source != STDIN:
        yield 1, source
        return
    lines = [
        (number, text)
        for number, line in enumerate(read_lines(path), start=1)
        if (text := line.strip("\ufeff \t\r\n")) and not text.startswith("#")
    ]
    all_sizes = {side**2 for side in USUAL_BOXES} | {15**2, 21**2}
    if all(text.startswith("{") or len(text) in all_sizes for _, text in lines):
        yield from lines
    else:
        yield lines[0][0], "\n".join(text for _, text in lines)
