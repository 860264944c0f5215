"""Direct steps: an elimination looked at only for the single that it leaves behind.

Sudoku Explainer rates these lower than the same elimination on paper, because they can be seen
without writing candidates down; they exist for ratings.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from solver.human.masks import UNIT_MASKS
from solver.human.position import Position
from solver.human.step import Step, name_cell, name_unit
from solver.human.technique import Technique
from solver.human.techniques.locked import find_claiming, find_pointing
from solver.human.techniques.subsets import find_hidden_subsets

_DIRECT: Final = {
    Technique.POINTING: Technique.DIRECT_POINTING,
    Technique.CLAIMING: Technique.DIRECT_CLAIMING,
    Technique.HIDDEN_PAIR: Technique.DIRECT_HIDDEN_PAIR,
    Technique.HIDDEN_TRIPLE: Technique.DIRECT_HIDDEN_TRIPLE,
}


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
