"""Wings: a few short cells whose every outcome rules one digit out."""

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from solver.human.masks import RuleMasks
from solver.human.position import Position, Step, Technique, make_step, removals_of
from solver.human.reasons import BRIDGE
from solver.layout import bits_of

_WINGS: Final = {4: Technique.WXYZ_WING, 5: Technique.VWXYZ_WING}

_SURCHARGES: Final = {4: {3: 0.1}, 5: {2: 0.1, 3: 0.2, 4: 0.1}}
"""By the size of the set and of its largest cell, as found in puzzles that Sudoku Explainer rated
and that need nothing harder: 90 % of 300 with a WXYZ-wing, 75 % of 100 with a VWXYZ-wing."""


def find_xy_wings(position: Position) -> Iterator[Step]:
    """Find a cell XY that sees XZ and YZ: one of these is Z."""
    return _find_pivot_wings(position, Technique.XY_WING)


def find_xyz_wings(position: Position) -> Iterator[Step]:
    """Find a cell XYZ that sees XZ and YZ: one of the three is Z."""
    return _find_pivot_wings(position, Technique.XYZ_WING)


def _find_pivot_wings(position: Position, technique: Technique) -> Iterator[Step]:
    cells, masks = position.cells, position.masks
    is_xyz = technique is Technique.XYZ_WING
    pairs = position.cells_with(2)
    for pivot in bits_of(position.cells_with(3, 3) if is_xyz else pairs):
        wings = bits_of(pairs & masks.peers[pivot])
        if is_xyz:
            wings = [cell for cell in wings if not cells[cell] & ~cells[pivot]]
        for one, two in combinations(wings, 2):
            common = cells[one] & cells[two]
            if common.bit_count() != 1 or (not is_xyz and cells[one] ^ cells[two] != cells[pivot]):
                continue
            digit = common.bit_length() - 1
            removed = position.digits[digit] & masks.peers[one] & masks.peers[two]
            if is_xyz:
                removed &= masks.peers[pivot]
            if not removed:
                continue
            yield make_step(
                masks,
                technique,
                cells=1 << pivot | 1 << one | 1 << two,
                removals=removals_of(digit, removed),
            )


def find_w_wings(position: Position) -> Iterator[Step]:
    """Find two equal cells XY, of which at most one can be X because of a unit: one is Y."""
    masks, by_candidates = position.masks, dict[int, list[int]]()
    for cell in bits_of(position.cells_with(2)):
        by_candidates.setdefault(position.cells[cell], []).append(cell)
    for candidates, twins in by_candidates.items():
        for one, two in combinations(twins, 2):
            if masks.peers[one] >> two & 1:
                continue
            ends = 1 << one | 1 << two
            for digit in bits_of(candidates):
                other = (candidates ^ 1 << digit).bit_length() - 1
                removed = position.digits[other] & masks.peers[one] & masks.peers[two]
                unit = _find_bridge(position.digits[digit], one, two, masks) if removed else None
                if unit is None:
                    continue
                yield make_step(
                    masks,
                    Technique.W_WING,
                    why=BRIDGE,
                    cells_ends=ends,
                    digits_other=1 << digit,
                    cells=ends | position.digits[digit] & masks.unit_masks[unit],
                    units=[unit],
                    unit=unit,
                    removals=removals_of(other, removed),
                )


def _find_bridge(places: int, one: int, two: int, masks: RuleMasks) -> int | None:
    """Return a unit, holding neither cell, each of whose places sees one of the two."""
    seen = masks.peers[one] | masks.peers[two]
    ends = 1 << one | 1 << two
    for unit, mask in enumerate(masks.full_masks):
        inside = places & mask
        if inside and not inside & ~seen and not inside & ends:
            return unit
    return None


def find_bent_sets(position: Position, size: int) -> Iterator[Step]:
    """Find WXYZ-wings (size 4) or VWXYZ-wings (5), the easiest first.

    They are bent sets: as many cells as candidates, of which all but one are held together. A digit
    whose places in the set all see each other is in the set at most once. If all digits but one are
    so, that one must be in the set too, or the cells would outnumber the digits.
    """
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
            largest = max(position.cells[cell].bit_count() for cell in bits_of(inside))
            surcharge = _SURCHARGES[size].get(largest, 0.0)
            yield make_step(
                masks,
                _WINGS[size],
                cells=inside,
                removals=removals,
                rating=round(_WINGS[size].rating + surcharge, 1),
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
