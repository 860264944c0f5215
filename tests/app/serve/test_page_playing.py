"""The phone page: a puzzle is solved there by a person, with notes, colours, a clock and undo."""

import os
import signal
from pathlib import Path
from typing import Any

from page_rig import CHROMIUM, Browser, Visit, opening_kept
from page_sheets import Sheet, make_sheet


def begin_wide(visit: Visit, sheet: Sheet) -> None:
    """Solve a photo, and begin to play."""
    visit.solve(sheet.path)
    visit.page.click("#status-action")
    visit.page.wait_for_selector("#panel-play", state="visible")
    visit.rest()


def begin(visit: Visit, sheet: Sheet) -> None:
    """Solve a photo, and begin to play on the board alone."""
    begin_wide(visit, sheet)
    visit.page.click("#view-board")
    visit.rest()


def press(visit: Visit, digit: int | str) -> None:
    visit.page.click(f'#play-digits button[data-digit="{digit}"]')


def name_of(visit: Visit, cell: int) -> str:
    return visit.cells()[cell].partition(": ")[2]


def board_shapes(visit: Visit, kind: str) -> list[int]:
    script = "e => e.map((one) => Number(one.dataset.cell))"
    return sorted(visit.page.eval_on_selector_all(f".clean path.{kind}", script))


def test_playing_hides_the_solution_and_writes_own_digits(visit: Visit, sheet: Sheet) -> None:
    cell = sheet.empty[0]
    begin(visit, sheet)
    asked: list[Any] = []
    visit.page.on("request", lambda request: asked.append(request.url))
    hidden = visit.digits("solution")
    visit.choose_cell(cell)
    press(visit, sheet.solution[cell])
    written = name_of(visit, cell)
    press(visit, sheet.solution[cell])

    assert hidden == "." * 81
    assert written == f"{sheet.solution[cell]}, written"
    assert name_of(visit, cell) == "empty"
    assert visit.digits("printed") == sheet.clues
    visit.choose_cell(next(cell for cell in range(81) if cell not in sheet.empty))
    assert visit.page.locator('#play-digits button[data-digit="1"]').is_disabled()
    # A repeat is marked on wish only, and what is written lies on the photo, too.
    cell = next(cell for cell in sheet.empty if cell < 9)
    visit.choose_cell(cell)
    press(visit, next(sign for sign in sheet.clues[:9] if sign != "."))
    assert not [name for name in visit.cells() if "stands twice" in name]
    visit.page.click("#play-conflicts")
    assert "stands twice" in name_of(visit, cell)
    visit.page.click("#view-photo")
    assert visit.shapes("entry") == [cell]
    visit.page.click("#ask-check")
    assert visit.page.inner_text("#check-text").startswith("0 right, 1 wrong")
    assert asked == []  # it needs no connection


def test_notes_and_colours_are_put_and_digits_take_their_notes(visit: Visit, sheet: Sheet) -> None:
    first, second = next(
        (one, other) for one in sheet.empty for other in sheet.empty
        if one < other and one // 9 == other // 9
    )  # fmt: skip
    begin(visit, sheet)
    visit.choose_cell(first)
    visit.page.click("#play-corner")
    press(visit, 1)
    press(visit, 5)
    visit.page.click("#play-centre")
    press(visit, 7)
    visit.page.click("#play-colour")
    press(visit, 3)
    noted = name_of(visit, first)
    shown = [board_shapes(visit, kind) for kind in ("corner", "centre", "colour")]
    visit.choose_cell(second)
    visit.page.click("#play-digit")
    press(visit, 5)
    after = name_of(visit, first)

    assert noted == "empty, notes 1 5 7, colour 3"
    assert shown == [[first, first], [first], [first]]
    assert after == "empty, notes 1 7, colour 3"


def test_every_stroke_can_be_undone_and_redone_by_keys(desk: Visit, sheet: Sheet) -> None:
    cells = sheet.empty[:6]
    begin_wide(desk, sheet)
    for cell in cells:
        desk.choose_cell(cell)
        desk.page.keyboard.press("x")
        desk.page.keyboard.press("2")
        desk.page.keyboard.press("z")
        desk.page.keyboard.press("9")
    written = desk.digits("written")
    for _ in range(12):
        desk.page.keyboard.press("Control+z")
    undone = desk.cells()
    for _ in range(12):
        desk.page.keyboard.press("Control+y")

    assert written.count("9") == 6
    assert not any("written" in name or "notes" in name for name in undone)
    assert desk.digits("written") == written

    # Keys choose several cells, and Escape all but one.
    cell = next(cell for cell in sheet.empty if cell % 9 < 7 and cell < 72)
    desk.choose_cell(cell)
    desk.page.keyboard.press("Shift+ArrowRight")
    desk.page.keyboard.press("Shift+ArrowDown")
    assert chosen(desk) == [cell, cell + 1, cell + 10]
    desk.page.locator(f"[role=gridcell][data-cell='{cell}']").click(modifiers=["Control"])
    assert chosen(desk) == [cell + 1, cell + 10]
    desk.page.keyboard.press("Escape")
    assert chosen(desk) == [cell + 10]
    assert desk.page.is_visible("#panel-play")


def test_the_clock_stands_while_paused_and_the_board_is_veiled(visit: Visit, sheet: Sheet) -> None:
    begin(visit, sheet)
    visit.until("() => document.querySelector('#play-time').textContent >= '0:01'")
    visit.page.click("#play-pause")
    stood = visit.page.inner_text("#play-time")
    veil = visit.page.evaluate("getComputedStyle(document.querySelector('.whole > svg')).filter")
    visit.page.wait_for_timeout(1200)  # it shows seconds
    still = visit.page.inner_text("#play-time")
    visit.page.click("#play-pause")
    visit.until("(it) => document.querySelector('#play-time').textContent > it", still)

    assert still == stood
    assert veil.startswith("blur")


def test_hints_and_checks_come_between_and_playing_goes_on(visit: Visit, sheet: Sheet) -> None:
    good, bad = sheet.empty[:2]
    wrong = next(sign for sign in "123456789" if sign != sheet.solution[bad])
    begin(visit, sheet)
    for cell, digit in ((good, sheet.solution[good]), (bad, wrong)):
        visit.choose_cell(cell)
        press(visit, digit)
    visit.page.click("#ask-check")
    checked = visit.page.inner_text("#check-text")
    judged = name_of(visit, good), name_of(visit, bad)
    visit.choose_cell(good)
    visit.page.wait_for_selector("#panel-play", state="visible")
    visit.page.click("#ask-hint")
    visit.until("() => !document.querySelector('#hint-text').textContent.startsWith('A hint')")
    visit.page.click("#panel-hint [data-close]")
    is_on = visit.page.is_visible("#panel-play")
    visit.page.click("#panel-play [data-close]")

    assert checked.startswith("1 right, 1 wrong")
    assert judged == (f"{sheet.solution[good]}, written, right", f"{wrong}, written, wrong")
    assert is_on
    assert "by hand" not in visit.page.inner_text("#detail")


def test_a_puzzle_solved_by_a_person_says_so_with_its_time(desk: Visit, folder: Path) -> None:
    sheet = make_sheet(folder, 6, clues=70)
    begin_wide(desk, sheet)
    for cell in sheet.empty:
        desk.choose_cell(cell)
        desk.page.keyboard.press(sheet.solution[cell])
    desk.wait_for("good")
    done = desk.headline
    assert desk.page.is_hidden("#status-action")  # nothing is left to play
    desk.page.keyboard.press("Control+z")
    assert desk.page.inner_text("#status-action") == "Go on playing"
    desk.page.keyboard.press("Control+Shift+z")
    desk.page.click("#go-home")
    kept = desk.page.locator("#recent-list button.open")
    desk.until("() => document.querySelector('#recent-list button.open')")
    listed = kept.get_attribute("aria-label"), kept.inner_text()
    desk.page.click("#recent-list button.open")
    desk.wait_for("good")

    assert done.startswith("Solved by you in 0:")
    time = done.rpartition(" ")[2]
    assert listed[0].endswith(f": {done}")
    assert listed[1].endswith(f" · {time}")
    assert desk.headline == done
    assert not desk.page.is_visible("#panel-play")


def test_a_browser_that_is_killed_loses_at_most_the_last_stroke(
    browser: Browser, sheet: Sheet, tmp_path: Path
) -> None:
    cells = sheet.empty[:8]
    with opening_kept(tmp_path, browser) as visit:
        visit.page.goto(browser.scanned)
        visit.get_ready()
        begin_wide(visit, sheet)
        visit.page.keyboard.press("x")
        visit.choose_cell(sheet.empty[9])
        visit.page.keyboard.press("8")
        visit.page.keyboard.press("z")
        visit.until("() => document.querySelector('#play-time').textContent >= '0:01'")
        for cell in cells:
            visit.choose_cell(cell)
            visit.page.keyboard.press(sheet.solution[cell])
        address = visit.page.url
        for process in find_browsers(tmp_path):
            os.kill(process, signal.SIGKILL)

    with opening_kept(tmp_path, browser) as visit:
        visit.page.goto(address)
        visit.page.wait_for_selector("#panel-play", state="visible")
        kept, noted = visit.digits("written"), name_of(visit, sheet.empty[9])
        seconds = visit.page.inner_text("#play-time")

    assert [kept[cell] for cell in cells[:-1]] == [sheet.solution[cell] for cell in cells[:-1]]
    assert noted == "empty, notes 8"
    assert seconds >= "0:01"


def find_browsers(profile: Path) -> list[int]:
    """Return the processes of a browser that keeps its things in a folder."""
    assert CHROMIUM is not None
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                command = (entry / "cmdline").read_bytes()
            except OSError:  # it has ended meanwhile
                continue
            if f"--user-data-dir={profile}".encode() in command:
                found.append(int(entry.name))
    return found


def selected(cell: int) -> str:
    return f"[role=gridcell][data-cell='{cell}'][aria-selected=true]"


def chosen(visit: Visit) -> list[int]:
    script = "e => e.map((one) => Number(one.dataset.cell))"
    return list(visit.page.eval_on_selector_all(".grid [aria-selected=true]", script))


def test_a_finger_draws_notes_and_colours_over_all_its_cells(visit: Visit, sheet: Sheet) -> None:
    row = [cell for cell in sheet.empty if cell // 9 == sheet.empty[0] // 9]
    drawn = list(range(row[0], row[-1] + 1))
    begin(visit, sheet)
    visit.drag(visit.middles_of(drawn))
    visit.page.click("#play-corner")
    press(visit, 4)
    noted, told = board_shapes(visit, "corner"), visit.page.inner_text("#play-cell")
    visit.page.click("#play-colour")
    press(visit, 2)
    coloured = board_shapes(visit, "colour")
    visit.page.click("#play-undo")
    visit.page.click("#play-undo")

    assert (noted, coloured) == (row, drawn)
    assert told == f"{len(drawn)} cells"
    assert board_shapes(visit, "corner") == []
    assert chosen(visit) == drawn


def test_a_finger_that_is_held_chooses_cells_on_board_and_photo(visit: Visit, sheet: Sheet) -> None:
    first, *_, last = sheet.empty
    begin(visit, sheet)
    visit.choose_cell(first)
    visit.drag(visit.middles_of([last]), held=selected(last))

    assert chosen(visit) == [first, last]
    visit.choose_cell(last)
    assert chosen(visit) == [last]

    cells = [first // 9 * 9 + column for column in (3, 4, 5)]
    visit.page.click("#view-photo")
    visit.rest()
    places = [visit.seen_at(sheet.middle(cell)) for cell in cells]
    visit.drag(places, held=selected(cells[0]))

    assert set(chosen(visit)) == {last, *cells}
    assert visit.page.locator(".plane .ring").count() == len(chosen(visit))
