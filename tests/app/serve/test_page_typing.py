"""A puzzle that is typed or pasted on the phone page, without a photo."""

import pytest
from page_rig import COMPUTER, Browser
from serve_rig import CLUES, SOLUTION

pytestmark = pytest.mark.slow

EMPTY = [cell for cell, sign in enumerate(CLUES) if sign == "."]
ROWS = [CLUES[row : row + 9] for row in range(0, 81, 9)]
DRAWN = "\n".join(
    line
    for band in range(3)
    for line in (
        "+-------+-------+-------+",
        *(
            f"| {' '.join(row[:3])} | {' '.join(row[3:6])} | {' '.join(row[6:])} |"
            for row in ROWS[3 * band : 3 * band + 3]
        ),
    )
)


@pytest.mark.parametrize(
    "text", [CLUES, CLUES.replace(".", "0"), "\n".join(ROWS).replace(".", "_"), DRAWN]
)
def test_a_pasted_text_is_solved_and_kept(browser: Browser, text: str) -> None:
    with browser.visit() as visit:
        visit.page.click("#open-typing")
        visit.page.fill("#typed", text)
        visit.page.click("#type-open")
        visit.wait_for("good")
        solved = visit.digits("solution")
        visit.page.click("#go-home")
        visit.page.wait_for_selector("#recent-list img")
        visit.page.reload()
        visit.page.click("#recent-list .open")
        visit.wait_for("good")

        assert [solved[cell] for cell in EMPTY] == [SOLUTION[cell] for cell in EMPTY]
        assert visit.digits("printed") == CLUES
        assert visit.page.is_hidden("#stage")


def test_a_text_that_is_no_puzzle_is_told_so(browser: Browser) -> None:
    with browser.visit() as visit:
        visit.page.click("#open-typing")
        visit.page.fill("#typed", CLUES[:-2])
        visit.page.click("#type-open")
        told = visit.page.inner_text("#typed-wrong")
        visit.page.go_back()
        visit.until("() => !document.querySelector('#typing').open")

        assert told.startswith("This text has 79 cells, and a puzzle has 81.")
        assert visit.screen == "start"


def test_digits_are_typed_on_an_empty_board_until_it_is_solved(browser: Browser) -> None:
    with browser.visit(device=COMPUTER) as visit:
        visit.page.click("#open-typing")
        visit.page.click("#type-empty")
        visit.page.wait_for_selector("[role=gridcell]")
        first = visit.headline
        cells = visit.page.locator("[role=gridcell]")
        for cell, sign in enumerate(CLUES):
            if sign != ".":
                cells.nth(cell).click()
                visit.page.keyboard.press(sign)
        visit.wait_for("good")
        visit.until(
            """async (clues) => {
              const { listPuzzles } = await import("/page/recent.js");
              const [kept] = await listPuzzles();
              return kept?.boards[0].clues === clues && kept.boards[0].solution !== null;
            }""",
            CLUES,
        )
        visit.page.reload()
        visit.wait_for("good")

        assert first == "Type or paste a puzzle"
        assert visit.digits("printed") == CLUES


def test_what_contradicts_itself_is_told(browser: Browser) -> None:
    with browser.visit() as visit:
        visit.page.click("#open-typing")
        visit.page.fill("#typed", "55" + CLUES[2:])
        visit.page.click("#type-open")
        visit.wait_for("bad")

        assert "stands twice" in visit.page.inner_text("#detail")
        assert visit.digits("solution") == "." * 81


def test_a_text_can_be_pasted_right_into_the_page(browser: Browser) -> None:
    with browser.visit(device=COMPUTER) as visit:
        visit.page.evaluate(
            """(text) => {
              const clipboardData = new DataTransfer();
              clipboardData.setData("text", text);
              document.body.dispatchEvent(
                new ClipboardEvent("paste", { clipboardData, bubbles: true }));
            }""",
            CLUES,
        )
        visit.wait_for("good")

        assert visit.digits("printed") == CLUES
