"""Who may have a worker next: nobody can hold them all, whatever is asked for."""

from dataclasses import dataclass

import pytest

from app.serve.host.request_queue import MUCH_SECONDS, Shares


@dataclass
class One:
    client: str


class Clock:
    """Seconds that pass when they are told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def use(shares: Shares, clock: Clock, client: str, seconds: float) -> None:
    turn = shares.begin(client)
    clock.now += seconds
    shares.end(turn)


def choose(shares: Shares, clients: str) -> str | None:
    chosen = shares.choose([One(name) for name in clients])
    return None if chosen is None else chosen.client


@pytest.mark.parametrize("workers", [2, 3, 4])
def test_one_worker_is_always_left_to_another_client(workers: int) -> None:
    shares = Shares(workers, Clock())
    for _ in range(workers - 1):
        assert choose(shares, "a") == "a"
        shares.begin("a")

    assert choose(shares, "aa") is None
    assert choose(shares, "aab") == "b"


def test_a_single_worker_is_there_for_everybody() -> None:
    clock = Clock()
    shares = Shares(1, clock)
    use(shares, clock, "a", 10 * MUCH_SECONDS)

    assert choose(shares, "a") == "a"
    assert choose(shares, "ab") == "b"


def test_clients_that_have_used_much_leave_a_worker_together() -> None:
    clock = Clock()
    shares = Shares(2, clock)
    for client in "ab":
        use(shares, clock, client, 2 * MUCH_SECONDS)
    use(shares, clock, "c", 0.1)
    shares.begin("a")

    assert choose(shares, "b") is None
    assert choose(shares, "bc") == "c"


def test_what_goes_on_is_used_already() -> None:
    clock = Clock()
    shares = Shares(3, clock)
    shares.begin("a")
    waiting = [One("b")]
    assert not shares.has_used_much("a", waiting)

    clock.now += MUCH_SECONDS

    assert shares.has_used_much("a", waiting)


def test_what_was_used_long_ago_does_not_count() -> None:
    clock = Clock()
    shares = Shares(2, clock)
    use(shares, clock, "a", 2 * MUCH_SECONDS)
    assert choose(shares, "ab") == "b"

    clock.now += 300.0

    assert choose(shares, "ab") == "a"


@pytest.mark.parametrize("seconds", [0.1, 1.0, 20.0])
def test_clients_that_ask_for_alike_come_in_their_order_however_slow_the_computer_is(
    seconds: float,
) -> None:
    clock = Clock()
    shares = Shares(2, clock)
    clients = "abcdef"
    for _ in range(20):
        for client in clients:
            use(shares, clock, client, seconds)

    assert choose(shares, "fa") == "f"
    assert not any(shares.has_used_much(client, []) for client in clients)


def test_a_few_who_ask_for_much_more_than_many_come_last() -> None:
    clock = Clock()
    shares = Shares(2, clock)
    for _ in range(40):
        for client in "abcdef":
            use(shares, clock, client, 0.1)
        use(shares, clock, "x", 1.0)
        use(shares, clock, "y", 1.0)

    assert choose(shares, "xya") == "a"
    shares.begin("x")
    assert choose(shares, "y") is None


def test_where_those_who_have_used_much_hold_every_worker_the_first_gives_way() -> None:
    clock = Clock()
    shares = Shares(2, clock)
    first, second = shares.begin("a"), shares.begin("b")

    clock.now += MUCH_SECONDS
    is_early = shares.must_give_way(first, [One("c")])
    clock.now += 10.0

    assert not is_early
    assert shares.must_give_way(first, [One("c")])
    assert not shares.must_give_way(second, [One("c")])
    assert not shares.must_give_way(first, [One("a")])
    assert not shares.must_give_way(first, [])
    shares.end(second)
    assert not shares.must_give_way(first, [One("c")])
