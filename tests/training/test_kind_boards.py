"""Reports of photos of other kinds, held against what the photos show."""

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver.base import Limits
from solver.exact.bitmask import BitmaskSolver
from solver.rules import Cage
from training.evaluation.kind_boards import KindScore, Truth, format_scores, judge_report, main
from training.pages.printed_board import choose_kind_look
from training.pages.shape import Shape, box_regions
from training.pages.typesetting import load_font
from training.rendered.kind_photos import find_faces, render_mixed_photo, set_typefaces

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


def test_the_right_solution_by_other_rules_is_not_right() -> None:
    assert judge(board_of(kind="diagonal")) == (False, False, False)
    nothing = board_of(clues="." * 81, regions=None, solution=None)
    assert judge(nothing) == (False, False, False)
    assert judge(board_of(regions="ABBBAABBCCDDCCDD")) == (False, False, False)
    with_cage = TRUTH._replace(cages=(Cage(3, (0, 1)),))
    assert judge(board_of(), truth=with_cage) == (False, False, False)
    assert judge(board_of(cages=[[3, [0, 1]]]), truth=with_cage) == (True, False, True)


def test_the_solution_of_another_board_of_the_page_is_not_wrong() -> None:
    page = TRUTH._replace(parts=frozenset({SOLUTION, OTHER}))

    assert judge(board_of(), board_of(solution=OTHER), truth=page) == (True, False, True)


def test_a_table_counts_by_kind() -> None:
    scores = [KindScore("6×6", True, False, True), KindScore("6×6", False, True, False)]

    assert format_scores(scores).splitlines()[2:] == ["| 6×6 | 2 | 1 | 1 | 1 |"]


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
        assert result.solution is not None
        assert puzzle.solution is not None
        assert np.array_equal(result.solution, puzzle.solution)


@pytest.fixture
def one_face(tmp_path: Path) -> str:
    """The only typeface of a folder in which other files lie, too."""
    bundled = Path(str(load_font("Newsreader-Bold", 20).path))
    (tmp_path / "deeper").mkdir()
    shutil.copy(bundled, tmp_path / "deeper" / "one.ttf")
    (tmp_path / "broken.otf").write_bytes(b"none")
    (tmp_path / "readme.txt").write_text("none")
    return str(tmp_path / "deeper" / "one.ttf")


def test_symbols_and_sums_are_set_in_the_typefaces_of_a_folder(
    one_face: str, tmp_path: Path
) -> None:
    assert find_faces(tmp_path) == (one_face,)
    rng = np.random.default_rng(3)
    look = choose_kind_look(Shape("classic", box_regions(3, 4)), "newspaper", rng)

    told = set_typefaces(look, rng, faces=[one_face])

    assert told.base.face == told.sum_face == one_face


def test_a_folder_without_typefaces_ends_with_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--side", "12", "--faces", str(tmp_path), "--count", "1"]) == 3

    assert "put one there" in capsys.readouterr().err


@pytest.mark.parametrize(
    "wish",
    [["--kind", "samurai"], ["--mixed"], ["--photos", "."], ["--script", "arabic", "--side", "4"]],
)
def test_what_is_not_set_in_the_typefaces_of_a_folder_is_refused(
    one_face: str, tmp_path: Path, wish: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*wish, "--faces", str(tmp_path), "--count", "1"])

    assert ended.value.code == 2
    assert "out" in capsys.readouterr().err.splitlines()[-1]
