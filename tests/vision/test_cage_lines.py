"""Digits stand alone where cages and sums are taken out of cells."""

import numpy as np
from kind_puzzles import make_kind

from solver.rules import Kind
from training.pages.printed_board import KindLook, print_board
from training.pages.shape import Shape, box_regions
from training.rendered.filled_board import BoardLook
from vision.board import cut_cells, rectify
from vision.kinds.drawn_lines import blank_cages

PX = 450


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

    blank = blank_cages(cells, np.ones(81, np.bool_), has_sum)

    contrast = np.ptp(blank.reshape(81, -1).astype(int), axis=1)
    assert contrast.argmax() == 40
    assert np.delete(contrast, 40).max() < 40
    assert contrast[40] > 150


def test_a_cell_in_no_cage_stays_as_it_is() -> None:
    cells = np.random.default_rng(0).integers(0, 256, (81, 32, 32)).astype(np.uint8)
    is_caged = np.arange(81) != 40

    blank = blank_cages(cells, is_caged, np.zeros(81, np.bool_))

    assert np.array_equal(blank[40], cells[40])
    assert not np.array_equal(blank[39], cells[39])
