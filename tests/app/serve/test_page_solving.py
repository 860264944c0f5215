"""The phone page: from a photo to its solution, to corrections, hints and checks."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from page_rig import Browser, Visit
from page_sheets import Sheet, make_sheet, save_rendered
from present import present
from puzzles import TWO_SOLUTIONS

from solver.grid import parse_grid
from training.evaluation.changed_cells import choose_clue
from training.pages.flat_board import render_board
from vision.media.images import save_image


@pytest.fixture(scope="module")
def two_boards(folder: Path) -> Path:
    return save_rendered(folder / "two.jpg", 1, 3, 2)


@pytest.fixture
def moving(browser: Browser) -> Iterator[Visit]:
    """The page with all its motion, which tests of other things do without."""
    with browser.visit(reduced_motion="no-preference") as begun:
        yield begun


def test_the_solution_lies_over_the_photo_and_can_be_hidden(moving: Visit, sheet: Sheet) -> None:
    visit = moving
    visit.solve(sheet.path)
    assert visit.page.evaluate("document.getAnimations().length") > 0
    visit.rest()

    assert visit.digits("printed") == sheet.clues
    shown = visit.digits("solution")
    assert shown == "".join(
        "." if printed != "." else digit
        for printed, digit in zip(sheet.clues, sheet.solution, strict=True)
    )
    assert visit.shapes("solution") == sheet.empty
    assert visit.headline == "Solved · exactly one solution"
    boxes = visit.page.eval_on_selector_all(
        ".plane path.solution",
        """e => e.map((one) => {
          const box = one.getBoundingClientRect();
          return [Number(one.dataset.cell), box.x + box.width / 2, box.y + box.height / 2];
        })""",
    )

    # Each digit lies in the middle of its cell.
    first, second = visit.seen_at(sheet.middle(0)), visit.seen_at(sheet.middle(1))
    cell_px = np.hypot(second[0] - first[0], second[1] - first[1])
    for cell, x, y in boxes:
        at = visit.seen_at(sheet.middle(cell))
        assert np.hypot(x - at[0], y - at[1]) < 0.08 * cell_px, cell
    assert len(boxes) == len(sheet.empty)

    # It is hidden, and one cell revealed.
    visit.page.click("#toggle-solution")
    hidden = visit.shapes("solution")
    cell = sheet.empty[7]
    visit.tap(sheet, cell)
    visit.page.click("#reveal")

    assert hidden == []
    assert visit.shapes("solution") == [cell]


def test_a_correction_is_solved_at_once_and_can_be_undone(solved: Visit, sheet: Sheet) -> None:
    cell = next(cell for cell in sheet.empty if cell < 9)
    twice = next(sign for sign in sheet.clues[:9] if sign != ".")
    solved.tap(sheet, cell)
    solved.page.click(f'#digits button[data-digit="{twice}"]')
    solved.wait_for("bad")
    headline, solutions = solved.headline, solved.shapes("solution")
    red = [name for name in solved.cells() if "stands twice" in name]
    solved.page.click("#undo")
    solved.wait_for("good")

    assert headline == "No solution: the digits contradict each other"
    assert solutions == []
    assert len(red) == 2
    assert solved.digits("printed") == sheet.clues
    assert solved.shapes("solution") == sheet.empty

    # A clue that is taken away leaves more than one solution.
    solved.page.click("#panel-pad [data-close]")
    solved.tap(sheet, present(choose_clue(sheet.puzzle.clues, np.random.default_rng(0))))
    solved.page.click('#digits button[data-digit="0"]')
    solved.page.click("#panel-pad [data-close]")
    solved.wait_to_read("More than one solution")

    assert solved.shapes("solution") == []


def test_cells_that_decide_between_solutions_are_named(visit: Visit, folder: Path) -> None:
    path = folder / "hidden.png"
    save_image(path, render_board(parse_grid(TWO_SOLUTIONS), 560)[0])

    visit.choose(path)
    visit.wait_to_read("More than one solution")

    detail = visit.page.text_content("#detail")
    assert "hidden or missing, perhaps in one of these cells: r3c8, " in detail


def test_a_solution_that_is_not_verified_is_never_shown(visit: Visit, sheet: Sheet) -> None:
    def answer(route: Any) -> None:
        response = route.fetch()
        report = response.json()
        board = report["boards"][0]
        first, second = sheet.empty[:2]
        signs = list(board["solution"])
        signs[first], signs[second] = signs[second], signs[first]
        board["solution"] = "".join(signs)
        route.fulfill(response=response, json=report)

    visit.page.route("**/api/photos", answer)
    visit.choose(sheet.path)
    visit.wait_for("doubtful")

    assert visit.shapes("solution") == []
    assert visit.digits("solution") == "." * 81
    assert visit.page.is_disabled("#toggle-solution")


def test_hints_deepen_and_are_drawn_over_the_photo(solved: Visit) -> None:
    solved.page.context.set_offline(True)
    solved.page.click("#ask-hint")
    solved.until("() => document.querySelector('#hint-more').textContent === 'Try again'")
    said, reached = solved.page.inner_text("#hint-text"), solved.page.locator("#dots i.on").count()
    solved.page.context.set_offline(False)
    strengths = []
    for _ in range(3):
        before = solved.page.inner_text("#hint-text")
        solved.page.click("#hint-more")
        solved.until(
            "old => { const e = document.querySelector('#hint-text').textContent;"
            " return e && e !== old && !e.startsWith('A hint says'); }",
            before,
        )
        tinted = solved.shapes("tint")
        put = solved.shapes("put") + solved.shapes("note")
        strengths.append((solved.page.inner_text("#hint-text"), tinted, put))

    assert (said, reached) == ("The connection is lost", 0)
    assert solved.shapes("solution") == []
    (look, units, none), (pattern, cells, _), (step, marked, put) = strengths
    assert look.startswith("Look at")
    assert "Technique" not in look
    assert "Technique" in pattern
    assert none == []
    assert units
    assert cells
    assert marked
    assert put
    assert len({look, pattern, step}) == 3
    assert solved.page.locator("#dots i.on").count() == 3
    solved.until("() => document.querySelector('#rating').textContent.startsWith('Difficulty: ')")
    assert re.search(r"\(\d+\.\d\)", solved.page.inner_text("#rating"))


def test_a_hint_has_a_page_on_its_technique_once_that_is_told(visit: Visit, sheet: Sheet) -> None:
    visit.page.set_viewport_size({"width": 390, "height": 667})
    visit.solve(sheet.path)
    visit.page.click("#ask-hint")
    visit.until("() => document.querySelector('#hint-text').textContent.startsWith('Look at')")
    hidden = visit.page.locator("#hint-lesson").is_visible()
    with visit.page.expect_response("**/api/hints") as answered:
        visit.page.click("#hint-more")
    visit.page.click("#hint-lesson summary")
    what, spot, effect = visit.page.locator("#hint-lesson p").all_inner_texts()
    cells = visit.shapes("tint")
    # What is told of lies over no part of the hint.
    visit.until(
        """() => {
          const end = document.querySelector("#stage").getBoundingClientRect().bottom;
          const tints = [...document.querySelectorAll(".plane path.tint")];
          return tints.every((tint) => tint.getBoundingClientRect().bottom <= end);
        }"""
    )

    assert not hidden
    assert what
    assert spot
    assert effect
    assert cells  # the picture is the board at hand
    # It leads to the page of lessons, with the board at hand.
    visit.page.click("#hint-practise")
    visit.page.wait_for_selector("#lessons-page svg")
    assert visit.page.input_value("#lessons-names") == answered.value.json()["lesson"]["technique"]
    assert visit.page.inner_text("#lessons-page h3 >> nth=0") == "On your board"
    visit.page.go_back()
    visit.page.wait_for_selector("#lessons", state="detached")
    assert visit.page.is_visible("#panel-hint")
    visit.page.click("#hint-clear")
    assert not visit.page.locator("#hint-lesson").is_visible()


def test_entries_are_checked_without_telling_the_solution(visit: Visit, folder: Path) -> None:
    path = save_rendered(folder / "written.jpg", 2, 4)
    checked = visit.solve_board(path)["checked"]
    visit.page.click("#ask-check")

    assert checked["right"]
    assert checked["wrong"]
    assert visit.shapes("solution") == []
    assert visit.shapes("tint") == sorted(checked["right"] + checked["wrong"])
    right, wrong = len(checked["right"]), len(checked["wrong"])
    assert visit.page.inner_text("#check-text").startswith(f"{right} right, {wrong} wrong: r")


def test_one_of_several_boards_is_picked(visit: Visit, two_boards: Path) -> None:
    visit.solve(two_boards)
    first = visit.digits("printed")
    visit.page.click("#next-board")
    second = visit.digits("printed")
    number = visit.page.inner_text("#board-number")
    visit.rest()
    # The other one is seen above or below, and picked by a tap on it.
    outline = visit.page.locator(".outline.other").bounding_box()
    stage = visit.page.locator("#stage").bounding_box()
    y = outline["y"] + outline["height"] - 4
    if y > stage["y"] + stage["height"]:
        y = outline["y"] + 4
    visit.press(outline["x"] + outline["width"] / 2, y)

    assert number == "2 of 2"
    assert first != second
    assert visit.digits("printed") == first


def test_a_missed_board_is_read_between_corners_set_by_hand(visit: Visit, folder: Path) -> None:
    (folder / "notes.jpg").write_bytes(b"not a picture at all")
    visit.choose(folder / "notes.jpg")
    visit.wait_for("bad")
    assert visit.headline == "This picture cannot be read"
    sheet = make_sheet(folder, 3, has_lines=False)
    visit.choose(sheet.path)
    visit.wait_for("doubtful")
    headline = visit.headline
    visit.page.click("#status-action")
    visit.rest()
    for number, corner in enumerate([(0, 0), (9, 0), (9, 9), (0, 9)]):
        handle = visit.page.locator(".handle").nth(number).bounding_box()
        x, y = handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2
        visit.drag([(x, y), visit.seen_at(sheet.at(*corner))])
    with visit.page.expect_response("**/api/photos?corners=*"):
        visit.page.click("#read-corners")
    visit.wait_for("good")

    assert headline == "No board was found"
    assert visit.digits("printed") == sheet.clues


def test_corners_are_set_on_the_photo_whatever_was_seen(solved: Visit) -> None:
    solved.page.click("#view-board")
    solved.page.keyboard.press("p")
    solved.page.wait_for_selector("#panel-corners", state="visible")

    assert solved.page.is_visible("#stage")
    assert solved.page.get_attribute("#view-photo", "aria-pressed") == "true"


def test_corners_that_make_no_board_are_not_sent(desk: Visit, sheet: Sheet) -> None:
    desk.solve(sheet.path)
    desk.page.keyboard.press("p")
    desk.rest()
    first, third = (desk.page.locator(".handle").nth(n).bounding_box() for n in (0, 2))
    desk.drag([(first["x"] + 24, first["y"] + 24), (third["x"] + 60, third["y"] + 40)])

    assert desk.page.is_disabled("#read-corners")
    assert desk.page.inner_text("#corners-text") == "These corners do not make a board."


def test_pinching_zooms_at_the_fingers_a_double_tap_goes_back(solved: Visit, sheet: Sheet) -> None:
    solved.rest()
    x, y = solved.seen_at(sheet.middle(40))
    before = solved.seen_at(sheet.middle(41))[0] - x
    touch = solved.page.context.new_cdp_session(solved.page)

    def fingers(kind: str, apart: float) -> None:
        points = [] if kind == "touchEnd" else [(x - apart, y), (x + apart, y)]
        touches = [{"x": px, "y": py, "id": number} for number, (px, py) in enumerate(points)]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    fingers("touchStart", 40)
    for apart in range(50, 121, 10):
        fingers("touchMove", apart)
    fingers("touchEnd", 0)
    at = solved.seen_at(sheet.middle(40))
    after = solved.seen_at(sheet.middle(41))[0] - at[0]
    solved.press(x, y, times=2)
    solved.rest()

    back = solved.seen_at(sheet.middle(41))[0] - solved.seen_at(sheet.middle(40))[0]

    assert after / before == pytest.approx(3, rel=0.1)
    assert np.hypot(at[0] - x, at[1] - y) < 8
    assert back == pytest.approx(before, rel=0.02)


def test_a_board_read_anew_keeps_its_place_among_others(desk: Visit, two_boards: Path) -> None:
    desk.solve(two_boards)
    desk.page.keyboard.press("n")
    second = desk.digits("printed")
    desk.page.keyboard.press("p")
    with desk.page.expect_response("**/api/photos?corners=*"):
        desk.page.click("#read-corners")
    desk.wait_for("good")

    assert desk.page.inner_text("#board-number") == "2 of 2"
    assert desk.digits("printed") == second
