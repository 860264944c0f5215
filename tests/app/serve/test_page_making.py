"""The phone page where there is no photo: puzzles typed, made and printed, and lessons."""

import json
import re
from typing import TYPE_CHECKING

import numpy as np
import pytest
from kind_puzzles import make_kind
from page_rig import Browser, Visit
from puzzles import EASY, EASY_SOLUTION

from app.serve.api.puzzle_tasks import find_position
from app.serve.api.schemas import PositionWish
from solver.formats_links import compress_to_base64, f_puzzles_link, parse_link
from solver.rules import Kind

if TYPE_CHECKING:
    from app.recognition.pipeline import Pipeline


def make(visit: Visit, kind: str, size: str) -> dict[str, str]:
    """Have a puzzle made, and return what the server says of it."""
    visit.page.click("#open-making")
    visit.page.select_option("#making-kind", kind)
    visit.page.select_option("#making-size", size)
    with visit.page.expect_response("**/api/creations") as answered:
        visit.page.click("#making-act")
    visit.page.wait_for_selector("#panel-play", state="visible")
    made: dict[str, str] = answered.value.json()
    return made


@pytest.mark.parametrize(("kind", "size"), [("jigsaw", "6"), ("killer", "4")])
def test_a_new_puzzle_of_a_kind_is_there_to_be_solved(visit: Visit, kind: str, size: str) -> None:
    made = make(visit, kind, size)

    assert (made["kind"], str(made["side"])) == (kind, size)
    assert visit.headline == "You are solving it"
    assert visit.page.locator(".clean path.solution").count() == 0
    cells = [at for at, sign in enumerate(made["clues"]) if sign == "."]
    assert visit.page.locator(".clean path.clue").count() == int(size) ** 2 - len(cells)
    if size == "4":
        for cell in cells:
            visit.choose_cell(cell)
            visit.page.keyboard.press(made["solution"][cell])
        visit.wait_for("good")
        assert visit.headline.startswith("Solved by you in ")
    else:  # it keeps its solution to itself when it is opened again
        visit.page.click("#panel-play [data-close]")
        visit.page.click("#go-home")
        visit.open_recent()
        assert visit.page.locator(".clean path.solution").count() == 0


def test_a_puzzle_that_takes_long_is_called_off(visit: Visit) -> None:
    held = visit.hold("**/api/creations")
    visit.page.click("#open-making")
    visit.page.click("#making-act")
    visit.wait_for_one(held)
    told = visit.page.inner_text("#making-said")
    with visit.page.expect_event("requestfailed") as failed:
        visit.page.click("text=Stop")
    visit.page.click("text=Make it")

    assert told == "Making the puzzle …"
    assert failed.value.url.endswith("/api/creations")
    visit.until("() => document.querySelector('#making-act').textContent === 'Stop'")


def test_what_is_not_made_is_said_with_what_to_do_next(visit: Visit) -> None:
    visit.page.route(
        "**/api/creations", lambda route: route.fulfill(status=422, json={"code": "too_hard"})
    )
    visit.page.click("#open-making")
    visit.page.click("#making-act")
    visit.until("() => document.querySelector('#making-said').textContent.includes('again')")

    assert visit.page.is_enabled("#making-kind")


@pytest.mark.parametrize("name", ["making", "live"])
def test_what_cannot_be_loaded_without_the_computer_is_said(visit: Visit, name: str) -> None:
    visit.page.route(f"**/page/{name}.js", lambda route: route.abort())
    visit.page.click(f"#open-{name}")
    visit.until("() => document.querySelector('#start-text').textContent.includes('lost')")


@pytest.mark.parametrize(
    ("name", "opened"), [("making", "#making"), ("lessons", "#lessons"), ("live", ".live-view")]
)
def test_two_quick_taps_open_one_thing(visit: Visit, name: str, opened: str) -> None:
    button = f"document.querySelector('#open-{name}')"
    visit.page.evaluate(f"() => {{ {button}.click(); {button}.click(); }}")
    visit.page.click(f"{opened} [aria-label=Close]")
    visit.page.wait_for_selector("body[data-screen=start]")

    assert visit.page.locator(opened).count() == 0
    assert visit.page.locator("body > [inert]").count() == 0


def practise(visit: Visit) -> tuple[str, int]:
    """Practise what is shown; return the technique of the hint, and how many notes there were."""
    visit.page.click("#lessons-act")
    visit.page.wait_for_selector("#panel-play", state="visible")
    noted = visit.page.locator(".clean path.centre").count()
    visit.page.click("#ask-hint")
    visit.until("() => document.querySelector('#hint-text').textContent.startsWith('Look')")
    with visit.page.expect_response("**/api/hints") as answered:
        visit.page.click("#hint-more")
    return str(answered.value.json()["lesson"]["technique"]), noted


def test_a_technique_of_killers_is_shown_and_practised_on_a_killer(desk: Visit) -> None:
    desk.page.click("#open-lessons")
    desk.page.wait_for_selector("#lessons-page svg")
    with desk.page.expect_response("**/api/lessons"):
        desk.page.select_option("#lessons-names", "cage_combinations")
    desk.page.wait_for_selector("#lessons-page path.cage", state="attached")

    assert practise(desk)[0] == "cage_combinations"
    assert desk.headline == "Practice: Cage combinations"
    assert desk.page.locator(".clean path.sum").count() > 5


def test_what_easier_steps_struck_is_noted_for_practice(desk: Visit, pipeline: "Pipeline") -> None:
    found = find_position(pipeline, PositionWish(technique="jellyfish"), seconds=0)
    desk.page.route("**/api/practices", lambda route: route.fulfill(json=found))
    desk.page.click("#open-lessons")
    desk.page.wait_for_selector("#lessons-page svg")
    desk.page.select_option("#lessons-names", "jellyfish")
    desk.until("() => /columns/.test(document.querySelector('#lessons-page').textContent)")

    technique, noted = practise(desk)

    assert noted > 20
    assert technique == "jellyfish"


def test_a_puzzle_is_printed_with_its_rules_and_without_what_was_written(browser: Browser) -> None:
    with browser.visit(script="window.print = () => (window.isPrinted = true)") as visit:
        made = make(visit, "windoku", "9")
        visit.choose_cell(made["clues"].index("."))
        visit.page.keyboard.press("1")
        visit.page.click("#ask-share")
        visit.page.click("#print-puzzle")
        visit.page.evaluate("dispatchEvent(new Event('beforeprint'))")
        visit.page.emulate_media(media="print")

        assert visit.page.evaluate("window.isPrinted")
        assert visit.page.is_visible(".paper svg")
        assert not visit.page.is_visible("main")
        assert visit.page.locator(".paper path.window").count() > 1
        clues = len(re.findall(r"\d", made["clues"]))
        assert visit.page.locator(".paper path.clue").count() == clues
        assert visit.page.locator(".paper path.entry").count() == 0


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


@pytest.mark.parametrize("empty", "-x?")
def test_other_signs_of_empty_cells_are_read(visit: Visit, empty: str) -> None:
    visit.type_puzzle(EASY.replace(".", empty))
    visit.wait_for("good")

    assert visit.digits("printed") == EASY


def test_a_text_that_is_no_puzzle_is_told_so(visit: Visit) -> None:
    visit.type_puzzle(EASY[:-2])
    visit.page.wait_for_selector("#typed-wrong:not(:empty)")
    told = visit.page.inner_text("#typed-wrong")
    visit.page.go_back()
    visit.until("() => !document.querySelector('#typing').open")

    assert told.startswith("This text has 79 cells, and a puzzle has 81.")
    assert visit.screen == "start"


def test_a_text_that_is_too_large_is_not_called_a_picture(visit: Visit) -> None:
    visit.type_puzzle("1" * 70_000)
    visit.page.wait_for_selector("#typed-wrong:not(:empty)")

    assert visit.page.inner_text("#typed-wrong") == "This is too large to be sent"


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
