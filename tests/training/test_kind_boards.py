"""Reports of photos of other kinds, held against what the photos show."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from present import present

from solver.base import Limits
from solver.exact.bitmask import BitmaskSolver
from training.evaluation.kind_boards import Truth, judge_report, main
from training.rendered.kind_photos import render_mixed_photo

REGIONS = "AABBAABBCCDDCCDD"
SOLUTION = "1234341221434321"
OTHER = "2143432112343412"
TRUTH = Truth(
    "4×4",
    "classic",
    frozenset({(0, 1, 4, 5), (2, 3, 6, 7), (8, 9, 12, 13), (10, 11, 14, 15)}),
    SOLUTION,
)


def board_of(**fields: Any) -> dict[str, Any]:
    told = {"kind": "classic", "regions": REGIONS, "cages": None, "solution": SOLUTION}
    told["clues"] = "." * 16
    return told | fields


def judge(*boards: dict[str, Any], truth: Truth = TRUTH) -> tuple[bool, bool, bool]:
    score = judge_report(truth, {"boards": list(boards)})
    return score.is_right, score.is_wrong, score.is_told


def test_what_is_told_and_solved_is_right() -> None:
    assert judge(board_of()) == (True, False, True)
    assert judge(board_of(regions=None)) == (True, False, True)
    assert judge(board_of(solution=None)) == (False, False, True)
    assert judge() == (False, False, False)


def test_another_solution_is_wrong_even_beside_the_right_one() -> None:
    other = board_of(solution=OTHER)

    assert judge(other) == (False, True, True)
    assert judge(board_of(), other) == (False, True, True)


def test_the_solution_of_another_board_of_the_page_is_not_wrong() -> None:
    page = TRUTH._replace(parts=frozenset({SOLUTION, OTHER}))

    assert judge(board_of(), board_of(solution=OTHER), truth=page) == (True, False, True)


@pytest.mark.parametrize("seed", [2, 5])
def test_a_mixed_page_has_boards_where_it_says_and_their_solutions(seed: int) -> None:
    page = render_mixed_photo(1, seed)

    assert 2 <= len(page.puzzles) == len(page.lattices) <= 4
    height, width = page.photo.shape[:2]
    for puzzle, lattice in zip(page.puzzles, page.lattices, strict=True):
        assert lattice.shape == (puzzle.rules.side + 1, puzzle.rules.side + 1, 2)
        assert (lattice >= 0).all()
        assert (lattice < [width, height]).all()
        result = BitmaskSolver().solve(puzzle.clues, Limits(nodes=20_000), puzzle.rules)
        assert np.array_equal(present(result.solution), present(puzzle.solution))


def test_a_folder_without_typefaces_ends_with_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--side", "12", "--faces", str(tmp_path), "--count", "1"]) == 3

    assert "put one there" in capsys.readouterr().err
