"""The phone page where browsers give pages less, on plain HTTP, and more, over HTTPS."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from page_rig import Browser, opening
from page_sheets import Sheet
from serve_process import serving

from app.serve.server import PhoneServer, ServeSettings

pytestmark = pytest.mark.slow

NAME = "sudoku.home"
"""Of the server in its network; an address of the loopback would count as safe."""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """A browser in whose network every name is this computer, and which trusts the certificate."""
    arguments = ["--host-resolver-rules=MAP *.home 127.0.0.1", "--ignore-certificate-errors"]
    with opening(arguments) as started:
        yield started


@pytest.fixture(scope="module")
def plain(chromium: Any) -> Iterator[Browser]:
    with serving("--name", NAME) as served:
        yield Browser(chromium, served)


@pytest.fixture
def encrypted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PhoneServer]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    server = PhoneServer(ServeSettings("127.0.0.1", 0, is_https=True, workers=1))
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
    chromium: Any, encrypted: PhoneServer, sheet: Sheet
) -> None:
    with Browser(chromium).visit(encrypted.url, ignore_https_errors=True) as visit:
        # Typed with the wrong beginning, the address says so.
        page = visit.page.context.new_page()
        answer = page.goto(encrypted.place.replace("https://", "http://"))
        assert answer.status == 400
        assert "begins with https://" in page.inner_text("main")
        page.close()
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


def test_a_name_that_the_computer_does_not_know_is_explained(plain: Browser) -> None:
    page = plain.chromium.new_page()
    answer = page.goto(f"http://elsewhere.home:{plain.served.port}/")
    told = page.inner_text("main")
    page.close()

    assert answer.status == 421
    assert "sudoku-lens serve --name" in told
