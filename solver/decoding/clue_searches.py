"""What clues of a board have for solutions: none, and then which of them are to blame; or several.

Solutions that are met on the way are remembered, as they answer many a later search.
"""

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np

from solver.exact.bitmask import Search, search
from solver.grid import Floats
from solver.rules import Rules

MOST_NODES: Final = 2000
"""Positions of one search of one reading, after which it is left undecided. The hardest puzzles of
`hardest_1106.txt` take 800, and of 41,000 searches behind 211 unsure places of photos none takes
so many, but clues that are misread and contradict each other in the depth may take a million."""

_LEAST_LIKELIHOOD: Final = 1e-9


def has_several_solutions(clues: Sequence[int], rules: Rules | None = None) -> bool:
    """Tell whether clues have more than one solution, or may have, as to know takes too long.

    Args:
        clues: n² digits, 0 = empty.
        rules: of the puzzle; None for the classic ones.
    """
    found = search(clues, 2, lambda nodes: nodes < MOST_NODES, keep=0, rules=rules)
    return not found.is_exhaustive


def has_solution(clues: Sequence[int], rules: Rules | None = None) -> bool:
    """Tell whether clues have a solution, or may have, as to know takes too long.

    Args:
        clues: n² digits, 0 = empty.
        rules: of the puzzle; None for the classic ones.
    """
    found = search(clues, 1, lambda nodes: nodes < MOST_NODES, rules=rules)
    return bool(found.solutions) or not found.is_exhaustive


def find_only_solution(clues: Sequence[int], rules: Rules | None = None) -> list[int] | None:
    """Return the n² digits of the one solution of clues, None if there is none, or are several.

    It is None as well where to know takes too long. It takes what `has_solution` takes.
    """
    found = search(clues, 2, lambda nodes: nodes < MOST_NODES, rules=rules)
    return found.solutions[0] if found.is_exhaustive and found.solutions else None


class KnownSolutions:
    """Searches clues of boards, and remembers the solutions that it has met.

    Readings of one board differ in few clues, so that those that have solutions often have ones
    that were met before: of 58,000 searches behind 211 unsure places of photos, 17,000 need none.
    """

    def __init__(self, rules: Rules | None = None) -> None:
        """Begin with none.

        Args:
            rules: of the puzzle; None for the classic ones.
        """
        self._rules = rules
        self._solutions: list[list[int]] = []
        # By cell and digit, the set of solutions that have it there, bit = number of the solution.
        side, places = (9, 81) if rules is None else (rules.side, rules.width**2)
        self._having = [[0] * (side + 1) for _ in range(places)]

    def search(
        self, clues: Sequence[int], limit: int, may_go_on: Callable[[int], bool] | None = None
    ) -> Search:
        """Look for solutions as `solver.exact.bitmask.search` does, first among those known.

        Args:
            clues: n² digits in reading order, 0 = empty.
            limit: at least 1.
            may_go_on: asked as that asks it, unless enough are known.
        """
        known = self._find_known(clues)
        if known.bit_count() >= limit:
            chosen = []
            for _ in range(limit):
                lowest = known & -known
                known ^= lowest
                chosen.append(self._solutions[lowest.bit_length() - 1])
            return Search(chosen, limit, 0, 0, False)
        found = search(clues, limit, may_go_on, rules=self._rules)
        for solution in found.solutions:
            self._add(solution)
        return found

    def _find_known(self, clues: Sequence[int]) -> int:
        """Return the set of known solutions that agree with all clues."""
        known = (1 << len(self._solutions)) - 1
        for having, clue in zip(self._having, clues, strict=True):
            if clue:
                known &= having[clue]
                if not known:
                    break
        return known

    def _add(self, solution: list[int]) -> None:
        if self._find_known(solution):
            return
        bit = 1 << len(self._solutions)
        self._solutions.append(solution)
        for having, digit in zip(self._having, solution, strict=True):
            having[digit] |= bit


def find_core(
    values: Sequence[int],
    prices: dict[int, float],
    budget: float,
    may_go_on: Callable[[int], bool],
    known: KnownSolutions,
) -> list[int]:
    """Return the changeable cells of a small part of a reading that has no solution by itself.

    Every reading that has a solution changes at least one cell of the part. Cells that are dear
    to change are kept in it rather than cheap ones, so that where they alone contradict each
    other, no cell is left that can be changed.

    Args:
        values: n² values, 0 = empty, that have no solution together.
        prices: what it costs to change each filled cell.
        budget: a cell that costs more cannot be changed.
        may_go_on: asked between steps with how many a search has taken; where it says no, the
            part may be larger than it need be.
        known: searches, and remembers what it finds.

    Returns:
        Cells that cost no more than the budget; none if the others contradict each other.
    """

    def contradict(cells: Sequence[int]) -> bool:
        clues = [0] * len(values)
        for cell in cells:
            clues[cell] = values[cell]
        found = known.search(clues, 1, may_go_on)
        return not found.solutions and found.is_exhaustive

    cells = sorted(prices, key=lambda cell: (-min(prices[cell], budget + 1), cell))
    fixed = sum(1 for cell in cells if prices[cell] > budget)
    core = shrink_core(cells, fixed, contradict)
    return [cell for cell in core if prices[cell] <= budget]


def shrink_core(
    items: Sequence[int], fixed: int, contradict: Callable[[Sequence[int]], bool]
) -> list[int]:
    """Return a small part of some things that contradict each other and does so by itself.

    Args:
        items: what contradicts each other; what comes first is rather kept.
        fixed: how many of the first ones are always kept.
        contradict: tells whether a part does; where it cannot tell, it says no.
    """
    if contradict(items[:fixed]):
        return list(items[:fixed])
    # The shortest beginning that contradicts itself, by halving.
    low, high = fixed, len(items)
    while high - low > 1:
        middle = (low + high) // 2
        if contradict(items[:middle]):
            high = middle
        else:
            low = middle
    core = list(items[:high])
    # Its last one is needed, or it would have been shorter; try the others.
    for item in reversed(core[fixed:-1]):
        rest = [other for other in core if other != item]
        if contradict(rest):
            core = rest
    return core


class OpenReadings(NamedTuple):
    """Likelihood, where that of a claim is 1, of readings beside it that have several solutions.

    Attributes:
        emptied: of those that lack some of its digits.
        changed: of those that have other digits, in one cell or several.
    """

    emptied: float
    changed: float


def weigh_open_readings(
    seen: Floats,
    clues: Sequence[int],
    max_loss: float,
    rules: Rules | None = None,
) -> OpenReadings:
    """Return how likely the readings beside a claim are that have several solutions.

    These are the ones that differ in one cell. To them comes, of those in which two corrected
    cells or all of them take a likelier value, the first with several solutions.

    Args:
        seen: (n², d + 1) float: what stands in the cells.
        clues: n² digits whose puzzle has one solution, or none.
        max_loss: nats; what gives away more in its cell is never considered.
        rules: of the puzzle; None for the classic ones.
    """
    emptied = changed = 0.0
    seen = seen[:, : (9 if rules is None else rules.side) + 1]
    ratios = {
        cell: seen[cell] / max(seen[cell, clues[cell]], _LEAST_LIKELIHOOD)
        for cell in np.flatnonzero(clues).tolist()
    }
    for cell, of_values in ratios.items():
        for value in np.flatnonzero(of_values >= math.exp(-max_loss)).tolist():
            other = [*clues[:cell], value, *clues[cell + 1 :]]
            if value == clues[cell] or not has_several_solutions(other, rules):
                continue
            if value:
                changed += float(of_values[value])
            else:
                emptied += float(of_values[value])
    likelier = [
        (cell, value)
        for cell, of_values in ratios.items()
        for value in np.flatnonzero(of_values > 1).tolist()
    ]
    tops = {cell: int(seen[cell].argmax()) for cell, _ in likelier}
    changes = [dict(pair) for pair in itertools.combinations(likelier, 2)]
    for change in [*changes, tops]:
        if len(change) < 2:  # both values of one cell
            continue
        other = [change.get(cell, clue) for cell, clue in enumerate(clues)]
        if has_several_solutions(other, rules):
            ratio = math.prod(float(ratios[cell][value]) for cell, value in change.items())
            if all(change.values()):
                changed += ratio
            else:
                emptied += ratio
            break  # it is likelier than the claim: that settles it
    return OpenReadings(emptied, changed)
