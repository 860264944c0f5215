"""Singles; digits confined to as many cells or lines: locked candidates, pairs to quads, fish; and
the sums of cages, with the rule of 45 for innies and outies.

Direct steps are eliminations looked at only for the single that they leave behind. Sudoku Explainer
rates these lower than the same elimination on paper, because they can be seen without writing
candidates down; they exist for ratings.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations
from typing import Final

from solver.exact.cage_sums import Sum, digit_sets, narrow_any, narrow_apart
from solver.human.masks import LINES, UNIT_MASKS, RuleMasks, UnitKind
from solver.human.position import Position, Step, Technique, make_step, removals_of
from solver.layout import bits_of, mask_of


def find_pointing(position: Position) -> Iterator[Step]:
    """Find boxes whose places for a digit lie in one line: the rest of the line loses it."""
    return _find_locked(position, Technique.POINTING)


def find_claiming(position: Position) -> Iterator[Step]:
    """Find lines whose places for a digit lie in one box: the rest of the box loses it."""
    return _find_locked(position, Technique.CLAIMING)


def _find_locked(position: Position, technique: Technique) -> Iterator[Step]:
    masks = position.masks
    for unit, other in masks.crossings:
        if (masks.unit_names[unit].kind in LINES) == (technique is Technique.POINTING):
            continue
        in_unit, in_other = masks.unit_masks[unit], masks.unit_masks[other]
        for digit, places in enumerate(position.digits):
            inside = places & in_unit
            removed = places & in_other & ~in_unit
            if inside and removed and not inside & ~in_other:
                removals = removals_of(digit, removed)
                yield make_step(
                    masks, technique, cells=inside, units=[unit, other], removals=removals
                )


_NAKED: Final = {2: Technique.NAKED_PAIR, 3: Technique.NAKED_TRIPLE, 4: Technique.NAKED_QUAD}
_HIDDEN: Final = {2: Technique.HIDDEN_PAIR, 3: Technique.HIDDEN_TRIPLE, 4: Technique.HIDDEN_QUAD}


def find_naked_subsets(position: Position, size: int) -> Iterator[Step]:
    """Find so many cells of a unit that share as many candidates: no other cell may use them."""
    cells, masks = position.cells, position.masks
    for unit_cells in masks.unit_cells:
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
                    masks, _NAKED[size], cells=inside, units=units, removals=removals, digits=digits
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
                    masks,
                    _HIDDEN[size],
                    cells=inside,
                    units=[unit],
                    removals=removals,
                    digits=digits,
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
                        masks,
                        _FISH[size],
                        cells=places & in_bases,
                        units=(*bases, *chosen),
                        removals=removals_of(digit, removed),
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
                    masks, Technique.FULL_HOUSE, cells=place, units=[unit], placement=(cell, digit)
                )


def find_naked_singles(position: Position) -> Iterator[Step]:
    """Find cells with one candidate left."""
    masks = position.masks
    for cell, candidates in enumerate(position.cells):
        if candidates and not candidates & (candidates - 1):
            digit = candidates.bit_length()
            yield make_step(masks, Technique.NAKED_SINGLE, cells=1 << cell, placement=(cell, digit))


def find_hidden_singles(position: Position, *, are_lines: bool) -> Iterator[Step]:
    """Find rows and columns, or the units that are none, where a digit has one place left."""
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
                    masks, technique, cells=place, units=[unit], placement=(cell, digit)
                )


def find_direct(position: Position, find: Callable[[Position], Iterator[Step]]) -> Iterator[Step]:
    """Find digits that leave a hidden single where they are struck.

    Args:
        position: not changed.
        find: pointing and claiming, which leave it in a parallel unit; hidden pairs and triples,
            which leave it in the same one.
    """
    for step in find(position):
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
                    technique = _DIRECT[step.technique]
                    yield replace(
                        step,
                        technique=technique,
                        units=(*step.units, unit),
                        placements=((place.bit_length() - 1, digit),),
                        rating=technique.rating,
                    )


def find_cage_sums(position: Position) -> Iterator[Step]:
    """Find cells of a cage that hold a digit which no set of digits with its sum allows.

    Fewest empty cells first: the last one of a cage is added up soonest.
    """
    cages = [entry for entry in position.masks.sums.sums if not entry.units]
    for entry in sorted(cages, key=lambda entry: _count_empty(position, entry)):
        yield from _find_narrowed(position, entry, Technique.CAGE_COMBINATIONS)


def find_innies_and_outies(position: Position) -> Iterator[Step]:
    """Find the same in cells whose sum follows from whole units and the cages there.

    Fewest units first: a row is added up sooner than four.
    """
    derived = [entry for entry in position.masks.sums.sums if entry.units]
    for entry in sorted(derived, key=lambda one: (len(one.units), _count_empty(position, one))):
        yield from _find_narrowed(position, entry, Technique.INNIES_OUTIES)


def find_cage_digits(position: Position) -> Iterator[Step]:
    """Find digits that a cage certainly holds: no cell that sees all their places may."""
    masks = position.masks
    for number, entry in enumerate(masks.sums.sums):
        if entry.units:
            continue
        before = _digits_of(position, entry)
        _, certain = narrow_apart(entry.total, before, masks.side)
        for digit in bits_of(certain & masks.all_digits):
            inside = position.digits[digit] & mask_of(entry.cells)
            removed = position.digits[digit] & masks.peers_of_all(inside) if inside else 0
            if removed:
                unit = len(masks.rules.units) + number
                yield make_step(
                    masks,
                    Technique.CAGE_DIGIT,
                    cells=inside,
                    units=[unit],
                    removals=removals_of(digit, removed),
                )


def _count_empty(position: Position, entry: Sum) -> int:
    return sum(not position.values[cell] for cell in entry.cells)


def _find_narrowed(position: Position, entry: Sum, technique: Technique) -> Iterator[Step]:
    masks = position.masks
    before = _digits_of(position, entry)
    if entry.is_apart:
        after, _ = narrow_apart(entry.total, before, masks.side)
    else:
        after = narrow_any(entry.total, before)
    if not after or after == before:
        return
    removals = [
        (cell, digit + 1)
        for cell, old, new in zip(entry.cells, before, after, strict=True)
        for digit in bits_of(old & ~new)
    ]
    units = entry.units or (masks.unit_cells.index(entry.cells),)
    left = [cell for cell in entry.cells if not position.values[cell]]
    # The digits that stand there are taken off: what is left to find is smaller than the sum.
    total = entry.total - sum(position.values[cell] for cell in entry.cells)
    placement = None
    if len(left) == 1 and after[entry.cells.index(left[0])].bit_count() == 1:
        placement, removals = (left[0], total), []
    sums = _sets_of(position, entry, left, total, masks)
    yield make_step(
        masks,
        technique,
        cells=mask_of(left),
        units=units,
        removals=removals,
        placement=placement,
        total=total,
        sums=sums,
    )


def _digits_of(position: Position, entry: Sum) -> tuple[int, ...]:
    """Return what each cell of a sum can hold, or holds."""
    return tuple([position.cells[cell] or 1 << position.values[cell] - 1 for cell in entry.cells])


def _sets_of(
    position: Position, entry: Sum, left: list[int], total: int, masks: RuleMasks
) -> tuple[tuple[int, ...], ...]:
    """Return the sets of digits that the empty cells of a sum can hold."""
    if not entry.is_apart or len(left) < 2:
        return ()
    candidates = [position.cells[cell] for cell in left]
    possible = 0
    for mask in candidates:
        possible |= mask
    return tuple(
        tuple(digit + 1 for digit in bits_of(digits))
        for digits in digit_sets(total, len(left), masks.side)
        if not digits & ~possible and all(digits & mask for mask in candidates)
    )
