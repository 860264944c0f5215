"""What every reader of digits promises, so that the line can work with any of them."""

from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

ReaderKind = Literal["network", "tesseract"]
"""The readers that there are."""


class Reader(Protocol):
    """Tells how likely each class is in each cell; classes as `models.digits.CLASSES` says."""

    def read(self, cells: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
        """Return how likely each class is in each cell.

        Args:
            cells: (n, 32, 32) uint8 grey, n may be 0.

        Returns:
            (n, 19) float32; every row sums to 1. Columns: empty, printed 1–9, handwritten 1–9.

        Raises:
            ValueError: if the cells have another shape or type.
        """
