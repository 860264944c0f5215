"""Searches that are answered by solutions that were met before."""

import numpy as np
from puzzles import EASY_GRID

from solver.decoding.known_solutions import KnownSolutions
from solver.exact.bitmask import search

PUZZLE = EASY_GRID.ravel()


def without(*cells: int) -> list[int]:
    clues = PUZZLE.copy()
    clues[list(cells)] = 0
    return [int(digit) for digit in clues]


def test_what_was_met_before_is_not_searched_for_again() -> None:
    known = KnownSolutions()
    first = known.search(without(), 1)
    assert first.nodes > 0

    again = known.search(without(0, 4, 9), 1)

    assert (again.nodes, again.solutions) == (0, first.solutions)
    assert not again.is_exhaustive


def test_no_more_is_claimed_than_was_met() -> None:
    """One known solution does not answer whether there is another."""
    known = KnownSolutions()
    known.search(without(), 1)

    found = known.search(without(), 2)

    assert found.nodes > 0
    assert found.is_exhaustive
    assert len(found.solutions) == 1


def test_it_finds_as_many_as_a_search_and_only_true_ones() -> None:
    known = KnownSolutions()
    rng = np.random.default_rng(3)
    filled = np.flatnonzero(PUZZLE)
    answered = 0
    for _ in range(60):
        clues = without(*rng.choice(filled, rng.integers(0, 12), replace=False))
        if rng.random() < 0.3:
            clues[rng.choice(filled)] = int(rng.integers(1, 10))
        for limit in (1, 2):
            searched, found = search(clues, limit), known.search(clues, limit)
            answered += found.nodes == 0
            assert found.found == len(found.solutions) == searched.found
            assert len({tuple(solution) for solution in found.solutions}) == found.found
            for solution in found.solutions:
                assert all(clue in (0, digit) for clue, digit in zip(clues, solution, strict=True))
                assert search(solution, 1).found == 1
    assert answered > 30
