"""The phone page after the computer's program was started anew."""

from contextlib import ExitStack
from pathlib import Path

import pytest
from page_rig import Browser, Visit
from page_sheets import Sheet
from serve_process import Served, serving


def solve_and_leave(visit: Visit, sheet: Sheet) -> None:
    visit.solve(sheet.path)
    visit.go_home()


def scanned(served: Served) -> str:
    return f"http://127.0.0.1:{served.port}/?token={served.token}"


def test_the_page_opens_with_recent_puzzles_and_says_to_scan_again(
    browser: Browser, sheet: Sheet
) -> None:
    with ExitStack() as stack:
        with serving() as first:
            browser = Browser(browser.chromium, first)
            visit = stack.enter_context(browser.visit())
            solve_and_leave(visit, sheet)
        with serving("--port", str(first.port)) as second:
            visit.page.goto(browser.origin)
            visit.page.wait_for_selector("#expired:not([hidden])")
            visit.page.wait_for_selector("#recent-list li")
            told = visit.page.inner_text("#expired")
            heights = visit.page.evaluate(
                """() => ["#expired", "#recent-list"].map((one) =>
                  document.querySelector(one).getBoundingClientRect().top)"""
            )
            visit.open_recent()
            solution = visit.shapes("solution")
            visit.page.goto(scanned(second))
            visit.get_ready()

            assert "Scan the code again" in told
            assert heights[0] < heights[1]
            assert solution == sheet.empty
            assert visit.page.is_hidden("#expired")


def test_a_remembered_phone_goes_on_after_a_restart(
    browser: Browser, sheet: Sheet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    with ExitStack() as stack:
        with serving("--remember") as first:
            browser = Browser(browser.chromium, first)
            visit = stack.enter_context(browser.visit())
            solve_and_leave(visit, sheet)
        with serving("--remember", "--port", str(first.port)):
            visit.page.goto(browser.origin)
            visit.get_ready()
            visit.solve(sheet.path)

            assert visit.page.is_hidden("#expired")
            assert visit.shapes("solution") == sheet.empty
            (tmp_path / "sudoku-lens" / "phones.json").unlink()
            visit.page.reload()
            visit.page.wait_for_selector("#expired:not([hidden])", state="attached")
