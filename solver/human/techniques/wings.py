"""Wings: a few short cells whose every outcome rules one digit out."""

from collections.abc import Iterator
from itertools import combinations

from solver.human.masks import PEER_MASKS, UNIT_MASKS, bits_of
from solver.human.position import Position
from solver.human.step import Step, make_step, name_cell, name_digits, name_unit, removals_of
from solver.human.technique import Technique


def find_xy_wings(position: Position) -> Iterator[Step]:
    """Find a cell XY that sees XZ and YZ: one of these is Z."""
    cells = position.cells
    pairs = position.cells_with(2)
    for pivot in bits_of(pairs):
        for one, two in combinations(bits_of(pairs & PEER_MASKS[pivot]), 2):
            common = cells[one] & cells[two]
            if cells[one] ^ cells[two] != cells[pivot] or common.bit_count() != 1:
                continue
            digit = common.bit_length() - 1
            removed = position.digits[digit] & PEER_MASKS[one] & PEER_MASKS[two]
            if removed:
                yield make_step(
                    Technique.XY_WING,
                    because=f"Whether {name_cell(pivot)} is {name_digits(cells[pivot], 'or')}, "
                    f"{name_cell(one)} or {name_cell(two)} becomes {digit + 1}, so no cell that "
                    "sees both can hold it",
                    cells=1 << pivot | 1 << one | 1 << two,
                    removals=removals_of(digit, removed),
                )


def find_xyz_wings(position: Position) -> Iterator[Step]:
    """Find a cell XYZ that sees XZ and YZ: one of the three is Z."""
    cells = position.cells
    pairs = position.cells_with(2)
    for pivot in bits_of(position.cells_with(3, 3)):
        wings = [
            cell for cell in bits_of(pairs & PEER_MASKS[pivot]) if not cells[cell] & ~cells[pivot]
        ]
        for one, two in combinations(wings, 2):
            common = cells[one] & cells[two]
            if common.bit_count() != 1:
                continue
            digit = common.bit_length() - 1
            seen = PEER_MASKS[pivot] & PEER_MASKS[one] & PEER_MASKS[two]
            removed = position.digits[digit] & seen
            if removed:
                yield make_step(
                    Technique.XYZ_WING,
                    because=f"Whichever of {name_digits(cells[pivot])} {name_cell(pivot)} is, "
                    f"one of {name_cell(pivot)}, {name_cell(one)} and {name_cell(two)} is "
                    f"{digit + 1}, so no cell that sees all three can hold it",
                    cells=1 << pivot | 1 << one | 1 << two,
                    removals=removals_of(digit, removed),
                )


def find_w_wings(position: Position) -> Iterator[Step]:
    """Find two equal cells XY, of which at most one can be X because of a unit: one is Y."""
    by_candidates: dict[int, list[int]] = {}
    for cell in bits_of(position.cells_with(2)):
        by_candidates.setdefault(position.cells[cell], []).append(cell)
    for candidates, twins in by_candidates.items():
        for one, two in combinations(twins, 2):
            if PEER_MASKS[one] >> two & 1:
                continue
            ends = 1 << one | 1 << two
            for digit in bits_of(candidates):
                other = (candidates ^ 1 << digit).bit_length() - 1
                removed = position.digits[other] & PEER_MASKS[one] & PEER_MASKS[two]
                unit = _find_bridge(position.digits[digit], one, two) if removed else None
                if unit is None:
                    continue
                yield make_step(
                    Technique.W_WING,
                    because=f"{name_cell(one)} and {name_cell(two)} cannot both be {digit + 1}, "
                    f"as {name_unit(unit)} would then have no place for it, so one of them is "
                    f"{other + 1} and no cell that sees both can hold {other + 1}",
                    cells=ends | position.digits[digit] & UNIT_MASKS[unit],
                    units=[unit],
                    removals=removals_of(other, removed),
                )


def _find_bridge(places: int, one: int, two: int) -> int | None:
    """Return a unit, holding neither cell, each of whose places sees one of the two."""
    seen = PEER_MASKS[one] | PEER_MASKS[two]
    ends = 1 << one | 1 << two
    for unit in range(27):
        inside = places & UNIT_MASKS[unit]
        if inside and not inside & ~seen and not inside & ends:
            return unit
    return None
