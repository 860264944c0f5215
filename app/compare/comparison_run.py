"""Which solver tries which puzzle: the work of a comparison, in processes, every claim judged."""

import itertools
import math
import random
import re
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future
from contextlib import closing
from dataclasses import fields, is_dataclass, replace
from functools import cache, partial
from math import isqrt
from pathlib import Path
from typing import Final

import numpy as np

from app.compare.solve_records import Solve, Task, Verdict, names_kind
from app.puzzles.puzzle_answers import solve
from app.puzzles.puzzle_texts import open_puzzles
from app.recognition.outcome import Outcome
from app.recognition.solver_choice import warm_up
from app.terminal.console import say
from app.terminal.exit_codes import InputError, MissingError
from app.terminal.named_files import read_lines
from app.workers.child_process import Talk, Tell, Work
from app.workers.worker_pool import LostTaskError, PoolOptions, WorkerPool
from models.engine import EngineError
from solver.base import Limits, Result, Solver, Status
from solver.formats_kinds import KindPuzzle, format_kind_puzzle, parse_kind_puzzle
from solver.grid import Grid, format_grid, parse_grid
from solver.registry import RULE_SOLVERS, load_solver
from solver.rules import Kind, Rules, box_rules, check_rules

_RATING: Final = re.compile(r"\d{1,2}\.\d{1,2}")
_COLUMN_ENDS: Final = re.compile(r"[,;]")


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


def load_puzzles(path: Path, sample: int | None, seed: int, name: str | None = None) -> list[Task]:
    """Read a file's puzzles, in any format, for no solver yet; a further column may hold a rating.

    Args:
        sample: how many to draw at random, in the file's order; None takes all.

    Raises:
        InputError: if the file cannot be read or holds no puzzle.
    """
    found = _read_file(path, name or path.name)
    good = [puzzle for puzzle in found if puzzle is not None]
    if len(good) < len(found):
        say(f"{path}: {len(found) - len(good)} lines hold no puzzle and are left out")
    if not good:
        raise InputError(f"{path} holds no puzzle; write one a line, . for an empty cell")
    if sample is not None and sample < len(good):
        # The name keeps files of one length from giving the same lines.
        chosen = random.Random(f"{seed} {path.name}").sample(range(len(good)), sample)
        good = [good[index] for index in sorted(chosen)]
    return good


def _read_file(path: Path, name: str) -> list[Task | None]:
    """Return the puzzles of a file of any format, None for lines that hold none."""
    lines = list(read_lines(path))
    return [
        None
        if one.puzzle is None
        else _task_of(
            one.puzzle,
            name,
            one.number,
            None if one.is_told else _read_rating(lines[one.number - 1]),
        )
        for one in open_puzzles(str(path))
    ]


def _task_of(puzzle: KindPuzzle, name: str, line: int, rating: float | None) -> Task:
    text = format_kind_puzzle(replace(puzzle, solution=None))
    clues = format_grid(puzzle.clues) if puzzle.has_shape_alone else text
    return Task("", name, line, clues, int((puzzle.clues > 0).sum()), rating)


def order_tasks(files: Sequence[Sequence[Task]], solvers: Sequence[Solver]) -> list[Task]:
    """Pair puzzles with the solvers that can do their size and kind.

    All solvers try a puzzle before the next one comes, and the files take turns, so that a run
    which is stopped early has compared all solvers on a little of everything.
    """
    turns = itertools.chain.from_iterable(itertools.zip_longest(*files))
    return [
        replace(puzzle, solver=solver.name)
        for puzzle in turns
        if puzzle is not None
        for solver in solvers
        if _can_do(solver, puzzle.clues)
    ]


def _can_do(solver: Solver, clues: str) -> bool:
    """Tell whether a solver can do this size, or knows other rules."""
    if names_kind(clues):
        return solver.name in RULE_SOLVERS
    return isqrt(len(clues)) in solver.sizes


def _read_rating(line: str) -> float | None:
    """Return the rating that stands behind a puzzle on its line, if there is one."""
    columns = (column.strip() for column in _COLUMN_ENDS.split(line)[1:])
    return next((float(text) for text in columns if _RATING.fullmatch(text)), None)


_PROOF: Final = Limits(seconds=60)


def run_tasks(
    tasks: Sequence[Task],
    limits: Limits,
    jobs: int,
    is_stopping: Callable[[], bool] = lambda: False,
    talk: Talk | None = None,
) -> Generator[Solve, None, None]:
    """Do the tasks and yield each one's solve when it has ended.

    Work is done in processes of their own even if it is one only: there every solve begins equally
    deep in the stack. CPython 3.11 gets memory for frames in chunks, and a solver that goes up and
    down over the end of one is slow: py-sudoku was seen to do 23,000 nodes a second at one depth
    and 60,000 at another.

    Args:
        is_stopping: asked often; once true, what is in hand is given up.

    Raises:
        ImportError: if a solver needs a package that is not installed.
        models.engine.EngineError: if the network of one cannot be run.
        MissingError: if a process dies over its task.
    """
    options = PoolOptions(
        jobs,
        timeout=None,  # the solvers keep to theirs
        tries=1,
        max_resident_bytes=math.inf,
        finishes=False,
        talk=talk or Talk(),
    )
    pool = WorkerPool(partial(_load_work, limits), options)
    with closing(pool.map(iter(tasks), is_stopping)) as done:
        for task, asked in done:
            yield _solve_of(task, asked)


def _solve_of(task: Task, asked: "Future[Solve | ImportError | EngineError]") -> Solve:
    try:
        answer = asked.result()
    except LostTaskError as lost:
        raise MissingError(
            f"{task.solver} ended its process on line {task.line} of {task.file} "
            f"({lost.death}); run the same command to go on, without it if it does so again"
        ) from lost
    if not isinstance(answer, Solve):
        raise answer
    return answer


def _load_work(limits: Limits) -> Work:
    return partial(_try_task, limits)


def _try_task(limits: Limits, task: Task, _: Tell) -> Solve | ImportError | EngineError:
    """Return a task's solve, or why the solver cannot be used."""
    try:
        return do_task(task, limits)
    except (ImportError, EngineError) as error:
        return error


def do_task(task: Task, limits: Limits) -> Solve:
    """Let the task's solver try its puzzle, and judge what it claims."""
    clues, rules = _read_puzzle(task.clues)
    solver = load_warm(task.solver, len(clues) if rules is None else None)
    start = time.process_time()
    result = solve(solver, clues, limits, rules)
    seconds = time.process_time() - start
    effort = result.effort
    return Solve(
        **vars(task),
        limit_nodes=limits.nodes,
        limit_iterations=limits.iterations,
        limit_seconds=limits.seconds,
        verdict=judge(task.clues, result),
        status=Outcome.of(result.status).value,
        seconds=round(seconds, 6),
        nodes=effort.nodes,
        guesses=effort.guesses,
        iterations=effort.iterations,
        passes=effort.passes,
    )


def judge(puzzle: str, result: Result) -> Verdict:
    """Say whether what a solver claims is so: the rules and the default solver decide.

    What a file says of a puzzle's solution is no proof that it is the only one, and may be wrong.
    """
    if result.status is Status.GAVE_UP:
        return Verdict.OPEN
    clues, rules = _read_puzzle(puzzle)
    known = rules or box_rules(len(clues))
    if result.solution is not None and check_rules(known, clues, result.solution):
        return Verdict.WRONG
    truth = _count(puzzle)
    if truth is Status.GAVE_UP:
        # Too large to count, so that only the solution itself, checked above, speaks for it.
        return Verdict.RIGHT if result.status is Status.SOLVED else Verdict.OPEN
    return Verdict.RIGHT if truth is result.status else Verdict.WRONG


@cache
def load_fair(name: str) -> Solver:
    """Load a solver; where it looks at a clock of its choice, that is the one of this process.

    So the limit does not depend on what else the machine does.

    Raises:
        ImportError: if it needs a package that is not installed.
        models.engine.EngineError: if its network cannot be run.
    """
    solver = load_solver(name)
    if is_dataclass(solver) and any(field.name == "clock" for field in fields(solver)):
        solver = replace(solver, clock=time.process_time)
    return solver


@cache
def load_warm(name: str, side: int | None) -> Solver:
    """Load a solver that is ready for puzzles of this size, or None for those of other kinds.

    See `load_fair` and `warm_up`.

    Raises:
        ImportError: if it needs a package that is not installed.
        models.engine.EngineError: if its network cannot be run.
    """
    solver = load_fair(name)
    if side is None:
        solve(solver, np.zeros((4, 4), np.uint8), _PROOF, box_rules(4, Kind.DIAGONAL))
    else:
        warm_up(solver, side)
    return solver


def _read_puzzle(puzzle: str) -> tuple[Grid, Rules | None]:
    """Return clues and rules of a task's puzzle; None for the classic rules of its size."""
    if not names_kind(puzzle):
        return parse_grid(puzzle), None
    read = parse_kind_puzzle(puzzle)
    return read.clues, read.rules


@cache
def _count(puzzle: str) -> Status:
    """Return how the default solver decides the puzzle."""
    clues, rules = _read_puzzle(puzzle)
    return solve(load_solver(), clues, _PROOF, rules).status
