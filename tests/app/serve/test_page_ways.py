"""The phone page's ways: back and forward, addresses, what lies under a finger, and odd screens."""

from pathlib import Path
from typing import Any, Final

import numpy as np
import pillow_heif
import pytest
from page_rig import Browser, Visit
from page_sheets import Sheet
from page_states import open_every_panel
from PIL import Image

PANELS: Final = ("hint", "check", "share")

CUT_OFF: Final = """() => [...document.querySelectorAll("body *")]
  .filter((one) => one.getClientRects().length)
  .filter((one) => !one.closest("svg, .away, .clean, select, .stage"))
  .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
  .filter((one) => getComputedStyle(one).visibility === "visible")
  .filter((one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    const words = range.getBoundingClientRect();
    for (let box = one; box; box = box.parentElement) {
      const { overflowX } = getComputedStyle(box);
      const { left, right } = box.getBoundingClientRect();
      const isEdge = box === one || overflowX !== "visible" || box === document.body;
      if (isEdge && (words.left < left - 1 || words.right > right + 1)) return true;
    }
    return false;
  })
  .map((one) => `${one.tagName} ${one.id} ${one.textContent.trim()}`)"""
"""Texts that are wider than what holds them, so that a part is cut off or lies over others."""

OVERLAPPING: Final = """() => {
  const seen = [...document.querySelectorAll("button, label, h1, h2, p, span")]
    .filter((one) => one.getClientRects().length && one.textContent.trim())
    .filter((one) => !one.closest(".away, .clean, .stage, svg"))
    .filter((one) => getComputedStyle(one).visibility === "visible");
  const found = [];
  for (const one of seen) for (const other of seen) {
    if (one === other || one.contains(other) || other.contains(one)) continue;
    if (one.parentElement !== other.parentElement) continue;
    const [a, b] = [one, other].map((each) => each.getBoundingClientRect());
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (across > 1 && down > 1) found.push(`${one.textContent} / ${other.textContent}`);
  }
  return found;
}"""


SMALL: Final = """() => [...document.querySelectorAll("button, select, label.pick, label.shutter")]
  .filter((one) => one.getClientRects().length && !one.closest(".segmented"))
  .map((one) => [one.id, one.getBoundingClientRect()])
  .filter(([, box]) => box.width < 44 || box.height < 44)
  .map(([id, box]) => `${id} ${box.width}×${box.height}`)"""
TEXT_SIZE: Final = "(size) => document.documentElement.style.setProperty('font-size', size)"


def address(visit: Visit) -> str:
    return str(visit.page.evaluate("location.hash"))


def panel(visit: Visit) -> str:
    return str(visit.page.evaluate("document.body.dataset.panel ?? ''"))


def test_the_way_back_closes_a_panel_first_and_then_the_puzzle(solved: Visit, sheet: Sheet) -> None:
    for name in PANELS:
        solved.page.click(f"#ask-{name}")
        assert panel(solved) == name
    solved.page.go_back()
    solved.until("() => document.body.dataset.panel === ''")
    assert solved.screen == "puzzle"

    solved.page.go_back()
    solved.until("() => document.body.dataset.screen === 'start'")
    solved.page.go_forward()
    solved.wait_for("good")

    assert solved.shapes("solution") == sheet.empty
    # A panel that was closed takes no step back.
    for name in PANELS:
        solved.page.click(f"#ask-{name}")
        solved.page.click(f"#panel-{name} [data-close]")
    solved.page.go_back()
    solved.until("() => document.body.dataset.screen === 'start'")
    # Home that is tapped twice stays in the page.
    solved.page.go_forward()
    solved.wait_for("good")
    twice = "() => { for (const _ of [1, 2]) document.getElementById('go-home').click(); }"
    solved.page.evaluate(twice)
    solved.page.wait_for_selector('body[data-screen="start"]')
    solved.page.wait_for_timeout(200)  # a second step back would have been taken
    assert solved.screen == "start"


def test_the_way_back_closes_the_pad_corners_and_settings(visit: Visit, sheet: Sheet) -> None:
    visit.page.click("#open-menu")
    visit.page.go_back()
    visit.until("() => !document.querySelector('#menu').open")
    assert visit.screen == "start"
    visit.solve(sheet.path)
    visit.tap(sheet, sheet.empty[0])
    visit.until("() => document.body.dataset.panel === 'pad'")
    visit.page.go_back()
    visit.until("() => document.body.dataset.panel === ''")
    visit.page.click("#open-menu")
    visit.page.click("#menu-corners")
    visit.until("() => document.body.dataset.panel === 'corners'")
    visit.page.go_back()
    visit.until("() => document.body.dataset.panel === ''")

    assert visit.screen == "puzzle"
    assert visit.page.locator(".handle:visible").count() == 0


def test_a_reload_comes_back_to_the_puzzle(solved: Visit, sheet: Sheet) -> None:
    before = address(solved)
    solved.page.click("#ask-share")
    solved.wait_until_kept()
    solved.page.reload()
    solved.wait_for("good")

    assert address(solved) == before != ""
    assert solved.shapes("solution") == sheet.empty
    solved.page.click("#go-home")
    solved.until("() => document.body.dataset.screen === 'start'")
    assert address(solved) == ""


def test_a_puzzle_is_kept_when_the_next_photo_comes_at_once(browser: Browser, sheet: Sheet) -> None:
    pauses = """
      const begin = setTimeout;
      window.setTimeout = (act, ms, ...all) => begin(act, ms === 500 ? 1e9 : ms, ...all);
    """
    with browser.visit(script=pauses) as visit:
        visit.solve(sheet.path)
        first = address(visit)
        visit.solve(sheet.path)
        second = address(visit)
        before = visit.page.get_attribute(".plane img", "src")
        visit.page.go_back()
        visit.until("(it) => location.hash === it", first)
        # What went away was good, too.
        visit.until("(it) => document.querySelector('.plane img').src !== it", before)
        visit.wait_for("good")

        assert len({"", first, second}) == 3
        assert visit.digits("printed") == sheet.clues


def test_the_address_of_a_puzzle_that_is_not_here_shows_the_start(browser: Browser) -> None:
    with browser.visit() as visit:
        visit.page.goto(f"{browser.origin}/#puzzle={'0' * 24}")
        visit.page.reload()
        visit.get_ready()

        assert visit.screen == "start"
        assert address(visit) == ""


def test_a_panel_does_not_move_the_photo_under_the_finger(solved: Visit, sheet: Sheet) -> None:
    solved.rest()
    places = [sheet.middle(cell) for cell in (0, 4, 40, 80)]
    before = [solved.seen_at(place) for place in places]

    for name in (*PANELS, "pad"):
        if name == "pad":
            solved.tap(sheet, sheet.empty[0])
        else:
            solved.page.click(f"#ask-{name}")
        solved.until("(it) => document.body.dataset.panel === it", name)
        solved.rest()
        opened = [solved.seen_at(place) for place in places]
        solved.page.click(f"#panel-{name} [data-close]")
        solved.rest()
        closed = [solved.seen_at(place) for place in places]

        np.testing.assert_allclose([opened, closed], [before, before], atol=1, err_msg=name)

    # A cell that the pad would cover is moved above it.
    cell = sheet.empty[-1]
    solved.tap(sheet, cell)
    solved.until("() => document.body.dataset.panel === 'pad'")
    solved.rest()
    top = solved.page.evaluate("document.querySelector('#side').getBoundingClientRect().top")

    assert solved.seen_at(sheet.middle(cell))[1] < top


@pytest.mark.parametrize("locale", ["de", "fr"])
def test_every_state_fits_any_screen_a_thumb_and_text_of_twice_the_size(
    browser: Browser, sheet: Sheet, locale: str
) -> None:
    with browser.visit(locale=locale) as visit:
        for state in open_every_panel(visit, sheet):
            assert visit.page.evaluate(SMALL) == [], state
            for width, height in ((320, 568), (390, 844), (844, 390), (1280, 800)):
                assert across(visit, width, height) <= width, (state, width)
            visit.page.evaluate(TEXT_SIZE, "200%")
            assert across(visit, 360, 760) <= 360, state
            visit.wait_for_frame()
            assert visit.page.evaluate(CUT_OFF) == [], state
            assert visit.page.evaluate(OVERLAPPING) == [], state
            visit.page.evaluate(TEXT_SIZE, "")
            visit.page.set_viewport_size({"width": 390, "height": 844})


def across(visit: Visit, width: int, height: int) -> int:
    """Return how wide the page is on a screen of a size."""
    visit.page.set_viewport_size({"width": width, "height": height})
    return int(visit.page.evaluate("document.documentElement.scrollWidth"))


def box_of(visit: Visit, selector: str) -> dict[str, float]:
    box: dict[str, float] = visit.page.locator(selector).bounding_box()
    return box


def test_a_phone_on_its_side_uses_its_width(browser: Browser, sheet: Sheet) -> None:
    device: dict[str, Any] = {
        "viewport": {"width": 844, "height": 390},
        "has_touch": True,
        "is_mobile": True,
    }
    with browser.visit(device=device) as visit:
        start, buttons = box_of(visit, "#start"), box_of(visit, "#start-bar")
        visit.solve(sheet.path)
        visit.rest()
        stage, side, actions = (box_of(visit, one) for one in ("#stage", "#side", "#actions"))

        assert buttons["x"] >= start["x"] + start["width"] - 1
        assert stage["height"] > 0.8 * 390
        assert stage["width"] >= 0.5 * 844
        assert side["x"] >= stage["x"] + stage["width"] - 1
        assert actions["x"] >= stage["x"] + stage["width"] - 1


def test_without_scripts_the_page_says_what_it_needs(browser: Browser) -> None:
    with browser.visit(browser.origin, java_script_enabled=False) as visit:
        assert "needs JavaScript" in visit.page.inner_text("noscript")


def test_a_heic_picture_is_seen_and_kept_also_where_it_was_left_unsent(
    browser: Browser, folder: Path, sheet: Sheet
) -> None:
    heic = folder / "page.heic"
    with Image.open(sheet.path) as opened:
        pillow_heif.from_pillow(opened.convert("RGB")).save(heic, quality=90)
    with browser.visit() as visit:
        visit.solve(heic)
        is_seen = visit.page.is_visible("#stage")
        visit.go_home("img")
        visit.page.reload()
        visit.open_recent()

        assert is_seen
        assert visit.digits("printed") == sheet.clues
        assert visit.page.is_visible("#stage")

    with browser.visit() as visit:
        visit.page.context.set_offline(True)
        visit.choose(heic)
        visit.wait_to_read("The connection is lost")
        visit.go_home()
        visit.page.context.set_offline(False)
        visit.open_recent()

        assert visit.digits("printed") == sheet.clues
