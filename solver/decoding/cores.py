"""Which of a reading's digits are to blame when they have no solution together."""

from collections.abc import Callable, Sequence

from solver.decoding.known_solutions import KnownSolutions


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

    def has_solution(cells: list[int]) -> bool:
        clues = [0] * len(values)
        for cell in cells:
            clues[cell] = values[cell]
        found = known.search(clues, 1, may_go_on)
        return bool(found.solutions) or not found.is_exhaustive

    cells = sorted(prices, key=lambda cell: (-min(prices[cell], budget + 1), cell))
    fixed = sum(1 for cell in cells if prices[cell] > budget)
    if not has_solution(cells[:fixed]):
        return []
    # The shortest beginning of the list without solution, by halving.
    low, high = fixed, len(cells)
    while high - low > 1:
        middle = (low + high) // 2
        if has_solution(cells[:middle]):
            low = middle
        else:
            high = middle
    core = cells[:high]
    # Its last cell is needed, or it would have been shorter; try the others.
    for cell in reversed(core[fixed:-1]):
        rest = [other for other in core if other != cell]
        if not has_solution(rest):
            core = rest
    return [cell for cell in core if prices[cell] <= budget]
