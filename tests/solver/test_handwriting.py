"""Boards that someone wrote on: print first, and all digits where print does not suffice."""

import numpy as np
import numpy.typing as npt
import pytest
from present import present
from puzzles import EASY, EASY_SOLUTION, MINIMAL, TWO_SOLUTIONS

from solver.decoding.decode import DecodeLimits, DecodeOutcome
from solver.decoding.handwriting import (
    Basis,
    FilledDecoding,
    decode_filled,
    exceeds_error_budget,
)
from solver.decoding.print_and_hand import (
    HANDWRITTEN,
    doubt_handwriting,
    find_handwritten,
    free_handwriting,
    lacks_print,
)
from solver.exact.bitmask import count_solutions, search
from solver.grid import Grid, format_grid, parse_grid

PATIENT = DecodeLimits(seconds=60)

Reading = npt.NDArray[np.float64]


def read(
    printed: str, written: dict[int, int], shares: "dict[int, float] | None" = None
) -> Reading:
    """Return (81, 19): a reader that is sure of every digit, and nearly of who wrote it.

    Args:
        printed: 81 digits.
        written: digits by hand, by cell.
        shares: by cell, how likely its digit is by hand; 0.01 for print, 0.99 for what is written.
    """
    digits = parse_grid(printed).ravel().copy()
    for cell, digit in written.items():
        digits[cell] = digit
    reading = np.full((81, 19), 1e-5)
    for cell, digit in enumerate(digits.tolist()):
        if digit == 0:
            reading[cell, 0] = 1
            continue
        share = (shares or {}).get(cell, 0.99 if cell in written else 0.01)
        reading[cell, digit] = 1 - share
        reading[cell, digit + 9] = share
    return np.asarray(reading / reading.sum(axis=1, keepdims=True))


def fill_in(cells: "range | list[int]") -> dict[int, int]:
    """Return right entries for those of the cells that are empty in CLUES."""
    return {cell: int(EASY_SOLUTION[cell]) for cell in cells if EASY[cell] == "."}


def decode(reading: Reading) -> FilledDecoding:
    return decode_filled(reading, PATIENT)


def as_grid(entries: dict[int, int]) -> Grid:
    grid = np.zeros(81, np.uint8)
    for cell, digit in entries.items():
        grid[cell] = digit
    return grid.reshape(9, 9)


def assert_solved(filled: FilledDecoding, basis: Basis) -> None:
    assert filled.decoding.outcome is DecodeOutcome.SOLVED
    assert format_grid(present(filled.decoding.solution)) == EASY_SOLUTION
    assert filled.basis is basis


@pytest.mark.parametrize(
    "written",
    [
        {},
        fill_in(range(40)),
        fill_in(range(81)) | {2: 8},
        {cell: int(EASY_SOLUTION[cell]) % 9 + 1 for cell in range(81) if EASY[cell] == "."},
    ],
    ids=["nothing", "right entries", "a full board with a mistake", "mostly wrong entries"],
)
def test_sure_print_is_kept_whatever_is_written_beside_it(written: dict[int, int]) -> None:
    filled = decode(read(EASY, written))

    assert_solved(filled, Basis.PRINT)
    assert format_grid(filled.decoding.clues) == EASY
    assert (filled.entries == as_grid(written)).all()
    assert filled.decoding.corrected == ()


@pytest.mark.parametrize("shares", [{2: 0.05}, {2: 0.2}, {2: 0.6}, {25: 0.7}])
def test_a_contradiction_tells_who_wrote_a_digit_that_looks_otherwise(
    shares: dict[int, float],
) -> None:
    """A wrong entry that looks printed, and a printed digit that looks written and decides."""
    filled = decode(read(EASY, fill_in(range(81)) | {2: 8}, shares))

    assert_solved(filled, Basis.PRINT)
    assert filled.entries[0, 2] == 8
    assert filled.decoding.clues[2, 7] == 6
    assert filled.decoding.corrected == ()


@pytest.mark.parametrize(
    ("misread", "outcome"), [(1e-4, DecodeOutcome.SOLVED), (0.2, DecodeOutcome.UNREADABLE)]
)
def test_no_entry_is_called_wrong_beside_a_clue_that_is_rather_misread(
    misread: float, outcome: DecodeOutcome
) -> None:
    six_for_one = TWO_SOLUTIONS[:12] + "6" + TWO_SOLUTIONS[13:]
    reading = read(six_for_one, {}, {9: 0.6})
    reading[12, [1, 6]] = misread, reading[12, 6] - misread

    filled = decode(reading)

    assert filled.decoding.outcome is outcome


def test_a_printed_digit_that_looks_written_is_no_loss_where_the_others_suffice() -> None:
    written = fill_in(range(20))

    filled = decode(read(EASY, written, {0: 0.9}))

    assert_solved(filled, Basis.PRINT)
    assert filled.entries[0, 0] == 5


def test_all_digits_count_where_the_print_has_several_solutions() -> None:
    filled = decode(read(TWO_SOLUTIONS, fill_in(range(30)) | {25: 6}))

    assert_solved(filled, Basis.ALL)
    assert filled.decoding.clues[2, 7] == 6
    assert not filled.entries.any()


@pytest.mark.parametrize("mistakes", [{2: 8}, {2: 8, 60: 3}])
def test_mistakes_on_a_board_wholly_by_hand_are_entries_beside_its_solution(
    mistakes: dict[int, int],
) -> None:
    written = {cell: int(digit) for cell, digit in enumerate(EASY_SOLUTION)}

    filled = decode(read("." * 81, written | mistakes))

    assert_solved(filled, Basis.ALL)
    assert (filled.entries == as_grid(mistakes)).all()


def test_a_clear_printed_digit_is_not_shifted_for_a_wrong_entry() -> None:
    reading = read(EASY, {2: 8})
    reading[26] = 0
    reading[26, [0, 8]] = 0.985, 0.015

    filled = decode(reading)

    assert_solved(filled, Basis.PRINT)
    assert format_grid(filled.decoding.clues) == EASY


SHIFTED = {
    cell: int(digit) % 9 + 1 if cell < 54 and cell % 3 == 0 else int(digit)
    for cell, digit in enumerate(EASY_SOLUTION)
}
"""A full board by hand that contradicts itself in many places."""


@pytest.mark.parametrize(
    ("printed", "written", "outcome"),
    [
        ("55" + EASY[2:], {}, DecodeOutcome.NO_SOLUTION),
        (TWO_SOLUTIONS, {2: 3, 3: 5, 5: 7}, DecodeOutcome.AMBIGUOUS),
        ("." * 81, SHIFTED, DecodeOutcome.NO_SOLUTION),
    ],
    ids=["a misprint", "wrong entries beside several solutions", "a board by hand"],
)
def test_what_has_no_one_solution_is_told_as_such(
    printed: str, written: dict[int, int], outcome: DecodeOutcome
) -> None:
    filled = decode(read(printed, written))

    assert filled.decoding.outcome is outcome
    assert filled.decoding.solution is None
    assert written or not filled.entries.any()


def test_a_misprint_is_never_explained_away_as_an_entry() -> None:
    written = fill_in([2, 3])
    cells = np.flatnonzero(parse_grid(EASY).ravel())[::3].tolist()
    contradictory = []
    for cell in cells:
        changed = parse_grid(EASY).ravel()
        changed[cell] = changed[cell] % 9 + 1
        if count_solutions((changed + as_grid(written).ravel()).reshape(9, 9)) == 0:
            contradictory.append(format_grid(changed.reshape(9, 9)))

    solutions = [decode(read(text, written)).decoding.solution for text in contradictory]

    assert len(contradictory) > 5
    assert solutions == [None] * len(contradictory)


def test_print_and_entries_for_different_solutions_lead_to_no_claim() -> None:
    """A wrong entry taken for print, and a printed digit taken for an entry, in a full board."""
    written = fill_in(range(81))
    first, second = (17, 8), (25, 6)
    reading = read(EASY, written | {first[0]: 6}, {first[0]: 0.001, second[0]: 0.98})

    filled = decode(reading)

    solution = filled.decoding.solution
    assert solution is None or format_grid(solution) == EASY_SOLUTION


@pytest.mark.slow
def test_random_boards_partly_by_hand_are_never_solved() -> None:
    rng = np.random.default_rng(5)
    outcomes = set()
    for _ in range(60):
        cells = rng.choice(81, int(rng.integers(28, 60)), replace=False)
        digits = rng.integers(1, 10, cells.size)
        shares = {int(cell): float(rng.beta(0.4, 0.4)) for cell in cells}
        written = {int(cell): int(digit) for cell, digit in zip(cells, digits, strict=True)}
        limits = DecodeLimits(seconds=60, nodes=60)
        filled = decode_filled(read("." * 81, written, shares), limits)
        outcomes.add(filled.decoding.outcome)

    assert DecodeOutcome.SOLVED not in outcomes


def test_illegible_handwriting_leaves_hope_as_long_as_the_print_is_legible() -> None:
    reading = read(EASY, {})
    is_clue = np.array([clue != "." for clue in EASY])
    reading[~is_clue] = 0
    reading[~is_clue, HANDWRITTEN] = 1 / 9

    assert not exceeds_error_budget(reading, 10.0)

    reading[is_clue] = 0
    reading[is_clue, 1:10] = 1 / 9

    assert exceeds_error_budget(reading, 10.0)
    assert not exceeds_error_budget(reading, 81.0)


def test_freed_and_doubted_readings_are_probabilities() -> None:
    reading = read(EASY, fill_in(range(30)), {0: 0.4})

    for changed in (free_handwriting(reading), doubt_handwriting(reading)):
        assert changed.shape == (81, 10)
        assert changed.min() >= 0
        np.testing.assert_allclose(changed.sum(axis=1), 1)
    free = free_handwriting(reading)
    assert free[0, 0] > reading[0, HANDWRITTEN].sum() + 0.009
    assert doubt_handwriting(reading)[2, 4] > 0.9
    assert free[2, 0] > 0.98


def test_handwriting_is_looked_for_in_filled_cells_only() -> None:
    reading = read(EASY, {2: 4}, {4: 0.51})
    reading[3] = 0
    reading[3, [0, 10]] = 0.6, 0.4

    assert np.flatnonzero(find_handwritten(reading)).tolist() == [2, 4]
    assert not find_handwritten(reading[:, :10]).any()


def test_one_wrong_entry_singles_out_no_solution_where_a_printed_clue_was_not_seen() -> None:
    """5 in the cell of the clue that is missing belongs to the other of the two solutions."""
    unseen = 25
    agreed = [cell for cell in range(40, 81) if EASY[cell] == "."][:4]

    misled = decode(read(TWO_SOLUTIONS, fill_in(agreed) | {unseen: 5}))
    right = decode(read(TWO_SOLUTIONS, fill_in(agreed) | {unseen: 6, 24: 5}))

    assert misled.decoding.solution is None
    assert_solved(right, Basis.ALL)


def either_six_or_five(wrong: int, other_written: bool = False) -> Reading:
    """Return a board of which one printed clue, the 6 in r3c8, may as well be a 5.

    Args:
        wrong: how many of the entries are wrong, all of them where both solutions agree.
        other_written: whether the entries are those of the puzzle with the 5.
    """
    second = parse_grid(EASY[:25] + "5" + EASY[26:]).ravel().tolist()
    (other,) = search(second, 2, lambda _: True).solutions
    written = fill_in(range(81))
    same = [cell for cell in written if other[cell] == written[cell]]
    if other_written:
        written = {cell: other[cell] for cell in written}
    for cell in same[:wrong]:
        written[cell] = written[cell] % 9 + 1
    reading = read(EASY, written)
    reading[25] = 1e-5
    reading[25, [6, 5]] = 0.6, 0.4 - 17e-5
    return reading


def test_entries_rule_out_a_rival_and_never_bring_forth_what_the_print_says_less_clearly() -> None:
    assert_solved(decode(either_six_or_five(wrong=4)), Basis.PRINT)

    rival = decode(either_six_or_five(wrong=4, other_written=True))

    assert rival.decoding.outcome is DecodeOutcome.UNREADABLE


def doubt(reading: Reading, cell: int, seen: int, loss: float, *, true: int) -> None:
    """Let a cell look most like another digit by hand, and the true one so many nats less."""
    likelihood = np.full(19, 1e-5)
    likelihood[seen + 9], likelihood[true + 9] = 1, np.exp(-loss)
    reading[cell] = likelihood / likelihood.sum()


BY_HAND = {cell: int(mark) for cell, mark in enumerate(EASY) if mark != "."}
"""The clues, when nothing is printed."""


def test_doubtful_digits_of_a_puzzle_written_by_hand_are_corrected() -> None:
    reading = read("." * 81, BY_HAND)
    doubt(reading, 0, 6, 0.7, true=5)
    doubt(reading, 80, 4, 0.7, true=9)

    filled = decode(reading)

    assert_solved(filled, Basis.ALL)
    assert format_grid(filled.decoding.clues) == EASY
    assert filled.decoding.corrected == (0, 80)
    assert not filled.entries.any()


def test_a_puzzle_written_by_hand_is_not_read_against_what_it_looks_like() -> None:
    clues = {cell: int(mark) for cell, mark in enumerate(MINIMAL) if mark != "."}
    reading = read("." * 81, clues)
    doubt(reading, 7, 6, 2.5, true=1)

    assert decode(read("." * 81, clues)).decoding.outcome is DecodeOutcome.SOLVED
    assert decode(reading).decoding.solution is None


def test_a_mistake_in_a_puzzle_written_by_hand_is_not_explained_away() -> None:
    reading = read("." * 81, BY_HAND | {0: 3})
    reading[1] = np.eye(19)[0] * 0.2 + np.eye(19)[3 + 9] * 0.8  # is not taken for dirt
    assert count_solutions(parse_grid(".".join(["3", EASY[2:]])), 2) == 1

    assert decode(reading).decoding.solution is None
    assert decode(read("." * 81, BY_HAND | {0: 6})).decoding.solution is None


@pytest.mark.parametrize(
    ("printed", "written", "expected"),
    [
        (EASY, {}, False),
        (EASY, fill_in(range(81)), False),
        ("." * 81, BY_HAND, True),
        ("." * 81, {}, False),
    ],
    ids=["print alone", "written on", "by hand", "empty"],
)
def test_a_board_lacks_print_where_its_puzzle_is_written(
    printed: str, written: dict[int, int], expected: bool
) -> None:
    assert lacks_print(read(printed, written)) is expected
    assert not lacks_print(np.full((81, 10), 0.1))  # which tells no hands


def find_other_clue(puzzle: str) -> tuple[int, int, int]:
    """Return a cell, its clue, and a digit that leaves one solution in its place as well."""
    clues = parse_grid(puzzle)
    for cell in np.flatnonzero(clues).tolist():
        for digit in range(1, 10):
            other = clues.copy()
            other.flat[cell] = digit
            if digit != clues.flat[cell] and count_solutions(other, 2) == 1:
                return cell, int(clues.flat[cell]), digit
    raise AssertionError("no clue of this puzzle can be another")


@pytest.mark.parametrize(("as_written", "is_claimed"), [(0.6, False), (0.05, True)])
def test_print_alone_does_not_decide_for_a_digit_that_looks_like_another(
    as_written: float, *, is_claimed: bool
) -> None:
    """A glare made a printed digit look written, and as print like a digit that fits as well."""
    cell, clue, other = find_other_clue(MINIMAL)
    reading = read(MINIMAL, {})
    reading[cell] = 1e-5
    reading[cell, [clue, clue + 9, other, other + 9]] = 0.002, as_written, 0.09, 0.31
    reading[cell] /= reading[cell].sum()

    filled = decode(reading)

    assert (filled.decoding.outcome is DecodeOutcome.SOLVED) is is_claimed
    if is_claimed:
        assert filled.decoding.clues.flat[cell] == other


def test_print_alone_does_not_exchange_two_digits_that_look_like_each_other() -> None:
    """Each of the two as it looks contradicts the other one as it is claimed."""
    clues = parse_grid(EASY).ravel()
    cells = [12, 14]
    exchanged = clues.copy()
    exchanged[cells] = clues[cells[::-1]]
    assert count_solutions(exchanged.reshape(9, 9), 2) == 1
    reading = read(EASY, {})
    for cell in cells:
        clue, other = int(clues[cell]), int(exchanged[cell])
        reading[cell] = 1e-5
        reading[cell, [clue, clue + 9, other, other + 9]] = 0.002, 0.6, 0.09, 0.31
        reading[cell] /= reading[cell].sum()

    assert decode(reading).decoding.outcome is not DecodeOutcome.SOLVED
