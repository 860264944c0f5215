"""Digits confined to as many cells or lines: locked candidates, pairs to quads, and fish."""

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from solver.human.masks import LINES
from solver.human.position import Position
from solver.human.step import (
    Step,
    Technique,
    make_step,
    name_cells,
    name_digit,
    name_digits,
    name_unit,
    name_units,
    removals_of,
)
from solver.layout import bits_of, mask_of


def find_pointing(position: Position) -> Iterator[Step]:
    """Find boxes whose places for a digit lie in one line: the rest of the line loses it."""
    for unit, other in position.masks.crossings:
        if position.masks.unit_names[unit].kind not in LINES:
            yield from _find_locked(position, unit, other, Technique.POINTING)


def find_claiming(position: Position) -> Iterator[Step]:
    """Find lines whose places for a digit lie in one box: the rest of the box loses it."""
    for unit, other in position.masks.crossings:
        if position.masks.unit_names[unit].kind in LINES:
            yield from _find_locked(position, unit, other, Technique.CLAIMING)


def _find_locked(position: Position, unit: int, other: int, technique: Technique) -> Iterator[Step]:
    masks = position.masks
    in_unit, in_other = masks.unit_masks[unit], masks.unit_masks[other]
    for digit, places in enumerate(position.digits):
        inside = places & in_unit
        if not inside or inside & ~in_other:
            continue
        removed = places & in_other & ~in_unit
        if removed:
            yield make_step(
                technique,
                because=f"In {name_unit(unit, masks)}, {name_digit(digit)} fits only in "
                f"{name_cells(inside, 'or', masks)}, all in {name_unit(other, masks)}, so the "
                f"rest of {name_unit(other, masks)} cannot hold it",
                cells=inside,
                units=[unit, other],
                removals=removals_of(digit, removed),
                masks=masks,
            )


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


_FISH: Final = {2: Technique.X_WING, 3: Technique.SWORDFISH, 4: Technique.JELLYFISH}


def find_fish(position: Position, size: int) -> Iterator[Step]:
    """Find X-wings (2), swordfish (3) or jellyfish (4), from rows and from columns."""
    masks = position.masks
    unit_masks = masks.unit_masks
    ways = [way for rows, columns in masks.lines for way in ((rows, columns), (columns, rows))]
    for digit, places in enumerate(position.digits):
        for base_units, cover_units in ways:
            # Covers of a base line as bits.
            covers = {}
            for base in base_units:
                in_base = places & unit_masks[base]
                if 1 < in_base.bit_count() <= size:
                    covers[base] = sum(
                        1 << at
                        for at, cover in enumerate(cover_units)
                        if in_base & unit_masks[cover]
                    )
            for bases in combinations(covers, size):
                union = 0
                for base in bases:
                    union |= covers[base]
                if union.bit_count() != size:
                    continue
                chosen = [cover for at, cover in enumerate(cover_units) if union >> at & 1]
                in_bases = sum(unit_masks[base] for base in bases)
                in_covers = sum(unit_masks[cover] for cover in chosen)
                removed = places & in_covers & ~in_bases
                if removed:
                    yield make_step(
                        _FISH[size],
                        because=f"In {name_units(bases, masks)}, {name_digit(digit)} fits only in "
                        f"{name_units(chosen, masks)} and so takes all of these, which bars it "
                        f"from their other cells",
                        cells=places & in_bases,
                        units=(*bases, *chosen),
                        removals=removals_of(digit, removed),
                        masks=masks,
                    )
