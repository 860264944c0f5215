"""The phone page, judged by axe where `test_page_manners` does not come along."""

from pathlib import Path
from typing import Final

import numpy as np
from page_rig import Browser, Visit
from page_sheets import Sheet
from page_states import find_grave_faults

from app.serve.api.problems import page_of
from vision.media.images import save_image

LOOKS: Final = ("light", "dark")


def play(visit: Visit) -> None:
    visit.page.click("#view-board")
    visit.choose_cell(40)
    visit.page.click("#panel-pad [data-close]")
    visit.page.click("#status-action")
    visit.choose_cell(40)
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
        visit.choose_cell(cell)
    visit.page.click("#rules-cage")
    visit.wait_for("idle")


def test_a_photo_without_a_board_is_open_to_all(visit: Visit, tmp_path: Path) -> None:
    save_image(tmp_path / "blank.png", np.full((300, 400, 3), 220, np.uint8))
    visit.choose(tmp_path / "blank.png")
    visit.wait_for("doubtful")

    assert find_grave_faults(visit) == []


def look_at_recent(visit: Visit) -> None:
    visit.go_home("img")
    visit.page.click("#edit-recent")


def test_a_solved_photo_is_open_to_all(browser: Browser, sheet: Sheet) -> None:
    for acts in ((read_lesson, place_corners, look_at_recent), (play,), (correct_rules,)):
        with browser.visit() as visit:
            for act in acts:
                visit.solve(sheet.path)
                act(visit)
                for look in LOOKS:
                    visit.page.emulate_media(color_scheme=look)
                    assert find_grave_faults(visit) == [], (act, look)


def test_the_page_without_a_session_is_open_to_all(browser: Browser) -> None:
    with browser.visit(browser.origin) as visit:
        visit.page.wait_for_selector("#expired", state="visible")

        assert find_grave_faults(visit) == []


def test_what_a_phone_outside_reads_is_open_to_all(browser: Browser, visit: Visit) -> None:
    for reason in ("no_session", "misdirected", "too_fast", "not_encrypted"):
        refuse(visit, browser.origin + "/", reason)
        texts = visit.page.locator("main p").all_inner_texts()
        assert len(set(texts)) == 3, reason
        assert all(text in page_of(reason) for text in texts), reason
        for look in LOOKS:
            visit.page.emulate_media(color_scheme=look)
            assert find_grave_faults(visit) == [], (reason, look)


def refuse(visit: Visit, address: str, reason: str) -> None:
    visit.page.route(
        address,
        lambda route: route.fulfill(status=401, content_type="text/html", body=page_of(reason)),
        times=1,
    )
    visit.page.goto(address)
