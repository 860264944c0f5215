"""`sudoku-lens compare`: solvers side by side on files of puzzles."""

import logging
import sys
from collections.abc import Sequence
from contextlib import closing, nullcontext
from pathlib import Path

from app.cli.command_options import CompareOptions
from app.compare.comparison_run import (
    load_fair,
    load_puzzles,
    load_warm,
    name_files,
    order_tasks,
    run_tasks,
)
from app.compare.comparison_table import check_plots_possible, format_tables, save_plots
from app.compare.solve_records import (
    Solve,
    Task,
    Verdict,
    appending_to,
    key_of,
    load_solves,
    names_kind,
)
from app.puzzles.puzzle_texts import find_file
from app.recognition.solver_choice import choose_solver, needing_parts
from app.terminal.console import printable_lines, say, showing_progress
from app.terminal.exit_codes import (
    ExitCode,
    InputError,
    MissingError,
    UsageError,
    stopping_on_signals,
)
from app.terminal.named_files import check_folder
from app.workers.child_process import Talk
from models.engine import EngineError
from solver.base import Solver
from solver.registry import RULE_SOLVERS, solver_names

logger = logging.getLogger(__name__)


def compare_solvers(files: Sequence[str], options: CompareOptions) -> ExitCode:
    """Let solvers try puzzles, print the tables, and keep every solve in a CSV file if wanted.

    Solves that the CSV file holds already, under the same limits, are not repeated. A run that is
    ended early gives up the solves in hand, and prints the tables of what it has.

    Returns:
        SOLVED, also where solvers gave up, as that is what is measured; NOT_SOLVED if a solver
        claimed what is not so; INTERRUPTED or TERMINATED if it was ended early.

    Raises:
        InputError: if a file cannot be read.
        UsageError: if there is no such solver, or an output cannot be written.
        MissingError: if a solver that was named, or plotting, needs what is not installed.
    """
    if options.plots is not None:
        check_plots_possible()
        check_folder(options.plots)
    for name in options.solvers or ():
        choose_solver(name)  # refuses before the work
    paths = _paths_of(files)
    puzzles = [
        load_puzzles(path, options.sample, options.seed, name)
        for path, name in zip(paths, name_files(paths), strict=True)
    ]
    solvers = _load_solvers(options, puzzles)
    tasks = order_tasks(puzzles, solvers)
    if not tasks:
        raise UsageError("none of these solvers can do puzzles of this size or kind; choose others")
    kept = {solve.key: solve for solve in load_solves(options.csv)} if options.csv else {}
    keys = [key_of(task, options.limits) for task in tasks]
    solves = [kept[key] for key in keys if key in kept]
    left = [task for task, key in zip(tasks, keys, strict=True) if key not in kept]
    if solves and not options.quiet:
        say(f"{len(solves):,} of {len(tasks):,} solves are in {options.csv} already")
    journal = appending_to(options.csv) if options.csv else nullcontext(lambda _: None)
    progress = showing_progress("solves", len(left), quiet=options.quiet)
    talk = Talk(options.verbose, options.quiet)
    # The weights may go while the processes work.
    with (
        stopping_on_signals() as stop,
        needing_parts("one of the solvers"),
        journal as keep,
        progress as advance,
        closing(run_tasks(left, options.limits, options.jobs, stop, talk)) as done,
    ):
        for solve in done:
            keep(solve)
            solves.append(solve)
            advance(1)
            logger.info("%s line %d: %s %s", solve.file, solve.line, solve.solver, solve.status)
    if stop.code is not None:
        return _end_early(solves, len(tasks), options, stop.code)
    sys.stdout.write(f"{printable_lines(format_tables(solves))}\n")
    if options.plots is not None:
        for path in save_plots(solves, options.plots):
            say(f"wrote {path}")
    return _report_wrong(solves)


def _end_early(
    solves: Sequence[Solve], total: int, options: CompareOptions, code: ExitCode
) -> ExitCode:
    if not options.quiet:
        advice = "name a --csv file to go on from" if options.csv is None else "run it again"
        say(f"ended after {len(solves):,} of {total:,} solves; {advice} for the others")
    if solves:
        sys.stdout.write(f"{printable_lines(format_tables(solves))}\n")
    _report_wrong(solves)
    return code


def _load_solvers(options: CompareOptions, puzzles: Sequence[Sequence[Task]]) -> list[Solver]:
    names = list(dict.fromkeys(options.solvers or solver_names()))
    are_classic = {not names_kind(puzzle.clues) for file in puzzles for puzzle in file}
    unable = [name for name in names if name not in RULE_SOLVERS]
    if False in are_classic and unable:
        say(f"puzzles of other kinds are left out by {', '.join(unable)}: they know classic ones")
    if True not in are_classic:
        names = [name for name in names if name in RULE_SOLVERS]
    solvers = []
    for name in names:
        try:
            solver = load_fair(choose_solver(name))
            # Compiled once here and kept on the disk, not by each process anew; and here a solver
            # finds whether its network can be run.
            load_warm(name, max(solver.sizes & {9}, default=min(solver.sizes)))
        except (ImportError, EngineError) as error:
            if options.solvers:
                raise MissingError(f"the solver {name} cannot be used: {error}") from error
            say(f"{name} is left out: {error}")
            continue
        solvers.append(solver)
    return solvers


def _paths_of(names: Sequence[str]) -> list[Path]:
    """Return the files, each once although it may be named twice."""
    paths: dict[Path, Path] = {}
    for name in names:
        path = find_file(name)
        if path is None:
            raise InputError(f"there is no file {name}; name files of puzzles, one a line")
        paths.setdefault(path.resolve(), path)
    return list(paths.values())


def _report_wrong(solves: Sequence[Solve]) -> ExitCode:
    wrong = [solve for solve in solves if solve.verdict is Verdict.WRONG]
    for solve in wrong:
        say(f"wrong: {solve.solver} says {solve.status} of {solve.clues}")
    return ExitCode.NOT_SOLVED if wrong else ExitCode.SOLVED
