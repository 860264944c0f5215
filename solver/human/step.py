"""What a finder hands over: one step of logic and the words for it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from solver.human.masks import CLASSIC, RuleMasks, UnitKind, UnitName, bits_of
from solver.human.technique import Technique
from solver.signs import SIGNS

_PLURALS: Final = {
    UnitKind.ROW: "rows",
    UnitKind.COLUMN: "columns",
    UnitKind.BOX: "boxes",
    UnitKind.WINDOW: "windows",
}
"""Of the units that have numbers."""


@dataclass(frozen=True)
class Step:
    """One step of logic.

    Attributes:
        technique: its kind.
        cells: the cells that the reasoning rests on, ascending.
        units: the units and cages that it rests on, as `RuleMasks` numbers them.
        placements: (cell, digit from 1) that are now known.
        eliminations: (cell, digit from 1) that are now impossible.
        explanation: one sentence for people, cells as r1c1.
        rating: on the Sudoku Explainer scale, the surcharge for a long chain included; 0 for
            puzzles that are no classic ones of 9×9, which that scale does not know.
        total: what the cells add up to; 0 where no sum matters.
        sums: the sets of digits that can make the total, each ascending; none where the digits
            need not differ, or no sum matters.
    """

    technique: Technique
    cells: tuple[int, ...]
    units: tuple[int, ...]
    placements: tuple[tuple[int, int], ...]
    eliminations: tuple[tuple[int, int], ...]
    explanation: str
    rating: float
    total: int = 0
    sums: tuple[tuple[int, ...], ...] = ()


def name_cell(cell: int, masks: RuleMasks = CLASSIC) -> str:
    """Return the cell's coordinates, such as r1c9."""
    row, column = divmod(cell, masks.width)
    return f"r{row + 1}c{column + 1}"


def name_unit(unit: int, masks: RuleMasks = CLASSIC) -> str:
    """Return the unit's name, such as "box 3", "region at r1c4" or "cage 15 at r2c2"."""
    name = masks.unit_names[unit]
    told = name.kind.value
    if name.kind in _PLURALS or name.kind is UnitKind.CAGE:
        told += f" {name.number}"
    if name.kind in (UnitKind.REGION, UnitKind.CAGE):
        told += f" at {name_cell(name.first_cell, masks)}"
    return told + _name_grid(name)


def _name_grid(name: UnitName) -> str:
    return f" of grid {name.grid}" if name.grid else ""


def join(words: Iterable[str], last: str = "and") -> str:
    """Return the words as a list in a sentence: a, b and c."""
    *first, end = words
    return f"{', '.join(first)} {last} {end}" if first else end


def name_cells(cells: int | Iterable[int], last: str = "and", masks: RuleMasks = CLASSIC) -> str:
    """Return the coordinates of cells, or of a mask of cells, as a list in a sentence."""
    places = bits_of(cells) if isinstance(cells, int) else cells
    return join((name_cell(cell, masks) for cell in places), last)


def name_units(units: Iterable[int], masks: RuleMasks = CLASSIC) -> str:
    """Return the units as a list in a sentence, those of a kind together: "rows 1 and 4"."""
    alike: dict[tuple[UnitKind, int, int], list[int]] = {}
    for unit in units:
        name = masks.unit_names[unit]
        own = 0 if name.kind in _PLURALS else unit + 1
        alike.setdefault((name.kind, name.grid, own), []).append(unit)
    return join(
        f"{_PLURALS[kind]} {join(str(masks.unit_names[unit].number) for unit in group)}"
        f"{_name_grid(masks.unit_names[group[0]])}"
        if len(group) > 1
        else name_unit(group[0], masks)
        for (kind, _, _), group in alike.items()
    )


def name_digit(digit: int) -> str:
    """Return how a digit, counted from 0, is written: 1..9, then A, B, ..."""
    return SIGNS[digit]


def name_digits(digits: int, last: str = "and") -> str:
    """Return the digits of a mask as a list in a sentence."""
    return join(map(name_digit, bits_of(digits)), last)


def name_removals(eliminations: Iterable[tuple[int, int]], masks: RuleMasks = CLASSIC) -> str:
    """Say what cannot stand where: "5 from r1c2 and r1c3, and 7 from r4c4"."""
    by_digit: dict[int, list[int]] = {}
    for cell, digit in sorted(eliminations):
        by_digit.setdefault(digit, []).append(cell)
    by_cells: dict[tuple[int, ...], list[int]] = {}
    for digit, cells in sorted(by_digit.items()):
        by_cells.setdefault(tuple(cells), []).append(digit)
    return "; ".join(
        f"{join(name_digit(digit - 1) for digit in digits)} from {name_cells(cells, masks=masks)}"
        for cells, digits in by_cells.items()
    )


def removals_of(digit: int, cells: int) -> tuple[tuple[int, int], ...]:
    """Return eliminations of one digit, counted from 0, from a mask of cells."""
    return tuple((cell, digit + 1) for cell in bits_of(cells))


def make_step(
    technique: Technique,
    *,
    because: str,
    cells: int,
    units: Iterable[int] = (),
    removals: Iterable[tuple[int, int]] = (),
    placement: tuple[int, int] | None = None,
    rating: float | None = None,
    masks: RuleMasks = CLASSIC,
    total: int = 0,
    sums: tuple[tuple[int, ...], ...] = (),
) -> Step:
    """Build a step whose sentence is the reason and, where it eliminates only, what to remove.

    Args:
        technique: its kind.
        because: the sentence without its end; a placement says all of it.
        cells: as a mask.
        units: the units that matter.
        removals: (cell, digit from 1).
        placement: (cell, digit from 1), or None.
        rating: the technique's own where None.
        masks: of the puzzle's rules.
        total: of the cells, where that matters.
        sums: the sets of digits that make it.
    """
    eliminations = tuple(sorted(removals))
    if rating is None:
        rating = technique.rating
    if not masks.is_classic:
        rating = 0.0
    ending = "." if placement else f": remove {name_removals(eliminations, masks)}."
    return Step(
        technique,
        tuple(bits_of(cells)),
        tuple(units),
        (placement,) if placement else (),
        eliminations,
        because + ending,
        rating,
        total,
        sums,
    )
