"""A puzzle that is typed or pasted on the phone page, without a photo."""

import json

import numpy as np
from kind_puzzles import make_kind
from page_rig import Browser, Visit
from puzzles import EASY, EASY_SOLUTION

from solver.formats_links import compress_to_base64, f_puzzles_link, parse_link
from solver.rules import Kind

EMPTY = [cell for cell, sign in enumerate(EASY) if sign == "."]
ROWS = [EASY[row : row + 9] for row in range(0, 81, 9)]
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


def test_a_pasted_text_is_solved_and_kept(visit: Visit) -> None:
    visit.type_puzzle(DRAWN)
    visit.wait_for("good")
    solved = visit.digits("solution")
    visit.go_home("img")
    visit.page.reload()
    visit.open_recent()

    assert [solved[cell] for cell in EMPTY] == [EASY_SOLUTION[cell] for cell in EMPTY]
    assert visit.digits("printed") == EASY
    assert visit.page.is_hidden("#stage")


def test_a_text_that_is_no_puzzle_is_told_so(visit: Visit) -> None:
    visit.type_puzzle(EASY[:-2])
    told = visit.page.inner_text("#typed-wrong")
    visit.page.go_back()
    visit.until("() => !document.querySelector('#typing').open")

    assert told.startswith("This text has 79 cells, and a puzzle has 81.")
    assert visit.screen == "start"


def test_a_pasted_link_is_solved_by_its_rules_and_copied_with_them(visit: Visit) -> None:
    puzzle = make_kind(Kind.KILLER, 6, seed=2)
    assert puzzle.solution is not None
    link = f_puzzles_link(puzzle)
    visit.type_puzzle(link)
    visit.wait_for("good")
    solved = visit.digits("solution")
    visit.page.click("#ask-share")
    visit.page.select_option("#form", "fpuzzles")
    visit.page.evaluate("navigator.clipboard.writeText = async (text) => (window.told = text)")
    visit.page.click("#save-form")
    visit.until("() => window.told")
    again = parse_link(visit.page.evaluate("window.told"))

    empty = np.flatnonzero(puzzle.clues == 0)
    assert [solved[cell] for cell in empty] == [str(puzzle.solution.flat[cell]) for cell in empty]
    assert set(again.rules.cages) == set(puzzle.rules.cages)
    np.testing.assert_array_equal(again.clues, puzzle.clues)


def test_what_a_link_has_that_is_not_known_is_named(browser: Browser) -> None:
    puzzle = {"size": 4, "grid": [[{}] * 4] * 4, "thermometer": [{"lines": [["R1C1", "R1C2"]]}]}
    link = "https://www.f-puzzles.com/?load=" + compress_to_base64(json.dumps(puzzle))
    with browser.visit(locale="de") as visit:
        visit.type_puzzle(link)
        visit.page.wait_for_selector("#typed-wrong:not(:empty)")
        told = visit.page.inner_text("#typed-wrong")

    assert told.startswith(
        "Dieser Text lässt sich nicht öffnen. The f-puzzles link has constraints"
    )
    assert "not known: thermometer" in told


def test_digits_are_typed_on_an_empty_board_until_it_is_solved(desk: Visit) -> None:
    desk.page.click("#open-typing")
    desk.page.click("#type-empty")
    desk.page.wait_for_selector("[role=gridcell]")
    first = desk.headline
    cells = desk.page.locator("[role=gridcell]")
    for cell, sign in enumerate(EASY):
        if sign != ".":
            cells.nth(cell).click()
            desk.page.keyboard.press(sign)
    desk.wait_for("good")
    desk.until(
        """async (clues) => {
          const { listPuzzles } = await import("/page/recent.js");
          const [kept] = await listPuzzles();
          return kept?.boards[0].clues === clues && kept.boards[0].solution !== null;
        }""",
        EASY,
    )
    desk.page.reload()
    desk.wait_for("good")

    assert first == "Type or paste a puzzle"
    assert desk.digits("printed") == EASY


def test_a_text_can_be_pasted_right_into_the_page(desk: Visit) -> None:
    desk.page.evaluate(
        """(text) => {
          const clipboardData = new DataTransfer();
          clipboardData.setData("text", text);
          document.body.dispatchEvent(
            new ClipboardEvent("paste", { clipboardData, bubbles: true }));
        }""",
        EASY,
    )
    desk.wait_for("good")

    assert desk.digits("printed") == EASY
