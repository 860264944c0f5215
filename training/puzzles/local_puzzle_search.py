"""Hard puzzles bred from less hard ones: clues are exchanged for others of the same solution.

A generated puzzle seldom asks for more than a few guesses, while the files known for hard puzzles
hold those that somebody searched for. Exchanging one clue, keeping what is harder, and so on, is
how such files are made: vicinity search, {-1+1} as the players' forum calls it. n puzzles.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from solver.exact.bulk.bulk_solver import solve_batch

Digits = npt.NDArray[np.uint8]

_EXCHANGES_PER_PUZZLE: Final = 10
"""Tried in a round. Of 200,000 from puzzles with five guesses and more, one in 22 left one
solution, and one in six of those asked for as many guesses."""

_FAMILY: Final = 10
"""Puzzles of one solution that are kept, the hardest."""

_TRIES_AT_ONCE: Final = 200_000
"""Which bounds the memory."""


def breed_hard_puzzles(
    puzzles: Digits, guesses: int, rounds: int, random: np.random.Generator, threads: int = 1
) -> Digits:
    """Return minimal puzzles, bred from others, for which the bulk engine guesses often.

    Args:
        puzzles: (n, 81) uint8, each with one solution, n > 0: where to begin.
        guesses: of the bulk engine, proof included, that each puzzle returned asks for.
        rounds: of exchanging clues.
        random: where the chance comes from.
        threads: for the bulk engine.

    Returns:
        (m, 81) uint8, none twice, at most ten of one solution, and none of `puzzles`.

    Raises:
        ValueError: if there are no puzzles, or one has not one solution.
        MissingPackageError: where numba is not installed.
    """
    batch = solve_batch(puzzles, threads=threads)
    if not len(puzzles) or not (batch.counts == 1).all():
        raise ValueError("vicinity search begins with puzzles that have one solution each")
    pool, solutions, hardness = puzzles, batch.solutions, batch.guesses
    for _ in range(rounds):
        grown = [(pool, solutions, hardness)]
        tries = _EXCHANGES_PER_PUZZLE * len(pool)
        for start in range(0, tries, _TRIES_AT_ONCE):
            # The harder of two, so that hard ones have more children, but all have some.
            parents = random.integers(0, len(pool), (2, min(_TRIES_AT_ONCE, tries - start)))
            chosen = np.where(hardness[parents[0]] >= hardness[parents[1]], *parents)
            children = _exchange(pool[chosen], solutions[chosen], random)
            batch = solve_batch(children, threads=threads)
            # What is easier than all that is wanted, by much, is not worth a place.
            is_kept = (batch.counts == 1) & (2 * batch.guesses >= guesses)
            children = drop_redundant_clues(children[is_kept], random, threads)
            batch = solve_batch(children, threads=threads)
            grown.append((children, batch.solutions, batch.guesses))
        pool, solutions, hardness = map(np.concatenate, zip(*grown, strict=True))
        kept = _prune(pool, solutions, hardness)
        pool, solutions, hardness = pool[kept], solutions[kept], hardness[kept]
    given = {bytes(puzzle) for puzzle in puzzles}
    is_bred = np.array([bytes(puzzle) not in given for puzzle in pool])
    hard: Digits = pool[is_bred & (hardness >= guesses)]
    return hard


def drop_redundant_clues(puzzles: Digits, random: np.random.Generator, threads: int = 1) -> Digits:
    """Return the puzzles without clues that follow from the others; what stays is minimal.

    Args:
        puzzles: (n, 81) uint8, each with one solution.
        random: chooses which goes, where several could.
        threads: for the bulk engine.
    """
    puzzles = puzzles.copy()
    # In an order of its own for each puzzle; once needed, a clue stays needed when others go.
    order = np.where(puzzles > 0, random.random(puzzles.shape), 2.0).argsort(axis=1)
    for cells in order.T:
        rows = np.flatnonzero(puzzles[np.arange(len(puzzles)), cells])
        without = puzzles[rows]
        without[np.arange(len(rows)), cells[rows]] = 0
        is_redundant = solve_batch(without, threads=threads).counts == 1
        puzzles[rows[is_redundant]] = without[is_redundant]
    return puzzles


def _exchange(puzzles: Digits, solutions: Digits, random: np.random.Generator) -> Digits:
    """Take a clue from each puzzle and show another cell of its solution."""
    chances = random.random(puzzles.shape, np.float32)
    taken = np.where(puzzles > 0, chances, 2).argmin(axis=1)
    shown = np.where(puzzles == 0, chances, 2).argmin(axis=1)
    rows = np.arange(len(puzzles))
    exchanged = puzzles.copy()
    exchanged[rows, taken] = 0
    exchanged[rows, shown] = solutions[rows, shown]
    return exchanged


def _prune(
    puzzles: Digits, solutions: Digits, hardness: npt.NDArray[np.int64]
) -> npt.NDArray[np.intp]:
    """Return which puzzles to keep: none twice, and of each solution the hardest."""
    _, first = np.unique(puzzles, axis=0, return_index=True)
    _, family = np.unique(solutions[first], axis=0, return_inverse=True)
    family = family.reshape(-1)
    order = np.lexsort((-hardness[first], family))
    starts = np.flatnonzero(np.diff(family[order], prepend=-1))
    rank = np.arange(len(order)) - np.repeat(starts, np.diff(starts, append=len(order)))
    kept: npt.NDArray[np.intp] = first[order[rank < _FAMILY]]
    return kept
