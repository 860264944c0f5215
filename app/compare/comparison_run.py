"""Runs the tasks of a comparison in processes of their own, and judges every claim."""

import contextlib
import time
from collections import deque
from collections.abc import Callable, Generator, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache
from multiprocessing.connection import Connection, wait
from typing import Final, cast

import numpy as np

from app.compare.solve_records import Solve, Task, Verdict, tells_kind
from app.recognition.outcome import Outcome
from app.recognition.solver_choice import warm_up
from app.terminal.exits import MissingError
from app.workers.child_process import ChildProcess, Household, Talk
from models.engine import EngineError
from solver.base import Limits, Result, RuleSolver, Solver, Status
from solver.formats_kinds import parse_kind_puzzle
from solver.grid import Grid, check_solution, parse_grid
from solver.registry import load_solver
from solver.rules import Kind, Rules, box_rules, check_rules

_PROOF: Final = Limits(seconds=60)
_LOOK_SECONDS: Final = 0.2
"""How long to wait at most before asking whether to stop."""


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
        tasks: what to do; begun in this order.
        limits: of every solve.
        jobs: processes at work.
        is_stopping: asked often; once true, what is in hand is given up.
        talk: how much the processes say on stderr.

    Raises:
        ImportError: if a solver needs a package that is not installed.
        models.engine.EngineError: if the network of one cannot be run.
        MissingError: if a process dies over its task.
    """
    left = deque(tasks)
    crew = [ChildProcess(work_off, talk or Talk(), limits) for _ in range(min(jobs, len(tasks)))]
    try:
        in_hand: dict[Connection, tuple[ChildProcess, Task]] = {}

        def hand_next(child: ChildProcess) -> None:
            if left:
                task = left.popleft()
                child.send(task)
                in_hand[child.connection] = child, task

        for child in crew:
            hand_next(child)
        while in_hand and not is_stopping():
            for connection in wait(list(in_hand), _LOOK_SECONDS):
                assert isinstance(connection, Connection)
                child, task = in_hand.pop(connection)
                solve = _receive(child, task)
                hand_next(child)  # before what is done is looked at
                yield solve
    finally:
        for child in crew:
            child.kill()


def _receive(child: ChildProcess, task: Task) -> Solve:
    answer: Solve | ImportError | EngineError | None = child.receive()
    if answer is None:
        raise MissingError(
            f"{task.solver} ended its process on line {task.line} of {task.file} "
            f"({child.name_death()}); run the same command to go on, without it if it does so again"
        )
    if not isinstance(answer, Solve):
        raise answer
    return answer


def work_off(household: Household, limits: Limits) -> None:
    """Do the tasks that come through the connection until it is closed.

    Args:
        household: what the parent gives. It sends each `Task` once the one before is answered by
            its `Solve`, or by why the solver cannot be used.
        limits: of every solve.
    """
    connection = household.connection
    while True:
        try:
            task: Task = connection.recv()
        except (EOFError, OSError):  # the parent has closed its end
            return
        answer = _try_task(task, limits)
        with contextlib.suppress(OSError):
            connection.send(answer)


def _try_task(task: Task, limits: Limits) -> Solve | ImportError | EngineError:
    try:
        return do_task(task, limits)
    except (ImportError, EngineError) as error:
        return error


def do_task(task: Task, limits: Limits) -> Solve:
    """Let the task's solver try its puzzle, and judge what it claims."""
    clues, rules = _read_puzzle(task.clues)
    if rules is None:
        solver = load_warm(task.solver, len(clues))
        start = time.process_time()
        result = solver.solve(clues, limits)
    else:
        knowing = _load_for_rules(task.solver)
        start = time.process_time()
        result = knowing.solve(clues, limits, rules)
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
        judge(task.clues, result),
        Outcome.of(result.status).value,
        round(seconds, 6),
        effort.nodes,
        effort.guesses,
        effort.iterations,
        effort.passes,
    )


def judge(puzzle: str, result: Result) -> Verdict:
    """Say whether what a solver claims is so: the rules and the default solver decide.

    What a file says of a puzzle's solution is no proof that it is the only one, and may be wrong.

    Args:
        puzzle: the clues, or a JSON object with the rules.
        result: the claim.
    """
    if result.status is Status.GAVE_UP:
        return Verdict.OPEN
    clues, rules = _read_puzzle(puzzle)
    if result.solution is not None:
        solution = result.solution
        wrong = check_rules(rules, clues, solution) if rules else check_solution(clues, solution)
        if wrong:
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
def _load_for_rules(name: str) -> RuleSolver:
    """Load a solver that does every kind, and let it try a small puzzle; see `load_warm`."""
    solver = cast(RuleSolver, load_fair(name))
    solver.solve(np.zeros((4, 4), np.uint8), _PROOF, box_rules(4, Kind.DIAGONAL))
    return solver


def _read_puzzle(puzzle: str) -> tuple[Grid, Rules | None]:
    """Return clues and rules of a task's puzzle; None for the classic rules of its size."""
    if not tells_kind(puzzle):
        return parse_grid(puzzle), None
    read = parse_kind_puzzle(puzzle)
    return read.clues, read.rules


@cache
def _count(puzzle: str) -> Status:
    """Return how the default solver decides the puzzle."""
    clues, rules = _read_puzzle(puzzle)
    if rules is None:
        return load_solver().solve(clues, _PROOF).status
    return cast(RuleSolver, load_solver()).solve(clues, _PROOF, rules).status
