"""Unique rectangles and loops: what keeps a deadly pattern from being all there is.

Sound only in a puzzle that has exactly one solution.
"""

from collections.abc import Iterator
from itertools import combinations

from solver.human.masks import CLASSIC, UNIT_CELLS, UNIT_MASKS, bits_of, mask_of
from solver.human.position import Position
from solver.human.step import (
    Step,
    make_step,
    name_cell,
    name_cells,
    name_digits,
    name_unit,
    removals_of,
)
from solver.human.technique import Technique
from solver.human.techniques.deadly import DeadlyPattern, find_rectangles, find_rings


def find_unique_rectangles(position: Position) -> Iterator[Step]:
    """Find rectangles of types 1, 2 and 4, then type 3."""
    yield from _find_types(position, list(find_rectangles(position)))


def find_unique_loops(position: Position) -> Iterator[Step]:
    """Find the same in rings of six to ten cells, short rings first."""
    rings = sorted(find_rings(position), key=lambda ring: len(ring.corners))
    yield from _find_types(position, rings)


def find_hidden_rectangles(position: Position) -> Iterator[Step]:
    """Find rectangles in which a digit's places in a row and a column force the rest."""
    for rectangle in find_rectangles(position):
        yield from _find_hidden(position, rectangle)


def _find_types(position: Position, patterns: list[DeadlyPattern]) -> Iterator[Step]:
    for pattern in patterns:
        yield from _find_type_1(position, pattern)
        yield from _find_type_2(position, pattern)
        yield from _find_type_4(position, pattern)
    for pattern in patterns:
        yield from _find_type_3(position, pattern)


def _name(technique: Technique, pattern: DeadlyPattern) -> Technique:
    return technique if len(pattern.corners) == 4 else Technique.UNIQUE_LOOP


def _rate(technique: Technique, pattern: DeadlyPattern, more: int = 0) -> float:
    """Return the rating with a tenth for every two cells beyond a rectangle's four, and more."""
    return round(technique.rating + 0.1 * ((len(pattern.corners) - 4) // 2 + more), 1)


def _find_type_1(position: Position, pattern: DeadlyPattern) -> Iterator[Step]:
    """One corner holds more: it must take that."""
    if pattern.roof.bit_count() == 1:
        (cell,) = bits_of(pattern.roof)
        yield make_step(
            _name(Technique.UNIQUE_RECTANGLE_1, pattern),
            because=f"{pattern.warning}, so {name_cell(cell)} must hold another digit",
            cells=mask_of(pattern.corners),
            removals=position.removals(pattern.roof, pattern.pair),
            rating=_rate(Technique.UNIQUE_RECTANGLE_1, pattern),
        )


def _find_type_2(position: Position, pattern: DeadlyPattern) -> Iterator[Step]:
    """The corners that hold more all hold the same one digit more: one of them takes it."""
    if pattern.roof.bit_count() < 2:
        return
    extra = _extra_of(position, pattern)
    if extra.bit_count() != 1:
        return
    digit = extra.bit_length() - 1
    removed = position.digits[digit] & CLASSIC.peers_of_all(pattern.roof)
    if removed:
        yield make_step(
            _name(Technique.UNIQUE_RECTANGLE_2, pattern),
            because=f"{pattern.warning}, so one of {name_cells(pattern.roof)} must be "
            f"{digit + 1}, and no cell that sees them all can hold it",
            cells=mask_of(pattern.corners),
            removals=removals_of(digit, removed),
            rating=_rate(Technique.UNIQUE_RECTANGLE_2, pattern),
        )


def _find_type_3(position: Position, pattern: DeadlyPattern) -> Iterator[Step]:
    """Two corners together act as a cell with their further digits in a naked subset."""
    if pattern.roof.bit_count() != 2:
        return
    extra = _extra_of(position, pattern)
    for unit in CLASSIC.common_units(pattern.roof):
        others = [
            cell
            for cell in UNIT_CELLS[unit]
            if position.cells[cell] and not pattern.roof >> cell & 1
        ]
        for size in (1, 2, 3):
            for subset in combinations(others, size):
                digits = extra
                for cell in subset:
                    digits |= position.cells[cell]
                if digits.bit_count() != size + 1:
                    continue
                inside = mask_of(subset)
                removals = position.removals(UNIT_MASKS[unit] & ~inside & ~pattern.roof, digits)
                if removals:
                    yield make_step(
                        _name(Technique.UNIQUE_RECTANGLE_3, pattern),
                        because=f"{pattern.warning}, so {name_cells(pattern.roof)} hold "
                        f"one of {name_digits(extra)} and, with {name_cells(subset)}, use up "
                        f"{name_digits(digits)} in {name_unit(unit)}",
                        cells=mask_of(pattern.corners) | inside,
                        units=[unit],
                        removals=removals,
                        rating=round(
                            _rate(Technique.UNIQUE_RECTANGLE_3, pattern) + 0.1 * (size - 1), 1
                        ),
                    )


def _find_type_4(position: Position, pattern: DeadlyPattern) -> Iterator[Step]:
    """One of the digits is confined to two corners in a unit: the other cannot be there too."""
    if pattern.roof.bit_count() != 2:
        return
    for unit in CLASSIC.common_units(pattern.roof):
        for digit in bits_of(pattern.pair):
            if position.digits[digit] & UNIT_MASKS[unit] & ~pattern.roof:
                continue
            other = (pattern.pair ^ 1 << digit).bit_length() - 1
            yield make_step(
                _name(Technique.UNIQUE_RECTANGLE_4, pattern),
                because=f"{pattern.warning}; in {name_unit(unit)}, {digit + 1} fits only in "
                f"{name_cells(pattern.roof)}, so neither of these can be {other + 1}",
                cells=mask_of(pattern.corners),
                units=[unit],
                removals=removals_of(other, pattern.roof),
                rating=_rate(Technique.UNIQUE_RECTANGLE_4, pattern),
            )


def _find_hidden(position: Position, rectangle: DeadlyPattern) -> Iterator[Step]:
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
            yield make_step(
                Technique.HIDDEN_RECTANGLE,
                because=f"{rectangle.warning}; with {other + 1} in {name_cell(opposite)}, "
                f"{name_unit(row)} and {name_unit(column)} would leave just that, as {digit + 1} "
                "fits only in corners there",
                cells=corners,
                units=[row, column],
                removals=[(opposite, other + 1)],
            )


def _extra_of(position: Position, rectangle: DeadlyPattern) -> int:
    extra = 0
    for cell in bits_of(rectangle.roof):
        extra |= position.cells[cell]
    return extra & ~rectangle.pair
