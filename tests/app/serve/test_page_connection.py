"""The phone page where the network fails, the computer is busy, or no longer knows the phone."""

import contextlib
import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from command_rig import room_for
from page_rig import Browser, Visit
from page_sheets import Sheet, make_sheet
from serve_process import Served, serving

_IS_WAITING = """async () => {
  const { findWaiting } = await import("/page/recent.js");
  return (await findWaiting()) !== undefined;
}"""


def is_waiting(visit: Visit) -> bool:
    """Tell whether a photo waits in the browser to be sent."""
    return bool(visit.page.evaluate(_IS_WAITING))


def test_a_photo_waits_for_the_connection_and_is_sent_then(visit: Visit, sheet: Sheet) -> None:
    visit.page.context.set_offline(True)
    visit.choose(sheet.path)
    visit.wait_to_read("The connection is lost")
    is_kept = is_waiting(visit)
    visit.page.context.set_offline(False)
    visit.wait_for("good")

    assert is_kept
    assert visit.digits("printed") == sheet.clues
    # The photo is dropped only once its puzzle is kept, which is after the solution is shown.
    visit.until(f"async () => !(await ({_IS_WAITING})())")


def test_an_answer_that_is_cut_off_and_a_busy_computer_are_asked_again_after_as_long_as_it_says(
    visit: Visit, sheet: Sheet
) -> None:
    times: list[float] = []
    busy = {"type": "about:blank", "title": "Busy", "status": 503, "detail": "", "code": "busy"}

    def refuse_at_first(route: Any) -> None:
        times.append(visit.page.evaluate("performance.now()"))
        if len(times) == 1:
            route.abort("connectionreset")
        elif len(times) == 2:
            headers = {"Retry-After": "2", "Content-Type": "application/problem+json"}
            route.fulfill(status=503, headers=headers, body=json.dumps(busy))
        else:
            route.continue_()

    visit.page.route("**/api/photos", refuse_at_first)
    visit.hear(".said")
    visit.choose(sheet.path)
    visit.wait_to_hear("The computer is busy")
    visit.wait_to_hear("The photo is sent again in 2 seconds.")
    visit.wait_for("good")

    assert len(times) == 3
    assert times[2] - times[1] >= 2000


def test_sending_can_be_called_off_and_begun_again(visit: Visit, sheet: Sheet) -> None:
    held = visit.hold("**/api/photos")
    visit.choose(sheet.path)
    visit.wait_for_one(held)
    visit.page.click("#status-action")
    visit.wait_to_read("Stopped")
    is_kept = is_waiting(visit)
    visit.page.unroute("**/api/photos")
    visit.page.click("#status-action")
    visit.wait_for("good")

    assert not is_kept


def test_a_photo_that_waits_is_not_lost_with_the_page(browser: Browser, sheet: Sheet) -> None:
    with browser.visit() as visit:
        visit.page.route("**/api/photos", lambda route: route.abort("internetdisconnected"))
        visit.choose(sheet.path)
        visit.wait_to_read("The connection is lost")
        visit.page.goto("about:blank")
        visit.page.unroute("**/api/photos")
        visit.page.goto(browser.origin)
        visit.wait_for("good")

        assert visit.digits("printed") == sheet.clues


def test_a_waiting_or_refused_correction_shows_no_solution(solved: Visit, sheet: Sheet) -> None:
    cell = sheet.empty[0]
    solved.page.context.set_offline(True)
    solved.tap(sheet, cell)
    solved.page.click(f'#digits button[data-digit="{sheet.solution[cell]}"]')
    solved.wait_to_read("The connection is lost")
    shown = solved.shapes("solution")
    solved.page.context.set_offline(False)
    solved.wait_for("good")

    assert shown == []
    assert solved.shapes("solution") == sheet.empty[1:]

    problem = {"type": "about:blank", "title": "", "status": 422, "detail": ""}
    body = json.dumps({**problem, "code": "too_hard"})
    kind = "application/problem+json"
    solved.page.route(
        "**/api/puzzles", lambda route: route.fulfill(status=422, content_type=kind, body=body)
    )
    solved.page.click('#digits button[data-digit="0"]')
    solved.wait_for("doubtful")

    assert solved.headline == "The solver gave up"
    assert solved.shapes("solution") == []


def test_a_phone_that_is_no_longer_known_is_told_to_scan_and_loses_no_photo(
    browser: Browser, sheet: Sheet
) -> None:
    with browser.visit() as visit:
        visit.page.context.clear_cookies()
        visit.choose(sheet.path)
        visit.page.wait_for_selector("#expired-kept")
        told = visit.page.inner_text("#expired")
        visit.page.goto(browser.scanned)
        visit.wait_for("good")

        assert "Scan the code again" in told
        assert "Your photo is kept here" in told
        assert visit.digits("printed") == sheet.clues


def test_a_photo_that_a_full_disk_does_not_keep_is_told_of(
    browser: Browser, sheet: Sheet, tmp_path: Path
) -> None:
    with contextlib.ExitStack() as stack:
        with room_for(sheet.path.stat().st_size // 4):
            served = stack.enter_context(serving("--keep", tmp_path))
        full = Browser(browser.chromium, served)
        with full.visit() as visit:
            visit.solve(sheet.path)
            told = visit.page.inner_text("#detail")
            visit.go_home()
            visit.open_recent()

            assert "This photo was not kept on the computer" in told
            assert "Make room there" in told
            assert "not kept" not in visit.page.inner_text("#detail")
    assert not list(tmp_path.iterdir())


def test_a_computer_that_can_keep_no_photo_says_so_before_one_is_sent(browser: Browser) -> None:
    script = """const ask = window.fetch;
      window.fetch = async (address, ...more) => {
        const answer = await ask(address, ...more);
        if (address !== "/api/session") return answer;
        const told = { ...(await answer.json()), keeps: true, can_keep: false };
        return new Response(JSON.stringify(told));
      };"""
    said = "The computer keeps no photo now: its disk is nearly full."
    with browser.visit(script=script) as visit:
        visit.until("() => !document.querySelector('#open-live').hidden")
        at_start = visit.page.inner_text("#start-text")
        visit.page.click("#open-menu")

        assert said in at_start
        assert said in visit.page.inner_text("#about")


def test_recent_puzzles_are_deleted_one_or_all(visit: Visit, folder: Path, sheet: Sheet) -> None:
    others = [make_sheet(folder, seed) for seed in (4, 5)]
    count = "(count) => document.querySelectorAll('#recent-list li').length === count"
    for number, one in enumerate((sheet, *others), 1):
        visit.solve(one.path)
        visit.page.click("#go-home")
        visit.until(count, number)
    visit.page.click("#edit-recent")
    visit.page.locator("#recent-list .delete").first.click()
    visit.until(count, 2)
    visit.page.on("dialog", lambda dialog: dialog.accept())
    visit.page.click("#delete-all")
    visit.page.wait_for_selector("#recent", state="hidden")
    visit.page.reload()
    visit.get_ready()

    assert visit.page.locator("#recent-list li").count() == 0


def test_a_kept_solution_that_others_have_changed_is_not_shown(solved: Visit) -> None:
    solved.go_home()
    solved.page.evaluate(
        """async () => {
          const recent = await import("/page/recent.js");
          const [kept] = await recent.listPuzzles();
          const steps = await recent.findPlay(kept.id);
          const { solution } = kept.boards[0];
          const other = solution.slice(9) + solution.slice(0, 9);
          for (const { boards } of [kept, steps]) boards[0].solution = other;
          await recent.keepPuzzle(kept);
          await recent.putPlay(steps);
        }"""
    )
    solved.page.reload()
    solved.open_recent("doubtful")

    assert solved.shapes("solution") == []


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
