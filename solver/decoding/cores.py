"""Which part of a reading is to blame when it has no solution."""

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
