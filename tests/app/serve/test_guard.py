"""Guards of the phone page: who may come in, from where, and what every answer carries."""

import asyncio
import json
import logging
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("fastapi", reason="the extra serve is not installed")

from serve_guard_rig import COOKIE_NAME, HOST, RULES, TOKEN, Echo, Request, Rig, ask

from app.serve.security.guard_chain import guarded, host_name
from app.serve.security.known_clients import SESSION_SECONDS


@pytest.fixture
def rig() -> Rig:
    return Rig()


def test_the_token_is_exchanged_for_a_cookie_and_leaves_the_address(rig: Rig) -> None:
    answered = rig.ask(Request("/", query=f"token={TOKEN}"))

    assert answered.status == 303
    assert answered.headers["location"] == "/"
    name, _, rest = answered.headers["set-cookie"].partition("=")
    assert name == COOKIE_NAME
    assert {"HttpOnly", "SameSite=Lax", "Path=/", f"Max-Age={SESSION_SECONDS}"} <= set(
        rest.split("; ")
    )
    assert "Secure" not in rest
    assert TOKEN not in str(answered.messages)
    assert rig.echo.scopes == []


def test_under_https_the_cookie_is_bound_to_it() -> None:
    answered = Rig().ask(Request("/", query=f"token={TOKEN}", scheme="https"))

    cookie = answered.headers["set-cookie"]
    assert cookie.startswith("__Host-sudoku-lens-8765=")
    assert "; Secure" in cookie


@pytest.mark.parametrize(
    "query",
    [
        "token=",
        "token=wrong",
        f"token={TOKEN}x",
        "token=%C3%A9",
        f"token=a&token={TOKEN}",
        f"{'a=1&' * 100}token={TOKEN}",
    ],
)
def test_a_wrong_token_opens_nothing(query: str) -> None:
    answered = Rig().ask(Request("/", query=query))

    assert answered.status == 401
    assert "set-cookie" not in answered.headers
    assert b"Scan the code" in answered.body
    assert b"<script" not in answered.body
    assert b"<style" not in answered.body  # neither would the policy let be
    assert b" style=" not in answered.body


@pytest.mark.parametrize(
    "cookie", ["", "x", f"{COOKIE_NAME}=", f"{COOKIE_NAME}={TOKEN}", "é=ü; ;="]
)
def test_without_the_cookie_nothing_is_reached(rig: Rig, cookie: str) -> None:
    answered = rig.ask(Request("/api/live", headers={"cookie": cookie}))

    assert answered.status == 401
    assert json.loads(answered.body)["code"] == "no_session"
    assert rig.echo.scopes == []


def test_a_cookie_of_another_server_on_this_host_does_not_get_in_the_way(rig: Rig) -> None:
    cookie = rig.sign_in()["cookie"]

    answered = rig.ask(Request(headers={"cookie": f"{COOKIE_NAME}=old; theme=dark; {cookie}"}))

    assert answered.status == 200


def test_a_phone_that_scans_again_keeps_its_session(rig: Rig) -> None:
    cookie = rig.sign_in()

    answered = rig.ask(Request("/", query=f"token={TOKEN}", headers=cookie))

    assert answered.status == 303
    assert "set-cookie" not in answered.headers


def test_what_is_public_is_public_to_readers_alone_and_by_its_exact_path(rig: Rig) -> None:
    answered = {
        (method, path): rig.ask(Request(path, method)).status
        for method in ("GET", "HEAD", "POST")
        for path in ("/api/health", "/api/health/", "/api/health/../photos", "//api/health")
    }

    assert {key for key, status in answered.items() if status == 200} == {
        ("GET", "/api/health"),
        ("HEAD", "/api/health"),
    }


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8765", "", "192.168.1.20:x", "192.168.1.20@evil", "[::1", "a b"],
)
def test_a_foreign_host_is_refused_before_anything_else(rig: Rig, host: str) -> None:
    answered = rig.ask(Request("/", query=f"token={TOKEN}", headers={"host": host}))

    asked = rig.ask(Request(headers={"host": host}))

    assert (answered.status, asked.status) == (421, 421)
    assert b"sudoku-lens serve --name" in answered.body
    assert answered.headers["content-type"].startswith("text/html")
    assert json.loads(asked.body)["code"] == "misdirected"
    assert "set-cookie" not in answered.headers


@pytest.mark.parametrize("host", [HOST, "192.168.1.20", "LOCALHOST:8765", "localhost.:80"])
def test_a_host_of_ours_is_taken_at_any_port(host: str) -> None:
    assert Rig().ask(Request("/api/health", headers={"host": host})).status == 200


@pytest.mark.parametrize(
    ("ours", "host"), [("fe80::1", "[fe80:0::1]:8765"), ("Rätsel.home", "xn--rtsel-gra.home:8765")]
)
def test_hosts_are_compared_as_addresses_and_as_networks_write_them(ours: str, host: str) -> None:
    rig = Rig(replace(RULES, hosts=(ours, "ä" * 100)))

    assert rig.ask(Request("/api/health", headers={"host": host})).status == 200
    assert host_name("[FE80:0:0:0:0:0:0:1]:8765") == host_name("[fe80::1]") == "fe80::1"


@pytest.mark.parametrize(
    "origin",
    [
        "null",
        "",
        "http://evil.example",
        f"https://{HOST}",
        "http://192.168.1.20",
        f"http://{HOST}.x",
    ],
)
def test_a_page_elsewhere_cannot_use_the_cookie(rig: Rig, origin: str) -> None:
    headers = {**rig.sign_in(), "origin": origin}

    answered = rig.ask(Request("/api/live", "POST", headers=headers))

    assert answered.status == 403
    assert json.loads(answered.body)["code"] == "foreign"
    assert rig.echo.scopes == []


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_the_page_itself_may_ask(rig: Rig, scheme: str) -> None:
    cookie = rig.sign_in(Request(scheme=scheme))
    headers = {**cookie, "origin": f"{scheme}://{HOST}", "sec-fetch-site": "same-origin"}

    answered = rig.ask(Request("/api/live", "POST", headers=headers, scheme=scheme))

    assert answered.status == 200
    assert len(rig.echo.scopes) == 1


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_what_browsers_call_foreign_is_refused_but_for_a_link_to_the_page(
    rig: Rig, site: str
) -> None:
    headers = {**rig.sign_in(), "sec-fetch-site": site}
    link = {**headers, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}

    assert rig.ask(Request("/api/session", headers=headers)).status == 403
    assert rig.ask(Request("/api/session", headers=link)).status == 403
    assert rig.ask(Request("/", headers={**link, "sec-fetch-dest": "iframe"})).status == 403
    assert rig.ask(Request("/", headers=link)).status == 200


def test_every_answer_carries_what_binds_browsers(rig: Rig) -> None:
    requests = [
        Request("/api/health"),
        Request("/"),
        Request("/nowhere"),
        Request(headers={"host": "evil.example\n; script-src *"}),
    ]

    answers = [rig.ask(request) for request in requests]

    assert [one.status for one in answers] == [200, 401, 401, 421]
    for one in answers:
        policy = one.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "*" not in policy
        assert one.headers["x-content-type-options"] == "nosniff"
        assert one.headers["x-frame-options"] == "DENY"
        assert one.headers["cache-control"] == "no-store"
        assert one.headers["cross-origin-resource-policy"] == "same-origin"


def test_a_fault_inside_is_told_to_the_log_alone(caplog: pytest.LogCaptureFixture) -> None:
    rig = Rig(echo=Echo(failure=RuntimeError("/home/someone/secret")))
    cookie = rig.sign_in()

    with caplog.at_level(logging.ERROR):
        answered = rig.ask(Request(headers=cookie))

    assert answered.status == 500
    assert json.loads(answered.body)["code"] == "fault"
    assert b"secret" not in answered.body
    assert "/home/someone/secret" in caplog.text


def test_there_is_no_serving_without_a_secret_or_a_host() -> None:
    with pytest.raises(ValueError, match="16 signs"):
        guarded(Echo(), replace(RULES, token="short"))
    with pytest.raises(ValueError, match="host"):
        guarded(Echo(), replace(RULES, hosts=()))


def test_concurrent_requests_do_not_mix_their_clients(rig: Rig) -> None:
    first, second = rig.sign_in(), rig.sign_in()

    async def both() -> None:
        await asyncio.gather(
            ask(rig.app, Request(headers=first)), ask(rig.app, Request(headers=second))
        )

    asyncio.run(both())

    clients = [scope["state"]["client"] for scope in rig.echo.scopes]
    assert len(set(clients)) == 2


def test_the_address_that_a_client_has_reached_is_ours_without_being_named() -> None:
    rig = Rig(replace(RULES, hosts=("localhost",)))

    reached, other = (
        rig.ask(Request("/api/health", headers={"host": f"{host}:8765"})).status
        for host in ("192.168.1.20", "192.168.1.21")
    )

    assert (reached, other) == (200, 421)


_TEXT = st.text(st.characters(codec="latin-1", exclude_characters="\0\r\n"), max_size=40)


@pytest.mark.slow
@settings(max_examples=100)
@given(
    host=st.one_of(_TEXT, st.just(HOST)),
    more=st.dictionaries(
        st.sampled_from(["cookie", "origin", "sec-fetch-site", "content-length", "expect"]), _TEXT
    ),
    path=st.one_of(_TEXT, st.sampled_from(["/", "/api/photos", "/api/health"])),
    query=st.text(st.characters(codec="ascii"), max_size=40),
    method=st.sampled_from(["GET", "HEAD", "POST", "BREW"]),
    scheme=st.sampled_from(["http", "https"]),
)
def test_nothing_that_is_sent_makes_a_guard_fail(
    host: str, more: dict[str, str], path: str, query: str, method: str, scheme: str
) -> None:
    rig = Rig()
    headers = {"host": host, **more}
    if "content-length" in more:  # the server underneath lets nothing else through
        headers["content-length"] = str(len(more["content-length"]))

    answered = rig.ask(Request(path, method, query, headers, scheme=scheme))

    assert answered.status in (200, 401, 403, 421)
    assert rig.echo.scopes == [] or path == "/api/health"
