"""How far a puzzle has come, the techniques with their ratings, and the steps that go on from it.

The names are the standard ones; the ratings are on the Sudoku Explainer scale.
"""

import enum
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from solver.grid import Grid, Integers
from solver.human.masks import CLASSIC, RuleMasks, masks_of
from solver.human.words import translate
from solver.layout import bits_of
from solver.rules import CLASSIC_RULES, Rules, admit_grid


class Technique(enum.Enum):
    """A kind of step: its name in the field, and its rating.

    Ratings are those of Sudoku Explainer (N. Juillerat, 2006) and, for what it lacks, of the
    chain that contains the technique. Chains gain tenths by length; the value here is the base.
    What only puzzles of other kinds have is on no scale, and has 0.
    """

    FULL_HOUSE = (translate("Help", "full house"), 1.0)
    HIDDEN_SINGLE_BOX = (translate("Help", "hidden single in a box"), 1.2)
    HIDDEN_SINGLE_LINE = (translate("Help", "hidden single in a row or column"), 1.5)
    DIRECT_POINTING = (translate("Help", "direct pointing"), 1.7)
    DIRECT_CLAIMING = (translate("Help", "direct claiming"), 1.9)
    DIRECT_HIDDEN_PAIR = (translate("Help", "direct hidden pair"), 2.0)
    NAKED_SINGLE = (translate("Help", "naked single"), 2.3)
    DIRECT_HIDDEN_TRIPLE = (translate("Help", "direct hidden triple"), 2.5)
    POINTING = (translate("Help", "pointing (locked candidates)"), 2.6)
    CLAIMING = (translate("Help", "claiming (locked candidates)"), 2.8)
    NAKED_PAIR = (translate("Help", "naked pair"), 3.0)
    X_WING = (translate("Help", "X-wing"), 3.2)
    HIDDEN_PAIR = (translate("Help", "hidden pair"), 3.4)
    NAKED_TRIPLE = (translate("Help", "naked triple"), 3.6)
    SWORDFISH = (translate("Help", "swordfish"), 3.8)
    HIDDEN_TRIPLE = (translate("Help", "hidden triple"), 4.0)
    SKYSCRAPER = (translate("Help", "skyscraper"), 4.0)
    TWO_STRING_KITE = (translate("Help", "two-string kite"), 4.1)
    TURBOT_FISH = (translate("Help", "turbot fish"), 4.2)
    SIMPLE_COLOURING = (translate("Help", "simple colouring"), 4.2)
    XY_WING = (translate("Help", "XY-wing"), 4.2)
    GROUPED_TURBOT_FISH = (translate("Help", "grouped turbot fish"), 4.3)
    XYZ_WING = (translate("Help", "XYZ-wing"), 4.4)
    W_WING = (translate("Help", "W-wing"), 4.4)
    UNIQUE_RECTANGLE_1 = (translate("Help", "unique rectangle type 1"), 4.5)
    UNIQUE_RECTANGLE_2 = (translate("Help", "unique rectangle type 2"), 4.5)
    UNIQUE_RECTANGLE_4 = (translate("Help", "unique rectangle type 4"), 4.5)
    UNIQUE_RECTANGLE_3 = (translate("Help", "unique rectangle type 3"), 4.6)
    UNIQUE_LOOP = (translate("Help", "unique loop"), 4.6)
    HIDDEN_RECTANGLE = (translate("Help", "hidden rectangle"), 4.8)
    NAKED_QUAD = (translate("Help", "naked quad"), 5.0)
    JELLYFISH = (translate("Help", "jellyfish"), 5.2)
    HIDDEN_QUAD = (translate("Help", "hidden quad"), 5.4)
    THREE_STRONG_LINKS = (translate("Help", "X-chain of three strong links"), 5.4)
    WXYZ_WING = (translate("Help", "WXYZ-wing"), 5.5)
    BUG = (translate("Help", "BUG+1"), 5.6)
    GROUPED_STRONG_LINKS = (translate("Help", "grouped X-chain of three strong links"), 5.7)
    VWXYZ_WING = (translate("Help", "VWXYZ-wing"), 6.2)
    REMOTE_PAIR = (translate("Help", "remote pair"), 6.5)
    X_CYCLE = (translate("Help", "X-cycle"), 6.5)
    XY_CYCLE = (translate("Help", "XY-cycle"), 6.5)
    X_CHAIN = (translate("Help", "X-chain"), 6.6)
    XY_CHAIN = (translate("Help", "XY-chain"), 7.0)
    CONTINUOUS_LOOP = (translate("Help", "continuous AIC loop"), 7.0)
    AIC = (translate("Help", "alternating inference chain"), 7.0)
    NISHIO = (translate("Help", "nishio forcing chain"), 7.5)
    CELL_FORCING = (translate("Help", "cell forcing chain"), 8.0)
    UNIT_FORCING = (translate("Help", "unit forcing chain"), 8.0)
    DYNAMIC_FORCING = (translate("Help", "dynamic forcing chain"), 8.5)
    DYNAMIC_FORCING_PLUS = (translate("Help", "dynamic forcing chain with locked candidates"), 9.0)
    HIDDEN_SINGLE = (translate("Help", "hidden single"), 0.0)
    CAGE_COMBINATIONS = (translate("Help", "cage combinations"), 0.0)
    CAGE_DIGIT = (translate("Help", "digit that a cage needs"), 0.0)
    INNIES_OUTIES = (translate("Help", "innies and outies (rule of 45)"), 0.0)

    def __init__(self, label: str, rating: float) -> None:
        self.label = label
        self.rating = rating


def rate_chain(technique: Technique, nodes: int) -> float:
    """Return the technique's rating with Sudoku Explainer's surcharge for a long chain.

    Args:
        technique: whose base rating counts.
        nodes: statements in the chain, "this cell is (not) that digit", from its assumption to
            its conclusion.
    """
    length = nodes - 2
    return round(technique.rating + 0.1 * sum(length > ceiling for ceiling in _CEILINGS), 1)


_CEILINGS: Final = (4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512)


@dataclass(frozen=True)
class Step:
    """One step of logic.

    Attributes:
        technique: its kind.
        cells: the cells that the reasoning rests on, ascending.
        units: the units and cages that it rests on, as `RuleMasks` numbers them.
        placements: (cell, digit from 1) that are now known.
        eliminations: (cell, digit from 1) that are now impossible.
        rating: on the Sudoku Explainer scale, the surcharge for a long chain included; 0 for
            puzzles that are no classic ones of 9×9, which that scale does not know.
        total: what the cells add up to; 0 where no sum matters.
        sums: the sets of digits that can make the total, each ascending; none where the digits
            need not differ, or no sum matters.
        digits: from 1, that the pattern is about; none where its technique follows one digit.
        why: the text that says why it holds, for what is not said by the technique alone.
        parts: what else is filled in there, by name; `solver.human.reasons` has both.
    """

    technique: Technique
    cells: tuple[int, ...]
    units: tuple[int, ...]
    placements: tuple[tuple[int, int], ...]
    eliminations: tuple[tuple[int, int], ...]
    rating: float
    total: int = 0
    sums: tuple[tuple[int, ...], ...] = ()
    digits: tuple[int, ...] = ()
    why: str = ""
    parts: tuple[tuple[str, Any], ...] = ()


def removals_of(digit: int, cells: int) -> tuple[tuple[int, int], ...]:
    """Return eliminations of one digit, counted from 0, from a mask of cells."""
    return tuple((cell, digit + 1) for cell in bits_of(cells))


def make_step(
    masks: RuleMasks,
    technique: Technique,
    *,
    cells: int,
    units: Iterable[int] = (),
    removals: Iterable[tuple[int, int]] = (),
    placement: tuple[int, int] | None = None,
    rating: float | None = None,
    total: int = 0,
    sums: tuple[tuple[int, ...], ...] = (),
    digits: int = 0,
    why: str = "",
    **parts: Any,
) -> Step:
    """Build a step.

    Args:
        masks: of the puzzle's rules.
        technique: its kind.
        cells: as a mask.
        units: the units that matter.
        removals: (cell, digit from 1).
        placement: (cell, digit from 1), or None.
        rating: the technique's own where None.
        total: of the cells, where that matters.
        sums: the sets of digits that make it.
        digits: as a mask, that the pattern is about; 0 where its technique follows one digit.
        why: the text that says why it holds; empty where the technique says it.
        parts: what is filled in there; see `solver.human.reasons.explain`.
    """
    if rating is None:
        rating = technique.rating
    return Step(
        technique,
        tuple(bits_of(cells)),
        tuple(units),
        (placement,) if placement else (),
        tuple(sorted(removals)),
        rating if masks.is_classic else 0.0,
        total,
        sums,
        tuple(digit + 1 for digit in bits_of(digits)),
        why,
        tuple(parts.items()),
    )


class Position:
    """The candidates of a puzzle under way, kept both by cell and by digit.

    Attributes:
        masks: of the puzzle's rules.
        values: the digit 1..n of each settled cell, else 0; one a place of the paper.
        cells: the candidates of each unsettled cell as n bits, else 0; one a place of the paper.
        digits: the unsettled cells where each digit can stand, as a mask; n of them.
    """

    __slots__ = ("cells", "digits", "masks", "values")

    def __init__(self, masks: RuleMasks = CLASSIC) -> None:
        self.masks = masks
        self.values = [0] * masks.n_places
        self.cells = [
            masks.all_digits if masks.all_cells >> place & 1 else 0
            for place in range(masks.n_places)
        ]
        self.digits = [masks.all_cells] * masks.side

    @classmethod
    def from_grid(cls, grid: Integers, rules: Rules = CLASSIC_RULES) -> "Position":
        """Enter a grid's digits; each one rules itself out in its peers and nothing else follows.

        Args:
            grid: (width, width) integers, 0 = empty or no cell.

        Raises:
            ValueError: if it is no grid of these rules.
        """
        digits, position = admit_grid(rules, grid), cls(masks_of(rules))
        for cell, digit in enumerate(digits.ravel().tolist()):
            if digit:
                position.place(cell, digit)
        return position

    def copy(self) -> "Position":
        """Return one that can be changed without changing this."""
        twin = Position.__new__(Position)
        twin.masks = self.masks
        twin.values, twin.cells, twin.digits = self.values[:], self.cells[:], self.digits[:]
        return twin

    def place(self, cell: int, digit: int) -> None:
        """Settle a cell on a digit 1..n, and take the digit from its peers."""
        bit, peers = ~(1 << cell), self.masks.peers[cell]
        for other in bits_of(self.cells[cell]):
            self.digits[other] &= bit
        self.cells[cell] = 0
        self.values[cell] = digit
        keep = ~(1 << digit - 1)
        for peer in bits_of(self.digits[digit - 1] & peers):
            self.cells[peer] &= keep
        self.digits[digit - 1] &= ~peers

    def remove(self, cell: int, digit: int) -> None:
        """Rule a digit 1..n out in a cell."""
        self.cells[cell] &= ~(1 << digit - 1)
        self.digits[digit - 1] &= ~(1 << cell)

    def apply(self, step: Step) -> None:
        """Do what a step says."""
        for cell, digit in step.eliminations:
            self.remove(cell, digit)
        for cell, digit in step.placements:
            self.place(cell, digit)

    @property
    def is_solved(self) -> bool:
        """Whether every cell is settled."""
        return self.values.count(0) == self.masks.n_places - len(self.masks.rules.cells)

    @property
    def is_broken(self) -> bool:
        """Whether an unsettled cell has no candidate, or a digit no place left in a unit."""
        masks = self.masks
        if any(not self.cells[cell] and not self.values[cell] for cell in masks.rules.cells):
            return True
        settled = [0] * masks.side
        for cell, value in enumerate(self.values):
            if value:
                settled[value - 1] |= 1 << cell
        return any(
            not (places | placed) & unit
            for places, placed in zip(self.digits, settled, strict=True)
            for unit in masks.full_masks
        )

    @property
    def unsettled(self) -> int:
        """The cells without a digit, as a mask."""
        mask = 0
        for places in self.digits:
            mask |= places
        return mask

    @property
    def candidates(self) -> int:
        """All candidates as one mask, a plane of places a digit."""
        mask, n_places = 0, self.masks.n_places
        for digit, places in enumerate(self.digits):
            mask |= places << n_places * digit
        return mask

    def removals(self, cells: int, digits: int) -> tuple[tuple[int, int], ...]:
        """Return the candidates among these as (cell, digit from 1)."""
        return tuple(
            (cell, digit + 1)
            for digit in bits_of(digits)
            for cell in bits_of(self.digits[digit] & cells)
        )

    def cells_with(self, most: int, least: int = 2) -> int:
        """Return the cells with so many candidates, as a mask."""
        mask = 0
        for cell, candidates in enumerate(self.cells):
            if least <= candidates.bit_count() <= most:
                mask |= 1 << cell
        return mask

    def to_grid(self) -> Grid:
        """Return the settled digits, (width, width) uint8, 0 = unsettled or no cell."""
        return np.array(self.values, np.uint8).reshape(self.masks.width, -1)
