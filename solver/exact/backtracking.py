"""Textbook searches: backtracking in several orders, and constraint propagation.

Where a search needs to know what still fits, its position is a mask for each digit: the cells where
it can stand, bit = cell, one Python integer for the whole board.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Final

from solver.base import EffortBudget
from solver.exact.tree_search import SearchSolver, search_tree
from solver.layout import ALL_SIZES, LAYOUTS, Layout, bits_of, mask_of


def backtracking() -> SearchSolver:
    """Build the solver that fills in an option of the tightest constraint.

    Choosing the most constrained variable first is the fail-first principle of R. M. Haralick and
    G. L. Elliott, "Increasing tree search efficiency for constraint satisfaction problems", 1980.
    """
    return SearchSolver("backtracking", partial(_search_masks, _tightest))


def by_heuristic(name: str) -> SearchSolver:
    """Build the solver that searches from the cell that one of `_HEURISTICS` prefers.

    It checks forward, after Haralick and Elliott: a digit is struck from the peers of its cell, and
    a position in which an empty cell has no candidate is left.
    """
    # Large grids are beyond the order that does not look at candidates.
    sizes = frozenset({4, 6, 9}) if name == "units" else ALL_SIZES
    order = partial(_look_ahead, _HEURISTICS[name])
    return SearchSolver(f"heuristic-{name}", partial(_search_masks, order), sizes)


def propagation() -> SearchSolver:
    """Build the solver that propagates after every digit, and searches where that is not enough.

    After P. Norvig, "Solving Every Sudoku Puzzle", 2006, https://norvig.com/sudoku.html. Two rules
    run until nothing changes: a cell with one candidate takes it from its peers, and a digit with
    one place in a unit goes there. Then the candidates of a cell with fewest are tried in turn.
    """
    return SearchSolver("propagation", _search_candidates)


def depth_first() -> SearchSolver:
    """Build the solver that fills the empty cells in reading order, the smallest digit first.

    Every grid that obeys the rules so far is a node, the clues alone being the first.
    """
    return SearchSolver("dfs", _search_depth_first, frozenset({4, 6, 9}))


@dataclass(frozen=True)
class _CellMasks:
    """The cells that belong together, for one size.

    Attributes:
        side: of the grid.
        all_cells: every cell.
        peers: for each cell, those that share a unit with it.
        units: for each unit, its cells.
    """

    side: int
    all_cells: int
    peers: tuple[int, ...]
    units: tuple[int, ...]


@dataclass(frozen=True)
class _Places:
    """A position of a search.

    Attributes:
        masks: for each digit, from 1, the cells where it stands or can stand.
        filled: the cells that hold a digit; each is in the mask of that digit only.
    """

    masks: list[int]
    filled: int

    def put(self, digit: int, cell: int, masks_of: _CellMasks) -> "_Places":
        """Return the position with a digit, the first being 0, and all struck that it rules out."""
        bit = 1 << cell
        others = ~bit
        masks = [mask & others for mask in self.masks]
        masks[digit] = masks[digit] & ~masks_of.peers[cell] | bit
        return _Places(masks, self.filled | bit)


@cache
def _cell_masks(side: int) -> _CellMasks:
    layout = LAYOUTS[side]
    peers = tuple(mask_of(cells) for cells in layout.peers.tolist())
    units = tuple(mask_of(cells) for cells in layout.units.tolist())
    return _CellMasks(side, (1 << layout.n_cells) - 1, peers, units)


def _place_clues(clues: Sequence[int], side: int) -> _Places | None:
    """Return the position that the clues leave, or None when two equal ones share a unit.

    Args:
        clues: side² digits in reading order, 0 = empty.
        side: of the grid.
    """
    masks_of = _cell_masks(side)
    own = [0] * side
    struck = [0] * side
    filled = 0
    for cell, clue in enumerate(clues):
        if clue:
            if struck[clue - 1] >> cell & 1:
                return None
            struck[clue - 1] |= masks_of.peers[cell]
            own[clue - 1] |= 1 << cell
            filled |= 1 << cell
    free = masks_of.all_cells ^ filled
    masks = [free & ~gone | stands for gone, stands in zip(struck, own, strict=True)]
    return _Places(masks, filled)


def _read_off(masks: Sequence[int], side: int) -> list[int]:
    """Return the side² digits of a board where every cell is in one mask."""
    digits = [0] * side**2
    for digit, mask in enumerate(masks, start=1):
        for cell in bits_of(mask):
            digits[cell] = digit
    return digits


_Options = list[tuple[int, int]]
"""Digits, the first being 0, each with a cell to try it in, best first."""

_Order = Callable[[_Places, _CellMasks], _Options]
"""Returns what to try in a position."""


def _search_masks(
    order: _Order, clues: Sequence[int], side: int, budget: EffortBudget, solutions: list[list[int]]
) -> bool:
    """Search over masks; see `solver.exact.tree_search.SearchFunction`."""
    masks_of = _cell_masks(side)
    places = _place_clues(clues, side)
    if places is None:
        return True

    def read(position: _Places) -> list[int] | None:
        is_full = position.filled == masks_of.all_cells
        return _read_off(position.masks, side) if is_full else None

    def take(position: _Places, option: tuple[int, int]) -> _Places:
        return position.put(*option, masks_of)

    return search_tree(
        places, read, lambda position: order(position, masks_of), take, budget, solutions
    )


def _tightest(places: _Places, masks_of: _CellMasks) -> _Options:
    """Return the options, digit from 0 and cell, of the constraint that has fewest."""
    free = masks_of.all_cells ^ places.filled
    fewest = masks_of.side + 1
    best: tuple[int, int] | None = None
    for digit, mask in enumerate(places.masks):
        stands = mask & places.filled
        for unit in masks_of.units:
            if stands & unit:
                continue
            n_options = (mask & unit).bit_count()
            if n_options < fewest:
                if n_options == 0:
                    return []
                fewest = n_options
                best = digit, mask & unit
    # Cells are compared after places, and win only where they have fewer options.
    cells = _cells_with_fewest(places.masks, free, fewest)
    if cells is not None:
        cell = cells & -cells
        at = cell.bit_length() - 1
        return [(digit, at) for digit, mask in enumerate(places.masks) if mask & cell]
    assert best is not None
    digit, mask = best
    return [(digit, cell) for cell in bits_of(mask)]


def _cells_with_fewest(masks: Sequence[int], free: int, bound: int) -> int | None:
    """Return the free cells with fewest candidates, or None when none has fewer than the bound."""
    at_least = [free] + [0] * bound
    for mask in masks:
        for count in range(bound, 0, -1):
            at_least[count] |= at_least[count - 1] & mask
    for count in range(bound):
        exactly = at_least[count] & ~at_least[count + 1]
        if exactly:
            return exactly
    return None


def _look_ahead(
    prefer: Callable[[_Places, _CellMasks], tuple[int, list[int]]],
    places: _Places,
    masks_of: _CellMasks,
) -> _Options:
    """Return the digits of the preferred cell, or nothing where a cell has none."""
    reached = 0
    for mask in places.masks:
        reached |= mask
    if reached != masks_of.all_cells:
        return []
    cell, digits = prefer(places, masks_of)
    return [(digit, cell) for digit in digits]


def _order_by_candidates(places: _Places, masks_of: _CellMasks) -> tuple[int, list[int]]:
    free = masks_of.all_cells ^ places.filled
    fewest = _cells_with_fewest(places.masks, free, masks_of.side + 1)
    assert fewest is not None
    return _first(fewest, places.masks)


def _order_by_remaining(places: _Places, masks_of: _CellMasks) -> tuple[int, list[int]]:
    """Prefer what leaves the fewest candidates in the other cells."""
    free = masks_of.all_cells ^ places.filled
    struck: dict[int, dict[int, int]] = {cell: {} for cell in bits_of(free)}
    n_candidates = 0
    for digit, mask in enumerate(places.masks):
        left = mask & free
        n_candidates += left.bit_count()
        for cell in bits_of(left):
            struck[cell][digit] = (left & masks_of.peers[cell]).bit_count()

    def sum_of_remaining(cell: int) -> int:
        n_own = len(struck[cell])
        return n_own * (n_candidates - n_own) - sum(struck[cell].values())

    best = min(struck, key=sum_of_remaining)
    return best, sorted(struck[best], key=struck[best].__getitem__)


def _order_by_units(places: _Places, masks_of: _CellMasks) -> tuple[int, list[int]]:
    """Prefer the cell whose units are the fullest: the sum of 1 / their empty cells is highest."""
    free = masks_of.all_cells ^ places.filled
    scores = dict.fromkeys(bits_of(free), 0.0)
    for unit in masks_of.units:
        empty = bits_of(unit & free)
        for cell in empty:
            scores[cell] += 1 / len(empty)
    return _first(1 << max(scores, key=scores.__getitem__), places.masks)


def _first(cells: int, masks: Sequence[int]) -> tuple[int, list[int]]:
    bit = cells & -cells
    return bit.bit_length() - 1, [digit for digit, mask in enumerate(masks) if mask & bit]


_HEURISTICS: Final = {
    "candidates": _order_by_candidates,
    "remaining": _order_by_remaining,
    "units": _order_by_units,
}
"""Each returns the next cell of a position, and its candidates, from 0, in order."""


@dataclass(frozen=True)
class _Neighbours:
    """Plain lists for a size: the peers of each cell, and the other cells of each of its units."""

    peers: list[list[int]]
    units: list[list[list[int]]]


def _search_candidates(
    clues: Sequence[int], side: int, budget: EffortBudget, solutions: list[list[int]]
) -> bool:
    """Search over a set of candidates for each cell, bit = digit - 1."""
    near = _neighbours(side)

    def read(candidates: list[int]) -> list[int] | None:
        if any(digits & (digits - 1) for digits in candidates):
            return None
        return [digits.bit_length() for digits in candidates]

    def take(candidates: list[int], option: tuple[int, int]) -> list[int] | None:
        after = candidates.copy()
        return after if _assign(after, *option, near) else None

    root = [(1 << side) - 1] * side**2
    is_alive = all(
        _assign(root, cell, 1 << (clue - 1), near) for cell, clue in enumerate(clues) if clue
    )
    return search_tree(root if is_alive else None, read, _try_fewest, take, budget, solutions)


def _assign(candidates: list[int], cell: int, digit: int, near: _Neighbours) -> bool:
    """Leave a cell only this digit, propagate, and return False on a contradiction."""
    if not candidates[cell] & digit:
        return False
    # Candidates to strike: the cell, and the set of digits.
    todo = [(cell, candidates[cell] ^ digit)]
    if candidates[cell] == digit:
        return True
    while todo:
        cell, digits = todo.pop()
        struck = candidates[cell] & digits
        if not struck:
            continue
        left = candidates[cell] = candidates[cell] ^ struck
        if not left:
            return False
        if not left & (left - 1):
            todo.extend((peer, left) for peer in near.peers[cell] if candidates[peer] & left)
        for others in near.units[cell]:
            once = twice = 0
            for other in others:
                twice |= once & candidates[other]
                once |= candidates[other]
            if struck & ~once:
                return False
            only = struck & ~twice
            while only:
                digit = only & -only
                only ^= digit
                place = next(other for other in others if candidates[other] & digit)
                if candidates[place] != digit:
                    todo.append((place, candidates[place] ^ digit))
    return True


def _try_fewest(candidates: Sequence[int]) -> list[tuple[int, int]]:
    """Return the first cell with fewest candidates of those with several, with each of them."""
    several = (cell for cell, digits in enumerate(candidates) if digits & (digits - 1))
    best = min(several, key=lambda cell: candidates[cell].bit_count())
    return [(best, 1 << digit) for digit in bits_of(candidates[best])]


@cache
def _neighbours(side: int) -> _Neighbours:
    layout = LAYOUTS[side]
    units = layout.units.tolist()
    by_cell = [
        [[other for other in units[unit] if other != cell] for unit in own]
        for cell, own in enumerate(layout.units_of_cell.tolist())
    ]
    return _Neighbours(layout.peers.tolist(), by_cell)


def _search_depth_first(
    clues: Sequence[int], side: int, budget: EffortBudget, solutions: list[list[int]]
) -> bool:
    """Search in place, as a copy of each grid would cost more than the step."""
    digits, layout = list(clues), LAYOUTS[side]
    used = _used_digits(digits, layout)
    if used is None:
        return True
    if not budget.may_go_on():
        return False
    budget.nodes = 1
    units_of = layout.units_of_cell.tolist()
    empty = [cell for cell, digit in enumerate(digits) if not digit]
    # The empty cells before this one are filled, and their digits are in `used`. That of the cell
    # itself is the one tried last in it, or 0.
    depth = 0
    while True:
        if depth == len(empty):
            solutions.append(digits.copy())
            if len(solutions) == 2:
                return False
        else:
            cell = empty[depth]
            row, column, box = units_of[cell]
            digit = digits[cell]
            if digit:
                used[row] ^= 1 << digit
                used[column] ^= 1 << digit
                used[box] ^= 1 << digit
            taken = used[row] | used[column] | used[box]
            digit += 1
            while taken >> digit & 1:
                digit += 1
            if digit <= layout.side:
                if not budget.may_go_on():
                    return False
                budget.nodes += 1
                digits[cell] = digit
                used[row] |= 1 << digit
                used[column] |= 1 << digit
                used[box] |= 1 << digit
                depth += 1
                continue
            digits[cell] = 0
        if depth == 0:
            return True
        depth -= 1


def _used_digits(digits: list[int], layout: Layout) -> list[int] | None:
    """Return the set of digits in each unit (bit = digit), or None when one is there twice."""
    used = []
    for unit in layout.units.tolist():
        held = [digits[cell] for cell in unit if digits[cell]]
        if len(set(held)) < len(held):
            return None
        used.append(sum(1 << digit for digit in held))
    return used
