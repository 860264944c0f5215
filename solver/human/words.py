"""How steps are spoken of in any language: names of cells, units and digits, lists of them.

Texts are English where they stand; each stands in a call of `translate`, by whose name translators'
programs find it.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from solver.charset import DIGIT_CHARS
from solver.human.masks import RuleMasks, UnitKind, masks_of
from solver.rules import CLASSIC_RULES, Rules

if TYPE_CHECKING:
    from solver.human.position import Technique

Translate = Callable[[str], str]
"""Takes an English text and returns it in the user's language."""


def translate(context: str, text: str) -> str:
    """Mark a text for translators, and return it as it is; a module has one context."""
    del context
    return text


def keep_english(text: str) -> str:
    """Look nothing up: texts are in English."""
    return text


_BEGINNING: Final = re.compile(r"^[a-z]|(?<=[.!?] )[a-z]")

AND: Final = translate("Help", "{first} and {last}")
OR: Final = translate("Help", "{first} or {last}")


@dataclass(frozen=True)
class Words:
    """How to say things in a language.

    Attributes:
        look_up: translates a text of the context `Help`.
        is_long: whether cells in sentences are called "row 3, column 5" and not r3c5.
        decimal_point: between the whole and the tenths of a number.
        symbols: what is written for each digit from 1.
    """

    look_up: Translate = keep_english
    is_long: bool = False
    decimal_point: str = "."
    rules: Rules = CLASSIC_RULES
    symbols: Sequence[str] = DIGIT_CHARS

    @property
    def masks(self) -> RuleMasks:
        """What the techniques know of the rules."""
        return masks_of(self.rules)

    def say(self, text: str, **fields: object) -> str:
        """Return a text in the language, with its fields filled in."""
        return self.look_up(text).format(**fields)

    def cell(self, cell: int) -> str:
        """Name a cell in a sentence."""
        return self.cells([cell])

    def sign(self, cell: int) -> str:
        """Name a cell as shortly as can be, such as r3c5."""
        row, column = divmod(cell, self.masks.width)
        return self.say(_CELL, row=row + 1, column=column + 1)

    def cells(self, cells: Iterable[int], last: str = AND) -> str:
        """Name several cells as a list in a sentence; `last` is `AND` or `OR`.

        Long names say once what neighbours in the list share: "row 1, columns 2 and 3".
        """
        if not self.is_long:
            return self.join(map(self.sign, cells), last)
        width = self.masks.width
        places = [divmod(cell, width) for cell in cells]
        columns = {column for _, column in places}
        if len(places) > 1 and len(columns) == 1:
            rows = self.join((str(row + 1) for row, _ in places), last)
            return self.say(_CELLS_IN_COLUMN, column=columns.pop() + 1, rows=rows)
        named = []
        for row, group in groupby(places, key=itemgetter(0)):
            numbers = [str(column + 1) for _, column in group]
            text = _CELL_LONG if len(numbers) == 1 else _CELLS_IN_ROW
            named.append(self.say(text, row=row + 1, column=self.join(numbers, last)))
        return self.join(named, last, "; ")

    def number(self, value: float) -> str:
        """Write a number with a place after the point."""
        return f"{value:.1f}".replace(".", self.decimal_point)

    def unit(self, unit: int) -> str:
        """Name a unit or a cage, such as row 3."""
        name = self.masks.unit_names[unit]
        cell = self.cell(name.first_cell)
        told = self.say(_UNIT_KINDS[name.kind], number=name.number, cell=cell)
        return self.say(_OF_GRID, unit=told, grid=name.grid) if name.grid else told

    def units(self, units: Iterable[int]) -> str:
        """Name several units as a list in a sentence, those of a kind together: "rows 1 and 4"."""
        alike: dict[tuple[UnitKind, int, int], list[int]] = {}
        for unit in dict.fromkeys(units):
            name = self.masks.unit_names[unit]
            own = 0 if name.kind in _PLURALS else unit + 1
            alike.setdefault((name.kind, name.grid, own), []).append(unit)
        return self.join(self._units_alike(group) for group in alike.values())

    def _units_alike(self, units: list[int]) -> str:
        if len(units) == 1:
            return self.unit(units[0])
        names = [self.masks.unit_names[unit] for unit in units]
        numbers = self.join(str(name.number) for name in names)
        told = self.say(_PLURALS[names[0].kind], numbers=numbers)
        grid = names[0].grid
        return self.say(_OF_GRID, unit=told, grid=grid) if grid else told

    def digits(self, digits: Iterable[int]) -> str:
        """Name digits as a list in a sentence."""
        return self.join(map(self.digit, sorted(set(digits))))

    def digit(self, digit: int) -> str:
        """Return how a digit, from 1, is written."""
        return self.symbols[digit - 1]

    def sums(self, sums: Iterable[Iterable[int]]) -> str:
        """Name sets of digits that make a sum as a list in a sentence: "1+5 or 2+4"."""
        return self.join(("+".join(map(self.digit, one)) for one in sums), OR)

    def join(self, words: Iterable[str], last: str = AND, between: str = ", ") -> str:
        """Return words as a list in a sentence: a, b and c; `last` is `AND` or `OR`."""
        *first, end = words
        return self.say(last, first=between.join(first), last=end) if first else end

    def begin_sentences(self, text: str) -> str:
        """Return a text in which every sentence begins with a capital, where cells are words."""
        return _BEGINNING.sub(lambda found: found[0].upper(), text) if self.is_long else text

    def technique(self, technique: "Technique") -> str:
        """Name a technique."""
        return self.look_up(technique.label)

    def removals(self, eliminations: Iterable[tuple[int, int]]) -> str:
        """Say which digits cannot stand where: "5 from r1c2 and r1c3; 7 from r4c4"."""
        by_digit: dict[int, list[int]] = {}
        for cell, digit in sorted(eliminations):
            by_digit.setdefault(digit, []).append(cell)
        by_cells: dict[tuple[int, ...], list[int]] = {}
        for digit, cells in sorted(by_digit.items()):
            by_cells.setdefault(tuple(cells), []).append(digit)
        return "; ".join(
            self.say(_FROM, digits=self.digits(digits), cells=self.cells(cells))
            for cells, digits in by_cells.items()
        )


_CELL: Final = translate("Help", "r{row}c{column}")
_CELL_LONG: Final = translate("Help", "row {row}, column {column}")
_CELLS_IN_ROW: Final = translate("Help", "row {row}, columns {column}")
_CELLS_IN_COLUMN: Final = translate("Help", "column {column}, rows {rows}")
_UNIT_KINDS: Final = {
    UnitKind.ROW: translate("Help", "row {number}"),
    UnitKind.COLUMN: translate("Help", "column {number}"),
    UnitKind.BOX: translate("Help", "box {number}"),
    UnitKind.REGION: translate("Help", "the region at {cell}"),
    UnitKind.FALLING_DIAGONAL: translate("Help", "the falling diagonal"),
    UnitKind.RISING_DIAGONAL: translate("Help", "the rising diagonal"),
    UnitKind.WINDOW: translate("Help", "window {number}"),
    UnitKind.CAGE: translate("Help", "the cage {number} at {cell}"),
}
_PLURALS: Final = {
    UnitKind.ROW: translate("Help", "rows {numbers}"),
    UnitKind.COLUMN: translate("Help", "columns {numbers}"),
    UnitKind.BOX: translate("Help", "boxes {numbers}"),
    UnitKind.WINDOW: translate("Help", "windows {numbers}"),
}
_OF_GRID: Final = translate("Help", "{unit} of grid {grid}")
_FROM: Final = translate("Help", "{digits} from {cells}")
