"""What a finder hands over: one step of logic and the words for it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from solver.human.masks import bits_of
from solver.human.technique import Technique

_KINDS: Final = ("row", "column", "box")
_PLURALS: Final = ("rows", "columns", "boxes")


@dataclass(frozen=True)
class Step:
    """One step of logic.

    Attributes:
        technique: its kind.
        cells: the cells that the reasoning rests on, 0..80 ascending.
        units: the units that it rests on: rows 0..8, columns 9..17, boxes 18..26.
        placements: (cell, digit 1..9) that are now known.
        eliminations: (cell, digit 1..9) that are now impossible.
        explanation: one sentence for people, cells as r1c1.
        rating: on the Sudoku Explainer scale, the surcharge for a long chain included.
    """

    technique: Technique
    cells: tuple[int, ...]
    units: tuple[int, ...]
    placements: tuple[tuple[int, int], ...]
    eliminations: tuple[tuple[int, int], ...]
    explanation: str
    rating: float


def name_cell(cell: int) -> str:
    """Return the cell's coordinates, such as r1c9."""
    return f"r{cell // 9 + 1}c{cell % 9 + 1}"


def name_unit(unit: int) -> str:
    """Return the unit's name, such as "box 3"; boxes count like cells in reading order."""
    return f"{_KINDS[unit // 9]} {unit % 9 + 1}"


def join(words: Iterable[str], last: str = "and") -> str:
    """Return the words as a list in a sentence: a, b and c."""
    *first, end = words
    return f"{', '.join(first)} {last} {end}" if first else end


def name_cells(cells: int | Iterable[int], last: str = "and") -> str:
    """Return the coordinates of cells, or of a mask of 81 bits, as a list in a sentence."""
    return join(map(name_cell, bits_of(cells) if isinstance(cells, int) else cells), last)


def name_units(units: Iterable[int]) -> str:
    """Return the units as a list in a sentence, those of a kind together: "rows 1 and 4"."""
    by_kind: dict[int, list[int]] = {}
    for unit in units:
        by_kind.setdefault(unit // 9, []).append(unit)
    return join(
        f"{_PLURALS[kind]} {join(str(unit % 9 + 1) for unit in of_kind)}"
        if len(of_kind) > 1
        else name_unit(of_kind[0])
        for kind, of_kind in by_kind.items()
    )


def name_digits(digits: int, last: str = "and") -> str:
    """Return the digits of a mask of nine bits as a list in a sentence."""
    return join((str(digit + 1) for digit in bits_of(digits)), last)


def name_removals(eliminations: Iterable[tuple[int, int]]) -> str:
    """Say what cannot stand where: "5 from r1c2 and r1c3, and 7 from r4c4"."""
    by_digit: dict[int, list[int]] = {}
    for cell, digit in sorted(eliminations):
        by_digit.setdefault(digit, []).append(cell)
    by_cells: dict[tuple[int, ...], list[int]] = {}
    for digit, cells in sorted(by_digit.items()):
        by_cells.setdefault(tuple(cells), []).append(digit)
    return "; ".join(
        f"{join(map(str, digits))} from {name_cells(cells)}" for cells, digits in by_cells.items()
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
) -> Step:
    """Build a step whose sentence is the reason and, where it eliminates only, what to remove.

    Args:
        technique: its kind.
        because: the sentence without its end; a placement says all of it.
        cells: mask of 81 bits.
        units: the units that matter.
        removals: (cell, digit 1..9).
        placement: (cell, digit 1..9), or None.
        rating: the technique's own where None.
    """
    eliminations = tuple(sorted(removals))
    ending = "." if placement else f": remove {name_removals(eliminations)}."
    return Step(
        technique,
        tuple(bits_of(cells)),
        tuple(units),
        (placement,) if placement else (),
        eliminations,
        because + ending,
        technique.rating if rating is None else rating,
    )
