"""Hidden clues: what is hidden, what counts as an invention, and that none is made."""

import math

import numpy as np
import pytest
from present import present
from puzzles import EASY, EASY_GRID, EASY_SOLUTION, EASY_SOLUTION_GRID
from report_rig import CORNERS, report

from app.recognition.pipeline import Pipeline
from app.report.photo_report import photo_report
from solver.exact.bitmask import count_solutions
from solver.grid import format_grid, parse_grid
from training.evaluation.changed_cells import (
    COVERS,
    DISTURBANCES,
    choose_clue,
    hide_clue,
    paint_over,
)
from training.evaluation.hidden_clue_claims import (
    ClueClaim,
    Trial,
    draw_rendered,
    drop_printed_solutions,
    format_calibration,
    format_claims,
    judge_claim,
    main,
)
from training.pages.flat_board import render_board
from vision.board import cut_cells, lattice_from_corners, rectify

pytestmark = pytest.mark.slow

NEEDED = 25
"""A cell without whose clue the puzzle has two solutions."""

LOUD = ("as it is", "noise 70")
PAGES = (
    (9, ("as it is", "noise 40", "noise 70"), LOUD),
    (21, ("as it is", "noise 40", "noise 70"), LOUD),
    (16, ("as it is", "noise 40"), LOUD),
    (2, ("as it is",), ()),
)
"""Seeds of pages of less than 1.5 megapixels with a clue that they need, of every level, and what
disturbs them whole and without that clue; in noise the harder ones take long."""

INNER = (slice(6, -6), slice(6, -6))


def make_trial(hidden: int | None = None) -> Trial:
    if hidden is None:
        return Trial("whole", "whole, as it is", CORNERS, EASY_GRID, EASY_SOLUTION_GRID)
    return Trial("hidden", "paint, as it is", CORNERS, hide_clue(EASY_GRID, hidden), None)


def test_a_clue_is_chosen_without_which_there_are_several_solutions() -> None:
    for seed in range(5):
        cell = present(choose_clue(EASY_GRID, np.random.default_rng(seed)))

        assert EASY_GRID.flat[cell] > 0
        assert count_solutions(hide_clue(EASY_GRID, cell), 2) == 2


def test_paint_leaves_paper_where_the_clue_stood_and_the_rest_as_it_was() -> None:
    photo, corners = render_board(EASY_GRID, 540)
    lattice = lattice_from_corners(corners)

    covered = paint_over(EASY_GRID)(photo, lattice, 0, np.random.default_rng(0))

    before, after = (cut_cells(rectify(one, lattice)) for one in (photo, covered))
    assert before[0][INNER].std() > 30
    assert after[0][INNER].std() < 2
    assert all((before[cell][INNER] == after[cell][INNER]).all() for cell in range(1, 81))


@pytest.mark.parametrize("cover", list(COVERS))
def test_what_lies_over_a_clue_hides_it(cover: str) -> None:
    photo, corners = render_board(EASY_GRID, 540)
    blank, _ = render_board(parse_grid("." * 81), 540)
    lattice = lattice_from_corners(corners)

    with_clue, without = (
        COVERS[cover](one, lattice, 40, np.random.default_rng(3)) for one in (photo, blank)
    )

    seen, paper = (cut_cells(rectify(one, lattice))[40][INNER] for one in (with_clue, without))
    assert np.abs(seen.astype(int) - paper).mean() < 3


def test_a_claim_is_right_or_tells_what_was_invented_or_changed() -> None:
    right = present(judge_claim(make_trial(), report()))
    invented = present(judge_claim(make_trial(NEEDED), report()))
    changed = present(judge_claim(make_trial(), report(clues="6" + EASY[1:], solution="1" * 81)))

    assert right.is_right
    assert not invented.is_right
    assert (invented.invented, invented.changed) == ((NEEDED,), ())
    assert not changed.is_right
    assert (changed.invented, changed.changed) == ((), (0,))
    assert judge_claim(make_trial(), report(solution=None)) is None


def test_yesterdays_solution_beside_the_board_is_no_claim() -> None:
    elsewhere = (CORNERS + 200).tolist()

    assert judge_claim(make_trial(NEEDED), report(clues=EASY_SOLUTION, corners=elsewhere)) is None
    assert judge_claim(make_trial(NEEDED), report(corners=elsewhere)) is not None


def test_a_solution_beside_the_board_may_lack_digits_that_another_picture_shows() -> None:
    elsewhere = (CORNERS + 200).tolist()
    whole, hidden = make_trial(), make_trial(NEEDED)
    printed, unread = (
        report(clues=EASY_SOLUTION, corners=elsewhere),
        report(clues="." + EASY_SOLUTION[1:], corners=elsewhere),
    )

    shown, alone = (
        drop_printed_solutions([(whole, first), (hidden, unread)])[1]
        for first in (printed, report(solution=None))
    )

    assert judge_claim(*shown) is None
    assert judge_claim(*alone) is not None


def test_the_tables_count_claims_by_cause_and_by_confidence() -> None:
    told = [
        (make_trial(), report()),
        (make_trial(NEEDED), report()),
        (make_trial(1), report(solution=None)),
    ]
    claims = [claim for trial, one in told if (claim := judge_claim(trial, one))]

    assert "| whole, as it is | 1 | 1 | 0 | 0 | 0 | – |" in format_claims(told)
    assert "| paint, as it is | 2 | – | 1 | 1 | 0 | 0.800 |" in format_claims(told)
    assert "| 0.8–0.9 | 2 | 0.8000 | 0.5000 |" in format_calibration(claims)


def test_a_rendered_page_is_printed_again_without_a_clue_that_it_needs() -> None:
    (whole, photo), (taken, other) = draw_rendered(3, 520_021)

    assert whole.solution is not None
    assert taken.solution is None
    assert photo.shape == other.shape
    assert count_solutions(taken.digits, 2) == 2
    assert ((taken.digits == whole.digits) | (taken.digits == 0)).all()
    assert format_grid(taken.digits) != format_grid(whole.digits)


def test_nothing_to_measure_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([])

    assert "--rendered" in capsys.readouterr().err


def test_claims_on_rendered_pages_are_as_right_as_they_say(pipeline: Pipeline) -> None:
    claims: list[ClueClaim] = []
    for seed, of_whole, of_taken in PAGES:
        whole, taken = draw_rendered(3 + seed % 3, 520_000 + seed)
        pictures = [(*whole, name) for name in of_whole] + [(*taken, name) for name in of_taken]
        for trial, photo, name in pictures:
            shown = DISTURBANCES[name](photo, np.random.default_rng(seed))
            claim = judge_claim(trial, photo_report(pipeline.solve_photo(shown)))
            if claim is not None:
                claims.append(claim)

    wrong = [claim for claim in claims if not claim.is_right]
    expected = sum(1 - claim.confidence for claim in claims)
    assert len(claims) >= 8
    assert not [claim for claim in wrong if claim.invented or claim.confidence > 0.9]
    # Three standard deviations and one: so many are wrong if confidence means what it says.
    assert len(wrong) <= expected + 3 * math.sqrt(expected) + 1
