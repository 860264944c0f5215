"""The server's processes: who dies or hangs costs one request, and the queue stays short."""

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from multiprocessing import active_children
from pathlib import Path
from pickle import PickleError
from typing import Any

import planted_tasks as tasks
import pytest
from planted_work import children_of

pytest.importorskip("fastapi", reason="the extra serve is not installed")

from fastapi import Request
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect

from app.serve.api.problems import Problem, ProblemError
from app.serve.api.routes import ask
from app.serve.request_workers import Load, call_worker, make_request_pool, warm_up
from app.serve.server import ServeSettings
from app.terminal.exit_codes import MissingError
from app.workers.child_process import MOST_MEMORY_BYTES
from app.workers.worker_pool import WorkerPool

Act = Callable[[WorkerPool], Awaitable[Any]]


def run(act: Act, options: ServeSettings | None = None, load: Load = tasks.load) -> Any:
    """Let something be done by a pool, and see that no process of it is left."""
    pool = make_request_pool(options or ServeSettings(workers=1), load)

    async def do() -> Any:
        return await asyncio.wait_for(act(pool), 60)

    try:
        return asyncio.run(do())
    finally:
        pool.stop()
        assert children_of(os.getpid()) == []


def refusal(act: Act, options: ServeSettings | None = None) -> Problem:
    with pytest.raises(ProblemError) as raised:
        run(act, options)
    return raised.value.problem


async def problem_of(asked: Awaitable[Any]) -> Problem:
    with pytest.raises(ProblemError) as raised:
        await asked
    return raised.value.problem


async def say(pool: WorkerPool, word: str, **asking: Any) -> Any:
    return (await call_worker(pool, tasks.echo, word, **asking))[1]


def hold(pool: WorkerPool, begun: Path, gate: Path, **asking: Any) -> "asyncio.Future[Any]":
    """Let a process make one file and wait for the other."""
    return asyncio.ensure_future(call_worker(pool, tasks.wait_for, str(begun), str(gate), **asking))


async def until(is_so: Callable[[], bool]) -> None:
    while not is_so():
        await asyncio.sleep(0.01)


def test_a_task_is_done_in_another_process_with_what_it_has_loaded() -> None:
    line, word, process = run(lambda pool: call_worker(pool, tasks.echo, "hello"))

    assert (line, word) == ("the line", "hello")
    assert process != os.getpid()


@pytest.mark.parametrize(
    ("task", "problem"), [(tasks.reject, Problem.BAD_IMAGE), (tasks.fail, Problem.FAULT)]
)
def test_a_refusal_reaches_who_asked(task: Any, problem: Problem) -> None:
    assert refusal(lambda pool: call_worker(pool, task)) is problem


def test_what_cannot_be_sent_to_a_process_is_refused_and_the_next_task_is_done() -> None:
    async def ask_both(pool: WorkerPool) -> Any:
        refused = asyncio.wrap_future(pool.submit(lambda: None))
        with pytest.raises((AttributeError, TypeError, PickleError)):  # as Python has it
            await refused
        return await call_worker(pool, tasks.echo, "hello")

    assert run(ask_both)[1] == "hello"


def test_a_process_that_dies_is_replaced_and_its_task_tried_again(tmp_path: Path) -> None:
    marker = tmp_path / "died"

    assert run(lambda pool: call_worker(pool, tasks.crash_once, str(marker))) == "done"
    assert marker.exists()


def test_a_task_that_kills_every_process_is_refused_and_the_next_one_done() -> None:
    async def act(pool: WorkerPool) -> Any:
        return await problem_of(call_worker(pool, tasks.crash)), await say(pool, "next")

    assert run(act) == (Problem.TOO_HARD, "next")


def test_a_task_is_not_blamed_for_a_process_that_died_before_it_came(tmp_path: Path) -> None:
    async def act(pool: WorkerPool) -> Any:
        _, _, process = await call_worker(pool, tasks.echo, "who")
        os.kill(process, signal.SIGKILL)
        await until(lambda: process not in [child.pid for child in active_children()])
        return await call_worker(pool, tasks.crash_once, str(tmp_path / "died"))

    assert run(act) == "done"


def test_a_task_that_hangs_is_ended_and_the_next_one_done(tmp_path: Path) -> None:
    async def act(pool: WorkerPool) -> Any:
        hanging = hold(pool, tmp_path / "begun", tmp_path / "never")
        return await problem_of(hanging), await say(pool, "next")

    assert run(act, ServeSettings(workers=1, task_seconds=2.0)) == (Problem.TOO_HARD, "next")


def test_more_than_may_wait_is_refused_at_once(tmp_path: Path) -> None:
    begun, gate = tmp_path / "begun", tmp_path / "gate"

    async def act(pool: WorkerPool) -> Any:
        in_hand = hold(pool, begun, gate)
        await until(begun.exists)
        waiting = [asyncio.ensure_future(call_worker(pool, tasks.echo, "waits")) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(ProblemError) as raised:
            await call_worker(pool, tasks.echo, "one too many")
        gate.touch()
        return raised.value.problem, await in_hand, [(await one)[1] for one in waiting]

    options = ServeSettings(workers=1, waiting=2)
    assert run(act, options) == (Problem.BUSY, "done", ["waits", "waits"])


def test_one_client_alone_cannot_keep_another_out(tmp_path: Path) -> None:
    begun, gate = tmp_path / "begun", tmp_path / "gate"

    async def act(pool: WorkerPool) -> Any:
        greedy = [hold(pool, begun, gate, client="a") for _ in range(4)]
        await until(begun.exists)
        modest = asyncio.ensure_future(call_worker(pool, tasks.echo, "hello", client="b"))
        await asyncio.sleep(0)
        gate.touch()
        return (await modest)[1], await asyncio.gather(*greedy, return_exceptions=True)

    word, answers = run(act, ServeSettings(workers=1, waiting=3))

    assert word == "hello"
    assert answers[:3] == ["done"] * 3
    assert answers[3].problem is Problem.BUSY


def test_what_nobody_waits_for_any_more_is_never_begun(tmp_path: Path) -> None:
    begun, gate, other = tmp_path / "begun", tmp_path / "gate", tmp_path / "other"

    async def act(pool: WorkerPool) -> Any:
        in_hand = hold(pool, begun, gate)
        await until(begun.exists)
        waiting = hold(pool, other, gate)
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        gate.touch()
        return await in_hand, await say(pool, "next")

    assert run(act) == ("done", "next")
    assert not other.exists()


def test_a_process_that_works_on_for_nobody_is_replaced(tmp_path: Path) -> None:
    begun, never = tmp_path / "begun", tmp_path / "never"

    async def act(pool: WorkerPool) -> Any:
        first = (await call_worker(pool, tasks.echo, "first"))[2]
        in_hand = hold(pool, begun, never)
        await until(begun.exists)
        in_hand.cancel()
        return first != (await call_worker(pool, tasks.echo, "next"))[2]

    assert run(act)


def test_a_client_that_holds_what_it_can_leaves_a_worker_to_another(tmp_path: Path) -> None:
    gate = tmp_path / "gate"

    async def act(pool: WorkerPool) -> Any:
        greedy = [hold(pool, tmp_path / f"begun{number}", gate, client="a") for number in range(3)]
        await until((tmp_path / "begun0").exists)
        other = await call_worker(pool, tasks.echo, "hello", client="b")
        begun = [(tmp_path / f"begun{number}").exists() for number in range(3)]
        gate.touch()
        return other[1], begun, await asyncio.gather(*greedy)

    options = ServeSettings(workers=2)
    assert run(act, options) == ("hello", [True, False, False], ["done"] * 3)


def test_who_ends_a_process_gets_no_other_until_it_is_replaced(tmp_path: Path) -> None:
    died, gate = tmp_path / "died", tmp_path / "gate"

    async def act(pool: WorkerPool) -> Any:
        warm_up(pool, 2)
        await until(lambda: len(list(tmp_path.glob("loaded-*"))) == 2)
        crashing = asyncio.ensure_future(call_worker(pool, tasks.crash_once, str(died), client="a"))
        await until(died.exists)
        words = [await say(pool, "hello", client="b") for _ in range(20)]
        is_early = crashing.done()
        gate.touch()
        return words, is_early, await crashing

    load = partial(tasks.load_unless, str(died), str(gate))
    assert run(act, ServeSettings(workers=2), load) == (["hello"] * 20, False, "done")


def test_a_process_that_holds_too_much_memory_is_replaced() -> None:
    async def act(pool: WorkerPool) -> Any:
        return [(await call_worker(pool, tasks.echo, ""))[2] for _ in range(2)]

    first, second = run(act, ServeSettings(workers=1, max_resident_bytes=1))

    assert first != second


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux holds processes to the limit")
def test_a_request_that_needs_too_much_memory_costs_itself_alone() -> None:
    async def act(pool: WorkerPool) -> Any:
        await call_worker(pool, tasks.echo, "hello")
        before = children_of(os.getpid())
        with pytest.raises(ProblemError) as raised:
            await call_worker(pool, tasks.hoard, MOST_MEMORY_BYTES)
        assert await call_worker(pool, tasks.hoard, 1_000_000) == 1_000_000
        return raised.value.problem, before == children_of(os.getpid())

    assert run(act) == (Problem.TOO_HARD, True)


@pytest.mark.parametrize("load", [tasks.refuse, tasks.die_at_once])
def test_a_pool_that_cannot_work_says_so_and_refuses(load: Callable[[], Any]) -> None:
    pool = make_request_pool(ServeSettings(workers=2), load)

    with pytest.raises(MissingError):
        warm_up(pool, 2)
    with pytest.raises(ProblemError) as raised:
        asyncio.run(call_worker(pool, tasks.echo, "anything"))
    pool.stop()

    assert raised.value.problem is Problem.FAULT


def test_what_waits_when_the_pool_ends_is_refused(tmp_path: Path) -> None:
    begun, never = tmp_path / "begun", tmp_path / "never"

    async def act(pool: WorkerPool) -> Any:
        asked = [hold(pool, begun, never) for _ in range(2)]
        await until(begun.exists)
        await asyncio.to_thread(pool.stop)
        return await asyncio.gather(*asked, return_exceptions=True)

    problems = [error.problem for error in run(act)]

    assert problems == [Problem.BUSY, Problem.BUSY]


def test_what_a_client_asked_for_is_called_off_when_it_goes(tmp_path: Path) -> None:
    begun, never = tmp_path / "begun", tmp_path / "never"

    async def act(pool: WorkerPool) -> Any:
        application = Starlette()
        application.state.workers = pool

        async def receive() -> dict[str, str]:
            await until(begun.exists)
            return {"type": "http.disconnect"}

        request = Request({"type": "http", "app": application}, receive)
        with pytest.raises(ClientDisconnect):
            await ask(request, tasks.wait_for, str(begun), str(never))
        return await say(pool, "next")

    assert run(act) == "next"
