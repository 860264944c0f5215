"""The default solver: depth-first search over a bit mask for each digit, in Python alone.

The method is that of the fast band solvers: JCZSolve by zhouyundong, 2012, and tdoku by
T. Dillon, 2019 (https://t-dillon.github.io/tdoku/): propagate by tables, then branch on a cell
with two candidates. Here the state is one wide integer a digit, because a Python operation costs
the same for 27 bits as for 90. Grids of other sizes and rules go to `solver.exact.rule_search`.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from math import isqrt
from typing import Final

import numpy as np

from solver.base import EffortBudget, Limits, Result, admit_clues
from solver.exact.closure import ALL_CELLS, CELL_BITS, PEERS_AND_SELF, UNIT_MASKS, propagate
from solver.exact.tree_search import conclude_search
from solver.grid import Grid, as_grid
from solver.layout import ALL_SIZES, LAYOUTS
from solver.rules import Rules, admit_grid, box_rules

_NODES_BY_CELLS: Final = 1200
"""Nodes after which a digit with two places in a unit is tried where no cell has two candidates.
Of 100,000 boards of 14 to 21 clues at random seven took more than 1,000 nodes, with this up to
4,600, without it up to 19,900; that of Norvig's essay, which has no solution, 2,817 in place of
1.4 million. Tried from the first node, hardest_1106.txt takes 297 nodes a puzzle and not 252, and
up to 1,037."""

_DIGIT_OF_SIGN: Final = bytes.maketrans(b"123456789", bytes(range(1, 10)))


@dataclass(frozen=True, eq=False)
class Search:
    """What a search found.

    Attributes:
        solutions: the different solutions met, each side² digits in reading order; the first of
            them, where not all were to be kept.
        found: how many solutions were met.
        nodes: positions propagated, the root included.
        guesses: branchings.
        is_exhaustive: whether there is no solution beside these.
    """

    solutions: list[list[int]]
    found: int
    nodes: int
    guesses: int
    is_exhaustive: bool


@dataclass(frozen=True)
class BitmaskSolver:
    """Decides every puzzle; see the module.

    Attributes:
        clock: returns seconds; only differences count.
    """

    clock: Callable[[], float] = time.perf_counter

    name = "bitmask"
    is_complete = True
    sizes = ALL_SIZES

    def solve(self, clues: Grid, limits: Limits, rules: Rules | None = None) -> Result:
        """Search until a second solution or the end; see `solver.base.RuleSolver`."""
        rules = _beyond_shape(rules)
        clues = admit_clues(clues, self, rules)
        budget = EffortBudget(limits, self.clock)

        def may_go_on(nodes: int) -> bool:
            budget.nodes = nodes
            return budget.may_go_on()

        is_bound = limits.nodes is not None or limits.seconds is not None
        found = search(clues.ravel().tolist(), 2, may_go_on if is_bound else None, rules=rules)
        budget.nodes, budget.guesses = found.nodes, found.guesses
        return conclude_search(
            clues, found.solutions, budget, is_exhaustive=found.is_exhaustive, rules=rules
        )


def count_solutions(clues: Grid, limit: int = 2, rules: Rules | None = None) -> int:
    """Count a puzzle's solutions up to a limit; clues that contradict each other have none.

    Args:
        clues: (side, side) uint8, or (width, width) of the rules, 0 = empty.
        limit: stop there, at least 1.
        rules: of the puzzle; None for the classic ones, which its shape tells.

    Raises:
        ValueError: if the clues are no grid.
    """
    rules = _beyond_shape(rules)
    grid = as_grid(clues) if rules is None else admit_grid(rules, clues)
    return search(grid.ravel().tolist(), limit, keep=0, rules=rules).found


def find_solutions(clues: Grid, limit: int) -> list[Grid]:
    """Return different solutions of a puzzle, at most as many as the limit.

    Args:
        clues: (side, side) uint8, 0 = empty.
        limit: stop there, at least 1.

    Returns:
        Grids, each (side, side) uint8.

    Raises:
        ValueError: if the clues are no grid.
    """
    found = search(as_grid(clues).ravel().tolist(), limit).solutions
    return [np.frombuffer(bytearray(digits), np.uint8).reshape(clues.shape) for digits in found]


def search(
    clues: Sequence[int],
    limit: int,
    may_go_on: Callable[[int], bool] | None = None,
    keep: int | None = None,
    rules: Rules | None = None,
) -> Search:
    """Look for solutions until there are as many as the limit, or no more.

    Args:
        clues: side² digits in reading order, or width² of the rules, 0 = empty.
        limit: at least 1.
        may_go_on: called with the number of nodes before each but the first; False stops.
        keep: how many solutions to return; the rest are counted, and cost no memory. None keeps
            all.
        rules: of the puzzle; None for the classic ones, which its number of cells tells.
    """
    if limit < 1:
        raise ValueError(f"limit must be at least 1, got {limit}")
    rules = _beyond_shape(rules)
    if rules is not None or len(clues) != 81:
        # Imported here because other rules are seldom wanted.
        from solver.exact.rule_search import search_rules

        rules = rules or _classic(isqrt(len(clues)))
        return search_rules(rules, clues, limit, may_go_on, keep)
    solutions: list[list[int]] = []
    most_kept = limit if keep is None else keep
    found = guesses = 0
    nodes = 1
    begun = place_clues(clues)
    if begun is None or not propagate(*begun, 511):
        return Search(solutions, found, nodes, guesses, True)
    masks, settled = begun
    # The open branches: masks, settled and the digit whose mask lost a candidate.
    open_branches: list[tuple[list[int], list[int], int]] = []
    while True:
        branch = _choose_branch(masks, by_places=nodes > _NODES_BY_CELLS)
        if branch is None:
            found += 1
            if found <= most_kept:
                solutions.append(_read_off(masks))
            if found == limit:
                return Search(solutions, found, nodes, guesses, False)
            is_alive = False
        else:
            digit, cell = branch
            guesses += 1
            without = masks.copy()
            without[digit] ^= cell
            open_branches.append((without, settled.copy(), 1 << digit))
            masks[digit] = masks[digit] & ~PEERS_AND_SELF[cell] | cell
            if may_go_on is not None and not may_go_on(nodes):
                return Search(solutions, found, nodes, guesses, False)
            nodes += 1
            is_alive = propagate(masks, settled, 1 << digit)
        while not is_alive:
            if not open_branches:
                return Search(solutions, found, nodes, guesses, True)
            if may_go_on is not None and not may_go_on(nodes):
                return Search(solutions, found, nodes, guesses, False)
            masks, settled, dirty = open_branches.pop()
            nodes += 1
            is_alive = propagate(masks, settled, dirty)


@cache
def _classic(side: int) -> Rules:
    return box_rules(side)


def _beyond_shape(rules: Rules | None) -> Rules | None:
    """Return the rules, or None where the shape of the grid tells them."""
    if rules is not None and rules.is_classic and rules.side in LAYOUTS:
        return None
    return rules


def place_clues(clues: Sequence[int]) -> tuple[list[int], list[int]] | None:
    """Return the masks and the settled cells, or None when two equal clues share a unit."""
    settled = [0] * 9
    struck = [0] * 9
    filled = 0
    for bit, clue in zip(CELL_BITS, clues, strict=True):
        if clue:
            if struck[clue - 1] & bit:
                return None
            struck[clue - 1] |= PEERS_AND_SELF[bit]
            settled[clue - 1] |= bit
            filled |= bit
    free = ALL_CELLS ^ filled
    masks = [free & ~gone | own for gone, own in zip(struck, settled, strict=True)]
    return masks, settled


def _choose_branch(masks: list[int], *, by_places: bool) -> tuple[int, int] | None:
    """Return a digit 0..8 and the bit of a cell to try it in, or None when all is settled.

    Of the cells with two candidates, the one with most unsettled peers wins, a peer counted again
    for each candidate it shares if it has two itself. Guesses a puzzle on hardest_1106.txt: 143
    by unsettled peers alone, 126 so, 130 with shared candidates counted twice. Where there is no
    such cell, `by_places` lets a digit that has two places in a unit come next.
    """
    a, b, c, d, e, f, g, h, i = masks
    one, two, three = a | b, a & b, 0
    for mask in (c, d, e, f, g, h, i):
        three |= two & mask
        two |= one & mask
        one |= mask
    if not two:
        return None
    pairs = two & ~three
    if not pairs:
        return (by_places and _choose_place(masks, two)) or _choose_fewest(masks, two)
    best_score = -1
    best = 0
    scores: dict[int, int] = {}
    for mask in masks:
        rest = of_digit = mask & pairs
        while rest:
            cell = rest & -rest
            rest ^= cell
            peers = PEERS_AND_SELF[cell]
            if cell in scores:
                score = scores[cell] + (of_digit & peers).bit_count()
                if score > best_score:
                    best_score, best = score, cell
            else:
                scores[cell] = (of_digit & peers).bit_count() + (two & peers).bit_count()
    return _first_digit(masks, best), best


def _choose_place(masks: list[int], unsettled: int) -> tuple[int, int] | None:
    """Return a digit that has two places in some unit, and the first of them."""
    for digit, mask in enumerate(masks):
        for unit in UNIT_MASKS:
            places = mask & unsettled & unit
            rest = places & (places - 1)
            if rest and not rest & (rest - 1):
                return digit, places ^ rest
    return None


def _choose_fewest(masks: list[int], unsettled: int) -> tuple[int, int]:
    """Return the first unsettled cell with fewest candidates, and its first digit.

    Where all cells have three or more, as at the start of puzzles with many solutions.
    """
    a, b, c, d, e, f, g, h, i = masks
    three, four, five = a & b & c, 0, 0
    two, one = a & b | c & (a | b), a | b | c
    for mask in (d, e, f, g, h, i):
        five |= four & mask
        four |= three & mask
        three |= two & mask
        two |= one & mask
        one |= mask
    fewest = unsettled & ~four or four & ~five
    if fewest:
        cell = fewest & -fewest
        return _first_digit(masks, cell), cell
    best, least = 0, 10
    while five:
        cell = five & -five
        five ^= cell
        candidates = sum(1 for mask in masks if mask & cell)
        if candidates < least:
            least, best = candidates, cell
    return _first_digit(masks, best), best


def _first_digit(masks: list[int], cell: int) -> int:
    return next(digit for digit, mask in enumerate(masks) if mask & cell)


def _read_off(masks: list[int]) -> list[int]:
    """Return the 81 digits of a board where every cell has one candidate.

    The digits are added up in the hexadecimal system, one of its places for each bit, so that the
    whole board is written out at once; the places between the rows are the only noughts.
    """
    a, b, c, d, e, f, g, h, i = masks
    planes = a | c | e | g | i, b | c | f | g, d | e | f | g, h | i
    board = sum(int(f"{plane:b}", 16) << power for power, plane in enumerate(planes))
    return list(f"{board:x}"[::-1].replace("0", "").encode().translate(_DIGIT_OF_SIGN))
