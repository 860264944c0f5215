"""The evaluation over photos counts what a user would see, and nothing nicer."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from puzzles import EASY, EASY_SOLUTION
from report_rig import CORNERS, LABEL, board, report

from solver.grid import format_grid
from training.evaluation.photo_verdicts import PhotoStage, judge, main
from training.photo_labels import PhotoLabel, load_photo_labels
from vision.media.images import load_image, save_image

OTHER = EASY_SOLUTION.translate(str.maketrans("12", "21"))
NO_PUZZLE = replace(LABEL, solution=None)
ASIDE = (CORNERS + np.array([500, 0])).tolist()


def beside(**changes: str) -> dict[str, Any]:
    """Return a report of the right board, and of another solution beside it."""
    return report(board(), board(solution=OTHER, corners=ASIDE, **changes))


@pytest.mark.parametrize(
    ("label", "told", "stage"),
    [
        (LABEL, report(), PhotoStage.RIGHT),
        (LABEL, report(clues="." + EASY[1:]), PhotoStage.RIGHT),  # a corrected clue
        (LABEL, report(solution=OTHER), PhotoStage.WRONG),
        (NO_PUZZLE, report(), PhotoStage.WRONG),
        (NO_PUZZLE, report(solution=None), PhotoStage.RIGHT),
        (LABEL, beside(), PhotoStage.WRONG),
        # Yesterday's solution is printed there, whoever seems to have written a digit of it.
        (LABEL, beside(clues=OTHER), PhotoStage.RIGHT),
        (LABEL, beside(clues="." + OTHER[1:], entries=OTHER[0] + "." * 80), PhotoStage.RIGHT),
        (LABEL, beside(clues="." + OTHER[1:]), PhotoStage.WRONG),
        # What fails is named by the stage where it happened.
        (LABEL, report(corners=(CORNERS + np.array([100, 0])).tolist()), PhotoStage.FIND),
        (LABEL, report(solution=None, clues="6" + EASY[1:]), PhotoStage.READ),
        (LABEL, report(solution=None), PhotoStage.DECODE),
    ],
)
def test_a_photo_counts_by_what_a_user_would_see(
    label: PhotoLabel, told: dict[str, Any], stage: PhotoStage
) -> None:
    assert judge(label, told).stage is stage


def test_cells_that_are_read_right_are_counted() -> None:
    assert judge(LABEL, report()).cells_right == 81
    assert judge(LABEL, report()).is_located
    assert judge(LABEL, report(solution=None, clues="6" + EASY[1:])).cells_right == 80


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
