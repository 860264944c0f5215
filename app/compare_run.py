"""Runs the tasks of a comparison in processes of their own, and judges every claim."""

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import fields, is_dataclass, replace
from functools import cache
from multiprocessing import get_context
from typing import Final

from app.compare_solves import Solve, Task, Verdict
from app.outcome import Outcome
from app.solver_choice import warm_up
from solver.base import Limits, Result, Solver, Status
from solver.grid import Grid, check_solution, format_grid, parse_grid
from solver.registry import load_solver

_PROOF: Final = Limits(seconds=60)
_WAITING_PER_JOB: Final = 4


def run_tasks(tasks: Sequence[Task], limits: Limits, jobs: int) -> Iterator[Solve]:
    """Do the tasks and yield each one's solve when it has ended.

    Work is done in processes of their own even if it is one only: there every solve begins equally
    deep in the stack. CPython 3.11 gets memory for frames in chunks, and a solver that goes up and
    down over the end of one is slow: py-sudoku was seen to do 23,000 nodes a second at one depth
    and 60,000 at another.

    Args:
        tasks: what to do; begun in this order.
        limits: of every solve.
        jobs: processes at work.
    """
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"))
    waiting: dict[Future[Solve], int] = {}
    try:
        for number, task in enumerate(tasks):
            waiting[pool.submit(do_task, task, limits)] = number
            if len(waiting) >= _WAITING_PER_JOB * jobs:
                yield from _take_done(waiting)
        while waiting:
            yield from _take_done(waiting)
    finally:
        # Python 3.11 may write to a closed pipe at exit if nobody waited for the pool's end.
        pool.shutdown(cancel_futures=True)


def _take_done(waiting: dict[Future[Solve], int]) -> Iterator[Solve]:
    """Wait for a task to end, and take out of those waiting all that have, in their order."""
    for future in sorted(wait(waiting, return_when=FIRST_COMPLETED).done, key=waiting.__getitem__):
        del waiting[future]
        yield future.result()


def do_task(task: Task, limits: Limits) -> Solve:
    """Let the task's solver try its puzzle, and judge what it claims."""
    clues = parse_grid(task.clues)
    solver = load_warm(task.solver, len(clues))
    start = time.process_time()
    result = solver.solve(clues, limits)
    seconds = time.process_time() - start
    effort = result.effort
    return Solve(
        task.solver,
        task.file,
        task.line,
        task.clues,
        task.n_clues,
        task.rating,
        limits.nodes,
        limits.iterations,
        limits.seconds,
        judge(clues, result),
        Outcome.of(result.status).value,
        round(seconds, 6),
        effort.nodes,
        effort.guesses,
        effort.iterations,
        effort.passes,
    )


def judge(clues: Grid, result: Result) -> Verdict:
    """Say whether what a solver claims is so: the rules and the default solver decide.

    What a file says of a puzzle's solution is no proof that it is the only one, and may be wrong.

    Args:
        clues: (side, side) uint8.
        result: the claim.
    """
    if result.status is Status.GAVE_UP:
        return Verdict.OPEN
    if result.solution is not None and check_solution(clues, result.solution):
        return Verdict.WRONG
    truth = _count(format_grid(clues))
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
def load_warm(name: str, side: int) -> Solver:
    """Load a solver that is ready for puzzles of this size; see `load_fair` and `warm_up`.

    Raises:
        ImportError: if it needs a package that is not installed.
        models.engine.EngineError: if its network cannot be run.
    """
    solver = load_fair(name)
    warm_up(solver, side)
    return solver


@cache
def _count(clues: str) -> Status:
    """Return how the default solver decides the puzzle."""
    return load_solver().solve(parse_grid(clues), _PROOF).status
