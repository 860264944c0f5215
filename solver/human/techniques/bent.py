"""Bent sets: as many cells as candidates, of which all but one are held together.

A digit whose places in the set all see each other is in the set at most once. If all digits but
one are so, that one must be in the set too, or the cells would outnumber the digits. With four
cells this is a WXYZ-wing, with five a VWXYZ-wing; three would make XY-wings and XYZ-wings.
"""

from collections.abc import Iterator
from typing import Final

from solver.human.masks import bits_of
from solver.human.position import Position
from solver.human.step import Step, make_step, name_cells, name_digits, removals_of
from solver.human.technique import Technique

_WINGS: Final = {4: Technique.WXYZ_WING, 5: Technique.VWXYZ_WING}

_SURCHARGES: Final = {4: {3: 0.1}, 5: {2: 0.1, 3: 0.2, 4: 0.1}}
"""By the size of the set and of its largest cell, as found in puzzles that Sudoku Explainer rated
and that need nothing harder: 90 % of 300 with a WXYZ-wing, 75 % of 100 with a VWXYZ-wing."""


def find_bent_sets(position: Position, size: int) -> Iterator[Step]:
    """Find WXYZ-wings (size 4) or VWXYZ-wings (5), the easiest first."""
    yield from sorted(_find_wings(position, size), key=lambda step: step.rating)


def _find_wings(position: Position, size: int) -> Iterator[Step]:
    masks = position.masks
    for inside, loose in _find_sets(position, size):
        digits = 0
        for cell in bits_of(inside):
            digits |= position.cells[cell]
        free = loose or digits
        removals: tuple[tuple[int, int], ...] = ()
        for digit in bits_of(free):
            seen = masks.peers_of_all(position.digits[digit] & inside)
            removals += removals_of(digit, position.digits[digit] & seen)
        if removals:
            what = name_digits(free) if loose else f"each of {name_digits(digits)}"
            largest = max(position.cells[cell].bit_count() for cell in bits_of(inside))
            surcharge = _SURCHARGES[size].get(largest, 0.0)
            yield make_step(
                _WINGS[size],
                because=f"The {size} cells {name_cells(inside, masks=masks)} can hold nothing but "
                f"{name_digits(digits)}, and none of these twice"
                + (f" but {what}" if loose else "")
                + f", so {what} is among them, and no cell that sees all its places there can "
                "hold it",
                cells=inside,
                removals=removals,
                rating=round(_WINGS[size].rating + surcharge, 1),
                masks=masks,
            )


def _find_sets(position: Position, size: int) -> Iterator[tuple[int, int]]:
    """Yield sets of so many cells and digits with at most one digit loose, as masks."""
    cells, peers, units = position.cells, position.masks.peers, position.masks.unit_masks
    digits_at = position.digits
    members = bits_of(position.cells_with(size))

    def grow(
        inside: int, digits: int, loose: int, left: int, start: int
    ) -> Iterator[tuple[int, int]]:
        for at in range(start, len(members) - left + 1):
            cell = members[at]
            union = digits | cells[cell]
            if union.bit_count() > size:
                continue
            unseen = inside & ~peers[cell]
            now_loose = loose
            if unseen:
                for digit in bits_of(cells[cell] & digits & ~loose):
                    if digits_at[digit] & unseen:
                        now_loose |= 1 << digit
                if now_loose & (now_loose - 1):
                    continue
            if left > 1:
                yield from grow(inside | 1 << cell, union, now_loose, left - 1, at + 1)
            elif union.bit_count() == size and _is_wing(cells, inside | 1 << cell, units):
                yield inside | 1 << cell, now_loose

    yield from grow(0, 0, 0, size, 0)


def _is_wing(cells: list[int], inside: int, units: tuple[int, ...]) -> bool:
    """Return whether all cells of the set but one, which has two candidates, share a unit."""
    return any(
        cells[cell].bit_count() == 2 and any(not inside & ~(1 << cell) & ~unit for unit in units)
        for cell in bits_of(inside)
    )
