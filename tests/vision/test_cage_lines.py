"""Boards that may be killers are told from others by lines inside their cells."""

import numpy as np
import pytest
from kind_puzzles import make_kind

from solver.rules import Kind
from training.pages.printed_board import KindLook, print_board
from training.pages.shape import Shape, box_regions, draw_grid, draw_shape
from training.rendered.filled_board import BoardLook
from vision.board import cut_cells, rectify, turn_cells
from vision.kinds.cage_lines import blank_cages, has_inset_lines

PX = 450


def draw_cells(kind: str, look: KindLook | None = None, clues: float = 0.4) -> np.ndarray:
    rng = np.random.default_rng(3)
    shape = draw_shape(kind, 9, rng)
    sums = [10] * len(shape.cages)
    shown = np.where(rng.random((9, 9)) < clues, draw_grid(shape, rng), 0).astype(np.uint8)
    printed = print_board(shape, shown, sums, PX, look or KindLook(BoardLook()))
    return cut_cells(rectify(printed.image, printed.lattices[0]))


@pytest.mark.parametrize("dash", [0.0, 0.08])
@pytest.mark.parametrize("turn", range(4))
def test_a_killer_has_lines_inside_its_cells(dash: float, turn: int) -> None:
    cells = draw_cells("killer", KindLook(BoardLook(), cage_dash=dash), clues=0)

    assert has_inset_lines(turn_cells(cells, turn))


@pytest.mark.parametrize("kind", ["classic", "jigsaw", "diagonal", "windoku"])
def test_other_boards_have_none(kind: str) -> None:
    assert not has_inset_lines(draw_cells(kind))


def test_light_lines_on_dark_paper_count_too() -> None:
    cells = 255 - draw_cells("killer", clues=0)

    assert has_inset_lines(np.asarray(cells, np.uint8))


def test_cages_and_sums_are_blanked_and_digits_stay() -> None:
    puzzle = make_kind(Kind.KILLER, seed=1)
    cages = tuple(
        tuple((cell // 9, cell % 9) for cell in cage.cells) for cage in puzzle.rules.cages
    )
    shape = Shape("killer", box_regions(3, 3), cages)
    digits = np.zeros((9, 9), np.uint8)
    digits[4, 4] = 8
    sums = [cage.total for cage in puzzle.rules.cages]
    printed = print_board(shape, digits, sums, PX, KindLook(BoardLook()))
    cells = cut_cells(rectify(printed.image, printed.lattices[0]))
    has_sum = np.zeros(81, np.bool_)
    has_sum[[cage.cells[0] for cage in puzzle.rules.cages]] = True

    blank = blank_cages(cells, has_sum)

    contrast = np.ptp(blank.reshape(81, -1).astype(int), axis=1)
    assert contrast.argmax() == 40
    assert np.delete(contrast, 40).max() < 40
    assert contrast[40] > 150
