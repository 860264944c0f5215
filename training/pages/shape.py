"""What the lines of a board enclose, drawn at random, and digits for it that nobody solves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from solver.rules import is_connected

Cell = tuple[int, int]
Regions = npt.NDArray[np.uint8]

BOXES: Final[Mapping[int, Cell]] = {
    4: (2, 2), 6: (2, 3), 8: (2, 4), 9: (3, 3), 10: (2, 5), 12: (3, 4), 16: (4, 4)
}  # fmt: skip
"""Rows and columns of the boxes by the board's side."""

KINDS: Final = ("classic", "jigsaw", "diagonal", "windoku", "killer")

SAMURAI_PLACES: Final = ((6, 6), (0, 0), (0, 12), (12, 0), (12, 12))
"""Row and column of each board's first cell among 21×21 places; the middle one comes first."""

_SWAPS: Final = 3
"""Swaps tried for every cell of a jigsaw: beyond, regions look no more irregular."""
_LARGEST_CAGE: Final = 5


@dataclass(frozen=True, eq=False)
class Shape:
    """The rules of a board as its print shows them.

    Attributes:
        kind: one of `KINDS`.
        regions: (n, n) uint8, the number of each cell's box or region, 0..n−1.
        cages: of a killer; none of other kinds. Together they hold every cell once.
        windows: of a windoku, (n, n) bool, the cells of the four extra boxes.
    """

    kind: str
    regions: Regions
    cages: tuple[tuple[Cell, ...], ...] = ()
    windows: npt.NDArray[np.bool_] | None = None

    @property
    def side(self) -> int:
        """Return n."""
        return len(self.regions)


def draw_shape(kind: str, side: int, rng: np.random.Generator) -> Shape:
    """Return a board of a kind and side; jigsaws and killers differ by the generator.

    Raises:
        ValueError: if there is no such kind, or it has no such side.
    """
    if kind not in KINDS or side not in BOXES or (kind == "windoku" and side != 9):
        raise ValueError(f"no board of kind {kind!r} has side {side}")
    boxes = box_regions(*BOXES[side])
    if kind == "jigsaw":
        return Shape(kind, mix_regions(boxes, rng))
    if kind == "killer":
        return Shape(kind, boxes, draw_cages(side, rng))
    if kind == "windoku":
        inside = np.isin(np.arange(9), (1, 2, 3, 5, 6, 7))
        return Shape(kind, boxes, windows=inside[:, None] & inside)
    return Shape(kind, boxes)


def box_regions(rows: int, columns: int) -> Regions:
    """Return the boxes of so many rows and columns of a board, numbered in reading order."""
    side = rows * columns
    row, column = np.indices((side, side))
    return (row // rows * rows + column // columns).astype(np.uint8)


def mix_regions(regions: Regions, rng: np.random.Generator) -> Regions:
    """Let neighbouring regions swap cells at random; each stays connected and as large as it was.

    Args:
        regions: (n, n) uint8, connected.
        rng: chooses the cells.
    """
    mixed = regions.copy()
    side = len(mixed)
    for _ in range(_SWAPS * mixed.size):
        row, column = rng.integers(side, size=2).tolist()
        one: Cell = (row, column)
        beside = [at for at in neighbours(one, side) if mixed[at] != mixed[one]]
        if not beside:
            continue
        a, b = int(mixed[one]), int(mixed[beside[int(rng.integers(len(beside)))]])
        mixed[one] = b
        back = [
            (y, x)
            for y, x in np.argwhere(mixed == b).tolist()
            if (y, x) != one and any(mixed[near] == a for near in neighbours((y, x), side))
        ]
        other = back[int(rng.integers(len(back)))] if back else one
        mixed[other] = a
        changed = (np.flatnonzero(mixed == number).tolist() for number in (a, b))
        if not all(is_connected(cells, side) for cells in changed):
            mixed[other], mixed[one] = b, a
    return mixed


def draw_cages(side: int, rng: np.random.Generator) -> tuple[tuple[Cell, ...], ...]:
    """Cut a board into connected cages of 1 to 5 cells."""
    free = np.ones((side, side), np.bool_)
    cages = []
    for number in rng.permutation(side * side):
        start = (int(number) // side, int(number) % side)
        if not free[start]:
            continue
        cage = [start]
        free[start] = False
        for _ in range(int(rng.integers(1, _LARGEST_CAGE))):
            near = [at for one in cage for at in neighbours(one, side) if free[at]]
            if not near:
                break
            chosen = near[int(rng.integers(len(near)))]
            cage.append(chosen)
            free[chosen] = False
        cages.append(tuple(sorted(cage)))
    return tuple(sorted(cages))


def draw_grid(shape: Shape, rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """Return a full grid, (n, n) uint8, for boards whose digits nobody solves.

    Rows, columns and rectangular boxes hold each digit once. Jigsaw regions and cages do not.
    """
    side = shape.side
    rows, columns = BOXES[side]
    row, column = np.indices((side, side))
    pattern = (row % rows * columns + row // rows + column) % side
    return np.asarray(rng.permutation(side)[pattern] + 1, np.uint8)


def draw_samurai_clues(
    places: Sequence[tuple[int, int]], share: float, rng: np.random.Generator
) -> npt.NDArray[np.uint8]:
    """Return digits for a samurai that nobody solves: they suit each board alone.

    Args:
        places: row and column of each board's first cell.
        share: of the cells that have clues.
        rng: the digits.

    Returns:
        (21, 21) uint8, 0 = empty or no cell.
    """
    shape = draw_shape("classic", 9, rng)
    shown = np.zeros((21, 21), np.uint8)
    taken = np.zeros((21, 21), np.bool_)
    for row, column in places:
        part = slice(row, row + 9), slice(column, column + 9)
        digits = np.where(rng.random((9, 9)) < share, draw_grid(shape, rng), 0)
        shown[part] = np.where(taken[part], shown[part], digits)
        taken[part] = True
    return shown


def sum_cages(shape: Shape, grid: npt.NDArray[np.uint8]) -> tuple[int, ...]:
    """Return the sums that a full grid gives the cages."""
    return tuple(sum(int(grid[cell]) for cell in cage) for cage in shape.cages)


def colour_regions(regions: Regions, rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """Return a colour for each region, so that neighbours differ: (k,) uint8, 0, 1, 2, …

    Args:
        regions: (n, n) uint8, the number of each cell's region or cage, 0..k-1.
        rng: chooses the order in which they are coloured.
    """
    count = int(regions.max()) + 1
    touching: list[set[int]] = [set() for _ in range(count)]
    beside = ((regions[:, :-1], regions[:, 1:]), (regions[:-1], regions[1:]))
    for first, second in beside:
        for a, b in zip(first.ravel().tolist(), second.ravel().tolist(), strict=True):
            if a != b:
                touching[a].add(b)
                touching[b].add(a)
    colours = np.full(count, count, np.uint8)
    for region in rng.permutation(count).tolist():
        taken = {int(colours[other]) for other in touching[region]}
        colours[region] = next(colour for colour in range(count) if colour not in taken)
    return colours


def neighbours(cell: Cell, side: int) -> list[Cell]:
    """Return the cells that share an edge with a cell."""
    row, column = cell
    around = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return [(y, x) for y, x in around if 0 <= y < side and 0 <= x < side]
