"""Boards of other sides than nine are decoded by the same search."""

import numpy as np
import numpy.typing as npt
import pytest

from solver.decoding.decode import DecodeLimits, DecodeOutcome, decode_clues
from solver.decoding.handwriting import Basis, decode_filled
from solver.generation.generate_kinds import KindOptions, generate_kind
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
    (puzzle,) = generate_kind(1, KindOptions(Kind.CLASSIC, side=side), seed=3)

    decoding = decode_clues(read(puzzle.clues, classes), PATIENT, rules=puzzle.rules)

    assert decoding.outcome is DecodeOutcome.SOLVED
    assert decoding.clues.tolist() == puzzle.clues.tolist()
    assert puzzle.solution is not None
    assert decoding.solution is not None
    assert decoding.solution.tolist() == puzzle.solution.tolist()


def test_a_misread_digit_of_a_board_of_six_is_corrected() -> None:
    (puzzle,) = generate_kind(1, KindOptions(Kind.CLASSIC, side=6, clues=14), seed=5)
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
    (puzzle,) = generate_kind(1, KindOptions(Kind.CLASSIC, side=6, clues=14), seed=5)
    clues = puzzle.clues.copy()
    clues.flat[np.flatnonzero(clues)[0]] = 7

    decoding = decode_clues(read(clues, 19), PATIENT, rules=puzzle.rules)

    assert decoding.outcome is DecodeOutcome.NO_SOLUTION
    assert decoding.solution is None


def test_a_reading_of_another_side_is_refused() -> None:
    (puzzle,) = generate_kind(1, KindOptions(Kind.CLASSIC, side=6), seed=5)

    with pytest.raises(ValueError, match=r"\(36, 10\) or \(36, 19\), got \(81, 19\)"):
        decode_clues(np.full((81, 19), 1 / 19), PATIENT, rules=puzzle.rules)
