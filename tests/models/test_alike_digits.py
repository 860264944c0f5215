"""Digits beside those of their board: unsure print, and print that is taken for handwriting."""

import cv2
import numpy as np

from models.alike_digits import match_templates, tell_kinds
from models.engine import Float32, UInt8


def _cell(digit: str, font: int = cv2.FONT_HERSHEY_SIMPLEX) -> UInt8:
    cell = np.full((32, 32), 230, np.uint8)
    if digit:
        cv2.putText(cell, digit, (9, 24), font, 0.7, 20, 2, cv2.LINE_AA)
    return cell


def _board(digits: list[str]) -> tuple[UInt8, Float32]:
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


_DIGITS = list("2345672345672345")


def _seem_written(probabilities: Float32, cells: range) -> None:
    """Let digits look as if they were written by hand, in place."""
    for cell in cells:
        digit = int(_DIGITS[cell])
        probabilities[cell, [digit, digit + 9]] = probabilities[cell, [digit + 9, digit]]


def test_print_in_an_odd_typeface_is_no_handwriting() -> None:
    cells, probabilities = _board(_DIGITS)
    _seem_written(probabilities, range(12))
    two_looks = np.concatenate([probabilities, probabilities])

    told = tell_kinds(cells[0], two_looks)

    assert (told[[*range(16), *range(81, 97)], 10:].sum(axis=1) < 0.15).all()
    assert (told[:16, 1:10].argmax(axis=1) == [int(digit) - 1 for digit in _DIGITS]).all()
    np.testing.assert_allclose(told.sum(axis=1), 1, atol=1e-5)
    np.testing.assert_array_equal(told[:81], told[81:])


def test_digits_that_differ_from_their_like_stay_handwriting() -> None:
    cells, probabilities = _board(_DIGITS)
    rng = np.random.default_rng(3)
    for cell in range(12):  # each leans and is stretched in its own way
        skew = np.array([[1, rng.normal(0, 0.35), 0], [rng.normal(0, 0.2), 1, 0]], np.float32)
        skew[:, 2] = 16 - skew[:, :2] @ [16, 16]
        cells[0, cell] = cv2.warpAffine(cells[0, cell], skew, (32, 32), borderValue=(230,))
    _seem_written(probabilities, range(12))

    np.testing.assert_array_equal(tell_kinds(cells[0], probabilities), probabilities)


def test_entries_in_a_typeface_of_their_own_stay_handwriting() -> None:
    cells, probabilities = _board(_DIGITS)
    for cell in range(12, 16):
        lean = np.array([[1, 0.7, -11], [0, 1, 0]], np.float32)
        script = _cell(_DIGITS[cell], cv2.FONT_HERSHEY_SCRIPT_COMPLEX)
        cells[0, cell] = cv2.warpAffine(script, lean, (32, 32), borderValue=(230,))
        digit = int(_DIGITS[cell])
        probabilities[cell, [digit, digit + 9]] = [0.4, 0.583]

    told = tell_kinds(cells[0], probabilities)

    assert (told[12:16, 10:].sum(axis=1) > 0.9).all()
    np.testing.assert_array_equal(told[:12], probabilities[:12])


def test_an_entry_among_odd_print_stays_handwriting() -> None:
    cells, probabilities = _board(_DIGITS)
    _seem_written(probabilities, range(16))
    lean = np.array([[1, 0.7, -11], [0, 1, 0]], np.float32)
    script = _cell(_DIGITS[15], cv2.FONT_HERSHEY_SCRIPT_COMPLEX)
    cells[0, 15] = cv2.warpAffine(script, lean, (32, 32), borderValue=(230,))

    told = tell_kinds(cells[0], probabilities)

    assert told[15, 10:].sum() > 0.98
    assert (told[[0, 1, 2, 4, 5, 6], 10:].sum(axis=1) < 0.15).all()


def test_a_soiled_clue_is_print_beside_its_like() -> None:
    cells, probabilities = _board(_DIGITS)
    probabilities[7, [3, 12]] = [0.3, 0.683]

    told = tell_kinds(cells[0], probabilities)

    assert told[7, 3] > 0.85
    np.testing.assert_allclose(told[7, 3] + told[7, 12], probabilities[7, [3, 12]].sum(), atol=1e-5)


def test_few_digits_do_not_tell_a_typeface() -> None:
    cells, probabilities = _board(_DIGITS[:8])
    _seem_written(probabilities, range(8))

    np.testing.assert_array_equal(tell_kinds(cells[0], probabilities), probabilities)
