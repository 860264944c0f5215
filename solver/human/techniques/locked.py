"""Locked candidates: a digit confined to where a box and a line cross."""

from collections.abc import Iterator

from solver.human.masks import LINES
from solver.human.position import Position
from solver.human.step import Step, make_step, name_cells, name_digit, name_unit, removals_of
from solver.human.technique import Technique


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
