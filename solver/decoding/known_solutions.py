"""Solutions met on the way, which answer many a later search of clues that are much the same."""

from collections.abc import Callable, Sequence

from solver.exact.bitmask import Search, search
from solver.rules import Rules


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
