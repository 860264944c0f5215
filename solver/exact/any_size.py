"""The default solver's engine for boards of any size: the same rules as on 9×9, without its tables.

Hidden singles, locked candidates and naked singles on one bit mask a digit, then a branch on the
cell, or on the places of a digit in a unit, with fewest options.
"""

from collections.abc import Callable, Sequence
from functools import cache
from math import isqrt
from typing import Final

from solver.exact.bitmask import Search
from solver.exact.places import cell_masks, cells_of, place_clues, read_off

_MEMO_ENTRIES: Final = 1 << 14
"""The memo of a size is emptied when it reaches this size; an entry of 25×25 is some 300 bytes."""


class _Board:
    """The masks of a size, and a memo: what a digit's mask becomes by itself."""

    def __init__(self, side: int) -> None:
        masks_of = cell_masks(side)
        self.side = side
        self.all_cells = masks_of.all_cells
        self.peers = masks_of.peers
        self.units = masks_of.units
        lines, boxes = self.units[: 2 * side], self.units[2 * side :]
        # Where a line and a box cross in several cells: the line's rest, the crossing, the box's.
        self.crossings = [
            (line & ~box, line & box, box & ~line) for box in boxes for line in lines if line & box
        ]
        self.closed: dict[int, tuple[int, int]] = {}

    def close(self, mask: int) -> tuple[int, int]:
        """Return what singles and locked candidates leave of a mask, and its only places.

        The mask is 0 where a unit has no place.
        """
        memo = self.closed
        known = memo.get(mask)
        if known is not None:
            return known
        begun = mask
        only = 0
        while True:
            before = mask
            for unit in self.units:
                places = mask & unit
                if not places & (places - 1) and not places & only:
                    if not places:
                        memo[begun] = 0, 0
                        return 0, 0
                    only |= places
                    mask &= ~self.peers[places.bit_length() - 1]
            if mask == before:
                for in_line, crossing, in_box in self.crossings:
                    if mask & crossing:
                        if not mask & in_box:
                            mask &= ~in_line
                        elif not mask & in_line:
                            mask &= ~in_box
                if mask == before:
                    break
        if len(memo) >= _MEMO_ENTRIES:
            memo.clear()
        memo[begun] = mask, only
        return mask, only


def search_any_size(
    clues: Sequence[int],
    limit: int,
    may_go_on: Callable[[int], bool] | None = None,
    keep: int | None = None,
) -> Search:
    """Do what `solver.exact.bitmask.search` does, for side² digits of any side."""
    side = isqrt(len(clues))
    board = _board(side)
    solutions: list[list[int]] = []
    most_kept = limit if keep is None else keep
    found = guesses = 0
    nodes = 1
    places = place_clues(clues, side)
    if places is None:
        return Search(solutions, found, nodes, guesses, True)
    masks, settled = places.masks, [0] * side
    is_alive = _propagate(board, masks, settled, set(range(side)))
    # Positions, and the options (digit, bit of the cell) that are still to be tried in each.
    open_branches: list[tuple[list[int], list[int], list[tuple[int, int]]]] = []
    while True:
        if is_alive:
            options = _choose_branch(board, masks, settled)
            if not options:
                found += 1
                if found <= most_kept:
                    solutions.append(read_off(masks, side))
                if found == limit:
                    return Search(solutions, found, nodes, guesses, False)
            else:
                guesses += 1
                open_branches.append((masks, settled, options))
        if not open_branches:
            return Search(solutions, found, nodes, guesses, True)
        if may_go_on is not None and not may_go_on(nodes):
            return Search(solutions, found, nodes, guesses, False)
        nodes += 1
        parent, parent_settled, rest = open_branches[-1]
        digit, cell = rest.pop()
        if rest:
            masks, settled = parent.copy(), parent_settled.copy()
        else:
            open_branches.pop()
            masks, settled = parent, parent_settled
        masks[digit] &= ~board.peers[cell.bit_length() - 1]
        dirty = {digit}
        for other, mask in enumerate(masks):
            if other != digit and mask & cell:
                masks[other] ^= cell
                dirty.add(other)
        is_alive = _propagate(board, masks, settled, dirty)


def _propagate(board: _Board, masks: list[int], settled: list[int], dirty: set[int]) -> bool:
    """Apply the rules until nothing changes; False on a contradiction."""
    while True:
        while dirty:
            digit = dirty.pop()
            mask, only = board.close(masks[digit])
            if not mask:
                return False
            masks[digit] = mask
            new = only & ~settled[digit]
            if new:
                settled[digit] |= new
                for other, candidates in enumerate(masks):
                    if candidates & new and other != digit:
                        masks[other] = candidates & ~new
                        dirty.add(other)
        once = twice = done = 0
        for mask, places in zip(masks, settled, strict=True):
            twice |= once & mask
            once |= mask
            done |= places
        if once != board.all_cells:
            return False
        naked = once & ~twice & ~done
        if not naked:
            return True
        for digit, mask in enumerate(masks):
            for cell in cells_of(mask & naked):
                masks[digit] &= ~board.peers[cell]
                dirty.add(digit)


def _choose_branch(
    board: _Board, masks: Sequence[int], settled: Sequence[int]
) -> list[tuple[int, int]]:
    """Return the options, digit from 0 and bit of the cell, of the best constraint to branch on.

    It has fewest options, and of those with equally many, its options strike most candidates. There
    are none where all is settled.
    """
    fewest = board.side + 1
    tightest: list[list[tuple[int, int]]] = []
    at_least = [board.all_cells, *[0] * 3]
    for mask in masks:
        for count in (3, 2, 1):
            at_least[count] |= at_least[count - 1] & mask
    for cell in cells_of(at_least[2] & ~at_least[3]):
        fewest = 2
        bit = 1 << cell
        tightest.append([(digit, bit) for digit, mask in enumerate(masks) if mask & bit])
    for digit, mask in enumerate(masks):
        free = mask & ~settled[digit]
        seen = set()
        for unit in board.units:
            places = free & unit
            count = places.bit_count()
            if count and count <= fewest and places not in seen:
                if count < fewest:
                    fewest, tightest = count, []
                seen.add(places)
                tightest.append([(digit, 1 << cell) for cell in cells_of(places)])
    return max(tightest, key=lambda options: _count_struck(board, masks, options), default=[])


def _count_struck(board: _Board, masks: Sequence[int], options: Sequence[tuple[int, int]]) -> int:
    """Count the candidates that the options would strike at once, all together."""
    return sum(
        (masks[digit] & board.peers[cell.bit_length() - 1]).bit_count()
        + sum(1 for mask in masks if mask & cell)
        for digit, cell in options
    )


@cache
def _board(side: int) -> _Board:
    return _Board(side)
