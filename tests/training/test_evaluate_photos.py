"""The evaluation over photos counts what a user would see, and nothing nicer."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from puzzles import EASY, EASY_SOLUTION
from report_rig import CORNERS, LABEL, board, report

from solver.grid import format_grid
from training.evaluation.photo_verdicts import (
    PhotoStage,
    judge,
    main,
)
from training.photo_labels import load_photo_labels
from vision.media.images import load_image, save_image

OTHER = EASY_SOLUTION.translate(str.maketrans("12", "21"))
ASIDE = (CORNERS + np.array([500, 0])).tolist()


def test_a_right_solution_in_the_right_place_counts() -> None:
    verdict = judge(LABEL, report())

    assert verdict.stage is PhotoStage.RIGHT
    assert verdict.cells_right == 81
    assert verdict.is_located


def test_another_solution_is_a_wrong_one_shown() -> None:
    assert judge(LABEL, report(solution=OTHER)).stage is PhotoStage.WRONG


def test_any_solution_of_a_board_that_is_no_puzzle_is_a_wrong_one_shown() -> None:
    label = replace(LABEL, solution=None)

    assert judge(label, report()).stage is PhotoStage.WRONG
    assert judge(label, report(solution=None)).stage is PhotoStage.RIGHT


def test_a_wrong_solution_beside_the_right_one_counts_as_wrong() -> None:
    told = report(board(), board(solution=OTHER, corners=ASIDE))

    assert judge(LABEL, told).stage is PhotoStage.WRONG


def test_yesterdays_solution_printed_beside_the_puzzle_is_no_wrong_one() -> None:
    def judge_beside(**changes: str) -> PhotoStage:
        told = report(board(), board(solution=OTHER, corners=ASIDE, **changes))
        return judge(LABEL, told).stage

    assert judge_beside(clues=OTHER) is PhotoStage.RIGHT
    # Who seems to have written a digit of it changes nothing.
    assert judge_beside(clues="." + OTHER[1:], entries=OTHER[0] + "." * 80) is PhotoStage.RIGHT
    assert judge_beside(clues="." + OTHER[1:]) is PhotoStage.WRONG


def test_failures_name_the_stage_where_they_happened() -> None:
    misread = "6" + EASY[1:]

    assert (
        judge(LABEL, report(corners=(CORNERS + np.array([100, 0])).tolist())).stage
        is PhotoStage.FIND
    )
    assert judge(LABEL, report(solution=None, clues=misread)).stage is PhotoStage.READ
    assert judge(LABEL, report(solution=None)).stage is PhotoStage.DECODE
    assert judge(LABEL, report(solution=None, clues=misread)).cells_right == 80


def test_a_solution_with_a_corrected_clue_counts_as_right() -> None:
    dropped = "." + EASY[1:]

    assert judge(LABEL, report(clues=dropped)).stage is PhotoStage.RIGHT


def test_labels_of_real_photos_are_solved(shared_data: Path) -> None:
    labels = load_photo_labels(shared_data / "photos")

    assert len(labels) == 631
    assert sum(label.solution is None for label in labels) == 400
    assert all(label.solution is None for label in labels if label.source == "donshel")
    first = next(label for label in labels if label.file == "wichtounet/image1.jpg")
    assert first.solution is not None
    assert format_grid(first.digits).count(".") > 40


@pytest.mark.slow  # a photo is read by the whole pipeline
def test_the_evaluation_ends_with_an_error_where_a_wrong_solution_is_shown(
    newspaper: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a").mkdir()
    save_image(tmp_path / "a" / "b.jpg", load_image(newspaper))
    (tmp_path / "photos.csv").write_text(
        "file,puzzle,corners,kind,group\n"
        f'a/b.jpg,{EASY},"10,10 200,10 200,200 10,200",newspaper,g\n'
    )

    code = main([str(tmp_path)])

    printed = capsys.readouterr()
    assert code == 1
    assert "a/b.jpg: WRONG shown" in printed.err
    assert "| **all** | 1 |" in printed.out
