"""Cells of photos that are quickly told apart."""

import numpy as np
import numpy.typing as npt

from training.digits.photo_cells import RealCells


def make_real_cells(digits: npt.NDArray[np.uint8], *sources: str, cuts: int = 2) -> RealCells:
    """Return a photo of each source, every cell filled with its photo's number.

    Args:
        digits: (81,) uint8, the same in all photos, all of them printed.
        sources: of the photos, which lie in folds 0, 1, 2, 0, …
        cuts: of each photo.
    """
    count = len(sources)
    cells = np.zeros((count, cuts, 81, 32, 32), np.uint8)
    cells += np.arange(count, dtype=np.uint8)[:, None, None, None, None]
    all_digits = np.tile(digits, (count, 1))
    kinds = np.where(all_digits > 0, "p", ".")
    fold, files = np.arange(count) % 3, np.array([f"{number}.jpg" for number in range(count)])
    return RealCells(cells, all_digits, np.array(sources), fold, files, kinds)
