"""Entries in another ink than the clues may be wrong, but have to bear a solution out."""

import numpy as np
import numpy.typing as npt
import pytest
from arrays import Float32
from present import present
from puzzles import EASY_GRID, EASY_SOLUTION_GRID

from solver.decoding.decode import DecodeLimits
from solver.decoding.handwriting import FilledDecoding
from solver.decoding.inks import decode_by_ink
from solver.exact.bitmask import find_solutions
from solver.generation.generate_kinds import KindOptions, generate_kind
from solver.grid import Grid
from solver.rules import box_rules

FREE = np.flatnonzero(EASY_GRID == 0)
SOLUTION = EASY_SOLUTION_GRID.ravel()
CLUE_IT_NEEDS = 25
OPEN = EASY_GRID.copy()
OPEN.flat[CLUE_IT_NEEDS] = 0
"""EASY without it has two solutions."""
(OTHER,) = (one for one in find_solutions(OPEN, 3) if not np.array_equal(one, EASY_SOLUTION_GRID))


def show(digits: Grid) -> Float32:
    """Return what is seen of a board that leaves no doubt, (n², 10)."""
    seen = np.full((digits.size, 10), 0.0005, np.float32)
    seen[np.arange(digits.size), digits.ravel()] = 1 - 9 * 0.0005
    return seen


def decode(clues: Grid, entered: dict[int, int]) -> FilledDecoding | None:
    digits = clues.copy()
    digits.flat[list(entered)] = list(entered.values())
    return decode_by_ink(show(digits), number_inks(clues, digits), DecodeLimits())


def number_inks(clues: Grid, digits: Grid) -> npt.NDArray[np.intp]:
    """Return the inks of digits, (n²,): the clues have the plain one."""
    return np.where(clues > 0, 0, np.where(digits > 0, 1, -1)).ravel()


def enter(cells: npt.NDArray[np.integer], solution: Grid = EASY_SOLUTION_GRID) -> dict[int, int]:
    return {int(cell): int(solution.flat[cell]) for cell in cells}


def change(entered: dict[int, int], count: int) -> dict[int, int]:
    """Return entries of which the first few are other digits of the board."""
    first = list(entered)[:count]
    return entered | {cell: entered[cell] % 9 + 1 for cell in first}


@pytest.mark.parametrize(("entries", "wrong"), [(4, 0), (7, 1), (12, 3), (30, 7)])
def test_a_few_wrong_entries_are_told_from_the_clues(entries: int, wrong: int) -> None:
    # In these cells most solutions differ that another digit in one clue would have.
    cells = FREE[20 : 20 + entries]
    filled = present(decode(EASY_GRID, change(enter(cells), wrong)))

    assert np.array_equal(filled.decoding.clues, EASY_GRID)
    assert np.array_equal(present(filled.decoding.solution), EASY_SOLUTION_GRID)
    assert np.flatnonzero(filled.entries).tolist() == cells.tolist()


@pytest.mark.parametrize(("entries", "wrong"), [(3, 0), (6, 2), (11, 3), (30, 8)])
def test_entries_that_bear_it_out_too_little_claim_nothing(entries: int, wrong: int) -> None:
    # In these cells fewer would do, too, but for the bound.
    cells = FREE[21 : 21 + entries]

    assert decode(EASY_GRID, change(enter(cells), wrong)) is None


def test_entries_are_never_taken_for_clues_that_are_missing() -> None:
    for solution in (EASY_SOLUTION_GRID, OTHER):
        assert decode(OPEN, enter(FREE[:40], solution)) is None


def test_entries_that_one_misread_clue_explains_claim_nothing() -> None:
    # The clue is read as what another solution has there, and this one is the entries' own.
    clues = EASY_GRID.copy()
    clues.flat[CLUE_IT_NEEDS] = OTHER.flat[CLUE_IT_NEEDS]
    assert len(find_solutions(clues, 2)) == 1
    differs = FREE[OTHER.flat[FREE] != SOLUTION[FREE]]
    same = FREE[OTHER.flat[FREE] == SOLUTION[FREE]]

    assert decode(clues, enter(np.append(same, differs[:1]))) is None


MISREAD_BESIDE_A_MISTAKE = [
    # Side, digits, which of them are entries, the misread clue and what it is. Four or more entries
    # are right beside a mistake.
    (
        9,
        "004001500250270090800000007040702030300080000718059602007165304003000065500003009",
        [9, 46, 50, 59, 70],
        (49, 4),
    ),
    (4, "2301412314343002", [0, 3, 5, 6, 9, 10, 11, 12], (15, 4)),
]


@pytest.mark.parametrize(("side", "digits", "entered", "misread"), MISREAD_BESIDE_A_MISTAKE)
def test_a_misread_clue_beside_a_mistake_claims_nothing(
    side: int, digits: str, entered: list[int], misread: tuple[int, int]
) -> None:
    shown = np.array(list(digits), np.uint8).reshape(side, side)
    inks = np.where(shown.ravel() > 0, 0, -1)
    inks[entered] = 1
    seen = show(shown)
    seen[misread] = 0.004
    if side < 9:  # what is no digit of the puzzle is not what a clue may be instead
        seen[misread[0], 9] = 0.01
    seen /= seen.sum(axis=1, keepdims=True)

    assert decode_by_ink(seen, inks, DecodeLimits(), box_rules(side)) is None


def test_clues_in_the_ink_of_entries_claim_nothing() -> None:
    # The player entered another solution of all clues but one, and the program shows clues in grey.
    digits = np.where(EASY_GRID > 0, EASY_GRID, OTHER).astype(np.uint8)
    assert len(find_solutions(np.where(EASY_GRID > 0, 0, digits).astype(np.uint8), 2)) == 1

    assert (
        decode_by_ink(show(digits), np.where(EASY_GRID > 0, 1, 0).ravel(), DecodeLimits()) is None
    )


def test_such_clues_claim_nothing_either_where_some_entries_have_a_third_ink() -> None:
    digits = np.where(EASY_GRID > 0, EASY_GRID, OTHER).astype(np.uint8)
    mistake = int(FREE[OTHER.flat[FREE] == SOLUTION[FREE]][0])
    digits.flat[mistake] = digits.flat[mistake] % 9 + 1
    inks = np.where(EASY_GRID > 0, 1, 0).ravel()
    inks[mistake] = 2

    assert decode_by_ink(show(digits), inks, DecodeLimits()) is None


def test_right_entries_that_are_a_puzzle_themselves_do_not_contradict_the_clues() -> None:
    digits = SOLUTION.reshape(9, 9).copy()
    digits.flat[FREE[0]] = digits.flat[FREE[0]] % 9 + 1
    inks = np.where(EASY_GRID.ravel() > 0, 0, 1)
    assert len(find_solutions(np.where(EASY_GRID > 0, 0, SOLUTION.reshape(9, 9)), 2)) == 1
    inks[FREE[0]] = 2

    filled = present(decode_by_ink(show(digits), inks, DecodeLimits()))

    assert np.array_equal(present(filled.decoding.solution), EASY_SOLUTION_GRID)


@pytest.mark.parametrize("clues", [0, 1, 2])
def test_clues_entries_and_mistakes_may_have_any_ink_each(clues: int) -> None:
    entered = change(enter(FREE[:30]), 3)
    digits = EASY_GRID.copy()
    digits.flat[list(entered)] = list(entered.values())
    inks = number_inks(EASY_GRID, digits)
    inks[FREE[:3]] = 2
    inks[inks >= 0] = (inks[inks >= 0] + clues) % 3

    filled = present(decode_by_ink(show(digits), inks, DecodeLimits()))

    assert np.array_equal(filled.decoding.clues, EASY_GRID)
    assert np.flatnonzero(filled.entries).tolist() == FREE[:30].tolist()


def test_what_is_no_digit_of_the_puzzle_is_no_entry() -> None:
    rules = box_rules(6)
    (puzzle,) = generate_kind(1, KindOptions(side=6, clues=12), seed=1)
    digits = puzzle.clues.copy()
    free = np.flatnonzero(digits == 0)[:10]
    digits.flat[free] = present(puzzle.solution).flat[free]
    digits.flat[free[0]] = 8
    inks = number_inks(puzzle.clues, digits)

    filled = present(decode_by_ink(show(digits), inks, DecodeLimits(), rules))

    assert np.array_equal(present(filled.decoding.solution), present(puzzle.solution))
    assert np.flatnonzero(filled.entries).tolist() == free[1:].tolist()
