"""Singles, and digits confined to as many cells or lines: locked candidates, pairs to quads, fish.

Direct steps are eliminations looked at only for the single that they leave behind. Sudoku Explainer
rates these lower than the same elimination on paper, because they can be seen without writing
candidates down; they exist for ratings.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Final

from solver.human.masks import (
    CLASSIC,
    LINES,
    UNIT_MASKS,
    UnitKind,
    name_digit,
    name_digits,
)
from solver.human.position import Position, Step, Technique, make_step, removals_of
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
                because=f"In {masks.name_unit(unit)}, {name_digit(digit)} fits only in "
                f"{masks.name_cells(inside, 'or')}, all in {masks.name_unit(other)}, so the "
                f"rest of {masks.name_unit(other)} cannot hold it",
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
                    because=f"In {masks.name_unit(unit)}, the {_NUMBERS[size]} cells "
                    f"{masks.name_cells(subset)} can hold nothing but "
                    f"{name_digits(digits)} and use them up, so no other cell of "
                    f"{masks.name_units(units)} can hold them",
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
                    because=f"In {masks.name_unit(unit)}, the {_NUMBERS[size]} digits "
                    f"{name_digits(digits)} fit only in "
                    f"{masks.name_cells(bits_of(inside))}, so these cells have no room for "
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
                        because=f"In {masks.name_units(bases)}, {name_digit(digit)} fits only in "
                        f"{masks.name_units(chosen)} and so takes all of these, which bars it "
                        f"from their other cells",
                        cells=places & in_bases,
                        units=(*bases, *chosen),
                        removals=removals_of(digit, removed),
                        masks=masks,
                    )


_DIRECT: Final = {
    Technique.POINTING: Technique.DIRECT_POINTING,
    Technique.CLAIMING: Technique.DIRECT_CLAIMING,
    Technique.HIDDEN_PAIR: Technique.DIRECT_HIDDEN_PAIR,
    Technique.HIDDEN_TRIPLE: Technique.DIRECT_HIDDEN_TRIPLE,
}


def find_full_houses(position: Position) -> Iterator[Step]:
    """Find units with one empty cell."""
    unsettled, masks = position.unsettled, position.masks
    for unit in masks.boxes_first:
        place = unsettled & masks.unit_masks[unit]
        if place and not place & (place - 1):
            cell = place.bit_length() - 1
            candidates = position.cells[cell]
            if candidates.bit_count() == 1:
                digit = candidates.bit_length()
                yield make_step(
                    Technique.FULL_HOUSE,
                    because=f"{masks.name_cell(cell)} is the last empty cell of "
                    f"{masks.name_unit(unit)}, so it takes the missing {name_digit(digit - 1)}",
                    cells=place,
                    units=[unit],
                    placement=(cell, digit),
                    masks=masks,
                )


def find_hidden_singles_in_boxes(position: Position) -> Iterator[Step]:
    """Find boxes, and what other units are no lines, where a digit has one place left."""
    return _find_hidden(position, are_lines=False)


def find_hidden_singles_in_lines(position: Position) -> Iterator[Step]:
    """Find rows and columns where a digit has one place left."""
    return _find_hidden(position, are_lines=True)


def find_naked_singles(position: Position) -> Iterator[Step]:
    """Find cells with one candidate left."""
    masks = position.masks
    others = " by its row, column and box" if masks.is_classic else ""
    for cell, candidates in enumerate(position.cells):
        if candidates and not candidates & (candidates - 1):
            digit = candidates.bit_length()
            yield make_step(
                Technique.NAKED_SINGLE,
                because=f"{masks.name_cell(cell)} can only be {name_digit(digit - 1)}: every "
                f"other digit is ruled out for it{others}",
                cells=1 << cell,
                placement=(cell, digit),
                masks=masks,
            )


def _find_hidden(position: Position, *, are_lines: bool) -> Iterator[Step]:
    masks = position.masks
    for unit, mask in enumerate(masks.full_masks):
        kind = masks.unit_names[unit].kind
        if (kind in LINES) != are_lines:
            continue
        for digit, places in enumerate(position.digits, start=1):
            place = places & mask
            if place and not place & (place - 1):
                (cell,) = bits_of(place)
                technique = Technique.HIDDEN_SINGLE
                if are_lines:
                    technique = Technique.HIDDEN_SINGLE_LINE
                elif kind is UnitKind.BOX:
                    technique = Technique.HIDDEN_SINGLE_BOX
                yield make_step(
                    technique,
                    because=f"In {masks.name_unit(unit)}, {name_digit(digit - 1)} fits only in "
                    f"{masks.name_cell(cell)}",
                    cells=place,
                    units=[unit],
                    placement=(cell, digit),
                    masks=masks,
                )


def find_direct_pointing(position: Position) -> Iterator[Step]:
    """Find pointing digits that leave a hidden single in another box."""
    return _find_direct(position, find_pointing(position))


def find_direct_claiming(position: Position) -> Iterator[Step]:
    """Find claiming digits that leave a hidden single in a parallel line."""
    return _find_direct(position, find_claiming(position))


def find_direct_hidden_subsets(position: Position, size: int) -> Iterator[Step]:
    """Find hidden pairs or triples that leave a hidden single in the same unit."""
    return _find_direct(position, find_hidden_subsets(position, size))


def _find_direct(position: Position, steps: Iterable[Step]) -> Iterator[Step]:
    for step in steps:
        source = step.units[0]
        is_locked = len(step.units) > 1
        units = range(source // 9 * 9, source // 9 * 9 + 9) if is_locked else [source]
        removed: dict[int, int] = {}
        for cell, digit in step.eliminations:
            removed[digit] = removed.get(digit, 0) | 1 << cell
        for digit, cells in removed.items():
            places = position.digits[digit - 1] & ~cells
            for unit in units:
                place = places & UNIT_MASKS[unit]
                if place and not place & (place - 1) and cells & UNIT_MASKS[unit]:
                    yield _make(step, unit, (place.bit_length() - 1, digit))


def _make(step: Step, unit: int, placement: tuple[int, int]) -> Step:
    technique = _DIRECT[step.technique]
    cell, digit = placement
    reason = step.explanation.partition(": remove")[0]
    return Step(
        technique,
        step.cells,
        (*step.units, unit),
        (placement,),
        step.eliminations,
        f"{reason}; that leaves {CLASSIC.name_cell(cell)} as the only place for {digit} in "
        f"{CLASSIC.name_unit(unit)}.",
        technique.rating,
    )
