"""Guards of the phone page: how much may come, how slowly, and how often."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("fastapi", reason="the extra serve is not installed")

from serve_guard_rig import RULES, Answered, Echo, Request, Rig

from app.serve.security.request_limits import (
    MOST_CLIENTS,
    BodyLimits,
    Limiter,
    Rate,
    Rates,
    address_of,
)

SMALL = BodyLimits(photo_bytes=1000, frame_bytes=500, other_bytes=100, seconds=0.1)
RUSHED = replace(RULES, bodies=SMALL)


@pytest.fixture
def rig() -> Rig:
    return Rig(RUSHED)


def post(path: str = "/api/photos", **fields: object) -> Request:
    return replace(Request(path, "POST"), **fields)  # type: ignore[arg-type]


def signed_in(rig: Rig, request: Request) -> Answered:
    return rig.ask(replace(request, headers={**rig.sign_in(), **request.headers}))


def code_of(answered: Answered) -> str:
    code: str = json.loads(answered.body)["code"]
    return code


def test_a_body_within_the_limit_arrives_whole(rig: Rig) -> None:
    answered = signed_in(rig, post(chunks=(b"a" * 400, b"", b"b" * 600)))

    assert answered.status == 200
    assert rig.echo.bodies == [b"a" * 400 + b"b" * 600]


@pytest.mark.parametrize("has_length", [True, False])
@pytest.mark.parametrize(
    ("path", "most"), [("/api/photos", 1000), ("/api/live", 500), ("/api/puzzles", 100)]
)
def test_a_byte_too_many_is_refused(rig: Rig, path: str, most: int, has_length: bool) -> None:
    answered = signed_in(rig, post(path, chunks=(b"a" * most, b"b"), has_length=has_length))

    assert answered.status == 413
    assert code_of(answered) == "too_large"
    assert answered.headers["connection"] == "close"
    assert rig.echo.bodies == []


def test_what_announces_too_much_is_not_read(rig: Rig) -> None:
    headers = {"content-length": "1000000000", "expect": "100-continue"}

    answered = signed_in(rig, post(headers=headers, stalls=True))

    assert answered.status == 413


@pytest.mark.parametrize(("does", "status"), [({"stalls": True}, 408), ({"leaves": True}, 0)])
def test_a_client_that_stops_is_told_while_it_is_there(
    rig: Rig, does: dict[str, Any], status: int
) -> None:
    answered = signed_in(rig, post(chunks=(b"a" * 10,), has_length=False, **does))

    assert answered.status == status
    assert status == 0 or code_of(answered) == "too_slow"
    assert rig.echo.bodies == []


def test_a_packed_body_is_not_unpacked() -> None:
    answered = signed_in(Rig(), post(chunks=(b"x",), headers={"content-encoding": "gzip"}))

    assert answered.status == 415


def test_a_body_without_a_session_is_never_handed_on(rig: Rig) -> None:
    answered = rig.ask(post(chunks=(b"a" * 1_000_000, b"b" * 1_000_000)))

    assert answered.status == 401
    assert answered.headers["connection"] == "close"
    assert rig.echo.scopes == []


@pytest.mark.parametrize("failure", [None, RuntimeError("a fault")])
def test_a_request_that_ends_frees_its_room(failure: Exception | None) -> None:
    rig = Rig(RUSHED, Echo(failure=failure))
    request = post(chunks=(b"a" * 1000,), headers=rig.sign_in())

    statuses = {rig.ask(request).status for _ in range(5)}

    assert statuses == {500 if failure else 200}


def test_a_burst_is_let_through_and_then_a_steady_flow() -> None:
    now = [0.0]
    limiter = Limiter(Rate(per_second=0.5, burst=3), clock=lambda: now[0])

    first = [limiter.take("a") for _ in range(4)]
    now[0] = 2.0
    then = [limiter.take("a") for _ in range(2)]

    assert first == [None, None, None, 2]
    assert then == [None, 2]
    assert limiter.take("b") is None


@given(st.lists(st.floats(0, 10), max_size=60), st.floats(0.1, 5), st.integers(1, 10))
def test_no_client_gets_more_than_its_rate(
    pauses: list[float], per_second: float, burst: int
) -> None:
    now = [0.0]
    limiter = Limiter(Rate(per_second, burst), clock=lambda: now[0])
    taken = 0

    for pause in pauses:
        now[0] += pause
        seconds = limiter.take("a")
        taken += seconds is None
        assert taken <= burst + now[0] * per_second + 1e-6
        if seconds is not None:
            now[0] += seconds
            assert limiter.take("a") is None
            taken += 1


def test_what_goes_on_at_once_is_limited_until_it_ends() -> None:
    limiter = Limiter(Rate(100.0, 100, at_once=2))

    assert [limiter.take("a") for _ in range(3)] == [None, None, 1]
    limiter.give_back("a")
    assert limiter.take("a") is None


def test_a_limit_remembers_a_bounded_number_of_clients() -> None:
    limiter = Limiter(Rate(1.0, 1))

    for number in range(MOST_CLIENTS + 1000):
        if limiter.take(str(number)) is None:
            limiter.give_back(str(number))

    assert len(limiter._buckets) == MOST_CLIENTS
    assert len(limiter._going_on) == 0


def test_a_phone_that_sends_too_fast_is_told_when_to_come_back() -> None:
    rig = Rig(replace(RULES, rates=Rates(photo=Rate(0.1, 2))))
    cookie = rig.sign_in()

    answers = [rig.ask(post(chunks=(b"x",), headers=cookie)) for _ in range(3)]

    assert [one.status for one in answers] == [200, 200, 429]
    assert 9 <= int(answers[-1].headers["retry-after"]) <= 10
    assert code_of(answers[-1]) == "too_fast"


def test_guessing_tokens_is_slow() -> None:
    rig = Rig(replace(RULES, rates=Rates(sign_in=Rate(0.1, 3))))

    answers = [rig.ask(Request("/", query=f"token={guess}")) for guess in range(5)]
    statuses = [one.status for one in answers]

    assert statuses == [401, 401, 401, 429, 429]
    assert b"Wait a minute" in answers[-1].body
    assert int(answers[-1].headers["retry-after"]) > 0


def test_what_a_proxy_claims_makes_no_new_client() -> None:
    rig = Rig(replace(RULES, rates=Rates(anything=Rate(0.1, 2))))
    claims = [{"x-forwarded-for": f"10.0.0.{number}"} for number in range(4)]

    statuses = [rig.ask(Request("/api/health", headers=claim)).status for claim in claims]

    assert statuses == [200, 200, 429, 429]


@pytest.mark.parametrize(
    ("client", "address"),
    [
        (("192.168.1.5", 1), "192.168.1.5"),
        (("::ffff:192.168.1.5", 1), "192.168.1.5"),
        (("2001:db8:1:2:3:4:5:6", 1), "2001:db8:1:2::/64"),
        (("fe80::1%eth0", 1), "fe80::/64"),
        (("testclient", 1), "testclient"),
        (None, "unknown"),
    ],
)
def test_addresses_stand_for_clients(client: tuple[str, int] | None, address: str) -> None:
    assert address_of({"type": "http", "client": client}) == address


def test_the_default_limits_leave_a_person_alone() -> None:
    rig = Rig()
    cookie = rig.sign_in()
    page = [Request(f"/page/{number}", headers=cookie) for number in range(30)]
    work = [post("/api/hints", chunks=(b"{}",), headers=cookie)] * 20
    photos = [post(chunks=(b"x",), headers=cookie)] * 5

    statuses = {rig.ask(request).status for request in (*page, *work, *photos)}

    assert statuses == {200}
