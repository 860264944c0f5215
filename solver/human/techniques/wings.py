"""Wings: a few short cells whose every outcome rules one digit out."""

from collections.abc import Iterator
from itertools import combinations

from solver.human.masks import RuleMasks, bits_of
from solver.human.position import Position
from solver.human.step import (
    Step,
    make_step,
    name_cell,
    name_digit,
    name_digits,
    name_unit,
    removals_of,
)
from solver.human.technique import Technique


def find_xy_wings(position: Position) -> Iterator[Step]:
    """Find a cell XY that sees XZ and YZ: one of these is Z."""
    cells, masks = position.cells, position.masks
    pairs = position.cells_with(2)
    for pivot in bits_of(pairs):
        for one, two in combinations(bits_of(pairs & masks.peers[pivot]), 2):
            common = cells[one] & cells[two]
            if cells[one] ^ cells[two] != cells[pivot] or common.bit_count() != 1:
                continue
            digit = common.bit_length() - 1
            removed = position.digits[digit] & masks.peers[one] & masks.peers[two]
            if removed:
                yield make_step(
                    Technique.XY_WING,
                    because=f"Whether {name_cell(pivot, masks)} is "
                    f"{name_digits(cells[pivot], 'or')}, {name_cell(one, masks)} or "
                    f"{name_cell(two, masks)} becomes {name_digit(digit)}, so no cell that sees "
                    "both can hold it",
                    cells=1 << pivot | 1 << one | 1 << two,
                    removals=removals_of(digit, removed),
                    masks=masks,
                )


def find_xyz_wings(position: Position) -> Iterator[Step]:
    """Find a cell XYZ that sees XZ and YZ: one of the three is Z."""
    cells, masks = position.cells, position.masks
    pairs = position.cells_with(2)
    for pivot in bits_of(position.cells_with(3, 3)):
        wings = [
            cell for cell in bits_of(pairs & masks.peers[pivot]) if not cells[cell] & ~cells[pivot]
        ]
        for one, two in combinations(wings, 2):
            common = cells[one] & cells[two]
            if common.bit_count() != 1:
                continue
            digit = common.bit_length() - 1
            seen = masks.peers[pivot] & masks.peers[one] & masks.peers[two]
            removed = position.digits[digit] & seen
            if removed:
                yield make_step(
                    Technique.XYZ_WING,
                    because=f"Whichever of {name_digits(cells[pivot])} {name_cell(pivot, masks)} "
                    f"is, one of {name_cell(pivot, masks)}, {name_cell(one, masks)} and "
                    f"{name_cell(two, masks)} is {name_digit(digit)}, so no cell that sees all "
                    "three can hold it",
                    cells=1 << pivot | 1 << one | 1 << two,
                    removals=removals_of(digit, removed),
                    masks=masks,
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
                    Technique.W_WING,
                    because=f"{name_cell(one, masks)} and {name_cell(two, masks)} cannot both be "
                    f"{name_digit(digit)}, as {name_unit(unit, masks)} would then have no place "
                    f"for it, so one of them is {name_digit(other)} and no cell that sees both "
                    f"can hold {name_digit(other)}",
                    cells=ends | position.digits[digit] & masks.unit_masks[unit],
                    units=[unit],
                    removals=removals_of(other, removed),
                    masks=masks,
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
