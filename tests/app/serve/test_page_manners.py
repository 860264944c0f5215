"""The phone page's manners: languages, keys, names, axe, sizes, and what leaves the phone."""

import json
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from page_rig import COMPUTER, PHONE, Browser, Visit
from page_sheets import Sheet
from page_states import find_grave_faults, open_every_panel
from PIL import Image

from app.serve.api.page_files import FOLDER
from app.serve.api.problems import page_of
from vision.media.images import save_image

SAID: Final = "(words) => document.querySelector('#share-text').textContent === words"


@pytest.mark.parametrize(
    ("locale", "headline", "solved"),
    [
        ("fr-CA", "Photographier un sudoku", "Résolu · une seule solution"),
        ("fi", "Photograph a Sudoku", "Solved · exactly one solution"),
    ],
)
def test_the_page_speaks_the_phones_language(
    browser: Browser, sheet: Sheet, locale: str, headline: str, solved: str
) -> None:
    with browser.visit(locale=locale) as visit:
        first = visit.page.inner_text(".hero h2")
        visit.solve(sheet.path)

        assert first == headline
        assert visit.headline == solved


def test_the_whole_start_is_seen_on_a_phone_that_lies(browser: Browser) -> None:
    lying = {**PHONE, "viewport": {"width": 667, "height": 375}}
    with browser.visit(device=lying, locale="de") as visit:
        width, wanted = visit.page.evaluate(
            "(({ clientWidth, scrollWidth }) => [clientWidth, scrollWidth])"
            "(document.querySelector('#start'))"
        )

        assert wanted <= width


def test_what_is_chosen_in_the_menu_stays(visit: Visit, sheet: Sheet) -> None:
    visit.page.click("#open-menu")
    visit.page.select_option("#language", "fr")
    visit.until("() => document.documentElement.lang === 'fr'")
    visit.page.select_option("#look", "dark")
    visit.page.click("#at-once")
    visit.page.reload()
    visit.until("() => document.documentElement.lang === 'fr'")
    visit.until("() => document.documentElement.dataset.look === 'dark'")
    ground = visit.page.evaluate("getComputedStyle(document.body).backgroundColor")
    visit.solve(sheet.path)
    shown, told = visit.shapes("solution"), visit.page.inner_text("#detail")
    visit.page.click("#ask-hint")
    visit.until("() => /regarder\\s:/.test(document.querySelector('#hint-text').textContent)")

    assert visit.page.inner_text("#hint-more") == "Quelles cases ?"
    assert ground == "rgb(29, 31, 34)"
    assert shown == []  # it waits for a person who wants to solve
    assert "La solution est cachée." in told


def test_a_language_that_cannot_be_loaded_is_not_taken(visit: Visit) -> None:
    visit.page.context.set_offline(True)
    visit.page.click("#open-menu")
    visit.page.select_option("#language", "fr")
    visit.until("() => document.querySelector('#about').textContent === 'The connection is lost'")
    visit.page.context.set_offline(False)
    visit.page.reload()
    visit.get_ready()

    assert visit.page.inner_text(".hero h2") == "Photograph a Sudoku"


@pytest.mark.parametrize("device", [PHONE, COMPUTER], ids=["phone", "computer"])
def test_axe_finds_no_fault_in_state_or_look(browser: Browser, sheet: Sheet, device: Any) -> None:
    with browser.visit(device=device) as visit:
        for state in open_every_panel(visit, sheet):
            for look in ("dark", "light") if device is PHONE else ("light",):
                visit.page.emulate_media(color_scheme=look)
                visit.rest()
                assert visit.page.evaluate("document.documentElement.dataset.look") == look
                assert find_grave_faults(visit) == [], (state, look)


def test_a_puzzle_is_corrected_and_revealed_by_keys_alone(desk: Visit, sheet: Sheet) -> None:
    desk.solve(sheet.path)
    keys = desk.page.keyboard
    keys.press("s")
    hidden = desk.shapes("solution")
    keys.press("ArrowRight")  # begins in the middle
    for _ in range(4):
        keys.press("ArrowUp")
        keys.press("ArrowLeft")
    corner = desk.page.evaluate("document.activeElement.getAttribute('aria-label')")
    for _ in range(sheet.empty[0]):
        keys.press("ArrowRight")
    keys.press("Space")
    revealed = desk.shapes("solution")
    keys.press(next(sign for sign in sheet.clues[:9] if sign != "."))
    desk.wait_for("bad")
    keys.press("Control+z")
    desk.wait_for("good")
    keys.press("s")

    assert hidden == []
    assert corner.startswith("row 1, column 1: ")
    assert sheet.empty[0] < 9
    assert revealed == sheet.empty[:1]
    assert desk.shapes("solution") == sheet.empty


def test_keys_reach_every_button_and_the_focus_is_seen(browser: Browser, sheet: Sheet) -> None:
    with browser.visit(device=COMPUTER, reduced_motion="reduce") as visit:
        visit.solve(sheet.path)
        # Nothing moves for whoever wants no motion.
        assert visit.page.evaluate("document.getAnimations().length") == 0
        reached = set()
        for _ in range(30):
            visit.page.keyboard.press("Tab")
            name, outline = visit.page.evaluate(
                """() => {
                  const one = document.activeElement;
                  const seen = one.matches("input") ? one.closest("label") : one;
                  const { outlineStyle, outlineWidth } = getComputedStyle(seen);
                  return [one.id || one.getAttribute("role"), `${outlineStyle} ${outlineWidth}`];
                }"""
            )
            reached.add(name)
            assert name is None or outline == "solid 3px", name
        wanted = {"go-home", "open-menu", "stage", "gridcell", "toggle-solution", "again-input"}

        assert wanted | {"ask-hint", "ask-check", "ask-share"} <= reached


def test_a_large_photo_is_sent_smaller(visit: Visit, folder: Path, sheet: Sheet) -> None:
    with Image.open(sheet.path) as opened:
        opened.resize((3920, 3760)).save(folder / "large.jpg", quality=95)
    with visit.page.expect_request("**/api/photos") as sent:
        visit.solve(folder / "large.jpg")
    report = sent.value.response().json()

    assert max(report["width"], report["height"]) == 2000
    assert sent.value.headers["content-type"] == "image/jpeg"
    assert visit.digits("printed") == sheet.clues


def test_a_sideways_photo_is_seen_upright(visit: Visit, folder: Path, sheet: Sheet) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    path = folder / "turned.jpg"
    with Image.open(sheet.path) as opened:
        upright = opened.size
        opened.transpose(Image.Transpose.ROTATE_90).save(path, exif=exif, quality=95)
    visit.solve(path)
    visit.rest()
    box = visit.page.locator(".plane path.solution").first.bounding_box()
    at = visit.seen_at(sheet.middle(sheet.empty[0]))
    size = visit.page.evaluate(
        "[document.querySelector('.plane').offsetWidth,"
        " document.querySelector('.plane').offsetHeight]"
    )

    assert tuple(size) == upright
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert np.hypot(middle[0] - at[0], middle[1] - at[1]) < 5


def test_puzzle_and_solution_are_copied_also_unencrypted(browser: Browser, sheet: Sheet) -> None:
    with browser.visit(permissions=["clipboard-read", "clipboard-write"]) as visit:
        visit.solve(sheet.path)
        visit.page.click("#ask-share")
        copied = []
        for what in ("puzzle", "solution"):
            visit.page.click(f"#copy-{what}")
            visit.until(SAID, f"The {what} is copied.")
            copied.append(visit.page.evaluate("navigator.clipboard.readText()"))

        assert copied == [sheet.clues, sheet.solution]
        # Nothing is said of it beside the next puzzle.
        visit.solve(sheet.path)
        visit.page.click("#ask-share")
        assert visit.page.inner_text("#share-text") == ""
        # Of a page that is not encrypted, browsers keep this.
        visit.page.evaluate(
            "() => void (navigator.clipboard.writeText = () => Promise.reject(Error('no')))"
        )
        visit.page.click("#copy-puzzle")
        visit.until(SAID, "The puzzle is copied.")

        assert visit.page.evaluate("navigator.clipboard.readText()") == sheet.clues


def test_the_solved_picture_is_saved_and_shared_with_the_solution_on_it(
    visit: Visit, folder: Path, sheet: Sheet
) -> None:
    visit.page.evaluate(
        """() => {
          navigator.canShare = () => true;
          navigator.share = async (what) => {
            const [file] = what.files;
            window.shared = `${file.type} ${file.name} ${file.size > 10000}`;
          };
        }"""
    )
    visit.solve(sheet.path)
    visit.page.click("#ask-share")
    with visit.page.expect_download() as saving:
        visit.page.click("#save-picture")
    path = folder / "saved.jpg"
    saving.value.save_as(path)

    assert saving.value.suggested_filename.endswith(".jpg")
    with Image.open(path) as saved, Image.open(sheet.path) as photo:
        assert saved.size == photo.size
        pixels, before = np.asarray(saved.convert("RGB")), np.asarray(photo.convert("RGB"))
    for cell in range(81):
        x, y = map(round, sheet.middle(cell))
        part = (slice(y - 18, y + 18), slice(x - 18, x + 18))
        green = pixels[part].astype(int)
        has_green = bool(((green[..., 1] - green[..., 0] > 60) & (green[..., 0] < 90)).any())
        assert has_green == (sheet.clues[cell] == "."), cell
    corner = np.abs(pixels[:40, :40].astype(int) - before[:40, :40]).max()
    assert corner < 12
    visit.page.click("#share-picture")
    visit.until("() => window.shared !== undefined")

    kind, name, is_large = visit.page.evaluate("window.shared").split(" ")
    assert (kind, is_large) == ("image/jpeg", "true")
    assert name.startswith("sudoku-")
    # So is the puzzle, for other programs.
    visit.page.select_option("#form", "opensudoku")
    with visit.page.expect_download() as saving:
        visit.page.click("#save-form")
    name, text = saving.value.suggested_filename, Path(saving.value.path()).read_text()

    assert name.startswith("sudoku")
    assert sheet.clues.replace(".", "0") in text.replace(".", "0")


def test_the_page_is_small(visit: Visit) -> None:
    visit.page.evaluate("import('/page/live.js')")
    sent, unpacked = visit.page.evaluate(
        """() => ["encodedBodySize", "decodedBodySize"].map((kind) =>
          ["navigation", "resource"]
            .flatMap((kind) => performance.getEntriesByType(kind))
            .filter((one) => !one.name.endsWith(".png"))
            .reduce((sum, one) => sum + one[kind], 0))"""
    )

    assert 20_000 < sent <= 100_000
    assert sent < unpacked <= 280_000


def test_the_manifest_names_icons_that_are_there() -> None:
    icons = json.loads((FOLDER / "manifest.webmanifest").read_text(encoding="utf-8"))["icons"]

    assert len(icons) == 3
    for icon in icons:
        with Image.open(FOLDER / icon["src"].lstrip("/")) as picture:
            assert icon["sizes"] == "{}x{}".format(*picture.size)


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
