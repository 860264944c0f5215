"""The words of hints, walks and checks, kept apart from Qt so that any language can be put in.

Every text stands in a call of `translate`, by whose name translators' programs find it; what
shows the words brings the function that looks them up in a language.
"""

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Final

from app.terminal.languages import (
    ENGLISH,
    LANGUAGES,
    Translate,
    keep_english,
    load_texts,
    translate,
)
from solver.human.masks import CLASSIC, RuleMasks, UnitKind, masks_of
from solver.human.rating import Level
from solver.human.step import Technique
from solver.rules import Kind, Rules
from solver.signs import SIGNS


@dataclass(frozen=True)
class Words:
    """How to say things in a language.

    Attributes:
        look_up: translates a text of this module.
        is_english: whether to take the technique engine's own sentences for classic puzzles of
            9×9, which say more than the texts by technique, and are in English.
        is_long: whether cells in sentences are called "row 3, column 5" and not r3c5.
        decimal_point: between the whole and the tenths of a number.
        rules: of the puzzle; None for the usual ones of 9×9.
        symbols: what is written for each digit from 1.
    """

    look_up: Translate = keep_english
    is_english: bool = True
    is_long: bool = False
    decimal_point: str = "."
    rules: Rules | None = None
    symbols: Sequence[str] = SIGNS

    @property
    def masks(self) -> RuleMasks:
        """What the techniques know of the rules."""
        return CLASSIC if self.rules is None else masks_of(self.rules)

    def say(self, text: str, **fields: object) -> str:
        """Return a text in the language, with its fields filled in."""
        return self.look_up(text).format(**fields)

    def cell(self, cell: int) -> str:
        """Name a cell in a sentence."""
        return self.cells([cell])

    def sign(self, cell: int) -> str:
        """Name a cell as shortly as can be, such as r3c5."""
        row, column = divmod(cell, self.masks.width)
        return self.say(CELL, row=row + 1, column=column + 1)

    def cells(self, cells: Iterable[int], last: str = "{first} and {last}") -> str:
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

    def number(self, value: float, places: int = 1) -> str:
        """Write a number with as many places after the point."""
        return f"{value:.{places}f}".replace(".", self.decimal_point)

    def unit(self, unit: int) -> str:
        """Name a unit or a cage, such as row 3."""
        name = self.masks.unit_names[unit]
        cell = self.cell(name.first_cell)
        told = self.say(_UNIT_KINDS[name.kind], number=name.number, cell=cell)
        return self.say(_OF_GRID, unit=told, grid=name.grid) if name.grid else told

    def units(self, units: Iterable[int]) -> str:
        """Name several units as a list in a sentence."""
        return self.join(self.unit(unit) for unit in dict.fromkeys(units))

    def digits(self, digits: Iterable[int]) -> str:
        """Name digits as a list in a sentence."""
        return self.join(map(self.digit, sorted(set(digits))))

    def digit(self, digit: int) -> str:
        """Return how a digit, from 1, is written."""
        return self.symbols[digit - 1]

    def sums(self, sums: Iterable[Iterable[int]]) -> str:
        """Name sets of digits that make a sum as a list in a sentence: "1+5 or 2+4"."""
        return self.join(("+".join(map(self.digit, one)) for one in sums), OR)

    def join(
        self, words: Iterable[str], last: str = "{first} and {last}", between: str = ", "
    ) -> str:
        """Return words as a list in a sentence: a, b and c; `last` is `AND` or `OR`."""
        *first, end = words
        return self.say(last, first=between.join(first), last=end) if first else end

    def removals(self, eliminations: Iterable[tuple[int, int]]) -> str:
        """Say which digits cannot stand where: "5 from r1c2 and r1c3; 7 from r4c4"."""
        by_digit: dict[int, list[int]] = {}
        for cell, digit in sorted(eliminations):
            by_digit.setdefault(digit, []).append(cell)
        by_cells: dict[tuple[int, ...], list[int]] = {}
        for digit, cells in sorted(by_digit.items()):
            by_cells.setdefault(tuple(cells), []).append(digit)
        return "; ".join(
            self.say(FROM, digits=self.digits(digits), cells=self.cells(cells))
            for cells, digits in by_cells.items()
        )

    def technique(self, technique: Technique) -> str:
        """Name a technique."""
        return self.look_up(TECHNIQUES[technique])


CELL: Final = translate("Help", "r{row}c{column}")
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
_OF_GRID: Final = translate("Help", "{unit} of grid {grid}")
AND: Final = translate("Help", "{first} and {last}")
OR: Final = translate("Help", "{first} or {last}")
FROM: Final = translate("Help", "{digits} from {cells}")

LEVELS: Final = {
    Level.EASY: translate("Help", "easy"),
    Level.MEDIUM: translate("Help", "medium"),
    Level.HARD: translate("Help", "hard"),
    Level.EXPERT: translate("Help", "expert"),
    Level.EXTREME: translate("Help", "extreme"),
}

KINDS: Final = {
    Kind.CLASSIC: translate("Help", "classic"),
    Kind.JIGSAW: translate("Help", "jigsaw"),
    Kind.DIAGONAL: translate("Help", "diagonal"),
    Kind.WINDOKU: translate("Help", "windoku"),
    Kind.KILLER: translate("Help", "killer"),
    Kind.SAMURAI: translate("Help", "samurai"),
}

# Hints, weakest first.
LOOK: Final = translate("Help", "Look at {units}.")
LOOK_ANYWHERE: Final = translate("Help", "Look across the whole board.")
PATTERN_ANYWHERE: Final = translate("Help", "Technique: {technique}, in {cells}.")
PATTERN: Final = translate("Help", "Look at {units}. Technique: {technique}, in {cells}.")
REMOVE: Final = translate("Help", "Strike {removals}.")

# What stands in the way of a hint.
UNVERIFIED: Final = translate(
    "Help",
    "There is no hint: no solution of this puzzle has been verified. Check its digits first.",
)
CONFLICT: Final = translate("Help", "{digit} stands twice in {units}.")
CONFLICT_ANYWHERE: Final = translate("Help", "Some digits contradict each other.")
FINISHED: Final = translate("Help", "The puzzle is finished, and every digit is right.")
ALL_TOLD: Final = translate("Help", "Every digit has been told.")
WRONG_ONE: Final = translate("Help", "First of all: one of your entries is wrong, in {units}.")
WRONG_MANY: Final = translate(
    "Help", "First of all: {count} of your entries are wrong, in {units}."
)
WRONG_CELLS: Final = translate("Help", "First of all, look at your entries once more: {cells}.")
WRONG_DIGITS: Final = translate("Help", "Your entries that are wrong: {corrections}.")
CORRECTION: Final = translate("Help", "{cell} has {written}, but is {digit}")
STUCK: Final = translate(
    "Help",
    "None of the techniques known here goes on from this point. Reveal a cell, such as {cell}, "
    "and ask again.",
)

# The check of entries.
NO_ENTRIES: Final = translate("Help", "There are no entries to check.")
ALL_RIGHT_ONE: Final = translate("Help", "Your one entry is right.")
ALL_RIGHT: Final = translate("Help", "All {count} of your entries are right.")
SOME_WRONG: Final = translate("Help", "{right} right, {wrong} wrong: {cells}.")
SOME_UNSURE: Final = translate("Help", "Not read for sure: {cells}.")
CANDIDATE_STRUCK: Final = translate("Help", "The right candidate is struck out: {cells}.")
UNCHECKED: Final = translate(
    "Help", "Your entries cannot be checked: no solution of this puzzle has been verified."
)

# Ratings.
RATED: Final = translate("Help", "{level} ({score}); hardest step: {technique}")
RATED_BEYOND: Final = translate("Help", "{level}; beyond the techniques known here")
RATED_NOTHING: Final = translate("Help", "{level}; nothing is left to solve")

# Walks.
FULL_HOUSE_IN: Final = translate("Help", "full house in {unit}")
HIDDEN_SINGLE_IN: Final = translate("Help", "hidden single in {unit}")
WALK_START: Final = translate("Help", "The puzzle as it was given.")
WALK_END: Final = translate("Help", "Solved.")
WALK_STUCK: Final = translate("Help", "None of the techniques known here goes on from this point.")

TECHNIQUES: Final = {
    Technique.FULL_HOUSE: translate("Help", "full house"),
    Technique.HIDDEN_SINGLE_BOX: translate("Help", "hidden single in a box"),
    Technique.HIDDEN_SINGLE_LINE: translate("Help", "hidden single in a row or column"),
    Technique.DIRECT_POINTING: translate("Help", "direct pointing"),
    Technique.DIRECT_CLAIMING: translate("Help", "direct claiming"),
    Technique.DIRECT_HIDDEN_PAIR: translate("Help", "direct hidden pair"),
    Technique.NAKED_SINGLE: translate("Help", "naked single"),
    Technique.DIRECT_HIDDEN_TRIPLE: translate("Help", "direct hidden triple"),
    Technique.POINTING: translate("Help", "pointing (locked candidates)"),
    Technique.CLAIMING: translate("Help", "claiming (locked candidates)"),
    Technique.NAKED_PAIR: translate("Help", "naked pair"),
    Technique.X_WING: translate("Help", "X-wing"),
    Technique.HIDDEN_PAIR: translate("Help", "hidden pair"),
    Technique.NAKED_TRIPLE: translate("Help", "naked triple"),
    Technique.SWORDFISH: translate("Help", "swordfish"),
    Technique.HIDDEN_TRIPLE: translate("Help", "hidden triple"),
    Technique.SKYSCRAPER: translate("Help", "skyscraper"),
    Technique.TWO_STRING_KITE: translate("Help", "two-string kite"),
    Technique.TURBOT_FISH: translate("Help", "turbot fish"),
    Technique.SIMPLE_COLOURING: translate("Help", "simple colouring"),
    Technique.XY_WING: translate("Help", "XY-wing"),
    Technique.GROUPED_TURBOT_FISH: translate("Help", "grouped turbot fish"),
    Technique.XYZ_WING: translate("Help", "XYZ-wing"),
    Technique.W_WING: translate("Help", "W-wing"),
    Technique.UNIQUE_RECTANGLE_1: translate("Help", "unique rectangle type 1"),
    Technique.UNIQUE_RECTANGLE_2: translate("Help", "unique rectangle type 2"),
    Technique.UNIQUE_RECTANGLE_4: translate("Help", "unique rectangle type 4"),
    Technique.UNIQUE_RECTANGLE_3: translate("Help", "unique rectangle type 3"),
    Technique.UNIQUE_LOOP: translate("Help", "unique loop"),
    Technique.HIDDEN_RECTANGLE: translate("Help", "hidden rectangle"),
    Technique.NAKED_QUAD: translate("Help", "naked quad"),
    Technique.JELLYFISH: translate("Help", "jellyfish"),
    Technique.HIDDEN_QUAD: translate("Help", "hidden quad"),
    Technique.THREE_STRONG_LINKS: translate("Help", "X-chain of three strong links"),
    Technique.WXYZ_WING: translate("Help", "WXYZ-wing"),
    Technique.BUG: translate("Help", "BUG+1"),
    Technique.GROUPED_STRONG_LINKS: translate("Help", "grouped X-chain of three strong links"),
    Technique.VWXYZ_WING: translate("Help", "VWXYZ-wing"),
    Technique.REMOTE_PAIR: translate("Help", "remote pair"),
    Technique.X_CYCLE: translate("Help", "X-cycle"),
    Technique.XY_CYCLE: translate("Help", "XY-cycle"),
    Technique.X_CHAIN: translate("Help", "X-chain"),
    Technique.XY_CHAIN: translate("Help", "XY-chain"),
    Technique.CONTINUOUS_LOOP: translate("Help", "continuous AIC loop"),
    Technique.AIC: translate("Help", "alternating inference chain"),
    Technique.NISHIO: translate("Help", "nishio forcing chain"),
    Technique.CELL_FORCING: translate("Help", "cell forcing chain"),
    Technique.UNIT_FORCING: translate("Help", "unit forcing chain"),
    Technique.DYNAMIC_FORCING: translate("Help", "dynamic forcing chain"),
    Technique.DYNAMIC_FORCING_PLUS: translate(
        "Help", "dynamic forcing chain with locked candidates"
    ),
    Technique.HIDDEN_SINGLE: translate("Help", "hidden single"),
    Technique.CAGE_COMBINATIONS: translate("Help", "cage combinations"),
    Technique.CAGE_DIGIT: translate("Help", "digit that a cage needs"),
    Technique.INNIES_OUTIES: translate("Help", "innies and outies (rule of 45)"),
}
"""Names of the techniques, as `Technique.label` has them."""


@functools.lru_cache(maxsize=len(LANGUAGES))
def words_of(language: str) -> Words:
    """Return how to say things in one of `LANGUAGES`.

    Where its texts cannot be loaded, which the log says, that is English.
    """
    if language == ENGLISH:
        return Words()
    look_up = load_texts(language, "Help")
    return Words() if look_up is None else Words(look_up, is_english=False)
