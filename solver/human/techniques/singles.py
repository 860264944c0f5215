"""Singles: the last empty cell, the last place for a digit, the last digit for a cell.

Direct steps are eliminations looked at only for the single that they leave behind. Sudoku Explainer
rates these lower than the same elimination on paper, because they can be seen without writing
candidates down; they exist for ratings.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from solver.human.masks import LINES, UNIT_MASKS, UnitKind
from solver.human.position import Position
from solver.human.step import Step, Technique, make_step, name_cell, name_digit, name_unit
from solver.human.techniques.subsets import find_claiming, find_hidden_subsets, find_pointing
from solver.layout import bits_of

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
        f"{reason}; that leaves {name_cell(cell)} as the only place for {digit} in "
        f"{name_unit(unit)}.",
        technique.rating,
    )
