"""The live view on boards of other kinds and sides."""

from functools import partial
from typing import Final

import cv2
import numpy as np
import pytest
from arrays import Image8
from filming import Recognise, is_shown, play
from kind_puzzles import make_kind
from present import present

from app.live.frame_recognition import LIVE_PIPELINE, recognise
from app.live.live_session import LiveSession
from app.live.live_view import LiveState
from app.recognition.pipeline import Pipeline
from solver.formats_kinds import KindPuzzle, format_cells
from solver.rules import SAMURAI_GRIDS, Kind
from training.pages.flat_board import BoardStyle
from training.pages.printed_board import KindLook, print_board, print_samurai
from training.rendered.filled_board import BoardLook
from training.rendered.kind_photos import shape_of

_STYLE: Final = BoardStyle(thin_width=0.02, thick_width=0.06, border_width=0.06, margin=0.5)
_LOOK: Final = KindLook(BoardLook(_STYLE), region_width=0.06)
_SIZE: Final = (1000, 800)
_PATIENCE: Final = 60
"""Frames in which a board is solved at the latest."""


def _make(kind: Kind, side: int = 9, clues: int | None = None, seed: int = 3) -> KindPuzzle:
    return make_kind(kind, side=side, clues=clues, seed=seed)


def _print(puzzle: KindPuzzle) -> Image8:
    if puzzle.rules.kind is Kind.SAMURAI:
        return print_samurai(SAMURAI_GRIDS[5], puzzle.clues, 720, _LOOK).image
    sums = [cage.total for cage in puzzle.rules.cages]
    return print_board(shape_of(puzzle), puzzle.clues, sums, 560, _LOOK).image


def _shoot(page: Image8, shift: float = 0.0, turn: float = 0.0) -> Image8:
    """Return a frame of a page on a table."""
    height, width = page.shape[:2]
    camera = cv2.getRotationMatrix2D((width / 2, height / 2), turn, 1.0)
    camera[:, 2] += (_SIZE[0] - width) / 2 + shift, (_SIZE[1] - height) / 2
    frame = cv2.warpAffine(page, camera, _SIZE, borderValue=(70, 90, 110))
    return np.asarray(frame, np.uint8)


@pytest.fixture(scope="module")
def recogniser() -> Recognise:
    return partial(recognise, Pipeline.load(LIVE_PIPELINE))


@pytest.mark.slow  # puzzles are made, filmed and read
@pytest.mark.parametrize(
    ("kind", "side", "clues"),
    [(Kind.CLASSIC, 6, 14), (Kind.CLASSIC, 12, 60), (Kind.KILLER, 9, None), (Kind.SAMURAI, 9, 140)],
)
def test_boards_of_other_kinds_bear_their_solution(
    recogniser: Recognise, kind: Kind, side: int, clues: int | None
) -> None:
    puzzle = _make(kind, side, clues)
    page = _print(puzzle)

    frames = [_shoot(page, shift=0.5 * n, turn=0.05 * n) for n in range(_PATIENCE)]
    views = play(LiveSession(), frames, recogniser, delay=1)

    missing = np.where(puzzle.clues > 0, 0, present(puzzle.solution))
    drawn = [view.digits for view in views if is_shown(view)]
    assert drawn
    assert all(np.array_equal(digits, missing) for digits in drawn)
    assert views[-1].state is LiveState.SOLVED
    assert is_shown(views[-1])
    assert views[-1].written == format_cells(puzzle.rules, missing)


def test_a_killer_never_bears_the_digits_of_the_one_before(recogniser: Recognise) -> None:
    first, second = _make(Kind.KILLER, seed=3), _make(Kind.KILLER, seed=4)
    before, after = (_shoot(_print(puzzle)) for puzzle in (first, second))

    frames = [before] * 12 + [after] * _PATIENCE
    views = play(LiveSession(), frames, recogniser, delay=1)

    assert is_shown(views[11])
    shown = [view.digits for view in views[13:] if is_shown(view)]
    assert shown
    assert all(np.array_equal(digits, present(second.solution)) for digits in shown)
