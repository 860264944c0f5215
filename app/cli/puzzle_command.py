"""`sudoku-lens puzzle`: puzzles that are written as text."""

import itertools
import json
import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial

from app.cli.command_options import PuzzleOptions
from app.puzzles.puzzle_answers import (
    BAD_PUZZLE,
    SECONDS,
    Answer,
    Answerer,
    answer_whether_unique,
    answer_with_count,
    answer_with_logic,
    answer_with_solution,
)
from app.puzzles.puzzle_texts import ReadPuzzle, find_file, gives_rules, open_puzzles
from app.recognition.solver_choice import load_chosen, load_rule_solver, needing_parts, warm_up
from app.terminal.console import say, showing_progress
from app.terminal.exit_codes import ExitCode, InputError, UsageError
from app.terminal.named_files import name_of
from solver.base import Limits
from solver.formats import KIND_FORMATS, Format, format_kind, format_puzzle, write_any
from solver.grid import Grid, GridError
from solver.layout import ALL_SIZES
from solver.rules import Kind, Rules

logger = logging.getLogger(__name__)


def answer_puzzles(source: str, options: PuzzleOptions) -> ExitCode:
    """Answer about every puzzle of a text, a file or stdin: one line for each on stdout.

    Args:
        source: the puzzle itself, the name of a file, or `-`.

    Raises:
        InputError: if the source is neither a file nor a puzzle, or holds none.
        UsageError: if there is no such solver, or the options exclude each other.
        MissingError: if the solver, or the batch engine, needs what is not installed.
    """
    if not source:
        raise UsageError("the puzzle is empty; write its 81 cells, name a file, or - for stdin")
    _refuse_contradictions(options)
    if options.bulk:
        from app.puzzles.bulk_files import solve_in_bulk

        return solve_in_bulk(
            source,
            sys.stdout.write,
            count_limit=options.count,
            seconds=options.limit_seconds,
            quiet=options.quiet or sys.stdout.isatty(),  # where the answers scroll
        ).worst
    is_told = gives_rules(source, options.rules)
    with _opening(source, options, is_told=is_told) as puzzles:
        if options.form is not None:
            return _convert(puzzles, Format(options.form))
        choose = cache(partial(_choose_answerer, options))
        choose(is_told)  # refuses before the first answer
        first = list(itertools.islice(puzzles, 2))
        is_drawn = len(first) == 1 and sys.stdout.isatty() and not options.as_json
        codes = (
            _answer_one(one, options, choose, is_drawn=is_drawn)
            for one in itertools.chain(first, puzzles)
        )
        return max(codes, default=ExitCode.SOLVED)


@contextmanager
def _opening(
    source: str, options: PuzzleOptions, *, is_told: bool
) -> Iterator[Iterator[ReadPuzzle]]:
    """Open the puzzles, with progress where they stand in a file, and refuse a source of none."""
    path = find_file(source)
    total = path.stat().st_size if path is not None else None
    is_quiet = options.quiet or path is None or is_told
    with showing_progress("bytes", total, quiet=is_quiet, prints=True) as advance:
        puzzles = open_puzzles(source, options.rules, advance)
        first = next(puzzles, None)
        if first is None:
            raise InputError(
                f"{name_of(source)} holds no puzzle; write one a line, . for an empty cell"
            )
        yield itertools.chain([first], puzzles)


def _answer_one(
    one: ReadPuzzle,
    options: PuzzleOptions,
    choose: Callable[[bool], tuple[Answerer, frozenset[int], str]],
    *,
    is_drawn: bool,
) -> ExitCode:
    puzzle, error = one.puzzle, one.error
    if puzzle is not None:
        try:
            answer, sizes, advice = choose(one.is_told)
        except UsageError as refused:  # of rules that one among lines tells
            return _refuse(one.number, GridError(str(refused)), options, is_drawn=is_drawn)
        is_told, has_shape = one.is_told, puzzle.has_shape_alone
        if (is_told and not options.rate) or (has_shape and len(puzzle.clues) in sizes):
            given = answer(puzzle.clues, puzzle.rules if is_told else None)
            return _tell(one.number, given, options, is_drawn=is_drawn)
        side, able = len(puzzle.clues), ", ".join(f"{size}×{size}" for size in sorted(sizes))
        kind = "" if has_shape else f" {puzzle.rules.kind.value}"
        error = GridError(f"{side}×{side}{kind} cannot be done, only classic {able}; {advice}")
    return _refuse(one.number, error, options, is_drawn=is_drawn)


def _choose_answerer(
    options: PuzzleOptions, are_told: bool
) -> tuple[Answerer, frozenset[int], str]:
    """Return what answers, the sizes of grids that it can do, and what to do about others."""
    if options.hint is not None or options.explain or options.rate:
        answer = partial(answer_with_logic, hint=options.hint, explain=options.explain)
        if options.rate:
            return answer, frozenset({9}), "leave --rate out"
        return answer, ALL_SIZES, ""
    seconds = SECONDS if options.limit_seconds is None else options.limit_seconds
    limits = Limits(seconds=seconds)
    if options.count not in (None, 2):
        return partial(answer_with_count, limit=options.count, limits=limits), ALL_SIZES, ""
    solver = (load_rule_solver if are_told else load_chosen)(options.solver)
    answer_one = answer_with_solution if options.count is None else answer_whether_unique
    warm: set[int] = set()

    def answer_when_warm(clues: Grid, rules: Rules | None) -> Answer:
        side = len(clues)
        with needing_parts(f"the solver {solver.name}"):
            if rules is None and side not in warm:
                warm_up(solver, side)
                warm.add(side)
            return answer_one(clues, rules, solver, limits)

    return answer_when_warm, solver.sizes, "try another --solver"


def _refuse(
    number: int, error: GridError | None, options: PuzzleOptions, *, is_drawn: bool
) -> ExitCode:
    say(str(error) if is_drawn else f"line {number}: {error}")
    fields = {"line": number, "outcome": BAD_PUZZLE, "error": str(error)}
    _print(json.dumps(fields) if options.as_json else BAD_PUZZLE)
    return ExitCode.BAD_INPUT


def _tell(number: int, given: Answer, options: PuzzleOptions, *, is_drawn: bool) -> ExitCode:
    logger.info("line %d: %s %s", number, given.text, given.remark)
    if options.as_json:
        _print(json.dumps({"line": number, **given.fields}))
    else:
        _print(given.drawn if is_drawn else given.text)
    if is_drawn and given.remark and not options.quiet:
        say(given.remark)
    return given.code


def _convert(puzzles: Iterator[ReadPuzzle], form: Format) -> ExitCode:
    """Write the puzzles in another format; bad ones are told about and left out."""
    worst = ExitCode.SOLVED

    def classic() -> Iterator[Grid]:
        nonlocal worst
        for one in puzzles:
            try:
                clues = _print_told(one, form)
            except GridError as error:
                say(f"line {one.number}: {error}")
                worst = ExitCode.BAD_INPUT
            else:
                if clues is not None:
                    yield clues

    for line in write_any(classic(), form):
        _print(line)
    return worst


def _print_told(one: ReadPuzzle, form: Format) -> Grid | None:
    """Write a puzzle whose rules are told, or return the clues of another, which are to be written.

    Raises:
        GridError: if there is no puzzle, or the format does not have its size or kind.
    """
    puzzle = one.puzzle
    if puzzle is None:
        raise one.error or GridError("the line holds no puzzle")
    if not puzzle.has_shape_alone or (one.is_told and form in KIND_FORMATS):
        _print(format_kind(puzzle, form))
        return None
    if len(puzzle.clues) != 9:  # which all formats have
        format_puzzle(puzzle.clues, form)
    return puzzle.clues


def _refuse_contradictions(options: PuzzleOptions) -> None:
    wishes = {
        "--hint": options.hint is not None,
        "--explain": options.explain,
        "--rate": options.rate,
        "--count": options.count is not None,
        "--format": options.form is not None,
    }
    wanted = [name for name, is_wanted in wishes.items() if is_wanted]
    if len(wanted) > 1:
        raise UsageError(f"{' and '.join(wanted)} exclude each other; choose one")
    if options.rate and options.rules.kind not in (None, Kind.CLASSIC.value):
        raise UsageError("ratings are for classic puzzles; leave --rate out")
    if options.bulk and options.rules.is_any:
        raise UsageError("--bulk solves classic puzzles only; leave it out, or the kind")
    if options.bulk and (wanted not in ([], ["--count"]) or options.solver or options.as_json):
        raise UsageError("--bulk solves or counts, by an engine of its own and without --json")
    if options.solver and wanted and (wanted != ["--count"] or options.count != 2):
        raise UsageError(f"{wanted[0]} goes its own way here; leave --solver out")
    if options.limit_seconds is not None and wanted not in ([], ["--count"]):
        raise UsageError(f"{wanted[0]} takes the time it needs; leave --limit-seconds out")
    if options.form is not None and options.as_json:
        raise UsageError("--format writes its own form; leave --json out")


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")
