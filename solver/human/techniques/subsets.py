"""Naked and hidden pairs, triples and quads."""

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from solver.human.masks import bits_of, mask_of
from solver.human.position import Position
from solver.human.step import Step, make_step, name_cells, name_digits, name_unit, name_units
from solver.human.technique import Technique

_NAKED: Final = {2: Technique.NAKED_PAIR, 3: Technique.NAKED_TRIPLE, 4: Technique.NAKED_QUAD}
_HIDDEN: Final = {2: Technique.HIDDEN_PAIR, 3: Technique.HIDDEN_TRIPLE, 4: Technique.HIDDEN_QUAD}
_NUMBERS: Final = {2: "two", 3: "three", 4: "four"}


def find_naked_subsets(position: Position, size: int) -> Iterator[Step]:
    """Find so many cells of a unit that share as many candidates: no other cell may use them."""
    cells, masks = position.cells, position.masks
    for unit, unit_cells in enumerate(masks.unit_cells):
        members = [cell for cell in unit_cells if 1 < cells[cell].bit_count() <= size]
        for subset in combinations(members, size):
            digits = 0
            for cell in subset:
                digits |= cells[cell]
            if digits.bit_count() != size:
                continue
            inside = mask_of(subset)
            units = masks.common_units(inside)
            outside = 0
            for shared in units:
                outside |= masks.unit_masks[shared]
            removals = position.removals(outside & ~inside, digits)
            if removals:
                yield make_step(
                    _NAKED[size],
                    because=f"In {name_unit(unit, masks)}, the {_NUMBERS[size]} cells "
                    f"{name_cells(subset, masks=masks)} can hold nothing but "
                    f"{name_digits(digits)} and use them up, so no other cell of "
                    f"{name_units(units, masks)} can hold them",
                    cells=inside,
                    units=units,
                    removals=removals,
                    masks=masks,
                )


def find_hidden_subsets(position: Position, size: int) -> Iterator[Step]:
    """Find so many digits of a unit that share as many cells: nothing else may stand there."""
    masks = position.masks
    for unit, mask in enumerate(masks.full_masks):
        places = [digits & mask for digits in position.digits]
        members = [digit for digit in range(masks.side) if 1 < places[digit].bit_count() <= size]
        for subset in combinations(members, size):
            inside = 0
            for digit in subset:
                inside |= places[digit]
            if inside.bit_count() != size:
                continue
            digits = mask_of(subset)
            removals = position.removals(inside, ~digits & masks.all_digits)
            if removals:
                yield make_step(
                    _HIDDEN[size],
                    because=f"In {name_unit(unit, masks)}, the {_NUMBERS[size]} digits "
                    f"{name_digits(digits)} fit only in "
                    f"{name_cells(bits_of(inside), masks=masks)}, so these cells have no room for "
                    "anything else",
                    cells=inside,
                    units=[unit],
                    removals=removals,
                    masks=masks,
                )
