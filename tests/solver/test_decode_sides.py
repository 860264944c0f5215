"""Boards of other sides than nine are decoded by the same search."""

import numpy as np
import numpy.typing as npt
import pytest
from kind_puzzles import make_kind
from present import present

from solver.decoding.decode import DecodeLimits, DecodeOutcome, decode_clues
from solver.decoding.handwriting import Basis, decode_filled
from solver.grid import Grid
from solver.rules import Kind

PATIENT = DecodeLimits(seconds=60)

Reading = npt.NDArray[np.float64]


def read(clues: Grid, classes: int, sure: float = 0.9999) -> Reading:
    """Return (n², classes): a reader that is sure of all cells."""
    values = clues.ravel()
    reading = np.full((len(values), classes), (1 - sure) / (classes - 1))
    reading[np.arange(len(values)), values] = sure
    return reading


@pytest.mark.parametrize(("side", "classes"), [(4, 19), (6, 19), (8, 19), (12, 13), (16, 17)])
def test_a_sure_reading_of_each_side_is_solved(side: int, classes: int) -> None:
    puzzle = make_kind(Kind.CLASSIC, side=side, seed=3)

    decoding = decode_clues(read(puzzle.clues, classes), PATIENT, rules=puzzle.rules)

    assert decoding.outcome is DecodeOutcome.SOLVED
    assert decoding.clues.tolist() == puzzle.clues.tolist()
    assert present(decoding.solution).tolist() == present(puzzle.solution).tolist()


def test_a_misread_digit_of_a_board_of_six_is_corrected() -> None:
    puzzle = make_kind(Kind.CLASSIC, side=6, clues=14, seed=5)
    reading = read(puzzle.clues, 19)
    cell = int(np.flatnonzero(puzzle.clues)[0])
    true = int(puzzle.clues.flat[cell])
    row = puzzle.clues[cell // 6]
    wrong = next(digit for digit in row[row > 0].tolist() if digit != true)
    reading[cell] = 0.001 / 17
    reading[cell, [wrong, true]] = 0.7, 0.299

    filled = decode_filled(reading, PATIENT, puzzle.rules)

    assert filled.decoding.outcome is DecodeOutcome.SOLVED
    assert filled.basis is Basis.PRINT
    assert filled.decoding.corrected == (cell,)
    assert filled.decoding.clues.tolist() == puzzle.clues.tolist()


def test_a_digit_that_the_side_does_not_have_is_no_clue() -> None:
    puzzle = make_kind(Kind.CLASSIC, side=6, clues=14, seed=5)
    clues = puzzle.clues.copy()
    cell = int(np.flatnonzero(clues)[0])
    clues.flat[cell] = 7

    decoding = decode_clues(read(clues, 19), PATIENT, rules=puzzle.rules)

    # The clues alone, without it, may have solutions.
    assert decoding.outcome is DecodeOutcome.UNREADABLE
    assert decoding.solution is None
    assert decoding.clues.flat[cell] == 0


def test_a_reading_of_another_side_is_refused() -> None:
    puzzle = make_kind(Kind.CLASSIC, side=6, seed=5)

    with pytest.raises(ValueError, match=r"\(36, 10\) or \(36, 19\), got \(81, 19\)"):
        decode_clues(np.full((81, 19), 1 / 19), PATIENT, rules=puzzle.rules)


def test_the_grids_of_a_samurai_are_decoded_together() -> None:
    puzzle = make_kind(Kind.SAMURAI, n_grids=2, clues=60, seed=2)
    reading = read(puzzle.clues, 19)
    shared = np.flatnonzero(puzzle.clues[6:9, 6:9])
    row, column = divmod(int(shared[0]), 3)
    cell = (row + 6) * 15 + column + 6
    right = int(puzzle.clues.flat[cell])
    reading[cell] = 0.001
    reading[cell, [right, right % 9 + 1]] = [0.4, 0.583]
    reading[14] = np.eye(19)[5]  # what stands beside the grids is no digit of the puzzle

    filled = decode_filled(reading, PATIENT, puzzle.rules)

    assert filled.decoding.outcome is DecodeOutcome.SOLVED
    assert filled.decoding.corrected == (cell,)
    assert present(filled.decoding.solution).tolist() == present(puzzle.solution).tolist()


def test_a_samurai_with_a_hidden_clue_is_not_claimed() -> None:
    puzzle = make_kind(Kind.SAMURAI, n_grids=2, seed=2)
    clues = puzzle.clues.copy()
    clues.flat[np.flatnonzero(clues)[3]] = 0

    filled = decode_filled(read(clues, 19), PATIENT, puzzle.rules)

    assert filled.decoding.outcome is DecodeOutcome.AMBIGUOUS
    assert filled.decoding.solution is None


def test_what_is_written_and_no_digit_of_the_side_is_no_entry() -> None:
    puzzle = make_kind(Kind.CLASSIC, side=6, clues=14, seed=5)
    reading = read(puzzle.clues, 19)
    free = np.flatnonzero(puzzle.clues.ravel() == 0)
    right = int(present(puzzle.solution).flat[free[1]])
    for cell, digit in ((free[0], 8), (free[1], right)):
        reading[cell] = 0.001 / 18
        reading[cell, 9 + digit] = 0.999

    filled = decode_filled(reading, PATIENT, puzzle.rules)

    assert filled.decoding.outcome is DecodeOutcome.SOLVED
    assert np.flatnonzero(filled.entries).tolist() == [free[1]]
    assert filled.entries.flat[free[1]] == right
