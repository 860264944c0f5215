"""The phone page where answers are late, and where hands are quicker than it."""

from pathlib import Path
from typing import Final

from page_rig import Browser, Visit
from page_sheets import Sheet, make_sheet, save_rendered

HOLD_PICTURE: Final = """() => {
  const made = window.createImageBitmap;
  window.createImageBitmap = (...all) => {
    window.createImageBitmap = made;
    return new Promise((resolve, reject) => {
      window.openPicture = async () => {
        const picture = made(...all);
        picture.then(resolve, reject);
        await picture;
      };
    });
  };
}"""
"""Opens the next picture only once `openPicture` is called, and then waits for it."""


def size_of_photo(visit: Visit) -> list[int]:
    """Return width and height of the photo that is seen, in its own pixels."""
    script = "e => [e.naturalWidth, e.naturalHeight]"
    return list(visit.page.eval_on_selector(".plane img", script))


def test_no_entry_is_judged_by_what_was_before_a_correction(desk: Visit, folder: Path) -> None:
    path = save_rendered(folder / "written.jpg", 2, 4)
    board = desk.solve_board(path)
    right, (wrong, *_) = board["checked"]["right"], board["checked"]["wrong"]
    held = desk.hold("**/api/puzzles")
    desk.choose_cell(wrong)
    desk.page.keyboard.press(board["solution"][wrong])
    desk.wait_for("busy")
    desk.page.keyboard.press("k")

    meanwhile, marked = desk.page.inner_text("#check-text"), desk.shapes("tint")
    desk.let_go(held)
    desk.wait_for("good")

    assert meanwhile == "Solving …"
    assert marked == []
    assert desk.page.inner_text("#check-text") == f"All {len(right) + 1} entries are right."


def test_entries_of_a_board_no_longer_solved_are_not_judged(desk: Visit, folder: Path) -> None:
    path = save_rendered(folder / "written.jpg", 2, 4)
    clues = desk.solve_board(path)["clues"]
    first = next(cell for cell, sign in enumerate(clues) if sign != ".")
    same = next(sign for cell, sign in enumerate(clues[:9]) if sign != "." and cell != first)
    desk.choose_cell(first)
    desk.page.keyboard.press(same)
    desk.wait_for("bad")
    desk.page.keyboard.press("k")

    assert desk.page.inner_text("#check-text").startswith("Entries cannot be checked")
    assert not [name for name in desk.cells() if name.endswith((", right", ", wrong"))]


def test_a_board_read_anew_takes_its_own_place_whichever_is_seen(desk: Visit, folder: Path) -> None:
    path = save_rendered(folder / "two.jpg", 1, 3, 2)
    desk.solve(path)
    first = desk.digits("printed")
    desk.page.keyboard.press("n")
    second = desk.digits("printed")
    desk.page.keyboard.press("p")
    held = desk.hold("**/api/photos?corners=*")
    desk.page.click("#read-corners")
    desk.wait_for_one(held)
    desk.page.keyboard.press("n")
    desk.let_go(held)
    desk.wait_for("good")
    found = [desk.digits("printed")]
    desk.page.keyboard.press("n")
    found.append(desk.digits("printed"))

    assert sorted(found) == sorted([first, second])
    assert desk.page.inner_text("#board-number").endswith("of 2")


def test_trying_again_sends_the_photo_that_was_called_off_and_none_before(
    visit: Visit, folder: Path, sheet: Sheet
) -> None:
    other = make_sheet(folder, 5)
    visit.solve(sheet.path)
    # As on a phone where a large photo takes a while to be made smaller.
    visit.page.evaluate(HOLD_PICTURE)
    visit.choose(other.path)
    visit.wait_for("busy")
    visit.page.click("#status-action")
    visit.wait_to_read("Stopped")
    visit.page.click("#status-action")
    visit.wait_for("good")
    visit.page.evaluate("openPicture()")
    visit.rest()

    assert visit.digits("printed") == other.clues


def test_a_kept_puzzle_that_opens_slowly_does_not_come_between_a_photo_and_its_boards(
    visit: Visit, folder: Path, sheet: Sheet
) -> None:
    other = save_rendered(folder / "other.jpg", 1, 3, 1)
    visit.solve(sheet.path)
    visit.go_home()
    visit.page.evaluate(HOLD_PICTURE)
    held = visit.hold("**/api/photos")
    visit.page.click("#recent-list .open")
    visit.until("() => 'openPicture' in window")
    visit.choose(other)
    visit.wait_for_one(held)
    visit.page.evaluate("openPicture()")
    visit.wait_for_frame()
    visit.let_go(held)
    visit.wait_for("good")
    visit.rest()

    assert visit.digits("printed") != sheet.clues
    assert size_of_photo(visit) != [980, 940]


def test_photos_left_on_their_way_are_sent_again(visit: Visit, folder: Path, sheet: Sheet) -> None:
    count = "([kind, count]) => document.querySelectorAll(`#recent-list ${kind}`).length === count"
    visit.page.context.set_offline(True)
    for number, path in enumerate((sheet.path, make_sheet(folder, 5).path, sheet.path), 1):
        visit.choose(path)
        visit.wait_to_read("The connection is lost")
        visit.page.go_back()
        visit.until(count, ["li", number])
    visit.page.click("#edit-recent")
    visit.page.locator("#recent-list .delete").first.click()
    visit.until(count, ["li", 2])
    visit.page.context.set_offline(False)
    visit.until(count, ["i.good", 2])
    visit.page.locator("#recent-list .open").last.click()
    visit.wait_for("good")

    assert visit.digits("printed") == sheet.clues


def test_a_photo_left_on_its_way_and_refused_is_not_resent(browser: Browser, sheet: Sheet) -> None:
    asked: list[str] = []
    with browser.visit() as visit:
        visit.page.context.set_offline(True)
        visit.choose(sheet.path)
        visit.wait_to_read("The connection is lost")
        visit.go_home()
        visit.page.on("request", lambda request: asked.append(request.url))
        visit.page.route("**/api/photos", lambda route: route.fulfill(json={"boards": []}))
        visit.page.context.set_offline(False)
        visit.until(
            "() => !document.querySelector('#recent-list .when').innerText.includes('sent')"
        )
        visit.page.reload()
        visit.get_ready()
        visit.page.wait_for_load_state("networkidle")

        assert [url for url in asked if url.endswith("/api/photos")] == [
            f"{browser.origin}/api/photos"
        ]
        visit.page.unroute("**/api/photos")
        visit.open_recent()


def test_a_puzzle_is_kept_at_once_where_the_page_is_hidden(browser: Browser, sheet: Sheet) -> None:
    with browser.visit() as visit:
        # No time is left to a page that a phone puts away.
        visit.page.evaluate("() => void (window.setTimeout = () => 1)")
        visit.solve(sheet.path)
        visit.put_away()
        visit.wait_until_kept()
        visit.page.goto(f"{browser.origin}/page/look.css")
        visit.page.goto(browser.origin)
        visit.open_recent()

        assert visit.digits("printed") == sheet.clues


def test_a_puzzle_that_cannot_be_kept_holds_up_no_other(
    browser: Browser, folder: Path, sheet: Sheet
) -> None:
    other = make_sheet(folder, 5)
    # As on a phone that has no memory left for one more picture.
    failing = """const made = HTMLCanvasElement.prototype.toBlob;
    HTMLCanvasElement.prototype.toBlob = function (...all) {
      if (this.width !== 240) return made.apply(this, all);
      HTMLCanvasElement.prototype.toBlob = made;
      throw new Error("planted");
    };"""
    with browser.visit(script=failing) as visit:
        visit.solve(sheet.path)
        visit.page.click("#go-home")
        visit.page.wait_for_selector("#start:not([hidden])")
        visit.solve(other.path)
        visit.page.click("#go-home")
        visit.until("() => document.querySelectorAll('#recent-list li').length === 1")

        assert set(visit.said) == {"planted"}
        visit.said.clear()


def test_a_photo_that_has_just_arrived_is_not_lost(browser: Browser, sheet: Sheet) -> None:
    """Its puzzle is kept a moment later; until then the photo waits, to be sent again."""
    script = """const made = HTMLCanvasElement.prototype.toBlob;
    HTMLCanvasElement.prototype.toBlob = function (done, ...all) {
      if (this.width === 240 && !sessionStorage.isBack) return undefined;
      return made.call(this, done, ...all);
    };"""
    with browser.visit(script=script) as visit:
        visit.solve(sheet.path)
        visit.page.evaluate("sessionStorage.isBack = 1")
        visit.page.reload()
        visit.wait_for("good")

        assert visit.digits("printed") == sheet.clues


def correct(visit: Visit, cell: int, answers: str) -> None:
    visit.choose_cell(cell)
    visit.page.keyboard.press(answers[cell])


def test_a_correction_right_before_the_page_is_closed_is_kept(solved: Visit, sheet: Sheet) -> None:
    # Nothing that is put off is ever done.
    solved.wait_until_kept()
    solved.page.evaluate("() => void (window.setTimeout = () => 1)")
    solved.page.click("#view-board")
    empty = [cell for cell, clue in enumerate(sheet.clues) if clue == "."]
    answers = solved.digits("solution")
    correct(solved, empty[0], answers)
    # Nor does a picture become small in time, which the next step must not wait for.
    solved.page.evaluate("() => void (HTMLCanvasElement.prototype.toBlob = () => {})")
    solved.put_away()
    correct(solved, empty[1], answers)
    solved.page.reload()
    solved.wait_for("good")

    assert solved.digits("printed").count(".") == sheet.clues.count(".") - 2
