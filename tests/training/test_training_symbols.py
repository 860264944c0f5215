"""Cells of large boards to learn from, and how what is read is scored."""

import numpy as np
import pytest
from large_boards import print_large

from models.symbol_reader import CLASSES, EMPTY, NO_SYMBOL, SymbolReader, class_of
from solver.formats_kinds import KindPuzzle
from solver.rules import box_rules
from training.evaluation.kind_boards import format_symbol_scores, score_board
from training.symbols.learn_cells import CellPool, CellSamples
from training.symbols.train_symbols import SYMBOL_TASK, draw_cells, tell_turned
from vision.board import cut_cells, rectify


@pytest.fixture(scope="module")
def drawn() -> CellSamples:
    return draw_cells(3)


def test_the_same_seed_draws_the_same_cells(drawn: CellSamples) -> None:
    again = draw_cells(3)

    assert np.array_equal(again.cells, drawn.cells)
    assert np.array_equal(again.classes, drawn.classes)
    assert drawn.cells.shape == (len(drawn.classes), 32, 32)
    assert 0 < (drawn.classes == EMPTY).mean() < 0.7


def test_a_board_is_printed_in_one_alphabet(drawn: CellSamples) -> None:
    shown = set(drawn.classes.tolist()) - {EMPTY, NO_SYMBOL}
    has_number, has_letter = (
        any(class_of(first) <= one <= class_of(last) for one in shown)
        for first, last in (("10", "25"), ("A", "Y"))
    )

    assert len(shown) > 8
    assert not (has_number and has_letter)


@pytest.mark.parametrize(
    ("symbol", "turns", "told"),
    [
        ("F", 1, NO_SYMBOL),
        ("7", 2, NO_SYMBOL),
        ("14", 3, NO_SYMBOL),
        ("6", 2, class_of("9")),
        ("9", 2, class_of("6")),
        ("6", 1, NO_SYMBOL),
        ("0", 2, None),
        ("O", 1, None),
        ("", 3, EMPTY),
    ],
)
def test_a_turned_symbol_is_none_unless_it_looks_like_one(
    symbol: str, turns: int, told: int | None
) -> None:
    assert tell_turned(class_of(symbol), turns) == told


def test_a_batch_holds_empty_cells_symbols_and_what_is_none(drawn: CellSamples) -> None:
    astray = CellSamples(
        np.concatenate([drawn.cells, drawn.cells[:50]]),
        np.concatenate([drawn.classes, np.full(50, NO_SYMBOL, np.uint8)]),
    )

    cells, classes = CellPool(astray, SYMBOL_TASK).draw_batch(400, np.random.default_rng(0))

    assert cells.shape == (400, 32, 32, 1)
    assert (classes == EMPTY).mean() == pytest.approx(0.2)
    assert 0.05 < (classes == NO_SYMBOL).mean() < 0.3
    assert classes.max() < CLASSES


def test_a_board_that_is_read_right_is_scored_so() -> None:
    board = print_large(12, "numbers")
    cells = cut_cells(rectify(board.image, board.lattice))
    truth = KindPuzzle(box_rules(12), board.clues, board.solution)
    other = KindPuzzle(box_rules(12), np.zeros_like(board.clues), board.solution[::-1].copy())
    reader = SymbolReader.load()

    scores = [score_board(reader, cells, puzzle) for puzzle in (truth, other)]

    assert scores[0] == (True, True, False, 0)
    assert scores[1] == (False, False, True, int((board.clues > 0).sum()))
    assert format_symbol_scores("12×12", scores).startswith("| 12×12 | 2 | 1 | 1 | 1 |")
