"""What sums say about cells: the combinations of cages, and the rule of 45 (innies and outies).

A mask has bit = digit - 1. What a sum leaves of its cells' masks depends on nothing else, so it is
kept and found again, in this puzzle and the next.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Final

from solver.exact.places import cells_of
from solver.rules import Kind, Rules, cage_combinations

_MOST_DERIVED: Final = 6
"""Cells of a sum that follows from the rule of 45; those with more say little."""

_MOST_TRIED: Final = 600
"""Ways of filling cells that are tried one by one; beyond, only the least and the greatest sum."""

_KEPT: Final = 1 << 15

_Masks = tuple[int, ...]


@dataclass(frozen=True)
class Sum:
    """Cells, as indices, whose digits add up to a total.

    Attributes:
        total: the sum.
        cells: the cells.
        is_apart: whether the rules demand that the digits all differ.
        peers: for each cell, a mask of those before it in `cells` from which it must differ.
    """

    total: int
    cells: tuple[int, ...]
    is_apart: bool
    peers: _Masks


@dataclass(frozen=True)
class Sums:
    """All sums of a puzzle.

    Attributes:
        side: number of digits.
        sums: the cages, and what follows from them.
        peers: for each cell, a mask of the cells from which it must differ.
    """

    side: int
    sums: tuple[Sum, ...]
    peers: _Masks

    def strike(self, masks: list[int], struck: list[int]) -> bool:
        """Take the digits that no sum allows from `masks`, and add them to `struck`.

        Returns:
            False where a sum cannot be met.
        """
        for entry in self.sums:
            before = tuple([masks[cell] for cell in entry.cells])
            if entry.is_apart:
                after, certain = _narrow_apart(entry.total, before, self.side)
            else:
                after, certain = _narrow_any(entry.total, before, entry.peers), 0
            if not after:
                return False
            if after != before:
                for cell, old, new in zip(entry.cells, before, after, strict=True):
                    masks[cell] = new
                    struck[cell] |= old ^ new
            if certain:
                self._lock(entry.cells, certain, masks, struck)
        return True

    def _lock(
        self, cells: tuple[int, ...], certain: int, masks: list[int], struck: list[int]
    ) -> None:
        """Strike digits that the cells certainly hold from all that see each place for them."""
        while certain:
            digit = certain & -certain
            certain ^= digit
            common = -1
            for cell in cells:
                if masks[cell] & digit:
                    common &= self.peers[cell]
            for other in cells_of(max(common, 0)):
                if masks[other] & digit:
                    masks[other] ^= digit
                    struck[other] |= digit


def find_sums(rules: Rules) -> Sums:
    """Return the cages as sums of cells, and the sums that follow by the rule of 45."""
    index_of = {place: index for index, place in enumerate(rules.cells)}

    def mask_of(places: Iterable[int]) -> int:
        return sum(1 << index_of[place] for place in places)

    units = [mask_of(unit) for unit in rules.units]
    cages = [(mask_of(cage.cells), cage.total) for cage in rules.cages]
    peers = [0] * len(index_of)
    for together in (*units, *(cells for cells, _ in cages)):
        for cell in cells_of(together):
            peers[cell] |= together ^ 1 << cell
    found = dict(cages)
    sum_of_unit = rules.side * (rules.side + 1) // 2
    for cells, n_units in _unions(rules, units):
        for part, total in _innies_and_outies(cells, n_units * sum_of_unit, cages):
            if 0 < part.bit_count() <= _MOST_DERIVED:
                found.setdefault(part, total)
    return Sums(rules.side, tuple(_make_sum(*item, peers) for item in found.items()), tuple(peers))


def _make_sum(cells: int, total: int, peers: Sequence[int]) -> Sum:
    order = tuple(cells_of(cells))
    before = tuple(
        sum(1 << place for place in range(number) if peers[cell] >> order[place] & 1)
        for number, cell in enumerate(order)
    )
    is_apart = all(mask == (1 << number) - 1 for number, mask in enumerate(before))
    return Sum(total, order, is_apart, before)


def _unions(rules: Rules, units: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield sets of cells that units without a common cell fill, and how many units."""
    yield from ((cells, 1) for cells in units)
    if rules.kind is Kind.SAMURAI:
        return
    side = rules.side
    for first in (0, side):
        for start in range(first, first + side):
            cells = units[start]
            for end in range(start + 1, first + side):
                cells |= units[end]
                yield cells, end - start + 1
    regions = units[2 * side : 3 * side]
    yield from ((one | other, 2) for one, other in combinations(regions, 2))


def _innies_and_outies(
    cells: int, total: int, cages: Iterable[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """Yield what sticks into cells of a known total, and out of them, with its sum."""
    innies, inner = cells, total
    touched, outer = 0, -total
    for cage, cage_total in cages:
        inside = cage & cells
        if inside:
            touched |= cage
            outer += cage_total
            if inside == cage:
                innies ^= cage
                inner -= cage_total
    yield innies, inner
    if not cells & ~touched:
        yield touched ^ cells, outer


@lru_cache(_KEPT)
def _narrow_apart(total: int, masks: _Masks, side: int) -> tuple[_Masks, int]:
    """Return what is left of the masks of cells that differ, and the digits that they all need.

    Nothing is left where the total cannot be met.
    """
    left = [0] * len(masks)
    certain = -1
    possible = 0
    for mask in masks:
        possible |= mask
    for digits in _digit_sets(total, len(masks), side):
        if digits & ~possible:
            continue
        supported = _match(digits, tuple([mask & digits for mask in masks]))
        if supported:
            certain &= digits
            for place, mask in enumerate(supported):
                left[place] |= mask
    return (tuple(left), certain) if certain >= 0 else ((), 0)


@lru_cache(_KEPT)
def _match(digits: int, masks: _Masks) -> _Masks:
    """Return, for each cell, the digits that it has in some way of giving each a digit of its own.

    Args:
        digits: as many as there are cells.
        masks: subsets of the digits. Nothing is returned where there is no such way.
    """
    if len(masks) == 1:
        return masks if masks[0] else ()
    if all(mask == digits for mask in masks):
        return masks
    place = min(range(len(masks)), key=lambda place: masks[place].bit_count())
    others = masks[:place] + masks[place + 1 :]
    left = [0] * len(masks)
    rest = masks[place]
    while rest:
        digit = rest & -rest
        rest ^= digit
        supported = _match(digits ^ digit, tuple([mask & ~digit for mask in others]))
        if supported:
            left[place] |= digit
            for number, mask in enumerate(supported):
                left[number + (number >= place)] |= mask
    return tuple(left) if left[place] else ()


@lru_cache(_KEPT)
def _narrow_any(total: int, masks: _Masks, peers: _Masks) -> _Masks:
    """Return what is left of the masks of cells some of which may be equal, or nothing."""
    left = list(masks)
    while True:
        before = left.copy()
        least = sum((mask & -mask).bit_length() for mask in left)
        most = sum(mask.bit_length() for mask in left)
        for place, mask in enumerate(left):
            lowest = total - most + mask.bit_length()
            highest = total - least + (mask & -mask).bit_length()
            if highest < 1:
                return ()
            mask &= (1 << highest) - 1
            left[place] = mask >> lowest - 1 << lowest - 1 if lowest > 1 else mask
            if not left[place]:
                return ()
        if left == before:
            break
    ways = 1
    for mask in left:
        ways *= mask.bit_count()
    return _try_all(total, left, peers) if ways <= _MOST_TRIED else tuple(left)


def _try_all(total: int, masks: Sequence[int], peers: _Masks) -> _Masks:
    """Return the digits that stand somewhere in a way of filling the cells, or nothing."""
    left = [0] * len(masks)
    digits = [0] * len(masks)
    last = len(masks) - 1

    def fill(place: int, rest: int) -> bool:
        if rest <= 0:
            return False
        mask = masks[place] if place < last else masks[place] & 1 << rest - 1
        for earlier in range(place):
            if peers[place] >> earlier & 1:
                mask &= ~digits[earlier]
        is_possible = False
        while mask:
            digit = mask & -mask
            mask ^= digit
            digits[place] = digit
            if place == last or fill(place + 1, rest - digit.bit_length()):
                left[place] |= digit
                is_possible = True
        return is_possible

    return tuple(left) if fill(0, total) else ()


@lru_cache(_KEPT)
def _digit_sets(total: int, n_cells: int, side: int) -> _Masks:
    return tuple(
        sum(1 << digit - 1 for digit in digits)
        for digits in cage_combinations(total, n_cells, side)
    )
