"""What was misread of a puzzle's rules is corrected on the page: its kind, regions and cages."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from kind_puzzles import erase_sums, kind_photo
from page_rig import Visit
from present import present

from solver.formats_kinds import format_cells
from solver.grid import format_grid
from solver.rules import Kind
from training.rendered.kind_photos import KindPhoto
from vision.media.images import save_image


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


def open_photo(visit: Visit, folder: Path, photo: object, mood: str) -> None:
    save_image(folder / "photo.png", photo)  # type: ignore[arg-type]
    visit.choose(folder / "photo.png")
    visit.wait_for(mood)


def test_a_killer_of_which_three_sums_are_doubtful_is_corrected(
    visit: Visit, tmp_path: Path, killer: KindPhoto
) -> None:
    doubtful = [cage for cage in killer.puzzle.rules.cages if len(cage.cells) > 2][:3]
    open_photo(visit, tmp_path, erase_sums(killer, doubtful), "doubtful")
    assert "Compare the sums of the cages at r1c2, r1c4 and r1c5." in visit.page.inner_text(
        "#detail"
    )
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
    assert "The cages are as you said." in visit.page.inner_text("#detail")
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
    open_photo(visit, tmp_path, killer.photo, "good")
    visit.page.keyboard.press("e")
    visit.page.wait_for_selector("#panel-rules", state="visible")

    set_sum(visit, cage.cells[0], 99)

    visit.wait_for("idle")
    assert visit.headline == "The cages do not fit yet"
    assert "must be 3 to 17" in visit.page.inner_text("#detail")
    assert visit.digits("solution") == "." * 81
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
    open_photo(visit, tmp_path, killer.photo, "good")
    visit.page.keyboard.press("e")
    visit.page.wait_for_selector("#panel-rules", state="visible")
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
    open_photo(visit, tmp_path, jigsaw.photo, "good")
    visit.page.keyboard.press("e")
    visit.page.wait_for_selector("#panel-rules", state="visible")
    visit.page.focus(f"[role=gridcell][data-cell='{cell}']")
    visit.page.keyboard.press("ArrowRight")
    visit.page.keyboard.press("ArrowLeft")
    visit.page.keyboard.press("Enter")
    visit.page.keyboard.press("ArrowRight")
    visit.page.keyboard.press("Enter")
    visit.page.click("#rules-join")
    visit.wait_for("idle")
    assert "cells instead of 9" in visit.page.inner_text("#detail")
    assert visit.digits("solution") == "." * 81

    choose(visit, [home, cell + 1])
    visit.page.click("#rules-join")
    visit.wait_for("good")

    assert shown_solution(visit) == solution_of(jigsaw)


def test_the_kind_is_chosen(visit: Visit) -> None:
    puzzle = kind_photo(Kind.WINDOKU, 1, 3).puzzle
    visit.type_puzzle(format_grid(puzzle.clues))
    visit.page.wait_for_selector("#status:not([data-mood=busy])")
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
