"""BUG+1: a grid in which every cell but one has two candidates left.

Without that cell's third candidate, every digit would have two places in every unit where it has
any, a bivalue universal grave, which never has exactly one solution. Sound only for puzzles that
have exactly one.
"""

from collections.abc import Iterator

from solver.human.masks import UNIT_MASKS, UNITS_OF
from solver.human.position import Position
from solver.human.step import Step, make_step, name_cell
from solver.human.technique import Technique


def find_bug(position: Position) -> Iterator[Step]:
    """Find the one cell with three candidates among cells with two, and the digit it must be."""
    three = position.cells_with(3, 3)
    if three.bit_count() != 1 or position.unsettled != position.cells_with(3, 2):
        return
    cell = three.bit_length() - 1
    for digit, places in enumerate(position.digits):
        if not places & three:
            continue
        if all((places & UNIT_MASKS[unit]).bit_count() == 3 for unit in UNITS_OF[cell]):
            if _is_grave(position, cell, digit):
                yield make_step(
                    Technique.BUG,
                    because=f"Without {digit + 1} in {name_cell(cell)}, every empty cell would "
                    "have two candidates and every digit two places in each unit, which leaves "
                    f"two solutions or none, so {name_cell(cell)} is {digit + 1}",
                    cells=three,
                    placement=(cell, digit + 1),
                )
            return


def _is_grave(position: Position, cell: int, digit: int) -> bool:
    """Return whether every digit has two places or none in each unit, but for this candidate."""
    for other, places in enumerate(position.digits):
        if other == digit:
            places &= ~(1 << cell)
        if any((places & unit).bit_count() not in (0, 2) for unit in UNIT_MASKS):
            return False
    return True
