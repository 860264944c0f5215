"""Sums: the combinations of a cage, and the rule of 45 for innies and outies."""

from collections.abc import Iterator

from solver.exact.cage_sums import Sum, digit_sets, narrow_any, narrow_apart
from solver.human.masks import RuleMasks
from solver.human.position import Position, Step, Technique, make_step, removals_of
from solver.layout import bits_of, mask_of


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
