"""Bit masks of a puzzle's cells, units and candidates, and the walk over their bits.

A set of cells is an integer with a bit a place of the paper, 81 of them for a grid of 9×9. A set of
a cell's candidates is an integer of n bits, bit = digit - 1; here and in all finders, a digit is
counted from 0 until it is written into a step. A set of candidates of the whole puzzle is an
integer with a plane of places a digit: candidate ``digit * places + cell``, 729 bits for 9×9.
"""

import enum
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from solver.exact.cage_sums import Sums, find_sums
from solver.layout import bits_of, mask_of
from solver.rules import Kind, Rules, box_rules, find_grids


class UnitKind(enum.Enum):
    """What people call a unit, or a cage."""

    ROW = "row"
    COLUMN = "column"
    BOX = "box"
    REGION = "region"
    FALLING_DIAGONAL = "the falling diagonal"
    RISING_DIAGONAL = "the rising diagonal"
    WINDOW = "window"
    CAGE = "cage"


LINES: Final = (UnitKind.ROW, UnitKind.COLUMN)


@dataclass(frozen=True)
class UnitName:
    """What tells a unit, or a cage, from the others.

    Attributes:
        kind: of the unit.
        number: from 1, in reading order; of a cage, its sum.
        first_cell: of a region or a cage, which have no numbers in print.
        grid: of a samurai, from 1 in reading order, where the unit lies; 0 for others.
    """

    kind: UnitKind
    number: int
    first_cell: int
    grid: int = 0


class RuleMasks:
    """What the techniques know of a puzzle's rules; build it with `masks_of`.

    Units are numbered as in the rules, and cages after them: of a grid of 9×9, rows 0..8, columns
    9..17, boxes 18..26. Cages are no units: their cells differ, but need not hold every digit.

    Attributes:
        rules: of the puzzle.
        side: the number of digits, n.
        width: places in a row of the paper.
        n_places: of the paper, whether cells or not.
        all_cells: every cell.
        all_digits: n bits.
        unit_cells: the cells of each unit, then those of each cage.
        unit_masks: the same as masks.
        full_masks: those of the units alone, which hold every digit.
        unit_names: what people call them.
        boxes_first: the units alone, rows and columns last.
        lines: rows and columns that cross each other, of each grid of a samurai.
        crossings: pairs of a unit, and a unit or a cage, that share two cells or more.
        crossed: for each unit, the masks of those with which it makes such pairs.
        peers: for each place, the cells from which it must differ.
        units_of: for each place, its units; no cages.
        planes: for each digit, all its candidates.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.side, self.width = rules.side, rules.width
        self.n_places = rules.width**2
        self.all_cells = mask_of(rules.cells)
        self.all_digits = (1 << rules.side) - 1
        self.unit_cells = (*rules.units, *(cage.cells for cage in rules.cages))
        self.unit_masks = tuple(map(mask_of, self.unit_cells))
        n_units = len(rules.units)
        self.full_masks = self.unit_masks[:n_units]
        self.unit_names = _name_units(rules)
        is_line = [name.kind in LINES for name in self.unit_names]
        units = range(n_units)
        self.boxes_first = tuple(sorted(units, key=lambda unit: is_line[unit]))
        self.lines = self._find_lines()
        self.crossings = tuple(
            (unit, other)
            for unit in units
            for other in range(len(self.unit_cells))
            if other != unit and (self.unit_masks[unit] & self.unit_masks[other]).bit_count() > 1
        )
        self.crossed = tuple(
            tuple(self.unit_masks[other] for one, other in self.crossings if one == unit)
            for unit in units
        )
        peers = [0] * self.n_places
        units_of: list[list[int]] = [[] for _ in range(self.n_places)]
        for unit, cells in enumerate(self.unit_cells):
            for cell in cells:
                peers[cell] |= self.unit_masks[unit] & ~(1 << cell)
                if unit < n_units:
                    units_of[cell].append(unit)
        self.peers = tuple(peers)
        self.units_of = tuple(map(tuple, units_of))
        self.planes = tuple(
            ((1 << self.n_places) - 1) << self.n_places * digit for digit in range(rules.side)
        )

    @cached_property
    def is_classic(self) -> bool:
        """Whether these are the usual rules of 9×9."""
        return self.side == 9 and self.rules.is_classic and self.rules.kind is Kind.CLASSIC

    @cached_property
    def weak(self) -> tuple[int, ...]:
        """For each candidate, those that are wrong if it is right."""
        n_places = self.n_places
        in_cell = [
            mask_of(n_places * digit + cell for digit in range(self.side))
            for cell in range(n_places)
        ]
        return tuple(
            self.peers[cell] << n_places * digit | in_cell[cell] & ~(1 << n_places * digit + cell)
            for digit in range(self.side)
            for cell in range(n_places)
        )

    @cached_property
    def sums(self) -> Sums:
        """The cages, and what follows from them by the rule of 45."""
        return find_sums(self.rules)

    def box_of(self, cell: int) -> int:
        """Return the box or region of a cell, as a unit."""
        units = self.units_of[cell]
        return next(unit for unit in units if self.unit_names[unit].kind not in LINES)

    def place_of(self, candidate: int) -> tuple[int, int]:
        """Return the cell of a candidate, and its digit from 1."""
        digit, cell = divmod(candidate, self.n_places)
        return cell, digit + 1

    def cells_of(self, candidates: Iterable[int]) -> int:
        """Return the cells of candidates, as a mask."""
        return mask_of(candidate % self.n_places for candidate in candidates)

    def peers_of_all(self, cells: int) -> int:
        """Return the cells that see every one of these cells."""
        common = self.all_cells
        for cell in bits_of(cells):
            common &= self.peers[cell]
        return common

    def common_units(self, cells: int) -> list[int]:
        """Return the units and cages that hold all of these cells."""
        return [unit for unit, mask in enumerate(self.unit_masks) if not cells & ~mask]

    def _find_lines(self) -> tuple[tuple[range | tuple[int, ...], range | tuple[int, ...]], ...]:
        side = self.side
        if self.rules.kind is not Kind.SAMURAI or self.width == side:
            return ((range(side), range(side, 2 * side)),)
        grids = []
        for row, column in find_grids(self.rules):
            inside = mask_of(
                (row + down) * self.width + column + right
                for down in range(side)
                for right in range(side)
            )
            of_grid = [unit for unit, mask in enumerate(self.full_masks) if not mask & ~inside]
            grids.append(
                tuple(
                    tuple(unit for unit in of_grid if self.unit_names[unit].kind is kind)
                    for kind in LINES
                )
            )
        return tuple((rows, columns) for rows, columns in grids)


@lru_cache(8)
def masks_of(rules: Rules) -> RuleMasks:
    """Return the masks of a puzzle's rules."""
    return RuleMasks(rules)


def _name_units(rules: Rules) -> tuple[UnitName, ...]:
    side = rules.side
    if rules.kind is Kind.SAMURAI and rules.width > side:
        return tuple(_name_in_grids(rules))
    box = UnitKind.REGION if rules.kind is Kind.JIGSAW else UnitKind.BOX
    names = [
        UnitName(kind, number + 1, rules.units[at * side + number][0])
        for at, kind in enumerate((*LINES, box))
        for number in range(side)
    ]
    added = rules.added_units
    if rules.kind is Kind.DIAGONAL:
        kinds = (UnitKind.FALLING_DIAGONAL, UnitKind.RISING_DIAGONAL)
        names += [UnitName(kind, 1, unit[0]) for kind, unit in zip(kinds, added, strict=True)]
    else:
        names += [
            UnitName(UnitKind.WINDOW, number, unit[0]) for number, unit in enumerate(added, 1)
        ]
    return (*names, *(UnitName(UnitKind.CAGE, cage.total, cage.cells[0]) for cage in rules.cages))


def _name_in_grids(rules: Rules) -> Iterable[UnitName]:
    """Name the units of a samurai: rows and columns by their number on the paper."""
    grids = find_grids(rules)
    for unit in rules.units:
        first, last = unit[0], unit[-1]
        row, column = divmod(first, rules.width)
        down, right = (last - first) // rules.width, (last - first) % rules.width
        at, (top, left) = next(
            (number, (top, left))
            for number, (top, left) in enumerate(grids, start=1)
            if top <= row <= top + 8 - down and left <= column <= left + 8 - right
        )
        if down == 0:
            yield UnitName(UnitKind.ROW, row + 1, first, at)
        elif right == 0:
            yield UnitName(UnitKind.COLUMN, column + 1, first, at)
        else:
            yield UnitName(UnitKind.BOX, row - top + (column - left) // 3 + 1, first, at)


CLASSIC: Final = masks_of(box_rules(9))
"""Of the usual rules of 9×9, which techniques go by where they are told no others."""

UNIT_CELLS: Final = CLASSIC.unit_cells
"""The nine cells of each unit: rows 0..8, columns 9..17, boxes 18..26."""

UNIT_MASKS: Final = CLASSIC.unit_masks
"""81 bits a unit."""

PEER_MASKS: Final = CLASSIC.peers
"""81 bits a cell: the cells that share a unit with it, without itself."""

UNITS_OF: Final = CLASSIC.units_of
"""A cell's row, column and box, as units."""
