"""Puzzles of other kinds than classic on the phone page, and corrections of their rules."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from arrays import Image8
from kind_puzzles import erase_sums, kind_photo, make_kind
from page_rig import Visit
from present import present

from solver.formats_kinds import format_cells, format_regions
from solver.grid import format_grid
from solver.rules import Kind
from training.pages.flat_board import render_board
from training.pages.printed_board import KindLook, print_board
from training.pages.shape import Shape, box_regions
from training.rendered.filled_board import BoardLook
from training.rendered.kind_photos import KindPhoto, render_samurai_photo
from vision.media.images import save_image

BOLD = """() => [...document.querySelectorAll(".clean path.line")]
  .filter((one) => Number(one.getAttribute("stroke-width")) > 2)
  .reduce((sum, one) => sum + one.getAttribute("d").split("M").length - 1, 0)"""
"""Pieces of bold lines, each of a cell's length."""


def solve(visit: Visit, folder: Path, photo: Image8) -> dict[str, Any]:
    save_image(folder / "photo.png", photo)
    return visit.solve_board(folder / "photo.png")


def test_a_jigsaw_is_solved_and_drawn_with_its_regions(visit: Visit, tmp_path: Path) -> None:
    shown = kind_photo(Kind.JIGSAW, 2, 1)
    board = solve(visit, tmp_path, shown.photo)

    assert board["kind"] == "jigsaw"
    assert board["regions"] == format_regions(shown.puzzle.rules)
    assert board["solution"] == format_grid(present(shown.puzzle.solution))
    assert not visit.page.is_disabled("#ask-check")
    # The four edges, and a piece for each pair of neighbours of two regions.
    regions = board["regions"]
    pairs = [(cell, cell + 1) for cell in range(81) if cell % 9 < 8]
    pairs += [(cell, cell + 9) for cell in range(72)]
    parted = sum(regions[one] != regions[other] for one, other in pairs)
    assert visit.page.evaluate(BOLD) == 4 * 9 + parted


def test_a_board_of_another_side_is_solved_and_corrected(visit: Visit, tmp_path: Path) -> None:
    side = 6
    shown = kind_photo(Kind.CLASSIC, 2, 5, side)
    solution = format_cells(shown.puzzle.rules, present(shown.puzzle.solution))
    board = solve(visit, tmp_path, shown.photo)

    assert board["solution"] == solution
    assert visit.page.locator(".grid [role=row]").count() == side
    assert visit.page.locator(".grid [role=gridcell]").count() == side**2
    assert visit.page.locator(".clean path.solution").count() == solution_count(board)

    free = board["clues"].index(".")
    visit.page.evaluate("document.body.dataset.view = 'board'")
    visit.choose_cell(free)
    assert visit.page.locator("#digits button").count() == side + 1
    visit.page.keyboard.press(solution[free])
    visit.page.wait_for_function(
        "count => document.querySelectorAll('.clean path.solution').length === count",
        arg=solution_count(board) - 1,
    )


def test_a_board_that_prints_letters_is_solved_in_letters(visit: Visit, tmp_path: Path) -> None:
    shape = Shape("classic", box_regions(4, 4))
    puzzle = make_kind(Kind.CLASSIC, side=16, clues=130, seed=1)
    look = KindLook(BoardLook(), alphabet="letters")
    printed = print_board(shape, puzzle.clues, (), 900, look)
    board = solve(visit, tmp_path, np.pad(printed.image, ((60, 60), (60, 60), (0, 0)), "edge"))

    assert board["symbols"] == [*"123456789ABCDEFG"]
    assert board["solution"] == format_cells(puzzle.rules, present(puzzle.solution))
    free = board["clues"].index(".")
    visit.page.evaluate("document.body.dataset.view = 'board'")
    visit.choose_cell(free)
    labels = [
        visit.page.locator("#digits button").nth(at).get_attribute("aria-label") or ""
        for at in range(17)
    ]
    assert [label[-1] for label in labels[:16]] == board["symbols"]
    cell = visit.page.locator(f".grid [data-cell='{free}']").get_attribute("aria-label")
    assert cell is not None
    assert f"{board['symbols'][int(board['solution'][free], 17) - 1]}" in cell


@pytest.fixture(scope="module")
def samurai(folder: Path) -> Path:
    save_image(folder / "samurai.png", render_samurai_photo(3, 3200, 2).photo)
    return folder / "samurai.png"


def test_a_samurai_is_one_board_helped_corrected_and_kept(desk: Visit, samurai: Path) -> None:
    board = desk.solve_board(samurai)
    clues, solution = board["clues"], board["solution"]
    cells = desk.page.locator(".grid [role=gridcell]").count()
    with desk.page.expect_response("**/api/hints") as answered:
        desk.page.click("#ask-hint")
    has_step = answered.value.json()["has_step"]
    desk.page.click("#panel-hint [data-close]")
    cell = next(cell for cell, sign in enumerate(clues) if sign == ".")
    desk.choose_cell(cell)
    desk.page.keyboard.press(str(int(solution[cell]) % 9 + 1))
    desk.wait_for("bad")
    wrong = desk.headline
    desk.page.keyboard.press(solution[cell])
    desk.wait_for("good")
    desk.page.reload()
    desk.wait_for("good")

    assert board["kind"] == "samurai"
    assert cells == sum(sign != "-" for sign in clues)
    assert has_step
    assert wrong.startswith("No solution")
    kept = desk.page.locator(f".grid [data-cell='{cell}']").get_attribute("aria-label")
    assert kept == f"row {cell // 15 + 1}, column {cell % 15 + 1}: {solution[cell]}, printed"


def test_the_grids_of_a_samurai_are_looked_at_one_by_one_and_keys_lead_on(
    visit: Visit, samurai: Path
) -> None:
    visit.solve(samurai)
    visit.page.click("#view-board")
    named = [name_of_part(visit)]
    for _ in range(3):
        visit.page.click("#next-board")
        named.append(name_of_part(visit))
    visit.page.click("#next-board")
    visit.page.locator(".grid [data-cell='128']").click()  # row 9, column 9 is in both
    visit.page.keyboard.press("ArrowDown")
    beyond = name_of_part(visit)
    shown = present(visit.page.locator(".grid [data-cell='224']").bounding_box())
    board = present(visit.page.locator(".clean-sheet").bounding_box())

    everything = "All of the board"
    assert named == [everything, "Part 1 of 2", "Part 2 of 2", everything]
    assert beyond == "Part 2 of 2"
    assert shown["x"] + shown["width"] <= board["x"] + board["width"]
    assert shown["width"] > board["width"] / 11


def name_of_part(visit: Visit) -> str | None:
    return str(visit.page.get_attribute("#boards", "aria-label"))


def test_a_samurai_is_typed_played_and_copied_as_a_text(visit: Visit) -> None:
    puzzle = make_kind(Kind.SAMURAI, n_grids=2, clues=130, seed=4)
    assert puzzle.solution is not None
    clues, solution = (format_cells(puzzle.rules, grid) for grid in (puzzle.clues, puzzle.solution))
    rows = "\n".join(clues[15 * row : 15 * row + 15] for row in range(15))
    visit.type_puzzle(rows)
    visit.wait_for("good")
    visit.page.click("#ask-share")
    visit.page.click("#copy-puzzle")
    visit.until("() => document.querySelector('#share-text').textContent.includes('copied')")
    forms = visit.page.locator("#form option").all_inner_texts()
    visit.page.click("#panel-share [data-close]")
    visit.page.click("#status-action")
    for cell in (at for at, sign in enumerate(clues) if sign == "."):
        visit.choose_cell(cell)
        visit.page.keyboard.press(solution[cell])
    visit.wait_for("good")

    assert visit.headline.startswith("Solved by you in ")
    assert forms == ["Line of text"]


def solution_count(board: dict[str, Any]) -> int:
    """Return how many cells only the solution fills."""
    return str(board["clues"]).count(".")


def test_diagonals_that_no_picture_shows_can_be_taken(desk: Visit, tmp_path: Path) -> None:
    puzzle = kind_photo(Kind.DIAGONAL, 1, 3).puzzle
    save_image(tmp_path / "page.png", render_board(puzzle.clues, 450)[0])
    desk.get_ready()
    desk.choose(tmp_path / "page.png")
    desk.wait_for("doubtful")
    assert desk.headline == "More than one solution"
    assert "With both diagonals it has exactly one solution." in detail(desk)
    assert desk.shapes("solution") == []
    desk.page.click("text=Solve with diagonals")
    desk.wait_for("good")

    shown = desk.digits("solution")
    empty = [cell for cell in range(81) if not puzzle.clues.flat[cell]]
    assert [shown[cell] for cell in empty] == [
        str(present(puzzle.solution).flat[cell]) for cell in empty
    ]
    assert "Both diagonals count, as you said." in detail(desk)
    desk.page.keyboard.press("Control+z")
    desk.wait_for("doubtful")
    assert desk.page.inner_text("#status-action") == "Solve with diagonals"
    desk.page.click("#status-action")
    desk.wait_for("good")
    desk.go_home("img")
    desk.page.reload()
    desk.open_recent()
    assert desk.digits("solution") == shown
    assert "Both diagonals count, as you said." in detail(desk)


def detail(visit: Visit) -> str:
    return str(visit.page.inner_text("#detail"))


@pytest.fixture(scope="module")
def killer() -> KindPhoto:
    return kind_photo(Kind.KILLER, 1, 3)


@pytest.fixture(scope="module")
def jigsaw() -> KindPhoto:
    return kind_photo(Kind.JIGSAW, 2, 7)


def solution_of(shown: KindPhoto) -> str:
    return format_grid(present(shown.puzzle.solution))


def shown_solution(visit: Visit) -> str:
    """Return all digits that the clean board shows."""
    printed, solved = visit.digits("printed"), visit.digits("solution")
    return "".join(one if one != "." else other for one, other in zip(printed, solved, strict=True))


def choose(visit: Visit, cells: Sequence[int]) -> None:
    for cell in cells:
        visit.choose_cell(cell)


def set_sum(visit: Visit, cell: int, total: int) -> None:
    choose(visit, [cell])
    visit.page.fill("#rules-sum", str(total))
    visit.page.click("#rules-set")


def open_photo(visit: Visit, folder: Path, photo: Image8, severity: str) -> None:
    save_image(folder / "photo.png", photo)
    visit.choose(folder / "photo.png")
    visit.wait_for(severity)


def open_rules(visit: Visit, folder: Path, shown: KindPhoto) -> None:
    open_photo(visit, folder, shown.photo, "good")
    visit.page.keyboard.press("e")
    visit.page.wait_for_selector("#panel-rules", state="visible")


def test_a_killer_of_which_three_sums_are_doubtful_is_corrected(
    visit: Visit, tmp_path: Path, killer: KindPhoto
) -> None:
    doubtful = [cage for cage in killer.puzzle.rules.cages if len(cage.cells) > 2][:3]
    open_photo(visit, tmp_path, erase_sums(killer, doubtful), "doubtful")
    assert "Compare the sums of the cages at r1c2, r1c4 and r1c5." in detail(visit)
    visit.page.click("text=Correct the cages")
    names = visit.cells()
    unsure = [cell for cell, name in enumerate(names) if "not read for sure" in name]
    assert unsure == [cage.cells[0] for cage in doubtful]
    assert visit.page.locator(".clean path.sum").count() == len(killer.puzzle.rules.cages)

    set_sum(visit, doubtful[0].cells[1], doubtful[0].total)
    for cage in doubtful[1:]:
        set_sum(visit, cage.cells[0], cage.total)
    visit.wait_for("good")

    assert shown_solution(visit) == solution_of(killer)
    assert "The cages are as you said." in detail(visit)
    set_sum(visit, doubtful[0].cells[0], doubtful[0].total - 1)
    visit.wait_for("bad")
    assert visit.digits("solution") == "." * 81
    visit.page.keyboard.press("Control+z")
    visit.wait_for("good")
    visit.page.reload()
    visit.wait_for("good")
    assert shown_solution(visit) == solution_of(killer)


def test_a_sum_that_no_cage_can_have_is_told_kept_and_not_sent(
    visit: Visit, tmp_path: Path, killer: KindPhoto
) -> None:
    cage = next(cage for cage in killer.puzzle.rules.cages if len(cage.cells) == 2)
    open_rules(visit, tmp_path, killer)

    set_sum(visit, cage.cells[0], 99)

    visit.wait_for("idle")
    assert visit.headline == "The cages do not fit yet"
    assert "must be 3 to 17" in detail(visit)
    assert visit.digits("solution") == "." * 81
    visit.page.click("#ask-hint")
    assert visit.page.inner_text("#hint-text") == "The cages do not fit yet"
    visit.page.click("#ask-share")
    visit.page.wait_for_selector("#save-form:disabled")
    visit.page.keyboard.press("e")
    visit.page.click("#rules-undo")
    visit.wait_for("good")
    # What does not fit yet is there after a reload.
    set_sum(visit, cage.cells[0], 99)
    visit.wait_for("idle")
    visit.page.reload()
    visit.wait_to_read("The cages do not fit yet")
    assert visit.digits("solution") == "." * 81


def test_cages_are_joined_and_parted(visit: Visit, tmp_path: Path, killer: KindPhoto) -> None:
    cage = next(cage for cage in killer.puzzle.rules.cages if len(cage.cells) > 2)
    open_rules(visit, tmp_path, killer)
    choose(visit, cage.cells[1:])
    visit.page.click("#rules-cage")
    visit.wait_for("idle")
    assert "do not fit yet" in visit.headline

    choose(visit, cage.cells)
    visit.page.click("#rules-join")
    visit.wait_for("good")

    assert shown_solution(visit) == solution_of(killer)


def test_keys_paint_regions_until_they_fit(visit: Visit, tmp_path: Path, jigsaw: KindPhoto) -> None:
    region_of = {cell: n for n, cells in enumerate(jigsaw.puzzle.rules.regions) for cell in cells}
    cell = next(
        cell for cell in range(80) if cell % 9 < 8 and region_of[cell] != region_of[cell + 1]
    )
    home = next(one for one in jigsaw.puzzle.rules.regions[region_of[cell + 1]] if one != cell + 1)
    open_rules(visit, tmp_path, jigsaw)
    visit.page.focus(f"[role=gridcell][data-cell='{cell}']")
    visit.page.keyboard.press("ArrowRight")
    visit.page.keyboard.press("ArrowLeft")
    visit.page.keyboard.press("Enter")
    visit.page.keyboard.press("ArrowRight")
    visit.page.keyboard.press("Enter")
    visit.page.click("#rules-join")
    visit.wait_for("idle")
    assert "cells instead of 9" in detail(visit)
    assert visit.digits("solution") == "." * 81

    choose(visit, [home, cell + 1])
    visit.page.click("#rules-join")
    visit.wait_for("good")

    assert shown_solution(visit) == solution_of(jigsaw)


def test_the_kind_is_chosen(visit: Visit) -> None:
    puzzle = kind_photo(Kind.WINDOKU, 1, 3).puzzle
    visit.type_puzzle(format_grid(puzzle.clues))
    visit.page.wait_for_selector("#status:not([data-severity=busy])")
    visit.page.click("#open-menu")
    visit.page.click("#menu-rules")
    visit.page.select_option("#rules-kind", "windoku")
    visit.wait_for("good")

    assert shown_solution(visit) == format_cells(puzzle.rules, present(puzzle.solution))


def test_who_plays_has_no_rules_to_correct(visit: Visit, tmp_path: Path, killer: KindPhoto) -> None:
    open_photo(visit, tmp_path, killer.photo, "good")
    visit.page.click("#status-action")
    visit.page.keyboard.press("e")
    visit.page.click("#open-menu")

    assert visit.page.is_hidden("#menu-rules")
    assert visit.page.is_hidden("#panel-rules")


def test_a_finger_draws_cells_into_a_cage(visit: Visit, tmp_path: Path, jigsaw: KindPhoto) -> None:
    open_photo(visit, tmp_path, jigsaw.photo, "good")
    visit.page.click("#open-menu")
    visit.page.click("#menu-rules")
    visit.page.select_option("#rules-kind", "killer")
    visit.drag(visit.middles_of([0, 1, 10]))
    visit.page.click("#rules-cage")
    set_sum(visit, 10, 20)
    visit.page.wait_for_selector(".clean path.sum", state="attached")

    assert visit.page.locator(".clean path.sum").get_attribute("data-cell") == "0"
    caged = visit.page.eval_on_selector_all(
        ".clean path.cage", "e => [...new Set(e.map((one) => Number(one.dataset.cell)))]"
    )
    assert caged == [0, 1, 10]
