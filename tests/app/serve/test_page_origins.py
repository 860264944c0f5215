"""The phone page where browsers give pages less, on plain HTTP, and more, over HTTPS."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from page_rig import Browser, browsing, opening
from page_sheets import Sheet, make_sheet

from app.serve.server import PhoneServer, ServerOptions, ServeSettings

pytestmark = pytest.mark.slow

NAME = "sudoku.home"
"""Of the server in its network; an address of the loopback would count as safe."""


@pytest.fixture(scope="module")
def sheet(tmp_path_factory: pytest.TempPathFactory) -> Sheet:
    return make_sheet(tmp_path_factory.mktemp("photos"))


@pytest.fixture
def plain() -> Iterator[Browser]:
    with browsing("--name", NAME, arguments=[f"--host-resolver-rules=MAP {NAME} 127.0.0.1"]) as one:
        yield one


@pytest.fixture
def encrypted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PhoneServer]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    settings = ServeSettings(is_https=True, workers=1)
    server = PhoneServer(ServerOptions("127.0.0.1", 0, settings=settings))
    server.start()
    yield server
    server.stop()


def test_everything_works_on_plain_http_in_the_local_network(plain: Browser, sheet: Sheet) -> None:
    address = f"http://{NAME}:{plain.served.port}/?token={plain.served.token}"
    with plain.visit(address) as visit:
        visit.solve(sheet.path)
        is_safe = visit.page.evaluate("window.isSecureContext")
        visit.page.click("#ask-share")
        visit.page.click("#copy-solution")
        visit.page.wait_for_selector("#share-text:not(:empty)")
        said = visit.page.inner_text("#share-text")
        visit.go_home()

        assert not is_safe
        assert visit.digits("printed") == sheet.clues
        assert said == "The solution is copied."


def test_an_installed_page_opens_while_the_computer_is_off(
    encrypted: PhoneServer, sheet: Sheet
) -> None:
    # As on a phone that trusts the certificate.
    with (
        opening(["--ignore-certificate-errors"]) as chromium,
        Browser(chromium).visit(encrypted.url, ignore_https_errors=True) as visit,
    ):
        visit.solve(sheet.path)
        visit.go_home()
        visit.until(
            "async () => (await (await caches.open('sudoku-lens-page')).keys()).length > 30"
        )
        kept = visit.page.evaluate(
            """async () => (await (await caches.open('sudoku-lens-page')).keys())
              .map((one) => new URL(one.url))
              .map((one) => one.pathname + one.search)"""
        )
        encrypted.stop()
        visit.page.reload()
        visit.get_ready()
        visit.open_recent()

        assert visit.shapes("solution") == sheet.empty
        assert "/" in kept
        assert not any(path.startswith("/api/") or "token" in path for path in kept)


def test_a_name_that_the_computer_does_not_know_is_explained() -> None:
    name = "elsewhere.home"
    with browsing(arguments=[f"--host-resolver-rules=MAP {name} 127.0.0.1"]) as browser:
        page = browser.chromium.new_page()
        answer = page.goto(f"http://{name}:{browser.served.port}/")

        assert answer.status == 421
        assert "sudoku-lens serve --name" in page.inner_text("main")


def test_plain_http_on_the_port_of_https_is_told_so(encrypted: PhoneServer) -> None:
    with opening(["--ignore-certificate-errors"]) as chromium:
        page = chromium.new_context(ignore_https_errors=True).new_page()
        plain = page.goto(encrypted.place.replace("https://", "http://"))
        told = page.inner_text("main")
        safe = page.goto(encrypted.place)

        assert plain.status == 400
        assert "begins with https://" in told
        assert safe.status == 200
