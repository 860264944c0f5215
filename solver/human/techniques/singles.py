"""Singles: the last empty cell, the last place for a digit, the last digit for a cell."""

from collections.abc import Iterator

from solver.human.masks import UNIT_MASKS, bits_of
from solver.human.position import Position
from solver.human.step import Step, make_step, name_cell, name_unit
from solver.human.technique import Technique

_BOXES_FIRST = (*range(18, 27), *range(18))


def find_full_houses(position: Position) -> Iterator[Step]:
    """Find units with one empty cell."""
    unsettled = position.unsettled
    for unit in _BOXES_FIRST:
        place = unsettled & UNIT_MASKS[unit]
        if place and not place & (place - 1):
            cell = place.bit_length() - 1
            candidates = position.cells[cell]
            if candidates.bit_count() == 1:
                digit = candidates.bit_length()
                yield make_step(
                    Technique.FULL_HOUSE,
                    because=f"{name_cell(cell)} is the last empty cell of {name_unit(unit)}, "
                    f"so it takes the missing {digit}",
                    cells=place,
                    units=[unit],
                    placement=(cell, digit),
                )


def find_hidden_singles_in_boxes(position: Position) -> Iterator[Step]:
    """Find boxes where a digit has one place left."""
    return _find_hidden(position, range(18, 27), Technique.HIDDEN_SINGLE_BOX)


def find_hidden_singles_in_lines(position: Position) -> Iterator[Step]:
    """Find rows and columns where a digit has one place left."""
    return _find_hidden(position, range(18), Technique.HIDDEN_SINGLE_LINE)


def find_naked_singles(position: Position) -> Iterator[Step]:
    """Find cells with one candidate left."""
    for cell, candidates in enumerate(position.cells):
        if candidates and not candidates & (candidates - 1):
            digit = candidates.bit_length()
            yield make_step(
                Technique.NAKED_SINGLE,
                because=f"{name_cell(cell)} can only be {digit}: every other digit is ruled out "
                "for it by its row, column and box",
                cells=1 << cell,
                placement=(cell, digit),
            )


def _find_hidden(position: Position, units: range, technique: Technique) -> Iterator[Step]:
    for unit in units:
        mask = UNIT_MASKS[unit]
        for digit, places in enumerate(position.digits, start=1):
            place = places & mask
            if place and not place & (place - 1):
                (cell,) = bits_of(place)
                yield make_step(
                    technique,
                    because=f"In {name_unit(unit)}, {digit} fits only in {name_cell(cell)}",
                    cells=place,
                    units=[unit],
                    placement=(cell, digit),
                )
