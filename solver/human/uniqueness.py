"""Unique rectangles and loops, and BUG+1: what keeps a deadly pattern from being all there is.

A unique rectangle has four cells around which two digits could be swapped, were nothing else in
them; a unique loop is a ring of more, of which every unit that it touches has two, next to each
other in it. Sound only in a puzzle that has exactly one solution.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations
from typing import Any, Final, NamedTuple

from solver.human.masks import CLASSIC, PEER_MASKS, UNIT_CELLS, UNIT_MASKS, UNITS_OF
from solver.human.position import Position, Step, Technique, make_step, removals_of
from solver.human.reasons import (
    RECTANGLE_1,
    RECTANGLE_2,
    RECTANGLE_3,
    RECTANGLE_4,
    RECTANGLE_HIDDEN,
)
from solver.layout import bits_of, mask_of

_LONGEST: Final = 10

_CORNERS: Final = tuple(
    (9 * top + left, 9 * top + right, 9 * bottom + left, 9 * bottom + right)
    for top, bottom in combinations(range(9), 2)
    for left, right in combinations(range(9), 2)
    if (top // 3 == bottom // 3) != (left // 3 == right // 3)
)


class _DeadlyPattern(NamedTuple):
    """Cells that all hold the same two candidates, and maybe more.

    Attributes:
        pair: the two digits, nine bits.
        floor: the cells that hold nothing else, 81 bits.
        roof: the cells that hold more.
        corners: all of them.
    """

    pair: int
    floor: int
    roof: int
    corners: tuple[int, ...]


def _find_rectangles(position: Position) -> Iterator[_DeadlyPattern]:
    """Find four cells in two rows, two columns and two boxes, one or more of them pure."""
    cells = position.cells
    for corners in _CORNERS:
        a, b, c, d = corners
        common = cells[a] & cells[b] & cells[c] & cells[d]
        if common.bit_count() < 2:
            continue
        for low, high in combinations(bits_of(common), 2):
            pair = 1 << low | 1 << high
            floor = mask_of(cell for cell in corners if cells[cell] == pair)
            if floor:
                yield _DeadlyPattern(pair, floor, mask_of(corners) & ~floor, corners)


def _find_rings(position: Position) -> Iterator[_DeadlyPattern]:
    """Find rings of six to ten cells, at most two of which hold more than the two digits."""
    for low, high in combinations(range(9), 2):
        pair = 1 << low | 1 << high
        members = position.digits[low] & position.digits[high]
        if members.bit_count() < 6:
            continue
        pure = mask_of(cell for cell in bits_of(members) if position.cells[cell] == pair)
        if pure.bit_count() < 4:
            continue
        seen = set()
        for start in bits_of(pure):
            for ring in _walk((start,), members, pure, 0):
                cells = mask_of(ring)
                if cells not in seen and _is_deadly(ring):
                    seen.add(cells)
                    yield _DeadlyPattern(pair, cells & pure, cells & ~pure, ring)


def _walk(path: tuple[int, ...], members: int, pure: int, roof: int) -> Iterator[tuple[int, ...]]:
    """Yield rings that go on from a path, whose start is the lowest of their pure cells."""
    if len(path) >= 6 and len(path) % 2 == 0 and PEER_MASKS[path[-1]] >> path[0] & 1:
        yield path
    if len(path) == _LONGEST:
        return
    lower = pure & (1 << path[0]) - 1
    for cell in bits_of(members & PEER_MASKS[path[-1]] & ~lower & ~mask_of(path)):
        now_roof = roof + (not pure >> cell & 1)
        if now_roof <= 2 and not _crowds((*path, cell)):
            yield from _walk((*path, cell), members, pure, now_roof)


def _crowds(path: tuple[int, ...]) -> bool:
    """Return whether a unit has three cells of the path."""
    cells = mask_of(path)
    return any((cells & unit).bit_count() > 2 for unit in UNIT_MASKS)


def _is_deadly(ring: tuple[int, ...]) -> bool:
    """Return whether each unit has none of the ring, or one cell of either parity."""
    even, odd = mask_of(ring[::2]), mask_of(ring[1::2])
    return all((even & unit).bit_count() == (odd & unit).bit_count() < 2 for unit in UNIT_MASKS)


def find_unique_rectangles(position: Position) -> Iterator[Step]:
    """Find rectangles of types 1, 2 and 4, then type 3."""
    yield from _find_types(position, list(_find_rectangles(position)))


def find_unique_loops(position: Position) -> Iterator[Step]:
    """Find the same in rings of six to ten cells, short rings first."""
    rings = sorted(_find_rings(position), key=lambda ring: len(ring.corners))
    yield from _find_types(position, rings)


def find_hidden_rectangles(position: Position) -> Iterator[Step]:
    """Find rectangles in which a digit's places in a row and a column force the rest."""
    for rectangle in _find_rectangles(position):
        yield from _find_hidden(position, rectangle)


def _find_types(position: Position, patterns: list[_DeadlyPattern]) -> Iterator[Step]:
    for pattern in patterns:
        yield from _find_type_1(position, pattern)
        yield from _find_type_2(position, pattern)
        yield from _find_type_4(position, pattern)
    for pattern in patterns:
        yield from _find_type_3(position, pattern)


def _make(
    technique: Technique,
    pattern: _DeadlyPattern,
    why: str,
    removals: Iterable[tuple[int, int]],
    *,
    more: int = 0,
    units: Sequence[int] = (),
    **parts: Any,
) -> Step:
    """Build a step; its rating has a tenth for every two cells beyond four, and so many more."""
    is_loop = len(pattern.corners) > 4
    return make_step(
        CLASSIC,
        Technique.UNIQUE_LOOP if is_loop else technique,
        cells=mask_of(pattern.corners) | parts.get("cells_subset", 0),
        units=units,
        removals=removals,
        rating=round(technique.rating + 0.1 * ((len(pattern.corners) - 4) // 2 + more), 1),
        digits=pattern.pair,
        why=why,
        **parts,
    )


def _find_type_1(position: Position, pattern: _DeadlyPattern) -> Iterator[Step]:
    """One corner holds more: it must take that."""
    roof = pattern.roof
    if roof.bit_count() == 1:
        removals = position.removals(roof, pattern.pair)
        yield _make(Technique.UNIQUE_RECTANGLE_1, pattern, RECTANGLE_1, removals, cells_roof=roof)


def _find_type_2(position: Position, pattern: _DeadlyPattern) -> Iterator[Step]:
    """The corners that hold more all hold the same one digit more: one of them takes it."""
    roof, extra = pattern.roof, _extra_of(position, pattern)
    if roof.bit_count() < 2 or extra.bit_count() != 1:
        return
    digit = extra.bit_length() - 1
    removals = removals_of(digit, position.digits[digit] & CLASSIC.peers_of_all(roof))
    if removals:
        technique = Technique.UNIQUE_RECTANGLE_2
        yield _make(technique, pattern, RECTANGLE_2, removals, cells_roof=roof, digits_more=extra)


def _find_type_3(position: Position, pattern: _DeadlyPattern) -> Iterator[Step]:
    """Two corners together act as a cell with their further digits in a naked subset."""
    roof = pattern.roof
    if roof.bit_count() != 2:
        return
    extra = _extra_of(position, pattern)
    for unit in CLASSIC.common_units(roof):
        others = [
            cell for cell in UNIT_CELLS[unit] if position.cells[cell] and not roof >> cell & 1
        ]
        for subset in chain.from_iterable(combinations(others, size) for size in (1, 2, 3)):
            digits = extra
            for cell in subset:
                digits |= position.cells[cell]
            if digits.bit_count() != len(subset) + 1:
                continue
            inside = mask_of(subset)
            removals = position.removals(UNIT_MASKS[unit] & ~inside & ~roof, digits)
            if removals:
                yield _make(
                    Technique.UNIQUE_RECTANGLE_3,
                    pattern,
                    RECTANGLE_3,
                    removals,
                    more=len(subset) - 1,
                    units=[unit],
                    unit=unit,
                    cells_roof=roof,
                    cells_subset=inside,
                    cells_corners=mask_of(pattern.corners),
                    digits_more=extra,
                    digits_used=digits,
                )


def _find_type_4(position: Position, pattern: _DeadlyPattern) -> Iterator[Step]:
    """One of the digits is confined to two corners in a unit: the other cannot be there too."""
    roof = pattern.roof
    if roof.bit_count() != 2:
        return
    for unit in CLASSIC.common_units(roof):
        for digit in bits_of(pattern.pair):
            if position.digits[digit] & UNIT_MASKS[unit] & ~roof:
                continue
            other = (pattern.pair ^ 1 << digit).bit_length() - 1
            yield _make(
                Technique.UNIQUE_RECTANGLE_4,
                pattern,
                RECTANGLE_4,
                removals_of(other, roof),
                units=[unit],
                unit=unit,
                cells_roof=roof,
                digits_there=1 << digit,
                digits_other=1 << other,
            )


def _find_hidden(position: Position, rectangle: _DeadlyPattern) -> Iterator[Step]:
    """A digit is confined to the corners in the row and the column of one: it forces the rest."""
    corners = mask_of(rectangle.corners)
    for start in bits_of(rectangle.floor):
        opposite = next(
            cell for cell in rectangle.corners if cell // 9 != start // 9 and cell % 9 != start % 9
        )
        row, column = opposite // 9, 9 + opposite % 9
        for digit in bits_of(rectangle.pair):
            in_lines = position.digits[digit] & (UNIT_MASKS[row] | UNIT_MASKS[column])
            if in_lines & ~corners:
                continue
            other = (rectangle.pair ^ 1 << digit).bit_length() - 1
            yield _make(
                Technique.HIDDEN_RECTANGLE,
                rectangle,
                RECTANGLE_HIDDEN,
                [(opposite, other + 1)],
                units=[row, column],
                unit_row=row,
                unit_column=column,
                cells_corner=1 << opposite,
                digits_there=1 << digit,
                digits_other=1 << other,
            )


def _extra_of(position: Position, rectangle: _DeadlyPattern) -> int:
    extra = 0
    for cell in bits_of(rectangle.roof):
        extra |= position.cells[cell]
    return extra & ~rectangle.pair


def find_bug(position: Position) -> Iterator[Step]:
    """Find the one cell with three candidates among cells with two, and the digit it must be.

    Without the third candidate, every digit would have two places in every unit where it has any, a
    bivalue universal grave, which never has exactly one solution.
    """
    three = position.cells_with(3, 3)
    if three.bit_count() != 1 or position.unsettled != position.cells_with(3, 2):
        return
    cell = three.bit_length() - 1
    for digit in bits_of(position.cells[cell]):
        places = position.digits[digit]
        if all((places & UNIT_MASKS[unit]).bit_count() == 3 for unit in UNITS_OF[cell]):
            left = position.copy()
            left.remove(cell, digit + 1)
            if all(
                (one & unit).bit_count() in (0, 2) for one in left.digits for unit in UNIT_MASKS
            ):
                yield make_step(CLASSIC, Technique.BUG, cells=three, placement=(cell, digit + 1))
            return
