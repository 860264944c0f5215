"""What a puzzle demands: its units and cages, and the check of a solution against them.

A puzzle is printed on `width` × `width` places, numbered in reading order; a place that lies in a
unit is a cell. All kinds but the samurai have a cell on every place, and `width` is the side n.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache
from itertools import combinations
from typing import Any, Final

import numpy as np

from solver.grid import Booleans, Fault, Grid, GridError, Integers
from solver.layout import USUAL_BOXES, Layout


class Kind(StrEnum):
    """The kinds of puzzles that newspapers print."""

    CLASSIC = "classic"
    JIGSAW = "jigsaw"
    """Regions of any connected shape in the place of boxes."""
    DIAGONAL = "diagonal"
    """Each of the two long diagonals holds every digit."""
    WINDOKU = "windoku"
    """Further boxes inside the grid, set off from its edges by a cell, hold every digit."""
    KILLER = "killer"
    """Cages whose digits differ and have a given sum."""
    SAMURAI = "samurai"
    """Two to five grids of 9×9 that share boxes."""


SAMURAI_GRIDS: Final = {
    2: ((0, 0), (6, 6)),
    3: ((0, 0), (6, 6), (12, 12)),
    4: ((0, 6), (6, 0), (6, 12), (12, 6)),
    5: ((0, 0), (0, 12), (6, 6), (12, 0), (12, 12)),
}
"""For each number of grids, the row and column of their first cells as they are usually printed."""


@dataclass(frozen=True, slots=True)
class Cage:
    """Cells whose digits differ and add up to a total.

    Attributes:
        total: the sum of the digits.
        cells: in ascending order.
    """

    total: int
    cells: tuple[int, ...]


@dataclass(frozen=True)
class Rules:
    """What every solution of a puzzle fulfils; build it with the functions of this module.

    Attributes:
        kind: what people call it.
        side: the number of digits, n.
        width: places in a row of the paper.
        units: each n cells that hold every digit once. For all kinds but the samurai: n rows,
            n columns, n boxes or regions, and then what the kind adds.
        cages: no two of them share a cell.

    Raises:
        GridError: if no puzzle has such rules.
    """

    kind: Kind
    side: int
    width: int
    units: tuple[tuple[int, ...], ...]
    cages: tuple[Cage, ...] = ()

    def __post_init__(self) -> None:
        if self.side not in USUAL_BOXES:
            raise GridError(f"the side must be {_list_sides()}, got {self.side}")
        for unit in self.units:
            if len(set(unit)) != self.side or not 0 <= min(unit) <= max(unit) < self.width**2:
                raise GridError(f"a unit must be {self.side} different cells, got {unit}")
        _check_cages(self)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.kind, self.side, self.width, self.units, self.cages))

    @cached_property
    def cells(self) -> tuple[int, ...]:
        """The places that are cells, ascending."""
        return tuple(sorted(set().union(*self.units)))

    @cached_property
    def regions(self) -> tuple[tuple[int, ...], ...]:
        """The boxes or regions; of a samurai, the boxes of all its grids."""
        if self.kind is not Kind.SAMURAI:
            return self.units[2 * self.side : 3 * self.side]
        return tuple(unit for unit in self.units if unit[3] - unit[0] == self.width)

    @cached_property
    def added_units(self) -> tuple[tuple[int, ...], ...]:
        """Diagonals or windows, beside rows, columns and boxes; none of other kinds."""
        return () if self.kind is Kind.SAMURAI else self.units[3 * self.side :]

    @cached_property
    def peers(self) -> tuple[frozenset[int], ...]:
        """For each place, the other cells that share a unit with it."""
        near: list[set[int]] = [set() for _ in range(self.width**2)]
        for unit in self.units:
            for cell in unit:
                near[cell].update(unit)
        return tuple(frozenset(cells - {cell}) for cell, cells in enumerate(near))

    @cached_property
    def has_usual_boxes(self) -> bool:
        """Whether the regions are the boxes that grids of this side usually have."""
        if self.kind is Kind.SAMURAI:
            return True
        return set(self.regions) == set(_units_of(USUAL_BOXES[self.side].boxes))

    @cached_property
    def is_classic(self) -> bool:
        """Whether the shape of the grid says everything: units of the usual boxes, no cages."""
        return not self.cages and len(self.units) == 3 * self.side and self.has_usual_boxes


@lru_cache(maxsize=64)
def box_rules(side: int, kind: Kind = Kind.CLASSIC, boxes: Layout | None = None) -> Rules:
    """Return the rules of a classic, a diagonal or a windoku puzzle.

    Args:
        side: 4, 6, 8, 9, 10, 12, 16 or 25.
        kind: one of those three.
        boxes: other than the usual ones, such as `Layout(3, 2)` for side 6.

    Raises:
        GridError: if there are none.
    """
    boxes = boxes or usual_boxes(side)
    if boxes.side != side:
        raise GridError(f"boxes of {boxes.box_rows}×{boxes.box_columns} do not fit side {side}")
    units = _units_of(boxes.units)
    if kind is Kind.DIAGONAL:
        last = side - 1
        units += (tuple(range(0, side**2, side + 1)), tuple(range(last, side**2 - last, last)))
    elif kind is Kind.WINDOKU:
        units += _find_windows(boxes)
    elif kind is not Kind.CLASSIC:
        raise GridError(f"{kind.value} puzzles need more than a side; give regions, cages or grids")
    return Rules(kind, side, side, units)


def jigsaw_rules(regions: Iterable[Sequence[int]]) -> Rules:
    """Return the rules of a jigsaw.

    Args:
        regions: n of them, each n cells that hang together by their edges.

    Raises:
        GridError: if they are no such regions.
    """
    units = tuple(tuple(sorted(region)) for region in regions)
    side = len(units)
    rows = usual_boxes(side).rows
    if sorted(cell for unit in units for cell in unit) != list(range(side**2)):
        raise GridError(f"{side} regions must cover each of the {side**2} cells once")
    for unit in units:
        if len(unit) != side:
            raise GridError(f"each region must have {side} cells, the one at {unit[0]} {len(unit)}")
        if not is_connected(unit, side):
            row, column = divmod(unit[0], side)
            raise GridError(
                f"the region at row {row + 1}, column {column + 1} falls into pieces; each region "
                "must hang together"
            )
    return Rules(Kind.JIGSAW, side, side, _units_of(rows) + _units_of(rows.T) + units)


def killer_rules(cages: Iterable[Cage], side: int = 9, boxes: Layout | None = None) -> Rules:
    """Return the rules of a killer; cells may lie in no cage.

    Raises:
        GridError: if the cages overlap, or no digits can fill one.
    """
    plain = box_rules(side, boxes=boxes)
    return Rules(Kind.KILLER, side, side, plain.units, tuple(cages))


def samurai_rules(grids: Iterable[tuple[int, int]] = SAMURAI_GRIDS[5]) -> Rules:
    """Return the rules of grids of 9×9 that share boxes.

    Args:
        grids: row and column of the first cell of each.

    Raises:
        GridError: if they are not two to five, or do not lie on each other box by box.
    """
    origins = sorted(set(grids))
    is_off = any(row % 3 or column % 3 for row, column in origins)
    if not 2 <= len(origins) <= 5 or is_off:
        raise GridError("a samurai is two to five grids of 9×9, set off by whole boxes")
    width = 9 + max(max(origin) for origin in origins)
    nine = USUAL_BOXES[9].units
    units: dict[tuple[int, ...], None] = {}
    for row, column in origins:
        places = (row + nine // 9) * width + column + nine % 9
        units.update(dict.fromkeys(_units_of(places)))
    return Rules(Kind.SAMURAI, 9, width, tuple(units))


def find_grids(rules: Rules) -> tuple[tuple[int, int], ...]:
    """Return the row and column of the first cell of each grid of a samurai, ascending.

    The grids are those whose rows, columns and boxes are all among the units.
    """
    units, nine = set(rules.units), USUAL_BOXES[9].units
    steps = range(0, rules.width - 8, 3)
    grids = []
    for row, column in ((row, column) for row in steps for column in steps):
        places = (row + nine // 9) * rules.width + column + nine % 9
        if units.issuperset(_units_of(places)):
            grids.append((row, column))
    return tuple(grids)


def usual_boxes(side: int) -> Layout:
    """Return the usual boxes of a side.

    Raises:
        GridError: if no puzzle has this side.
    """
    if side not in USUAL_BOXES:
        raise GridError(f"the side must be {_list_sides()}, got {side}")
    return USUAL_BOXES[side]


def is_connected(cells: Iterable[int], width: int) -> bool:
    """Return whether the cells hang together by their edges."""
    left = set(cells)
    open_cells = [left.pop()] if left else []
    while open_cells:
        near = left.intersection(neighbours(open_cells.pop(), width))
        left -= near
        open_cells += near
    return not left


def neighbours(cell: int, width: int) -> list[int]:
    """Return the up to four places that share an edge with a place."""
    row, column = divmod(cell, width)
    return [
        near
        for near, is_on_paper in (
            (cell - width, row > 0),
            (cell - 1, column > 0),
            (cell + 1, column < width - 1),
            (cell + width, row < width - 1),
        )
        if is_on_paper
    ]


def admit_grid(rules: Rules, values: Integers) -> Grid:
    """Return the values as a grid of these rules, without a copy where they are one already.

    Args:
        rules: of the puzzle.
        values: (width, width) integers 0..side, 0 where a place is empty or no cell.

    Returns:
        (width, width) uint8.

    Raises:
        ValueError: for another shape, other types or digits, or a digit outside the cells.
    """
    if values.shape != (rules.width, rules.width):
        raise ValueError(f"a grid must be {rules.width}×{rules.width}, got {values.shape}")
    if values.dtype.kind not in "ui":
        raise ValueError(f"a grid must hold integers, got {values.dtype}")
    if values.min() < 0 or values.max() > rules.side:
        raise ValueError(f"digits must be 0..{rules.side}, got {values.min()}..{values.max()}")
    if np.count_nonzero(values) > np.count_nonzero(values.ravel()[list(rules.cells)]):
        raise ValueError("a digit stands where the puzzle has no cell")
    return values.astype(np.uint8, copy=False)


def check_rules(rules: Rules, clues: Integers, solution: Integers) -> Fault:
    """Return what is wrong with a solution: the empty flag when it obeys the rules and the clues.

    Args:
        rules: of the puzzle.
        clues: (width, width) integers, 0 = empty or no cell.
        solution: (width, width) integers, any values, 0 where there is no cell.

    Raises:
        ValueError: if one of them has another shape.
    """
    shape = (rules.width, rules.width)
    if clues.shape != shape or solution.shape != shape:
        raise ValueError(f"the rules need {shape}, got {clues.shape} and {solution.shape}")
    flat = solution.ravel()
    digits = flat[list(rules.cells)]
    faults = Fault.NONE
    if ((clues != solution) & (clues > 0)).any():
        faults |= Fault.CLUE_CHANGED
    if ((digits < 0) | (digits > rules.side)).any():
        faults |= Fault.OUT_OF_RANGE
    if (digits == 0).any():
        faults |= Fault.EMPTY_CELL
    if np.count_nonzero(flat) > np.count_nonzero(digits):
        faults |= Fault.NO_CELL
    wanted = np.arange(1, rules.side + 1)
    if (np.sort(flat[np.array(rules.units)], axis=1) != wanted).any():
        faults |= Fault.UNIT
    for cage in rules.cages:
        inside = flat[list(cage.cells)].tolist()
        if sum(inside) != cage.total:
            faults |= Fault.CAGE_SUM
        if len(set(inside)) < len(inside):
            faults |= Fault.CAGE_DIGIT
    return faults


def has_conflicts(rules: Rules, grid: Integers) -> bool:
    """Return whether a digit stands twice in a unit or a cage, or a full cage has another sum."""
    if find_repeated(rules, grid).any():
        return True
    flat = grid.ravel().tolist()
    return any(
        all(flat[cell] for cell in cage.cells)
        and sum(flat[cell] for cell in cage.cells) != cage.total
        for cage in rules.cages
    )


def find_repeated(rules: Rules, grid: Integers) -> Booleans:
    """Return which cells hold a digit that stands twice in a unit or a cage, of the grid's shape.

    Args:
        rules: of the puzzle.
        grid: (width, width) integers, 0 = empty or no cell.
    """
    flat = grid.ravel()
    repeated = np.zeros(flat.shape, np.bool_)
    for cells in (*rules.units, *(cage.cells for cage in rules.cages)):
        places = list(cells)
        digits = flat[places]
        repeated[places] |= (digits > 0) & ((digits[:, None] == digits).sum(axis=1) > 1)
    return repeated.reshape(grid.shape)


def cage_combinations(total: int, n_cells: int, side: int) -> tuple[tuple[int, ...], ...]:
    """Return the sets of so many different digits, each ascending, that add up to the total."""
    return tuple(
        digits for digits in combinations(range(1, side + 1), n_cells) if sum(digits) == total
    )


def _check_cages(rules: Rules) -> None:
    seen: set[int] = set()
    for cage in rules.cages:
        cells = set(cage.cells)
        if not cells or len(cells) < len(cage.cells) or not cells <= set(rules.cells):
            raise GridError(f"a cage must be different cells of the puzzle, got {cage.cells}")
        if cells & seen:
            raise GridError(f"cell {min(cells & seen)} lies in two cages; leave it in one of them")
        seen |= cells
        n_cells, side = len(cells), rules.side
        least, most = n_cells * (n_cells + 1) // 2, n_cells * (2 * side + 1 - n_cells) // 2
        if n_cells > side or not least <= cage.total <= most:
            raise GridError(
                f"the cage at cell {min(cells)} has {n_cells} cells and the sum {cage.total}; "
                f"different digits 1..{side} add up to {least}..{most}"
            )


def _find_windows(boxes: Layout) -> tuple[tuple[int, ...], ...]:
    """Return the windows of a windoku, which has square boxes."""
    size, side = boxes.box_rows, boxes.side
    if size != boxes.box_columns or size < 3:
        raise GridError(f"a windoku has square boxes and side 9, 16 or 25, not {side}")
    starts = range(1, side - size, size + 1)
    return tuple(
        tuple((top + row) * side + left + column for row in range(size) for column in range(size))
        for top in starts
        for left in starts
    )


def _units_of(table: np.ndarray[Any, Any]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(sorted(row)) for row in table.tolist())


def _list_sides() -> str:
    *sides, last = map(str, USUAL_BOXES)
    return f"{', '.join(sides)} or {last}"


CLASSIC_RULES: Final = box_rules(9)
"""Those of 9×9 with the usual boxes and nothing more, by which puzzles are rated."""
