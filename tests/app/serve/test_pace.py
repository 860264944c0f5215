"""The server's queue in seconds: who would wait for long is told to come back instead."""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import planted_tasks as tasks
import pytest

pytest.importorskip("fastapi", reason="the extra serve is not installed")

from app.serve.api.problems import Problem, ProblemError
from app.serve.host.request_queue import Pace, choose_to_go
from app.serve.host.request_workers import Crew, CrewOptions


def test_what_waits_is_told_in_seconds() -> None:
    pace = Pace()

    pace.note(tasks.echo, 0.01)
    pace.note(tasks.load, 1.0)

    kinds: list[Callable[..., Any]] = [tasks.echo, tasks.load, tasks.load]
    assert pace.expect(kinds, 1) == pytest.approx(2.01)
    assert pace.expect(kinds, 2) == pytest.approx(1.005)
    assert pace.expect([], 1) == 0.0


def test_what_nobody_has_asked_for_yet_may_wait() -> None:
    assert Pace().expect([tasks.echo] * 100, 1) == 0.0


def test_a_computer_that_slows_down_is_found_out_soon() -> None:
    pace = Pace()
    for _ in range(50):
        pace.note(tasks.echo, 0.1)

    for _ in range(5):
        pace.note(tasks.echo, 1.0)

    assert pace.expect([tasks.echo], 1) > 0.6


def test_one_that_takes_very_long_is_no_rule() -> None:
    pace = Pace()
    pace.note(tasks.echo, 0.1)

    pace.note(tasks.echo, 30.0)

    assert pace.expect([tasks.echo], 1) < 0.2


def test_where_the_wait_would_be_long_all_but_the_next_are_refused() -> None:
    crew = Crew(CrewOptions(workers=1, wait_seconds=0.01), tasks.load)
    crew.start()

    async def ask() -> list[Any]:
        await crew.do(tasks.rest, 0.2)  # now it is known how long one takes
        asked = [asyncio.ensure_future(crew.do(tasks.rest, 0.2)) for _ in range(6)]
        return await asyncio.gather(*asked, return_exceptions=True)

    try:
        answers = asyncio.run(ask())
    finally:
        crew.stop()

    refused = [answer for answer in answers if isinstance(answer, ProblemError)]
    assert 1 <= len(answers) - len(refused) <= 2  # one at work, and the next
    assert {answer.problem for answer in refused} == {Problem.BUSY}


@dataclass
class One:
    client: str


@pytest.mark.parametrize(
    ("waiting", "at_work", "client", "goes"),
    [
        ("", "", "a", None),
        ("a", "", "b", None),
        ("a", "a", "b", 0),
        ("aa", "", "b", 1),
        ("aab", "", "c", 1),
        ("aab", "", "b", None),
        ("abcd", "", "e", None),
        ("baaac", "a", "b", 3),
        ("aaaa", "", "a", None),
        ("ab", "aaa", "b", 0),
    ],
)
def test_who_has_much_waiting_makes_room_for_who_has_less(
    waiting: str, at_work: str, client: str, goes: int | None
) -> None:
    line = [One(name) for name in waiting]

    chosen = choose_to_go(line, Counter(waiting + at_work), client)

    assert chosen is (None if goes is None else line[goes])


def test_one_client_alone_cannot_keep_another_out() -> None:
    crew = Crew(CrewOptions(workers=1, waiting=3), tasks.load)
    crew.start()

    async def ask() -> tuple[list[Any], Any]:
        greedy = [asyncio.ensure_future(crew.do(tasks.rest, 0.3, client="a")) for _ in range(4)]
        while not any(one.done() for one in greedy):
            await asyncio.sleep(0.01)
            greedy.append(asyncio.ensure_future(crew.do(tasks.rest, 0.3, client="a")))
        modest = await crew.do(tasks.echo, "hello", client="b")
        return await asyncio.gather(*greedy, return_exceptions=True), modest

    try:
        greedy, modest = asyncio.run(ask())
    finally:
        crew.stop()

    assert modest[1] == "hello"
    assert any(isinstance(one, ProblemError) for one in greedy)
    assert any(one is None for one in greedy)
