"""Guards of the phone page: sessions of phones, how many there may be, and tokens of programs."""

import json
from dataclasses import replace

import pytest

pytest.importorskip("fastapi", reason="the extra serve is not installed")

from serve_guard_rig import RULES, TOKEN, Request, Rig

from app.serve.security.known_clients import MOST_SESSIONS, SESSION_SECONDS, Sessions
from app.serve.security.request_limits import Rate, Rates

PROGRAM_TOKEN = "a-token-for-programs-that-has-enough-signs"
PROGRAMS = replace(RULES, program_token=PROGRAM_TOKEN)

ELSEWHERE = Request(address="192.0.2.50")
"""From an address for documentation (RFC 5737), which this computer cannot have."""


def test_where_there_is_no_room_the_address_with_most_phones_makes_it() -> None:
    sessions = Sessions()
    mine = sessions.open("192.168.1.50")
    many = [sessions.open(f"10.0.0.{number // 300}") for number in range(MOST_SESSIONS - 1)]

    newcomer = sessions.open("192.168.1.51")

    assert sessions.find(newcomer) is not None
    assert sessions.find(mine) is not None
    assert [sessions.find(secret) is None for secret in many[:2]] == [True, False]
    assert len(sessions.phones()) == MOST_SESSIONS


@pytest.mark.parametrize(
    ("signed_in_at", "statuses"),
    [("127.0.0.1", [200, 200, 401, 401]), (ELSEWHERE.address, [401, 401, 200, 200])],
    ids=["this computer", "a phone"],
)
def test_a_cookie_is_worth_nothing_across_the_border_of_this_computer(
    signed_in_at: str, statuses: list[int]
) -> None:
    rig = Rig()
    cookie = rig.sign_in(Request(address=signed_in_at))

    asked = [
        rig.ask(Request(headers=cookie, address=address))
        for address in ("127.9.9.9", "::1", ELSEWHERE.address, "2001:db8::1")
    ]

    assert [one.status for one in asked] == statuses
    assert {json.loads(one.body)["code"] for one in asked if one.status == 401} == {"no_session"}


def test_the_session_that_was_away_longest_makes_room() -> None:
    sessions = Sessions()
    secrets = [sessions.open(f"10.0.{n // 250}.{n % 250}") for n in range(MOST_SESSIONS)]
    sessions.find(secrets[0])

    sessions.open("10.1.1.1")

    assert len(sessions.phones()) == MOST_SESSIONS
    assert sessions.find(secrets[0]) is not None
    assert sessions.find(secrets[1]) is None


def test_a_session_ends_when_a_phone_was_away_for_long() -> None:
    now = [0.0]
    sessions = Sessions(clock=lambda: now[0])
    secret = sessions.open("192.168.1.50")

    now[0] = SESSION_SECONDS
    assert sessions.find(secret) is not None
    now[0] = 2 * SESSION_SECONDS + 1

    assert sessions.find(secret) is None
    assert len(sessions.phones()) == 0


def bearer(token: str, scheme: str = "Bearer") -> dict[str, str]:
    return {"authorization": f"{scheme} {token}"}


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER "])
@pytest.mark.parametrize("kind", ["http", "https"])
def test_a_program_comes_in_with_its_token_and_without_a_cookie(scheme: str, kind: str) -> None:
    rig = Rig(PROGRAMS)

    answered = rig.ask(Request(headers=bearer(PROGRAM_TOKEN, scheme), scheme=kind))

    assert answered.status == 200
    assert rig.echo.scopes[0]["state"]["client"]
    assert "set-cookie" not in answered.headers


@pytest.mark.parametrize(
    "told",
    [
        bearer(PROGRAM_TOKEN[:-1]),
        bearer(PROGRAM_TOKEN + "x"),
        bearer(TOKEN),
        bearer(""),
        bearer("é"),
        bearer(PROGRAM_TOKEN, "Basic"),
        {"authorization": PROGRAM_TOKEN},
    ],
)
def test_a_wrong_token_of_a_program_opens_nothing(told: dict[str, str]) -> None:
    rig = Rig(PROGRAMS)

    answered = rig.ask(Request(headers=told))

    assert (answered.status, json.loads(answered.body)["code"]) == (401, "no_session")
    assert answered.headers["www-authenticate"] == "Bearer"
    assert rig.echo.scopes == []


def test_tokens_of_programs_and_cookies_do_not_make_each_other_good() -> None:
    rig = Rig(PROGRAMS)
    cookie = rig.sign_in()

    assert rig.ask(Request(headers={**cookie, **bearer("wrong")})).status == 401
    assert rig.ask(Request("/", query=f"token={PROGRAM_TOKEN}")).status == 401


@pytest.mark.parametrize("token", ["", "None", TOKEN, PROGRAM_TOKEN])
def test_without_a_token_for_programs_none_opens_anything(token: str) -> None:
    assert Rig().ask(Request(headers=bearer(token))).status == 401


def test_a_page_elsewhere_comes_in_with_no_token_either() -> None:
    rig = Rig(PROGRAMS)
    told = bearer(PROGRAM_TOKEN)

    foreign = rig.ask(Request(headers={**told, "origin": "http://evil.example"}))
    rebound = rig.ask(Request(headers={**told, "host": "evil.example"}))

    assert (foreign.status, rebound.status) == (403, 421)
    assert rig.echo.scopes == []


def test_programs_are_held_to_the_rates_of_phones_each_by_its_address() -> None:
    rig = Rig(replace(PROGRAMS, rates=Rates(photo=Rate(0.1, 2))))
    request = Request("/api/photos", "POST", headers=bearer(PROGRAM_TOKEN), chunks=(b"x",))

    statuses = [rig.ask(request).status for _ in range(3)]
    other = rig.ask(replace(request, address="192.168.1.51")).status

    assert statuses == [200, 200, 429]
    assert other == 200
