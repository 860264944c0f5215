"""The phone page, judged by axe: nothing on any of its screens is in anybody's way."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from page_rig import Browser, Visit
from page_sheets import Sheet
from page_states import find_grave_faults

from app.serve.api.problems import Reason, page_of
from vision.media.images import save_image

pytestmark = pytest.mark.slow


def open_panel(button: str) -> Callable[[Visit], None]:
    return lambda visit: visit.page.click(button)


def tap_a_cell(visit: Visit) -> None:
    visit.page.click("#view-board")
    visit.page.locator("[role=gridcell][data-cell='40']").click()


def play(visit: Visit) -> None:
    tap_a_cell(visit)
    visit.page.click("#panel-pad [data-close]")
    visit.page.click("#status-action")
    visit.page.locator("[role=gridcell][data-cell='40']").click()
    visit.page.click("#play-colour")


def place_corners(visit: Visit) -> None:
    visit.page.click("#open-menu")
    visit.page.click("#menu-corners")


def read_lesson(visit: Visit) -> None:
    visit.page.click("#ask-hint")
    visit.until("() => document.querySelector('#hint-text').textContent.startsWith('Look at')")
    visit.page.click("#hint-more")
    visit.page.click("#hint-lesson summary")


def correct_rules(visit: Visit) -> None:
    visit.page.click("#open-menu")
    visit.page.click("#menu-rules")
    visit.page.wait_for_selector("#panel-rules", state="visible")
    visit.page.select_option("#rules-kind", "killer")
    for cell in (40, 41):
        visit.page.locator(f"[role=gridcell][data-cell='{cell}']").click()
    visit.page.click("#rules-cage")
    visit.wait_for("idle")


@pytest.mark.parametrize("look", ["light", "dark"])
def test_the_start_is_open_to_all(browser: Browser, look: str) -> None:
    with browser.visit(color_scheme=look) as visit:
        assert find_grave_faults(visit) == []


def test_the_settings_are_open_to_all(visit: Visit) -> None:
    visit.page.click("#open-menu")

    assert find_grave_faults(visit) == []


def test_typing_is_open_to_all(visit: Visit) -> None:
    visit.page.click("#open-typing")
    visit.page.fill("#typed", "123")
    visit.page.click("#type-open")

    assert find_grave_faults(visit) == []


@pytest.mark.parametrize("look", ["light", "dark"])
@pytest.mark.parametrize(
    ("button", "ready"),
    [("#open-making", "#making-act"), ("#open-lessons", "#lessons-page svg")],
    ids=["making", "lessons"],
)
def test_new_puzzles_and_lessons_are_open_to_all(
    browser: Browser, button: str, ready: str, look: str
) -> None:
    with browser.visit(color_scheme=look) as visit:
        visit.page.click(button)
        visit.page.wait_for_selector(ready)

        assert find_grave_faults(visit) == []


def test_recent_puzzles_are_open_to_all(visit: Visit, sheet: Sheet) -> None:
    visit.solve(sheet.path)
    visit.go_home("img")
    visit.page.click("#edit-recent")

    assert find_grave_faults(visit) == []


def test_a_photo_without_a_board_is_open_to_all(browser: Browser, tmp_path: Path) -> None:
    save_image(tmp_path / "blank.png", np.full((300, 400, 3), 220, np.uint8))
    with browser.visit() as visit:
        visit.choose(tmp_path / "blank.png")
        visit.wait_for("doubtful")

        assert find_grave_faults(visit) == []


@pytest.mark.parametrize("look", ["light", "dark"])
@pytest.mark.parametrize(
    "act",
    [
        lambda visit: None,
        tap_a_cell,
        play,
        open_panel("#ask-hint"),
        read_lesson,
        open_panel("#ask-check"),
        open_panel("#ask-share"),
        place_corners,
        correct_rules,
    ],
    ids=["solved", "pad", "play", "hint", "lesson", "check", "share", "corners", "rules"],
)
def test_a_solved_photo_is_open_to_all(
    browser: Browser, sheet: Sheet, act: Callable[[Visit], None], look: str
) -> None:
    with browser.visit(color_scheme=look) as visit:
        visit.solve(sheet.path)
        act(visit)

        assert find_grave_faults(visit) == []


def test_the_page_without_a_session_is_open_to_all(browser: Browser) -> None:
    with browser.visit(browser.origin) as visit:
        visit.page.wait_for_selector("#expired", state="visible")

        assert find_grave_faults(visit) == []


@pytest.mark.parametrize("look", ["light", "dark"])
@pytest.mark.parametrize("reason", list(Reason), ids=lambda reason: reason.name.lower())
def test_what_a_phone_reads_that_may_not_come_in_is_open_to_all(
    browser: Browser, reason: Reason, look: str
) -> None:
    with browser.visit(color_scheme=look) as visit:
        visit.page.route(
            browser.origin + "/",
            lambda route: route.fulfill(
                status=reason.status, content_type="text/html", body=page_of(reason)
            ),
        )
        visit.page.goto(browser.origin + "/")

        texts = visit.page.locator("main p").all_inner_texts()
        assert len(set(texts)) == 3
        assert all(text in page_of(reason) for text in texts)
        assert find_grave_faults(visit) == []
