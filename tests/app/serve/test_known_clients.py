"""Who is known: sessions of phones, those that stay known, and tokens of programs."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from present import present

pytest.importorskip("fastapi", reason="the extra serve is not installed")

from serve_guard_rig import RULES, TOKEN, Request, Rig

from app.serve.security.known_clients import (
    MOST_SESSIONS,
    SEEN_STEP_SECONDS,
    SESSION_SECONDS,
    Sessions,
    name_device,
)
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


ADDRESS = "192.168.1.50"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "phones.json"


def pair(sessions: Sessions, name: str = "iPhone, Safari") -> str:
    return present(sessions.open(ADDRESS, name=name))


def test_a_phone_comes_in_after_a_restart_by_its_secret_which_no_file_holds(path: Path) -> None:
    secret = pair(Sessions(path))

    after = Sessions(path)

    assert after.find(secret) is not None
    assert [phone.name for phone in after.phones()] == ["iPhone, Safari"]
    assert secret not in path.read_text()
    assert after.find(json.loads(path.read_text())["phones"][0]["key"]) is None
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(path.parent.iterdir()) == [path]


def test_without_a_book_nothing_lasts_or_is_written(path: Path) -> None:
    secret = pair(Sessions())

    assert Sessions(path).find(secret) is None
    assert not path.exists()


def test_a_phone_that_is_revoked_comes_in_no_more_now_or_later(path: Path) -> None:
    sessions = Sessions(path)
    gone, stays = pair(sessions), pair(sessions)
    key = present(sessions.find(gone))

    sessions.revoke(key)

    after = Sessions(path)
    for one in (sessions, after):
        assert one.find(gone) is None
        assert one.find(stays) is not None


def test_a_phone_that_another_process_revokes_is_out_at_once(path: Path) -> None:
    sessions, elsewhere = Sessions(path), Sessions(path)
    secret = pair(sessions)
    key = present(sessions.find(secret))

    elsewhere.revoke(key)

    assert sessions.find(secret) is None
    assert sessions.phones() == []


def test_where_the_file_cannot_be_written_phones_are_known_until_the_end(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    sessions = Sessions(tmp_path / "file" / "phones.json")

    secret = pair(sessions)

    assert sessions.find(secret) is not None


def test_deleting_the_file_forgets_all(path: Path) -> None:
    sessions = Sessions(path)
    secret = pair(sessions)

    path.unlink()

    assert sessions.find(secret) is None


def test_a_file_that_others_could_have_written_lets_nobody_in(path: Path) -> None:
    secret = pair(Sessions(path))

    path.chmod(0o666)

    assert Sessions(path).find(secret) is None


def test_the_code_has_another_secret_once_a_phone_was_revoked() -> None:
    sessions = Sessions()
    rig = Rig(replace(RULES, sessions=sessions))
    cookie = rig.sign_in()
    [phone] = sessions.phones()

    sessions.revoke(phone.key)

    assert rig.ask(Request(headers=cookie)).status == 401
    assert rig.ask(Request("/", query=f"token={TOKEN}")).status == 401
    assert rig.ask(Request("/", query=f"token={sessions.token}")).status == 303


def test_phones_that_are_here_can_be_remembered_and_forgotten_later(path: Path) -> None:
    sessions = Sessions()
    secret = pair(sessions)

    sessions.remember_in(path)
    remembered = Sessions(path).find(secret)
    sessions.remember_in(None)

    assert remembered is not None
    assert not path.exists()
    assert sessions.find(secret) is not None  # as long as the server runs
    assert Sessions(path).find(secret) is None


def test_a_phone_that_was_away_for_long_is_forgotten(path: Path) -> None:
    now = [1e9]
    secret = pair(Sessions(path, lambda: now[0]))

    now[0] += SESSION_SECONDS + 1
    after = Sessions(path, lambda: now[0])

    assert after.find(secret) is None
    assert after.phones() == []
    pair(after)
    assert len(json.loads(path.read_text())["phones"]) == 1


def test_when_a_phone_was_last_here_is_written_now_and_then(path: Path) -> None:
    now = [1e9]
    sessions = Sessions(path, lambda: now[0])
    secret = pair(sessions)

    seen = []
    for later in (SEEN_STEP_SECONDS - 1, 2):
        now[0] += later
        sessions.find(secret, address="192.168.1.99")
        seen += [(one["seen"], one["address"]) for one in json.loads(path.read_text())["phones"]]

    assert seen == [(1e9, ADDRESS), (now[0], "192.168.1.99")]


@pytest.mark.parametrize(
    "damage", [b"", b"{", b'{"phones": [{"key": "x"}]}', b"[]", b'{"phones": 3}', b"\xff"]
)
def test_a_damaged_file_lets_nobody_in_and_is_replaced(path: Path, damage: bytes) -> None:
    path.parent.mkdir(parents=True)
    path.write_bytes(damage)
    path.chmod(0o600)

    sessions = Sessions(path)
    secret = pair(sessions)

    assert len(sessions.phones()) == 1
    assert Sessions(path).find(secret) is not None


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 "
            "(KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
            "iPhone, Safari",
        ),
        (
            "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) "
            "Chrome/131.0.0.0 Mobile Safari/537.36",
            "Android, Chrome",
        ),
        (
            "Mozilla/5.0 (Android 15; Mobile; rv:130.0) Gecko/130.0 Firefox/130.0",
            "Android, Firefox",
        ),
        ("<script>alert(1)</script>", "?"),
        ("", "?"),
    ],
)
def test_phones_are_named_by_fixed_words(agent: str, name: str) -> None:
    assert name_device(agent) == name
