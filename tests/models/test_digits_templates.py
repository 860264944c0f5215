"""Unsure print beside the sure print of its board."""

import cv2
import numpy as np
import numpy.typing as npt

from models.digits import match_templates


def _cell(digit: str) -> npt.NDArray[np.uint8]:
    cell = np.full((32, 32), 230, np.uint8)
    if digit:
        cv2.putText(cell, digit, (9, 24), cv2.FONT_HERSHEY_SIMPLEX, 0.7, 20, 2, cv2.LINE_AA)
    return cell


def _board(digits: list[str]) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
    """Return cells that begin with these digits, one look, and probabilities sure of them all."""
    cells = np.stack([_cell(digit) for digit in digits + [""] * (81 - len(digits))])
    probabilities = np.full((81, 19), 0.001, np.float32)
    for index in range(81):
        probabilities[index, int(digits[index]) if index < len(digits) else 0] = 0.982
    return cells[None], probabilities


def test_a_cell_in_doubt_is_read_as_what_it_looks_like() -> None:
    cells, probabilities = _board(["7", "1", "7", "1", "1", "3", "7"])
    probabilities[6, [1, 7]] = [0.6, 0.383]

    matched = match_templates(cells, probabilities)

    assert matched[6].argmax() == 7
    assert matched[6, 7] > 0.8
    np.testing.assert_allclose(matched.sum(axis=1), 1, atol=1e-5)


def test_what_is_written_or_empty_keeps_its_share() -> None:
    cells, probabilities = _board(["7", "1", "7", "1", "1", "3", "7"])
    probabilities[6] = 0.01
    probabilities[6, [0, 1, 7, 16]] = [0.2, 0.3, 0.25, 0.1]

    matched = match_templates(cells, probabilities)

    np.testing.assert_array_equal(
        matched[6, [0, *range(10, 19)]], probabilities[6, [0, *range(10, 19)]]
    )
    assert matched[6, 7] > matched[6, 1]


def test_a_digit_with_few_of_its_kind_is_not_ruled_out() -> None:
    cells, probabilities = _board(["7", "1", "7", "1", "1", "3", "4"])

    matched = match_templates(cells, probabilities)

    assert (matched[:7].argmax(axis=1) == [7, 1, 7, 1, 1, 3, 4]).all()


def test_without_sure_print_nothing_changes() -> None:
    cells, probabilities = _board(["7"])

    np.testing.assert_array_equal(match_templates(cells, probabilities), probabilities)
