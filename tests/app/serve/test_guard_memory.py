"""No picture takes more of the computer's memory than a worker may have."""

import asyncio
import os
import sys

import planted_tasks as tasks
import pytest
from planted_work import children_of

pytest.importorskip("fastapi", reason="the extra serve is not installed")

from app.serve.api.problems import Problem, ProblemError
from app.serve.request_workers import call_worker, make_request_pool
from app.serve.server import ServeSettings
from app.workers.child_process import MOST_MEMORY_BYTES


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux holds processes to the limit")
def test_a_request_that_needs_too_much_memory_costs_itself_alone() -> None:
    pool = make_request_pool(ServeSettings(workers=1), tasks.load)

    async def ask() -> tuple[Problem, list[int], list[int]]:
        await call_worker(pool, tasks.echo, "hello")
        before = children_of(os.getpid())
        with pytest.raises(ProblemError) as raised:
            await call_worker(pool, tasks.hoard, MOST_MEMORY_BYTES)
        assert await call_worker(pool, tasks.hoard, 1_000_000) == 1_000_000
        return raised.value.problem, before, children_of(os.getpid())

    try:
        problem, before, after = asyncio.run(ask())
    finally:
        pool.stop()

    assert problem is Problem.TOO_HARD
    assert before == after
