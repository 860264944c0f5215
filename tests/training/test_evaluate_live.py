"""The live benchmark counts what a user would see, and knows where the board really is."""

from typing import Any

import numpy as np
import pytest
from arrays import Points
from puzzles import EASY_SOLUTION_GRID

from models.board_detector import BoardDetector
from solver.grid import Grid, format_grid
from training.evaluation.filming_camera import (
    HEIGHT,
    WIDTH,
    CameraPose,
    FrameTruth,
    Light,
    Moment,
    Page,
    bend_page,
    film,
)
from training.evaluation.live_overlays import format_table, judge_sequence
from training.pages.flat_board import make_puzzle, render_board
from vision.board import corners_from_lattice, lattice_from_corners
from vision.finder.detect import BoardFinder
from vision.finder.views import Look

_LATTICE = lattice_from_corners(
    np.array([[100, 100], [550, 100], [550, 550], [100, 550]], np.float32)
)


def _truths(count: int, visible: bool = True) -> list[FrameTruth]:
    return [FrameTruth(_LATTICE, EASY_SOLUTION_GRID, visible)] * count


def _report(
    lattice: Points | None = _LATTICE, digits: Grid = EASY_SOLUTION_GRID, opacity: float = 1.0
) -> dict[str, Any]:
    return {
        "opacity": opacity,
        "digits": format_grid(digits),
        "lattice": None if lattice is None else lattice.tolist(),
        "work_ms": 5.0,
        "draw_ms": 1.0,
        "read_ms": None,
    }


_NOTHING = _report(None, np.zeros((9, 9), np.uint8), 0.0)


OTHER = (EASY_SOLUTION_GRID % 9 + 1).astype(np.uint8)
AWAY = (_LATTICE + np.array([30, 0], np.float32)).astype(np.float32)


@pytest.mark.parametrize(
    ("truths", "reports", "counts", "first"),
    [
        # A right overlay counts in its place.
        (_truths(10), [_NOTHING] * 3 + [_report(_LATTICE + np.float32(1))] * 7, (10, 7, 0), [0.1]),
        # A digit that does not belong there counts as wrong however faint.
        (
            _truths(3),
            [_report(digits=OTHER, opacity=0.01), _report(AWAY), _report()],
            (3, 1, 2),
            [2 / 30],
        ),
        # Frames without the whole board are not asked for.
        (
            _truths(2, visible=False) + _truths(4) + _truths(2, visible=False) + _truths(3),
            [_NOTHING] * 4 + [_report()] * 3 + [_NOTHING] * 4,
            (7, 2, 0),
            [2 / 30, 3 / 30],
        ),
    ],
)
def test_a_sequence_counts_what_is_shown_where_it_should_be(
    truths: list[FrameTruth],
    reports: list[dict[str, Any]],
    counts: tuple[int, int, int],
    first: list[float],
) -> None:
    verdict = judge_sequence("a", truths, reports, 30.0, is_still=True)

    assert (verdict.visible, verdict.shown, verdict.wrong) == counts
    assert verdict.first == pytest.approx(tuple(first))
    assert verdict.jitter == pytest.approx(0.0)
    assert verdict.work_ms == (6.0,) * len(truths)


def test_errors_are_those_of_corners() -> None:
    verdict = judge_sequence("a", _truths(1), [_report(_LATTICE + np.float32(1.0))], 30.0)

    assert np.median(verdict.corner_errors) == pytest.approx(2**0.5)


def test_the_table_sums_up_all_sequences() -> None:
    one = judge_sequence("one", _truths(4), [_report()] * 4, 30.0)
    other = judge_sequence("other", _truths(4), [_NOTHING] * 4, 30.0)

    lines = format_table([one, other]).splitlines()

    assert len(lines) == 5
    assert lines[-1].startswith("| **all** | 8 | 50.0 % | 0 |")


def _page() -> Page:
    puzzle = make_puzzle(1, 30)
    image, corners = render_board(puzzle.clues, 500)
    return Page("page", image, lattice_from_corners(corners), puzzle.solution)


@pytest.mark.parametrize("bend", [0.0, 0.05])
def test_the_camera_knows_where_the_board_is(bend: float) -> None:
    page = bend_page(_page(), bend) if bend else _page()
    moment = Moment(page, CameraPose(x=40, y=-20, side=430, tilt=20, pan=-15, turn=8), Light(0.9))

    ((image, truth),) = film(lambda _: moment, 1, seed=0, exposure=0.4, noise=2.0)

    (board,) = BoardFinder(image, BoardDetector.load()).find(Look.WHOLE)
    found = board.corners
    away = found - corners_from_lattice(truth.lattice)
    assert image.shape == (HEIGHT, WIDTH, 3)
    assert truth.is_visible
    assert float(np.linalg.norm(away, axis=1).max()) < 2.5


def test_a_board_that_reaches_beyond_the_frame_is_not_visible() -> None:
    moment = Moment(_page(), CameraPose(x=600))

    ((_, truth),) = film(lambda _: moment, 1, seed=0, exposure=0.4, noise=0.0)

    assert not truth.is_visible
