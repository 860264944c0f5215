"""A board as it is looked at for its kind: in grey, and in the photo's colours where asked."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.board import show_board
from vision.geometry import Points

Image8 = npt.NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class BoardView:
    """A board that lies upright, or on its side.

    Attributes:
        grey: (S, S) uint8 as `vision.board.rectify` returns it.
        photo: (H, W, 3) BGR uint8.
        lattice: (n + 1, n + 1, 2) float32 in pixels of the photo, turned as `grey` is.
    """

    grey: Image8
    photo: Image8
    lattice: Points

    @property
    def side(self) -> int:
        """The number of cells in a row, n."""
        return len(self.lattice) - 1

    def show_colour(self, cell_px: int) -> Image8:
        """Return the board in colour, (n · cell_px, n · cell_px, 3) BGR uint8."""
        return show_board(self.photo, self.lattice, cell_px)
