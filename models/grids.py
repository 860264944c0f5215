"""Networks that judge grids: how likely each digit is in each cell of a 9×9 Sudoku.

n grids; cells in reading order; digit axis 0..8 for the digits 1..9.
"""

from typing import Protocol

import numpy as np
import numpy.typing as npt

Digits = npt.NDArray[np.uint8]
Booleans = npt.NDArray[np.bool_]
Float32 = npt.NDArray[np.float32]


class GridNetwork(Protocol):
    """A network that looks at unfinished grids; what the policies of `solver.neural` drive."""

    @property
    def name(self) -> str:
        """The name that tables show."""

    @property
    def parameters(self) -> int:
        """How many numbers training has set."""

    def judge(self, grids: Digits, candidates: Booleans, seed: int = 0) -> Float32:
        """Return the probability of each digit in each cell: one pass of the network.

        Args:
            grids: (n, 81) uint8 digits, 0 = empty, n ≥ 1. Not changed.
            candidates: (n, 81, 9) bool: the digits that are still possible; for a filled cell its
                own digit alone. A network that takes no candidates has its answer masked with
                them. Not changed.
            seed: of the random initial state, where the network has one: another seed is another
                opinion, the same seed the same.

        Returns:
            (n, 81, 9) float32, zero where no candidate is; each cell that has candidates sums
            to 1.
        """


def legal_candidates(grids: Digits) -> Booleans:
    """Return the digits that the filled cells of row, column and box leave to each cell.

    Args:
        grids: (n, 81) uint8, 0 = empty.

    Returns:
        (n, 81, 9) bool; a filled cell keeps its own digit alone, whether or not it conflicts.
    """
    placed = grids[:, :, None] == np.arange(1, 10, dtype=np.uint8)
    cube = placed.reshape(-1, 3, 3, 3, 3, 9)  # band, row, stack, column, digit
    seen = (
        cube.any(axis=(3, 4), keepdims=True)
        | cube.any(axis=(1, 2), keepdims=True)
        | cube.any(axis=(2, 4), keepdims=True)
    ).reshape(placed.shape[0], 81, 9)
    legal: Booleans = np.where(grids[:, :, None] > 0, placed, ~seen)
    return legal


def mask_probabilities(probabilities: Float32, candidates: Booleans) -> Float32:
    """Return the probabilities with zero where no candidate is, each cell's sum 1 again.

    A cell whose candidates all have probability zero gets them in equal parts.

    Args:
        probabilities: (n, 81, 9) float32, not negative.
        candidates: (n, 81, 9) bool.
    """
    masked = np.where(candidates, probabilities + np.float32(1e-12), np.float32(0))
    sums = masked.sum(axis=-1, keepdims=True)
    return np.asarray(masked / np.maximum(sums, np.float32(1e-30)), dtype=np.float32)
