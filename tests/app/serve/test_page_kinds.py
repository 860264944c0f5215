"""Puzzles of other kinds than classic on the phone page."""

from pathlib import Path
from typing import Any

import pytest
from page_rig import Browser

from solver.formats_kinds import format_cells, format_regions
from solver.grid import format_grid
from solver.rules import Kind
from training.rendered.kind_photos import render_kind_photo
from vision.media.images import save_image

pytestmark = pytest.mark.slow

BOLD = """() => [...document.querySelectorAll(".clean path.line")]
  .filter((one) => Number(one.getAttribute("stroke-width")) > 2).length"""


def test_a_jigsaw_is_solved_and_drawn_with_its_regions(browser: Browser, tmp_path: Path) -> None:
    shown = render_kind_photo(Kind.JIGSAW, 2, 1)
    save_image(tmp_path / "jigsaw.png", shown.photo)
    with browser.visit() as visit:
        board = visit.solve_board(tmp_path / "jigsaw.png")

        assert board["kind"] == "jigsaw"
        assert board["regions"] == format_regions(shown.puzzle.rules)
        assert shown.puzzle.solution is not None
        assert board["solution"] == format_grid(shown.puzzle.solution)
        assert visit.page.is_disabled("#ask-hint")
        assert not visit.page.is_disabled("#ask-check")
        # The four edges, and a piece for each pair of neighbours of two regions.
        regions = board["regions"]
        pairs = [(cell, cell + 1) for cell in range(81) if cell % 9 < 8]
        pairs += [(cell, cell + 9) for cell in range(72)]
        parted = sum(regions[one] != regions[other] for one, other in pairs)
        assert visit.page.evaluate(BOLD) == 4 + parted


@pytest.mark.parametrize("side", [4, 6, 8])
def test_a_board_of_another_side_is_solved_and_corrected(
    browser: Browser, tmp_path: Path, side: int
) -> None:
    shown = render_kind_photo(Kind.CLASSIC, 2, 5, side)
    assert shown.puzzle.solution is not None
    solution = format_cells(shown.puzzle.rules, shown.puzzle.solution)
    save_image(tmp_path / "board.png", shown.photo)
    with browser.visit() as visit:
        board = visit.solve_board(tmp_path / "board.png")

        assert board["solution"] == solution
        assert visit.page.locator(".grid [role=row]").count() == side
        assert visit.page.locator(".grid [role=gridcell]").count() == side**2
        assert visit.page.locator(".clean path.solution").count() == solution_count(board)
        assert visit.page.is_disabled("#ask-hint")

        free = board["clues"].index(".")
        visit.page.evaluate("document.body.dataset.view = 'board'")
        visit.page.locator(f".grid [data-cell='{free}']").click()
        assert visit.page.locator("#digits button").count() == side + 1
        visit.page.keyboard.press(solution[free])
        visit.page.wait_for_function(
            "count => document.querySelectorAll('.clean path.solution').length === count",
            arg=solution_count(board) - 1,
        )


def solution_count(board: dict[str, Any]) -> int:
    """Return how many cells only the solution fills."""
    return str(board["clues"]).count(".")
