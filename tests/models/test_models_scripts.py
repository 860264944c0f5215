"""The network of other scripts: what its classes tell of a board."""

import numpy as np
import pytest
from arrays import Float32
from present import present

from models.script_reader import (
    CLASSES,
    EMPTY,
    FIRST_OF,
    NO_DIGIT,
    SCRIPTS,
    knows_digits,
    tell_digits,
)
from training.symbols.train_scripts import tell_script_turned


def see(*classes: int, likelihood: float = 0.95) -> Float32:
    """Return what the reader makes of cells that look like these classes."""
    seen = np.full((len(classes), CLASSES), (1 - likelihood) / (CLASSES - 1), np.float32)
    seen[np.arange(len(classes)), classes] = likelihood
    return seen


def test_each_script_has_nine_digits_of_its_own() -> None:
    assert {len(set(digits)) for digits in SCRIPTS.values()} == {9}
    assert [int(digit) for digit in SCRIPTS["devanagari"]] == list(range(1, 10))


@pytest.mark.parametrize("script", SCRIPTS)
def test_the_cells_of_a_board_tell_its_script(script: str) -> None:
    first = FIRST_OF[script]

    told = present(tell_digits(see(*range(first, first + 9), EMPTY, EMPTY)))

    assert told.argmax(axis=1).tolist() == [*range(1, 10), 0, 0]
    assert told.sum(axis=1) == pytest.approx(1)


@pytest.mark.parametrize(
    "classes",
    [
        (NO_DIGIT,) * 9,  # the usual digits
        (1, 9, 1, 9, *(NO_DIGIT,) * 6),  # of which two look like others
        (1, 2, *(EMPTY,) * 20),  # too few
        (EMPTY,) * 81,
        (1, 2, 3, 4, 5, 10, 11, 12, 13, 14),  # of two scripts
    ],
)
def test_what_no_script_explains_is_left_alone(classes: tuple[int, ...]) -> None:
    assert tell_digits(see(*classes)) is None


def test_a_digit_that_several_scripts_have_is_that_of_the_board() -> None:
    seen = see(*range(1, 10), 1)
    seen[-1] = 0
    seen[-1, [1, NO_DIGIT]] = 0.45, 0.55

    told = present(tell_digits(seen))

    assert told[-1, 1] > 0.8


def test_what_is_read_less_surely_than_its_like_is_another_digit() -> None:
    """A typeface may have a 2 that looks rather like a 3, but less than its 3."""
    seen = see(*range(1, 10), 3, 3, 3, likelihood=0.999)
    seen[[1, 9], 2], seen[[1, 9], 3] = 0.1, 0.9

    told = present(tell_digits(seen))

    assert told.argmax(axis=1).tolist() == [*range(1, 10), 2, 3, 3]


def look_like(*cells: tuple[int, float]) -> Float32:
    """Return cells that are each a digit, or else an 8, by these likelihoods."""
    digits = np.full((len(cells), 10), 1e-4, np.float32)
    for cell, (digit, likelihood) in zip(digits, cells, strict=True):
        cell[8] = 1 - likelihood
        cell[digit] = likelihood
    return digits


_ALL_BUT_8 = [(digit, 0.999) for digit in (1, 2, 3, 4, 5, 6, 7, 9)]


def test_a_digit_that_is_not_shown_does_not_matter_if_none_looks_like_it() -> None:
    digits = look_like(*_ALL_BUT_8)

    assert knows_digits(digits, 9, looks=10)
    assert not knows_digits(digits, 9, looks=1)


def test_a_digit_that_another_looks_like_must_be_shown() -> None:
    doubtful = [(7, 0.95), *_ALL_BUT_8]

    assert not knows_digits(look_like(*doubtful), 9, looks=10)
    assert knows_digits(look_like((8, 0.95), *doubtful), 9, looks=1)
    assert knows_digits(look_like(*doubtful), 7, looks=1)  # no 8 on such a board


@pytest.mark.parametrize("absent", [2, 3, 4])
def test_digits_that_differ_by_a_tooth_must_all_be_shown(absent: int) -> None:
    shown = [(digit, 0.999) for digit in range(1, 10) if digit != absent]

    assert not knows_digits(look_like(*shown), 9, looks=10)


@pytest.mark.parametrize(
    ("told", "turns", "expected"),
    [
        (7, 2, 8),  # V and its like upside down
        (8, 2, 7),
        (2, 2, NO_DIGIT),
        (7, 1, NO_DIGIT),
        (5, 1, None),  # a circle
        (EMPTY, 3, EMPTY),
        (NO_DIGIT, 1, NO_DIGIT),
    ],
)
def test_a_turned_digit_is_none_unless_it_looks_like_one(
    told: int, turns: int, expected: int | None
) -> None:
    assert tell_script_turned(told, turns) == expected
