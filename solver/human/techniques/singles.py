"""Singles: the last empty cell, the last place for a digit, the last digit for a cell."""

from collections.abc import Iterator

from solver.human.masks import LINES, UnitKind, bits_of
from solver.human.position import Position
from solver.human.step import Step, make_step, name_cell, name_digit, name_unit
from solver.human.technique import Technique


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
                    because=f"{name_cell(cell, masks)} is the last empty cell of "
                    f"{name_unit(unit, masks)}, so it takes the missing {name_digit(digit - 1)}",
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
                because=f"{name_cell(cell, masks)} can only be {name_digit(digit - 1)}: every "
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
                    because=f"In {name_unit(unit, masks)}, {name_digit(digit - 1)} fits only in "
                    f"{name_cell(cell, masks)}",
                    cells=place,
                    units=[unit],
                    placement=(cell, digit),
                    masks=masks,
                )
