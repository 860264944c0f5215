"""Boards of any size as bit masks: for each digit, the set of cells where it can stand.

A mask has bit = cell, one Python integer for the whole board.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from solver.layout import LAYOUTS


@dataclass(frozen=True)
class CellMasks:
    """The cells that belong together, for one size.

    Attributes:
        side: of the grid.
        all_cells: every cell.
        peers: for each cell, those that share a unit with it.
        units: for each unit, its cells.
    """

    side: int
    all_cells: int
    peers: tuple[int, ...]
    units: tuple[int, ...]


@dataclass
class Places:
    """A position of a search.

    Attributes:
        masks: for each digit, from 1, the cells where it stands or can stand.
        filled: the cells that hold a digit; each is in the mask of that digit only.
    """

    masks: list[int]
    filled: int

    def copy(self) -> "Places":
        """Return a position that can be changed apart from this one."""
        return Places(self.masks.copy(), self.filled)

    def put(self, digit: int, cell: int, masks_of: CellMasks) -> None:
        """Fill a cell with a digit, the first being 0, and strike what that rules out."""
        bit = 1 << cell
        others = ~bit
        self.masks = [mask & others for mask in self.masks]
        self.masks[digit] = self.masks[digit] & ~masks_of.peers[cell] | bit
        self.filled |= bit


@cache
def cell_masks(side: int) -> CellMasks:
    """Return the masks of a size, made once."""
    layout = LAYOUTS[side]
    peers = tuple(_mask(cells) for cells in layout.peers.tolist())
    units = tuple(_mask(cells) for cells in layout.units.tolist())
    return CellMasks(side, (1 << layout.n_cells) - 1, peers, units)


def cells_of(mask: int) -> list[int]:
    """Return the cells in a mask, ascending."""
    cells = []
    while mask:
        bit = mask & -mask
        cells.append(bit.bit_length() - 1)
        mask ^= bit
    return cells


def place_clues(clues: Sequence[int], side: int) -> Places | None:
    """Return the position that the clues leave, or None when two equal ones share a unit.

    Args:
        clues: side² digits in reading order, 0 = empty.
        side: of the grid.
    """
    masks_of = cell_masks(side)
    own = [0] * side
    struck = [0] * side
    filled = 0
    for cell, clue in enumerate(clues):
        if clue:
            if struck[clue - 1] >> cell & 1:
                return None
            struck[clue - 1] |= masks_of.peers[cell]
            own[clue - 1] |= 1 << cell
            filled |= 1 << cell
    free = masks_of.all_cells ^ filled
    masks = [free & ~gone | stands for gone, stands in zip(struck, own, strict=True)]
    return Places(masks, filled)


def read_off(masks: Sequence[int], side: int) -> list[int]:
    """Return the side² digits of a board where every cell is in one mask."""
    digits = [0] * side**2
    for digit, mask in enumerate(masks, start=1):
        for cell in cells_of(mask):
            digits[cell] = digit
    return digits


def _mask(cells: Sequence[int]) -> int:
    return sum(1 << cell for cell in cells)
