"""Puzzles that are no Sudokus are named, and nothing else is."""

import json
from pathlib import Path

import numpy as np
import pytest
from command_rig import RunCommand

from app.recognition.kinds.lookalikes import choose_name
from app.recognition.outcome import Outcome
from app.recognition.pipeline import Pipeline
from app.recognition.results import PhotoResult
from app.report.photo_report import format_summary, photo_report
from models.lookalike_reader import FIRST, NOTHING, OUTPUTS, SUDOKU, Lookalike
from training.rendered.photographed_decoys import render_decoy
from vision.media.images import save_image

KENKEN = FIRST + list(Lookalike).index(Lookalike.KENKEN)
KAKURO = FIRST + list(Lookalike).index(Lookalike.KAKURO)


def frames(*told: tuple[int, float]) -> np.ndarray:
    """Return for each frame how likely its outputs are: one is named, the others share the rest."""
    likely = np.zeros((len(told), OUTPUTS), np.float32)
    for number, (output, share) in enumerate(told):
        likely[number] = (1 - share) / (OUTPUTS - 1)
        likely[number, output] = share
    return likely


@pytest.mark.parametrize(
    ("told", "has_digits", "name"),
    [
        ([(KENKEN, 0.99)], False, Lookalike.KENKEN),
        ([(KENKEN, 0.7)], False, None),
        ([(KENKEN, 0.9)], False, Lookalike.KENKEN),
        ([(KENKEN, 0.9)], True, None),
        ([(KENKEN, 0.99)], True, Lookalike.KENKEN),
        ([(NOTHING, 0.99), (KAKURO, 0.99)], False, Lookalike.KAKURO),
        ([(SUDOKU, 0.5), (KAKURO, 0.99)], False, None),
    ],
)
def test_what_is_sure_is_named_and_beside_digits_of_a_sudoku_more_is_asked(
    told: list[tuple[int, float]], has_digits: bool, name: Lookalike | None
) -> None:
    assert choose_name(frames(*told), has_digits=has_digits) is name


def test_a_report_has_the_name_as_a_code_and_in_words() -> None:
    result = PhotoResult(Outcome.NO_BOARD, (), (), {"find": 0.5}, lookalike=Lookalike.SUGURU)

    assert photo_report(result)["looks_like"] == "suguru"
    assert format_summary("a.jpg", result, is_terminal=False) == (
        "a.jpg: no board was found (0.50 s)\n"
        "This seems to be a Suguru, not a Sudoku. "
        "If there is a Sudoku, take the photo nearer, with its whole border on it."
    )


def test_a_report_without_a_name_has_no_code() -> None:
    assert "looks_like" not in photo_report(PhotoResult(Outcome.NO_BOARD, (), (), {}))


@pytest.mark.slow  # a photo without a board is searched to the end
@pytest.mark.parametrize("kind", [one.value for one in Lookalike])
def test_a_photo_of_another_puzzle_is_refused_by_its_name(
    sudoku_lens: RunCommand, tmp_path: Path, kind: str
) -> None:
    save_image(tmp_path / "a.png", render_decoy(kind, 5, 2).photo)

    done = sudoku_lens("solve", "--json", tmp_path / "a.png")

    report = json.loads(done.stdout)
    assert (report["outcome"], report["boards"]) == ("no_board", [])
    assert report["looks_like"] == kind


@pytest.mark.slow  # a photo without a board is searched to the end
@pytest.mark.parametrize("kind", ["empty_grid", "killer", "calendar"])
def test_nothing_else_has_a_name(pipeline: Pipeline, kind: str) -> None:
    result = pipeline.solve_photo(render_decoy(kind, 5, 2).photo)

    assert result.outcome is not Outcome.SOLVED
    assert result.lookalike is None


@pytest.mark.slow  # a photo without a solution is searched to the end
def test_digits_up_to_five_do_not_hide_a_suguru(pipeline: Pipeline) -> None:
    result = pipeline.solve_photo(render_decoy("suguru", 520001, 3).photo)

    assert result.lookalike is Lookalike.SUGURU
