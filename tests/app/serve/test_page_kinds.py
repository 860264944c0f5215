"""Puzzles of other kinds than classic on the phone page."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kind_puzzles import kind_photo, make_kind
from page_rig import Visit
from present import present

from solver.formats_kinds import format_cells, format_regions
from solver.grid import format_grid
from solver.rules import Kind
from training.pages.flat_board import render_board
from training.pages.printed_board import KindLook, print_board
from training.pages.shape import Shape, box_regions
from training.rendered.filled_board import BoardLook
from training.rendered.kind_photos import render_samurai_photo
from vision.media.images import save_image

BOLD = """() => [...document.querySelectorAll(".clean path.line")]
  .filter((one) => Number(one.getAttribute("stroke-width")) > 2)
  .reduce((sum, one) => sum + one.getAttribute("d").split("M").length - 1, 0)"""
"""Pieces of bold lines, each of a cell's length."""


def test_a_jigsaw_is_solved_and_drawn_with_its_regions(visit: Visit, tmp_path: Path) -> None:
    shown = kind_photo(Kind.JIGSAW, 2, 1)
    save_image(tmp_path / "jigsaw.png", shown.photo)
    board = visit.solve_board(tmp_path / "jigsaw.png")

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
    save_image(tmp_path / "board.png", shown.photo)
    board = visit.solve_board(tmp_path / "board.png")

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
    save_image(tmp_path / "large.png", np.pad(printed.image, ((60, 60), (60, 60), (0, 0)), "edge"))
    board = visit.solve_board(tmp_path / "large.png")

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
